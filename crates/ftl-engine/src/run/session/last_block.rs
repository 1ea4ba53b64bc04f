//! What a record says of the run that blocked its task last, for a person who goes on, or the next
//! implementer.

use ftl_model::Digest;
use ftl_xml::{ElementRef, HANDOFF};

use crate::record::verify_result;
use crate::result::VerifyResult;

/// How a task was blocked last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LastBlock {
    /// The number of the run; `None` of a manual block.
    pub(crate) number: Option<u64>,
    /// The kind of block; empty of a manual block.
    pub(crate) kind: String,
    /// Its error line.
    pub(crate) error: String,
    /// What was tried.
    pub(crate) tried: String,
    /// What was not known.
    pub(crate) unknown: String,
    /// Its last verify, where that failed.
    pub(crate) verify: Option<VerifyResult>,
    /// The delta files that it touched, as it left them.
    pub(crate) files: Vec<LastFile>,
    /// What it changed outside the delta.
    pub(crate) strays: Vec<String>,
    /// What was delivered, where it completed the task.
    pub(crate) delivered: String,
    /// What verifies printed that passed, in any run.
    passing: Vec<String>,
}

/// A delta file as a run left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LastFile {
    /// Below the root.
    pub(crate) path: String,
    /// How it differed from before.
    pub(crate) change: String,
    /// Of its bytes; `None` where it was gone.
    pub(crate) sha256: Option<Digest>,
}

impl LastBlock {
    /// What the document says; `None` where no run blocked it last.
    pub(crate) fn of(root: ElementRef<'_, '_>) -> Option<Self> {
        let runs: Vec<ElementRef<'_, '_>> = root.children_named("run").collect();
        let passing = runs.iter().flat_map(|run| run.children_named("verified"));
        let passing: Vec<String> = passing
            .filter(|verified| verified.string("passed").unwrap_or_default() == "true")
            .map(|verified| verify_result(verified).output)
            .collect();
        let delivered = || root.child_text("delivered").unwrap_or_default();
        let is_account =
            |run: &&ElementRef<'_, '_>| run.attribute("outcome").as_deref() != Some("dropped");
        let Some(run) = runs.iter().rfind(is_account) else {
            let error = first_line(&delivered())?;
            return Some(Self { error, ..Self::default() });
        };
        let outcome = run.string("outcome").unwrap_or_default();
        if outcome == "complete" {
            return Some(Self {
                number: run.parsed("number"),
                delivered: run.child_text(HANDOFF).unwrap_or_default(),
                files: run.children_named("file").map(file).collect(),
                passing,
                ..Self::default()
            });
        }
        if outcome != "blocked" {
            return None;
        }
        let handoff = run.child(HANDOFF).map(|_| run.child_text(HANDOFF).unwrap_or_default());
        let handoff = handoff.unwrap_or_else(delivered);
        let block = run.child("block");
        let of_block = |name: &str| {
            block.map(|block| block.child_text(name).unwrap_or_default()).unwrap_or_default()
        };
        let error = Some(of_block("error")).filter(|error| !error.is_empty());
        let verified = run.children_named("verified").last();
        Some(Self {
            number: run.parsed("number"),
            kind: block.map(|block| block.string("kind").unwrap_or_default()).unwrap_or_default(),
            error: error.or_else(|| first_line(&handoff)).unwrap_or_default(),
            tried: of_block("tried"),
            unknown: of_block("unknown"),
            verify: verified
                .filter(|run| run.string("passed").unwrap_or_default() == "false")
                .map(verify_result),
            files: run.children_named("file").map(file).collect(),
            strays: run
                .children_named("stray")
                .map(|stray| stray.string("path").unwrap_or_default())
                .collect(),
            delivered: String::new(),
            passing,
        })
    }

    /// What verifies printed that passed.
    pub(crate) fn passing(&self) -> impl Iterator<Item = &str> {
        self.passing.iter().map(String::as_str)
    }
}

fn file(file: ElementRef<'_, '_>) -> LastFile {
    LastFile {
        path: file.string("path").unwrap_or_default(),
        change: file.string("change").unwrap_or_default(),
        sha256: file.parsed("sha256"),
    }
}

/// The text after `BLOCKED:` in the first line of a hand-off.
fn first_line(handoff: &str) -> Option<String> {
    let line = handoff.trim_start().strip_prefix("BLOCKED:")?;
    let line = line.lines().find(|line| !line.trim().is_empty())?;
    Some(line.trim().to_owned())
}
