//! Bringing what was made of the copies into the tree: all of it, or nothing.
//!
//! What is in the tree is looked at again first: a file that changed since it was copied is not
//! overwritten. Then comes one path after the other, removals first, so that a directory can come where a
//! file was. A new file is written beside its place and changes places with what is there in one step;
//! what came out by that must be what was copied. Every step is noted with what takes it back, and the
//! first that fails has all of them taken back.
//!
//! A file keeps its permission bits but for the execute bits, as far as those were changed; a new one gets
//! what the umask leaves.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags, renameat, renameat_with};
use rustix::io::Errno;

use crate::RelPath;
use crate::apply::patch::{Held, Identity, Made, MadeFile, Workbench, WorkbenchError, look};

/// How often another name is tried for a file that is written beside its place.
const NAMES: u32 = 1000;

/// A step that was taken.
enum BringingStep {
    /// Directories above this path were missing.
    MadeDirs(Vec<RelPath>),
    /// Came where nothing was.
    Came(RelPath),
    /// Changed places with what was there, which has the other name now.
    Swapped(RelPath, RelPath),
    /// Went to the other name.
    Went(RelPath, RelPath),
}

impl Workbench {
    /// Brings these into the tree.
    ///
    /// # Errors
    /// [`WorkbenchError`] where a path cannot be written; the tree is as it was then.
    pub fn bring_back(&self, made: &[Made]) -> Result<(), WorkbenchError> {
        for one in made {
            self.check(one)?;
        }
        let mut steps = Vec::new();
        let (gone, come): (Vec<&Made>, Vec<&Made>) =
            made.iter().partition(|one| one.now == MadeFile::Nothing);
        for one in gone.into_iter().chain(come) {
            if let Err(error) = self.bring(one, &mut steps) {
                self.take_back(steps);
                return Err(WorkbenchError::about("write", &self.tree, &one.path, error));
            }
        }
        self.clean(steps);
        Ok(())
    }

    fn held(&self, path: &RelPath) -> &Held {
        self.held.get(path).unwrap_or(&Held::Nothing)
    }

    fn check(&self, one: &Made) -> Result<(), WorkbenchError> {
        let path = &one.path;
        if one.now == MadeFile::Other {
            let why = format!("`{}` would be neither a file nor a link", path.as_path().display());
            return Err(WorkbenchError::Refused(why));
        }
        if let Held::Refused(why) = self.held(path) {
            return Err(WorkbenchError::Refused(format!("`{}` {why}", path.as_path().display())));
        }
        match self.is_as_held(path) {
            Ok(true) => Ok(()),
            Ok(false) => Err(WorkbenchError::Refused(format!(
                "`{}` changed at the same time",
                path.as_path().display()
            ))),
            Err(error) => Err(WorkbenchError::about("look at", &self.tree, path, error)),
        }
    }

    fn is_as_held(&self, path: &RelPath) -> io::Result<bool> {
        let now = match look(&self.tree, path) {
            // A file above it may be one that goes.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => None,
            now => now?,
        };
        Ok(match (self.held(path), now) {
            (Held::Nothing, None) => true,
            (Held::File(held, _) | Held::Link(held, _), Some(now)) => Identity::of(&now) == *held,
            (Held::Dir, Some(now)) => FileType::from_raw_mode(now.st_mode) == FileType::Directory,
            (Held::Nothing | Held::Refused(_), _) | (_, None) => false,
        })
    }

    fn bring(&self, one: &Made, steps: &mut Vec<BringingStep>) -> io::Result<()> {
        let path = &one.path;
        if one.now == MadeFile::Nothing {
            return self.send_away(path, steps);
        }
        self.make_parents(path, steps)?;
        let aside = match &one.now {
            MadeFile::Link(target) => {
                self.beside(path, |dir, name| Ok(rustix::fs::symlinkat(&**target, dir, name)?))?
            }
            MadeFile::File { executable } => self.write(path, *executable)?,
            MadeFile::Nothing | MadeFile::Other => return Err(io::ErrorKind::InvalidInput.into()),
        };
        let placed = match self.held(path) {
            Held::File(held, _) | Held::Link(held, _) => self.swap(&aside, path, *held, steps),
            Held::Nothing | Held::Dir | Held::Refused(_) => self.place(&aside, path, steps),
        };
        if placed.is_err() {
            self.forget(&aside);
        }
        placed
    }

    /// Into the root, so that the directories that it leaves empty can go too.
    fn send_away(&self, path: &RelPath, steps: &mut Vec<BringingStep>) -> io::Result<()> {
        let (Held::File(held, _) | Held::Link(held, _)) = self.held(path) else {
            return Ok(());
        };
        let dir = self.tree.dir(&path.split().0)?;
        let root = RelPath::default();
        let aside = self.named(&root, |top, name| rename_new(&dir, path.name(), top, name))?;
        let is_it = look(&self.tree, &aside)?.is_some_and(|now| Identity::of(&now) == *held);
        steps.push(BringingStep::Went(path.clone(), aside));
        if !is_it {
            return Err(io::Error::other("it changed at the same time"));
        }
        for above in path.ancestors() {
            if self.tree.remove_dir(&above).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn make_parents(&self, path: &RelPath, steps: &mut Vec<BringingStep>) -> io::Result<()> {
        let missing = |dir: &RelPath| matches!(self.tree.stamp(dir), Ok(None));
        let missing: Vec<RelPath> = path.ancestors().filter(missing).collect();
        steps.push(BringingStep::MadeDirs(missing));
        self.tree.make_parents(path)
    }

    fn write(&self, path: &RelPath, executable: bool) -> io::Result<RelPath> {
        let mut copy = self.copies.file(path)?;
        let mode = Mode::from_raw_mode(if executable { 0o777 } else { 0o666 });
        let mut made = None;
        let aside = self.beside(path, |dir, name| {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            made = Some(File::from(rustix::fs::openat(dir, name, flags, mode)?));
            Ok(())
        })?;
        let written = made.ok_or(io::ErrorKind::NotFound.into()).and_then(|mut file| {
            io::copy(&mut copy, &mut file)?;
            if let Held::File(_, permissions) = self.held(path) {
                self.tree.attributes(path)?.give(&file)?;
                let mode = Mode::from_raw_mode(adapted(*permissions, executable) as _);
                rustix::fs::fchmod(&file, mode)?;
            }
            Ok(())
        });
        if written.is_err() {
            self.forget(&aside);
        }
        written.map(|()| aside)
    }

    fn swap(
        &self,
        aside: &RelPath,
        path: &RelPath,
        held: Identity,
        steps: &mut Vec<BringingStep>,
    ) -> io::Result<()> {
        let dir = self.tree.dir(&path.split().0)?;
        let (new, old) = (aside.name(), path.name());
        match renameat_with(&dir, new, &dir, old, RenameFlags::EXCHANGE) {
            // Not every file system can do it: there the look before has to do.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                return Ok(renameat(&dir, new, &dir, old)?);
            }
            done => done?,
        }
        let out = rustix::fs::statat(&dir, new, AtFlags::SYMLINK_NOFOLLOW);
        if out.is_ok_and(|out| Identity::of(&out) == held) {
            steps.push(BringingStep::Swapped(path.clone(), aside.clone()));
            return Ok(());
        }
        renameat_with(&dir, new, &dir, old, RenameFlags::EXCHANGE)?;
        Err(io::Error::other("it changed at the same time"))
    }

    fn place(
        &self,
        aside: &RelPath,
        path: &RelPath,
        steps: &mut Vec<BringingStep>,
    ) -> io::Result<()> {
        let dir = self.tree.dir(&path.split().0)?;
        rename_new(&dir, aside.name(), &dir, path.name())?;
        steps.push(BringingStep::Came(path.clone()));
        Ok(())
    }

    /// Makes something under a free name beside `path`.
    fn beside(
        &self,
        path: &RelPath,
        make: impl FnMut(&OwnedFd, &str) -> io::Result<()>,
    ) -> io::Result<RelPath> {
        self.named(&path.split().0, make)
    }

    fn named(
        &self,
        dir: &RelPath,
        mut make: impl FnMut(&OwnedFd, &str) -> io::Result<()>,
    ) -> io::Result<RelPath> {
        let opened = self.tree.dir(dir)?;
        for number in 0..NAMES {
            let name = format!(".ftl-new-{number}");
            match make(&opened, &name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| dir.join(name.as_bytes())),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn forget(&self, aside: &RelPath) {
        // Should it stay, the comparison of the tree finds it.
        drop(self.tree.remove(aside));
    }

    /// Latest first. What cannot be taken back, the comparison of the tree finds.
    fn take_back(&self, steps: Vec<BringingStep>) {
        for step in steps.into_iter().rev() {
            match step {
                BringingStep::MadeDirs(dirs) => {
                    for dir in dirs {
                        drop(self.tree.remove_dir(&dir));
                    }
                }
                BringingStep::Came(path) => self.forget(&path),
                BringingStep::Swapped(path, aside) => {
                    drop(self.tree.rename(&aside, &path));
                }
                BringingStep::Went(path, aside) => {
                    drop(self.tree.make_parents(&path));
                    drop(self.tree.rename(&aside, &path));
                }
            }
        }
    }

    /// What the tree no longer holds goes for good.
    fn clean(&self, steps: Vec<BringingStep>) {
        for step in steps {
            match step {
                BringingStep::Swapped(_, aside) | BringingStep::Went(_, aside) => {
                    self.forget(&aside)
                }
                BringingStep::MadeDirs(_) | BringingStep::Came(_) => {}
            }
        }
    }
}

/// A name that is taken is an error.
fn rename_new(
    from: &OwnedFd,
    name: &[u8],
    to: &OwnedFd,
    new: impl rustix::path::Arg + Copy,
) -> io::Result<()> {
    match renameat_with(from, name, to, new, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            match rustix::fs::statat(to, new, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => Ok(renameat(from, name, to, new)?),
                Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                Err(error) => Err(error.into()),
            }
        }
        done => Ok(done?),
    }
}

/// Permission bits with or without the execute bits: with the right to read comes that to execute.
const fn adapted(permissions: u32, executable: bool) -> u32 {
    let was = permissions & 0o100 != 0;
    match (was, executable) {
        (false, true) => permissions | (permissions & 0o444) >> 2,
        (true, false) => permissions & !0o111,
        (true, true) | (false, false) => permissions,
    }
}
