//! Assertions that a test lost.

use std::collections::HashSet;

use super::FileTests;
use super::added::{Added, Rewritten, has_new_words};
use super::source_test::{Assertion, SourceTest};

/// An assertion that is gone.
pub(super) struct LostAssertion {
    pub(super) text: String,
    /// Nothing else of the test was rewritten, and nothing elsewhere replaces it.
    pub(super) is_certain: bool,
}

/// Each assertion that `after` has no more and that is in no other test or function.
///
/// A test that has as many as before lost none. One with new code may check the same in another way.
pub(super) fn removed(
    files: &[FileTests<'_>],
    added: &Added<'_>,
    before: &SourceTest,
    after: &SourceTest,
) -> Vec<LostAssertion> {
    let fewer = before.assertions.len().saturating_sub(after.assertions.len());
    if fewer == 0 {
        return Vec::new();
    }
    let is_rewritten = has_new_words(before, after) || count(files, true) >= count(files, false);
    let left: HashSet<&str> = after.tokens.iter().map(|token| token.text.as_str()).collect();
    // What is still asserted there may say the same.
    let may_be_said_twice = |it: &Assertion| {
        let is_message = |text: &str| text.starts_with('"') && text.contains(' ');
        let mut own = texts(it).into_iter().filter(|text| !is_message(text));
        !after.assertions.is_empty() && own.all(|text| left.contains(text))
    };
    let elsewhere: HashSet<Vec<&str>> = files.iter().flat_map(|file| new_in(file)).collect();
    let lost = missing(&before.assertions, &after.assertions).into_iter();
    let gone = lost.filter_map(|it| match added.found_of(&it.tokens, "") {
        _ if elsewhere.contains(&texts(it)) => None,
        Rewritten::Whole => None,
        rewritten => {
            let is_certain = rewritten == Rewritten::No && !is_rewritten && !may_be_said_twice(it);
            Some((it, is_certain))
        }
    });
    let gone: Vec<(&Assertion, bool)> = gone.collect();
    let of = |(it, is_certain): (&Assertion, bool)| LostAssertion {
        text: it.source.split_whitespace().collect::<Vec<&str>>().join(" "),
        is_certain,
    };
    // Each new assertion may be in place of one of those that are gone.
    gone.into_iter().rev().take(fewer).rev().map(of).collect()
}

/// How many assertions there are in all: where no fewer are left, they may only have moved.
fn count(files: &[FileTests<'_>], is_after: bool) -> usize {
    let tests = files.iter().flat_map(|file| if is_after { &file.after } else { &file.before });
    tests.map(|test| test.assertions.len()).sum()
}

fn texts(assertion: &Assertion) -> Vec<&str> {
    assertion.tokens.iter().map(|token| token.text.as_str()).collect()
}

/// Those of `some` that `others` has not, each counted once.
fn missing<'t>(some: &'t [Assertion], others: &[Assertion]) -> Vec<&'t Assertion> {
    let mut left: Vec<Vec<&str>> = others.iter().map(texts).collect();
    let is_missing = |it: &&Assertion| {
        let at = left.iter().position(|other| *other == texts(it));
        at.map(|at| left.swap_remove(at)).is_none()
    };
    some.iter().filter(is_missing).collect()
}

/// The assertions of a file's tests and functions that were not in them before.
fn new_in<'t>(file: &'t FileTests<'_>) -> Vec<Vec<&'t str>> {
    let of = |test: &'t SourceTest| {
        let before = file.before.iter().find(|other| other.name == test.name);
        let known = before.map_or(&[][..], |before| before.assertions.as_slice());
        missing(&test.assertions, known)
    };
    file.after.iter().flat_map(of).map(texts).collect()
}
