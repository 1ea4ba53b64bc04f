//! The shape of what comes back.

use std::fs;
use std::path::Path;

use ftl_preflight::{Checker, CheckerName, Language, Options, Reason, Source, Status};
use tempfile::TempDir;

#[test]
fn a_file_of_no_known_language_is_unchecked() {
    let report = Checker::new(Options::default().with_checker(CheckerName::Embedded))
        .check_source(Source::new("notes.txt", "("));
    assert_eq!(report.language, None);
    assert_eq!(report.status, Status::Unchecked { reason: Reason::UnknownLanguage });
}

#[test]
fn a_file_that_is_not_there_is_unchecked() {
    let report = Checker::new(Options::default().with_checker(CheckerName::Embedded))
        .check_path(Path::new("/nowhere/a.py"));
    let Status::Unchecked { reason: Reason::Unreadable(why) } = report.status else {
        panic!("{:?}", report.status);
    };
    assert!(why.contains("No such file"), "{why}");
}

#[test]
fn a_given_language_wins_over_the_name() {
    let source = Source::new("tool", "def f(:").with_language(Language::Python);
    let report =
        Checker::new(Options::default().with_checker(CheckerName::Embedded)).check_source(source);
    assert_eq!(report.language, Some(Language::Python));
    assert_eq!(report.status.as_str(), "invalid");
}

#[test]
fn a_template_of_a_file_is_not_called_a_broken_file() {
    let chart = "{{- if .Values.a }}\nb: {{ .Values.b }}\n{{- end }}\n";
    let report = Checker::new(Options::default()).check_source(Source::new("a.yaml", chart));
    assert_eq!(report.status, Status::Unchecked { reason: Reason::Template });
}

#[cfg(feature = "javascript")]
#[test]
fn a_parser_that_panics_leaves_its_file_unchecked_and_the_checker_usable() {
    let checker = Checker::new(Options::default().with_checker(CheckerName::Embedded));
    // oxc looks for four digits after what is no escape.
    let report = checker.check_source(Source::new("a.mjs", r#"let x; export { x as "\\u" };"#));
    let Status::Unchecked { reason: Reason::CheckerFailed(why) } = report.status else {
        panic!("{:?}", report.status);
    };
    assert!(why.contains("byte index 4"), "{why}");
    let report = checker.check_source(Source::new("a.mjs", "export {};"));
    assert_eq!(report.status, Status::Valid);
}

#[test]
fn many_files_come_back_in_the_order_they_were_given() {
    let directory = TempDir::new().unwrap();
    let mut paths = Vec::new();
    for number in 0..200 {
        let path = directory.path().join(format!("{number}.py"));
        fs::write(&path, if number % 3 == 0 { "x = (\n" } else { "x = 1\n" }).unwrap();
        paths.push(path);
    }
    paths.push(paths[0].clone());
    let reports =
        Checker::new(Options::default().with_checker(CheckerName::Embedded)).check_many(&paths);
    assert_eq!(reports.len(), paths.len());
    for (number, (path, report)) in paths.iter().zip(&reports).enumerate() {
        assert_eq!(&report.path, path);
        assert_eq!(report.status == Status::Valid, number % 200 % 3 != 0);
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_report_serializes_with_its_reason_only_when_there_is_one() {
    let checker = Checker::new(Options::default().with_checker(CheckerName::Embedded));
    let json =
        |name, text| serde_json::to_value(checker.check_source(Source::new(name, text))).unwrap();
    assert_eq!(
        json("a.py", "x = 1\n"),
        serde_json::json!({
            "path": "a.py", "language": "python", "checker": "embedded", "status": "valid",
            "diagnostics": [],
        })
    );
    assert_eq!(
        json("a.txt", ""),
        serde_json::json!({
            "path": "a.txt", "language": null, "checker": "embedded", "status": "unchecked",
            "reason": "no checker for this kind of file", "diagnostics": [],
        })
    );
    assert_eq!(
        json("a.json", "[1,\n é]"),
        serde_json::json!({
            "path": "a.json", "language": "json", "checker": "embedded", "status": "invalid",
            "diagnostics": [{
                "severity": "error", "message": "expected value", "line": 2, "column": 2,
                "end_line": 2, "end_column": 3, "start": 5, "end": 7, "code": "syntax",
                "checker": "embedded",
            }],
        })
    );
}
