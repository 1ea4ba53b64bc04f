//! Directories, listed with a look at each name. Several threads list what a walk will come to, since most
//! of the time goes to the kernel; what is watched of it, the walk decides.

use std::ffi::CStr;
use std::io;
use std::num::NonZero;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, Scope};

use rustix::fs::{AtFlags, Dir, FileType};
use rustix::io::Errno;
use rustix::path::Arg;

use crate::stamp::{Identity, Stamp};
use crate::walk::name::{Looked, Name};
use crate::walk::unchanged::Unchanged;
use crate::{Places, RelPath};

/// In a directory with more names than these, the rest is looked at only where the walk comes to it.
const LOOKED_AT: usize = 10_000;

/// Directories that are listed before the walk has come to them.
pub(crate) const AHEAD: usize = 64;

/// Directories that a thread is given at once: telling each by itself costs as much as listing it.
pub(crate) const BATCH: usize = 8;

/// Threads that list.
const MOST_THREADS: usize = 4;

/// A directory that is held open, and its names in their order.
pub(crate) struct Listing {
    pub(crate) dir: Dir,
    /// Which directory it is, where the types of files are kept alone.
    pub(crate) identity: Option<Identity>,
    pub(crate) names: Vec<Name>,
}

/// A first walk that keeps only the types of most files, which the listing of a directory has.
#[derive(Debug)]
pub(crate) struct TypesAlone {
    /// So many files are looked at before.
    pub(crate) after: usize,
    /// Those that were.
    pub(crate) looked: AtomicUsize,
    /// The file system whose times will show what is written: files of others are looked at.
    pub(crate) device: u64,
}

impl TypesAlone {
    fn suffice(&self, kind: FileType, device: u64) -> bool {
        device == self.device
            && !matches!(kind, FileType::Directory | FileType::Unknown)
            && self.looked.fetch_add(1, Ordering::Relaxed) >= self.after
    }
}

impl Listing {
    pub(crate) fn has(&self, name: &[u8]) -> bool {
        let found = self.names.binary_search_by(|at| at.name.as_bytes().cmp(name));
        found.is_ok()
    }
}

/// Lists directories.
pub(crate) struct Lister<'a> {
    pub(crate) places: &'a Places,
    pub(crate) types_alone: Option<&'a TypesAlone>,
    /// What is left out.
    pub(crate) unchanged: Option<&'a Unchanged<'a>>,
}

impl Lister<'_> {
    /// The names in a directory, with a look at each.
    pub(crate) fn list(&self, path: &RelPath) -> io::Result<Listing> {
        let dir = self.places.at(path).dir()?;
        match (self.unchanged, self.types_alone) {
            (Some(unchanged), _) => self.list_differing(path, dir, unchanged),
            (None, Some(types_alone)) => self.list_types(dir, types_alone),
            (None, None) => self.list_whole(dir),
        }
    }

    fn list_whole(&self, dir: OwnedFd) -> io::Result<Listing> {
        let mut listing = self.read(dir)?;
        let Listing { dir, names, .. } = &mut listing;
        for name in names.iter_mut().take(LOOKED_AT) {
            name.looked = Some(self.look(dir.fd()?, name)?);
        }
        Ok(listing)
    }

    fn list_types(&self, dir: OwnedFd, types_alone: &TypesAlone) -> io::Result<Listing> {
        let identity = Identity::of(&rustix::fs::fstat(&dir)?);
        let mut listing = self.read(dir)?;
        let Listing { dir, names, .. } = &mut listing;
        for name in names.iter_mut().take(LOOKED_AT) {
            name.looked = Some(match types_alone.suffice(name.kind, identity.device) {
                true => Some(Stamp::of_type(name.kind)),
                false => self.look(dir.fd()?, name)?,
            });
        }
        Ok(Listing { identity: Some(identity), ..listing })
    }

    fn list_differing(
        &self,
        path: &RelPath,
        dir: OwnedFd,
        unchanged: &Unchanged<'_>,
    ) -> io::Result<Listing> {
        let stat = rustix::fs::fstat(&dir)?;
        let is_same = unchanged.is_same_dir(path, &stat);
        if is_same && unchanged.has_its_names(&stat) {
            let names = unchanged.differing(path, |name| stamp_of(dir.as_fd(), name))?;
            return Ok(Listing { dir: Dir::new(dir)?, identity: None, names });
        }
        let mut listing = self.list_whole(dir)?;
        if is_same {
            unchanged.leave_out(path, &mut listing.names);
        }
        Ok(listing)
    }

    /// The names alone.
    pub(crate) fn names(&self, path: &RelPath) -> io::Result<Listing> {
        self.read(self.places.at(path).dir()?)
    }

    fn read(&self, dir: OwnedFd) -> io::Result<Listing> {
        // Read as it was opened: reading from a borrowed one would open it once more.
        let mut dir = Dir::new(dir)?;
        let mut names = Vec::new();
        for entry in &mut dir {
            let entry = entry?;
            let (name, kind) = (entry.file_name().to_owned(), entry.file_type());
            if !matches!(name.as_bytes(), b"." | b"..") {
                names.push(Name { name, kind, looked: None });
            }
        }
        names.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(Listing { dir, identity: None, names })
    }

    /// What is at a name.
    pub(crate) fn look(&self, dir: BorrowedFd<'_>, at: &Name) -> io::Result<Looked> {
        let name: &CStr = &at.name;
        stamp_of(dir, name)
    }
}

/// The stamp of what is at a name, if anything is.
fn stamp_of(dir: BorrowedFd<'_>, name: impl Arg) -> io::Result<Option<Stamp>> {
    match rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(Stamp::of(&stat))),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Threads that list directories while the walk goes on.
pub(crate) struct Ahead<L> {
    wanted: mpsc::Sender<Vec<(L, RelPath)>>,
    /// None where no thread could be started.
    threads: usize,
}

/// Directories with what was found in each.
pub(crate) type Batch<L> = Vec<(L, io::Result<Listing>)>;

impl<L: Send> Ahead<L> {
    /// Starts them. Each batch of directories is handed over with what was found.
    pub(crate) fn start<'scope, 'env>(
        scope: &'scope Scope<'scope, 'env>,
        lister: &'env Lister<'env>,
        tell: impl Fn(Batch<L>) + Clone + Send + 'scope,
    ) -> Self
    where
        L: 'scope,
    {
        let (wanted, asked) = mpsc::channel::<Vec<(L, RelPath)>>();
        let asked = Arc::new(Mutex::new(asked));
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let mut threads = 0;
        for _ in 0..cores.min(MOST_THREADS) {
            let (asked, tell) = (asked.clone(), tell.clone());
            let work = move || {
                loop {
                    let next = asked.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(batch) = next else { break };
                    let listed = batch.into_iter();
                    tell(listed.map(|(level, path)| (level, lister.list(&path))).collect());
                }
            };
            let started = thread::Builder::new().spawn_scoped(scope, work);
            threads += usize::from(started.is_ok());
        }
        Self { wanted, threads }
    }

    /// Has directories listed; they come back where no thread lists them.
    pub(crate) fn list(&self, levels: Vec<L>, path: impl Fn(&L) -> &RelPath) -> Vec<L> {
        if self.threads == 0 {
            return levels;
        }
        let with_path = |level: L| {
            let path = path(&level).clone();
            (level, path)
        };
        let sent = self.wanted.send(levels.into_iter().map(with_path).collect());
        let refused = sent.err().map(|mpsc::SendError(refused)| refused);
        let refused = refused.into_iter().flatten();
        refused.map(|(level, _)| level).collect()
    }
}
