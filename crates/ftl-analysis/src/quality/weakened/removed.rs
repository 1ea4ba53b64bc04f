//! Which test of after is which of before, and which are gone.

use std::collections::{HashMap, HashSet};

use super::source_test::{Assertion, SourceTest};
use super::{FileTests, Pair};

/// How many of a test's assertions another must have to be the same under a new name.
const SHARED: f64 = 0.5;

/// Words with which a test runs over the rows of a table.
pub(super) const TABLES: [&str; 9] =
    ["parametrize", "subTest", "each", "for", "forEach", "range", "rstest", "case", "test_case"];

/// Each test of before with what it is now.
pub(super) fn pairs<'f>(files: &'f [FileTests<'_>]) -> Vec<Pair<'f>> {
    let mut pairs = Vec::new();
    let mut gone: Vec<(&'f str, &'f SourceTest)> = Vec::new();
    let mut new: Vec<(&'f str, &'f SourceTest)> = Vec::new();
    for file in files {
        let mut left: HashMap<&str, Vec<&'f SourceTest>> = HashMap::new();
        for test in file.after.iter().rev().filter(|test| !test.is_helper) {
            left.entry(&test.name).or_default().push(test);
        }
        for before in file.before.iter().filter(|test| !test.is_helper) {
            match left.get_mut(before.name.as_str()).and_then(Vec::pop) {
                Some(after) => {
                    pairs.push(Pair { path: file.path, before, after: Some((file.path, after)) })
                }
                None => gone.push((file.path, before)),
            }
        }
        let rest: HashSet<*const SourceTest> =
            left.into_values().flatten().map(std::ptr::from_ref).collect();
        new.extend(
            file.after
                .iter()
                .filter(|test| rest.contains(&std::ptr::from_ref(*test)))
                .map(|test| (file.path, test)),
        );
    }
    for (path, before) in gone {
        let after = take_heir(before, &mut new);
        if after.is_some() || !is_merged(before, files) {
            pairs.push(Pair { path, before, after });
        }
    }
    pairs
}

/// The new test that is this one: the same text, the same name elsewhere, or most of its assertions.
fn take_heir<'f>(
    before: &SourceTest,
    new: &mut Vec<(&'f str, &'f SourceTest)>,
) -> Option<(&'f str, &'f SourceTest)> {
    let same_text = new.iter().position(|(_, test)| body(test) == body(before));
    let same_name = || new.iter().position(|(_, test)| test.short_name() == before.short_name());
    let alike = || {
        let shares = new.iter().map(|(_, test)| shared(before, test));
        let best = shares.enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
        (best.1 >= SHARED).then_some(best.0)
    };
    let at = same_text.or_else(same_name).or_else(alike)?;
    Some(new.swap_remove(at))
}

/// The tokens without the test's name.
fn body(test: &SourceTest) -> Vec<&str> {
    let name = test.short_name();
    let is_name = |text: &str| text == name || text.trim_matches(['"', '\'', '`']) == name;
    test.tokens.iter().map(|token| token.text.as_str()).filter(|text| !is_name(text)).collect()
}

/// The share of the assertions of `before`, whatever their values, that `after` has.
fn shared(before: &SourceTest, after: &SourceTest) -> f64 {
    if before.assertions.is_empty() {
        return 0.0;
    }
    let of = |test: &SourceTest| test.assertions.iter().map(shape).collect::<Vec<String>>();
    let has = of(after);
    let found = of(before).iter().filter(|shape| has.contains(shape)).count();
    ratio(found, before.assertions.len())
}

fn ratio(part: usize, all: usize) -> f64 {
    f64::from(u32::try_from(part).unwrap_or(u32::MAX))
        / f64::from(u32::try_from(all).unwrap_or(u32::MAX))
}

fn shape(assertion: &Assertion) -> String {
    let words = assertion
        .tokens
        .iter()
        .map(|token| if token.is_literal { "_" } else { token.text.as_str() });
    words.collect::<Vec<&str>>().join(" ")
}

/// Whether all of a test's assertions are, whatever their values, among those that other tests gained, or are rows
/// of a table in one: several tests that became one.
fn is_merged(before: &SourceTest, files: &[FileTests<'_>]) -> bool {
    if before.assertions.is_empty() {
        return false;
    }
    let mut gained: HashMap<String, i64> = HashMap::new();
    for file in files {
        for (tests, by) in [(&file.after, 1), (&file.before, -1)] {
            let others = tests.iter().filter(|test| test.name != before.name);
            for assertion in others.flat_map(|test| &test.assertions) {
                *gained.entry(shape(assertion)).or_default() += by;
            }
        }
    }
    let is_gained = |it: &Assertion| gained.get(&shape(it)).is_some_and(|count| *count > 0);
    before.assertions.iter().all(is_gained) || files.iter().any(|file| has_rows(file, before))
}

/// Whether a new or changed test with a table has all words and values of the assertions of `before`.
fn has_rows(file: &FileTests<'_>, before: &SourceTest) -> bool {
    let is_changed = |test: &&SourceTest| {
        file.before.iter().all(|old| old.name != test.name || !old.tokens_equal(test))
    };
    let mut tables =
        file.after.iter().filter(is_changed).map(|test| {
            test.tokens.iter().map(|token| token.text.as_str()).collect::<HashSet<&str>>()
        });
    let wanted = || before.assertions.iter().flat_map(|it| &it.tokens);
    tables.any(|words| {
        TABLES.iter().any(|word| words.contains(word))
            && wanted().all(|token| words.contains(token.text.as_str()))
    })
}
