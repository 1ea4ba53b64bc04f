//! JUnit's XML, which most CI services show: each file is a test.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use ftl_text::terminal_text;

use super::{Finding, Findings, plain};

/// One suite with a test for each file. A file with findings fails, one that was not checked is skipped.
pub(crate) fn suite(name: &str, findings: &Findings) -> String {
    let mut found: BTreeMap<&Path, Vec<&Finding>> = BTreeMap::new();
    for finding in &findings.found {
        found.entry(&finding.path).or_default().push(finding);
    }
    let unchecked: BTreeMap<&Path, &str> =
        findings.unchecked.iter().map(|file| (file.path.as_path(), file.reason.as_str())).collect();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"",
        findings.files.len(),
        found.len(),
        unchecked.len()
    );
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"{name}\" {counts}>");
    let _ = writeln!(text, "  <testsuite name=\"{name}\" {counts}>");
    for path in &findings.files {
        let shown = path_text(path);
        let _ =
            write!(text, "    <testcase name=\"{shown}\" classname=\"{name}\" file=\"{shown}\"");
        match (found.get(path.as_path()), unchecked.get(path.as_path())) {
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
