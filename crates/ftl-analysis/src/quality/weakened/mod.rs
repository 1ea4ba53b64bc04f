//! Tests that were made weaker: removed, skipped, with fewer assertions, with what a failing run printed as the new
//! expectation, with a wider tolerance, or with a rewritten snapshot.
//!
//! Read from syntax trees, so that formatting, comments, renamed and moved tests are no findings. What can't be read
//! (a file with syntax errors, a language without a grammar here) gives none.

mod added;
mod assertions;
mod dialect;
mod literals;
mod printed;
mod removed;
mod snapshot;
mod source_test;

mod ecmascript;
mod go;
mod python;
mod rust;

use std::collections::HashSet;
use std::iter;
use std::path::Path;

use ftl_model::{Weakening, WeakeningKind};

use super::changed_file::ChangedFile;
use super::weakened_tests::WeakenedTests;

use self::added::{Added, Rewritten};
use self::printed::Printed;
use self::removed::NewTest;
use self::source_test::{SourceTest, SourceToken, read_tests};

/// The share of a test's words in new tests beside it from which on they may replace it.
const REPLACED: f64 = 0.25;
/// The share in a single test that is left from which on that is the same test.
const SAME: f64 = 0.8;
/// The values in a test with more of them than before from which on it may have become a row there.
const IN_TABLE: usize = 2;
/// Tests that are gone, from which on half as many new ones may be the same tests written again.
const REWRITE: usize = 5;

const QUOTES: [char; 3] = ['"', '\'', '`'];

/// The tests of one file, before and after.
struct FileTests<'a> {
    path: &'a str,
    /// Its functions and what is around them are part of its tests.
    is_test_file: bool,
    before: Vec<SourceTest>,
    after: Vec<SourceTest>,
    tokens_before: Vec<SourceToken>,
    tokens_after: Vec<SourceToken>,
}

/// A test of before with what it is now; `None` when it is gone.
struct Pair<'f> {
    path: &'f str,
    before: &'f SourceTest,
    after: Option<(&'f str, &'f SourceTest)>,
}

/// How the tests in `changed` were made weaker. `failing_output` is the output of the run that failed before, if one
/// did: what it printed makes a changed expectation suspicious.
///
/// All changed files of a task belong into one call, since a test may move between them.
#[must_use]
pub fn weakened_tests(changed: &[ChangedFile<'_>], failing_output: &str) -> WeakenedTests {
    let printed = Printed::of(failing_output);
    let files: Vec<FileTests<'_>> = changed.iter().filter_map(|file| tests_in(*file)).collect();
    let (pairs, new) = removed::pairs(&files);
    let gone = pairs.iter().filter(|pair| pair.after.is_none()).count();
    let mut comparison = Comparison {
        files: &files,
        new,
        gone,
        added: Added::of(&files),
        printed,
        found: WeakenedTests::default(),
    };
    let snapshots = changed.iter().flat_map(|file| snapshot::rewritten(*file));
    comparison.found.certain.extend(snapshots);
    for pair in pairs {
        match pair.after {
            None => comparison.add_gone(pair.path, pair.before),
            Some((path, after)) => comparison.compare(path, pair.before, after),
        }
    }
    let mut found = comparison.found;
    for places in [&mut found.certain, &mut found.uncertain] {
        places.sort_by(|a, b| (&a.path, a.line, &a.test).cmp(&(&b.path, b.line, &b.test)));
        places.dedup();
    }
    found
}

/// Directories of other projects' code.
const FOREIGN: [&str; 6] =
    ["vendor", "node_modules", "third_party", "site-packages", "_workspace", "testdata"];

fn tests_in<'a>(file: ChangedFile<'a>) -> Option<FileTests<'a>> {
    if file.path.split('/').any(|part| FOREIGN.contains(&part)) {
        return None;
    }
    let before = read_tests(file.path, file.before.unwrap_or_default())?;
    let after = read_tests(file.path, file.after.unwrap_or_default())?;
    let (is_test_file, has_tests) = (before.is_test_file, before.has_tests);
    Some(FileTests {
        path: file.path,
        is_test_file,
        before: if has_tests { before.tests } else { Vec::new() },
        after: after.tests,
        tokens_before: before.tokens,
        tokens_after: after.tokens,
    })
}

struct Comparison<'c> {
    files: &'c [FileTests<'c>],
    new: Vec<NewTest<'c>>,
    /// How many tests are gone.
    gone: usize,
    added: Added<'c>,
    printed: Printed,
    found: WeakenedTests,
}

impl Comparison<'_> {
    fn add_gone(&mut self, path: &str, test: &SourceTest) {
        let place = Weakening {
            kind: WeakeningKind::TestRemoved,
            path: path.to_owned(),
            line: test.line,
            test: test.name.clone(),
            before: None,
            after: None,
        };
        match self.added.found_of(&test.tokens, test.short_name()) {
            Rewritten::Whole => {}
            rewritten => {
                let is_certain = rewritten == Rewritten::No && !self.may_be_replaced(path, test);
                self.found.add(place, is_certain);
            }
        }
    }

    /// Whether new tests beside a test that is gone have some of its words or are as many as those that are
    /// gone, one that is left says all of it or has a row for it, the file still has its name, as an argument
    /// of another function for instance, or has code but tests in no known form. A test without an assertion
    /// may be no test, or only start others.
    fn may_be_replaced(&self, path: &str, test: &SourceTest) -> bool {
        let values = |test: &SourceTest| -> HashSet<String> { values(test).collect() };
        let mut own = values(test);
        own.retain(|value| value.trim_matches(QUOTES) != test.short_name());
        let says_all = |other: &SourceTest| {
            added::shared(test, iter::once(other)) >= SAME && own.is_subset(&values(other))
        };
        let is_named = |file: &&FileTests<'_>| {
            let mut texts = file.tokens_after.iter().map(|token| token.text.trim_matches(QUOTES));
            texts.any(|text| text == test.short_name())
        };
        let is_rewritten = |file: &&FileTests<'_>| {
            file.is_test_file
                && file.after.iter().all(|test| test.is_helper)
                && file.tokens_after.len() * 2 >= file.tokens_before.len().max(1)
        };
        let mut own_file = self.files.iter().filter(|file| file.path == path);
        test.assertions.is_empty()
            || added::shared(test, self.new_beside(path)) >= REPLACED
            || self.is_rewrite()
            || self.files.iter().flat_map(|file| &file.after).any(says_all)
            || own_file.any(|file| is_named(&file) || is_rewritten(&file) || has_row(file, test))
    }

    /// Whether the tests were written again, be it in other directories.
    fn is_rewrite(&self) -> bool {
        self.gone >= REWRITE && self.new.len() * 2 >= self.gone
    }

    /// The new tests in a file's directory.
    fn new_beside(&self, path: &str) -> impl Iterator<Item = &SourceTest> {
        let directory = Path::new(path).parent();
        let beside = move |(other, _): &&NewTest<'_>| Path::new(other).parent() == directory;
        self.new.iter().filter(beside).map(|(_, test)| *test)
    }

    fn compare(&mut self, path: &str, before: &SourceTest, after: &SourceTest) {
        let of = |kind, line, old: Option<&str>, new: Option<&str>| Weakening {
            kind,
            path: path.to_owned(),
            line,
            test: after.name.clone(),
            before: old.map(str::to_owned),
            after: new.map(str::to_owned),
        };
        if let (None, Some(skip)) = (&before.skip, &after.skip) {
            let place = of(WeakeningKind::TestSkipped, skip.line, None, Some(&skip.text));
            let is_changed = skip.expects_failure && !before.tokens_equal(after);
            return self.found.add(place, !skip.is_conditional && !is_changed);
        }
        if before.tokens_equal(after) {
            return;
        }
        for change in literals::changes(before, after) {
            if let Some(kind) = change.kind(before, &after.name, &self.printed) {
                let place = of(kind, change.line, Some(&change.old), Some(&change.new));
                self.found.add(place, true);
            }
        }
        for lost in assertions::removed(self.files, &self.added, before, after) {
            let kind = WeakeningKind::AssertionRemoved;
            let place = of(kind, after.line, Some(&lost.text), None);
            self.found.add(place, lost.is_certain && self.new_beside(path).next().is_none());
        }
    }
}

/// Whether a test that a file had before has more values than it had, and half of those of `gone`: a row of its table.
fn has_row(file: &FileTests<'_>, gone: &SourceTest) -> bool {
    let own: HashSet<String> = values(gone).collect();
    let mut changed = file.before.iter().filter_map(|old| {
        let new = file.after.iter().find(|new| new.name == old.name)?;
        let has_more = values(new).count() > values(old).count();
        has_more.then(|| values(new).collect::<HashSet<String>>())
    });
    changed.any(|new| {
        let found = own.intersection(&new).count();
        found >= IN_TABLE && found * 2 >= own.len()
    })
}

/// The texts of a test's literals.
fn values(test: &SourceTest) -> impl Iterator<Item = String> {
    test.tokens.iter().filter(|token| token.is_literal).map(|token| token.text.clone())
}
