//! Comparing the tree with a snapshot, by stamps first, and by contents where these don't decide.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use crate::compare::classify::{Difference, Former, Pair};
use crate::digest::digest_of;
use crate::git::TakeContent;
use crate::openat::is_gone;
use crate::snapshot::Snapshot;
use crate::snapshot::entry::{Origin, SnapshotEntry};
use crate::stamp::{EntryType, Stamp};
use crate::walk::found::Survey;
use crate::{RelPath, Tree, TreeError};

/// What changed since a snapshot.
struct SinceSnapshot<'a> {
    tree: &'a Tree,
    before: &'a Snapshot,
}

impl Former for SinceSnapshot<'_> {
    type Earlier = SnapshotEntry;

    fn entries(&self) -> &BTreeMap<RelPath, SnapshotEntry> {
        self.before.entries()
    }

    fn unreadable(&self) -> &BTreeSet<RelPath> {
        self.before.unreadable()
    }

    fn is_plainly_same(&self, pair: &Pair<'_, SnapshotEntry>) -> Result<bool, TreeError> {
        let (_, entry, now) = pair;
        Ok(entry.stamp == *now
            && self.before.settled(now)
            && (!now.is_dir() || self.same_attributes(pair)?))
    }

    fn examine(&self, pairs: &[Pair<'_, SnapshotEntry>]) -> Result<Vec<Difference>, TreeError> {
        let mut like_objects = self.like_objects(pairs)?.into_iter();
        let mut found = Vec::new();
        for pair @ (_, entry, now) in pairs {
            let like_object = object(entry, now).and_then(|_| like_objects.next().flatten());
            let same = self.same_content(pair, like_object)?;
            let same_rights = entry.stamp.mode == now.mode && entry.stamp.ids == now.ids;
            if !same || !same_rights || !self.same_attributes(pair)? {
                found.push(Difference::between(pair, same));
            }
        }
        Ok(found)
    }
}

impl SinceSnapshot<'_> {
    /// Whether what is there has the attributes that it had. Links and devices have none.
    fn same_attributes(
        &self,
        (path, entry, now): &Pair<'_, SnapshotEntry>,
    ) -> Result<bool, TreeError> {
        if !matches!(now.kind(), EntryType::File | EntryType::Dir) {
            return Ok(true);
        }
        let place = self.tree.at(path);
        match place.attributes() {
            Ok(attributes) => Ok(attributes == entry.attributes),
            Err(error) if is_gone(&error) || place.forbids(now.kind(), &error) => Ok(true),
            Err(error) => Err(place.failed("look at")(error)),
        }
    }

    /// Whether each file that is compared with an object of git holds the same; `None` where the object
    /// cannot be read: the implementer may have broken the repository, and a comparison has to work
    /// nevertheless.
    fn like_objects(
        &self,
        pairs: &[Pair<'_, SnapshotEntry>],
    ) -> Result<Vec<Option<io::Result<bool>>>, TreeError> {
        let with_object = pairs.iter().filter_map(|(path, entry, now)| {
            let object = object(entry, now)?;
            Some((*path, object))
        });
        let (paths, objects): (Vec<_>, Vec<_>) = with_object.unzip();
        let mut results = Vec::with_capacity(objects.len());
        self.tree.each_object(&objects, &mut |number, content| {
            let place = self.tree.at(paths[number]);
            results.push(content.map(|content| same_bytes(&mut place.file()?, content.bytes)));
            Ok(())
        })?;
        Ok(results)
    }

    fn same_content(
        &self,
        (path, entry, now): &Pair<'_, SnapshotEntry>,
        like_object: Option<io::Result<bool>>,
    ) -> Result<bool, TreeError> {
        if entry.stamp.kind() != now.kind() || entry.stamp.size != now.size {
            return Ok(false);
        }
        let place = self.tree.at(path);
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
                Ok(entry.stamp.modified == now.modified && self.before.settled(&entry.stamp))
            }
            Err(error) if is_gone(&error) => Ok(false),
            Err(error) => Err(place.failed("read")(error)),
        }
    }
}

impl Tree {
    /// What differs outside the delta, by path.
    pub(crate) fn differences(
        &self,
        before: &Snapshot,
    ) -> Result<(Survey, Vec<Difference>), TreeError> {
        let mut survey = self.survey(&|path| before.status(path), Some(before.former()))?;
        let mut found = self.differing(&survey, &SinceSnapshot { tree: self, before })?;
        found.retain(|difference| !self.is_own(difference));
        self.settle(&mut survey, &mut found);
        Ok((survey, found))
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
fn object<'e>(entry: &'e SnapshotEntry, now: &Stamp) -> Option<&'e str> {
    match &entry.origin {
        Origin::Object(object) if now.kind() == EntryType::File && now.size == entry.stamp.size => {
            Some(object)
        }
        Origin::Object(_) | Origin::Dir | Origin::Link(_) | Origin::Copy(_) | Origin::Watched => {
            None
        }
    }
}
