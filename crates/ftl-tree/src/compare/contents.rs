//! Whether the content of a path is what a snapshot holds of it.

use std::io::{self, Read};

use crate::digest::digest_of;
use crate::git::TakeContent;
use crate::openat::is_gone;
use crate::snapshot::Snapshot;
use crate::snapshot::entry::{Origin, SnapshotEntry};
use crate::stamp::{EntryType, Stamp};
use crate::{RelPath, Tree, TreeError};

impl Tree {
    /// Whether what is there has the attributes that it had. Links and devices have none.
    pub(crate) fn same_attributes(
        &self,
        path: &RelPath,
        entry: &SnapshotEntry,
        now: &Stamp,
    ) -> Result<bool, TreeError> {
        if !matches!(now.kind(), EntryType::File | EntryType::Dir) {
            return Ok(true);
        }
        let place = self.at(path);
        match place.attributes() {
            Ok(attributes) => Ok(attributes == entry.attributes),
            Err(error) if is_gone(&error) || place.forbids(now.kind(), &error) => Ok(true),
            Err(error) => Err(place.failed("look at")(error)),
        }
    }

    /// Whether each file that is compared with an object of git holds the same; `None` where the object
    /// cannot be read: the implementer may have broken the repository, and a comparison has to work
    /// nevertheless.
    pub(crate) fn like_objects(
        &self,
        open: &[(&RelPath, &SnapshotEntry, Stamp)],
    ) -> Result<Vec<Option<io::Result<bool>>>, TreeError> {
        let (paths, objects): (Vec<_>, Vec<_>) =
            open.iter().filter_map(|(path, entry, now)| Some((*path, object(entry, now)?))).unzip();
        let mut results = Vec::with_capacity(objects.len());
        self.each_object(&objects, &mut |number, content| {
            let place = self.at(paths[number]);
            results.push(content.map(|content| {
                let mut file = place.file()?;
                same_bytes(&mut file, content.bytes)
            }));
            Ok(())
        })?;
        Ok(results)
    }

    /// Hands over contents of git's objects; `None` for each that cannot be read.
    pub(crate) fn each_object(
        &self,
        names: &[&str],
        take: &mut TakeContent<'_>,
    ) -> Result<(), TreeError> {
        match &self.places.git {
            Some(git) if !names.is_empty() => git.each_content(names, take),
            Some(_) | None => (0..names.len()).try_for_each(|number| take(number, None)),
        }
    }

    pub(crate) fn same_content(
        &self,
        before: &Snapshot,
        path: &RelPath,
        entry: &SnapshotEntry,
        now: &Stamp,
        like_object: Option<io::Result<bool>>,
    ) -> Result<bool, TreeError> {
        if entry.stamp.kind() != now.kind() || entry.stamp.size != now.size {
            return Ok(false);
        }
        let place = self.at(path);
        let same = match &entry.origin {
            Origin::Dir => Ok(true),
            // Of a pipe or a device there is no content; of a file, only the change time cannot be set.
            Origin::Watched if now.kind() == EntryType::Special => Ok(true),
            Origin::Watched => Ok(entry.stamp == Stamp { mode: entry.stamp.mode, ..*now }),
            Origin::Link(target) => place.link_target().map(|now| now == target.bytes()),
            Origin::Copy(copied) => place
                .file()
                .and_then(|mut file| digest_of(&mut file))
                .map(|digest| digest == copied.sha256),
            // Where the object is gone, only the stamp is left to go by.
            Origin::Object(_) => like_object.unwrap_or(Ok(entry.stamp == *now)),
        };
        match same {
            Ok(same) => Ok(same),
            // A file that cannot be read any more has at least another mode, unless its stamp is the
            // same: then nothing was done to it, and reading it failed for another reason.
            Err(error) if entry.stamp != *now && place.forbids(now.kind(), &error) => {
                Ok(entry.stamp.modified == now.modified && before.settled(&entry.stamp))
            }
            Err(error) if is_gone(&error) => Ok(false),
            Err(error) => Err(place.failed("read")(error)),
        }
    }
}

/// Whether two readers give the same, with a little of each in memory.
pub(crate) fn same_bytes(one: &mut dyn Read, other: &mut dyn Read) -> io::Result<bool> {
    let (mut left, mut right) = ([0; 1 << 14], [0; 1 << 14]);
    loop {
        let count = fill(one, &mut left)?;
        if count != fill(other, &mut right)? || left[..count] != right[..count] {
            return Ok(false);
        }
        if count == 0 {
            return Ok(true);
        }
    }
}

/// Reads until the buffer is full or there is no more.
fn fill(from: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match from.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The object that has to be looked at to compare the two.
pub(crate) fn object<'e>(entry: &'e SnapshotEntry, now: &Stamp) -> Option<&'e str> {
    match &entry.origin {
        Origin::Object(object) if now.kind() == EntryType::File && now.size == entry.stamp.size => {
            Some(object)
        }
        Origin::Object(_) | Origin::Dir | Origin::Link(_) | Origin::Copy(_) | Origin::Watched => {
            None
        }
    }
}
