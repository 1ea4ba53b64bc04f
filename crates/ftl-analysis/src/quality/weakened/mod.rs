//! Tests that were made weaker: removed, skipped, with fewer assertions, with what a failing run printed as the new
//! expectation, with a wider tolerance, or with a rewritten snapshot.
//!
//! Read from syntax trees, so that formatting, comments, renamed and moved tests are no findings. What can't be read
//! (a file with syntax errors, a language without a grammar here) gives none.

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

use ftl_model::{Weakening, WeakeningKind};

use super::changed_file::ChangedFile;

use self::printed::Printed;
use self::source_test::{SourceTest, tests_of};

/// The tests of one file, before and after.
struct FileTests<'a> {
    path: &'a str,
    before: Vec<SourceTest>,
    after: Vec<SourceTest>,
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
pub fn weakened_tests(changed: &[ChangedFile<'_>], failing_output: &str) -> Vec<Weakening> {
    let printed = Printed::of(failing_output);
    let mut found: Vec<Weakening> =
        changed.iter().flat_map(|file| snapshot::rewritten(*file)).collect();
    let files: Vec<FileTests<'_>> = changed.iter().filter_map(|file| tests_in(*file)).collect();
    for pair in removed::pairs(&files) {
        match pair.after {
            None => found.push(gone(&pair)),
            Some((path, after)) => {
                found.extend(compared(&files, path, pair.before, after, &printed))
            }
        }
    }
    found.sort_by(|a, b| (&a.path, a.line, &a.test).cmp(&(&b.path, b.line, &b.test)));
    found.dedup();
    found
}

fn tests_in<'a>(file: ChangedFile<'a>) -> Option<FileTests<'a>> {
    let before = tests_of(file.path, file.before.unwrap_or_default())?;
    let after = tests_of(file.path, file.after.unwrap_or_default())?;
    Some(FileTests { path: file.path, before, after })
}

fn gone(pair: &Pair<'_>) -> Weakening {
    Weakening {
        kind: WeakeningKind::TestRemoved,
        path: pair.path.to_owned(),
        line: pair.before.line,
        test: pair.before.name.clone(),
        before: None,
        after: None,
    }
}

fn compared(
    files: &[FileTests<'_>],
    path: &str,
    before: &SourceTest,
    after: &SourceTest,
    printed: &Printed,
) -> Vec<Weakening> {
    let of = |kind, line, old: Option<String>, new: Option<String>| Weakening {
        kind,
        path: path.to_owned(),
        line,
        test: after.name.clone(),
        before: old,
        after: new,
    };
    if let (None, Some(skip)) = (&before.skip, &after.skip) {
        let kind = WeakeningKind::TestSkipped;
        return vec![of(kind, skip.line, None, Some(skip.text.clone()))];
    }
    if before.tokens_equal(after) {
        return Vec::new();
    }
    let changes = literals::changes(before, after);
    let mut found: Vec<Weakening> = changes
        .iter()
        .filter_map(|change| {
            let kind = change.kind(&after.name, printed)?;
            Some(of(kind, change.line, Some(change.old.clone()), Some(change.new.clone())))
        })
        .collect();
    found.extend(
        assertions::removed(files, before, after)
            .into_iter()
            .map(|text| of(WeakeningKind::AssertionRemoved, after.line, Some(text), None)),
    );
    found
}
