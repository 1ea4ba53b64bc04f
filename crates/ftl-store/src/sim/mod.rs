//! A file system in memory that can lose power, be killed and fail, for tests of the protocols.
//!
//! It keeps a log of primitive steps. Programs see all of them at once, as processes see the page
//! cache; [`SimFs::after_power_cut`] gives every disk that a power cut after some of the steps could
//! leave behind. [`Limit`] ends a program at any step, or lets steps fail.
//!
//! The idea is that of SQLite's crash tests and of ALICE ("All File Systems Are Not Created Equal",
//! OSDI 2014): do not wait for the bad moment, list all of them. A test that finds nothing proves little
//! unless it could find something, so [`Bug`] builds in the classic mistakes, and tests show that each
//! is found.
//!
//! It models what the protocols use and no more: one process at a time, no links, no permissions, and
//! nothing is renamed from one directory to another.

mod cut;
#[cfg(test)]
mod journal_tests;
#[cfg(test)]
mod run_tests;
#[cfg(test)]
mod seal_tests;
mod volume;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::files::{FileError, FileKind, Files, Metadata, Operation};
use volume::{Node, Volume};

/// What is on a disk: directories, and files with their content. Keys are text, which compares
/// faster than paths do, and there are many disks.
pub type Disk = BTreeMap<String, Option<Vec<u8>>>;

/// What a directory says about the order in which unsynced names reach the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// In order, as with a journal of metadata (ext4, XFS).
    Ordered,
    /// Any of them, which is all that POSIX promises.
    Unordered,
}

impl Names {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Ordered, Self::Unordered];
}

/// A mistake built into the file system's callers, to see that a test would find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// New files are not synced.
    NewFileUnsynced,
    /// Appended lines are not synced.
    AppendUnsynced,
    /// What another process wrote is not synced before it is built on.
    ReopenUnsynced,
    /// Names are not synced.
    NamesUnsynced,
    /// Renaming is done by writing a copy and unlinking the original.
    UnlinkInsteadOfRename,
    /// The sync of this number, from 0, is left out.
    SyncLeftOut(usize),
}

/// When steps stop to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Never.
    None,
    /// The step of this number and all after it fail; of a write, the first half is done.
    From(usize),
    /// Only this one fails so.
    Once(usize),
}

/// A primitive step that was taken.
#[derive(Clone, Debug)]
enum DiskStep {
    MakeDir(PathBuf),
    Create(PathBuf, usize),
    Rename(PathBuf, PathBuf, usize),
    Remove(PathBuf),
    SyncDir(PathBuf),
    Write(usize, usize, Vec<u8>),
    Resize(usize, usize),
    SyncFile(usize),
}

#[derive(Debug)]
struct State {
    seen: Volume,
    log: Vec<DiskStep>,
    tried: usize,
    limit: Limit,
    /// How many syncs were asked for.
    syncs: usize,
    /// The file that was read last, and not written to since. A sync of it is one of bytes that another
    /// process wrote, which is what [`Bug::ReopenUnsynced`] leaves out.
    was_read: Option<usize>,
}

/// The simulated file system.
#[derive(Debug)]
pub struct SimFs {
    base: Volume,
    bug: Option<Bug>,
    state: Mutex<State>,
}

impl SimFs {
    /// A file system that holds `disk`, with a mistake built in if one is given.
    pub fn new(disk: &Disk, bug: Option<Bug>) -> Self {
        let base = Volume::of(disk);
        let state = State {
            seen: base.clone(),
            log: Vec::new(),
            tried: 0,
            limit: Limit::None,
            syncs: 0,
            was_read: None,
        };
        Self { base, bug, state: Mutex::new(state) }
    }

    /// From here on, with the steps counted from 0.
    pub fn set_limit(&self, limit: Limit) {
        let mut state = self.state();
        state.tried = 0;
        state.limit = limit;
    }

    /// The numbers of steps after which a power cut leaves the most: each sync takes possibilities
    /// away, every other step only adds some. Only these need to be tried, right before each sync and
    /// at the end, which divides the work by the length of the stretches between.
    pub fn worst_moments(&self) -> Vec<usize> {
        let state = self.state();
        let is_sync =
            |step: &DiskStep| matches!(step, DiskStep::SyncDir(_) | DiskStep::SyncFile(_));
        let before_sync = |at: &usize| state.log.get(*at).is_none_or(is_sync);
        (0..=state.log.len()).filter(before_sync).collect()
    }

    /// How many steps were taken so far.
    pub fn steps(&self) -> usize {
        self.state().log.len()
    }

    /// How many syncs were asked for so far.
    pub fn syncs(&self) -> usize {
        self.state().syncs
    }

    /// What programs see.
    pub fn seen(&self) -> Disk {
        self.state().seen.disk()
    }

    /// Every disk that a power cut right after the first `steps` steps can leave behind.
    pub fn after_power_cut(&self, steps: usize, names: Names) -> BTreeSet<Disk> {
        cut::disks(&self.base, &self.state().log[..steps], names)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    fn file_at(&self, operation: Operation, path: &Path) -> Result<usize, FileError> {
        match self.state().seen.names.get(path) {
            Some(Node::File(file)) => Ok(*file),
            Some(Node::Dir) => Err(operation.failed(path, ErrorKind::IsADirectory)),
            None => Err(operation.failed(path, ErrorKind::NotFound)),
        }
    }

    /// Fails unless `path` is free and its parent is a directory.
    fn free(&self, operation: Operation, path: &Path) -> Result<(), FileError> {
        let state = self.state();
        let parent = path.parent().and_then(|dir| state.seen.names.get(dir));
        if state.seen.names.contains_key(path) {
            Err(operation.failed(path, ErrorKind::AlreadyExists))
        } else if parent != Some(&Node::Dir) {
            Err(operation.failed(path, ErrorKind::NotFound))
        } else {
            Ok(())
        }
    }

    fn take(&self, operation: Operation, path: &Path, step: DiskStep) -> Result<(), FileError> {
        let mut state = self.state();
        if matches!(step, DiskStep::SyncDir(_) | DiskStep::SyncFile(_)) {
            state.syncs += 1;
            if self.has(Bug::SyncLeftOut(state.syncs - 1)) {
                return Ok(());
            }
        }
        let number = state.tried;
        state.tried += 1;
        let fails = match state.limit {
            Limit::None => false,
            Limit::From(first) => number >= first,
            Limit::Once(only) => number == only,
        };
        if !fails {
            state.seen.apply(&step);
            state.log.push(step);
            return Ok(());
        }
        if let DiskStep::Write(file, at, bytes) = step {
            let half = DiskStep::Write(file, at, bytes[..bytes.len() / 2].to_vec());
            state.seen.apply(&half);
            state.log.push(half);
        }
        Err(operation.failed(path, ErrorKind::StorageFull))
    }

    fn write(&self, file: usize, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        let mut state = self.state();
        state.was_read.take_if(|read| *read == file);
        let end = state.seen.contents[file].len();
        drop(state);
        let step = DiskStep::Write(file, end, bytes.to_vec());
        self.take(Operation::Write, path, step)
    }

    fn sync(&self, file: usize, path: &Path, unless: Bug) -> Result<(), FileError> {
        if self.has(unless) {
            return Ok(());
        }
        self.take(Operation::Sync, path, DiskStep::SyncFile(file))
    }
}

impl Files for SimFs {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        let file = self.file_at(Operation::Read, path)?;
        let mut state = self.state();
        state.was_read = Some(file);
        Ok(state.seen.contents[file].clone())
    }

    fn metadata(&self, path: &Path) -> Result<Option<Metadata>, FileError> {
        let state = self.state();
        Ok(state.seen.names.get(path).map(|node| match node {
            Node::Dir => Metadata { kind: FileKind::Dir, len: 0, mode: 0o755 },
            Node::File(file) => Metadata {
                kind: FileKind::File,
                len: state.seen.contents[*file].len() as u64,
                mode: 0o644,
            },
        }))
    }

    fn list(&self, dir: &Path) -> Result<Vec<OsString>, FileError> {
        let state = self.state();
        let inside = state.seen.names.keys().filter(|path| path.parent() == Some(dir));
        Ok(inside.filter_map(|path| path.file_name()).map(OsString::from).collect())
    }

    fn create_dir(&self, dir: &Path) -> Result<(), FileError> {
        self.free(Operation::CreateDir, dir)?;
        self.take(Operation::CreateDir, dir, DiskStep::MakeDir(dir.to_owned()))
    }

    fn write_new(&self, path: &Path, bytes: &[u8], mode: Option<u32>) -> Result<(), FileError> {
        self.write_unsynced(path, bytes, mode)?;
        let file = self.file_at(Operation::Sync, path)?;
        self.sync(file, path, Bug::NewFileUnsynced)
    }

    fn write_unsynced(&self, path: &Path, bytes: &[u8], _: Option<u32>) -> Result<(), FileError> {
        self.free(Operation::Write, path)?;
        let file = self.state().seen.contents.len();
        self.take(Operation::Write, path, DiskStep::Create(path.to_owned(), file))?;
        self.write(file, path, bytes)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        let file = self.file_at(Operation::Write, path)?;
        self.write(file, path, bytes)
    }

    fn truncate(&self, path: &Path, len: u64) -> Result<(), FileError> {
        let file = self.file_at(Operation::Truncate, path)?;
        let len = usize::try_from(len).expect("because tests use small files");
        self.take(Operation::Truncate, path, DiskStep::Resize(file, len))?;
        self.take(Operation::Sync, path, DiskStep::SyncFile(file))
    }

    fn sync_file(&self, path: &Path) -> Result<(), FileError> {
        let file = self.file_at(Operation::Sync, path)?;
        let bug = if self.state().was_read == Some(file) {
            Bug::ReopenUnsynced
        } else {
            Bug::AppendUnsynced
        };
        self.sync(file, path, bug)
    }

    fn sync_dir(&self, dir: &Path) -> Result<(), FileError> {
        if self.has(Bug::NamesUnsynced) {
            return Ok(());
        }
        self.take(Operation::Sync, dir, DiskStep::SyncDir(dir.to_owned()))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), FileError> {
        let file = self.file_at(Operation::Rename, from)?;
        let step = DiskStep::Rename(from.to_owned(), to.to_owned(), file);
        self.take(Operation::Rename, to, step)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), FileError> {
        self.free(Operation::Rename, to)?;
        if self.has(Bug::UnlinkInsteadOfRename) {
            self.write_new(to, &self.read(from)?, None)?;
            return self.remove(from);
        }
        self.rename(from, to)
    }

    fn remove(&self, path: &Path) -> Result<(), FileError> {
        self.file_at(Operation::Remove, path)?;
        self.take(Operation::Remove, path, DiskStep::Remove(path.to_owned()))
    }
}
