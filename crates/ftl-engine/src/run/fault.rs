//! Why a build could not begin or go on. The task stays as it was, and can be built again.
//!
//! A block is not a fault, nor is a failing check or test: these are outcomes, and have a record. What to do
//! about a fault, the command line says.

use std::path::PathBuf;

use ftl_agents::OutageKind;
use ftl_machine::IllegalEvent;
use ftl_model::Status;
use ftl_process::StartError;
use ftl_store::{FileError, StoreError};
use ftl_tree::TreeError;
use jiff::Timestamp;
use thiserror::Error;

/// ftl itself cannot continue, or the task cannot be built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// There is no implementer to write the delta.
    #[error("no implementer is named, and no delta file exists{}", at(base.as_deref()))]
    NoImplementer {
        /// The revision that was looked at.
        base: Option<String>,
    },
    /// The implementer is the project as it is, and nothing was done there.
    #[error("no file of the delta differs from `{base}`")]
    NothingDiffers {
        /// The revision.
        base: String,
    },
    /// The rules of the house can't be used.
    #[error("{0}")]
    Rules(String),
    /// `.ftl` is a link, through which an implementer would reach the tasks of the project.
    #[error("`{}` is a link to another place", path.display())]
    LinkedStore {
        /// The link.
        path: PathBuf,
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
    #[error("{what} changed since run {run} of this task began{}", after_colon(changes))]
    Changed {
        /// The workspace, or the options.
        what: &'static str,
        /// The unfinished run's number.
        run: u64,
        /// Each changed option, from what to what.
        changes: Vec<String>,
    },
    /// The user's state directory is unknown.
    #[error(
        "there is no directory to keep a copy of the tree in: neither `XDG_STATE_HOME` nor `HOME` is set"
    )]
    NoStateDirectory,
    /// A mount over the root was asked for, and the system does not allow it.
    #[error("the workplace cannot be mounted at the project's path: {reason}")]
    Isolation {
        /// What refused.
        reason: String,
    },
    /// What the run had saved of its work is missing.
    #[error("run {run} cannot continue: its work is missing in its directory")]
    NoWork {
        /// The unfinished run's number.
        run: u64,
    },
    /// The task file is not the one that the run read.
    #[error("`{}` was edited during its build, and is left as it is; the record is in `{}`", path.display(), record.display())]
    TaskEdited {
        /// The task file.
        path: PathBuf,
        /// The record that could not take its place.
        record: PathBuf,
    },
    /// There is no room for a copy of the tree, in which the implementer would work.
    #[error("there is no room for a copy of the tree")]
    NoRoom(#[source] TreeError),
    /// An agent could not reach a model, and did nothing.
    #[error("the agent{} did nothing: {kind}; it says: {said}", named(name.as_deref()))]
    Outage {
        /// Its name, where it has one.
        name: Option<String>,
        /// What it lacked.
        kind: OutageKind,
        /// In its own words.
        said: String,
        /// When its quota resets, where it says so.
        resets: Option<Timestamp>,
        /// What to do about it, where that is known.
        setup: Option<&'static str>,
        /// The file that holds what it printed, from the root.
        log: Option<String>,
        /// Whether the run had done nothing before.
        is_first: bool,
    },
    /// The program that performs requests could not perform one.
    #[error("no worker could perform the request: {reason}")]
    Performer {
        /// One line.
        reason: String,
        /// Whether it waited in vain for what it needs to perform any.
        unreachable: bool,
    },
    /// The user pressed Ctrl-C, or a process asked ftl to end.
    #[error("interrupted by {}", signal_name(*.0))]
    Interrupted(i32),
    /// The store gave way.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The tree could not be read, compared or changed.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A program could not be started.
    #[error(transparent)]
    Start(StartError),
    /// There was no thread to check a file on.
    #[error("cannot check `{}`: cannot start a thread: {why}", path.display())]
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
    /// A seal that a crash interrupted was finished; there is nothing more to build.
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
            StartError::View { reason } => Self::Isolation { reason },
            other => Self::Start(other),
        }
    }
}

impl Fault {
    /// A stable name for the kind of fault.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoImplementer { .. } => "usage::no_implementer",
            Self::NothingDiffers { .. } => "usage::no_change",
            Self::Patch { .. } => "usage::patch",
            Self::Rules(_) => "config::rules",
            Self::LinkedStore { .. } => "build::linked_store",
            Self::Tree(TreeError::NoSuchRevision { .. } | TreeError::NoGit { .. }) => "usage::base",
            Self::Changed { .. } => "build::changed",
            Self::NoStateDirectory => "build::state",
            Self::Isolation { .. } => "build::isolation",
            Self::NoWork { .. } => "build::work",
            Self::TaskEdited { .. } => "build::task_edited",
            Self::NoRoom(_) => "build::no_room",
            Self::Outage { kind, .. } => match kind {
                OutageKind::Login => "agent::login",
                OutageKind::Key => "agent::key",
                OutageKind::Quota => "agent::quota",
                OutageKind::Server => "agent::server",
                OutageKind::Version => "agent::version",
            },
            Self::Performer { .. } => "build::workers",
            Self::Interrupted(_) => "build::interrupted",
            Self::Store(error) => error.code(),
            Self::Tree(_) => "build::scope",
            Self::File(_) => "build::file",
            Self::Start(_) => "build::start",
            Self::Checking { .. } => "build::checking",
            Self::Applying { .. } => "build::applying",
            Self::Finished { .. } => "usage::workspace_finished",
            Self::Illegal(_) => "build::journal",
        }
    }
}

/// A signal as people know it.
#[must_use]
pub fn signal_name(signal: i32) -> String {
    match signal {
        1 => "SIGHUP: the terminal was closed".to_owned(),
        2 => "SIGINT (Ctrl-C)".to_owned(),
        15 => "SIGTERM".to_owned(),
        other => format!("signal {other}"),
    }
}

fn named(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(" `{name}`"))
}

fn at(base: Option<&str>) -> String {
    base.map_or_else(String::new, |base| format!(", and none existed at `{base}`"))
}

/// `: a; b`, or nothing.
fn after_colon(changes: &[String]) -> String {
    if changes.is_empty() { String::new() } else { format!(": {}", changes.join("; ")) }
}
