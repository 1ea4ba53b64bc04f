//! Whole task files: what they say, what is wrong with them, and new ones.

use std::path::Path;

use ftl_model::Workspace;
use ftl_testkit::random::Rng;
use ftl_xml::{parse_json, read, validate, write_new};

use crate::generator::document;
use crate::golden;

#[test]
fn a_document_says_what_is_expected() {
    golden::check("parse", |_, source| match read(source).map(|d| d.workspace()) {
        Ok(Ok(workspace)) => serde_json::to_string_pretty(&parse_json(&workspace, true)).unwrap(),
        Ok(Err(errors)) => errors
            .iter()
            .map(|error| format!("{}: {} {error}\n", error.place.line, error.code()))
            .collect(),
        Err(error) => format!("{}: {} {error}\n", error.place.line, error.code()),
    });
}

#[test]
fn every_problem_is_found_at_once_and_pointed_at() {
    golden::check("validate", |path, source| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap();
        let problems = validate(source, name.parse().ok().as_ref());
        problems
            .iter()
            .map(|problem| {
                let text = String::from_utf8_lossy(&source[problem.place.start..problem.place.end]);
                let shown: String = text.chars().take(40).collect();
                format!(
                    "{}:{} {:?} {}: {}\n    {}\n    at {shown:?}\n",
                    problem.place.line,
                    problem.place.column,
                    problem.severity,
                    problem.code,
                    problem.message,
                    problem.help,
                )
            })
            .collect()
    });
}

#[test]
fn a_problem_is_flat_in_json() {
    let problems = validate(b"<workspace>", None);
    assert_eq!(
        serde_json::to_value(&problems).unwrap(),
        serde_json::json!([{
            "severity": "error",
            "code": "xml::unclosed",
            "message": "`<workspace>` is never closed",
            "help": "give every element one end tag, inside the element that holds it",
            "line": 1, "column": 1, "start": 0, "end": 10,
        }])
    );
}

/// Documents whose workspace can be written again, and that workspace.
fn workspaces() -> impl Iterator<Item = Workspace> {
    (0..2_000).filter_map(|seed| {
        let document = document(&mut Rng::with_seed(seed));
        let workspace = read(document.as_bytes()).unwrap().workspace().ok()?;
        Some(Workspace { has_run: false, ..workspace })
    })
}

#[test]
fn a_workspace_written_again_reads_the_same() {
    for workspace in workspaces() {
        let is_old_form =
            |parent: &ftl_model::Parent| parent.seq.as_deref().unwrap_or("").is_empty();
        let lineage = workspace.lineage.as_ref();
        if lineage.is_some_and(|lineage| lineage.parents.first().is_some_and(is_old_form)) {
            continue;
        }
        let written = write_new(&workspace);
        let again = read(written.as_bytes()).unwrap().workspace().unwrap();
        assert_eq!(again, workspace, "{written}");
    }
}

#[test]
fn names_that_are_read_are_not_called_unknown() {
    let mut named = std::collections::BTreeSet::new();
    for workspace in workspaces() {
        let written = write_new(&workspace);
        let document = read(written.as_bytes()).unwrap();
        named.extend(document.root().descendants().map(|it| it.name().to_owned()));
        let problems = validate(written.as_bytes(), None);
        let is_unknown = |code: &str| code.contains("unknown") || code.ends_with("stray_text");
        let unknown: Vec<_> = problems.iter().filter(|it| is_unknown(it.code)).collect();
        assert!(unknown.is_empty(), "{unknown:?}\n{written}");
    }
    // The generator has to come up with every element for this to mean anything.
    assert_eq!(named.len(), 28, "{named:?}");
}

#[test]
fn expat_reads_a_new_document_as_we_do() {
    let workspaces: Vec<Workspace> = workspaces().take(500).collect();
    let documents: Vec<Vec<u8>> =
        workspaces.iter().map(|workspace| write_new(workspace).into_bytes()).collect();
    let Some((read, refused)) = crate::oracle::compare(&documents, "new") else {
        return;
    };
    assert_eq!((read, refused), (workspaces.len(), 0));
}

#[test]
fn validate_reports_exactly_the_numbers_that_cannot_be_read() {
    for seed in 0..500 {
        let document = document(&mut Rng::with_seed(seed));
        let name = Path::new("001_a_active.xml").to_str().unwrap().parse().unwrap();
        let problems = validate(document.as_bytes(), Some(&name));
        let unreadable = read(document.as_bytes()).unwrap().workspace().err();
        let numbers = problems
            .iter()
            .filter(|p| matches!(p.code, "workspace::integer" | "workspace::number"));
        assert_eq!(numbers.count(), unreadable.map_or(0, |errors| errors.len()));
    }
}
