//! The stamps of paths, in the order of the paths.
//!
//! A list: a walk comes to most paths in their order, so that it is filled and read faster than a map.

use crate::RelPath;
use crate::stamp::Stamp;

/// Paths without repetition, sorted, each with its stamp.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamps(Vec<(RelPath, Stamp)>);

impl Stamps {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, path: &RelPath) -> Option<&Stamp> {
        let at = self.0.binary_search_by(|(known, _)| known.cmp(path)).ok()?;
        self.0.get(at).map(|(_, stamp)| stamp)
    }

    pub(crate) fn contains(&self, path: &RelPath) -> bool {
        self.get(path).is_some()
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (&RelPath, &Stamp)> {
        self.0.iter().map(|(path, stamp)| (path, stamp))
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &RelPath> {
        self.0.iter().map(|(path, _)| path)
    }

    /// Those from a path on.
    pub(crate) fn from(&self, first: &RelPath) -> impl Iterator<Item = (&RelPath, &Stamp)> {
        let at = self.place_of(first.bytes());
        self.0[at..].iter().map(|(path, stamp)| (path, stamp))
    }

    /// The place of the first path that is not before this one.
    pub(crate) fn place_of(&self, path: &[u8]) -> usize {
        self.0.partition_point(|(known, _)| known.bytes() < path)
    }

    /// The path in a place.
    pub(crate) fn at(&self, place: usize) -> Option<&(RelPath, Stamp)> {
        self.0.get(place)
    }

    /// Adds stamps of paths that have none.
    pub(crate) fn add(&mut self, stamps: Vec<(RelPath, Stamp)>) {
        let found = std::mem::take(&mut self.0);
        *self = stamps.into_iter().chain(found).collect();
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(&RelPath) -> bool) {
        self.0.retain(|(path, _)| keep(path));
    }
}

/// Of the stamps of one path, the last counts.
impl FromIterator<(RelPath, Stamp)> for Stamps {
    fn from_iter<I: IntoIterator<Item = (RelPath, Stamp)>>(stamps: I) -> Self {
        let mut stamps: Vec<_> = stamps.into_iter().collect();
        stamps.sort_by(|(a, _), (b, _)| a.cmp(b));
        stamps.dedup_by(|(path, stamp), (earlier_path, earlier)| {
            let is_same = path == earlier_path;
            if is_same {
                *earlier = *stamp;
            }
            is_same
        });
        Self(stamps)
    }
}

impl IntoIterator for Stamps {
    type Item = (RelPath, Stamp);
    type IntoIter = std::vec::IntoIter<(RelPath, Stamp)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
