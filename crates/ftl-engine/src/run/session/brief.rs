//! The workspace, read once.
//!
//! A document is parsed when a build begins, and what the stages need of it is made here, in the form
//! in which they need it. Nothing later trims a text, splits a list or parses a path of the document
//! again. What no stage needs in another form stays in [`Workspace`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ftl_model::{DeltaPath, DeltaPathProblem, Digest, Failure, Workspace};
use ftl_xml::{Document, ReadError};

use super::last_block::LastBlock;
use crate::project::normalised;

/// A workspace file as it was read.
pub(in crate::run) struct Source<'b> {
    /// The file, as it was named.
    pub(in crate::run) path: PathBuf,
    /// Its bytes.
    pub(in crate::run) bytes: &'b [u8],
    /// Their digest.
    pub(in crate::run) sha256: Digest,
    /// What the bytes say, or the first reason why they say nothing.
    pub(in crate::run) content: Result<Content<'b>, ReadError>,
}

/// A document that could be read.
pub(in crate::run) struct Content<'b> {
    /// The document, for splicing the record into it.
    pub(in crate::run) document: Document<'b>,
    /// What it says.
    pub(in crate::run) brief: Brief,
}

/// What the stages of a run need of the document.
#[derive(Debug)]
pub(in crate::run) struct Brief {
    /// What the document says, as written; the failures that the project shares come after its own.
    pub(in crate::run) workspace: Workspace,
    /// How many of the failures are the document's own.
    pub(in crate::run) own_failures: usize,
    /// The delta's paths, in the order of the document.
    pub(in crate::run) delta: Vec<Result<DeltaPath, DeltaPathProblem>>,
    /// The files that the planner saw.
    pub(in crate::run) seen: BTreeSet<DeltaPath>,
    /// The verify command, trimmed.
    pub(in crate::run) verify: String,
    /// The test to read first, trimmed and normalised.
    pub(in crate::run) verify_source: Option<String>,
    /// The extra preflight commands, trimmed, without empty ones.
    pub(in crate::run) preflight: Vec<String>,
    /// How the task was blocked last, where it was reopened.
    pub(in crate::run) last: Option<LastBlock>,
}

impl<'b> Source<'b> {
    /// Parses `bytes`, which were read from `path`; `shared` are the project's failures.
    pub(in crate::run) fn parse(path: &Path, bytes: &'b [u8], shared: &[Failure]) -> Self {
        Self {
            path: path.to_owned(),
            bytes,
            sha256: Digest::of(bytes),
            content: content(bytes, shared),
        }
    }

    /// What the document says; nothing where it could not be read.
    pub(in crate::run) fn brief(&self) -> Option<&Brief> {
        self.content.as_ref().ok().map(|content| &content.brief)
    }
}

fn content<'b>(bytes: &'b [u8], shared: &[Failure]) -> Result<Content<'b>, ReadError> {
    let document = ftl_xml::read(bytes)?;
    let workspace = document.workspace().map_err(|errors| {
        let first = errors.into_iter().next();
        first.expect("because a refusal has at least one reason")
    })?;
    let brief = Brief::of(workspace, shared, LastBlock::of(document.root()));
    Ok(Content { document, brief })
}

impl Brief {
    fn of(mut workspace: Workspace, shared: &[Failure], last: Option<LastBlock>) -> Self {
        let own_failures = workspace.failures().len();
        if !shared.is_empty() {
            let known = workspace.prior_knowledge.get_or_insert_default();
            known.failures.extend_from_slice(shared);
        }
        let delta = workspace.delta.iter();
        let delta = delta.map(|text| DeltaPath::parse(text.as_deref().unwrap_or_default()));
        let contexts = workspace.code_contexts.iter();
        let seen = contexts.filter_map(|context| DeltaPath::parse(context.path.as_deref()?).ok());
        let source = workspace.verify_source.trim();
        let commands = workspace.preflight.iter().flatten().map(|text| text.trim());
        Self {
            delta: delta.collect(),
            seen: seen.collect(),
            verify: workspace.verify.trim().to_owned(),
            verify_source: (!source.is_empty()).then(|| normalised(source)),
            preflight: commands.filter(|text| !text.is_empty()).map(str::to_owned).collect(),
            workspace,
            own_failures,
            last,
        }
    }

    /// The delta's paths that can be built on.
    pub(in crate::run) fn paths(&self) -> impl Iterator<Item = &DeltaPath> {
        self.delta.iter().flatten()
    }
}
