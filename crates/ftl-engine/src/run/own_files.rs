//! Which changes in a `.ftl` are ftl's own.
//!
//! During a request without isolation these are few: the run's directory, which `own_run` looks after, and
//! lock files. Other commands do not write then (`ftl_store::StoreLock`). After a request that was killed they
//! did, and so they may while a verify runs.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_model::WorkspaceName;
use ftl_store::{LARGEST_RECORD, StoreLock, changed_at, read_regular};
use ftl_tree::{EntryType, OwnFiles};

use super::crash_backup;
use super::site::Site;
use crate::project::status_ahead;

const STORE: &str = ".ftl";

/// Knows the run's own directory, and when an earlier request of the task was killed.
#[derive(Debug)]
pub(super) struct OwnStore {
    root: PathBuf,
    run: PathBuf,
    mark: Option<PathBuf>,
}

impl OwnStore {
    /// `root` is the site's without links.
    pub(super) fn of(site: &Site<'_>, root: &Path) -> Self {
        let run = site.run.dir().strip_prefix(site.root()).map(|run| root.join(run));
        Self {
            run: run.unwrap_or_else(|_| site.run.dir().to_owned()),
            root: root.to_owned(),
            mark: crash_backup::mark(site.layout, &site.run),
        }
    }

    /// The same in a copy of the tree, where no command but the run's own writes.
    pub(super) fn of_copy(site: &Site<'_>, root: &Path) -> Self {
        let run = site.run.dir().strip_prefix(site.root()).map(|run| root.join(run));
        Self {
            run: run.unwrap_or_else(|_| site.run.dir().to_owned()),
            root: root.to_owned(),
            mark: None,
        }
    }

    /// A path without its `.ftl`.
    fn in_store<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        // Of another project of the repository, above the root, the first `.ftl` of the path counts.
        let mut parts = path.strip_prefix(&self.root).unwrap_or(path).components();
        parts.find(|part| part.as_os_str() == OsStr::new(STORE)).map(|_| parts.as_path())
    }

    /// Whether a path was changed after the killed request, and so not by its implementer.
    fn is_later(&self, path: &Path, inner: &Path, now: Option<EntryType>) -> bool {
        let Some(killed) = self.mark.as_deref().and_then(StoreLock::killed_at) else {
            return false;
        };
        let is_newer =
            |path: &Path| path.symlink_metadata().is_ok_and(|found| changed_at(&found) > killed);
        match now {
            Some(_) => is_newer(path),
            None if inner.starts_with("runs") => {
                path.ancestors().find(|dir| dir.exists()).is_some_and(is_newer)
            }
            // A task file that is gone without a successor is a task that is lost.
            None => successors(path).iter().any(|path| is_newer(path)),
        }
    }
}

impl OwnFiles for OwnStore {
    fn skips(&self, path: &Path) -> bool {
        path == self.run
    }

    fn wrote(&self, path: &Path, now: Option<EntryType>) -> bool {
        let Some(inner) = self.in_store(path) else {
            return false;
        };
        is_lock_file(inner, now)
            || is_leftover(inner, now)
            // On the way to the run itself, which is skipped.
            || (now == Some(EntryType::Dir) && self.run.starts_with(path))
            || self.is_later(path, inner, now)
    }

    fn may_write(&self, path: &Path, was: Option<EntryType>, now: Option<EntryType>) -> bool {
        let Some(inner) = self.in_store(path) else {
            return false;
        };
        match (was, now) {
            (None, _) => true,
            (Some(_), None) if !successors(path).is_empty() => true,
            (Some(_), Some(EntryType::File)) if is_being_renamed(path) => true,
            (Some(_), _) => is_ours(inner) || is_leftover(inner, now),
        }
    }

    fn may_write_all(&self, path: &Path) -> bool {
        self.in_store(path).is_some_and(is_ours)
    }

    /// Runs of other tasks, which are ever more, and locks, which are none in a copy. A prompt names files of the task's
    /// own earlier runs.
    fn is_never_copied(&self, path: &Path) -> bool {
        let task = self.run.parent().unwrap_or(&self.run);
        let is_on_way = task.starts_with(path) || path.starts_with(task);
        !is_on_way && self.in_store(path).is_some_and(is_ours)
    }
}

/// Whether ftl may make, change and remove everything at this path of a `.ftl` while a verify runs: runs and locks of
/// other tasks.
fn is_ours(inner: &Path) -> bool {
    inner.starts_with("runs") || inner.starts_with("locks")
}

/// Lock files come and change with every command. ftl never deletes one.
fn is_lock_file(inner: &Path, now: Option<EntryType>) -> bool {
    let name = inner.file_name().unwrap_or_default();
    let is_named = ["build", "landing", "refresh", "root"].iter().any(|known| name == *known)
        || inner.extension() == Some(OsStr::new("lock"));
    inner.parent() == Some(Path::new("locks")) && is_named && now == Some(EntryType::File)
}

/// A temporary file that a crash left, and the next command removes.
fn is_leftover(inner: &Path, now: Option<EntryType>) -> bool {
    let name = inner.file_name().unwrap_or_default().to_string_lossy();
    now.is_none() && name.starts_with('.') && name.ends_with(".tmp")
}

/// Whether a task file has its next status already, and gets the name for it in a moment.
fn is_being_renamed(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (Ok(task), Ok(bytes)) = (name.parse::<WorkspaceName>(), read_regular(path, LARGEST_RECORD))
    else {
        return false;
    };
    status_ahead(task.status, &bytes).is_some()
}

/// The files of the task that had this file: a seal and `ftl reopen` rename it.
fn successors(path: &Path) -> Vec<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Ok(task) = name.parse::<WorkspaceName>() else {
        return Vec::new();
    };
    let dir = path.parent().unwrap_or(path);
    let names = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names
        .filter(|other| {
            let other = other.to_string_lossy().parse::<WorkspaceName>();
            other.is_ok_and(|other| other.id.seq() == task.id.seq())
        })
        .map(|other| dir.join(other))
        .collect()
}
