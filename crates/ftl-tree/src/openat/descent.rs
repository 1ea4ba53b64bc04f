//! Going through all of a directory, or of two that mirror each other.
//!
//! A tree may be deeper than a process may have open files, and deeper than a stack. So one directory is
//! open on each side, the names that are left are kept in a list, and the way up is `..`, which is checked
//! to be where the way down began.

use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Dir, FileType, Stat};
use rustix::io::Errno;

use super::open_dir;

/// What is met on the way.
pub(crate) enum VisitStep<'v, const N: usize> {
    /// A directory. What is opened on all sides is gone through next.
    Enter,
    /// What is no directory.
    Leaf,
    /// All of a directory was gone through, which is open on all sides. The way up is open already: the mode may
    /// forbid it later.
    Leave(&'v [OwnedFd; N]),
}

/// A name of the first side, in the directories that each of the `N` sides is in.
pub(crate) struct VisitedName<'v, const N: usize> {
    pub(crate) dirs: &'v [OwnedFd; N],
    pub(crate) name: &'v [u8],
    pub(crate) stat: &'v Stat,
}

impl<const N: usize> VisitedName<'_, N> {
    /// The name in the directory of one side.
    pub(crate) fn on(&self, side: usize) -> (&OwnedFd, &[u8]) {
        (&self.dirs[side], self.name)
    }
}

/// Does a step. Only of [`VisitStep::Enter`] are directories returned.
pub(crate) type Visit<'v, const N: usize> =
    dyn FnMut(VisitedName<'_, N>, VisitStep<'_, N>) -> io::Result<Option<[OwnedFd; N]>> + 'v;

/// A directory on the way down.
struct Frame<const N: usize> {
    /// Its name in the directory above.
    name: CString,
    stat: Stat,
    /// The directory above it on each side, as `fstat` knows them.
    above: [(u64, u64); N],
    /// What is left to go through above.
    left: Vec<CString>,
}

/// Goes through all that is below open directories, and returns these.
pub(crate) fn visit<const N: usize>(
    tops: [OwnedFd; N],
    visit: &mut Visit<'_, N>,
) -> io::Result<[OwnedFd; N]> {
    let (mut dirs, mut frames) = (tops, Vec::<Frame<N>>::new());
    let mut left = names(&dirs[0])?;
    loop {
        let Some(name) = left.pop() else {
            let Some(Frame { name, stat, above, left: next }) = frames.pop() else {
                return Ok(dirs);
            };
            let above = up(&dirs, above)?;
            let below = std::mem::replace(&mut dirs, above);
            let entry = VisitedName { dirs: &dirs, name: name.as_bytes(), stat: &stat };
            visit(entry, VisitStep::Leave(&below))?;
            left = next;
            continue;
        };
        let stat = match rustix::fs::statat(&dirs[0], &name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => continue,
            stat => stat?,
        };
        let entry = VisitedName { dirs: &dirs, name: name.as_bytes(), stat: &stat };
        if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
            visit(entry, VisitStep::Leaf)?;
        } else if let Some(below) = visit(entry, VisitStep::Enter)? {
            let left = std::mem::replace(&mut left, names(&below[0])?);
            frames.push(Frame { name, stat, above: places(&dirs)?, left });
            dirs = below;
        }
    }
}

/// The names in an open directory, with their types, which not every file system lists.
pub(super) fn typed_names(dir: &OwnedFd) -> io::Result<Vec<(CString, FileType)>> {
    let mut names = Vec::new();
    let mut entries = Dir::read_from(dir)?;
    while let Some(entry) = entries.read() {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            names.push((entry.file_name().to_owned(), entry.file_type()));
        }
    }
    Ok(names)
}

pub(super) fn names(dir: &OwnedFd) -> io::Result<Vec<CString>> {
    Ok(typed_names(dir)?.into_iter().map(|(name, _)| name).collect())
}

fn up<const N: usize>(dirs: &[OwnedFd; N], expected: [(u64, u64); N]) -> io::Result<[OwnedFd; N]> {
    let above = each(dirs, |dir| open_dir(dir, b".."))?;
    if places(&above)? == expected {
        Ok(above)
    } else {
        Err(io::Error::other("a directory was moved at the same time"))
    }
}

fn places<const N: usize>(dirs: &[OwnedFd; N]) -> io::Result<[(u64, u64); N]> {
    each(dirs, |dir| {
        let stat = rustix::fs::fstat(dir)?;
        Ok((stat.st_dev as u64, stat.st_ino as u64))
    })
}

fn each<T, const N: usize>(
    dirs: &[OwnedFd; N],
    of: impl Fn(&OwnedFd) -> io::Result<T>,
) -> io::Result<[T; N]> {
    let all: Vec<T> = dirs.iter().map(of).collect::<io::Result<_>>()?;
    Ok(all.try_into().unwrap_or_else(|_| unreachable!("each side gives one")))
}
