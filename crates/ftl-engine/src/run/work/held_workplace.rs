//! What a workplace holds while no build works in it: the copy with its build outputs.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_store::{Layout, Lock, Operation, StoreError, unless_missing};
use ftl_tree::workplace::{remove_dir, workplaces_in};

use crate::run::{Fault, Settings};

/// The name of the file that has the root's path.
pub(in crate::run) const PROJECT: &str = "project";

/// All workplaces of a user, by project.
pub(in crate::run) fn all_dirs(private: &Path) -> PathBuf {
    private.join("workplaces")
}

/// The workplaces of a project.
///
/// # Errors
/// [`Fault::NoStateDirectory`].
pub(in crate::run) fn dir(settings: &Settings, layout: &Layout) -> Result<PathBuf, Fault> {
    let private = settings.layout.private_dir().ok_or(Fault::NoStateDirectory)?;
    Ok(all_dirs(&private).join(layout.key()))
}

/// The run whose request may be under way in a workplace.
pub(in crate::run) fn owner_in(dir: &Path) -> Option<String> {
    Some(fs::read_to_string(dir.join("owner")).ok()?.trim_end().to_owned())
}

pub(in crate::run) fn forget_owner(dir: &Path) -> Result<(), Fault> {
    let path = dir.join("owner");
    let removed = unless_missing(fs::remove_file(&path));
    Ok(removed.map_err(|error| Operation::Remove.failed(&path, error))?)
}

/// A workplace that has a copy.
#[derive(Clone, Debug)]
pub(in crate::run) struct HeldWorkplace {
    pub(in crate::run) number: u32,
    dir: PathBuf,
}

/// The workplaces in the directory of a project's.
pub(in crate::run) fn held(dir: &Path) -> Result<Vec<HeldWorkplace>, Fault> {
    let found = workplaces_in(dir)?.into_iter();
    let held = found.map(|(number, dir)| HeldWorkplace { number, dir });
    Ok(held.filter(|held| held.copy().is_dir()).collect())
}

impl HeldWorkplace {
    pub(in crate::run) fn copy(&self) -> PathBuf {
        self.dir.join("copy")
    }

    /// The task of the run whose request did not come to its end.
    pub(in crate::run) fn interrupted_task(&self) -> Option<String> {
        owner_in(&self.dir)?.split_once('/').map(|(task, _)| task.to_owned())
    }

    /// The right to work in it; `None` while a build does.
    pub(in crate::run) fn lock(&self) -> Result<Option<Lock>, Fault> {
        match Lock::slot(&self.dir.join("lock"), self.number) {
            Err(StoreError::Held { .. }) => Ok(None),
            lock => Ok(Some(lock?)),
        }
    }

    /// Removes all but the lock file, as its lock's holder.
    pub(in crate::run) fn remove(&self) -> Result<(), Fault> {
        forget_owner(&self.dir)?;
        Ok(remove_dir(&self.copy())?)
    }
}
