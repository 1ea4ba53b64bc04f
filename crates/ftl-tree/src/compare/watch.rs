//! What a command wrote outside the delta, found by stamps alone: nothing is copied, so nothing can be
//! put back. For verify and preflight commands, which may write what they like and are reported only.
//!
//! A look at every file is what costs, and one after the command is enough in a large tree: what was written has a
//! change time since the [`Moment`] before it, and what is new or gone shows by its name. In a small tree files are
//! looked at before, too, since waiting for that moment would take longer.
//!
//! A file that git tracks, or without git any file that was there, is part of the project; all else that
//! a command leaves is scratch.
//!
//! Here a changed stamp counts as written, whatever the content: the question is what the command
//! did, and not whether it mattered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::thread;

use crate::compare::classify::beside;
use crate::compare::delta::Delta;
use crate::compare::moment::Moment;
use crate::git::Index;
use crate::stamp::{EntryType, Stamp};
use crate::walk::Former;
use crate::walk::deciding::{PathStatus, Purpose};
use crate::walk::found::Survey;
use crate::walk::scratch::{self, ScratchStamp};
use crate::{RelPath, Tree, TreeError};
use ftl_model::Scratch;

/// What is in a tree before a command, without any copies.
#[derive(Debug)]
pub struct Watch {
    survey: Survey,
    /// When that was, where stamps of some files have their type alone.
    began: Option<Moment>,
    /// `None` without git.
    index: Option<Arc<Index>>,
}

/// What a command wrote outside the delta, as paths seen from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files of the project that were changed or removed, sorted.
    pub files: Vec<String>,
    /// Everything else: at most a hundred topmost paths.
    pub scratch: Vec<Scratch>,
}

impl Watch {
    /// Whether a path is a file of the project, given how it looks now.
    fn is_projects(&self, path: &RelPath, now: Option<&Stamp>) -> bool {
        let is_file = |stamp: &Stamp| !stamp.is_dir();
        let was_file = self.survey.entries.get(path).is_some_and(is_file);
        match &self.index {
            Some(index) => index.files.contains_key(path) && (was_file || now.is_some_and(is_file)),
            None => was_file,
        }
    }

    /// The regular files of the project outside the delta.
    pub(crate) fn files_beside(&self, tree: &Tree) -> impl Iterator<Item = (&RelPath, &Stamp)> {
        let delta = tree.delta_paths();
        let is_file = |stamp: &Stamp| stamp.kind() == EntryType::File;
        self.survey.entries.iter().filter(move |(path, now)| {
            is_file(now) && !delta.contains(*path) && self.is_projects(path, Some(now))
        })
    }

    fn status(&self, path: &RelPath) -> PathStatus {
        if self.survey.entries.contains_key(path) {
            PathStatus::Known
        } else if self.survey.scratch.contains_key(path) {
            PathStatus::Scratch
        } else {
            PathStatus::New
        }
    }
}

impl Tree {
    /// Does what takes long while git's index is read, which the next [`watch`](Self::watch) then need not wait for.
    pub fn reading_ahead<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(git) = &self.places.git else {
            return work();
        };
        thread::scope(|scope| {
            // Without a thread it is read later.
            let _ = thread::Builder::new().spawn_scoped(scope, || git.read_ahead());
            work()
        })
    }

    /// Looks at the tree before a command that may write where it likes.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn watch(&self) -> Result<Watch, TreeError> {
        self.watch_for(Purpose::Begin)
    }

    /// The same, with a look at every file.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn watch_whole(&self) -> Result<Watch, TreeError> {
        self.watch_for(Purpose::Watch)
    }

    fn watch_for(&self, purpose: Purpose) -> Result<Watch, TreeError> {
        let index = match &self.places.git {
            Some(git) => Some(git.index()?),
            None => None,
        };
        let status = |path: &RelPath| {
            let index = index.as_ref();
            index.map_or(PathStatus::New, |index| index.status(path))
        };
        let survey = self.surveyed(&status, None, purpose)?;
        if !survey.entries.values().any(Stamp::is_type_alone) {
            return Ok(Watch { survey, began: None, index });
        }
        let root = self.places.at(self.places.root());
        match Moment::now(root.dir().map_err(root.failed("open"))?) {
            None => self.watch_whole(),
            began => Ok(Watch { survey, began, index }),
        }
    }

    /// What was created, written to or removed outside the delta since then.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn written_since(&self, watch: &Watch) -> Result<Written, TreeError> {
        let before = &watch.survey;
        let former = Former {
            rules: &before.rules,
            scratch: &before.scratch,
            owns_git_dir: before.owns_git_dir,
        };
        let now = self.surveyed(&|path| watch.status(path), Some(former), Purpose::Watch)?;
        let since = match &watch.began {
            None => i64::MAX,
            Some(began) => {
                began.earliest().map_err(self.places.at(self.places.root()).failed("look at"))?
            }
        };
        let is_same = |was: &Stamp, is: &Stamp| match was.is_type_alone() {
            true => was.kind() == is.kind() && is.changed < since,
            false => was == is,
        };
        // A directory above a delta file belongs to that file.
        let Delta { files, parents } = Delta::of(self);
        let written = beside(&now.entries, &before.entries)
            .filter(|(_, stamp, was)| !was.is_some_and(|was| is_same(was, stamp)))
            .map(|(path, ..)| path);
        let removed = beside(&before.entries, &now.entries)
            .filter(|(.., is)| is.is_none())
            .map(|(path, ..)| path);
        let scratch = scratch::changed(&now.scratch, &before.scratch);
        let in_scratch: BTreeMap<&RelPath, u32> = scratch.into_iter().collect();
        let all: BTreeSet<RelPath> = written
            .chain(removed)
            .chain(in_scratch.keys().copied())
            .filter(|path| !files.contains(*path) && !parents.contains(*path))
            .filter(|path| {
                let kind = |survey: &Survey| survey.entries.get(path).map(Stamp::kind);
                !self.may_be_own(path, kind(before), kind(&now))
            })
            .cloned()
            .collect();
        let (files, mut all): (BTreeSet<RelPath>, BTreeSet<RelPath>) =
            all.into_iter().partition(|path| watch.is_projects(path, now.entries.get(path)));
        // A directory that went with its files is listed by them.
        let emptied: BTreeSet<RelPath> = files.iter().flat_map(RelPath::ancestors).collect();
        all.retain(|path| now.entries.contains_key(path) || !emptied.contains(path));
        let top = all.iter().filter(|path| !path.is_below_any(&all));
        let count = |path: &RelPath| match in_scratch.get(path) {
            Some(files) => *files,
            None => below(&now, path),
        };
        let counted: Vec<(&RelPath, u32)> = top.map(|path| (path, count(path))).collect();
        Ok(Written {
            files: files.iter().map(|path| self.shown(path)).collect(),
            scratch: scratch::list(&self.places, &counted),
        })
    }
}

/// The files of a path that is watched, with those of the scratch in it.
fn below(now: &Survey, path: &RelPath) -> u32 {
    let first = path.join(b"");
    let within = |at: &RelPath| at == path || at.bytes().starts_with(first.bytes());
    let entries =
        now.entries.range(path..).take_while(|(at, _)| at.bytes().starts_with(path.bytes()));
    let files = entries.filter(|(at, stamp)| within(at) && !stamp.is_dir()).count();
    let scratch =
        now.scratch.range(path..).take_while(|(at, _)| at.bytes().starts_with(path.bytes()));
    let scratch = scratch.filter(|(at, _)| within(at));
    let sum: u32 = scratch.map(|(_, ScratchStamp { files, .. })| *files).sum();
    u32::try_from(files).unwrap_or(u32::MAX).saturating_add(sum)
}
