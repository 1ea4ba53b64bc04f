//! Copying single paths of the tree into a slot.

use std::fs::File;
use std::io;

use rustix::fs::Timespec;
use rustix::fs::Timestamps;
use rustix::fs::UTIME_OMIT;

use super::base::Copied;
use crate::RelPath;
use crate::compare::contents::same_bytes;
use crate::openat::{Attributes, Beneath, fill, is_gone};
use crate::overlay::clear;
use crate::places::Places;
use crate::stamp::{EntryType, SECOND, Stamp};

/// How often a file that changes while it is copied is copied again. What is there then counts: the next
/// refresh finds that the file looks otherwise.
const TRIES: usize = 3;

/// Copies from a tree to a slot.
#[derive(Clone, Copy)]
pub(super) struct Copier<'a> {
    pub(super) from: &'a Places,
    pub(super) to: &'a Places,
    /// The modification time of what is copied, in nanoseconds since the epoch; `None` to keep that of the
    /// tree.
    pub(super) modified: Option<i64>,
}

/// What became of a path.
pub(super) enum Outcome {
    Copied(Copied),
    /// It is not to be read. Something of its kind that can't be read either is in the copy.
    Unreadable(Copied),
    /// Nothing is there any more.
    Gone,
}

impl Copier<'_> {
    /// Copies what is no directory.
    pub(super) fn copy(&self, label: &RelPath, seen: &Stamp) -> io::Result<Outcome> {
        let copied = match seen.kind() {
            EntryType::Dir => return Err(io::ErrorKind::IsADirectory.into()),
            EntryType::File => self.file(label, seen),
            EntryType::Link => self.link(label, seen),
            // A view lets the pipe or socket itself through, which takes something to mount it on.
            EntryType::Special => self.closed(label, seen, 0).map(Outcome::Copied),
        };
        match copied {
            Err(error) if is_gone(&error) || error.kind() == io::ErrorKind::InvalidInput => {
                let (to, path) = self.to.locate(label);
                clear(to, &path)?;
                Ok(Outcome::Gone)
            }
            copied => copied,
        }
    }

    fn file(&self, label: &RelPath, seen: &Stamp) -> io::Result<Outcome> {
        let (from, inner) = self.from.locate(label);
        let mut tries = 0;
        loop {
            tries += 1;
            let mut source = match from.file(&inner) {
                Err(error) if from.forbids(&inner, EntryType::File, &error) => {
                    return self.closed(label, seen, seen.size).map(Outcome::Unreadable);
                }
                source => source?,
            };
            let then = stamp_of(&source)?;
            let copy = self.fill(label, &mut source, &then)?;
            if tries == TRIES || then == stamp_of(&source)? {
                return Ok(Outcome::Copied(Copied { then, copy }));
            }
        }
    }

    fn fill(&self, label: &RelPath, source: &mut File, then: &Stamp) -> io::Result<Stamp> {
        let (to, path) = self.to.locate(label);
        let mut target = new_file(to, &path)?;
        fill(source, &mut target)?;
        if then.ids != stamp_of(&target)?.ids {
            to.set_ids(&path, then.ids)?;
            // A change of owner takes the bits of setuid away.
            to.set_permissions(&path, then.permissions())?;
        }
        if let Some(at) = self.modified {
            let times = Timestamps {
                last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
                last_modification: Timespec { tv_sec: at / SECOND, tv_nsec: (at % SECOND) as _ },
            };
            rustix::fs::futimens(&target, &times)?;
        }
        stamp_of(&target)
    }

    fn link(&self, label: &RelPath, seen: &Stamp) -> io::Result<Outcome> {
        let ((from, inner), (to, path)) = (self.from.locate(label), self.to.locate(label));
        let target = from.link_target(&inner)?;
        make_room(to, &path)?;
        to.make_link(&path, &target)?;
        to.set_ids(&path, seen.ids)?;
        to.set_modified(&path, self.modified.unwrap_or(seen.modified))?;
        Ok(Outcome::Copied(Copied { then: *seen, copy: stamp_at(to, &path)? }))
    }

    /// A file of this size that cannot be read.
    fn closed(&self, label: &RelPath, seen: &Stamp, size: u64) -> io::Result<Copied> {
        let (to, path) = self.to.locate(label);
        new_file(to, &path)?.set_len(size)?;
        to.set_modified(&path, self.modified.unwrap_or(seen.modified))?;
        to.set_permissions(&path, 0)?;
        Ok(Copied { then: *seen, copy: stamp_at(to, &path)? })
    }

    /// Whether a copy that was not changed holds what is at its path now, with the same attributes.
    pub(super) fn is_same(&self, label: &RelPath, known: &Copied, now: &Stamp) -> io::Result<bool> {
        let is_alike =
            |stamp: &Stamp| (now.size, now.mode, now.ids) == (stamp.size, stamp.mode, stamp.ids);
        let ((from, inner), (to, path)) = (self.from.locate(label), self.to.locate(label));
        match now.kind() {
            EntryType::File if is_alike(&known.copy) => {}
            EntryType::Link if is_alike(&known.then) => {
                let target = from.link_target(&inner);
                return Ok(target
                    .is_ok_and(|target| to.link_target(&path).is_ok_and(|copy| copy == target)));
            }
            EntryType::Special => return Ok(is_alike(&known.then)),
            EntryType::File | EntryType::Link | EntryType::Dir => return Ok(false),
        }
        let opened = from.file(&inner).and_then(|one| Ok((one, to.file(&path)?)));
        let Ok((mut one, mut other)) = opened else {
            return Ok(false);
        };
        Ok(Attributes::of(&one)? == Attributes::of(&other)? && same_bytes(&mut one, &mut other)?)
    }
}

/// Makes a new file where something else may be.
fn new_file(to: &Beneath, path: &RelPath) -> io::Result<File> {
    match to.new_file(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            clear(to, path)?;
            to.new_file(path)
        }
        made => made,
    }
}

/// Removes what is at a path.
pub(super) fn make_room(to: &Beneath, path: &RelPath) -> io::Result<()> {
    if to.stamp(path)?.is_some() { clear(to, path) } else { Ok(()) }
}

fn stamp_of(file: &File) -> io::Result<Stamp> {
    Ok(Stamp::of(&rustix::fs::fstat(file)?))
}

pub(super) fn stamp_at(place: &Beneath, path: &RelPath) -> io::Result<Stamp> {
    place.stamp(path)?.ok_or_else(|| io::ErrorKind::NotFound.into())
}
