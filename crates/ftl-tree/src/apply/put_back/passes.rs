//! The passes over what differs. What may go wrong with one path ends that path alone.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::apply::put_back::plan::PlanLog;
use crate::apply::put_back::quarantine::Quarantine;
use crate::apply::put_back::{PutBack, is_dir};
use crate::compare::classify::Difference;
use crate::openat::{At, is_gone};
use crate::snapshot::Snapshot;
use crate::snapshot::entry::{Origin, SnapshotEntry};
use crate::stamp::{self, EntryType};
use crate::{RelPath, Tree, TreeError};

const OWNER_MAY_WRITE: u32 = 0o200;

/// So many files are synced one by one; of more, the whole file system is synced once.
const SYNCED_ALONE: usize = 32;

pub(crate) struct Passes<'a> {
    pub(super) tree: &'a Tree,
    before: &'a Snapshot,
    pub(super) differences: &'a [Difference],
    quarantine: Quarantine<'a>,
    pub(super) done: &'a mut PutBack,
    /// Paths that these passes leave as they are: their bytes are lost, the file system refuses, or they come
    /// back with a repository.
    left: BTreeSet<RelPath>,
    /// Removed repositories that are held: where, and the paths that come back with each.
    held: BTreeMap<RelPath, (PathBuf, Vec<RelPath>)>,
    failure: Option<Failure>,
    /// Directories that their owner may not change, and their modes: open while something in them is put back.
    pub(super) opened: Vec<(RelPath, u32)>,
    /// Whether files are synced one by one.
    each: bool,
    log: PlanLog,
}

/// The first path that could not be put back though its content is known.
struct Failure {
    path: RelPath,
    source: io::Error,
    /// How many others there are.
    more: usize,
}

impl<'a> Passes<'a> {
    pub(crate) fn new(
        tree: &'a Tree,
        before: &'a Snapshot,
        dir: &'a Path,
        differences: &'a [Difference],
        done: &'a mut PutBack,
    ) -> Self {
        let known = differences.iter().filter(|one| one.before.is_some());
        Self {
            tree,
            before,
            differences,
            quarantine: Quarantine::new(dir),
            done,
            left: BTreeSet::new(),
            held: BTreeMap::new(),
            failure: None,
            opened: Vec::new(),
            each: !cfg!(target_os = "linux") || known.count() <= SYNCED_ALONE,
            log: PlanLog::of(before),
        }
    }

    /// `goes` says whether everything in a directory that was none before goes with it.
    ///
    /// # Errors
    /// When something could not be put back, all else being done. Doing it again goes on from there.
    pub(crate) fn run(mut self, goes: impl Fn(&RelPath) -> bool) -> Result<(), TreeError> {
        let objects = self.look_for_contents()?;
        let tops = self.tops(goes);
        for difference in self.differences {
            self.make_writable(difference);
        }
        self.open_parents();
        for difference in self.differences.iter().rev() {
            if self.is_due(difference) && !difference.path.is_below_any(&tops) {
                self.move_away(difference);
            }
        }
        if let Some(last) = self.last_of_equal_size() {
            stamp::wait_for_another_second(last);
        }
        for difference in self.differences {
            if self.is_due(difference) {
                self.bring_back(difference);
            }
        }
        self.bring_back_objects(&objects)?;
        self.bring_back_repositories();
        for difference in self.differences.iter().rev() {
            if self.is_due(difference) {
                self.restore_rights(difference);
            }
        }
        self.close_parents();
        self.quarantine.dress(self.tree);
        self.sync(&tops)?;
        match self.failure {
            None => Ok(()),
            Some(failure) => Err(TreeError::PutBack {
                path: self.tree.at(&failure.path).full(),
                more: failure.more,
                source: failure.source,
            }),
        }
    }

    /// When the last version was written that has the size of the one that comes back.
    fn last_of_equal_size(&self) -> Option<i64> {
        let due = self.differences.iter().filter(|one| self.is_due(one) && !one.mode_only);
        let both = due.filter_map(|one| Some((one.before.as_ref()?.stamp, one.now?)));
        let equal = both.filter(|(before, now)| before.size == now.size && !is_dir(now));
        equal.map(|(_, now)| now.modified).max()
    }

    fn is_due(&self, difference: &Difference) -> bool {
        !self.left.contains(&difference.path)
    }

    /// Leaves a path as it is. That something new stays is reported; that something old does not come back is
    /// an error, since its only copy may be ours.
    pub(super) fn fail(&mut self, difference: &Difference, error: io::Error) {
        if !self.left.insert(difference.path.clone()) {
            return;
        }
        match (&difference.before, &mut self.failure) {
            (None, _) => {
                self.done.lost.insert(&difference.path);
                self.done.refused.get_or_insert_with(|| error.to_string());
            }
            (Some(_), Some(failure)) => failure.more += 1,
            (Some(_), none) => {
                *none = Some(Failure { path: difference.path.clone(), source: error, more: 0 });
            }
        }
    }

    pub(super) fn restored(&mut self, path: &RelPath) {
        self.log.add(path);
        self.done.restored.insert(path);
    }

    fn lose(&mut self, path: &RelPath) {
        self.done.lost.insert(path);
        self.left.insert(path.clone());
    }

    /// Finds out which contents can be had, and gives those that git holds. One copy that is gone or
    /// spoilt keeps no other file from being put back.
    fn look_for_contents(&mut self) -> Result<Vec<&'a Difference>, TreeError> {
        let all = self.before.held_repositories();
        for path in of_lost_repositories(self.differences) {
            let is_in = |repository: &RelPath| path == *repository || path.is_below(repository);
            match all.iter().find(|(repository, _)| is_in(repository)) {
                Some((repository, place)) => {
                    let held = self.held.entry((*repository).clone());
                    let (_, paths) = held.or_insert_with(|| (place.clone(), Vec::new()));
                    self.left.insert(path.clone());
                    paths.push(path);
                }
                None => self.lose(&path),
            }
        }
        let mut objects = Vec::new();
        for difference in self.differences.iter().filter(|one| !one.mode_only) {
            match difference.before.as_ref().map(|entry| &entry.origin) {
                Some(Origin::Copy(copied)) if !self.before.pack.is_whole(copied) => {
                    self.lose(&difference.path)
                }
                Some(Origin::Object(object)) => objects.push((difference, object.as_str())),
                Some(Origin::Watched) => self.lose(&difference.path),
                Some(Origin::Copy(_) | Origin::Dir | Origin::Link(_)) | None => {}
            }
        }
        let names: Vec<&str> = objects.iter().map(|(_, object)| *object).collect();
        let missing = match &self.tree.places.git {
            Some(git) if !names.is_empty() => git.missing(&names)?,
            Some(_) | None => names.into_iter().collect(),
        };
        let (lost, held): (Vec<_>, Vec<_>) =
            objects.into_iter().partition(|(_, object)| missing.contains(object));
        for (difference, _) in lost {
            self.lose(&difference.path);
        }
        Ok(held.into_iter().map(|(difference, _)| difference).collect())
    }

    /// New directories that are moved with all that is in them.
    fn tops(&self, goes: impl Fn(&RelPath) -> bool) -> BTreeSet<RelPath> {
        let mut tops = BTreeSet::new();
        for difference in self.differences {
            let is_new = difference.now.as_ref().is_some_and(is_dir) && !difference.stays();
            let path = &difference.path;
            if is_new && self.is_due(difference) && !path.is_below_any(&tops) && goes(path) {
                tops.insert(path.clone());
            }
        }
        tops
    }

    fn move_away(&mut self, difference: &Difference) {
        let Some(now) = difference.now.as_ref().filter(|_| !difference.stays()) else {
            return;
        };
        let place = self.tree.at(&difference.path);
        // An empty directory holds nothing to keep.
        if is_dir(now) {
            match place.remove_dir() {
                Ok(()) => return,
                Err(error) if is_gone(&error) => return,
                Err(_) => {}
            }
        }
        let label = self.tree.places.in_quarantine(&difference.path);
        match self.quarantine.take(&place, &label) {
            Ok(()) => self.done.moved.insert(&difference.path),
            Err(error) if is_gone(&error) => {}
            Err(error) => self.fail(difference, error),
        }
    }

    /// Everything but what git holds: of that, the directories above it.
    fn bring_back(&mut self, difference: &Difference) {
        let Some(entry) = difference.to_make() else {
            return;
        };
        let place = self.tree.at(&difference.path);
        let made = place.make_parents().and_then(|()| match &entry.origin {
            Origin::Dir => match place.make_private_dir() {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                made => made,
            },
            Origin::Link(target) => {
                place.make_link(target.bytes()).and_then(|()| place.set_ids(entry.stamp.ids))
            }
            Origin::Copy(copied) => {
                let mut content = self.before.open_copy(copied)?;
                self.make_file(difference, entry, &mut content, copied.len)
            }
            Origin::Object(_) | Origin::Watched => Ok(()),
        });
        if !matches!(entry.origin, Origin::Object(_) | Origin::Watched) || made.is_err() {
            self.count(difference, made);
        }
    }

    fn bring_back_objects(&mut self, differences: &[&Difference]) -> Result<(), TreeError> {
        let due = differences.iter().filter(|one| self.is_due(one));
        let (due, objects): (Vec<_>, Vec<_>) = due
            .filter_map(|one| match &one.to_make()?.origin {
                Origin::Object(object) => Some((*one, object.as_str())),
                Origin::Dir | Origin::Link(_) | Origin::Copy(_) | Origin::Watched => None,
            })
            .unzip();
        let tree = self.tree;
        tree.each_object(&objects, &mut |number, content| {
            let difference = due[number];
            let made = match (content, difference.to_make()) {
                (Some(content), Some(entry)) => {
                    self.make_file(difference, entry, content.bytes, content.size)
                }
                (None, _) | (_, None) => Err(io::ErrorKind::UnexpectedEof.into()),
            };
            self.count(difference, made);
            Ok(())
        })
    }

    fn bring_back_repositories(&mut self) {
        for (repository, (place, paths)) in &self.held {
            let result = match self.tree.bring_back_repository(repository, place) {
                Ok(()) => &mut self.done.restored,
                Err(_) => &mut self.done.lost,
            };
            for path in paths {
                result.insert(path);
            }
        }
    }

    fn count(&mut self, difference: &Difference, made: io::Result<()>) {
        match made {
            Ok(()) => self.restored(&difference.path),
            // Parents were made just now, so only git's own directory can be missing. It is not
            // made again: an empty one would hide that the repository is gone.
            Err(error) if is_gone(&error) => self.lose(&difference.path),
            Err(error) => self.fail(difference, error),
        }
    }

    fn make_file(
        &self,
        difference: &Difference,
        entry: &SnapshotEntry,
        content: &mut dyn Read,
        size: u64,
    ) -> io::Result<()> {
        let place = self.tree.at(&difference.path);
        place.make_whole_file(content, entry.rights(), |file| {
            // A user may have added to it by now.
            if file.metadata()?.len() < size {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if self.each { file.sync_all() } else { Ok(()) }
        })
    }

    /// Brings the names to the disk, of both sides.
    fn sync(&self, tops: &BTreeSet<RelPath>) -> Result<(), TreeError> {
        let due = self.differences.iter().map(|one| &one.path);
        let due = due.filter(|path| !self.left.contains(*path) && !path.is_below_any(tops));
        // One path for each directory.
        let dirs: BTreeMap<RelPath, &RelPath> = due.map(|path| (path.split().0, path)).collect();
        if !self.each || (cfg!(target_os = "linux") && dirs.len() > SYNCED_ALONE) {
            return self.sync_all();
        }
        for path in dirs.into_values() {
            let place = self.tree.at(path);
            match place.sync_parent() {
                Err(error) if !is_gone(&error) => return Err(place.failed("sync")(error)),
                _ => {}
            }
        }
        let synced = self.quarantine.sync();
        synced.map_err(TreeError::io("sync", self.quarantine.dir()))
    }

    /// One call for a file system: thousands of single syncs take minutes.
    fn sync_all(&self) -> Result<(), TreeError> {
        let places = &self.tree.places;
        for place in [Some(&places.top), places.git_dir.as_ref()].into_iter().flatten() {
            place.sync_all().map_err(TreeError::io("sync", place.path()))?;
        }
        Ok(())
    }
}

/// Attributes of the user need a file that its owner may write, and access control lists bring a mode of
/// their own: the mode is set afterwards.
pub(super) fn give_attributes(place: &At<'_>, entry: &SnapshotEntry) -> io::Result<()> {
    if matches!(entry.stamp.kind(), EntryType::Link | EntryType::Special)
        || place.attributes()? == entry.attributes
    {
        return Ok(());
    }
    place.set_permissions(entry.stamp.permissions() | OWNER_MAY_WRITE)?;
    place.set_attributes(&entry.attributes)
}

impl Difference {
    /// Whether what is there now need not make way.
    fn stays(&self) -> bool {
        match (&self.before, &self.now) {
            (Some(before), Some(now)) => self.mode_only || (is_dir(&before.stamp) && is_dir(now)),
            (Some(_), None) | (None, _) => false,
        }
    }

    /// What has to be made, if anything has.
    fn to_make(&self) -> Option<&SnapshotEntry> {
        self.before.as_ref().filter(|_| !self.mode_only)
    }
}

/// What is lost with a repository within the tree that was removed: its settings alone would make none.
fn of_lost_repositories(differences: &[Difference]) -> impl Iterator<Item = RelPath> + '_ {
    let gone = |difference: &&Difference| {
        let is_git_dir = difference.path.name() == b".git" && difference.now.is_none();
        is_git_dir && difference.is_dir()
    };
    let dirs: BTreeSet<RelPath> =
        differences.iter().filter(gone).map(|difference| difference.path.clone()).collect();
    let paths = differences.iter().map(|difference| &difference.path);
    paths.filter(move |path| dirs.contains(*path) || path.is_below_any(&dirs)).cloned()
}
