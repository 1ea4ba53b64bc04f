//! Putting the tree back as a snapshot has it. What is found there instead is moved away, never
//! deleted, and stays with the run.
//!
//! The order of the passes is forced. A directory must be writable before something in it can be
//! moved. Things are moved away children first, so that a directory that only holds strays is empty
//! when its turn comes and can be removed; they are brought back parents first, so that there is a
//! directory to make them in. Modes of directories come last, children first: a directory that is to
//! be read-only has to have its content by then. All contents are read before anything is moved, so
//! that an unreadable copy stops the work while the tree is still whole.
//!
//! Every pass can be repeated. A process that is killed in the middle leaves a tree that differs
//! from the snapshot in fewer paths than before, and whoever comes next compares anew and goes on.
//! That is also why directories are synced only at the end: nothing relies on the steps in between.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;

use super::beneath::is_gone;
use super::changes::{self, Difference};
use super::snapshot::{Entry, Origin, Snapshot};
use super::stamp::{EntryType, Stamp};
use super::survey::Delta;
use super::{RelPath, Strays, Tree, TreeError};

/// Putting one thing back can reveal others: what a changed ignore file hid, or what is in a
/// directory that could not be read. A round that does nothing ends the work; the limit is for a tree
/// that somebody else writes to meanwhile.
const ROUNDS: usize = 4;

const OWNER_MAY_ALL: u32 = 0o700;

/// What was done to put the tree back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PutBack {
    /// Paths whose content was moved to the directory given.
    pub moved: BTreeSet<RelPath>,
    /// Paths that are again as they were in the snapshot.
    pub restored: BTreeSet<RelPath>,
    /// Paths that changed and cannot be put back, since nobody holds their former bytes.
    pub lost: BTreeSet<RelPath>,
}

/// What becomes of files that may change without being in the delta.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Allowed {
    Stay,
    PutBack,
}

impl Tree {
    /// Moves strays to `dir` and puts the tree outside the delta back as it was in the snapshot.
    /// With [`Strays::Report`], strays stay where they are and nothing is done.
    ///
    /// # Errors
    /// When the file system refuses; doing it again goes on from there.
    pub fn quarantine(&self, before: &Snapshot, dir: &Path) -> Result<PutBack, TreeError> {
        let mut done = PutBack::default();
        match self.settings.strays {
            Strays::Quarantine => self.put_back_outside(before, dir, Allowed::Stay, &mut done)?,
            Strays::Report => {}
        }
        Ok(done)
    }

    /// Puts the delta back too, and moves to `dir` what was made of it: for a request that was
    /// interrupted.
    ///
    /// [`Strays::Report`] does not hold here. It is about what a finished request left outside the
    /// delta; an interrupted one is repeated, on the tree that it was first given.
    ///
    /// # Errors
    /// When the file system refuses; doing it again goes on from there.
    pub fn restore(&self, before: &Snapshot, dir: &Path) -> Result<PutBack, TreeError> {
        let mut done = PutBack::default();
        self.put_back_outside(before, dir, Allowed::PutBack, &mut done)?;
        self.put_back_delta(before, dir, &BTreeSet::new(), &mut done)?;
        Ok(done)
    }

    /// Puts the delta back and nothing else, and of it only what is not among `theirs`: for a
    /// request that was interrupted in a tree in which others have worked since.
    ///
    /// # Errors
    /// When the file system refuses; doing it again goes on from there.
    pub fn restore_delta(
        &self,
        before: &Snapshot,
        dir: &Path,
        theirs: &BTreeSet<DeltaPath>,
    ) -> Result<PutBack, TreeError> {
        let mut done = PutBack::default();
        self.put_back_delta(before, dir, theirs, &mut done)?;
        Ok(done)
    }

    fn put_back_delta(
        &self,
        before: &Snapshot,
        dir: &Path,
        theirs: &BTreeSet<DeltaPath>,
        done: &mut PutBack,
    ) -> Result<(), TreeError> {
        let differences = self.delta_differences(before, theirs)?;
        self.apply(before, &differences, dir, done)?;
        self.remove_new_parents(before);
        Ok(())
    }

    fn put_back_outside(
        &self,
        before: &Snapshot,
        dir: &Path,
        allowed: Allowed,
        done: &mut PutBack,
    ) -> Result<(), TreeError> {
        for _ in 0..ROUNDS {
            let (_, mut differences) = self.differences(before)?;
            differences.retain(|difference| allowed == Allowed::PutBack || !difference.allowed);
            if differences.is_empty() {
                break;
            }
            let so_far = done.moved.len() + done.restored.len();
            // What was lost in one round may be found in the next, once git's configuration or a
            // directory is back.
            done.lost.clear();
            self.apply(before, &differences, dir, done)?;
            if done.moved.len() + done.restored.len() == so_far {
                break;
            }
        }
        Ok(())
    }

    fn delta_differences(
        &self,
        before: &Snapshot,
        theirs: &BTreeSet<DeltaPath>,
    ) -> Result<Vec<Difference>, TreeError> {
        let mut differences = Vec::new();
        let mut delta = self.delta()?;
        delta.retain(|path, _| !theirs.contains(path));
        for (path, now) in delta {
            let Some(original) = before.originals().get(&path) else {
                continue;
            };
            if now.change_from(&original.state).is_none() {
                continue;
            }
            let path = self.places.of_delta(&path);
            let entry = original.copy.as_ref().map(|copied| Entry {
                stamp: Stamp::of_file(original.state.permissions.unwrap_or(0o644), copied.len),
                origin: Origin::Copy(copied.clone()),
            });
            let top = &self.places.top;
            // A stamp that cannot be had, since the path now leads through a file or a link, counts
            // as nothing there: that file or link is a stray of its own.
            differences.push(Difference {
                now: top.stamp(&path).unwrap_or(None),
                mode_only: now.digest.is_some() && now.digest == original.state.digest,
                allowed: false,
                before: entry,
                path,
            });
        }
        Ok(differences)
    }

    /// New directories above a delta file are no strays, but they go when the file goes. One that
    /// still holds something is left: rmdir(2) refuses it, which is the check.
    fn remove_new_parents(&self, before: &Snapshot) {
        let parents = Delta::of(self).parents;
        for dir in parents
            .iter()
            .rev()
            .filter(|dir| !before.entries().contains_key(dir))
        {
            let _ = self.places.top.remove_dir(dir);
        }
    }

    fn apply(
        &self,
        before: &Snapshot,
        differences: &[Difference],
        dir: &Path,
        done: &mut PutBack,
    ) -> Result<(), TreeError> {
        let contents = self.contents(before, differences, done)?;
        let lost = done.lost.clone();
        let todo = || {
            differences
                .iter()
                .filter(|difference| !lost.contains(&difference.path))
        };
        for difference in todo() {
            self.make_writable(difference)?;
        }
        for difference in todo().rev() {
            self.move_away(difference, dir, done)?;
        }
        for difference in todo() {
            self.bring_back(difference, &contents, done)?;
        }
        for difference in todo().rev() {
            self.restore_mode(difference, done)?;
        }
        self.sync(todo())
    }

    /// The bytes to put back, of every file that needs any, in memory all at once. A file whose bytes cannot be had is lost,
    /// and is left as it is.
    fn contents(
        &self,
        before: &Snapshot,
        differences: &[Difference],
        done: &mut PutBack,
    ) -> Result<BTreeMap<RelPath, Vec<u8>>, TreeError> {
        let mut contents = BTreeMap::new();
        done.lost.extend(changes::of_lost_repositories(differences));
        let mut objects = Vec::new();
        for difference in differences
            .iter()
            .filter(|difference| !difference.mode_only)
        {
            match difference.before.as_ref().map(|entry| &entry.origin) {
                // One copy that is gone or spoilt keeps no other file from being put back.
                Some(Origin::Copy(copied)) => match before.copied(copied) {
                    Ok(bytes) => {
                        contents.insert(difference.path.clone(), bytes);
                    }
                    Err(_) => {
                        done.lost.insert(difference.path.clone());
                    }
                },
                Some(Origin::Object(object)) => objects.push((&difference.path, object.as_str())),
                Some(Origin::Watched) => {
                    done.lost.insert(difference.path.clone());
                }
                Some(Origin::Dir | Origin::Link(_)) | None => {}
            }
        }
        let names: Vec<&str> = objects.iter().map(|(_, object)| *object).collect();
        let fetched = self.objects(&names)?;
        for ((path, _), content) in objects.into_iter().zip(fetched) {
            if let Some(content) = content {
                contents.insert(path.clone(), content);
            } else {
                done.lost.insert(path.clone());
            }
        }
        Ok(contents)
    }

    /// Lets the owner change a directory whose content or mode differs.
    fn make_writable(&self, difference: &Difference) -> Result<(), TreeError> {
        match &difference.now {
            Some(now) if is_dir(now) => {
                self.set_permissions(&difference.path, now.permissions() | OWNER_MAY_ALL)
            }
            Some(_) | None => Ok(()),
        }
    }

    fn move_away(
        &self,
        difference: &Difference,
        dir: &Path,
        done: &mut PutBack,
    ) -> Result<(), TreeError> {
        let Some(now) = &difference.now else {
            return Ok(());
        };
        let stays = difference
            .before
            .as_ref()
            .is_some_and(|entry| difference.mode_only || (is_dir(&entry.stamp) && is_dir(now)));
        if stays {
            return Ok(());
        }
        let (place, path) = self.places.locate(&difference.path);
        // An empty directory holds nothing to keep. One that is not empty holds scratch, which is
        // not moved by itself, and is moved as a whole.
        if is_dir(now) {
            match place.remove_dir(&path) {
                Ok(()) => return Ok(()),
                Err(error) if is_gone(&error) => return Ok(()),
                Err(_) => {}
            }
        }
        let moved = free_name(dir, &self.places.in_quarantine(&difference.path))
            .and_then(|to| place.move_out(&path, &to));
        match moved {
            Ok(()) => {
                done.moved.insert(difference.path.clone());
                Ok(())
            }
            Err(error) if is_gone(&error) => Ok(()),
            Err(error) => Err(TreeError::io("move", place.full(&path))(error)),
        }
    }

    fn bring_back(
        &self,
        difference: &Difference,
        contents: &BTreeMap<RelPath, Vec<u8>>,
        done: &mut PutBack,
    ) -> Result<(), TreeError> {
        let Some(entry) = difference.before.as_ref().filter(|_| !difference.mode_only) else {
            return Ok(());
        };
        let (place, path) = self.places.locate(&difference.path);
        let permissions = entry.stamp.permissions();
        let made = place
            .make_parents(&path)
            .and_then(|()| match &entry.origin {
                Origin::Dir => match place.make_dir(&path) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                    made => made,
                },
                Origin::Link(target) => place.make_link(&path, target.bytes()),
                Origin::Object(_) | Origin::Copy(_) => match contents.get(&difference.path) {
                    Some(bytes) => place.make_file(&path, &mut &bytes[..], Some(permissions)),
                    None => Ok(()),
                },
                Origin::Watched => Ok(()),
            });
        match made {
            Ok(()) => {
                done.restored.insert(difference.path.clone());
                Ok(())
            }
            // Parents were made just now, so only git's own directory can be missing. It is not
            // made anew: an empty one would hide that the repository is gone.
            Err(error) if is_gone(&error) => {
                done.lost.insert(difference.path.clone());
                Ok(())
            }
            Err(error) => Err(TreeError::io("put back", place.full(&path))(error)),
        }
    }

    fn restore_mode(&self, difference: &Difference, done: &mut PutBack) -> Result<(), TreeError> {
        match &difference.before {
            Some(entry) if is_dir(&entry.stamp) || difference.mode_only => {
                done.restored.insert(difference.path.clone());
                self.set_permissions(&difference.path, entry.stamp.permissions())
            }
            Some(_) | None => Ok(()),
        }
    }

    fn set_permissions(&self, path: &RelPath, permissions: u32) -> Result<(), TreeError> {
        let (place, path) = self.places.locate(path);
        match place.set_permissions(&path, permissions) {
            Err(error) if !is_gone(&error) => {
                Err(TreeError::io("set the mode of", place.full(&path))(error))
            }
            _ => Ok(()),
        }
    }

    fn sync<'d>(&self, done: impl Iterator<Item = &'d Difference>) -> Result<(), TreeError> {
        let dirs: BTreeSet<RelPath> = done.map(|difference| difference.path.split().0).collect();
        for label in dirs {
            let (place, dir) = self.places.locate(&label);
            match place.sync_dir(&dir) {
                Err(error) if !is_gone(&error) => {
                    return Err(TreeError::io("sync", place.full(&dir))(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn is_dir(stamp: &Stamp) -> bool {
    stamp.kind() == EntryType::Dir
}

/// A free name below `dir`: a path may stray more than once in a run, once as a file and then as a
/// directory, say. Of several, the first is kept under its own path.
fn free_name(dir: &Path, path: &RelPath) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let to = match number {
            1 => dir.join(path.as_path()),
            _ => dir.join(format!("again-{number}")).join(path.as_path()),
        };
        let parent = to.parent().map_or(Ok(()), std::fs::create_dir_all);
        match parent {
            Ok(()) if to.symlink_metadata().is_err() => return Ok(to),
            Err(error) if number > 1000 => return Err(error),
            Ok(()) | Err(_) => number += 1,
        }
    }
}
