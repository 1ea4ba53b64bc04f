//! Which test of after is which of before, and which are gone.

use std::collections::{HashMap, HashSet};

use super::source_test::{Assertion, SourceTest};
use super::{FileTests, Pair, QUOTES};

/// How many of a test's assertions another must have to be the same under a new name.
const SHARED: f64 = 0.5;

/// A path, and a test in it.
pub(super) type NewTest<'f> = (&'f str, &'f SourceTest);

/// Each test of before with what it is now, and the tests that are new, with their paths.
pub(super) fn pairs<'f>(files: &'f [FileTests<'_>]) -> (Vec<Pair<'f>>, Vec<NewTest<'f>>) {
    let mut pairs = Vec::new();
    let mut gone: Vec<(&'f str, &'f SourceTest)> = Vec::new();
    let mut new: Vec<NewTest<'f>> = Vec::new();
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
    // Heirs by the same text first, so that no test takes what is another's.
    for rule in [is_same_text, is_renamed, is_same_name, is_alike] {
        gone.retain(|&(path, before)| {
            let at = new.iter().position(|(_, test)| rule(before, test));
            let after = at.map(|at| new.swap_remove(at));
            if after.is_some() {
                pairs.push(Pair { path, before, after });
            }
            after.is_none()
        });
    }
    pairs.extend(gone.into_iter().map(|(path, before)| Pair { path, before, after: None }));
    (pairs, new)
}

fn is_same_text(before: &SourceTest, after: &SourceTest) -> bool {
    body(before) == body(after)
}

/// Whether `after` is `before` with other names throughout: something that it tests has a new name.
fn is_renamed(before: &SourceTest, after: &SourceTest) -> bool {
    let mut names: HashMap<&str, &str> = HashMap::new();
    let is_name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    before.tokens.len() == after.tokens.len()
        && before.tokens.iter().zip(&after.tokens).all(|(old, new)| {
            let may_differ = is_name(&old.text) && is_name(&new.text) && !old.is_literal;
            let known = *names.entry(&old.text).or_insert(&new.text);
            known == new.text && (may_differ || old.text == new.text)
        })
}

fn is_same_name(before: &SourceTest, after: &SourceTest) -> bool {
    before.short_name() == after.short_name()
}

fn is_alike(before: &SourceTest, after: &SourceTest) -> bool {
    shared(before, after) >= SHARED
}

/// The tokens without the test's name.
fn body(test: &SourceTest) -> Vec<&str> {
    let name = test.short_name();
    let is_name = |text: &str| text == name || text.trim_matches(QUOTES) == name;
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

pub(super) fn ratio(part: usize, all: usize) -> f64 {
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
