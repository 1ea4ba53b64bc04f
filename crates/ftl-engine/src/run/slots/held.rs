//! What a slot holds while no build works in it: the copy with its build outputs, and the work of a run that was cut
//! off.

use std::path::{Path, PathBuf};

use ftl_model::{WorkspaceId, WorkspaceName};
use ftl_store::{Lock, StoreError};
use ftl_tree::slot::{Slot, slots_in};

use crate::run::Fault;

/// A slot that has a copy.
#[derive(Clone, Debug)]
pub(in crate::run) struct HeldSlot {
    pub(in crate::run) number: u32,
    dir: PathBuf,
}

/// The slots in the directory of a project's slots.
pub(in crate::run) fn held(dir: &Path) -> Result<Vec<HeldSlot>, Fault> {
    let slots = slots_in(dir)?.into_iter().map(|(number, dir)| HeldSlot { number, dir });
    Ok(slots.filter(|slot| slot.copy().is_dir()).collect())
}

impl HeldSlot {
    pub(in crate::run) fn copy(&self) -> PathBuf {
        self.dir.join("copy")
    }

    /// The task of the run whose work the copy holds.
    pub(in crate::run) fn task(&self) -> Option<WorkspaceId> {
        let run = super::owner_in(&self.dir)?;
        let (task, _) = run.split_once('/')?;
        let name: Result<WorkspaceName, _> = format!("{task}_active.xml").parse();
        name.ok().map(|name| name.id)
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
        super::forget_owner(&self.dir)?;
        Ok(Slot::open(&self.copy(), self.number)?.remove()?)
    }
}
