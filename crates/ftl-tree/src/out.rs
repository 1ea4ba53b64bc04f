//! Copying paths out of a tree for people: strays, partial work, the versions of a conflict.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ftl_model::DeltaPath;

use crate::openat::{Beneath, Room};
use crate::{RelPath, Tree, TreeError};

/// Of one new directory so much is copied at most.
const ROOM: Room =
    Room { files: 100_000, bytes: 4 << 30, of: "are kept of one directory", are_ours: true };

/// What was copied out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopiedOut {
    /// The paths that were copied, as people read them.
    pub copied: Vec<String>,
    /// The paths at which nothing is.
    pub absent: Vec<String>,
    /// The paths that could not be copied, since the disk has no room for them or they are too large.
    pub dropped: Vec<String>,
}

impl Tree {
    /// Copies paths into `dir`, which only its owner can enter, each under its path from the root; what is above the
    /// root is below `above-root`. Of a directory that is `whole`, all that is in it.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn copy_out<'p>(
        &self,
        paths: impl IntoIterator<Item = (&'p RelPath, bool)>,
        dir: &Path,
    ) -> Result<CopiedOut, TreeError> {
        let mut done = CopiedOut::default();
        let mut opened = None;
        let mut wholes: BTreeSet<RelPath> = BTreeSet::new();
        for (path, is_whole) in paths {
            let at = self.at(path);
            let Some(stamp) = at.found()? else {
                done.absent.push(self.shown(path));
                continue;
            };
            if path.is_below_any(&wholes) {
                done.copied.push(self.shown(path));
                continue;
            }
            let to = match &opened {
                Some(to) => to,
                None => opened.insert(make_private(dir)?),
            };
            let to = to.at(&self.places.in_copies(path));
            let copy = || -> io::Result<()> {
                to.make_parents()?;
                match (stamp.is_dir(), is_whole) {
                    (true, false) if to.kind()?.is_some() => Ok(()),
                    (true, false) => to.make_private_dir(),
                    (true, true) => {
                        to.remove_all()?;
                        at.copy_all(&to, &mut ROOM.clone())
                    }
                    (false, _) => {
                        to.remove_all()?;
                        at.copy_to(&to).map(drop)
                    }
                }
            };
            match copy() {
                Ok(()) => {
                    if stamp.is_dir() && is_whole {
                        wholes.insert(path.clone());
                    }
                    done.copied.push(self.shown(path));
                }
                Err(error) if has_no_room(&error) => done.dropped.push(self.shown(path)),
                Err(error) => return Err(TreeError::io("copy to", to.full())(error)),
            }
        }
        Ok(done)
    }

    /// The same of files below the root.
    ///
    /// # Errors
    /// As [`copy_out`](Self::copy_out).
    pub fn copy_out_files<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p DeltaPath>,
        dir: &Path,
    ) -> Result<CopiedOut, TreeError> {
        let labels: Vec<RelPath> =
            paths.into_iter().map(|path| self.places.of_delta(path)).collect();
        self.copy_out(labels.iter().map(|label| (label, false)), dir)
    }
}

fn has_no_room(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, Other, QuotaExceeded, StorageFull};
    matches!(error.kind(), FileTooLarge | QuotaExceeded | StorageFull | Other)
}

fn make_private(dir: &Path) -> Result<Beneath, TreeError> {
    let made = Beneath::make(dir);
    let private = |made| {
        std::fs::set_permissions(dir, PermissionsExt::from_mode(0o700))?;
        Ok(made)
    };
    made.and_then(private).map_err(TreeError::io("make", dir))
}
