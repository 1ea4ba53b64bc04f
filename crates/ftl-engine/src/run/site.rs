//! Where a run works: its settings, its project, its own directory. None of it changes on the way.
//!
//! A site knows no document and no state of the machine, so that a run whose document can't be read any
//! more can still be given up in order.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ftl_process::{Capture, Command, interrupted};
use ftl_store::{Layout, Operation, Run, StoreError, StoreLock, Waiting};

pub(super) use super::files;
use super::implementer::without_variables;
use super::secrets::Secrets;
use super::snapshots::Snapshots;
use super::{Fault, Settings, crash_backup};

fn is_empty(dir: &Path) -> bool {
    fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none())
}

/// Where a run works.
pub(super) struct Site<'a> {
    pub(super) settings: &'a Settings,
    pub(super) layout: &'a Layout,
    /// The run's directory.
    pub(super) run: Run,
    /// What must not leave it.
    pub(super) secrets: Secrets,
    /// The right to write into `.ftl` beside other commands.
    pub(super) store: &'a SharedStore,
}

impl Site<'_> {
    /// The project directory.
    pub(super) fn root(&self) -> &Path {
        self.layout.root()
    }

    /// Where what an interrupted request wrote is moved to: the last of its directories.
    pub(super) fn interrupted_dir(&self, request: u32) -> PathBuf {
        let first = self.run.dir().join("interrupted").join(request.to_string());
        self.interrupted_dirs(request).pop().unwrap_or(first)
    }

    /// The directories of an interrupted request: one for each time.
    pub(super) fn interrupted_dirs(&self, request: u32) -> Vec<PathBuf> {
        let dir = self.run.dir().join("interrupted");
        let names = std::iter::once(request.to_string());
        let names = names.chain((2..).map(|number| format!("{request}-{number}")));
        names.map(|name| dir.join(name)).take_while(|dir| dir.is_dir()).collect()
    }

    /// A request begins, perhaps again: if it was interrupted before, what it wrote stays in the directory that the user
    /// knows.
    pub(super) fn begin_request(&self, request: u32) -> Result<(), Fault> {
        self.run.make_places(files())?;
        let dirs = self.interrupted_dirs(request);
        let Some(last) = dirs.last().filter(|last| !is_empty(last)) else {
            return Ok(());
        };
        let next = last.with_file_name(format!("{request}-{}", dirs.len() + 1));
        let made = fs::DirBuilder::new().mode(0o700).create(&next);
        Ok(made.map_err(|error| Operation::CreateDir.failed(&next, error))?)
    }

    /// The snapshots of this run.
    pub(super) fn snapshots(&self) -> Result<Snapshots, Fault> {
        Snapshots::of(self.settings, self.layout, &self.run)
    }

    /// That the snapshot of the run's first request is gone.
    pub(super) fn no_snapshot(&self) -> Result<Fault, Fault> {
        Ok(Fault::NoSnapshot { run: self.run.number(), dir: self.snapshots()?.before(1) })
    }

    /// Where snapshots are kept. It may be in the tree, if the project is the home directory.
    pub(super) fn private_dir(&self) -> Option<PathBuf> {
        let dir = self.layout.private_dir()?;
        Some(dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf()))
    }

    /// Keeps other commands from writing into `.ftl` during a request that is compared with the tree below `top`, for as
    /// long as the value lives. A command that writes at this moment is waited for.
    pub(super) fn hold_store_alone(&self, top: &Path) -> Result<Option<StoreLock>, Fault> {
        let Some(mark) = crash_backup::mark(self.layout, &self.run) else {
            return Ok(None);
        };
        // A run's own share would keep itself waiting.
        self.store.release();
        let mut go_on = |_| interrupted().is_none();
        match StoreLock::for_request(self.layout, top, &mark, Waiting::While(&mut go_on)) {
            Err(StoreError::Held { .. }) if let Some(signal) = interrupted() => {
                Err(Fault::Interrupted(signal))
            }
            lock => Ok(Some(lock?)),
        }
    }

    /// A command of the workspace, in the root, that learns nothing of agents.
    pub(super) fn shell(&self, command: &str, log: &Path) -> Command {
        Command::shell(command, [])
            .dir(self.root())
            .env(without_variables(self.settings.commands.env.clone()))
            .time_limit(Some(self.settings.commands.limit))
            .grace(self.settings.grace)
            .capture(self.capture(log))
    }

    /// Keeps an output without its secrets, all of it in a file.
    pub(super) fn capture(&self, log: &Path) -> Capture {
        let filters = Arc::new(self.secrets.clone());
        Capture::default().spill(log).filtered(filters)
    }
}

/// A run's share of the right to write into `.ftl`, from its beginning until it has the tree's lock: as long as
/// another builder could be at a request. Given back before the run waits for the tree, since that builder waits
/// for it.
#[derive(Default)]
pub(super) struct SharedStore(Cell<Option<StoreLock>>);

impl SharedStore {
    pub(super) fn hold(&self, layout: &Layout, waiting: Waiting<'_>) -> Result<(), StoreError> {
        // First, or a request would wait for a share that waits for it.
        self.release();
        self.0.set(Some(StoreLock::to_write(layout, waiting)?));
        Ok(())
    }

    pub(super) fn release(&self) {
        drop(self.0.take());
    }
}

/// What to do about a lock that another process holds.
pub(super) fn waiting<'w>(
    settings: &Settings,
    wait: &'w mut dyn FnMut(Option<u32>) -> bool,
) -> Waiting<'w> {
    if settings.start.wait { Waiting::While(wait) } else { Waiting::Refuse }
}
