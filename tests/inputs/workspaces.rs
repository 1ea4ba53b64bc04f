//! Documents that must be read, and ones that must be refused and left alone.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Project, entries};

const TASK: &str = ".ftl/workspace/001_case_active.xml";

/// A project whose only task is that document.
fn project(document: &Path) -> Project {
    let project = Project::empty();
    project.write(TASK, fs::read(document).unwrap());
    project.write("notes.txt", "before\n");
    project
}

fn documents(kind: &str) -> Vec<PathBuf> {
    let documents = entries(&format!("tests/fixtures/workspaces/{kind}"));
    assert!(documents.len() > 10, "{documents:?}");
    documents
}

#[test]
fn a_readable_document_is_parsed_and_built() {
    for document in documents("read") {
        let project = project(&document);
        let parsed = project.ftl(["workspace", "parse", TASK]).ends(0);
        let parsed = parsed.json();
        assert_eq!(parsed["delta"][0], "notes.txt", "{document:?}");
        assert_eq!(parsed["budget"], 5, "{document:?}");

        let built = project.ftl(["build", "001", "--dry-run", "--tree", "--format", "json"]);
        assert_eq!(built.json()["outcome"], "planned", "{document:?}: {built:#?}");
    }
}

#[test]
fn a_refused_document_blocks_and_stays_as_it_is() {
    for document in documents("refused") {
        let project = project(&document);
        let built = project.ftl(["build", "001", "--tree", "--format", "json"]);
        let said = built.json();
        assert_eq!(built.code, Some(3), "{document:?}: {built:#?}");
        assert_eq!(said["block"]["kind"], "spec_invalid", "{document:?}: {built:#?}");
        assert_eq!(said["budget"]["used"], 1, "{document:?}");
        assert_eq!(said["budget"]["total"], Value::Null, "{document:?}");
        let error = said["block"]["error"].as_str().unwrap();
        assert!(error.starts_with("line "), "{document:?}: {error}");
        assert_eq!(project.read(TASK), fs::read(&document).unwrap(), "{document:?}");
        assert_eq!(project.workspaces(), ["001_case_active.xml"], "{document:?}");
    }
}

#[test]
fn documents_that_build_refuses_are_refused_by_parse_too() {
    for document in documents("refused") {
        let parsed = project(&document).ftl(["workspace", "parse", TASK]).ends(1);
        assert_eq!(parsed.stdout, "", "{document:?}");
        assert!(!parsed.stderr.is_empty(), "{document:?}");
    }
}
