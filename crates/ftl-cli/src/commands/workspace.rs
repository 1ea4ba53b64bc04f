//! `ftl workspace parse`, `complete` and `block`. The last two only parse options and render: the engine
//! seals.

use std::path::Path;

use ftl_engine::author::seal::{Ending, seal};
use ftl_engine::project::{WorkspaceFile, display_path, read};
use ftl_model::Utilized;
use ftl_xml::{ParsedWorkspace, runs_json};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::may_change;
use crate::args::{BlockArgs, CompleteArgs, ParseArgs};
use crate::failure::{self, Failure};
use crate::{CommandResult, output, workspace_file};

/// Prints what a task file says.
pub(crate) fn parse(args: &ParseArgs) -> CommandResult {
    let path = workspace_file::path_of(&args.path, None)?;
    let bytes = read(&path)?;
    let document = workspace_file::document(&path, &bytes)?;
    let workspace = document.workspace().map_err(|errors| {
        let failures = errors.iter().map(|error| failure::unreadable(&path, &bytes, error));
        Failure::of_all(failures).expect("because what cannot be read has a reason")
    })?;
    let parsed = Parsed {
        workspace: ParsedWorkspace::new(&workspace, args.full),
        run: args.full.then(|| runs_json(&document)),
    };
    output::document(&parsed).map(|()| 0)
}

/// A task file as JSON.
#[derive(Serialize)]
struct Parsed<'w> {
    #[serde(flatten)]
    workspace: ParsedWorkspace<'w>,
    /// The runs in a record, for `--full`.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<Value>,
}

/// Seals a task as complete.
pub(crate) fn complete(args: &CompleteArgs) -> CommandResult {
    let utilized = args.utilized.as_deref().map(utilized).transpose()?;
    let ending = Ending::Complete {
        delivered: output::redactor().text(&args.delivered),
        utilized: utilized.unwrap_or_default(),
    };
    sealed(&args.path, ending, "Completed")
}

/// Seals a task as blocked.
pub(crate) fn block(args: &BlockArgs) -> CommandResult {
    let reason = output::redactor().text(&args.reason);
    sealed(&args.path, Ending::Blocked { reason }, "Blocked")
}

/// Writes the record and says where it is.
fn sealed(path: &Path, ending: Ending, label: &str) -> CommandResult {
    let workspace = WorkspaceFile::find(path, None)?;
    may_change(&workspace)?;
    let sealed = seal(&workspace, ending)?;
    if let Some(warning) = sealed.warning {
        output::warn(&warning);
    }
    output::did(label, output::path(&display_path(&sealed.record))).map(|()| 0)
}

/// One entry of `--utilized`.
#[derive(Deserialize)]
struct UtilizedEntry {
    name: String,
    #[serde(rename = "type", default = "failure")]
    kind: String,
}

fn failure() -> String {
    "failure".to_owned()
}

fn utilized(text: &str) -> Result<Vec<Utilized>, Failure> {
    let entries: Vec<UtilizedEntry> = serde_json::from_str(text).map_err(|error| {
        Failure::usage("usage::utilized", format!("`--utilized` cannot be read: {error}"))
            .help("write a list such as `[{\"name\": \"import-order\", \"type\": \"failure\"}]`")
    })?;
    Ok(entries
        .into_iter()
        .map(|entry| Utilized { name: Some(entry.name), kind: entry.kind })
        .collect())
}
