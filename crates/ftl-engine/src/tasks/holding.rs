//! The right to build, of one command at a time in each root.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ftl_model::WorkspaceId;
use ftl_store::{Lock, OsFiles, StoreError, Waiting};

use super::Job;
use crate::run::Reporter;

/// The right to build, of one command at a time in each root, until it is dropped. `None` after a wait: the other
/// command may have built the tasks.
///
/// # Errors
/// [`StoreError::Held`] while another command builds, unless the settings say to wait.
pub fn hold_build(
    jobs: &[Job],
    reporter: &mut dyn Reporter,
) -> Result<Option<Vec<Lock>>, StoreError> {
    let mut has_waited = false;
    let mut roots: BTreeMap<PathBuf, Vec<&Job>> = BTreeMap::new();
    for job in jobs {
        roots.entry(job.workspace.layout.root().to_owned()).or_default().push(job);
    }
    let hold = |jobs: Vec<&Job>| {
        let (settings, layout) = (&jobs[0].settings, &jobs[0].settings.layout);
        let mut wait = |holder| {
            has_waited = true;
            reporter.waiting(holder)
        };
        layout.prepare(&OsFiles)?;
        let tasks: Vec<&WorkspaceId> = jobs.iter().map(|job| job.workspace.id()).collect();
        let waiting = if settings.start.wait { Waiting::While(&mut wait) } else { Waiting::Refuse };
        Lock::building(layout, &tasks, waiting)
    };
    let held: Vec<Lock> = roots.into_values().map(hold).collect::<Result<_, _>>()?;
    Ok((!has_waited).then_some(held))
}
