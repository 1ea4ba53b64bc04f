//! `ftl drop`: a task is given up. Its file stays as the record, so that its number is not used again.

use ftl_engine::author::seal::{Ending, seal};
use ftl_engine::project::{WorkspaceFile, display_path};
use ftl_engine::status::status;
use ftl_model::Status;

use super::may_change;
use crate::args::DropArgs;
use crate::{CommandResult, globals, output};

/// Seals the task as dropped, and names the tasks that can't be built any more.
pub(crate) fn run(args: &DropArgs) -> CommandResult {
    let wanted = [Status::Active, Status::Blocked];
    let workspace = WorkspaceFile::find_of(&args.workspace, globals::root(), &wanted)?;
    may_change(&workspace)?;
    let sealed = seal(&workspace, Ending::Dropped)?;
    if let Some(warning) = sealed.warning {
        output::warn(&warning);
    }
    let id = workspace.id();
    for entry in status(&workspace.layout)? {
        if entry.waits_for.iter().any(|seq| seq.as_str() == id.seq()) {
            let dependant = &entry.name.id;
            output::warn(&format!(
                "`{dependant}` depends on `{id}`, and can't be built any more: drop it too, or `ftl reopen {id}`"
            ));
        }
    }
    output::did("Dropped", output::path(&display_path(&sealed.record))).map(|()| 0)
}
