//! Files of a tree, copied out so that a program can change the copies, and brought back.
//!
//! A program that changes files by their names can be led anywhere by a process that swaps a directory for a
//! link, and other files of the tree can make it run programs. So it is given a
//! separate directory that holds copies of the files it is about, and nothing else. What it made of
//! them is found by looking, and is brought into the tree by descriptors beneath the root: all of it,
//! or nothing.
//!
//! Nothing is copied for paths that lead through links, nor of what is no file: such a path is noted,
//! and refused should the program write it.

mod bringing;
mod comparing;

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, Timespec, Timestamps};
use rustix::io::Errno;

use crate::openat::Beneath;
use crate::{EntryType, RelPath, TreeError};

pub use comparing::{Made, MadeFile};

/// Bytes that are copied out at most: git takes no larger file either.
const ROOM: u64 = 1 << 30;

/// The identity of a file in the tree: another one in its place differs in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    size: i64,
    modified: (i64, i64),
}

impl Identity {
    #[allow(clippy::unnecessary_cast, reason = "the widths of these fields differ between systems")]
    fn of(stat: &Stat) -> Self {
        Self {
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            size: stat.st_size as i64,
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        }
    }
}

/// What was at a path when it was copied.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Held {
    /// Nothing.
    Nothing,
    /// A file, with its permission bits.
    File(Identity, u32),
    /// A link, with its target.
    Link(Identity, Vec<u8>),
    /// A directory, which has to go first where something else is to come.
    Dir,
    /// Something that is not copied; the words follow the path in a sentence.
    Refused(&'static str),
}

/// Why files could not be copied out or brought back.
#[derive(Debug)]
pub enum WorkbenchError {
    /// It is about the files of the tree, which is as it was: a sentence.
    Refused(String),
    /// The file system refused.
    Tree(TreeError),
}

impl From<TreeError> for WorkbenchError {
    fn from(error: TreeError) -> Self {
        Self::Tree(error)
    }
}

impl WorkbenchError {
    /// Who is to blame for an error at a path of the tree: what is there, or the system, which may well have
    /// no room or no right to give today only.
    fn about(action: &'static str, tree: &Beneath, path: &RelPath, error: io::Error) -> Self {
        if is_of_shape(&error) {
            let path = path.as_path().display();
            Self::Refused(format!("cannot {action} `{path}`: {error}"))
        } else {
            Self::Tree(TreeError::io(action, tree.full(path))(error))
        }
    }
}

/// Whether an error shows what kind of thing is at a path or above it.
fn is_of_shape(error: &io::Error) -> bool {
    let shapes = [
        Errno::NOENT,
        Errno::NOTDIR,
        Errno::ISDIR,
        Errno::LOOP,
        Errno::NAMETOOLONG,
        Errno::EXIST,
        Errno::NOTEMPTY,
        Errno::INVAL,
    ];
    Errno::from_io_error(error).is_none_or(|errno| shapes.contains(&errno))
}

/// A directory with copies of some files of a tree.
#[derive(Debug)]
pub struct Workbench {
    tree: Beneath,
    dir: PathBuf,
    copies: Beneath,
    held: BTreeMap<RelPath, Held>,
    room: u64,
}

impl Workbench {
    /// Begins with an empty directory at `dir`, which only its owner can enter, for files below `root`. What
    /// an earlier process left at `dir` is removed.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn open(root: &Path, dir: &Path) -> Result<Self, TreeError> {
        remove(dir)?;
        let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
        made.map_err(TreeError::io("create", dir))?;
        Ok(Self {
            tree: Beneath::open(root).map_err(TreeError::io("open", root))?,
            copies: Beneath::open(dir).map_err(TreeError::io("open", dir))?,
            dir: dir.to_owned(),
            held: BTreeMap::new(),
            room: ROOM,
        })
    }

    /// Where the copies lie, each at its path.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether anything is at this path in the tree. No link is followed.
    #[must_use]
    pub fn is_there(&self, path: &[u8]) -> bool {
        rel_path(path).is_some_and(|path| matches!(self.tree.stamp(&path), Ok(Some(_))))
    }

    /// Copies what is at a path in the tree, once. A path that could be none below the root is passed over:
    /// the caller has to refuse it.
    ///
    /// # Errors
    /// [`WorkbenchError`] when the file cannot be read or is too large, or the copy cannot be written.
    pub fn copy(&mut self, path: &[u8]) -> Result<(), WorkbenchError> {
        let Some(path) = rel_path(path) else {
            return Ok(());
        };
        if !self.held.contains_key(&path) {
            let held = self.take(&path)?;
            self.held.insert(path, held);
        }
        Ok(())
    }

    fn take(&mut self, path: &RelPath) -> Result<Held, WorkbenchError> {
        let stat = match look(&self.tree, path) {
            Ok(None) => return Ok(Held::Nothing),
            Ok(Some(stat)) => stat,
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Ok(self.below_no_directory(path));
            }
            Err(error) => return Err(WorkbenchError::about("look at", &self.tree, path, error)),
        };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => self.copy_file(path),
            FileType::Symlink => self.copy_link(path, &stat),
            FileType::Directory => {
                // It must be in the way of whatever is to take its place.
                let made = self.copies.make_parents(&path.join(b"."));
                made.map_err(self.failed("create", path))?;
                Ok(Held::Dir)
            }
            _ => Ok(Held::Refused("is a device, pipe or socket")),
        }
    }

    /// Where a file is above the path, that one may go first.
    fn below_no_directory(&self, path: &RelPath) -> Held {
        let kind = |dir: &RelPath| self.tree.stamp(dir).ok().flatten().map(|stamp| stamp.kind());
        let is_link = |dir: RelPath| kind(&dir) == Some(EntryType::Link);
        if path.ancestors().any(is_link) {
            return Held::Refused("leads through a symbolic link");
        }
        Held::Nothing
    }

    fn copy_file(&mut self, path: &RelPath) -> Result<Held, WorkbenchError> {
        let refused = |error| WorkbenchError::about("read", &self.tree, path, error);
        let file = self.tree.file(path).map_err(refused)?;
        let stat = rustix::fs::fstat(&file).map_err(|error| refused(error.into()))?;
        let permissions = permissions_of(&stat);
        let copied = self
            .create(path, permissions)
            .and_then(|copy| {
                let copied = io::copy(&mut (&file).take(self.room + 1), &mut &copy)?;
                long_past(&copy)?;
                Ok(copied)
            })
            .map_err(self.failed("copy", path))?;
        let Some(room) = self.room.checked_sub(copied) else {
            let why = format!("the files that it names are larger than {ROOM} bytes");
            return Err(WorkbenchError::Refused(why));
        };
        self.room = room;
        Ok(Held::File(Identity::of(&stat), permissions))
    }

    fn create(&self, path: &RelPath, permissions: u32) -> io::Result<File> {
        self.copies.make_parents(path)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        // For its owner alone, of whose execute bit git takes note.
        let mode = Mode::from_raw_mode((0o600 | permissions & 0o100) as _);
        let dir = self.copies.dir(&path.split().0)?;
        let file = rustix::fs::openat(&dir, path.name(), flags, mode)?;
        Ok(File::from(file))
    }

    fn copy_link(&mut self, path: &RelPath, stat: &Stat) -> Result<Held, WorkbenchError> {
        let target = self.tree.link_target(path);
        let target =
            target.map_err(|error| WorkbenchError::about("read", &self.tree, path, error))?;
        let made = self.copies.make_parents(path).and_then(|()| {
            let dir = self.copies.dir(&path.split().0)?;
            Ok(rustix::fs::symlinkat(&*target, dir, path.name())?)
        });
        made.map_err(self.failed("copy", path))?;
        Ok(Held::Link(Identity::of(stat), target))
    }

    fn failed(
        &self,
        action: &'static str,
        path: &RelPath,
    ) -> impl FnOnce(io::Error) -> WorkbenchError + use<> {
        let path = self.copies.full(path);
        move |error| WorkbenchError::Tree(TreeError::io(action, path)(error))
    }

    /// Puts a file among the copies that is none of the tree's, for the program alone.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn add(&self, path: &str, bytes: &[u8]) -> Result<(), TreeError> {
        let path = self.dir.join(path);
        let above = path.parent().unwrap_or(&self.dir);
        std::fs::create_dir_all(above)
            .and_then(|()| std::fs::write(&path, bytes))
            .map_err(TreeError::io("write", path))
    }

    /// Removes the directory.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn close(self) -> Result<(), TreeError> {
        remove(&self.dir)
    }
}

/// Components joined by single slashes; `None` for what is no path below the root.
fn rel_path(bytes: &[u8]) -> Option<RelPath> {
    let parts: Vec<&[u8]> = bytes
        .split(|byte| *byte == b'/')
        .filter(|part| !part.is_empty() && *part != b".")
        .collect();
    let inside = !bytes.starts_with(b"/") && !parts.is_empty();
    let plain = |part: &&[u8]| *part != b".." && !part.contains(&0);
    (inside && parts.iter().all(plain)).then(|| RelPath::new(parts.join(&b'/')))
}

/// What is at a path, beneath the directory and without following a link.
fn look(place: &Beneath, path: &RelPath) -> io::Result<Option<Stat>> {
    // `stamp` distinguishes what is gone from what leads elsewhere.
    if place.stamp(path)?.is_none() {
        return Ok(None);
    }
    let dir = place.dir(&path.split().0)?;
    match rustix::fs::statat(&dir, path.name(), AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[allow(clippy::useless_conversion, reason = "the width of the field differs between systems")]
fn permissions_of(stat: &Stat) -> u32 {
    u32::from(stat.st_mode) & 0o7777
}

/// Seconds since the epoch that every copy was last written at. Whatever a program writes is younger, also
/// where it gets the number of the copy in whose place it comes.
const LONG_PAST: i64 = 1;

fn long_past(file: &File) -> io::Result<()> {
    let past = Timespec { tv_sec: LONG_PAST as _, tv_nsec: 0 };
    Ok(rustix::fs::futimens(file, &Timestamps { last_access: past, last_modification: past })?)
}

fn remove(dir: &Path) -> Result<(), TreeError> {
    ftl_store::unless_missing(std::fs::remove_dir_all(dir)).map_err(TreeError::io("remove", dir))
}
