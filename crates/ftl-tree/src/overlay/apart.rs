//! Setting apart what is not taken over: strays, versions that were kept out of the tree by another
//! process's change, and the partial work of a request that was interrupted. It is moved from the upper layer and was
//! never in the tree.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::OverlayLayer;
use super::lands::Landing;
use super::scratch::{bring_out, forget_overlay};
use super::upper::{Held, Uppers};
use super::written::OverlayWork;
use crate::apply::put_back::Quarantine;
use crate::stamp::EntryType;
use crate::{RelPath, Tree, TreeError};

/// What was set apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetApart {
    /// Paths whose content was moved to the directory given, as people see them.
    pub moved: Vec<String>,
    /// Paths that were deleted in the view, of which there is nothing to move.
    pub deleted: Vec<String>,
    /// Paths that the disk of the directory given had no room for. They go with the layers.
    pub dropped: Vec<String>,
}

impl Tree {
    /// Moves strays that do not land to `dir`.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn set_strays_apart(
        &self,
        written: &OverlayWork,
        landing: &Landing,
        dir: &Path,
    ) -> Result<SetApart, TreeError> {
        let lands =
            |path: &RelPath| landing.paths.contains(path) || landing.conflicts.contains(path);
        let strays = written.strays.keys().filter(|path| !lands(path));
        self.set_apart(written, &strays.cloned().collect(), dir)
    }

    /// Moves the implementer's versions of files that another process changed too to `dir`.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn set_conflicts_apart(
        &self,
        written: &OverlayWork,
        landing: &Landing,
        dir: &Path,
    ) -> Result<SetApart, TreeError> {
        self.set_apart(written, &landing.conflicts, dir)
    }

    /// Moves everything but scratch to `dir`.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn set_all_apart(&self, written: &OverlayWork, dir: &Path) -> Result<SetApart, TreeError> {
        let delta = written.delta.keys().map(|path| self.places.of_delta(path));
        let others = written.strays.keys().chain(written.allowed_files()).cloned();
        self.set_apart(written, &delta.chain(others).collect(), dir)
    }

    /// Moves git's objects and references that were made in the view to `dir`, so that commits can be
    /// had again. Returns the directory of the objects.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn set_commits_apart(
        &self,
        written: &OverlayWork,
        dir: &Path,
    ) -> Result<Option<PathBuf>, TreeError> {
        make_private(dir)?;
        let mut objects = None;
        for name in ["objects", "refs", "logs", "HEAD", "packed-refs"] {
            let label = RelPath::new(".git").join(name.as_bytes());
            let place = written.uppers.at(&label);
            if !matches!(place.stamp(), Ok(Some(_))) {
                continue;
            }
            let to = dir.join(name);
            let failed = place.failed("move");
            bring_out(place, &to).map_err(failed)?;
            if name == "objects" {
                objects = Some(to);
            }
        }
        Ok(objects)
    }

    /// Moves a file that was written in the view to where it would be without one; nothing where none was.
    /// The caller judges what it is.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn fetch_written(&self, layers: &[OverlayLayer], path: &Path) -> Result<(), TreeError> {
        let Ok(below) = path.strip_prefix(self.top()) else {
            return Ok(());
        };
        let uppers = Uppers::open(layers)?;
        let label = RelPath::new(below.as_os_str().as_encoded_bytes());
        let place = uppers.at(&label);
        match place.found()?.map(|stamp| stamp.kind()) {
            Some(EntryType::File | EntryType::Link) => {
                let failed = place.failed("move");
                bring_out(place, path).map_err(failed)
            }
            _ => Ok(()),
        }
    }

    fn set_apart(
        &self,
        written: &OverlayWork,
        paths: &BTreeSet<RelPath>,
        dir: &Path,
    ) -> Result<SetApart, TreeError> {
        let mut done = SetApart::default();
        if !paths.is_empty() {
            make_private(dir)?;
        }
        let mut quarantine = Quarantine::new(dir);
        for path in paths {
            let held = written.contents.entries.get(path).map(|entry| entry.held);
            let shown = self.shown(path);
            let label = self.places.in_quarantine(path);
            let moved = match held {
                None | Some(Held::Whiteout) => {
                    done.deleted.push(shown);
                    continue;
                }
                // Of a repository that was planted all goes that is in it. The content of others has
                // separate entries.
                Some(Held::Dir { .. }) if path.name() != b".git" => quarantine.make_dir(&label),
                Some(Held::Dir { .. } | Held::File | Held::Link | Held::Special) => {
                    let place = written.uppers.at(path);
                    forget_overlay(&place)
                        .and_then(|()| place.above().writable_dir())
                        .and_then(|_| quarantine.take(&place, &label))
                }
            };
            match moved {
                Err(error) if has_no_room(&error) => done.dropped.push(shown),
                moved => {
                    moved.map_err(TreeError::io("move", dir.join(label.as_path())))?;
                    done.moved.push(shown);
                }
            }
        }
        quarantine.dress(self);
        Ok(done)
    }
}

/// A copy on another file system may not fit there.
fn has_no_room(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), FileTooLarge | QuotaExceeded | StorageFull)
}

/// What was moved away keeps its modes, in a directory that only its owner can enter.
fn make_private(dir: &Path) -> Result<(), TreeError> {
    let made = std::fs::create_dir_all(dir);
    made.and_then(|()| std::fs::set_permissions(dir, PermissionsExt::from_mode(0o700)))
        .map_err(TreeError::io("make", dir))
}
