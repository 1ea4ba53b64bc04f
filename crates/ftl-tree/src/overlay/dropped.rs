//! New modification times for files whose version in a view is dropped.
//!
//! Caches pass through a view, so they can hold what was built from a dropped version, and be newer than the
//! file in the tree. Build tools that compare times would then take a stale product for a current one.
//!
//! What git ignores keeps its time: it is most often such a product itself, and would become newer than sources
//! that it was not built from.

use std::collections::BTreeSet;
use std::io;

use super::OverlayLayer;
use super::lands::Landing;
use super::upper::{Held, Uppers};
use crate::openat::is_gone;
use crate::stamp::{self, EntryType};
use crate::walk::is_in_store;
use crate::{RelPath, Tree, TreeError};

impl Tree {
    /// Gives the tree's version of every file that these layers hold, but for those that land, the current
    /// time. Has to come before anything is moved out of the layers: they are the only list of what was
    /// dropped. Can be repeated. Returns the paths that the file system refuses to touch, each
    /// with its error.
    ///
    /// # Errors
    /// When the layers or the tree can't be read.
    pub fn touch_dropped(
        &self,
        layers: &[OverlayLayer],
        landing: &Landing,
    ) -> Result<Vec<String>, TreeError> {
        let uppers = Uppers::open(layers)?;
        let (mut dropped, mut last) = (BTreeSet::new(), 0);
        for (path, entry) in uppers.contents(self)?.entries {
            let is_git = path.components().any(|name| name == b".git");
            let lands = landing.paths.contains(&path);
            if is_git || lands || is_in_store(&path) || entry.held == (Held::Dir { hides: false }) {
                continue;
            }
            dropped.extend(self.below(&path)?.into_iter().map(|(path, _)| path));
            match entry.held {
                // What is built may depend on the names in a directory.
                Held::Whiteout => drop(dropped.insert(path.split().0)),
                _ => last = last.max(entry.stamp.changed),
            }
            dropped.insert(path);
        }
        self.pass_over_ignored(&mut dropped)?;
        if !dropped.is_empty() {
            stamp::wait_for_another_second(last);
        }
        let at = stamp::now();
        let stays = dropped.iter().filter(|path| !landing.paths.contains(*path));
        let refused = |path: &RelPath| {
            self.touch(path, at).err().map(|error| format!("{}: {error}", self.shown(path)))
        };
        Ok(stays.filter_map(refused).collect())
    }

    fn pass_over_ignored(&self, dropped: &mut BTreeSet<RelPath>) -> Result<(), TreeError> {
        let with_kind = |path: &RelPath| {
            let is_dir = self.kind_at(path)? == Some(EntryType::Dir);
            Ok((path.clone(), is_dir))
        };
        let paths: Result<Vec<_>, TreeError> = dropped.iter().map(with_kind).collect();
        let ignored = self.ignored_among(&paths?);
        dropped.retain(|path| !ignored.contains(path));
        Ok(())
    }

    /// Touches a path, or the nearest directory above it that is there.
    fn touch(&self, label: &RelPath, at: i64) -> io::Result<()> {
        let mut place = self.at(label);
        loop {
            match place.set_modified(at) {
                Err(error) if is_gone(&error) && !place.path.is_top() => place = place.above(),
                done => return done,
            }
        }
    }
}
