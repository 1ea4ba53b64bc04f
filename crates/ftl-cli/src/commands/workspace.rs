//! `ftl workspace …`: task files, read and sealed by hand.

use ftl_model::{Digest, Status, Utilized};
use ftl_store::{Lock, OsFiles, Runs, Waiting, finish_residue, seal};
use ftl_xml::{Document, Element, Seal};
use serde::Deserialize;

use crate::args::{BlockArgs, CompleteArgs, ParseArgs};
use crate::failure::Failure;
use ftl_engine::project::sealed_status;

use crate::workspace_file::{self, WorkspaceFile};
use crate::{Done, output};

/// Prints what a task file says.
pub(crate) fn parse(args: &ParseArgs) -> Done {
    let bytes = workspace_file::read(&args.path)?;
    let document = workspace_file::document(&args.path, &bytes)?;
    let workspace = document.workspace().map_err(|errors| {
        let failures = errors
            .iter()
            .map(|error| workspace_file::unreadable(&args.path, &bytes, error));
        Failure::of_all(failures).expect("because what cannot be read has a reason")
    })?;
    let mut value = ftl_xml::parse_json(&workspace, args.full);
    if args.full {
        value["run"] = ftl_xml::runs_json(&document);
    }
    output::json(&value).map(|()| 0)
}

/// Seals a task as complete.
pub(crate) fn complete(args: &CompleteArgs) -> Done {
    let utilized = args.utilized.as_deref().map(utilized).transpose()?;
    let task = WorkspaceFile::of_path(&args.path, None)?;
    let record = by_hand(
        &task,
        Status::Complete,
        &args.delivered,
        utilized.unwrap_or_default(),
    )?;
    output::result(&format!("Completed: {record}\n")).map(|()| 0)
}

/// Seals a task as blocked.
pub(crate) fn block(args: &BlockArgs) -> Done {
    let task = WorkspaceFile::of_path(&args.path, None)?;
    let reason = format!("BLOCKED: {}", args.reason);
    let record = by_hand(&task, Status::Blocked, &reason, Vec::new())?;
    output::result(&format!("Blocked: {record}\n")).map(|()| 0)
}

/// Writes the record and gives its path.
fn by_hand(
    task: &WorkspaceFile,
    status: Status,
    delivered: &str,
    utilized: Vec<Utilized>,
) -> Result<String, Failure> {
    task.layout.prepare(&OsFiles)?;
    let lock = Lock::task(&OsFiles, &task.layout, &task.path, Waiting::Refuse)?;
    if let Some(warning) = lock.warning() {
        output::tell(&format!("warning: {warning}"));
    }
    if let Some(record) = finish_residue(&OsFiles, &task.path, sealed_status)? {
        let message = format!(
            "`{}` was already sealed: it is `{}` now",
            task.path.display(),
            record.display()
        );
        return Err(Failure::usage("usage::workspace_finished", message));
    }
    let bytes = workspace_file::read(&task.path)?;
    let document = workspace_file::document(&task.path, &bytes)?;
    refuse_other_status(task, &document, &bytes)?;
    let at = ftl_engine::now();
    let record = ftl_xml::seal(
        &document,
        &Seal {
            status,
            run: run_element(status, &at, &bytes),
            at,
            delivered: delivered.to_owned(),
            utilized,
        },
    );
    workspace_file::document(&task.path, &record)?;
    let path = seal(&OsFiles, &task.path, status, &record)?;
    Runs::new(&OsFiles, &task.layout, &task.name.id).finish_all()?;
    Ok(path.display().to_string())
}

/// A document that says it is finished, under the name of an active one, is for its owner to mend.
fn refuse_other_status(
    task: &WorkspaceFile,
    document: &Document<'_>,
    bytes: &[u8],
) -> Result<(), Failure> {
    let root = document.root();
    let status = root.attribute("status");
    match (status.as_deref(), std::str::from_utf8(bytes)) {
        (Some(status), Ok(text)) if status != Status::Active.as_str() => {
            let place = root
                .attribute_place("status")
                .unwrap_or_else(|| root.tag_place());
            Err(Failure::usage(
                "usage::workspace_not_active",
                format!("the status is `{status}`, not `active`"),
            )
            .help("let the name and the status agree")
            .at(&task.path, text, place))
        }
        (Some(_) | None, _) => Ok(()),
    }
}

/// The account of a sealing without a run.
fn run_element(status: Status, at: &str, bytes: &[u8]) -> Element {
    Element::new("run")
        .attribute("version", env!("CARGO_PKG_VERSION"))
        .attribute("by", "hand")
        .attribute("outcome", status)
        .attribute("ended_at", at)
        .attribute("workspace_sha256", Digest::of(bytes))
}

/// `--utilized`.
#[derive(Deserialize)]
struct Entry {
    name: String,
    #[serde(rename = "type", default = "failure")]
    kind: String,
}

fn failure() -> String {
    "failure".to_owned()
}

fn utilized(text: &str) -> Result<Vec<Utilized>, Failure> {
    let entries: Vec<Entry> = serde_json::from_str(text).map_err(|error| {
        Failure::usage(
            "usage::utilized",
            format!("`--utilized` cannot be read: {error}"),
        )
        .help("write a list such as `[{\"name\": \"import-order\", \"type\": \"failure\"}]`")
    })?;
    Ok(entries
        .into_iter()
        .map(|entry| Utilized {
            name: Some(entry.name),
            kind: entry.kind,
        })
        .collect())
}
