//! A statement of in-toto's attestation framework about what tasks delivered, for others to sign.

use std::collections::BTreeMap;
use std::fs;

use ftl_model::Digest;
use serde_json::{Value, json};

use super::tasks::{TaskEnd, TaskResults};
use crate::paths::Here;

/// The predicate is the JSON of the results.
const PREDICATE: &str = "urn:ftl:record:v1";

/// The subjects are the files of complete tasks, and every task's record.
pub(crate) fn statement(all: &TaskResults<'_>) -> Value {
    let mut subjects: BTreeMap<String, String> = BTreeMap::new();
    for result in all.results {
        let end = TaskEnd::of(result);
        let record = fs::read(end.file).ok().map(|bytes| Digest::of(&bytes));
        subjects.extend(record.map(|digest| (end.file.to_owned(), digest.to_string())));
        let Some(built) = end.built.filter(|_| end.failure.is_none()) else {
            continue;
        };
        let here = Here::of(built);
        subjects.extend(
            built
                .files
                .iter()
                .filter_map(|file| Some((here.path(file.path.as_str()), file.sha256?.to_string()))),
        );
    }
    let subjects: Vec<Value> = subjects
        .into_iter()
        .map(|(name, digest)| json!({"name": name, "digest": {"sha256": digest}}))
        .collect();
    json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": PREDICATE,
        "predicate": {
            "outcome": if is_complete(all) { "complete" } else { "incomplete" },
            "results": all.results,
            "checks": all.checks,
        },
    })
}

fn is_complete(all: &TaskResults<'_>) -> bool {
    let is_done = |result| TaskEnd::of(result).failure.is_none();
    all.results.iter().all(is_done) && all.checks.iter().all(|check| check.passed)
}
