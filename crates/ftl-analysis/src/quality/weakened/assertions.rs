//! Assertions that a test lost.

use std::collections::HashSet;

use super::FileTests;
use super::added::{Added, Rewritten, has_new_words, words};
use super::source_test::{Assertion, SourceTest, SourceToken};

/// A value as long as this may be in a test by chance, with its quotes.
const SHORT: usize = 8;

/// How a caught error or one that was handed over is called.
const ERRORS: [&str; 3] = ["err", "error", "e"];

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
    // What is still asserted there may say the same: all of it but a message, or its only value in another form.
    let may_be_said_twice = |it: &Assertion| {
        let is_message = |text: &str| text.starts_with('"') && text.contains(' ');
        let mut own = texts(it).into_iter().filter(|text| !is_message(text));
        let is_value = |it: &&SourceToken| it.is_literal && it.text.len() > SHORT;
        let mut values = it.tokens.iter().filter(is_value).map(|it| it.text.as_str()).peekable();
        !after.assertions.is_empty()
            && (own.all(|text| left.contains(text))
                || values.peek().is_some() && values.all(|text| left.contains(text)))
    };
    // A new one about the same that says more.
    let new = missing(&after.assertions, &before.assertions);
    let is_replaced = |it: &Assertion| {
        let own: HashSet<&str> = words(&it.tokens).collect();
        new.iter()
            .map(|new| words(&new.tokens).collect::<HashSet<&str>>())
            .any(|other| other.len() > own.len() && own.intersection(&other).next().is_some())
    };
    let mut others = new.clone();
    let mut is_said_otherwise = |it: &Assertion| {
        let at = others.iter().position(|other| is_same(it, other));
        at.map(|at| others.swap_remove(at)).is_some()
    };
    let hands_over_fewer = errors_beside(after) < errors_beside(before);
    let elsewhere: HashSet<Vec<&str>> = files.iter().flat_map(|file| new_in(file)).collect();
    let lost = missing(&before.assertions, &after.assertions).into_iter();
    let gone = lost.filter_map(|it| match added.found_of(&it.tokens, "") {
        _ if elsewhere.contains(&texts(it)) || is_said_otherwise(it) => None,
        Rewritten::Whole => None,
        rewritten => {
            let is_kept = is_rewritten
                || may_be_said_twice(it)
                || is_replaced(it)
                || hands_over_fewer && is_of_error(it)
                || is_of_nothing(it);
            Some((it, rewritten == Rewritten::No && !is_kept))
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

/// Whether `new` says what `old` said: by another function, or about something that has another name now.
fn is_same(old: &Assertion, new: &Assertion) -> bool {
    let own: Vec<&str> = words(&old.tokens).collect();
    let is_name = |it: &SourceToken| it.is_named && !it.is_literal;
    let renamed = || {
        let pairs = old.tokens.iter().zip(&new.tokens).filter(|(old, new)| old.text != new.text);
        let mut pairs: Vec<(&SourceToken, &SourceToken)> = pairs.collect();
        pairs.dedup_by_key(|(old, new)| (&old.text, &new.text));
        old.tokens.len() == new.tokens.len()
            && matches!(pairs.as_slice(), [(old, new)] if is_name(old) && is_name(new))
    };
    !own.is_empty() && words(&new.tokens).eq(own.iter().copied()) || renamed()
}

/// Whether an assertion says that nothing is thrown: what throws fails the test anyway.
fn is_of_nothing(assertion: &Assertion) -> bool {
    let has = |word: &str| assertion.tokens.iter().any(|it| it.text == word);
    has("doesNotThrow") || has("notThrows") || has("not") && (has("toThrow") || has("throw"))
}

/// Names of errors beside a test's assertions: a call that hands over no error any more may throw it.
fn errors_beside(test: &SourceTest) -> usize {
    let errors = |tokens: &[SourceToken]| {
        tokens.iter().filter(|token| ERRORS.contains(&token.text.as_str())).count()
    };
    let asserted: usize = test.assertions.iter().map(|it| errors(&it.tokens)).sum();
    errors(&test.tokens).saturating_sub(asserted)
}

/// Whether an assertion is about an error alone.
fn is_of_error(assertion: &Assertion) -> bool {
    let is_message = |text: &&str| text.starts_with('"');
    let mut own = words(&assertion.tokens).filter(|text| !is_message(text) && *text != "NoError");
    let first = own.next();
    first.is_some_and(|text| ERRORS.contains(&text)) && own.all(|text| ERRORS.contains(&text))
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
