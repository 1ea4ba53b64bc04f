//! The Code Quality report of GitLab: a list of findings, each with a fingerprint by which two reports are compared.

use std::path::Path;

use ftl_model::Digest;
use ftl_text::terminal_text;
use serde_json::{Value, json};

use super::{Findings, plain};

/// One entry for each finding.
pub(crate) fn report(findings: &Findings) -> Value {
    let entries = findings.found.iter().map(|found| {
        let path = name(&found.path);
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

fn name(path: &Path) -> String {
    terminal_text(plain(path).as_os_str().as_encoded_bytes())
}
