//! The walk over the tree: one stamp for each path that is watched. No content is read here, and
//! nothing is compared.
//!
//! Whether a path is watched is decided in this order. A path that was known before, to a snapshot or
//! to git's index, keeps its status, so that nobody can hide a file by adding an ignore rule. Then
//! names decide, by the built-in list of caches and the configuration. Last, git says which new paths
//! it ignores. Scratch is listed and not entered: `node_modules` alone may hold more files than the
//! rest of the tree.
//!
//! What lies in a `.ftl` is watched whatever the rules say: task files decide what is built next, and git
//! ignores runs. Only what the caller keeps for itself is passed over, see [`OwnFiles`].
//!
//! Git is asked through one `check-ignore` for each level of new directories, since
//! starting it costs far more than one path more does. All directories that are not in question are entered first.
//!
//! Other processes may write meanwhile. A path that is gone between listing and looking is skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Dir};
use rustix::io::Errno;

use super::beneath::is_gone;
use super::git::Git;
use super::scratch::ScratchRules;
use super::stamp::{EntryType, Stamp};
use super::{OwnFiles, Places, RelPath, TreeError};

/// The directory of a project's tasks and runs, in every project that the tree holds.
const STORE: &[u8] = b".ftl";

/// What is known of a path before it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathStatus {
    /// It is watched, whatever the rules say.
    Known,
    /// It is scratch, whatever the rules say.
    Scratch,
    /// It was not there; the rules decide.
    New,
}

/// The stamps of all paths that are watched, and the scratch among them by name only.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) entries: BTreeMap<RelPath, Stamp>,
    /// Topmost paths, not looked into.
    pub(super) scratch: BTreeSet<RelPath>,
    /// Directories that could not be looked into.
    pub(super) unreadable: BTreeSet<RelPath>,
}

impl Survey {
    /// Whether a directory holds nothing but scratch, and some of that.
    pub(super) fn is_only_scratch(&self, dir: &RelPath) -> bool {
        let first = dir.join(b"");
        let below = |path: &RelPath| path.bytes().starts_with(first.bytes());
        let mut entries = self
            .entries
            .range(&first..)
            .take_while(|(path, _)| below(path));
        entries.all(|(_, stamp)| stamp.kind() == EntryType::Dir)
            && self.scratch.range(&first..).next().is_some_and(below)
    }
}

/// Walks the tree.
pub(super) struct Surveyor<'a> {
    pub(super) places: &'a Places,
    pub(super) rules: &'a ScratchRules,
    pub(super) status_of: &'a dyn Fn(&RelPath) -> PathStatus,
    pub(super) own: &'a dyn OwnFiles,
}

/// A directory to look into.
struct Level {
    path: RelPath,
    /// Whether git is asked what is ignored there. Not inside another repository, such as a submodule,
    /// where the ignore rules of this one do not hold: there all new paths are watched.
    ask: bool,
}

#[derive(Default)]
struct Walk {
    survey: Survey,
    levels: Vec<Level>,
    /// New paths that git has to be asked about.
    open: Vec<(RelPath, Stamp)>,
}

impl Surveyor<'_> {
    pub(super) fn survey(&self) -> Result<Survey, TreeError> {
        let mut walk = Walk::default();
        let ask = self.places.git.is_some();
        walk.levels.push(Level {
            path: RelPath::default(),
            ask,
        });
        loop {
            while let Some(level) = walk.levels.pop() {
                self.enter(&mut walk, &level)?;
            }
            match &self.places.git {
                Some(git) if !walk.open.is_empty() => self.decide(git, &mut walk)?,
                Some(_) | None => break,
            }
        }
        self.survey_git_dir(&mut walk)?;
        Ok(walk.survey)
    }

    fn enter(&self, walk: &mut Walk, level: &Level) -> Result<(), TreeError> {
        let (place, path) = self.places.locate(&level.path);
        let listed = place.dir(&path).and_then(|dir| self.list(walk, dir, level));
        match listed {
            Err(error) if is_gone(&error) => Ok(()),
            Err(error) if place.forbids(&path, EntryType::Dir, &error) => {
                walk.survey.unreadable.insert(level.path.clone());
                Ok(())
            }
            listed => listed.map_err(TreeError::io("list", place.full(&path))),
        }
    }

    fn list(&self, walk: &mut Walk, dir: OwnedFd, level: &Level) -> io::Result<()> {
        let mut dir = Dir::new(dir)?;
        let mut names = Vec::new();
        while let Some(entry) = dir.read() {
            names.push(entry?.file_name().to_owned());
        }
        let is_root = level.path.is_root();
        let nested = !is_root && names.iter().any(|name| name.as_bytes() == b".git");
        let in_store = is_in_store(&level.path);
        let ask = level.ask && !nested && !in_store;
        for name in names {
            let bytes = name.as_bytes();
            if matches!(bytes, b"." | b"..") {
                continue;
            }
            let path = level.path.join(bytes);
            let in_store = in_store || bytes == STORE;
            if in_store && self.own.skips(&self.places.root.full(&path)) {
                continue;
            }
            let status = if in_store {
                PathStatus::Known
            } else {
                (self.status_of)(&path)
            };
            let by_name = status == PathStatus::New && self.rules.matches(&path);
            if by_name || status == PathStatus::Scratch {
                walk.survey.scratch.insert(path);
                continue;
            }
            let stamp = match rustix::fs::statat(dir.fd()?, &name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => Stamp::of(&stat),
                Err(Errno::NOENT) => continue,
                Err(error) => return Err(error.into()),
            };
            // A `.git` that is a file, of a linked worktree, is watched: it says where git looks.
            if bytes == b".git" && stamp.kind() == EntryType::Dir {
                continue;
            }
            if ask && status == PathStatus::New {
                walk.open.push((path, stamp));
            } else {
                walk.take(path, stamp, ask);
            }
        }
        Ok(())
    }

    fn decide(&self, git: &Git, walk: &mut Walk) -> Result<(), TreeError> {
        let open = std::mem::take(&mut walk.open);
        let ignored = match git.ignored(open.iter().map(|(path, _)| path)) {
            // The implementer broke git. Then no new path is ignored: one too many is reported
            // rather than one too few.
            Err(TreeError::Git { .. }) => BTreeSet::new(),
            ignored => ignored?,
        };
        for (path, stamp) in open {
            if ignored.contains(&path) && !self.hides_known(&path) {
                walk.survey.scratch.insert(path);
            } else {
                walk.take(path, stamp, true);
            }
        }
        Ok(())
    }

    /// Whether a new `.gitignore`, itself ignored, must be watched nevertheless.
    ///
    /// Tools mark a directory of their own, such as a virtual environment, by a `.gitignore` of `*`
    /// in it. In a directory that was there before, the same file hides whatever else is put there.
    fn hides_known(&self, path: &RelPath) -> bool {
        let (dir, name) = path.split();
        let known = || dir.is_root() || (self.status_of)(&dir) == PathStatus::Known;
        name == b".gitignore" && known()
    }

    /// Watches what in git's own directory can make git run programs: hooks and configuration. The
    /// rest (index, objects, references) changes by every innocent `git add`.
    fn survey_git_dir(&self, walk: &mut Walk) -> Result<(), TreeError> {
        for name in ["hooks", "config", "config.worktree"] {
            let label = RelPath::new(".git").join(name.as_bytes());
            let (place, path) = self.places.locate(&label);
            let stamp = match place.stamp(&path) {
                Ok(stamp) => stamp,
                Err(error) if is_gone(&error) => None,
                Err(error) => return Err(TreeError::io("look at", place.full(&path))(error)),
            };
            if let Some(stamp) = stamp {
                walk.take(label, stamp, false);
            }
        }
        while let Some(level) = walk.levels.pop() {
            self.enter(walk, &level)?;
        }
        Ok(())
    }
}

/// Whether a path is a `.ftl` or lies in one.
pub(super) fn is_in_store(path: &RelPath) -> bool {
    path.components().any(|name| name == STORE)
}

impl Walk {
    fn take(&mut self, path: RelPath, stamp: Stamp, ask: bool) {
        if stamp.kind() == EntryType::Dir {
            self.levels.push(Level {
                path: path.clone(),
                ask,
            });
        }
        self.survey.entries.insert(path, stamp);
    }
}
