//! The Code Quality report of GitLab: a list of findings, each with a fingerprint by which two reports are compared.

use ftl_model::Digest;
use serde_json::{Value, json};

use super::{Findings, path_text};

/// One entry for each finding.
pub(crate) fn report(findings: &Findings) -> Value {
    let entries = findings.found.iter().map(|found| {
        let path = path_text(&found.path);
        let text = found.text();
        let line = found.region.line;
        let identity = format!("{}\n{path}\n{line}\n{text}", found.rule);
        json!({
            "description": text,
            "check_name": found.rule,
            "fingerprint": Digest::of(identity.as_bytes()).to_string(),
            "severity": if found.is_error { "major" } else { "minor" },
            "location": {"path": path, "lines": {"begin": line}},
        })
    });
    entries.collect()
}
