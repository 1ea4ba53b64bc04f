//! Moving whole things out of an upper layer: by rename where the file system is the same, else by copies. Times are
//! kept, for caches go by them; overlayfs's own attributes are not.
//!
//! Scratch is moved into the tree without a journal: it can be made again, and half of it is no worse
//! than a build that was interrupted.

use std::io;
use std::os::fd::AsFd;
use std::path::Path;

use ftl_text::with_causes;
use rustix::fs::{AtFlags, Mode};
use rustix::io::Errno;

use super::upper::{self, Held, Uppers};
use crate::openat::{At, Beneath, VisitStep, owned_file, visit, writable_dir};
use crate::stamp::{EntryType, Stamp};
use crate::{RelPath, Tree};

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
            let done = bring(uppers.at(path), self.at(path));
            done.err().map(|error| format!("`{}`: {}", self.shown(path), with_causes(&error)))
        };
        paths.filter_map(failed).collect()
    }
}

/// Brings what a layer has at a path to another one, into a directory that is there.
fn bring(from: At<'_>, to: At<'_>) -> io::Result<()> {
    to.make_parents()?;
    let mut open = vec![(from, to)];
    while let Some((from, to)) = open.pop() {
        let Some(held) = upper::entry_at(&from)?.map(|entry| entry.held) else {
            continue;
        };
        let old = to.kind()?;
        match (held, old) {
            (Held::Special, _) => {}
            (Held::Whiteout, _) => to.remove_all()?,
            (Held::Dir { hides }, Some(EntryType::Dir)) => {
                let names = from.owned_names()?;
                if hides {
                    for gone in to.owned_names()?.iter().filter(|name| !names.contains(name)) {
                        to.join(gone).remove_all()?;
                    }
                }
                open.extend(names.iter().map(|name| (from.join(name), to.join(name))));
            }
            (Held::Dir { .. } | Held::File | Held::Link, old) => {
                let is_leaf = matches!(held, Held::File | Held::Link);
                let replaces = is_leaf && old.is_some_and(|kind| kind != EntryType::Dir);
                if old.is_some() && !replaces {
                    to.remove_all()?;
                }
                move_out(&from, &to, replaces)?;
            }
        }
    }
    Ok(())
}

/// Moves something out of the layer, in place of a file or link if it `replaces` one.
fn move_out(from: &At<'_>, to: &At<'_>, replaces: bool) -> io::Result<()> {
    let stamp = from.stamp()?;
    forget_overlay(from)?;
    // Only a directory that its owner may change can lose a name.
    from.above().writable_dir()?;
    if !replaces {
        if !from.move_new(to)? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        // To be moved, it was opened up itself.
        return match stamp.filter(Stamp::is_dir) {
            Some(stamp) => to.set_permissions(stamp.permissions()),
            None => Ok(()),
        };
    }
    match from.rename(to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            to.stage(|new| from.copy_to(new).map(drop))?.rename(to)
        }
        done => done,
    }
}

/// Moves a file, link or directory out of the layer to a path outside.
pub(crate) fn bring_out(from: At<'_>, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to.parent().unwrap_or(to))?;
    let (above, name) = Beneath::around(to)?;
    bring(from, above.at(&name))
}

/// Removes what is the overlay's own of something in the layer, before it is moved out: its attributes, and whiteouts.
/// The latter are of files that were made and deleted; overlayfs leaves none where nothing is
/// below, except in a directory that was renamed.
pub(crate) fn forget_overlay(at: &At<'_>) -> io::Result<()> {
    match at.stamp()?.ok_or(io::ErrorKind::NotFound)?.kind() {
        EntryType::Link | EntryType::Special => return Ok(()),
        EntryType::File => return forget_own(&at.owned_file()?),
        EntryType::Dir => {}
    }
    let top = at.writable_dir()?;
    forget_own(&top)?;
    let done = visit([top], &mut |entry, step| {
        match step {
            VisitStep::Enter => {
                let dir = writable_dir(&entry.dirs[0], entry.name)?;
                forget_own(&dir)?;
                return Ok(Some([dir]));
            }
            VisitStep::Leaf if upper::is_whiteout(entry.stat) => {
                rustix::fs::unlinkat(&entry.dirs[0], entry.name, AtFlags::empty())?;
            }
            VisitStep::Leaf if Stamp::of(entry.stat).kind() == EntryType::File => {
                forget_own(&owned_file(&entry.dirs[0], entry.name)?)?;
            }
            VisitStep::Leaf => {}
            // What was opened up to its owner gets its mode again.
            VisitStep::Leave([dir]) => {
                let mode = Stamp::of(entry.stat).permissions();
                rustix::fs::fchmod(dir, Mode::from_raw_mode(mode as _))?;
            }
        }
        Ok(None)
    });
    done.map(drop)
}

fn forget_own(file: &impl AsFd) -> io::Result<()> {
    let mut list = vec![0; 4096];
    let length = match rustix::fs::flistxattr(file, list.as_mut_slice()) {
        Ok(length) => length,
        Err(Errno::OPNOTSUPP | Errno::RANGE) => 0,
        Err(error) => return Err(error.into()),
    };
    for name in list[..length].split(|&byte| byte == 0).filter(|name| name.starts_with(OWN)) {
        match rustix::fs::fremovexattr(file, name) {
            // Attributes need a file that may be written.
            Ok(()) | Err(Errno::NODATA | Errno::ACCESS) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
