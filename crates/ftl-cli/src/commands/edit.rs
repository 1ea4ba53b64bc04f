//! `ftl edit`: an active task changes by the options of `ftl reopen`.

use ftl_engine::author::reopen::{Surroundings, edit};
use ftl_engine::project::{WorkspaceFile, display_path};
use ftl_model::Status;

use super::{may_change, reopen};
use crate::args::EditArgs;
use crate::config::Config;
use crate::{CommandResult, globals, output};

/// Changes the task file, and says what was changed.
pub(crate) fn run(args: &EditArgs) -> CommandResult {
    let wanted = Status::ALL;
    let workspace = WorkspaceFile::find_of(&args.workspace, globals::root(), &wanted)?;
    may_change(&workspace)?;
    let config = Config::load(globals::config(), workspace.layout.root())?;
    let task = reopen::task(&args.change, workspace.layout.root())?;
    let around = Surroundings { scope: &config.tree, verify_env: &config.verify.env };
    let edited = edit(&workspace, &task, around)?;
    for line in &edited.done {
        output::note(line);
    }
    for warning in &edited.warnings {
        output::warn(warning);
    }
    let path = output::path(&display_path(&edited.path));
    let word = if edited.done.is_empty() { "Unchanged" } else { "Edited" };
    output::did(word, path).map(|()| 0)
}
