//! What a run keeps of its work, in its own directory:
//!
//! ```text
//! .ftl/runs/ID/N/work/before/      the delta before the run's first request
//! .ftl/runs/ID/N/work/base/K/      the project's files at the last refresh that the work is merged by
//! .ftl/runs/ID/N/work/done/K/      the delta and the allowed files as an implementer left them
//! ```
//!
//! Of several numbers the last whole one counts. K of `done` holds the number of its request. A block leaves them: `ftl take` lays them into the project, and the
//! next run of the task into its workplace.

use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use ftl_store::{Files, Run};
use ftl_tree::{SavedFiles, Tree};

use crate::run::Fault;
use crate::run::site::files;

const BEFORE: &str = "before";
const BASE: &str = "base";
const DONE: &str = "done";
/// Of a request that many numbers of `done`, from its own number times this.
const OF_REQUEST: u64 = 1000;

/// The saved files of one run.
#[derive(Clone, Debug)]
pub(crate) struct WorkFiles {
    dir: PathBuf,
}

impl WorkFiles {
    pub(crate) fn of(run: &Run) -> Self {
        Self::in_dir(run.dir())
    }

    /// Those of a run by its directory.
    pub(crate) fn in_dir(run: &Path) -> Self {
        Self { dir: run.join("work") }
    }

    /// Keeps how the delta and allowed files are at a refresh. Files that the run has changed already keep the base that they were changed
    /// from: what others did to them since must meet the work when it lands. A run that is not `is_measured` by
    /// what there was at its first refresh does not keep that.
    pub(in crate::run) fn begin(
        &self,
        tree: &Tree,
        delta: &[DeltaPath],
        allowed: &[DeltaPath],
        is_measured: bool,
    ) -> Result<SavedFiles, Fault> {
        let before = self.dir.join(BEFORE);
        if is_measured && tree.load(&before)?.is_none() {
            tree.save(&[], delta, &before)?;
        }
        let changed_from = match (self.base(tree)?, self.work(tree)?) {
            (Some(base), Some(work)) => Some(base.changed_in(&work)),
            _ => None,
        };
        let earlier: Vec<&SavedFiles> = changed_from.iter().collect();
        Ok(tree.save(&earlier, delta.iter().chain(allowed), &self.next(BASE)?)?)
    }

    /// How the delta was before the run's first request.
    pub(crate) fn before(&self, tree: &Tree) -> Result<Option<SavedFiles>, Fault> {
        Ok(tree.load(&self.dir.join(BEFORE))?)
    }

    /// The project's files at the last refresh.
    pub(crate) fn base(&self, tree: &Tree) -> Result<Option<SavedFiles>, Fault> {
        self.last(tree, BASE)
    }

    /// The same with more files, as they are now.
    pub(crate) fn extend_base(
        &self,
        tree: &Tree,
        base: &SavedFiles,
        added: &[DeltaPath],
    ) -> Result<Option<SavedFiles>, Fault> {
        match added.iter().all(|path| base.knows(path)) {
            true => Ok(None),
            false => Ok(Some(tree.save(&[base], added, &self.next(BASE)?)?)),
        }
    }

    /// Keeps files as they are in `tree`, and of others what `earlier` says, as what a request left.
    pub(crate) fn keep<'p>(
        &self,
        tree: &Tree,
        earlier: &[&SavedFiles],
        paths: impl IntoIterator<Item = &'p DeltaPath>,
        request: u32,
    ) -> Result<SavedFiles, Fault> {
        let first = u64::from(request) * OF_REQUEST;
        let last = self.numbers(DONE)?.last().copied().unwrap_or(0);
        let dir = self.dir.join(DONE).join((last + 1).max(first).to_string());
        Ok(tree.save(earlier, paths, &dir)?)
    }

    /// Removes what requests left that are not in the journal: they are made again. And what a crash left half stored.
    pub(in crate::run) fn forget_after(&self, requests: u32) -> Result<(), Fault> {
        for kind in [BASE, DONE] {
            let dirs = self.numbers(kind)?.into_iter();
            let dirs = dirs.map(|number| self.dir.join(kind).join(number.to_string()));
            for dir in dirs.filter(|dir| !ftl_tree::is_saved(dir)) {
                ftl_tree::workplace::remove_dir(&dir)?;
            }
        }
        let end = (u64::from(requests) + 1) * OF_REQUEST;
        for number in self.numbers(DONE)?.into_iter().filter(|number| *number >= end) {
            ftl_tree::workplace::remove_dir(&self.dir.join(DONE).join(number.to_string()))?;
        }
        Ok(())
    }

    /// The work so far.
    pub(crate) fn work(&self, tree: &Tree) -> Result<Option<SavedFiles>, Fault> {
        self.last(tree, DONE)
    }

    /// Removes the work: it has landed. What strays are merged by stays, so that they can be taken.
    pub(in crate::run) fn retire(&self, has_strays: bool) {
        let of_work = [self.dir.join(BEFORE), self.dir.join(DONE)];
        let gone = if has_strays { &of_work[..] } else { std::slice::from_ref(&self.dir) };
        for dir in gone {
            // What cannot be removed is private, and does no harm.
            let _ = std::fs::remove_dir_all(dir);
        }
    }

    fn last(&self, tree: &Tree, kind: &str) -> Result<Option<SavedFiles>, Fault> {
        for number in self.numbers(kind)?.into_iter().rev() {
            if let Some(found) = tree.load(&self.dir.join(kind).join(number.to_string()))? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn next(&self, kind: &str) -> Result<PathBuf, Fault> {
        let last = self.numbers(kind)?.last().copied().unwrap_or(0);
        Ok(self.dir.join(kind).join((last + 1).to_string()))
    }

    fn numbers(&self, kind: &str) -> Result<Vec<u64>, Fault> {
        let names = files().list(&self.dir.join(kind))?;
        let mut numbers: Vec<u64> =
            names.iter().filter_map(|name| name.to_str()?.parse().ok()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }
}
