//! What a change wrote into the tests: where the words of something that is gone are found again.

use std::collections::{HashMap, HashSet};

use super::FileTests;
use super::removed::ratio;
use super::source_test::{SourceTest, SourceToken};

/// What any test may have, apart from names that begin with `assert`.
const COMMON: [&str; 40] = [
    "expect",
    "self",
    "t",
    "require",
    "to",
    "be",
    "is",
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
    "deepStrictEqual",
    "deepEqual",
    "notEqual",
    "same",
    "strictSame",
    "notSame",
    "ifError",
    "throws",
    "rejects",
    "eql",
    "have",
    "toStrictEqual",
    "chai",
    "equals",
    "property",
    "length",
    "true",
    "false",
    "True",
    "False",
    "None",
    "null",
    "nil",
];

/// The words that a change added to test files.
pub(super) struct Added<'t> {
    words: HashSet<&'t str>,
}

impl<'t> Added<'t> {
    /// Words of tests and functions that are new, and those that occur more often than before in the others and
    /// in the file around them.
    pub(super) fn of(files: &'t [FileTests<'_>]) -> Self {
        let mut added = HashSet::new();
        for file in files {
            let before: HashMap<&str, &SourceTest> =
                file.before.iter().map(|test| (test.name.as_str(), test)).collect();
            for test in file.after.iter().filter(|test| file.is_test_file || !test.is_helper) {
                let known = before.get(test.name.as_str()).map_or(&[][..], |old| &old.tokens);
                added.extend(more(known, &test.tokens));
            }
            added.extend(more(&file.tokens_before, &file.tokens_after));
        }
        Self { words: added }
    }

    /// How much of `tokens` was added elsewhere, by their words other than `name`.
    pub(super) fn found_of(&self, tokens: &[SourceToken], name: &str) -> Rewritten {
        let own: HashSet<&str> = words(tokens).filter(|word| *word != name).collect();
        let found = own.iter().filter(|word| self.words.contains(**word)).count();
        match () {
            () if found > 0 && found == own.len() => Rewritten::Whole,
            () if found > 0 && found * 2 >= own.len() => Rewritten::Half,
            () => Rewritten::No,
        }
    }
}

/// The share of a test's words, other than its name, that `others` have.
pub(super) fn shared<'t>(test: &SourceTest, others: impl Iterator<Item = &'t SourceTest>) -> f64 {
    let own: HashSet<&str> =
        words(&test.tokens).filter(|word| *word != test.short_name()).collect();
    let known: HashSet<&str> = others.flat_map(|other| words(&other.tokens)).collect();
    ratio(own.iter().filter(|word| known.contains(**word)).count(), own.len())
}

/// Whether something that is gone is written in another place or form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rewritten {
    /// All of its words were added: it is the same in another form, such as a row of a table.
    Whole,
    /// Half of them: it may be.
    Half,
    No,
}

/// The texts that `after` has more often than `before`.
fn more<'t>(before: &[SourceToken], after: &'t [SourceToken]) -> Vec<&'t str> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for token in before {
        *left.entry(&token.text).or_default() += 1;
    }
    let is_new = |text: &&str| match left.get_mut(*text) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    after.iter().map(|token| token.text.as_str()).filter(is_new).collect()
}

/// Whether `after` says something that `before` did not.
pub(super) fn has_new_words(before: &SourceTest, after: &SourceTest) -> bool {
    let known: HashSet<&str> = words(&before.tokens).collect();
    words(&after.tokens).any(|word| !known.contains(word))
}

/// Names and values, without short numbers and the words that any test may have.
pub(super) fn words(tokens: &[SourceToken]) -> impl Iterator<Item = &str> {
    let named = tokens.iter().filter(|token| token.is_named).map(|token| token.text.as_str());
    named.filter(|text| {
        let is_short = text.len() < 3 && text.chars().all(|c| c.is_ascii_digit());
        !is_short && !text.starts_with("assert") && !COMMON.contains(text)
    })
}
