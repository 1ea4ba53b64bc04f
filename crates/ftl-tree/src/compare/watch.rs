//! What a command wrote outside the delta, found by stamps alone: nothing is copied. For verify and preflight commands,
//! which may write what they like and are reported only.
//!
//! A look at every file is what costs, and one after the command is enough: what was written has a change time since
//! the [`Moment`] before it, and what is new or gone shows by its name. Where the clock ticks slowly, the first files
//! are looked at before, too, since waiting for that moment would take longer in a small tree.
//!
//! A file that git tracks, or without git any file that was there, is part of the project; all else that
//! a command leaves is scratch.
//!
//! Here a changed stamp counts as written, whatever the content: the question is what the command
//! did, and not whether it mattered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use crate::compare::delta::Delta;
use crate::compare::moment::{Clock, Moment};
use crate::git::Index;
use crate::stamp::{EntryType, Stamp};
use crate::walk::deciding::{PathStatus, Purpose};
use crate::walk::found::Survey;
use crate::walk::listing::TypesAlone;
use crate::walk::scratch::{self, ScratchStamp};
use crate::walk::unchanged::Unchanged;
use crate::walk::{Former, Surveyor};
use crate::{RelPath, Tree, TreeError};
use ftl_model::{Digest, Digester, Scratch};

/// Where the clock ticks slowly, so many files are looked at before the command; of others the types are kept, which
/// the listing of a directory has.
const LOOKED_AT_FIRST: usize = 4096;

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

    /// Of all files and how they look, but for scratch. Only of a watch with a look at every file it is equal to another's.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut digester = Digester::default();
        for (path, stamp) in self.survey.entries.iter().filter(|(_, stamp)| !stamp.is_dir()) {
            digester.update(path.bytes());
            digester.update(format!("\0{stamp:?}\0").as_bytes());
        }
        digester.finish()
    }

    fn status(&self, path: &RelPath) -> PathStatus {
        if self.survey.entries.contains(path) {
            PathStatus::Known
        } else if self.survey.scratch.contains_key(path) {
            PathStatus::Scratch
        } else {
            PathStatus::New
        }
    }
}

impl Tree {
    /// Looks at the tree before a command that may write where it likes.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn watch(&self) -> Result<Watch, TreeError> {
        let root = self.places.at(self.places.root());
        let Some(clock) = Clock::of(root.dir().map_err(root.failed("open"))?) else {
            return self.watch_whole();
        };
        let after = if clock.has_ticked() { 0 } else { LOOKED_AT_FIRST };
        self.watch_types(clock, after)
    }

    /// The same, with a look at the first files alone.
    pub(crate) fn watch_types(&self, clock: Clock, after: usize) -> Result<Watch, TreeError> {
        let device = clock.device;
        let types_alone = TypesAlone { after, looked: AtomicUsize::default(), device };
        let watch = self.watch_by(Some(types_alone))?;
        if !watch.survey.entries.iter().any(|(_, stamp)| stamp.is_type_alone()) {
            return Ok(watch);
        }
        match clock.moment() {
            None => self.watch_whole(),
            began => Ok(Watch { began, ..watch }),
        }
    }

    /// The same, with a look at every file.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn watch_whole(&self) -> Result<Watch, TreeError> {
        self.watch_by(None)
    }

    fn watch_by(&self, types_alone: Option<TypesAlone>) -> Result<Watch, TreeError> {
        let index = match &self.places.git {
            Some(git) => Some(git.index()?),
            None => None,
        };
        let status = |path: &RelPath| {
            let index = index.as_ref();
            index.map_or(PathStatus::New, |index| index.status(path))
        };
        let surveyor = Surveyor {
            tree: self,
            places: &self.places,
            delta: &Delta::of(self),
            status_of: &status,
            former: None,
            purpose: Purpose::Watch,
            types_alone,
        };
        Ok(Watch { survey: surveyor.survey()?, began: None, index })
    }

    /// What was created, written to or removed outside the delta since then.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn written_since(&self, watch: &Watch) -> Result<Written, TreeError> {
        let before = &watch.survey;
        let since = watch.began.as_ref().map(Moment::since).transpose();
        let since = since.map_err(self.places.at(self.places.root()).failed("look at"))?;
        let unchanged = Unchanged::new(before, since);
        let former = Former {
            rules: &before.rules,
            scratch: &before.scratch,
            owns_git_dir: before.owns_git_dir,
            unchanged: Some(&unchanged),
        };
        let now = self.surveyed(&|path| watch.status(path), Some(former), Purpose::Watch)?;
        // A directory above a delta file belongs to that file.
        let Delta { files, parents } = Delta::of(self);
        let is_same = |path: &RelPath, is: &Stamp| {
            before.entries.get(path).is_some_and(|was| unchanged.is_same(path, was, is))
        };
        let written = now.entries.iter().filter(|(path, is)| !is_same(path, is));
        let written = written.map(|(path, _)| path);
        let removed = unchanged.not_same().filter(|path| !now.entries.contains(path));
        let scratch = scratch::changed(&now.scratch, &before.scratch);
        let in_scratch: BTreeMap<&RelPath, u32> = scratch.into_iter().collect();
        let all: BTreeSet<RelPath> = written
            .chain(removed)
            .chain(in_scratch.keys().copied())
            .filter(|path| !files.contains(*path) && !parents.contains(*path))
            .cloned()
            .collect();
        let (files, mut all): (BTreeSet<RelPath>, BTreeSet<RelPath>) =
            all.into_iter().partition(|path| watch.is_projects(path, now.entries.get(path)));
        // A directory that went with its files is listed by them.
        let emptied: BTreeSet<RelPath> = files.iter().flat_map(RelPath::ancestors).collect();
        all.retain(|path| now.entries.contains(path) || !emptied.contains(path));
        let top = all.iter().filter(|path| !path.is_below_any(&all));
        let count = |path: &RelPath| match in_scratch.get(path) {
            Some(files) => *files,
            None => below(&now, path, &unchanged),
        };
        let counted: Vec<(&RelPath, u32)> = top.map(|path| (path, count(path))).collect();
        Ok(Written {
            files: files.iter().map(|path| self.shown(path)).collect(),
            scratch: scratch::list(&self.places, &counted),
        })
    }
}

/// The files of a path that is watched, with those of the scratch in it.
fn below(now: &Survey, path: &RelPath, unchanged: &Unchanged<'_>) -> u32 {
    let first = path.join(b"");
    let within = |at: &RelPath| at == path || at.bytes().starts_with(first.bytes());
    let entries = now.entries.from(path).take_while(|(at, _)| at.bytes().starts_with(path.bytes()));
    let files = entries.filter(|(at, stamp)| within(at) && !stamp.is_dir()).count();
    let files = files + unchanged.count_below(path);
    let scratch =
        now.scratch.range(path..).take_while(|(at, _)| at.bytes().starts_with(path.bytes()));
    let scratch = scratch.filter(|(at, _)| within(at));
    let sum: u32 = scratch.map(|(_, ScratchStamp { files, .. })| *files).sum();
    u32::try_from(files).unwrap_or(u32::MAX).saturating_add(sum)
}
