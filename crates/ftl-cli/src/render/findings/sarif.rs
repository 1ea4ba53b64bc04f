//! SARIF 2.1.0, the format of code hosts and editors for findings of tools.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde_json::{Value, json};

use super::{Finding, Findings, Region, Unchecked, plain};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const HOME: &str = env!("CARGO_PKG_REPOSITORY");

/// What a path of a URI may hold as it is.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// One run of `ftl` with all findings. Files that were not checked are notifications of the run, since
/// nothing was found in them.
pub(crate) fn log(findings: &Findings) -> Value {
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for found in &findings.found {
        rules.insert(&found.rule, 0);
    }
    for (at, index) in rules.values_mut().enumerate() {
        *index = at;
    }
    let results: Vec<Value> =
        findings.found.iter().map(|found| result(found, rules[found.rule.as_str()])).collect();
    let named: Vec<Value> = rules.keys().map(|rule| json!({"id": rule})).collect();
    let passed_over: Vec<Value> = findings.unchecked.iter().map(notification).collect();
    let mut driver = json!({
        "name": "ftl",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": named,
    });
    if !HOME.is_empty() {
        driver["informationUri"] = HOME.into();
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": passed_over,
            }],
            "results": results,
        }],
    })
}

fn result(found: &Finding, index: usize) -> Value {
    json!({
        "ruleId": found.rule,
        "ruleIndex": index,
        "level": if found.is_error { "error" } else { "warning" },
        "message": {"text": found.text()},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(&found.path)},
            "region": region(found.region),
        }}],
    })
}

fn region(region: Region) -> Value {
    let mut value = json!({"startLine": region.line, "startColumn": region.column});
    if let Some((start, end)) = region.bytes {
        value["byteOffset"] = start.into();
        value["byteLength"] = end.saturating_sub(start).into();
    }
    if let Some((line, column)) = region.end {
        value["endLine"] = line.into();
        value["endColumn"] = column.into();
    }
    value
}

fn notification(file: &Unchecked) -> Value {
    json!({
        "level": "note",
        "message": {"text": format!("unchecked: {}", file.reason)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(&file.path)}}}],
    })
}

/// A path as a URI: relative to the current directory as it was named, or absolute.
fn uri(path: &Path) -> String {
    let path = plain(path);
    let encoded = percent_encode(path.as_os_str().as_bytes(), PATH).to_string();
    if path.is_absolute() { format!("file://{encoded}") } else { encoded }
}
