//! The check at the end of a build of several tasks, and the branch of `--commit`.

use std::path::Path;
use std::rc::Rc;

use ftl_engine::project::branch_of;
use ftl_engine::run::{Settings, commit_owed as commit_owed_in, owes_commits};
use ftl_engine::tasks::{Watcher, check_at_end};

use super::several::Several;
use crate::args::{BuildOptions, CheckArg};
use crate::failure::Failure;
use crate::output;

/// Whether verify commands run once more at the end: by default where more than one task is meant.
pub(super) fn is_wanted(
    options: &BuildOptions,
    configured: Option<bool>,
    are_several: bool,
) -> bool {
    let wanted = options.check.map(|check| check == CheckArg::End);
    !options.dry_run && wanted.or(configured).unwrap_or(are_several)
}

/// Makes the checks that are due in the projects of these settings.
pub(super) fn make<'s>(
    settings: impl Iterator<Item = &'s Rc<Settings>>,
    options: &BuildOptions,
    several: &mut Several<'_>,
) {
    for settings in settings.filter(|settings| settings.series.is_checked) {
        if ftl_process::interrupted().is_none() {
            several.begins_checks();
            let made = check_at_end(settings, several.reporter());
            several.checked(made, options, settings);
        }
    }
}

/// Makes the commits that a kill or a hook prevented. Reported as they are made: no task of this command has them.
pub(super) fn commit_owed<'s>(
    settings: impl Iterator<Item = &'s Rc<Settings>>,
    several: &mut Several<'_>,
) -> Result<(), Failure> {
    for settings in settings.filter(|settings| owes_commits(settings)) {
        for made in commit_owed_in(settings, &[], several.reporter())? {
            let task = made.task.as_str();
            if let Some(commit) = &made.commit {
                output::message(&format!(
                    "{task} is committed: {} on {}",
                    commit.id, commit.branch
                ));
            }
            for warning in &made.warnings {
                output::warn(&format!("{task}: {warning}"));
            }
        }
    }
    Ok(())
}

/// The branch that `--commit` commits on.
pub(super) fn branch(
    options: &BuildOptions,
    configured: bool,
    root: &Path,
) -> Result<Option<String>, Failure> {
    if options.dry_run || !(options.commit || configured) {
        return Ok(None);
    }
    let failed = |message: String| {
        Failure::usage("usage::commit", message)
            .help("check out a branch of a git repository, or leave `--commit` out")
    };
    let branch = branch_of(root).map_err(|error| failed(format!("cannot run git: {error}")))?;
    match branch {
        None if options.commit => {
            Err(failed(format!("no branch is checked out in `{}`", root.display())))
        }
        None => {
            output::warn(&"`[build] commit` does nothing here: no branch is checked out");
            Ok(None)
        }
        branch => Ok(branch),
    }
}
