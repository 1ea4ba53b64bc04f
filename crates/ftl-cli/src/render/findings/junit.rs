//! JUnit's XML, which most CI services show: each file is a test, or each failed test.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use ftl_text::terminal_text;

use super::{Finding, Findings, plain};

/// One suite with a test for each file, and for each failed test. One with findings fails, a file that was not checked
/// is skipped.
pub(crate) fn suite(name: &str, findings: &Findings) -> String {
    let mut found: BTreeMap<String, Vec<&Finding>> = BTreeMap::new();
    let mut cases: Vec<(String, String)> =
        findings.files.iter().map(|path| (path_text(path), path_text(path))).collect();
    for finding in &findings.found {
        let file = path_text(&finding.path);
        let case = finding.test.as_deref().map_or_else(|| file.clone(), escaped);
        let of_case = found.entry(case.clone()).or_default();
        if of_case.is_empty() && !findings.files.contains(&finding.path) {
            cases.push((case, file));
        }
        of_case.push(finding);
    }
    let unchecked: BTreeMap<String, &str> = findings
        .unchecked
        .iter()
        .map(|file| (path_text(&file.path), file.reason.as_str()))
        .collect();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"",
        cases.len(),
        found.len(),
        unchecked.len()
    );
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"{name}\" {counts}>");
    let _ = writeln!(text, "  <testsuite name=\"{name}\" {counts}>");
    for (case, file) in &cases {
        let _ = write!(text, "    <testcase name=\"{case}\" classname=\"{name}\" file=\"{file}\"");
        match (found.get(case), unchecked.get(case)) {
            (Some(found), _) => {
                let _ = writeln!(text, ">\n{}    </testcase>", failure(found));
            }
            (None, Some(reason)) => {
                let reason = escaped(reason);
                let _ = writeln!(text, ">\n      <skipped message=\"{reason}\"/>\n    </testcase>");
            }
            (None, None) => text.push_str("/>\n"),
        }
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// All findings of a file as one failure: services show but the first of several.
fn failure(found: &[&Finding]) -> String {
    let Some(first) = found.first() else {
        return String::new();
    };
    let lines: Vec<String> = found
        .iter()
        .map(|found| {
            let (path, region) = (path_text(&found.path), found.region);
            let text = escaped(&found.text());
            format!("{path}:{}:{}: {text}", region.line, region.column)
        })
        .collect();
    format!(
        "      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
        escaped(&first.rule),
        escaped(&first.message),
        lines.join("\n")
    )
}

fn path_text(path: &Path) -> String {
    escaped(&terminal_text(plain(path).as_os_str().as_encoded_bytes()))
}

/// Text for an element or an attribute, without what XML cannot carry.
fn escaped(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| terminal_text(line.as_bytes())).collect();
    lines
        .join("\n")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
