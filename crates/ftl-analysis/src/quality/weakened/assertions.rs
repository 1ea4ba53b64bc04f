//! Assertions that a test lost, and rows of its table.

use std::collections::{HashMap, HashSet};

use super::coverage::{Coverage, Kept, more};
use super::equality::{determines, joins, needs};
use super::source_test::{Assertion, SourceTest, SourceToken};
use super::{FileTests, QUOTES};

/// An assertion that is gone.
pub(super) struct LostAssertion<'t> {
    pub(super) assertion: &'t Assertion,
    /// Nothing in the change may say the same.
    pub(super) is_certain: bool,
}

/// What a change asserts that was not asserted before.
pub(super) struct NewAssertions<'t> {
    texts: HashSet<Vec<&'t str>>,
    /// The new functions that assert.
    functions: HashSet<&'t str>,
}

impl<'t> NewAssertions<'t> {
    pub(super) fn of(files: &'t [FileTests<'_>]) -> Self {
        let asserting = |tests: &'t [SourceTest]| {
            let asserting = tests.iter().filter(|it| it.is_helper && !it.assertions.is_empty());
            asserting.map(|it| it.title.as_str()).collect::<Vec<&str>>()
        };
        let known: HashSet<&str> = files.iter().flat_map(|file| asserting(&file.before)).collect();
        let mut functions: HashSet<&str> =
            files.iter().flat_map(|file| asserting(&file.after)).collect();
        functions.retain(|name| !known.contains(name));
        Self { texts: files.iter().flat_map(|file| new_in(file)).collect(), functions }
    }

    /// Whether `new` hands what `old` is about to a new function that asserts.
    fn may_check(&self, coverage: &Coverage<'_>, new: &Assertion, old: &Assertion) -> bool {
        let has = |word: &str| new.tokens.iter().any(|it| it.text == word);
        self.functions.iter().any(|function| has(function)) && coverage.names(&old.tokens).any(has)
    }
}

/// Each assertion that `after` has no more and that is in no other test or function.
///
/// A test that has as many as before lost none; so do rows, which are counted apart.
pub(super) fn removed<'t>(
    in_change: &NewAssertions<'_>,
    coverage: &Coverage<'_>,
    before: &'t SourceTest,
    after: &SourceTest,
) -> Vec<LostAssertion<'t>> {
    let added = rewritten(before, after);
    let mut lost = Vec::new();
    for is_row in [false, true] {
        let of = |test: &'t SourceTest| kind(test, is_row);
        let (old, left) = (of(before), kind(after, is_row));
        let fewer = old.len().saturating_sub(left.len());
        let mut new = missing(&left, &old);
        let new_assertions = new.clone();
        let mut is_said_otherwise = |it: &Assertion| {
            let at = new.iter().position(|other| is_same(coverage, it, other));
            at.map(|at| new.swap_remove(at)).is_some()
        };
        // A table that is no list any more may be computed.
        let is_open = is_row && left.is_empty();
        let gone = missing(&old, &left).into_iter().filter_map(|it| {
            let is_determined =
                new_assertions.iter().any(|new| joins(new, it) || determines(coverage, new, it))
                    || old.iter().any(|other| {
                        let is_kept = left.iter().any(|it| texts(it) == texts(other));
                        is_kept && is_beside(it, other) && needs(coverage, other, it)
                    });
            if in_change.texts.contains(&texts(it)) || is_said_otherwise(it) || is_determined {
                return None;
            }
            let kept = coverage.of_tokens(&it.tokens, "", &added);
            let is_checked =
                new_assertions.iter().any(|new| in_change.may_check(coverage, new, it));
            let is_kept = is_open
                || is_checked
                || is_unbound(coverage, it, before, after)
                || is_of_nothing(it);
            let has = |value: &str| added.contains(value) || coverage.has_added(value);
            let is_part = kept == Kept::Part && values(it).all(has);
            (kept != Kept::Whole).then_some((it, !is_part && !is_kept))
        });
        let gone: Vec<(&Assertion, bool)> = gone.collect();
        // Each new assertion may be in place of one of those that are gone.
        let gone = gone.into_iter().rev().take(fewer).rev();
        lost.extend(gone.map(|(assertion, is_certain)| LostAssertion { assertion, is_certain }));
    }
    lost
}

/// Whether nothing is between two assertions that could change what they are about.
fn is_beside(one: &Assertion, other: &Assertion) -> bool {
    let follows = |first: &Assertion, second: &Assertion| {
        let lines = u32::try_from(first.source.lines().count()).unwrap_or(u32::MAX);
        first.line.saturating_add(lines) == second.line
    };
    follows(one, other) || follows(other, one)
}

fn kind(test: &SourceTest, is_row: bool) -> Vec<&Assertion> {
    test.assertions.iter().filter(|it| it.is_row == is_row).collect()
}

/// The words of `after` that may say what a lost assertion said: those outside of the assertions that it had before, if
/// it has a new one to use them.
fn rewritten<'t>(before: &SourceTest, after: &'t SourceTest) -> HashSet<&'t str> {
    let (old, left) = (kind(before, false), kind(after, false));
    let new = missing(&left, &old);
    if new.is_empty() {
        return HashSet::new();
    }
    let is_new = |it: &&Assertion| new.iter().any(|new| std::ptr::eq(*new, *it));
    let kept: Vec<&Assertion> = left.into_iter().filter(|it| !is_new(it)).collect();
    more(beside(before, &old), beside(after, &kept))
}

/// The tokens of a test that are not in `assertions`.
fn beside<'t>(test: &'t SourceTest, assertions: &[&Assertion]) -> Vec<&'t SourceToken> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for token in assertions.iter().flat_map(|it| &it.tokens) {
        *left.entry(&token.text).or_default() += 1;
    }
    let is_beside = |token: &&SourceToken| match left.get_mut(token.text.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    test.tokens.iter().filter(is_beside).collect()
}

/// Whether `new` says what `old` said: of other values, or about something that has another name now.
fn is_same(coverage: &Coverage<'_>, old: &Assertion, new: &Assertion) -> bool {
    let is_name = |it: &SourceToken| it.is_named && !it.is_literal;
    let mut own = coverage.names(&old.tokens).peekable();
    let renamed = || {
        let pairs = old.tokens.iter().zip(&new.tokens).filter(|(old, new)| old.text != new.text);
        let mut pairs: Vec<(&SourceToken, &SourceToken)> = pairs.collect();
        pairs.dedup_by_key(|(old, new)| (&old.text, &new.text));
        old.tokens.len() == new.tokens.len()
            && matches!(pairs.as_slice(), [(old, new)] if is_name(old) && is_name(new))
    };
    own.peek().is_some() && own.eq(coverage.names(&new.tokens)) || renamed()
}

/// Whether an assertion is about a single variable, such as an error, that the test's calls hand over no more.
fn is_unbound(
    coverage: &Coverage<'_>,
    assertion: &Assertion,
    before: &SourceTest,
    after: &SourceTest,
) -> bool {
    let own: HashSet<&str> = coverage.names(&assertion.tokens).collect();
    let count = |test: &SourceTest, is_counted: &dyn Fn(&SourceToken) -> bool| {
        beside(test, &kind(test, false)).into_iter().filter(|it| is_counted(it)).count()
    };
    let is_less = |word: &str| {
        let is_it = |it: &SourceToken| it.text == word;
        count(after, &is_it) < count(before, &is_it)
    };
    let dropped = |test: &SourceTest| {
        test.tokens.windows(2).filter(|it| it[0].text == "," && it[1].text == "_").count()
    };
    own.len() == 1
        && values(assertion).next().is_none()
        && own.iter().all(|word| is_less(word))
        && dropped(after) <= dropped(before)
}

/// Whether an assertion says that nothing is thrown: what throws fails the test anyway.
fn is_of_nothing(assertion: &Assertion) -> bool {
    let text: String = assertion.source.to_lowercase().split_whitespace().collect();
    ["doesnotthrow", "notthrow", "not.tothrow", "not.throw", "not.to.throw"]
        .iter()
        .any(|it| text.contains(it))
}

/// The values that an assertion names, without messages.
fn values(assertion: &Assertion) -> impl Iterator<Item = &str> {
    let values = assertion.tokens.iter().filter(|it| it.is_literal && it.is_named);
    values.map(|it| it.text.trim_matches(QUOTES)).filter(|text| !text.contains(' '))
}

fn texts(assertion: &Assertion) -> Vec<&str> {
    assertion.tokens.iter().map(|token| token.text.as_str()).collect()
}

/// Those of `some` that `others` has not, each counted once.
fn missing<'t>(some: &[&'t Assertion], others: &[&Assertion]) -> Vec<&'t Assertion> {
    let mut left: Vec<Vec<&str>> = others.iter().map(|it| texts(it)).collect();
    let is_missing = |it: &&Assertion| {
        let at = left.iter().position(|other| *other == texts(it));
        at.map(|at| left.swap_remove(at)).is_none()
    };
    some.iter().copied().filter(is_missing).collect()
}

/// The assertions of a file's tests and functions that were not in them before.
fn new_in<'t>(file: &'t FileTests<'_>) -> Vec<Vec<&'t str>> {
    let before: HashMap<&str, &SourceTest> =
        file.before.iter().rev().map(|test| (test.name.as_str(), test)).collect();
    let of = |test: &'t SourceTest| {
        let before = before.get(test.name.as_str());
        let known: Vec<&Assertion> = before.iter().flat_map(|it| &it.assertions).collect();
        missing(&test.assertions.iter().collect::<Vec<_>>(), &known)
    };
    file.after.iter().flat_map(of).map(texts).collect()
}
