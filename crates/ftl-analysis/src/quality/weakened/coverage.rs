//! What a change says elsewhere of a test or an assertion that is gone.
//!
//! A word counts by how few tests have it: what all tests of a change say distinguishes none of them. So a test counts
//! as replaced where the values and names that were its own are written again, in any form.

use std::collections::{HashMap, HashSet};

use super::source_test::{SourceTest, SourceToken};
use super::words::{Weighed, WordIndex};
use super::{FileTests, QUOTES, Running, RunningTests};

/// The share of its words, by weight, above which something may be written elsewhere.
const PART: f64 = 0.5;
/// The same of a test that has more cases than before.
const ROW: f64 = 0.4;
/// Short of all by rounding alone.
const WHOLE: f64 = 0.999;

/// Whether something that is gone is written in another place or form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// One test, function or table has all of its words: it is the same in another form.
    Whole,
    /// Most of them are in the change: it may be.
    Part,
    No,
}

/// The words that a change added to its tests, and how many tests had a word before.
pub(super) struct Coverage<'t> {
    tests: HashMap<&'t str, u32>,
    count: u32,
    /// Those by which assertions are called.
    vocabulary: HashSet<&'t str>,
    /// What each test, function and file around them has more often than before.
    added: Vec<HashSet<&'t str>>,
    in_added: WordIndex<'t>,
}

impl<'t> Coverage<'t> {
    pub(super) fn of(files: &'t [FileTests<'_>]) -> Self {
        let mut tests: HashMap<&str, u32> = HashMap::new();
        let all = || files.iter().flat_map(|file| &file.before);
        for test in all() {
            for word in named(&test.tokens).collect::<HashSet<&str>>() {
                *tests.entry(word).or_default() += 1;
            }
        }
        let after = || files.iter().flat_map(|file| &file.after);
        let vocabulary = all().chain(after()).flat_map(|test| &test.vocabulary);
        let callers = Callers::of(files);
        let added: Vec<HashSet<&str>> =
            files.iter().flat_map(|file| added_to(file, &callers)).collect();
        Self {
            in_added: WordIndex::of(added.iter().map(|unit| unit.iter().copied())),
            tests,
            count: u32::try_from(all().count()).unwrap_or(u32::MAX),
            vocabulary: vocabulary.map(String::as_str).collect(),
            added,
        }
    }

    /// The names and values that may be something's own.
    pub(super) fn words<'s>(&self, tokens: &'s [SourceToken]) -> impl Iterator<Item = &'s str> {
        let own = tokens.iter().filter(|token| !token.is_local);
        named(own).filter(|word| !self.vocabulary.contains(word))
    }

    /// The names that may be something's own, be they variables.
    pub(super) fn names<'s>(&self, tokens: &'s [SourceToken]) -> impl Iterator<Item = &'s str> {
        named(tokens.iter().filter(|token| !token.is_literal))
            .filter(|word| !self.vocabulary.contains(word))
    }

    pub(super) fn weighed<'s>(&self, words: impl Iterator<Item = &'s str>) -> Weighed<'s> {
        Weighed::of(words, |word| {
            let tests = self.tests.get(word).copied().unwrap_or(1);
            (f64::from(self.count + 1) / f64::from(tests)).ln()
        })
    }

    /// Where `tokens` are, by their words other than `name`: in what was added, or in `beside`.
    pub(super) fn of_tokens(
        &self,
        tokens: &[SourceToken],
        name: &str,
        beside: &HashSet<&str>,
    ) -> Kept {
        let own = self.weighed(self.words(tokens).filter(|word| *word != name));
        // What is beside is no assertion.
        let is_in = |unit: &HashSet<&str>| {
            own.share(|word| unit.contains(word)) > 0.0
                && own.share(|word| unit.contains(word) || beside.contains(word)) >= WHOLE
        };
        let is_whole = || match own.with_all(&self.in_added, |word| beside.contains(word)) {
            Some(units) => units.iter().any(|at| is_in(&self.added[*at])),
            None => self.added.iter().any(is_in),
        };
        // A word that is alone says little.
        if own.words.len() > 1 && is_whole() {
            return Kept::Whole;
        }
        let is_added = |word: &str| beside.contains(word) || self.in_added.has(word);
        if own.share(is_added) > PART { Kept::Part } else { Kept::No }
    }

    /// Whether a change added a name, as an argument or a title.
    pub(super) fn has_added(&self, name: &str) -> bool {
        self.in_added.has(name)
    }

    /// Whether a test that runs, be it an old one, may say what one that is gone said: all of it, or most of it and with
    /// more cases than before.
    pub(super) fn is_said(&self, gone: &SourceTest, running: &RunningTests<'_>) -> bool {
        let own = self.weighed(self.words(&gone.tokens).filter(|word| *word != gone.title));
        let says = |it: &Running<'_>| {
            let least = if it.has_more_rows { ROW } else { WHOLE };
            own.share(|word| it.words.contains(word)) >= least
        };
        let tests = running.tests;
        match own.with_all(&running.words, |_| false) {
            Some(with_all) => {
                with_all.iter().chain(&running.with_more_rows).any(|at| says(&tests[*at]))
            }
            None => tests.iter().any(says),
        }
    }
}

/// What each unit of a file has more often than before. Tests that are skipped and functions without a caller
/// don't run.
fn added_to<'t>(file: &'t FileTests<'_>, callers: &Callers<'_>) -> Vec<HashSet<&'t str>> {
    let before: HashMap<&str, &SourceTest> =
        file.before.iter().map(|test| (test.name.as_str(), test)).collect();
    let runs = |test: &&SourceTest| match test.is_helper {
        true => (file.is_test_file || !test.assertions.is_empty()) && callers.call(test),
        false => test.skip.as_ref().is_none_or(|skip| skip.is_conditional),
    };
    let more_in = |test: &'t SourceTest| {
        more(before.get(test.name.as_str()).map_or(&[][..], |old| &old.tokens), &test.tokens)
    };
    let units = file.after.iter().filter(runs).map(more_in);
    let around = file.has_code.then(|| more(&file.tokens_before, &file.tokens_after));
    units.chain(around).filter(|unit| !unit.is_empty()).collect()
}

/// What has a word after a change.
struct Callers<'t> {
    /// The name of one test or function; `None` where it is around them, or where several have the word.
    only: HashMap<&'t str, Option<&'t str>>,
}

impl<'t> Callers<'t> {
    fn of(files: &'t [FileTests<'_>]) -> Self {
        let mut only: HashMap<&str, Option<&str>> = HashMap::new();
        for file in files {
            for test in &file.after {
                let name = Some(test.name.as_str());
                for token in &test.tokens {
                    let known = only.entry(&token.text).or_insert(name);
                    *known = known.filter(|known| Some(*known) == name);
                }
            }
            only.extend(file.tokens_after.iter().map(|token| (token.text.as_str(), None)));
        }
        Self { only }
    }

    /// Whether anything but a function itself has its name.
    fn call(&self, helper: &SourceTest) -> bool {
        let only = self.only.get(helper.title.as_str());
        only.is_some_and(|only| *only != Some(&helper.name))
    }
}

/// The words that `after` has more often than `before`.
pub(super) fn more<'s, 't>(
    before: impl IntoIterator<Item = &'s SourceToken>,
    after: impl IntoIterator<Item = &'t SourceToken>,
) -> HashSet<&'t str> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in named(before) {
        *left.entry(word).or_default() += 1;
    }
    let is_new = |word: &&str| match left.get_mut(*word) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    named(after).filter(is_new).collect()
}

/// Names and values, without quotes and signs: in a macro, a sign is no part of its number.
pub(super) fn named<'t>(
    tokens: impl IntoIterator<Item = &'t SourceToken>,
) -> impl Iterator<Item = &'t str> {
    let named = tokens.into_iter().filter(|token| token.is_named);
    named.map(|token| {
        let text = token.text.trim_matches(QUOTES);
        let number = text.strip_prefix('-').map(str::trim_start);
        number.filter(|it| it.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(text)
    })
}
