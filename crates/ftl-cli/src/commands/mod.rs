//! The commands, one a file.

use std::path::{Path, PathBuf};

use ftl_engine::project::{Layout, WorkspaceFile};
use ftl_engine::{StoreLock, hold_store, refuse_building};

use crate::failure::Failure;
use crate::output;
use crate::render::reporter::waiting_for;

pub(crate) mod agents;
pub(crate) mod build;
pub(crate) mod clean;
pub(crate) mod completions;
pub(crate) mod create;
mod delta;
pub(crate) mod doctor;
pub(crate) mod drop;
pub(crate) mod graph;
pub(crate) mod hook;
pub(crate) mod idioms;
pub(crate) mod init;
pub(crate) mod knowledge;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod new;
pub(crate) mod preflight;
pub(crate) mod reopen;
pub(crate) mod report;
pub(crate) mod scout;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod validate;
pub(crate) mod worker;
pub(crate) mod workspace;

/// The right to write into a project's `.ftl`, until the returned value is dropped: not from within a request, and
/// not during one without isolation.
pub(crate) fn may_write(layout: &Layout, wait: bool) -> Result<StoreLock, Failure> {
    refuse_in_request(layout.root())?;
    Ok(hold_store(layout, wait, |holder| output::message(&waiting_for(holder)))?)
}

/// The same, to end a task or to reopen it: not while another command builds it, or is going to.
pub(crate) fn may_change(task: &WorkspaceFile, wait: bool) -> Result<StoreLock, Failure> {
    let store = may_write(&task.layout, wait)?;
    refuse_building(&task.layout, task.id())?;
    Ok(store)
}

/// Refuses to write a project's `.ftl` from within a request of a build there: the implementer makes no
/// tasks and seals none. What it starts has the variables of its request; other projects are none of its
/// business, as where a test suite runs ftl.
pub(crate) fn refuse_in_request(root: &Path) -> Result<(), Failure> {
    let asked = std::env::var_os("FTL_REQUEST").and(std::env::var_os("FTL_ROOT"));
    let Some(asked) = asked.map(PathBuf::from) else {
        return Ok(());
    };
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (root, asked) = (real(root), real(&asked));
    if !root.starts_with(&asked) && !asked.starts_with(&root) {
        return Ok(());
    }
    Err(Failure::usage(
        "usage::in_request",
        format!(
            "a build in `{}` is waiting for this command's implementer, which makes and finishes no tasks",
            asked.display()
        ),
    )
    .help("name what is needed in the reply (`needs`), or run this after the build has ended"))
}
