//! What is watched of git's own directories: that of the tree's repository, those of its submodules, and
//! those of repositories within the tree.
//!
//! Watched is what can make git run programs, or change what git says: hooks, settings and `info/`. The
//! rest (index, objects, references) changes by every innocent `git add`. For a copy of the tree everything is
//! surveyed but objects, which are shared, and what is a process's own: locks and sockets.

use crate::openat::is_gone;
use crate::stamp::{EntryType, Stamp};
use crate::walk::Surveyor;
use crate::walk::deciding::{PathStatus, Purpose};
use crate::walk::found::Walk;
use crate::walk::stamps::Stamps;
use crate::{RelPath, TreeError};

/// What in a git directory makes git run programs, or changes what it says.
pub(crate) const TELLING: [&[u8]; 4] = [b"hooks", b"config", b"config.worktree", b"info"];

/// Submodules within submodules, and names of submodules that hold a `/`.
const MAX_DEPTH: usize = 12;

impl Surveyor<'_> {
    /// A `.git` directory in the tree.
    pub(crate) fn meet_git_dir(&self, walk: &mut Walk, path: RelPath, stamp: Stamp) {
        let is_known = (self.status_of)(&path) == PathStatus::Known;
        let is_own = path.bytes() == b".git" && self.places.owns_git_dir;
        let was_own = self.former.is_none_or(|former| former.owns_git_dir);
        // Of the tree's own repository git's directory is looked at wherever it is.
        if is_own && was_own && !is_known {
            return;
        }
        let was_there = self.former.is_none() || is_known;
        if was_there && path.bytes() != b".git" {
            walk.git_dirs.push(path.clone());
        }
        walk.take_alone(path, stamp);
    }

    pub(crate) fn survey_git_dirs(&self, walk: &mut Walk) -> Result<(), TreeError> {
        if self.places.git_dir.is_some() {
            self.survey_git_dir(walk, &RelPath::new(".git"), MAX_DEPTH)?;
        }
        let mut dirs = std::mem::take(&mut walk.git_dirs);
        dirs.sort();
        for dir in dirs {
            self.survey_git_dir(walk, &dir, MAX_DEPTH)?;
        }
        Ok(())
    }

    fn survey_git_dir(
        &self,
        walk: &mut Walk,
        dir: &RelPath,
        depth: usize,
    ) -> Result<(), TreeError> {
        if self.purpose.is_of_copy() {
            return self.survey_git_state(walk, dir);
        }
        for name in TELLING {
            let path = dir.join(name);
            self.take_git_path(walk, path)?;
        }
        self.enter_all(walk)?;
        // `git gc` writes it again.
        walk.passed_over.push(dir.join(b"info").join(b"refs"));
        let worktrees = dir.join(b"worktrees");
        for name in self.git_names(&worktrees)? {
            self.take_git_path(walk, worktrees.join(&name).join(b"config.worktree"))?;
        }
        self.survey_modules(walk, &dir.join(b"modules"), depth)
    }

    /// Takes what a git directory holds beside its objects.
    fn survey_git_state(&self, walk: &mut Walk, dir: &RelPath) -> Result<(), TreeError> {
        let names = match &self.places.git_dir {
            // It may lie elsewhere, while a file of its name is in the tree.
            Some(git_dir) if dir.bytes() == b".git" => git_dir.top().names(),
            Some(_) | None => Ok(self.git_names(dir)?),
        };
        for name in names.map_err(TreeError::io("list", dir.as_path()))? {
            let path = dir.join(&name);
            if let Some(stamp) = self.git_stamp(&path)? {
                self.take_within_git(walk, path, stamp, true);
            }
        }
        self.enter_all(walk)
    }

    /// What git's directories hold beside objects, for a copy: of the tree's repository, and of those in it.
    pub(crate) fn survey_git(&self, within: Vec<RelPath>) -> Result<Stamps, TreeError> {
        let mut walk = Walk::default();
        walk.git_dirs = within;
        self.survey_git_dirs(&mut walk)?;
        Ok(walk.entries.into_iter().collect())
    }

    /// Takes a path in a git directory; for a copy, nothing of a process. What a process left in a copy is taken: it
    /// does not belong there. `has_objects` says whether the directory
    /// around it has objects, as those of submodules have.
    pub(crate) fn take_within_git(
        &self,
        walk: &mut Walk,
        path: RelPath,
        stamp: Stamp,
        has_objects: bool,
    ) {
        let name = path.name();
        let is_processs = name.ends_with(b".lock")
            || name.starts_with(b"fsmonitor--daemon")
            || stamp.kind() == EntryType::Special
            || (has_objects && name == b"gc.pid");
        match name {
            _ if !self.purpose.is_of_copy() => walk.take(path, stamp, true),
            _ if is_processs && self.purpose != Purpose::Copied => {}
            b"objects" if has_objects => drop(walk.survey.objects.insert(path)),
            b"lfs" | b"annex" if has_objects && stamp.is_dir() => walk.scratch.push(path),
            _ => walk.take(path, stamp, true),
        }
    }

    /// What is at a path, if anything is.
    fn take_git_path(&self, walk: &mut Walk, path: RelPath) -> Result<(), TreeError> {
        let Some(stamp) = self.git_stamp(&path)? else {
            return Ok(());
        };
        walk.take(path, stamp, true);
        Ok(())
    }

    /// The directories of submodules below `dir`; the name of one may hold a `/`.
    fn survey_modules(
        &self,
        walk: &mut Walk,
        dir: &RelPath,
        depth: usize,
    ) -> Result<(), TreeError> {
        if depth == 0 {
            return Ok(());
        }
        for name in self.git_names(dir)? {
            let path = dir.join(&name);
            let Some(stamp) = self.git_stamp(&path)?.filter(|stamp| stamp.kind() == EntryType::Dir)
            else {
                continue;
            };
            if self.git_stamp(&path.join(b"HEAD"))?.is_none() {
                self.survey_modules(walk, &path, depth - 1)?;
                continue;
            }
            walk.take_alone(path.clone(), stamp);
            let was_there = (self.status_of)(&path) == PathStatus::Known;
            if self.former.is_none() || was_there {
                self.survey_git_dir(walk, &path, depth - 1)?;
            }
        }
        Ok(())
    }

    fn git_stamp(&self, path: &RelPath) -> Result<Option<Stamp>, TreeError> {
        self.places.at(path).found()
    }

    /// The names in a directory of git's; none where it is not there.
    fn git_names(&self, path: &RelPath) -> Result<Vec<Vec<u8>>, TreeError> {
        let place = self.places.at(path);
        match place.names() {
            Err(error) if is_gone(&error) => Ok(Vec::new()),
            names => names.map_err(place.failed("list")),
        }
    }
}
