//! Work of a run, and strays of its requests, taken after all: into the project, or into the work that the next run
//! goes on from.

use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use ftl_store::{OsFiles, Run, Runs, StoreError};
use ftl_tree::{Extent, SavedFiles, Settings as TreeSettings, Tree, TreeError};
use thiserror::Error;

use crate::project::{WorkspaceFile, typed_path};
pub use crate::run::Taken;
use crate::run::work::last_work::LastWork;
use crate::run::work::quarantine::{ABOVE, quarantines, walk};
use crate::run::work::work_files::WorkFiles;
use crate::run::{Fault, Reporter, Settings, lay_into_project};
use crate::text::one_line;

/// Files of one directory that are taken at once.
const MOST: usize = 10_000;

/// Why nothing is taken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TakeError {
    /// No run of the task left any work.
    #[error("no run of `{id}` left work that could be taken")]
    NoWork {
        /// The task.
        id: String,
    },
    /// No run set this path apart.
    #[error("no run of this task has `{path}` in quarantine")]
    NotApart {
        /// The path, from the root.
        path: String,
        /// What was set apart, from the root.
        apart: Vec<String>,
    },
    /// It was set apart, and cannot be taken.
    #[error("`{path}` cannot be taken: it {why}")]
    Untakable {
        /// The path, from the root.
        path: String,
        /// Why not.
        why: String,
    },
    /// Another process holds the tree, or the file system refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The tree could not be read or written.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The work could not be read.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Lays the work of the last run of a task that has any into the project, or these strays.
///
/// # Errors
///
/// [`TakeError`]; nothing was changed then.
pub fn take(
    workspace: &WorkspaceFile,
    paths: &[String],
    settings: &Settings,
    reporter: &mut dyn Reporter,
) -> Result<Taken, TakeError> {
    let (layout, id) = (&workspace.layout, workspace.id());
    let tree = Tree::open(layout.root(), &[], settings.tree.clone())?;
    let no_work = || TakeError::NoWork { id: id.to_string() };
    let last = match paths {
        [] => LastWork::of_task(layout, id, &tree)?.ok_or_else(no_work)?,
        paths => {
            let strays = Strays::find(workspace, paths, &settings.tree)?;
            let base = WorkFiles::of(&strays.run).base(&tree)?.ok_or_else(no_work)?;
            LastWork { base, work: strays.save(&[], &strays.run.dir().join("work/taken"))? }
        }
    };
    let run = Runs::new(&OsFiles, layout, id).all()?.into_iter().next().ok_or_else(no_work)?;
    Ok(lay_into_project(settings, layout, run, &last, reporter)?)
}

/// Strays in the quarantine of a request.
pub(super) struct Strays {
    pub(super) run: Run,
    dir: PathBuf,
    paths: Vec<DeltaPath>,
    scope: TreeSettings,
}

impl Strays {
    /// Finds what was typed in the last quarantine that has it.
    pub(super) fn find(
        workspace: &WorkspaceFile,
        typed: &[String],
        scope: &TreeSettings,
    ) -> Result<Self, TakeError> {
        let layout = &workspace.layout;
        let names: Vec<String> = typed
            .iter()
            .map(|word| typed_path(layout.root(), word.trim_end_matches('/')))
            .collect();
        let first = names.first().cloned().unwrap_or_default();
        let mut apart = Vec::new();
        for run in Runs::new(&OsFiles, layout, workspace.id()).all()? {
            for dir in quarantines(&run) {
                let has = |name: &String| is_kept(&dir, name);
                if names.iter().all(has) {
                    let mut paths = Vec::new();
                    for name in &names {
                        collect(&dir, name, &mut paths)?;
                    }
                    let scope = TreeSettings { watch: Extent::Root, ..scope.clone() };
                    return Ok(Self { run, dir, paths, scope });
                }
                let mut found = Vec::new();
                let _ = collect(&dir, "", &mut found);
                // What is above the root belongs to no delta.
                let names = found.iter().map(ToString::to_string);
                apart.extend(names.filter(|name| !name.starts_with(ABOVE)));
            }
        }
        let missing = |name: &&String| !apart.contains(*name);
        let path = names.iter().find(missing).cloned().unwrap_or(first);
        apart.sort();
        apart.dedup();
        Err(TakeError::NotApart { path: one_line(&path), apart })
    }

    /// The files, which are to belong to the delta.
    pub(super) fn paths(&self) -> impl Iterator<Item = &DeltaPath> {
        self.paths.iter()
    }

    /// Saves them, with what is saved already, in a directory.
    fn save(&self, earlier: &[&SavedFiles], dir: &Path) -> Result<SavedFiles, TakeError> {
        Ok(Tree::open(&self.dir, &[], self.scope.clone())?.save(earlier, &self.paths, dir)?)
    }

    /// Makes them part of the run's work, from which the next run goes on.
    pub(super) fn join_work(&self, root: &Path) -> Result<(), TakeError> {
        let tree = Tree::open(root, &[], self.scope.clone())?;
        let saved = WorkFiles::of(&self.run);
        let quarantine = Tree::open(&self.dir, &[], self.scope.clone())?;
        let work = saved.work(&tree)?;
        // The strays come first: what the work says of such a path is that nothing is there.
        let apart = self.save(&[], &self.run.dir().join("work/taken"))?;
        let all: Vec<&SavedFiles> = std::iter::once(&apart).chain(work.as_ref()).collect();
        saved.keep(&quarantine, &all, [], 0)?;
        Ok(())
    }
}

/// Whether something is at a path of a quarantine, and no directory on the way is a link.
fn is_kept(dir: &Path, name: &str) -> bool {
    let full = dir.join(name);
    let mut dirs = full.ancestors().skip(1).take_while(|at| *at != dir);
    let is_dir = |at: &Path| at.symlink_metadata().is_ok_and(|found| found.is_dir());
    !name.starts_with(ABOVE) && full.symlink_metadata().is_ok() && dirs.all(is_dir)
}

/// The regular files at a path, or below it.
fn collect(dir: &Path, name: &str, paths: &mut Vec<DeltaPath>) -> Result<(), TakeError> {
    let untakable =
        |name: &str, why: &str| TakeError::Untakable { path: one_line(name), why: why.to_owned() };
    dir.join(name).symlink_metadata().map_err(|_| untakable(name, "is no longer there"))?;
    walk(dir, name, &mut |name, kind| {
        if paths.len() >= MOST {
            return Ok(());
        }
        if !kind.is_file() {
            return Err(untakable(name, "is no regular file"));
        }
        let path =
            DeltaPath::parse(name).map_err(|problem| untakable(name, &problem.to_string()))?;
        paths.push(path);
        Ok(())
    })
}

/// What is in a quarantine at a path: a regular file can be taken.
#[must_use]
pub(crate) fn is_takable(run: &Run, path: &str) -> bool {
    let kept = quarantines(run).into_iter().map(|dir| dir.join(path));
    kept.filter_map(|path| path.symlink_metadata().ok()).next().is_some_and(|at| at.is_file())
}
