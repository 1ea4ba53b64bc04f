//! Whether the files and tasks that a task file names are there, and can be what they must be.
//!
//! Paths that are wrong as texts are not reported here: `ftl_xml::findings` has done so.

use std::fs;
use std::path::Path;

use ftl_model::{DeltaPath, WorkspaceName};
use ftl_text::quote;
use ftl_xml::{Document, Findings};

use super::{filled, implementations};
use crate::project::{obstacle, tests};

/// Whether the files and tasks that are named are there, and can be what they must be.
pub(super) fn check(document: &Document<'_>, path: &Path, root: &Path, findings: &mut Findings) {
    delta(document, root, findings);
    verify_source(document, root, findings);
    depends(document, path, findings);
}

fn delta(document: &Document<'_>, root: &Path, findings: &mut Findings) {
    for element in implementations(document, "delta") {
        let Ok(path) = DeltaPath::parse(&element.text().unwrap_or_default()) else {
            continue;
        };
        let place = element.text_place();
        let shown = quote(path.as_str());
        if let Some(obstacle) = obstacle(root, &path) {
            let message = format!("`{shown}` {obstacle}");
            let help = "name a regular file, or one that does not exist yet";
            findings.error(place, "workspace::delta", message, help);
            continue;
        }
        // Not an error: a task may create directories, but more often the path is mistyped.
        let Some(parent) = path.as_path().parent() else {
            continue;
        };
        if !root.join(parent).is_dir() {
            let parent = quote(&parent.to_string_lossy());
            findings.warning(
                place,
                "workspace::missing_directory",
                format!("the directory `{parent}` does not exist"),
                "correct the path, unless the task creates the directory",
            );
        }
    }
}

fn verify_source(document: &Document<'_>, root: &Path, findings: &mut Findings) {
    let Some(element) = implementations(document, "verify_source").next() else {
        return;
    };
    let Some(text) = filled(element).filter(|text| DeltaPath::parse(text).is_ok()) else {
        return;
    };
    if let Err(why) = tests(&text, root) {
        findings.warning(
            element.text_place(),
            "workspace::verify_source",
            why,
            "name a text file below the root, or remove the element",
        );
    }
}

/// Tasks that must come first and of which there is no file, of whatever status.
fn depends(document: &Document<'_>, path: &Path, findings: &mut Findings) {
    let root = document.root();
    let (Some(depends), Some(place)) = (root.attribute("depends"), root.attribute_place("depends"))
    else {
        return;
    };
    let directory = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return,
    };
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    let names = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect::<Vec<WorkspaceName>>();
    for seq in depends.split_whitespace() {
        if !names.iter().any(|name| name.id.seq() == seq) {
            findings.warning(
                place,
                "workspace::depends",
                format!("there is no task `{}` in this directory", quote(seq)),
                "create it, or remove its number: until then this task waits",
            );
        }
    }
}
