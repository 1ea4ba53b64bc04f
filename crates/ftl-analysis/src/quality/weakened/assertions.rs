//! Assertions that a test lost.

use std::collections::HashSet;

use super::FileTests;
use super::removed::TABLES;
use super::source_test::{Assertion, SourceTest};

/// The text of each assertion that `after` has no more and that nothing replaces.
///
/// A test that has as many as before lost none. One that is now in another test or in a function that the test calls,
/// or whose words are all in a new one, was only rewritten.
pub(super) fn removed(
    files: &[FileTests<'_>],
    before: &SourceTest,
    after: &SourceTest,
) -> Vec<String> {
    let fewer = before.assertions.len().saturating_sub(after.assertions.len());
    if fewer == 0 || calls_new_helper(files, before, after) {
        return Vec::new();
    }
    let lost = missing(&before.assertions, &after.assertions);
    let new = missing(&after.assertions, &before.assertions);
    // A test that keeps none of its assertions and has others was written again.
    if lost.len() == before.assertions.len() && !new.is_empty() {
        return Vec::new();
    }
    let words_of_new: HashSet<&str> = new.iter().flat_map(|it| words(it)).collect();
    let elsewhere: HashSet<Vec<&str>> = files.iter().flat_map(|file| new_in(file)).collect();
    let table = rows(before, after);
    let is_rewritten = |it: &&Assertion| {
        let is_kept = |word: &str| words_of_new.contains(word);
        let mut literals = it.tokens.iter().filter(|token| token.is_literal).peekable();
        let has_literals = literals.peek().is_some();
        elsewhere.contains(&texts(it))
            || !new.is_empty() && words(it).all(is_kept)
            || has_literals && literals.all(|token| is_kept(&token.text))
            || table.as_ref().is_some_and(|table| words(it).all(|word| table.contains(word)))
    };
    let gone: Vec<&Assertion> = lost.into_iter().filter(|it| !is_rewritten(it)).collect();
    // Each new assertion may be in place of one of those that are gone.
    gone.into_iter().rev().take(fewer).rev().map(|it| in_one_line(&it.source)).collect()
}

/// The words of a test that has now a table and had none.
fn rows<'t>(before: &SourceTest, after: &'t SourceTest) -> Option<HashSet<&'t str>> {
    let has =
        |test: &SourceTest| test.tokens.iter().any(|token| TABLES.contains(&token.text.as_str()));
    let words = || after.tokens.iter().map(|token| token.text.as_str()).collect();
    (has(after) && !has(before)).then(words)
}

fn texts(assertion: &Assertion) -> Vec<&str> {
    assertion.tokens.iter().map(|token| token.text.as_str()).collect()
}

/// What any assertion may have.
const COMMON: [&str; 30] = [
    "expect",
    "self",
    "t",
    "require",
    "to",
    "be",
    "is",
    "not",
    "in",
    "and",
    "equal",
    "toBe",
    "toEqual",
    "Equal",
    "Errorf",
    "Fatalf",
    "Error",
    "Fatal",
    "should",
    "strictEqual",
    "deepEqual",
    "eql",
    "have",
    "toStrictEqual",
    "chai",
    "equals",
    "property",
    "length",
    "true",
    "false",
];

/// Names and values, without signs and the words that any assertion may have.
fn words(assertion: &Assertion) -> impl Iterator<Item = &str> {
    let tokens = assertion.tokens.iter().map(|token| token.text.as_str());
    tokens.filter(|text| {
        text.starts_with(|c: char| c.is_alphanumeric() || "_\"'`-".contains(c))
            && *text != "-"
            && !text.starts_with("assert")
            && !COMMON.contains(text)
    })
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

/// Whether the test calls a function with assertions that it did not call before.
fn calls_new_helper(files: &[FileTests<'_>], before: &SourceTest, after: &SourceTest) -> bool {
    let calls = |test: &SourceTest, name: &str| test.tokens.iter().any(|token| token.text == name);
    let helpers = files
        .iter()
        .flat_map(|file| &file.after)
        .filter(|it| it.is_helper && !it.assertions.is_empty());
    let mut names = helpers.map(|it| it.short_name());
    names.any(|name| calls(after, name) && !calls(before, name))
}

fn in_one_line(source: &str) -> String {
    source.split_whitespace().collect::<Vec<&str>>().join(" ")
}
