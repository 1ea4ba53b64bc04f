//! READ, in the world: the document is parsed, and what PLAN needs is kept.

use ftl_model::{Workspace, WorkspaceName};
use ftl_xml::{ReadError, terminal_text};
use serde_json::{Value, json};

use super::world::World;
use crate::machine::Event;
use crate::machine::event::{WorkspaceRead, WorkspaceRefused};

pub(super) fn read(world: &mut World<'_>) -> Event {
    match parse(&world.bytes) {
        Ok(workspace) => {
            let read = found(&workspace, &world.path);
            world.workspace = workspace;
            Event::WorkspaceRead(Box::new(read))
        }
        Err(error) => Event::WorkspaceRefused(WorkspaceRefused {
            code: error.fault.code().to_owned(),
            message: place(&error),
        }),
    }
}

/// What the document says, or the first reason why it says nothing.
pub(super) fn parse(bytes: &[u8]) -> Result<Workspace, ReadError> {
    let document = ftl_xml::read(bytes)?;
    document.workspace().map_err(|errors| {
        errors
            .into_iter()
            .next()
            .expect("because a refusal has at least one reason")
    })
}

/// The task as a document states it, for whoever follows the events; null where it can't be read.
pub(super) fn plan_json(bytes: &[u8]) -> Value {
    let Ok(workspace) = parse(bytes) else {
        return Value::Null;
    };
    json!({
        "delta": workspace.delta,
        "verify": workspace.verify,
        "verify_source": workspace.verify_source,
        "preflight": workspace.preflight,
        "budget": workspace.budget,
    })
}

fn place(error: &ReadError) -> String {
    let at = error.place;
    let message = terminal_text(error.fault.to_string().as_bytes());
    format!("line {}, column {}: {message}", at.line, at.column)
}

fn found(workspace: &Workspace, path: &std::path::Path) -> WorkspaceRead {
    let trimmed = |text: &Option<String>| one_line(text.as_deref().unwrap_or_default());
    let mut warnings = Vec::new();
    warnings.extend(other_id(workspace, path));
    warnings.extend(odd_confidence(workspace));
    WorkspaceRead {
        status: workspace.status.clone(),
        budget: workspace.budget,
        delta: workspace.delta.iter().map(trimmed).collect(),
        verify: workspace.verify.trim().to_owned(),
        framework: workspace.framework().map(one_line),
        confidence: workspace.framework_confidence,
        warnings,
    }
}

/// Text of others on one line of ours.
pub(super) fn one_line(text: &str) -> String {
    terminal_text(text.trim().as_bytes()).replace('\n', "\u{2424}")
}

fn other_id(workspace: &Workspace, path: &std::path::Path) -> Option<String> {
    let name: WorkspaceName = path.file_name()?.to_str()?.parse().ok()?;
    let id = workspace.id.as_deref()?;
    let differs = id != name.id.as_str() && id != name.id.attribute();
    differs.then(|| {
        format!(
            "the id attribute `{}` is not the file's `{}`, which holds",
            one_line(id),
            name.id
        )
    })
}

fn odd_confidence(workspace: &Workspace) -> Option<String> {
    let confidence = workspace.framework_confidence?;
    let clamped = confidence.clamp(0.0, 1.0);
    let odd = (confidence - clamped).abs() > 0.0;
    odd.then(|| {
        format!("the framework confidence {confidence} is outside 0..1: taken as {clamped}")
    })
}
