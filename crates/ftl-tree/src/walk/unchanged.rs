//! What is as an earlier walk found it, and is left out of a later one that looks for differences.
//!
//! Most of a large tree is never handed over: the threads that list directories compare as well. A directory whose
//! change time is before the moment after the earlier walk has the names that it had then, so that these are
//! looked at without listing it. The times of another file system are of another clock: there, and without a
//! moment, directories are listed again.
//!
//! A directory that was moved brings files with old times: another directory in a place is known by its inode, and
//! what is in it is other than before.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::Stat;

use crate::RelPath;
use crate::stamp::{self, Identity, Stamp};
use crate::walk::found::Survey;
use crate::walk::name::Name;
use crate::walk::scratch::ScratchStamp;
use crate::walk::stamps::Stamps;

/// The file system of a tree, and the change times of what may have been written in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Since {
    pub(crate) device: u64,
    pub(crate) time: i64,
    /// Later ones are of a time when the clock was wrong.
    pub(crate) until: i64,
}

/// What an earlier walk found, and which paths of it are the same by now.
pub(crate) struct Unchanged<'a> {
    known: &'a Stamps,
    scratch: &'a BTreeMap<RelPath, ScratchStamp>,
    identities: &'a BTreeMap<RelPath, Identity>,
    since: Option<Since>,
    /// Directories that are others than before.
    others: Mutex<BTreeSet<RelPath>>,
    /// By the place in `known`.
    same: Vec<AtomicBool>,
}

impl<'a> Unchanged<'a> {
    pub(crate) fn new(before: &'a Survey, since: Option<Since>) -> Self {
        let Survey { entries: known, scratch, identities, .. } = before;
        let same = std::iter::repeat_with(AtomicBool::default).take(known.len()).collect();
        Self { known, scratch, identities, since, others: Mutex::default(), same }
    }

    /// Whether a path is as it was.
    pub(crate) fn is_same(&self, path: &RelPath, was: &Stamp, is: &Stamp) -> bool {
        self.is_same_stamp(was, is) && !(was.is_type_alone() && self.is_in_other(path))
    }

    /// Of a file of which only the type is known, the change time decides.
    fn is_same_stamp(&self, was: &Stamp, is: &Stamp) -> bool {
        match was.is_type_alone() {
            true => {
                let is_outside = |since: Since| !(since.time..=since.until).contains(&is.changed);
                was.kind() == is.kind() && self.since.is_some_and(is_outside)
            }
            false => was == is,
        }
    }

    /// The paths that no later walk has found to be the same.
    pub(crate) fn not_same(&self) -> impl Iterator<Item = &RelPath> {
        let same = self.same.iter().map(|same| same.load(Ordering::Relaxed));
        self.known.paths().zip(same).filter(|(_, same)| !same).map(|(path, _)| path)
    }

    /// How many paths below a directory are the same.
    pub(crate) fn count_below(&self, dir: &RelPath) -> usize {
        let first = dir.join(b"");
        let known = self.known.from(&first);
        let below = known.take_while(|(path, _)| path.bytes().starts_with(first.bytes()));
        let same = self.same.iter().skip(self.known.place_of(first.bytes()));
        below.zip(same).filter(|(_, same)| same.load(Ordering::Relaxed)).count()
    }

    /// Whether a directory is the one that it was, and those above it are. They are listed before it.
    pub(super) fn is_same_dir(&self, path: &RelPath, dir: &Stat) -> bool {
        let is_same = self.identities.get(path).is_none_or(|was| *was == Identity::of(dir));
        if !is_same {
            self.others().insert(path.clone());
        }
        is_same && !self.is_in_other(path)
    }

    fn is_in_other(&self, path: &RelPath) -> bool {
        let others = self.others();
        !others.is_empty() && path.is_below_any(&others)
    }

    fn others(&self) -> MutexGuard<'_, BTreeSet<RelPath>> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a directory has the names that it had.
    pub(super) fn has_its_names(&self, dir: &Stat) -> bool {
        let is_before = |since: Since| {
            Identity::of(dir).device == since.device && stamp::change_time(dir) < since.time
        };
        self.since.is_some_and(is_before)
    }

    /// What was in a directory and is not the same, by its names there. `look` gives the stamp of a name.
    pub(super) fn differing<E>(
        &self,
        dir: &RelPath,
        mut look: impl FnMut(&[u8]) -> Result<Option<Stamp>, E>,
    ) -> Result<Vec<Name>, E> {
        let mut names = Vec::new();
        let mut place = self.first_in(dir);
        while let Some((name, was)) = self.next_in(dir, &mut place) {
            let looked = look(name)?;
            match looked {
                Some(is) if !is.is_dir() && self.is_same_stamp(was, &is) => {
                    self.set_same(place - 1)
                }
                looked => names.extend(Name::looked_at(name, looked)),
            }
        }
        let first = dir.join(b"");
        let scratch = self.scratch.range(&first..).map(|(path, _)| path.bytes());
        let scratch = scratch.map_while(|path| path.strip_prefix(first.bytes()));
        let direct = scratch.filter(|name| !name.is_empty() && !name.contains(&b'/'));
        names.extend(direct.filter_map(|name| Some(Name::new(CString::new(name).ok()?))));
        names.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(names)
    }

    /// Leaves out what is the same of the names in a directory, which are sorted.
    pub(super) fn leave_out(&self, dir: &RelPath, names: &mut Vec<Name>) {
        let mut place = self.first_in(dir);
        let mut known = self.next_in(dir, &mut place);
        names.retain(|at| {
            let name = at.name.as_bytes();
            while known.is_some_and(|(known, _)| known < name) {
                known = self.next_in(dir, &mut place);
            }
            let was = known.filter(|(known, _)| *known == name).map(|(_, was)| was);
            let is = at.looked.as_ref().and_then(|looked| looked.as_ref());
            let is = is.filter(|stamp| !stamp.is_dir());
            let is_same = was.zip(is).is_some_and(|(was, is)| self.is_same_stamp(was, is));
            if is_same {
                self.set_same(place - 1);
            }
            !is_same
        });
    }

    fn set_same(&self, place: usize) {
        if let Some(same) = self.same.get(place) {
            same.store(true, Ordering::Relaxed);
        }
    }

    /// Where the paths below a directory begin.
    fn first_in(&self, dir: &RelPath) -> usize {
        // The top comes before all that is in it.
        let first = if dir.is_top() { RelPath::new([0]) } else { dir.join(b"") };
        self.known.place_of(first.bytes())
    }

    /// The next name in a directory, which was in the place before the one that this leaves.
    fn next_in(&self, dir: &RelPath, place: &mut usize) -> Option<(&'a [u8], &'a Stamp)> {
        loop {
            let (path, stamp) = self.known.at(*place)?;
            let name = match dir.is_top() {
                true => path.bytes(),
                false => path.bytes().strip_prefix(dir.bytes())?.strip_prefix(b"/")?,
            };
            let Some(slash) = name.iter().position(|&byte| byte == b'/') else {
                *place += 1;
                return Some((name, stamp));
            };
            // All that is below another directory goes on until this path.
            let mut after = path.bytes()[..path.bytes().len() - name.len() + slash].to_vec();
            after.push(b'/' + 1);
            *place = self.known.place_of(&after);
        }
    }
}

#[cfg(test)]
mod tests {
    use rustix::fs::FileType;

    use super::{Since, Unchanged};
    use crate::stamp::Stamp;
    use crate::walk::found::Survey;

    #[test]
    fn a_file_of_a_known_type_was_written_if_it_changed_in_the_time_of_the_command() {
        let survey = Survey::default();
        let was = Stamp::of_type(FileType::RegularFile);
        let since = Since { device: 0, time: 10, until: 20 };
        let is_same = |since, changed| {
            let is = Stamp { changed, size: 1, ..was };
            Unchanged::new(&survey, since).is_same_stamp(&was, &is)
        };
        for (changed, expected) in [(9, true), (10, false), (20, false), (21, true)] {
            assert_eq!(is_same(Some(since), changed), expected, "{changed}");
        }
        assert!(!is_same(None, 9));
    }
}
