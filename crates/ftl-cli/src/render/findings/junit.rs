//! JUnit's XML, which most CI services show: a suite for each task or command, a test for each thing that can fail.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use ftl_text::terminal_text;

use super::{Finding, Findings, path_text};

/// A suite of tests.
#[derive(Debug)]
pub(crate) struct Suite {
    pub(crate) name: String,
    pub(crate) milliseconds: Option<u64>,
    pub(crate) cases: Vec<Case>,
}

/// A test.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) milliseconds: Option<u64>,
    pub(crate) ended: Ended,
}

/// How a test ended.
#[derive(Debug)]
pub(crate) enum Ended {
    Passed,
    Skipped(String),
    Failed { kind: String, message: String, text: String },
}

/// A suite with a test for each file. One with findings fails, a file that was not checked is skipped.
pub(crate) fn of_files(name: &str, findings: &Findings) -> String {
    let mut found: BTreeMap<&Path, Vec<&Finding>> = BTreeMap::new();
    for finding in &findings.found {
        found.entry(&finding.path).or_default().push(finding);
    }
    let unchecked: BTreeMap<&Path, &str> =
        findings.unchecked.iter().map(|file| (file.path.as_path(), file.reason.as_str())).collect();
    let case = |path: &std::path::PathBuf| Case {
        name: path_text(path),
        file: path_text(path),
        milliseconds: None,
        ended: match (found.get(path.as_path()), unchecked.get(path.as_path())) {
            (Some(found), _) => failed(found),
            (None, Some(reason)) => Ended::Skipped((*reason).to_owned()),
            (None, None) => Ended::Passed,
        },
    };
    let cases = findings.files.iter().map(case).collect();
    document(name, &[Suite { name: name.to_owned(), milliseconds: None, cases }])
}

/// All findings of a test as one failure: services show only the first of several.
pub(super) fn failed(found: &[&Finding]) -> Ended {
    let lines: Vec<String> = found
        .iter()
        .map(|found| {
            let (path, region) = (path_text(&found.path), found.region);
            format!("{path}:{}:{}: {}", region.line, region.column, found.text())
        })
        .collect();
    let first = found.first();
    Ended::Failed {
        kind: first.map(|found| found.rule.clone()).unwrap_or_default(),
        message: first.map(|found| found.message.clone()).unwrap_or_default(),
        text: lines.join("\n"),
    }
}

/// The document of these suites.
pub(crate) fn document(name: &str, suites: &[Suite]) -> String {
    let all = suites.iter().flat_map(|suite| &suite.cases);
    let time = suites.iter().map(|suite| suite.milliseconds).sum();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"{}\" {}>", escaped(name), counts(all, time));
    for suite in suites {
        let name = escaped(&suite.name);
        let counted = counts(suite.cases.iter(), suite.milliseconds);
        let _ = writeln!(text, "  <testsuite name=\"{name}\" {counted}>");
        for case in &suite.cases {
            push(case, &name, &mut text);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn counts<'c>(cases: impl Iterator<Item = &'c Case> + Clone, time: Option<u64>) -> String {
    let is_skipped = |case: &&Case| matches!(case.ended, Ended::Skipped(_));
    let is_failed = |case: &&Case| matches!(case.ended, Ended::Failed { .. });
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"{}",
        cases.clone().count(),
        cases.clone().filter(is_failed).count(),
        cases.filter(is_skipped).count(),
        seconds(time)
    )
}

fn seconds(milliseconds: Option<u64>) -> String {
    milliseconds
        .map_or_else(String::new, |time| format!(" time=\"{}.{:03}\"", time / 1000, time % 1000))
}

fn push(case: &Case, suite: &str, text: &mut String) {
    let (name, file) = (escaped(&case.name), escaped(&case.file));
    let time = seconds(case.milliseconds);
    let _ =
        write!(text, "    <testcase name=\"{name}\" classname=\"{suite}\" file=\"{file}\"{time}");
    let inner = match &case.ended {
        Ended::Passed => return text.push_str("/>\n"),
        Ended::Skipped(reason) => format!("<skipped message=\"{}\"/>", escaped(reason)),
        Ended::Failed { kind, message, text } => format!(
            "<failure type=\"{}\" message=\"{}\">{}</failure>",
            escaped(kind),
            escaped(message),
            escaped(text).replace("&#10;", "\n")
        ),
    };
    let _ = writeln!(text, ">\n      {inner}\n    </testcase>");
}

/// Text for an element or an attribute, without what XML cannot carry; line ends as a reader of attributes keeps them.
fn escaped(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| terminal_text(line.as_bytes())).collect();
    lines
        .join("\n")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\n', "&#10;")
}
