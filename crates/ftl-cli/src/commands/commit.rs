//! `ftl commit`: the commits of `ftl build --commit` that a kill, a hook or staged work prevented.

use ftl_engine::project::{WorkspaceFile, branch_of, find};
use ftl_engine::run::{NullReporter, commit_owed};
use ftl_model::Status;

use super::{may_write, settings_of};
use crate::args::CommitArgs;
use crate::config::Config;
use crate::exit::FAILED;
use crate::failure::Failure;
use crate::{CommandResult, globals, output};

/// Makes the commits that are due on the branch that is checked out.
pub(crate) fn run(args: &CommitArgs) -> CommandResult {
    let mut tasks = Vec::new();
    for named in &args.workspaces {
        let task = WorkspaceFile::find_of(named, globals::root(), &[Status::Complete])?;
        tasks.push(task.id().clone());
    }
    let layout = find(globals::root(), args.workspaces.first().map(AsRef::as_ref))?;
    may_write(&layout)?;
    let root = layout.root().to_owned();
    let config = Config::load(globals::config(), &root)?;
    let mut settings = settings_of(&root, config);
    settings.series.commit = branch_of(&root).ok().flatten();
    let made = commit_owed(&settings, &tasks, &mut NullReporter)?;
    if made.is_empty() {
        return Err(Failure::usage("usage::commit", "no commit is due on this branch")
            .help("`ftl build --commit` commits each task as it completes"));
    }
    let mut exit = 0;
    for one in &made {
        match &one.commit {
            Some(commit) => {
                output::did("Committed", format!("{} {}", one.task, commit.id))?;
            }
            None if one.warnings.is_empty() => {
                output::message(&format!("{} has nothing left to commit", one.task));
            }
            None => exit = FAILED,
        }
        for warning in &one.warnings {
            output::warn(&format!("{}: {warning}", one.task));
        }
    }
    Ok(exit)
}
