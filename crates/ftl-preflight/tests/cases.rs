//! Every file below `cases/LANGUAGE/ok` is valid, every file below `cases/LANGUAGE/err` is
//! not, and its name says where the first error is: `name.LINE.COLUMN.extension`. Files below
//! `cases/LANGUAGE/unchecked` are templates of that language, or in another one, or checked in part.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_preflight::{Checker, CheckerName, Language, Options, Report, Source, Status};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// The files below a folder; none of what is checked in part are valid, and only some languages have unchecked ones.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if !folder.ends_with("err") && !folder.exists() {
        return found;
    }
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}")) {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Checks a case as if it lay outside of every package.
fn check(checker: &Checker, language: Language, path: &Path) -> Report {
    let bytes = fs::read(path).unwrap();
    let elsewhere = Path::new("/nowhere").join(path.strip_prefix(root()).unwrap());
    let report = checker.check_source(Source::new(&elsewhere, &bytes));
    assert_eq!(report.language, Some(language), "{}", path.display());
    report
}

fn expected_place(path: &Path) -> (usize, usize) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let numbers: Vec<usize> = name.split('.').filter_map(|part| part.parse().ok()).collect();
    let [line, column] = numbers[..] else { panic!("{name} states no place") };
    (line, column)
}

#[test]
fn every_case_gets_its_verdict_at_its_place() {
    let checker = Checker::new(Options::default().with_checker(CheckerName::Embedded));
    let mut wrong = Vec::new();
    for language in Language::all().filter(|language| language.is_built()) {
        let folder = root().join(language.name());
        for path in files(&folder.join("ok")) {
            let report = check(&checker, language, &path);
            if report.status != Status::Valid {
                wrong.push(format!("{}: {:#?}", path.display(), report.status));
            }
        }
        for path in files(&folder.join("unchecked")) {
            let report = check(&checker, language, &path);
            if report.status.as_str() != "unchecked" {
                wrong.push(format!("{}: {:#?}", path.display(), report.status));
            }
        }
        for path in files(&folder.join("err")) {
            let report = check(&checker, language, &path);
            let place = report.diagnostics().first().map(|it| (it.line, it.column));
            if place != Some(expected_place(&path)) {
                wrong.push(format!("{}: {place:?} {:#?}", path.display(), report.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn byte_offsets_lie_in_the_file_where_line_and_column_say() {
    let checker = Checker::new(Options::default().with_checker(CheckerName::Embedded));
    for language in Language::all().filter(|language| language.is_built()) {
        for path in files(&root().join(language.name()).join("err")) {
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            for found in check(&checker, language, &path).diagnostics() {
                assert!(found.start <= found.end && found.end <= text.len(), "{path:?} {found:?}");
                let before = text[..found.start].replace("\r\n", "\n").replace('\r', "\n");
                let line_start = before.rfind('\n').map_or(0, |at| at + 1);
                let column =
                    before[line_start..].trim_start_matches('\u{FEFF}').chars().count() + 1;
                assert_eq!(before.matches('\n').count() + 1, found.line, "{path:?} {found:?}");
                assert_eq!(column, found.column, "{path:?} {found:?}");
            }
        }
    }
}
