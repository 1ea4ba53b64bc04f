//! Files of a tree, copied out so that a program can change the copies, and brought back.
//!
//! A program that changes files by their names can be led anywhere by a process that swaps a directory for a
//! link, and other files of the tree can make it run programs. So it is given a
//! separate directory that holds copies of the files it is about, and nothing else. What it made of
//! them is found by looking, and is brought into the tree by descriptors beneath the root: all of it,
//! or nothing. A file that changed since it was copied is not overwritten.
//!
//! Nothing is copied for paths that lead through links, nor of what is no file: such a path is noted,
//! and refused should the program write it.
//!
//! A file keeps its permission bits but for the execute bits, as far as those were changed; a new one gets
//! what the program gave it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::{Apply, Change, ChangePlan};
use crate::digest::digest_of;
use crate::openat::{At, Attributes, Beneath, Rights, copy_data};
use crate::stamp::Stamp;
use crate::state::adapted;
use crate::{EntryType, PathState, RelPath, TreeError};

/// Bytes that are copied out at most: git takes no larger file either.
const ROOM: u64 = 1 << 30;

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
    fn refused(path: &RelPath, why: &str) -> Self {
        Self::Refused(format!("`{}` {why}", path.as_path().display()))
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

/// What was at a path when it was copied; the words of a refusal follow the path in a sentence.
type Held = Result<PathState, &'static str>;

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
        rel_path(path).is_some_and(|path| matches!(self.tree.at(&path).stamp(), Ok(Some(_))))
    }

    /// Copies what is at a path in the tree, once. A path that could be none below the root is passed over:
    /// the caller has to refuse it.
    ///
    /// # Errors
    /// [`WorkbenchError`] when the file cannot be read or is too large, or the copy cannot be written.
    pub fn copy(&mut self, path: &[u8]) -> Result<(), WorkbenchError> {
        if let Some(path) = rel_path(path).filter(|path| !self.held.contains_key(path)) {
            let held = self.take(&path)?;
            self.held.insert(path, held);
        }
        Ok(())
    }

    fn take(&mut self, path: &RelPath) -> Result<Held, WorkbenchError> {
        let (at, copy) = (self.tree.at(path), self.copies.at(path));
        let stamp = match at.look() {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Ok(self.below_no_directory(path));
            }
            stamp => stamp.map_err(|error| self.blamed(at.failed("look at")(error)))?,
        };
        let Some(stamp) = stamp else {
            return Ok(Ok(PathState::Nothing));
        };
        match stamp.kind() {
            EntryType::File => self.copy_file(path).map(Ok),
            EntryType::Link => {
                let target = at.link_target();
                let target = target.map_err(|error| self.blamed(at.failed("read")(error)))?;
                let made = copy.make_parents().and_then(|()| copy.make_link(&target));
                made.map_err(copy.failed("copy"))?;
                Ok(Ok(PathState::Link { target: RelPath::new(target) }))
            }
            EntryType::Dir => {
                // It must be in the way of whatever is to take its place.
                copy.join(b".").make_parents().map_err(copy.failed("create"))?;
                Ok(Ok(PathState::Dir { permissions: stamp.permissions() }))
            }
            EntryType::Special => Ok(Err("is a device, pipe or socket")),
        }
    }

    /// Where a file is above the path, that one may go first.
    fn below_no_directory(&self, path: &RelPath) -> Held {
        let is_link = |dir: RelPath| matches!(self.tree.at(&dir).kind(), Ok(Some(EntryType::Link)));
        match path.ancestors().any(is_link) {
            true => Err("leads through a symbolic link"),
            false => Ok(PathState::Nothing),
        }
    }

    fn copy_file(&mut self, path: &RelPath) -> Result<PathState, WorkbenchError> {
        let (at, copy) = (self.tree.at(path), self.copies.at(path));
        let open = || {
            let file = at.file()?;
            let permissions = Stamp::of(&rustix::fs::fstat(&file)?).permissions();
            Ok((file, permissions))
        };
        let (file, permissions) = open().map_err(|error| self.blamed(at.failed("read")(error)))?;
        let make = || {
            copy.make_parents()?;
            // For its owner alone, of whose execute bit git takes note.
            let first = 0o600 | permissions & 0o100;
            let rights = Rights { permissions: first, ids: None, attributes: Attributes::NONE };
            let made = copy.make_file(&mut (&file).take(self.room + 1), Some(rights))?;
            Ok((made.metadata()?.len(), digest_of(&mut copy.file()?)?))
        };
        let (copied, sha256) = make().map_err(copy.failed("copy"))?;
        let Some(room) = self.room.checked_sub(copied) else {
            let why = format!("the files that it names are larger than {ROOM} bytes");
            return Err(WorkbenchError::Refused(why));
        };
        self.room = room;
        Ok(PathState::File { sha256, permissions })
    }

    /// Who is to blame for an error at a path of the tree: what is there, or the system, which may well have
    /// no room or no right to give today only.
    fn blamed(&self, error: TreeError) -> WorkbenchError {
        match error {
            TreeError::Io { action, path, source } if is_of_shape(&source) => {
                let path = path.strip_prefix(self.tree.path()).unwrap_or(&path).display();
                WorkbenchError::Refused(format!("cannot {action} `{path}`: {source}"))
            }
            error => WorkbenchError::Tree(error),
        }
    }

    /// What differs from what was copied, by path, all but what is in the directory `aside`.
    ///
    /// # Errors
    /// When the copies cannot be read.
    pub fn made(&self, aside: &[u8]) -> Result<Vec<Change>, TreeError> {
        let mut now = BTreeMap::new();
        let mut open = vec![self.copies.top()];
        while let Some(dir) = open.pop() {
            let names = dir.names().map_err(dir.failed("list"))?;
            if names.is_empty() && !dir.path.is_top() && !self.held.contains_key(&dir.path) {
                now.insert(dir.path.clone(), PathState::Special);
            }
            for name in names.iter().filter(|name| !dir.path.is_top() || name.as_slice() != aside) {
                let at = dir.join(name);
                match self.adapted(&at)? {
                    PathState::Dir { .. } => open.push(at),
                    state => drop(now.insert(at.path, state)),
                }
            }
        }
        let copied = self.held.iter().filter_map(|(path, held)| Some((path, held.as_ref().ok()?)));
        let gone = copied.filter(|(_, held)| !held.is_nothing() && !held.is_dir());
        for (path, _) in gone {
            now.entry(path.clone()).or_default();
        }
        let changes = now.into_iter().map(|(path, now)| {
            let before = self.held(&path).clone().unwrap_or_default();
            Change::new(path, before, now)
        });
        Ok(changes.filter(|change| change.before != change.after).collect())
    }

    /// What the tree is to have of a copy.
    fn adapted(&self, copy: &At<'_>) -> Result<PathState, TreeError> {
        let mut state = PathState::of(copy).map_err(copy.failed("look at"))?;
        if let PathState::File { permissions, .. } = &mut state
            && let Ok(PathState::File { permissions: former, .. }) = self.held(&copy.path)
        {
            *permissions = adapted(*former, *permissions & 0o100 != 0);
        }
        Ok(state)
    }

    fn held(&self, path: &RelPath) -> &Held {
        self.held.get(path).unwrap_or(&Ok(PathState::Nothing))
    }

    /// Brings these into the tree.
    ///
    /// # Errors
    /// [`WorkbenchError`] where a path cannot be written; the tree is as it was then.
    pub fn bring_back(&self, made: &[Change]) -> Result<(), WorkbenchError> {
        for Change { path, after, .. } in made {
            if *after == PathState::Special {
                return Err(WorkbenchError::refused(path, "would be neither a file nor a link"));
            }
            self.held(path).as_ref().map_err(|why| WorkbenchError::refused(path, why))?;
        }
        let wanted = self.with_parents(made)?;
        let left = self.bring(wanted).map_err(|error| self.blamed(error))?;
        if let Some(path) = left.first() {
            return Err(WorkbenchError::refused(path, "changed at the same time"));
        }
        // Directories go with the last file in them.
        for change in made.iter().filter(|change| change.after.is_nothing()) {
            let mut above = change.path.ancestors();
            while above.next().is_some_and(|dir| self.tree.at(&dir).remove_dir().is_ok()) {}
        }
        Ok(())
    }

    /// All of it, or nothing. Returns the paths that changed at the same time.
    fn bring(&self, wanted: Vec<(RelPath, PathState)>) -> Result<BTreeSet<RelPath>, TreeError> {
        let to = |path: &RelPath| self.tree.at(path);
        let is_expected = |path: &RelPath, now: &PathState| {
            Ok(match self.held(path) {
                Ok(PathState::Dir { .. }) => now.is_dir(),
                held => held.as_ref() == Ok(now),
            })
        };
        let undo = self.dir.join(".ftl-undo");
        let (plan, left) = ChangePlan::prepare(&to, &undo, wanted, &is_expected)?;
        if !left.is_empty() {
            return Ok(left);
        }
        let fill = |change: &Change, file: &mut File| self.fill(change, file);
        let done = Apply { to: &to, fill: &fill, durable: false }.run(&plan.changes);
        if !matches!(&done, Ok(left) if left.is_empty()) {
            // What cannot be taken back, the comparison of the tree finds.
            drop(plan.undo(&to));
        }
        done
    }

    /// With the directories that are missing above what comes, as they are among the copies.
    fn with_parents(&self, made: &[Change]) -> Result<Vec<(RelPath, PathState)>, TreeError> {
        let change = |change: &Change| (change.path.clone(), change.after.clone());
        let mut wanted: BTreeMap<RelPath, PathState> = made.iter().map(change).collect();
        let come = made.iter().filter(|change| !change.after.is_nothing());
        for dir in come.flat_map(|change| change.path.ancestors()).collect::<BTreeSet<_>>() {
            let is_missing = match wanted.get(&dir) {
                Some(after) => after.is_nothing(),
                None => self.tree.at(&dir).found()?.is_none(),
            };
            if is_missing {
                let copy = self.copies.at(&dir);
                let permissions = copy.found()?.map_or(0o755, |stamp| stamp.permissions());
                wanted.insert(dir, PathState::Dir { permissions });
            }
        }
        Ok(wanted.into_iter().collect())
    }

    fn fill(&self, change: &Change, file: &mut File) -> io::Result<()> {
        copy_data(&mut self.copies.at(&change.path).file()?, file)?;
        let attributes = match change.before {
            PathState::File { .. } => self.tree.at(&change.path).attributes()?,
            _ => Attributes::default(),
        };
        let permissions = change.after.permissions().unwrap_or(0o644);
        Rights { permissions, ids: None, attributes: &attributes }.give(file)
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

fn remove(dir: &Path) -> Result<(), TreeError> {
    ftl_store::unless_missing(std::fs::remove_dir_all(dir)).map_err(TreeError::io("remove", dir))
}
