//! Moving whole things between an upper layer and elsewhere: by rename where the file system is the same,
//! else by copies. Times are kept, for caches go by them; overlayfs's own attributes are not.
//!
//! Scratch is moved into the tree without a journal: it can be made again, and half of it is no worse
//! than a build that was interrupted.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use ftl_text::with_causes;
use rustix::fs::{CWD, Mode, RenameFlags};
use rustix::io::Errno;

use super::OverlayLayer;
use super::upper::{self, Held, Uppers};
use crate::openat::{self, Beneath, is_gone};
use crate::stamp::EntryType;
use crate::{RelPath, Tree, TreeError};

/// What overlayfs calls its own attributes with `userxattr`.
const OWN: &[u8] = b"user.overlay.";

impl Tree {
    /// Takes over scratch, each path for itself. Returns what could not be, and why.
    pub(crate) fn take_scratch<'p>(
        &self,
        uppers: &Uppers,
        paths: impl Iterator<Item = &'p RelPath>,
    ) -> Vec<String> {
        let failed = |path: &RelPath| {
            let done = self.take_one(uppers, path);
            done.err().map(|error| format!("`{}`: {}", self.shown(path), with_causes(&error)))
        };
        paths.filter_map(failed).collect()
    }

    /// Moves the scratch of these layers that is `wanted` into this tree. Returns what could not be, and why.
    pub(crate) fn keep_scratch(
        &self,
        layers: &[OverlayLayer],
        wanted: &dyn Fn(&RelPath) -> bool,
    ) -> Result<Vec<String>, TreeError> {
        let written = self.written(layers, None)?;
        Ok(self.take_scratch(&written.uppers, written.scratch.iter().filter(|path| wanted(path))))
    }

    fn take_one(&self, uppers: &Uppers, label: &RelPath) -> io::Result<()> {
        let (from, inner) = uppers.locate(label);
        let (to, path) = self.places.locate(label);
        to.make_parents(&path)?;
        let entries = upper::list(from, &inner.split().0).map_err(io::Error::other)?;
        let found = entries.iter().find(|(name, _)| name == inner.name());
        let Some((_, entry)) = found else {
            return Ok(());
        };
        bring(from, &inner, entry.held, to, &path)
    }
}

fn bring(
    from: &Beneath,
    inner: &RelPath,
    held: Held,
    to: &Beneath,
    path: &RelPath,
) -> io::Result<()> {
    let old = to.stamp(path)?.map(|stamp| stamp.kind());
    match (held, old) {
        (Held::Whiteout, None) | (Held::Special, _) => Ok(()),
        (Held::Whiteout, Some(_)) => clear(to, path),
        (Held::Dir { hides }, Some(EntryType::Dir)) => {
            let entries = upper::list(from, inner).map_err(io::Error::other)?;
            if hides {
                for (name, _) in upper::list(to, path).map_err(io::Error::other)? {
                    if entries.iter().all(|(new, _)| *new != name) {
                        clear(to, &path.join(&name))?;
                    }
                }
            }
            for (name, entry) in entries {
                bring(from, &inner.join(&name), entry.held, to, &path.join(&name))?;
            }
            Ok(())
        }
        (Held::Dir { .. }, old) => {
            if old.is_some() {
                clear(to, path)?;
            }
            move_dir(from, inner, to, path)
        }
        (Held::File | Held::Link, old) => {
            if old == Some(EntryType::Dir) {
                clear(to, path)?;
            }
            move_leaf(from, inner, to, path, old.is_none())
        }
    }
}

/// Removes a path with all that is below it. No link is followed.
pub(crate) fn clear(place: &Beneath, path: &RelPath) -> io::Result<()> {
    if place.stamp(path)?.map(|stamp| stamp.kind()) != Some(EntryType::Dir) {
        return gone_is_fine(place.remove(path));
    }
    for (name, _) in upper::list(place, path).map_err(io::Error::other)? {
        clear(place, &path.join(&name))?;
    }
    gone_is_fine(place.remove_dir(path))
}

fn gone_is_fine(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if is_gone(&error) => Ok(()),
        done => done,
    }
}

fn parents(
    from: &Beneath,
    inner: &RelPath,
    to: &Beneath,
    path: &RelPath,
) -> io::Result<[OwnedFd; 2]> {
    Ok([from.writable_dir(&inner.split().0)?, to.dir(&path.split().0)?])
}

/// A directory that the tree does not have.
fn move_dir(from: &Beneath, inner: &RelPath, to: &Beneath, path: &RelPath) -> io::Result<()> {
    let [old, new] = parents(from, inner, to, path)?;
    let mode = from.stamp(inner)?.map_or(0o755, |stamp| stamp.permissions());
    // Whiteouts in it are of files that were made and deleted; overlayfs leaves none where nothing is
    // below, except in a directory that was renamed.
    strip(from, inner)?;
    match rustix::fs::renameat_with(&old, inner.name(), &new, path.name(), RenameFlags::NOREPLACE) {
        Ok(()) => return to.set_permissions(path, mode),
        Err(Errno::XDEV | Errno::INVAL | Errno::NOSYS) => {}
        Err(error) => return Err(error.into()),
    }
    to.make_dir(path)?;
    for (name, entry) in upper::list(from, inner).map_err(io::Error::other)? {
        bring(from, &inner.join(&name), entry.held, to, &path.join(&name))?;
    }
    to.set_permissions(path, mode)
}

/// Takes overlayfs's own attributes, and whiteouts, out of what is about to leave the layer. The owner may
/// change `dir` from then on, as moving it takes.
fn strip(place: &Beneath, dir: &RelPath) -> io::Result<()> {
    forget_own(&place.writable_dir(dir)?)?;
    for (name, entry) in upper::list(place, dir).map_err(io::Error::other)? {
        let path = dir.join(&name);
        match entry.held {
            Held::Whiteout => place.remove(&path)?,
            Held::Dir { .. } => {
                strip(place, &path)?;
                place.set_permissions(&path, entry.permissions)?;
            }
            Held::File => forget_own_of_file(place, &path)?,
            Held::Link | Held::Special => {}
        }
    }
    Ok(())
}

fn forget_own_of_file(place: &Beneath, path: &RelPath) -> io::Result<()> {
    forget_own(&place.owned_file(path)?)
}

fn forget_own(file: &impl std::os::fd::AsFd) -> io::Result<()> {
    for name in attributes(file)? {
        if name.starts_with(OWN) {
            match rustix::fs::fremovexattr(file, name.as_slice()) {
                // Attributes need a file that may be written.
                Ok(()) | Err(Errno::NODATA | Errno::ACCESS) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}

fn attributes(file: &impl std::os::fd::AsFd) -> io::Result<Vec<Vec<u8>>> {
    let mut list = vec![0; 4096];
    let length = match rustix::fs::flistxattr(file, list.as_mut_slice()) {
        Ok(length) => length,
        Err(Errno::OPNOTSUPP | Errno::RANGE) => 0,
        Err(error) => return Err(error.into()),
    };
    list.truncate(length);
    let names = list.split(|&byte| byte == 0);
    Ok(names.filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect())
}

/// A file or link, in place of one that may be there, unless it is to be new.
fn move_leaf(
    from: &Beneath,
    inner: &RelPath,
    to: &Beneath,
    path: &RelPath,
    is_new: bool,
) -> io::Result<()> {
    if from.stamp(inner)?.map(|stamp| stamp.kind()) == Some(EntryType::File) {
        forget_own_of_file(from, inner)?;
    }
    let [old, new] = parents(from, inner, to, path)?;
    let flags = if is_new { RenameFlags::NOREPLACE } else { RenameFlags::empty() };
    match rustix::fs::renameat_with(&old, inner.name(), &new, path.name(), flags) {
        Err(Errno::XDEV | Errno::INVAL | Errno::NOSYS) if is_new => {
            match copy_beside(from, inner, to, path, false)? {
                Some(new) if !to.rename_new(&new, path)? => {
                    gone_is_fine(to.remove(&new))?;
                    Err(io::ErrorKind::AlreadyExists.into())
                }
                _ => Ok(()),
            }
        }
        Err(Errno::XDEV) => copy_leaf(from, inner, to, path),
        done => Ok(done?),
    }
}

/// Copies a file or link to a new file beside the path, and renames that over it.
fn copy_leaf(from: &Beneath, inner: &RelPath, to: &Beneath, path: &RelPath) -> io::Result<()> {
    match copy_beside(from, inner, to, path, false) {
        Ok(Some(new)) => to.rename(&new, path),
        Ok(None) => Ok(()),
        Err(refused) => overwrite(from, inner, to, path, refused),
    }
}

/// Copies a file or link to a new file beside the path. Nothing where it is gone.
pub(crate) fn copy_beside(
    from: &Beneath,
    inner: &RelPath,
    to: &Beneath,
    path: &RelPath,
    durable: bool,
) -> io::Result<Option<RelPath>> {
    let (parent, name) = path.split();
    let new = parent.join(&[b".", name, b".ftl-new"].concat());
    // A crash in the middle of an earlier copy leaves its new file behind.
    gone_is_fine(to.remove(&new))?;
    let Some(stamp) = from.stamp(inner)? else {
        return Ok(None);
    };
    let copied = match stamp.kind() {
        EntryType::Link => to.make_link(&new, &from.link_target(inner)?),
        _ => copy_file(from, inner, to, &new, durable),
    };
    if let Err(error) = copied {
        // Half a copy serves no purpose, least of all where there is no room.
        let _ = to.remove(&new);
        return Err(error);
    }
    Ok(Some(new))
}

/// Writes a file over one that is there, where its directory takes no new name. Returns `refused` otherwise.
pub(crate) fn overwrite(
    from: &Beneath,
    inner: &RelPath,
    to: &Beneath,
    path: &RelPath,
    refused: io::Error,
) -> io::Result<()> {
    let is_file = |place: &Beneath, path| matches!(place.stamp(path), Ok(Some(stamp)) if stamp.kind() == EntryType::File);
    let is_possible = refused.kind() == io::ErrorKind::PermissionDenied
        && is_file(from, inner)
        && is_file(to, path);
    if !is_possible {
        return Err(refused);
    }
    fill(from, inner, to.file_to_overwrite(path)?, true)
}

/// Copies a file to a new one.
fn copy_file(
    from: &Beneath,
    inner: &RelPath,
    to: &Beneath,
    new: &RelPath,
    durable: bool,
) -> io::Result<()> {
    fill(from, inner, to.new_file(new)?, durable)
}

/// Gives an empty file the content of another one, its attributes, mode and times.
fn fill(from: &Beneath, inner: &RelPath, mut target: File, durable: bool) -> io::Result<()> {
    openat::fill(&mut from.owned_file(inner)?, &mut target)?;
    if durable {
        target.sync_all()?;
    }
    Ok(())
}

/// Removes what is the overlay's own of something in the layer, before it is moved out.
pub(crate) fn forget_overlay(place: &Beneath, inner: &RelPath) -> io::Result<()> {
    let stamp = place.stamp(inner)?.ok_or(io::ErrorKind::NotFound)?;
    match stamp.kind() {
        EntryType::Dir => strip(place, inner),
        EntryType::File => forget_own_of_file(place, inner),
        EntryType::Link | EntryType::Special => Ok(()),
    }
}

/// Moves a file, link or directory out of the layer, to a path that is not there yet.
pub(crate) fn bring_out(place: &Beneath, inner: &RelPath, to: &Path) -> io::Result<()> {
    let stamp = place.stamp(inner)?.ok_or(io::ErrorKind::NotFound)?;
    let old = place.writable_dir(&inner.split().0)?;
    forget_overlay(place, inner)?;
    let parent = to.parent().unwrap_or(to);
    std::fs::create_dir_all(parent)?;
    match rustix::fs::renameat(&old, inner.name(), CWD, to) {
        Err(Errno::XDEV) => {}
        done => return Ok(done?),
    }
    let name = RelPath::new(to.file_name().unwrap_or_default().as_encoded_bytes());
    let target = Beneath::open(parent)?;
    match stamp.kind() {
        EntryType::Dir => {
            target.make_dir(&name)?;
            for (child, entry) in upper::list(place, inner).map_err(io::Error::other)? {
                bring(place, &inner.join(&child), entry.held, &target, &name.join(&child))?;
            }
            Ok(())
        }
        EntryType::File | EntryType::Link => copy_leaf(place, inner, &target, &name),
        EntryType::Special => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// So that a name that was changed is not forgotten.
pub(crate) fn sync_parent(place: &Beneath, path: &RelPath) -> io::Result<()> {
    let dir = place.dir(&path.split().0)?;
    match rustix::fs::fsync(&dir) {
        Err(Errno::INVAL) => Ok(()),
        done => Ok(done?),
    }
}

/// Makes a pipe where nothing is.
pub(crate) fn make_pipe(place: &Beneath, path: &RelPath, permissions: u32) -> io::Result<()> {
    let parent = place.dir(&path.split().0)?;
    let kind = rustix::fs::FileType::Fifo;
    let mode = Mode::from_raw_mode(permissions as _);
    Ok(rustix::fs::mknodat(&parent, path.name(), kind, mode, 0)?)
}
