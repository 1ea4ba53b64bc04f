//! Copying single paths of the tree into a workplace.

use std::fs::File;
use std::io;

use super::base::Copied;
use crate::RelPath;
use crate::compare::same_bytes;
use crate::openat::copying::fill;
use crate::openat::{At, Attributes, is_gone, modified};
use crate::places::Places;
use crate::stamp::{EntryType, Stamp};

/// How often a file that changes while it is copied is copied again. What is there then counts: the next
/// refresh finds that the file looks otherwise.
const TRIES: usize = 3;

/// Copies from a tree to a workplace.
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
            // Where the workplace covers the root, the pipe or socket itself is mounted on this.
            EntryType::Special => self.closed(label, seen, 0).map(Outcome::Copied),
        };
        match copied {
            Err(error) if is_gone(&error) || error.kind() == io::ErrorKind::InvalidInput => {
                self.to.at(label).remove_all()?;
                Ok(Outcome::Gone)
            }
            copied => copied,
        }
    }

    fn file(&self, label: &RelPath, seen: &Stamp) -> io::Result<Outcome> {
        let from = self.from.at(label);
        let mut tries = 0;
        loop {
            tries += 1;
            let mut source = match from.file() {
                Err(error) if from.forbids(EntryType::File, &error) => {
                    return self.closed(label, seen, seen.size).map(Outcome::Unreadable);
                }
                source => source?,
            };
            let then = stamp_of(&source)?;
            let copy = self.fill(label, &mut source)?;
            if tries == TRIES || then == stamp_of(&source)? {
                return Ok(Outcome::Copied(Copied { then, copy }));
            }
        }
    }

    fn fill(&self, label: &RelPath, source: &mut File) -> io::Result<Stamp> {
        let to = self.to.at(label);
        let mut target = new_file(&to)?;
        fill(source, &mut target)?;
        if let Some(at) = self.modified {
            rustix::fs::futimens(&target, &modified(at))?;
        }
        stamp_of(&target)
    }

    fn link(&self, label: &RelPath, seen: &Stamp) -> io::Result<Outcome> {
        let (from, to) = (self.from.at(label), self.to.at(label));
        let target = from.link_target()?;
        to.remove_all()?;
        to.make_link(&target)?;
        to.set_ids(seen.ids)?;
        to.set_modified(self.modified.unwrap_or(seen.modified))?;
        Ok(Outcome::Copied(Copied { then: *seen, copy: stamp_at(&to)? }))
    }

    /// A file of this size that cannot be read.
    fn closed(&self, label: &RelPath, seen: &Stamp, size: u64) -> io::Result<Copied> {
        let to = self.to.at(label);
        new_file(&to)?.set_len(size)?;
        to.set_modified(self.modified.unwrap_or(seen.modified))?;
        to.set_permissions(0)?;
        Ok(Copied { then: *seen, copy: stamp_at(&to)? })
    }

    /// Whether a copy that was not changed holds what is at its path now, with the same attributes.
    pub(super) fn is_same(&self, label: &RelPath, known: &Copied, now: &Stamp) -> io::Result<bool> {
        let is_alike =
            |stamp: &Stamp| (now.size, now.mode, now.ids) == (stamp.size, stamp.mode, stamp.ids);
        let (from, to) = (self.from.at(label), self.to.at(label));
        match now.kind() {
            EntryType::File if is_alike(&known.copy) => {}
            EntryType::Link if is_alike(&known.then) => {
                let target = from.link_target();
                return Ok(
                    target.is_ok_and(|target| to.link_target().is_ok_and(|copy| copy == target))
                );
            }
            EntryType::Special => return Ok(is_alike(&known.then)),
            EntryType::File | EntryType::Link | EntryType::Dir => return Ok(false),
        }
        let opened = from.file().and_then(|one| Ok((one, to.file()?)));
        let Ok((mut one, mut other)) = opened else {
            return Ok(false);
        };
        Ok(Attributes::of(&one)? == Attributes::of(&other)? && same_bytes(&mut one, &mut other)?)
    }
}

/// Makes a new file where something else may be.
fn new_file(to: &At<'_>) -> io::Result<File> {
    match to.new_file() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            to.remove_all()?;
            to.new_file()
        }
        made => made,
    }
}

fn stamp_of(file: &File) -> io::Result<Stamp> {
    Ok(Stamp::of(&rustix::fs::fstat(file)?))
}

pub(super) fn stamp_at(at: &At<'_>) -> io::Result<Stamp> {
    at.stamp()?.ok_or_else(|| io::ErrorKind::NotFound.into())
}
