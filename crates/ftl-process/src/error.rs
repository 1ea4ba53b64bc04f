//! Why a command did not run. How a command that ran ended is [`Ended`](crate::Ended) and no error.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// Why a command did not run, or could not be watched to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// There is no such program.
    #[error("program `{program}` was not found")]
    MissingProgram {
        /// The program as it was asked for.
        program: String,
    },
    /// The directory to run in does not exist, or is none.
    #[error("directory `{}` to run in does not exist", directory.display())]
    MissingDirectory {
        /// The directory as it was asked for.
        directory: PathBuf,
    },
    /// The system refused to start the program.
    #[error("could not start `{program}`")]
    Start {
        /// The program as it was asked for.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file that was to take the output could not be made.
    #[error("could not create output file `{}`", path.display())]
    Spill {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The caller's observer failed; the command was not started, or killed.
    #[error("could not record the start of `{program}`")]
    Unobserved {
        /// The program as it was asked for.
        program: String,
        /// What the observer said.
        source: io::Error,
    },
    /// The running command could not be watched; it was killed.
    #[error("could not watch `{program}`")]
    Watch {
        /// The program as it was asked for.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// The view that the command was to run on could not be made; it did not run.
    #[error("could not make a view of the tree: {reason}")]
    View {
        /// Who refused what, in one line.
        reason: String,
    },
    /// SIGINT or SIGTERM had arrived before, so nothing more is started.
    #[error("interrupted by signal {signal}")]
    Interrupted {
        /// The signal's number.
        signal: i32,
    },
}

impl StartError {
    /// Says which thing is missing, since the system does not.
    ///
    /// ENOENT is the answer for a missing directory and for a missing program alike: the child changes
    /// its directory before it executes, and reports either failure the same way.
    pub(crate) fn of(program: &OsStr, dir: Option<&Path>, source: io::Error) -> Self {
        let missing = source.kind() == io::ErrorKind::NotFound;
        let bad_dir = dir.filter(|dir| !dir.is_dir());
        let program = program.to_string_lossy().into_owned();
        match bad_dir {
            Some(dir) => Self::MissingDirectory { directory: dir.to_path_buf() },
            None if missing => Self::MissingProgram { program },
            None => Self::Start { program, source },
        }
    }
}
