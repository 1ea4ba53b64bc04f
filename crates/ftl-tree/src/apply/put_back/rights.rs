//! Rights of directories: opened to their owner while something in them is put back, and given back afterwards.

use std::collections::BTreeSet;

use super::passes::{Passes, give_attributes};
use super::{OWNER_MAY_ALL, is_dir};
use crate::RelPath;
use crate::compare::classify::Difference;
use crate::openat::is_gone;

impl Passes<'_> {
    /// Lets the owner change a directory whose content or mode differs. Where that fails, so will what
    /// comes next, which says so.
    pub(super) fn make_writable(&self, difference: &Difference) {
        if let Some(now) = difference.now.as_ref().filter(|now| is_dir(now))
            && now.permissions() & OWNER_MAY_ALL != OWNER_MAY_ALL
        {
            let place = self.tree.at(&difference.path);
            let _ = place.set_permissions(now.permissions() | OWNER_MAY_ALL);
        }
    }

    /// Opens the unchanged directories around what is put back to their owner. Root needs no right.
    pub(super) fn open_parents(&mut self) {
        if rustix::process::geteuid().is_root() {
            return;
        }
        let differing = self.differences.iter().map(|difference| &difference.path);
        let mut known: BTreeSet<RelPath> = differing.cloned().collect();
        for difference in self.differences {
            let (dir, _) = difference.path.split();
            if !known.insert(dir.clone()) {
                continue;
            }
            let place = self.tree.at(&dir);
            let stamp = place.stamp().ok().flatten().filter(is_dir);
            let mode = stamp.map(|stamp| stamp.permissions());
            if let Some(mode) = mode.filter(|mode| mode & OWNER_MAY_ALL != OWNER_MAY_ALL)
                && place.set_permissions(mode | OWNER_MAY_ALL).is_ok()
            {
                self.opened.push((dir, mode));
            }
        }
    }

    pub(super) fn close_parents(&mut self) {
        for (dir, mode) in std::mem::take(&mut self.opened) {
            let _ = self.tree.at(&dir).set_permissions(mode);
        }
    }

    /// Owner, attributes and mode: of directories, and of what was there all the time.
    pub(super) fn restore_rights(&mut self, difference: &Difference) {
        let Some(entry) = &difference.before else {
            return;
        };
        if !(is_dir(&entry.stamp) || difference.mode_only) {
            return;
        }
        let place = self.tree.at(&difference.path);
        let ids = entry.stamp.ids;
        let owned = match difference.now {
            Some(now) if now.ids == ids => Ok(()),
            Some(_) | None => place.set_ids(ids),
        };
        let done = owned
            .and_then(|()| give_attributes(&place, entry))
            .and_then(|()| place.set_permissions(entry.stamp.permissions()));
        match done {
            Ok(()) => self.restored(&difference.path),
            Err(error) if is_gone(&error) => {}
            Err(error) => self.fail(difference, error),
        }
    }
}
