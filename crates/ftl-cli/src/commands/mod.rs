//! The commands, one a file.

use std::path::{Path, PathBuf};

use ftl_engine::project::{Layout, WorkspaceFile, state_directory};
use ftl_engine::refuse_building;
use ftl_engine::run::{Implementer, Settings};

use crate::config::Config;
use crate::failure::Failure;

pub(crate) mod agents;
pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod clean;
pub(crate) mod commit;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod create;
mod delta;
pub(crate) mod doctor;
pub(crate) mod drop;
pub(crate) mod edit;
pub(crate) mod hook;
pub(crate) mod idioms;
pub(crate) mod init;
pub(crate) mod knowledge;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod new;
pub(crate) mod plan;
pub(crate) mod preflight;
pub(crate) mod reopen;
pub(crate) mod report;
pub(crate) mod scout;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod take;
pub(crate) mod validate;
#[cfg_attr(not(feature = "workers"), path = "without_workers.rs")]
pub(crate) mod worker;
pub(crate) mod workspace;

/// Settings of a command that changes the project and asks no implementer.
pub(crate) fn settings_of(root: &Path, config: Config) -> Settings {
    let mut settings = Settings::new(root.to_owned(), Implementer::Tree { base: None });
    settings.layout = settings.layout.with_state(state_directory());
    settings.tree = config.tree;
    settings
}

/// Refuses to write into a project's `.ftl` from within a request.
pub(crate) fn may_write(layout: &Layout) -> Result<(), Failure> {
    refuse_in_request(layout.root())
}

/// The same, to end a task or to reopen it: not while another command builds it, or is going to.
pub(crate) fn may_change(task: &WorkspaceFile) -> Result<(), Failure> {
    may_write(&task.layout)?;
    Ok(refuse_building(&task.layout, task.id())?)
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
