//! Whether there is a repository around a directory, and what of it differs from a revision.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::git::{Discovery, Git};
use crate::{Extent, TreeError};

/// The repository around a directory, as a build would find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repository {
    /// There is none.
    None,
    /// There is one, but git refuses it, with the reason.
    Refused(String),
    /// The top of its work tree.
    At(PathBuf),
}

/// Looks for the repository around `dir`.
///
/// # Errors
/// When git can't be run, or fails in a way that is no refusal.
pub fn repository_of(dir: &Path) -> Result<Repository, TreeError> {
    Ok(match Git::find(dir, Extent::Repository)? {
        Discovery::No => Repository::None,
        Discovery::Refused { reason, .. } => Repository::Refused(reason),
        Discovery::Yes(git) => Repository::At(git.base),
    })
}

/// The files of the repository around `dir` that differ from a revision, `HEAD` unless one is named, and
/// those that git neither tracks nor ignores: absolute paths, sorted. Deleted files are left out. Where
/// nothing is committed yet, `HEAD` means no files.
///
/// # Errors
/// When there is no repository, or no such revision, or git refuses.
pub fn changed_since(dir: &Path, revision: Option<&str>) -> Result<Vec<PathBuf>, TreeError> {
    let git = match Git::find(dir, Extent::Repository)? {
        Discovery::Yes(git) => git,
        Discovery::No => {
            return Err(TreeError::NoGit {
                revision: revision.unwrap_or("HEAD").to_owned(),
                root: dir.to_owned(),
            });
        }
        Discovery::Refused { reason, .. } => {
            return Err(TreeError::Git { command: "rev-parse".to_owned(), message: reason });
        }
    };
    let commit = git.commit_of(revision)?;
    let differing = git.differing(commit.as_deref())?;
    let paths: BTreeSet<PathBuf> = differing
        .iter()
        .map(|path| git.base.join(path.as_path()))
        .filter(|path| path.is_file())
        .collect();
    Ok(paths.into_iter().collect())
}
