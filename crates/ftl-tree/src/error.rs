//! What can keep a tree from being saved, compared or changed.
//!
//! A path that is gone, a file that may not be read and a repository that an implementer broke are no
//! errors: they are outcomes, found where they occur.

use std::io;
use std::path::PathBuf;

use ftl_process::StartError;
use ftl_store::FileError;

/// Why files could not be saved, compared or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The file system refused.
    #[error("cannot {action} `{}`", path.display())]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Git could not be run.
    #[error("cannot run git")]
    Start(#[from] StartError),
    /// Git ran, and refused.
    #[error("`git {command}` failed: {message}")]
    Git {
        /// The subcommand.
        command: String,
        /// The first line of what it said.
        message: String,
    },
    /// There is no such revision.
    #[error("`{revision}` is not a revision of this repository")]
    NoSuchRevision {
        /// The revision as it was asked for.
        revision: String,
    },
    /// A revision was asked for where there is no git.
    #[error("`{revision}` cannot be looked up: `{}` is not in a git repository", root.display())]
    NoGit {
        /// The revision as it was asked for.
        revision: String,
        /// The root.
        root: PathBuf,
    },
    /// What is saved in a directory cannot be what was written there.
    #[error("what is saved in `{}` is damaged: {reason}", dir.display())]
    Damaged {
        /// The directory.
        dir: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The tree's directory is no longer at its path.
    #[error("`{}` is another directory than the one that the build began in", path.display())]
    Replaced {
        /// The path.
        path: PathBuf,
    },
    /// A directory could not be made.
    #[error(transparent)]
    File(#[from] FileError),
}

impl TreeError {
    /// Whether the disk has no room, or the user may not have more of it.
    #[must_use]
    pub fn is_no_room(&self) -> bool {
        use rustix::io::Errno;
        let errno = match self {
            Self::Io { source, .. } => Errno::from_io_error(source),
            _ => None,
        };
        matches!(errno, Some(Errno::NOSPC | Errno::DQUOT))
    }

    pub(super) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}
