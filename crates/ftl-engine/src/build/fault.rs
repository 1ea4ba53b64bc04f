//! Why a build could not begin or go on. The task stays as it was, and can be built again.

use std::io;
use std::path::PathBuf;

use ftl_model::Status;
use ftl_process::StartError;
use thiserror::Error;

use crate::machine::IllegalEvent;
use crate::scope::ScopeError;
use crate::store::{FileError, StoreError};

/// ftl's own footing gave way, or nobody could have built this.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// Nobody is there to write the delta.
    #[error("nobody is there to write the delta: no delta file exists{}", at(base.as_deref()))]
    NoImplementer {
        /// The revision that was looked at.
        base: Option<String>,
    },
    /// A patch can't be read.
    #[error("cannot read the patch `{}`", path.display())]
    Patch {
        /// The patch.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The workspace or the options are not those of the unfinished run.
    #[error("{what} changed since run {run} of this task began")]
    Changed {
        /// The workspace, or the options.
        what: &'static str,
        /// The unfinished run's number.
        run: u64,
    },
    /// Somebody pressed Ctrl-C, or asked ftl to end.
    #[error("interrupted by signal {0}")]
    Interrupted(i32),
    /// The store gave way.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The tree could not be captured, compared or put back.
    #[error(transparent)]
    Scope(#[from] ScopeError),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A program could not be started.
    #[error(transparent)]
    Start(StartError),
    /// There was no thread to check a file on.
    #[error("cannot check `{}`: no thread can be started: {why}", path.display())]
    Checking {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// Git was ended while it applied a patch.
    #[error("`git apply` was ended by signal {signal}")]
    Applying {
        /// The signal's number.
        signal: i32,
    },
    /// A crash's residue was finished; there is nothing more to build.
    #[error("`{}` is already {status}", path.display())]
    Finished {
        /// The record.
        path: PathBuf,
        /// What its task has become.
        status: Status,
    },
    /// A journal that does not fit the machine.
    #[error(transparent)]
    Illegal(#[from] IllegalEvent),
}

impl From<StartError> for Fault {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Interrupted { signal } => Self::Interrupted(signal),
            other => Self::Start(other),
        }
    }
}

impl Fault {
    /// The exit code: 2 for what was asked wrongly, 128 + signal after an interrupt, else 1.
    #[must_use]
    pub const fn exit(&self) -> i32 {
        match self {
            Self::NoImplementer { .. }
            | Self::Patch { .. }
            | Self::Finished { .. }
            | Self::Scope(ScopeError::NoSuchRevision { .. } | ScopeError::NoGit { .. }) => 2,
            Self::Interrupted(signal) => 128 + *signal,
            Self::Changed { .. }
            | Self::Store(_)
            | Self::Scope(_)
            | Self::File(_)
            | Self::Start(_)
            | Self::Checking { .. }
            | Self::Applying { .. }
            | Self::Illegal(_) => 1,
        }
    }

    /// A stable name for the kind of fault.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoImplementer { .. } => "usage::no_implementer",
            Self::Patch { .. } => "usage::patch",
            Self::Scope(ScopeError::NoSuchRevision { .. } | ScopeError::NoGit { .. }) => {
                "usage::base"
            }
            Self::Changed { .. } => "build::changed",
            Self::Interrupted(_) => "build::interrupted",
            Self::Store(error) => error.code(),
            Self::Scope(_) => "build::scope",
            Self::File(_) => "build::file",
            Self::Start(_) => "build::start",
            Self::Checking { .. } => "build::checking",
            Self::Applying { .. } => "build::applying",
            Self::Finished { .. } => "usage::workspace_finished",
            Self::Illegal(_) => "build::journal",
        }
    }

    /// What the user can do about it.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        let help = match self {
            Self::NoImplementer { .. } => {
                "name who writes it: `--agent CMD`, `--patch FILE`, or `[agent] default` in ftl.toml"
            }
            Self::Patch { .. } => "check the path given to `--patch`",
            Self::Changed { .. } => {
                "undo the change to go on with it, or pass `--restart` to give it up and begin anew"
            }
            Self::Interrupted(_) | Self::Applying { .. } => {
                "the task is still active: build it again to go on"
            }
            Self::Finished { .. } => {
                "a crash had left its last step undone, which is done now; the record holds"
            }
            Self::Store(error) => return error.help().map(str::to_owned),
            Self::Scope(ScopeError::NoSuchRevision { .. }) => "name a revision that git knows",
            Self::Scope(ScopeError::NoGit { .. }) => "leave `--base` out: there is no git here",
            Self::Scope(ScopeError::Io { source, .. })
                if source.kind() == io::ErrorKind::PermissionDenied =>
            {
                "give ftl access to it, or name it under `[scope] scratch` in ftl.toml if nobody need \
                 watch it; then build again"
            }
            Self::Scope(_) | Self::File(_) | Self::Start(_) | Self::Checking { .. } => {
                "mend what the system names, then build again: the run goes on where it stopped"
            }
            Self::Illegal(_) => "pass `--restart` to give this run up and begin a new one",
        };
        Some(help.to_owned())
    }
}

fn at(base: Option<&str>) -> String {
    base.map_or_else(String::new, |base| format!(", and none did at `{base}`"))
}
