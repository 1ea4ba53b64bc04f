//! Which test of after is which of before, and which are gone.

use std::collections::{HashMap, HashSet};

use super::coverage::Coverage;
use super::source_test::{Assertion, SourceTest};
use super::{FileTests, Pair, QUOTES};

/// How much of a test's assertions and of its names another must have to be the same under a new name.
const SHARED: f64 = 0.5;

/// A path, and a test in it.
type PlacedTest<'f> = (&'f str, &'f SourceTest);

/// How much a test of after is one of before: 0 if it is another.
type Likeness = fn(&Coverage<'_>, &SourceTest, &SourceTest) -> f64;

/// Each test of before with what it is now.
pub(super) fn pairs<'f>(files: &'f [FileTests<'_>], coverage: &Coverage<'_>) -> Vec<Pair<'f>> {
    let mut pairs = Vec::new();
    let mut gone: Vec<PlacedTest<'f>> = Vec::new();
    let mut new: Vec<PlacedTest<'f>> = Vec::new();
    for file in files {
        let mut left: HashMap<&str, Vec<&'f SourceTest>> = HashMap::new();
        for test in file.after.iter().rev().filter(|test| !test.is_helper) {
            left.entry(&test.name).or_default().push(test);
        }
        // A function that asserts weakens what calls it; one that is gone is no lost test.
        for before in
            file.before.iter().filter(|test| test.is_helper && !test.assertions.is_empty())
        {
            let only = |tests: &'f [SourceTest]| {
                let mut same = tests.iter().filter(|it| it.is_helper && it.name == before.name);
                same.next().filter(|_| same.next().is_none())
            };
            if let (Some(before), Some(after)) = (only(&file.before), only(&file.after)) {
                pairs.push(Pair { path: file.path, before, after: Some(after) });
            }
        }
        for before in file.before.iter().filter(|test| !test.is_helper) {
            match left.get_mut(before.name.as_str()).and_then(Vec::pop) {
                Some(after) => {
                    pairs.push(Pair { path: file.path, before, after: Some(after) });
                }
                None => gone.push((file.path, before)),
            }
        }
        let rest: HashSet<*const SourceTest> =
            left.into_values().flatten().map(std::ptr::from_ref).collect();
        let is_new = |test: &&SourceTest| rest.contains(&std::ptr::from_ref(*test));
        new.extend(file.after.iter().filter(is_new).map(|test| (file.path, test)));
    }
    // Heirs by the same text first, so that no test takes what is another's.
    let rules: [Likeness; 4] = [same_text, renamed, same_name, alike];
    for rule in rules {
        gone.retain(|&(path, before)| {
            let scores = new.iter().map(|(_, test)| rule(coverage, before, test)).enumerate();
            let best = scores.filter(|(_, score)| *score > 0.0).max_by(|a, b| a.1.total_cmp(&b.1));
            let after = best.map(|(at, _)| new.remove(at).1);
            if after.is_some() {
                pairs.push(Pair { path, before, after });
            }
            after.is_none()
        });
    }
    pairs.extend(gone.into_iter().map(|(path, before)| Pair { path, before, after: None }));
    pairs
}

fn as_score(is_true: bool) -> f64 {
    f64::from(u8::from(is_true))
}

fn same_text(_: &Coverage<'_>, before: &SourceTest, after: &SourceTest) -> f64 {
    as_score(body(before) == body(after))
}

/// Whether `after` is `before` with other names throughout: something that it tests has a new name.
fn renamed(_: &Coverage<'_>, before: &SourceTest, after: &SourceTest) -> f64 {
    let mut names: HashMap<&str, &str> = HashMap::new();
    let is_name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_renamed = before.tokens.len() == after.tokens.len()
        && before.tokens.iter().zip(&after.tokens).all(|(old, new)| {
            let may_differ = is_name(&old.text) && is_name(&new.text) && !old.is_literal;
            let known = *names.entry(&old.text).or_insert(&new.text);
            known == new.text && (may_differ || old.text == new.text)
        });
    as_score(is_renamed)
}

fn same_name(_: &Coverage<'_>, before: &SourceTest, after: &SourceTest) -> f64 {
    as_score(before.title == after.title)
}

/// How many of the names of `before` a test has that asserts in the same way.
fn alike(coverage: &Coverage<'_>, before: &SourceTest, after: &SourceTest) -> f64 {
    if shared(before, after) < SHARED {
        return 0.0;
    }
    let known: HashSet<&str> = coverage.names(&after.tokens).collect();
    let own = coverage.names(&before.tokens).filter(|word| *word != before.title);
    let share = coverage.share(own, |word| known.contains(word));
    if share > SHARED { share } else { 0.0 }
}

/// The tokens without the test's name.
fn body(test: &SourceTest) -> Vec<&str> {
    let name = test.title.as_str();
    let is_name = |text: &str| text == name || text.trim_matches(QUOTES) == name;
    test.tokens.iter().map(|token| token.text.as_str()).filter(|text| !is_name(text)).collect()
}

/// The share of the assertions of `before`, whatever their values, that `after` has.
fn shared(before: &SourceTest, after: &SourceTest) -> f64 {
    let of = |test: &SourceTest| test.assertions.iter().map(shape).collect::<Vec<String>>();
    let has = of(after);
    let own = of(before);
    let (mut found, mut all) = (0.0, 0.0);
    for it in &own {
        all += 1.0;
        found += as_score(has.contains(it));
    }
    if all > 0.0 { found / all } else { 0.0 }
}

fn shape(assertion: &Assertion) -> String {
    let words = assertion
        .tokens
        .iter()
        .map(|token| if token.is_literal { "_" } else { token.text.as_str() });
    words.collect::<Vec<&str>>().join(" ")
}
