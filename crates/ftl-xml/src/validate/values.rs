//! Whether values make sense: status and id, also against the file's name, confidence, contexts.

use ftl_model::{Status, WorkspaceName};

use super::Findings;
use crate::ElementRef;
use crate::lower::number;
use ftl_text::quote;

/// Identity, confidence and contexts.
pub(super) fn check(
    root: ElementRef<'_, '_>,
    name: Option<&WorkspaceName>,
    findings: &mut Findings,
) {
    identity(root, name, findings);
    confidence(root, findings);
    contexts(root, findings);
}

/// Status, ID and dependencies, also against the file's name.
fn identity(root: ElementRef<'_, '_>, name: Option<&WorkspaceName>, findings: &mut Findings) {
    let place =
        |attribute: &str| root.attribute_place(attribute).unwrap_or_else(|| root.tag_place());
    let status = root.attribute("status");
    let words = Status::ALL.map(Status::as_str);
    match (status.as_deref(), name) {
        (None, _) => findings.error(
            place("status"),
            "workspace::status",
            "the status is missing",
            "write `status=\"active\"`",
        ),
        (Some(word), _) if !words.contains(&word) => findings.error(
            place("status"),
            "workspace::status",
            format!("unknown status `{}`", quote(word)),
            format!("it is one of: {}", words.join(", ")),
        ),
        // An error and not a warning: tools find tasks by the name, and read the status from inside.
        (Some(word), Some(name)) if word != name.status.as_str() => findings.error(
            place("status"),
            "workspace::status",
            format!("the status is `{word}`, the file's name says `{}`", name.status),
            "make them agree",
        ),
        (Some(_), _) => {}
    }
    let Some(name) = name else { return };
    let expected = name.id.attribute();
    // Only a warning: a task is found by its file's name, and not by this attribute.
    if root.attribute("id").as_deref() != Some(expected.as_str()) {
        findings.warning(
            place("id"),
            "workspace::id",
            format!("the id is not `{expected}` as in the file name"),
            "the file name takes precedence: write the same id",
        );
    }
    let depends = root.attribute("depends").unwrap_or_default();
    if depends.split_whitespace().any(|seq| seq == name.id.seq()) {
        findings.error(
            place("depends"),
            "workspace::depends",
            "the task depends on itself",
            "remove its own number",
        );
    }
}

fn confidence(root: ElementRef<'_, '_>, findings: &mut Findings) {
    let element = root.child("framework_confidence");
    let own = element.and_then(|e| Some((number(&e.text()?)?, e.text_place())));
    let carried = root.child("idioms").and_then(|e| {
        let value = number(&e.attribute("confidence")?)?;
        Some((value, e.attribute_place("confidence")?))
    });
    for (value, place) in own.into_iter().chain(carried) {
        if !(0.0..=1.0).contains(&value) {
            findings.warning(
                place,
                "workspace::confidence",
                format!("the confidence {value} is not between 0 and 1"),
                "ftl uses the nearer of the two",
            );
        }
    }
}

fn contexts(root: ElementRef<'_, '_>, findings: &mut Findings) {
    for context in root.children_named("code_context") {
        if context.attribute("path").is_none() {
            findings.warning(
                context.tag_place(),
                "workspace::code_context",
                "the code context names no file",
                "write its `path`: without it ftl cannot check the exports",
            );
        }
    }
}
