//! Tests that were made weaker: removed, skipped, with fewer assertions, with what a failing run printed as the new
//! expectation, with a wider tolerance, or with a rewritten snapshot.
//!
//! Read from syntax trees, so that formatting, comments, renamed and moved tests are no findings. What can't be read
//! (a file with syntax errors, a language without a grammar here) gives none.

mod assertions;
mod coverage;
mod data;
mod dialect;
mod equality;
mod literals;
mod printed;
mod removed;
mod snapshot;
mod source_test;
mod words;

mod ecmascript;
mod go;
mod python;
mod rust;

use std::collections::{BTreeMap, HashMap, HashSet};

use ftl_model::{Weakening, WeakeningKind};

use super::changed_file::ChangedFile;
use super::weakened_tests::WeakenedTests;

use self::assertions::NewAssertions;
use self::coverage::{Coverage, Kept};
use self::data::Data;
use self::printed::Printed;
use self::source_test::{SourceTest, SourceToken, read_tests};
use self::words::WordIndex;

/// Words of a name from which on they distinguish a test.
const LONG_NAME: usize = 3;

const QUOTES: [char; 3] = ['"', '\'', '`'];

/// The tests of one file, before and after.
struct FileTests<'a> {
    path: &'a str,
    /// Its functions and what is around them are part of its tests.
    is_test_file: bool,
    before: Vec<SourceTest>,
    after: Vec<SourceTest>,
    /// There are tests in it now, or there may be.
    has_code: bool,
    /// What is around its tests and functions.
    tokens_before: Vec<SourceToken>,
    tokens_after: Vec<SourceToken>,
}

/// A test of before with what it is now; `None` when it is gone.
struct Pair<'f> {
    path: &'f str,
    before: &'f SourceTest,
    after: Option<&'f SourceTest>,
}

/// How the tests in `changed` were made weaker. `failing_output` is the output of the run that failed before, if one
/// did: what it printed makes a changed expectation suspicious.
///
/// All changed files of a task belong into one call, since a test may move between them.
#[must_use]
pub fn weakened_tests(changed: &[ChangedFile<'_>], failing_output: &str) -> WeakenedTests {
    let printed = Printed::of(failing_output);
    let files: Vec<FileTests<'_>> = changed.iter().filter_map(|file| tests_in(*file)).collect();
    let coverage = Coverage::of(&files);
    let pairs = removed::pairs(&files, &coverage);
    let found = WeakenedTests::default();
    let stand_ins = HashSet::new();
    let data = Data::of(changed);
    let new = NewAssertions::of(&files);
    let running = running(&files);
    let running = RunningTests::of(&running);
    let mut comparison = Comparison { running, new, coverage, data, stand_ins, printed, found };
    let snapshots = changed.iter().flat_map(|file| snapshot::rewritten(*file));
    comparison.found.certain.extend(snapshots);
    for pair in pairs {
        match pair.after {
            None => comparison.add_gone(pair.path, pair.before),
            Some(after) => comparison.compare(pair.path, pair.before, after),
        }
    }
    let mut found = comparison.found;
    for places in [&mut found.certain, &mut found.uncertain] {
        places.sort_by(|a, b| (&a.path, a.line, &a.test).cmp(&(&b.path, b.line, &b.test)));
        places.dedup();
    }
    found
}

/// Directories of other projects' code; so are files that a program shortened.
const FOREIGN: [&str; 6] =
    ["vendor", "node_modules", "third_party", "site-packages", "_workspace", "testdata"];

fn tests_in<'a>(file: ChangedFile<'a>) -> Option<FileTests<'a>> {
    let is_foreign = |part: &str| FOREIGN.contains(&part) || part.contains(".min.");
    if file.path.split('/').any(is_foreign) {
        return None;
    }
    let before = read_tests(file.path, file.before.unwrap_or_default())?;
    let after = read_tests(file.path, file.after.unwrap_or_default())?;
    let (is_test_file, has_tests) = (before.is_test_file, before.has_tests);
    Some(FileTests {
        path: file.path,
        is_test_file,
        before: if has_tests { before.tests } else { Vec::new() },
        has_code: !is_test_file || after.tests.iter().any(|test| !test.is_helper),
        after: after.tests,
        tokens_before: before.tokens,
        tokens_after: after.tokens,
    })
}

/// A test that runs after the change, with what is asked of it once for each test that is gone.
struct Running<'c> {
    test: &'c SourceTest,
    title: HashSet<String>,
    words: HashSet<&'c str>,
    is_new: bool,
    has_more_rows: bool,
}

fn running<'c>(files: &'c [FileTests<'_>]) -> Vec<Running<'c>> {
    let rows = |test: &SourceTest| test.assertions.iter().filter(|it| it.is_row).count();
    let of_file = |file: &'c FileTests<'_>| {
        let mut before: HashMap<&str, usize> = HashMap::new();
        for old in &file.before {
            before.entry(&old.name).or_insert_with(|| rows(old));
        }
        let runs = file.after.iter().filter(|test| !test.is_helper && test.skip.is_none());
        runs.map(move |test| {
            let old = before.get(test.name.as_str());
            Running {
                test,
                title: name_words(&test.title),
                words: coverage::named(&test.tokens).collect(),
                is_new: old.is_none(),
                has_more_rows: rows(test) > old.copied().unwrap_or(0),
            }
        })
    };
    files.iter().flat_map(of_file).collect()
}

/// All of them, by their words and those of their titles.
struct RunningTests<'r> {
    tests: &'r [Running<'r>],
    words: WordIndex<'r>,
    titles: WordIndex<'r>,
    with_more_rows: Vec<usize>,
}

impl<'r> RunningTests<'r> {
    fn of(tests: &'r [Running<'r>]) -> Self {
        let title = |it: &'r Running<'r>| it.title.iter().map(String::as_str);
        Self {
            tests,
            words: WordIndex::of(tests.iter().map(|it| it.words.iter().copied())),
            titles: WordIndex::of(tests.iter().map(title)),
            with_more_rows: (0..tests.len()).filter(|at| tests[*at].has_more_rows).collect(),
        }
    }

    /// Tests with at least [`LONG_NAME`] words of a title in theirs, and how many they have.
    fn titled(&self, title: &HashSet<String>) -> BTreeMap<usize, usize> {
        let mut common = BTreeMap::new();
        if title.len() >= LONG_NAME {
            for place in title.iter().flat_map(|word| self.titles.places(word)) {
                *common.entry(*place).or_default() += 1;
            }
        }
        common.retain(|_, count| *count >= LONG_NAME);
        common
    }
}

struct Comparison<'c> {
    running: RunningTests<'c>,
    new: NewAssertions<'c>,
    coverage: Coverage<'c>,
    data: Data<'c>,
    /// New tests that may be one that is gone, by their names.
    stand_ins: HashSet<*const SourceTest>,
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
        let name = test.title.as_str();
        let is_empty = self.coverage.words(&test.tokens).all(|word| word == name);
        if is_empty && test.assertions.is_empty() {
            return;
        }
        let kept = self.coverage.of_tokens(&test.tokens, name, &HashSet::new());
        if kept != Kept::Whole {
            let may_be_said = self.coverage.is_said(test, &self.running);
            let is_named = self.coverage.has_added(name) || self.has_like_name(name);
            let is_kept =
                kept == Kept::Part || is_named || may_be_said || self.data.has_values(test);
            self.found.add(place, !is_kept);
        }
    }

    /// Whether a new test has most words of a name. Each replaces one.
    fn has_like_name(&mut self, name: &str) -> bool {
        let own = name_words(name);
        let found = self.running.titled(&own).into_iter().find(|(at, common)| {
            let it = &self.running.tests[*at];
            it.is_new
                && common * 3 >= own.len() * 2
                && !self.stand_ins.contains(&std::ptr::from_ref(it.test))
        });
        found.is_some_and(|(at, _)| self.stand_ins.insert(self.running.tests[at].test))
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
        // Rows may be attributes beside the test.
        if before.tokens_equal(after) && before.assertions.len() == after.assertions.len() {
            return;
        }
        for change in literals::changes(before, after) {
            if let Some(kind) = change.kind(before, &after.name, &self.printed) {
                let place = of(kind, change.line, Some(&change.old), Some(&change.new));
                self.found.add(place, true);
            }
        }
        for lost in assertions::removed(&self.new, &self.coverage, before, after) {
            let text = lost.assertion.source.split_whitespace().collect::<Vec<&str>>().join(" ");
            let (kind, line) = match lost.assertion.is_row {
                true => (WeakeningKind::TestRemoved, lost.assertion.line),
                false => (WeakeningKind::AssertionRemoved, after.line),
            };
            self.found.add(of(kind, line, Some(&text), None), lost.is_certain);
        }
    }
}

/// The words of a test's name, but `test`: `TestParse_emptyLine` has three.
fn name_words(name: &str) -> HashSet<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || was_small && c.is_uppercase() {
            words.push(String::new());
        }
        was_small = c.is_lowercase() || c.is_numeric();
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
    }
    words.into_iter().filter(|word| !word.is_empty() && word != "test").collect()
}
