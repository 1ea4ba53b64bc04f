//! Changes to a tree: each is planned, made so that no version is lost that a user saves at that very moment, and
//! can be undone.
//!
//! A [`Change`] says what is at a path and what is to be there. `landing` plans those that bring saved work into a
//! tree, and `patch` those that git made of copies. [`Apply`] makes them, each file by `replacing`. A plan that has
//! to survive a crash is a [`ChangePlan`], with what was there before.

pub(crate) mod landing;
mod merging;
pub(crate) mod patch;
mod plan;
mod replacing;

use std::collections::BTreeSet;
use std::fs::File;
use std::io;

use serde::{Deserialize, Serialize};

use crate::openat::{At, Attributes, is_gone, modified};
use crate::saved::pack::Copied;
use crate::stamp::{self, SECOND, Stamp};
use crate::{PathState, RelPath, TreeError};

pub(crate) use plan::ChangePlan;

/// A path that is to become another thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The path.
    pub path: RelPath,
    pub(crate) before: PathState,
    pub(crate) after: PathState,
    /// What is there in between, where the change is made in two steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    between: Option<PathState>,
    /// The file that was there, where it has to be had again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    former: Option<Former>,
}

/// A copy of a file, and its attributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Former {
    copied: Copied,
    #[serde(default, skip_serializing_if = "Attributes::is_empty")]
    attributes: Attributes,
}

impl Change {
    pub(crate) fn new(path: RelPath, before: PathState, after: PathState) -> Self {
        Self { path, before, after, between: None, former: None }
    }

    /// Whether what is there now is the result of the change, at any stage.
    fn made(&self, now: &PathState) -> bool {
        *now == self.after
            || self.between.as_ref() == Some(now)
            || (now.is_nothing() && self.removes())
            || (now.is_dir() && self.after.is_dir())
    }

    /// The first of two steps; the whole change where it has but one, `None` where nothing changes at first.
    fn first_step(&self) -> Option<Self> {
        let after = self.between.clone().unwrap_or_else(|| self.after.clone());
        (after != self.before).then(|| Self { after, ..self.clone() })
    }

    /// The second step; `None` where it has but one.
    fn second_step(&self) -> Option<Self> {
        let before = self.between.clone()?;
        (before != self.after).then(|| Self { before, ..self.clone() })
    }

    /// Whether what is there must go first, since it can't be replaced in one step.
    fn removes(&self) -> bool {
        let replaced = match (&self.before, &self.after) {
            (PathState::Nothing, _) => false,
            (_, PathState::Nothing) => true,
            (before, after) => {
                before.is_dir() != after.is_dir() || matches!(after, PathState::Pipe { .. })
            }
        };
        replaced && self.before != self.after
    }
}

/// Where the paths of changes are.
type Places<'a> = dyn Fn(&RelPath) -> At<'a> + 'a;

/// Gives an empty file all that the file of a change is to have: content, attributes and mode.
type Fill<'a> = dyn Fn(&Change, &mut File) -> io::Result<()> + 'a;

/// Makes changes.
struct Apply<'p, 'a> {
    to: &'a Places<'p>,
    fill: &'a Fill<'a>,
    /// Whether each file is on the disk before it has its name.
    durable: bool,
}

impl Apply<'_, '_> {
    /// Makes all of these. What can't be replaced in one step goes first, children first; what comes is made, parents
    /// first; modes of directories come last, since they may forbid what was still to be done below. Returns the paths
    /// at which another version than the expected one is: they are left alone.
    ///
    /// # Errors
    /// When the file system refuses. What was done so far stays.
    fn run(&self, changes: &[Change]) -> Result<BTreeSet<RelPath>, TreeError> {
        let mut left = BTreeSet::new();
        for change in changes.iter().rev().filter(|change| change.removes()) {
            let at = (self.to)(&change.path);
            if state(&at)? != change.before
                || !take_away(change, &at).map_err(at.failed("remove"))?
            {
                left.insert(change.path.clone());
            }
        }
        for change in changes.iter().filter(|change| !change.after.is_nothing()) {
            let at = (self.to)(&change.path);
            let is_expected = match state(&at)? {
                now if change.removes() => now.is_nothing(),
                now => now == change.before,
            };
            if left.contains(&change.path)
                || !is_expected
                || !is_in_dir(&at)?
                || !self.make(change, &at).map_err(at.failed("write"))?
            {
                left.insert(change.path.clone());
            }
        }
        for change in changes.iter().rev() {
            if let PathState::Dir { permissions } = change.after
                && !left.contains(&change.path)
            {
                let at = (self.to)(&change.path);
                at.set_permissions(permissions).map_err(at.failed("set the mode of"))?;
            }
        }
        if self.durable {
            self.sync(changes)?;
        }
        Ok(left)
    }

    /// `false` if another process's version is there, and stays.
    fn make(&self, change: &Change, at: &At<'_>) -> io::Result<bool> {
        match &change.after {
            PathState::Nothing | PathState::Special => {}
            PathState::Dir { .. } if change.before.is_dir() => {}
            PathState::Dir { .. } => at.make_dir()?,
            PathState::Pipe { permissions } => {
                at.make_pipe()?;
                at.set_permissions(*permissions)?;
            }
            PathState::File { .. } | PathState::Link { .. } => return self.make_file(change, at),
        }
        Ok(true)
    }

    /// Beside the path first, and then in its place; in place at once where the directory takes no new name.
    fn make_file(&self, change: &Change, at: &At<'_>) -> io::Result<bool> {
        let mut takes_names = false;
        let staged = at.stage(|new| match &change.after {
            PathState::Link { target } => new.make_link(target.bytes()),
            _ => {
                let file = new.new_file()?;
                takes_names = true;
                self.write(change, at, file)
            }
        });
        match staged {
            Ok(staged) => replacing::bring_in(change, at, &staged),
            Err(refused) => {
                // Nothing can be exchanged in such a directory: a last look has to do.
                if !replacing::is_state(at, &change.before)? {
                    return Ok(false);
                }
                let states = [&change.before, &change.after];
                let is_file = |state: &&PathState| matches!(state, PathState::File { .. });
                let is_denied = refused.kind() == io::ErrorKind::PermissionDenied;
                if takes_names || !is_denied || !states.iter().all(is_file) {
                    return Err(refused);
                }
                self.write(change, at, at.file_to_overwrite()?).map(|()| true)
            }
        }
    }

    /// The file gets the time at which it comes, whenever its content was written: a build tool takes what it
    /// built before that for older.
    fn write(&self, change: &Change, at: &At<'_>, mut file: File) -> io::Result<()> {
        let replaced = at.stamp()?;
        (self.fill)(change, &mut file)?;
        let now = stamp::now();
        // Build tools that compare whole seconds and sizes see a difference, too.
        let size = Stamp::of(&rustix::fs::fstat(&file)?).size;
        if replaced.is_some_and(|old| old.size == size && old.modified / SECOND == now / SECOND) {
            stamp::wait_for_another_second(now);
        }
        rustix::fs::futimens(&file, &modified(stamp::now()))?;
        if self.durable { file.sync_all() } else { Ok(()) }
    }

    /// Brings the names to the disk.
    fn sync(&self, changes: &[Change]) -> Result<(), TreeError> {
        let mut synced = BTreeSet::new();
        for change in changes {
            let at = (self.to)(&change.path);
            if synced.insert(at.above().full()) {
                match at.sync_parent() {
                    Err(error) if !is_gone(&error) => return Err(at.failed("sync")(error)),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// `false` if another process's version is there, and stays.
fn take_away(change: &Change, at: &At<'_>) -> io::Result<bool> {
    let gone = match change.before.is_dir() {
        true => at.remove_dir().map(|()| true),
        false => replacing::remove_expected(change, at),
    };
    match gone {
        // Scratch or another process's new file is in it, so it stays.
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(true),
        Err(error) if is_gone(&error) => Ok(true),
        gone => gone,
    }
}

/// Whether a path is in a directory, and not beyond a link or a file.
fn is_in_dir(at: &At<'_>) -> Result<bool, TreeError> {
    match at.parent() {
        Err(error) if is_gone(&error) => Ok(false),
        parent => parent.map(|_| true).map_err(at.failed("open the directory of")),
    }
}

fn state(at: &At<'_>) -> Result<PathState, TreeError> {
    PathState::of(at).map_err(at.failed("look at"))
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use super::{Apply, Change};
    use crate::openat::Beneath;
    use crate::{PathState, RelPath};

    #[test]
    fn a_file_stays_where_the_content_of_the_new_one_may_not_be_read() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("file"), "old").unwrap();
        fs::write(temp.path().join("new"), "new").unwrap();
        let beneath = Beneath::open(temp.path()).unwrap();
        let [before, after] =
            ["file", "new"].map(|name| PathState::of(&beneath.at(&RelPath::new(name))).unwrap());
        let apply = Apply {
            to: &|path| beneath.at(path),
            fill: &|_, _| Err(io::ErrorKind::PermissionDenied.into()),
            durable: false,
        };
        apply.run(&[Change::new(RelPath::new("file"), before, after)]).unwrap_err();
        assert_eq!(fs::read_to_string(temp.path().join("file")).unwrap(), "old");
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 2);
    }
}
