//! The directories below an overlay, what passes through it, and what makes it impossible.
//!
//! Existing caches and dependency directories pass through where they are found without a walk: beside the
//! delta and above it, and at the top. Any other is seen through the overlay like every directory, and
//! what is written there is taken over with the new scratch; only that costs a copy. Pipes and sockets
//! pass through too: through an overlay, no process is at their other end.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use crate::compare::delta::Delta;
use crate::openat::{Beneath, is_gone};
use crate::walk::is_in_store;
use crate::walk::scratch::{Looker, ScratchStamp};
use crate::{RelPath, Tree, TreeError};

/// What passes through an overlay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passing {
    pub(crate) looks: BTreeMap<RelPath, ScratchStamp>,
    /// When the view was laid, in nanoseconds since the epoch, by the clock of the file system.
    pub(crate) since: Option<i64>,
}

impl Passing {
    /// The paths.
    #[must_use]
    pub fn paths(&self, tree: &Tree) -> Vec<PathBuf> {
        let paths = self.looks.keys();
        paths.map(|path| tree.top().join(path.as_path())).collect()
    }
}

/// A directory that is seen through an overlay, and the directories that takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayLayer {
    /// The directory.
    pub over: PathBuf,
    /// What is seen below: the directory itself, or a copy of it.
    pub lower: PathBuf,
    /// Takes what is written.
    pub upper: PathBuf,
    /// Overlayfs's own.
    pub work: PathBuf,
}

/// Removes a directory with all that is below it, the layers among it. Overlayfs leaves a directory of mode 000, and an
/// implementer may have made more of them.
///
/// # Errors
/// When the file system refuses.
pub fn remove_layers(place: &Path) -> Result<(), TreeError> {
    let removed = Beneath::around(place).and_then(|(above, name)| above.at(&name).remove_all());
    ftl_store::unless_missing(removed).map_err(TreeError::io("remove", place))
}

impl Tree {
    /// The layers whose directories are in `place`: over all that is watched, and over git's own directory
    /// if that is elsewhere.
    #[must_use]
    pub fn overlay_layers(&self, place: &Path) -> Vec<OverlayLayer> {
        let over = [Some(self.top().to_path_buf()), self.outer_git_dir()];
        let over = over.into_iter().flatten().zip(["tree", "git"]);
        over.map(|(over, name)| OverlayLayer {
            lower: over.clone(),
            over,
            upper: place.join(name).join("upper"),
            work: place.join(name).join("work"),
        })
        .collect()
    }

    /// Git's own directory, where that is not below the top.
    fn outer_git_dir(&self) -> Option<PathBuf> {
        let dir = self.places.git_dir.as_ref()?.path();
        let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf());
        (!dir.starts_with(self.top())).then_some(dir)
    }

    /// Makes the directories of the layers, empty. What lay in `place` before is removed.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn make_layers(&self, place: &Path) -> Result<Vec<OverlayLayer>, TreeError> {
        remove_layers(place)?;
        let layers = self.overlay_layers(place);
        for layer in &layers {
            for dir in [&layer.upper, &layer.work] {
                let mut builder = fs::DirBuilder::new();
                builder.recursive(true).mode(0o700);
                builder.create(dir).map_err(TreeError::io("make", dir.as_path()))?;
            }
            // The topmost directory of the upper layer is the one that is seen.
            let mode =
                fs::metadata(&layer.over).map_err(TreeError::io("look at", &layer.over))?.mode();
            fs::set_permissions(&layer.upper, fs::Permissions::from_mode(mode & 0o7777))
                .map_err(TreeError::io("set the mode of", &layer.upper))?;
        }
        Ok(layers)
    }

    /// Takes directories with these names in the root out of the view, if they are new and empty: a sandbox left them.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn remove_new_empty(
        &self,
        layers: &[OverlayLayer],
        names: &[String],
    ) -> Result<(), TreeError> {
        let Some(layer) = layers.iter().find(|layer| layer.over == self.top()) else {
            return Ok(());
        };
        let upper = Beneath::open(&layer.upper).map_err(TreeError::io("open", &layer.upper))?;
        let paths = names.iter().map(|name| self.places.root().join(name.as_bytes()));
        let is_new = |path: &RelPath| layer.lower.join(path.as_path()).symlink_metadata().is_err();
        for path in paths.filter(is_new) {
            let at = upper.at(&path);
            match at.remove_dir() {
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty || is_gone(&error) => {}
                removed => removed.map_err(at.failed("remove"))?,
            }
        }
        Ok(())
    }

    /// What is below the overlay and is to be the real one, as it is before the request.
    ///
    /// # Errors
    /// When a directory above a delta file can't be listed.
    pub fn passing_through(&self) -> Result<Passing, TreeError> {
        let delta = self.delta_paths();
        let mut dirs: BTreeSet<RelPath> = delta.iter().flat_map(RelPath::ancestors).collect();
        let inside = dirs.clone();
        dirs.insert(RelPath::default());
        dirs.insert(self.places.root().clone());
        dirs.insert(self.places.root().join(b".ftl"));
        let (mut passing, mut open) = (Vec::new(), Vec::new());
        for dir in dirs {
            let at = self.places.top.at(&dir);
            // Of one that is not there, or not to be seen, nothing passes.
            for (name, kind) in at.typed_names().unwrap_or_default() {
                let path = dir.join(&name);
                let is_meeting = matches!(kind, FileType::Fifo | FileType::Socket);
                // What holds a delta file is watched for its sake.
                let may_pass = kind == FileType::Directory
                    && !inside.contains(&path)
                    && path.name() != b".git"
                    && !is_in_store(&path);
                if (is_meeting && !delta.contains(&path))
                    || (may_pass && self.is_scratch_by_name(&path, true))
                {
                    passing.push(path);
                } else if may_pass && self.is_cache_if_ignored(&path, true) {
                    open.push((path, true));
                }
            }
        }
        passing.extend(self.ignored_among(&open));
        let looks = self.looks(&passing, None);
        Ok(Passing { looks, since: None })
    }

    /// How these look, which shows later whether something in them changed.
    pub(crate) fn looks(
        &self,
        paths: &[RelPath],
        former: Option<&Passing>,
    ) -> BTreeMap<RelPath, ScratchStamp> {
        let delta = Delta::of(self);
        let mut looker = Looker::new(&self.places, &delta);
        let mut look = |path: &RelPath| {
            let former = former.and_then(|former| former.looks.get(path));
            (path.clone(), looker.look(path, false, former))
        };
        paths.iter().map(&mut look).collect()
    }

    /// Why no overlay could serve here, if something is in its way: a file that an implementer without
    /// capabilities could not write, or a mount below the top, which an overlay does not show.
    ///
    /// # Errors
    /// When the tree cannot be looked at.
    pub fn overlay_obstacle(&self) -> Result<Option<String>, TreeError> {
        if let Some(path) = self.foreign()? {
            return Ok(Some(format!("`{}` belongs to another user or group", path.display())));
        }
        let passing = self.passing_through()?.paths(self);
        let over: Vec<PathBuf> =
            self.overlay_layers(Path::new("")).into_iter().map(|layer| layer.over).collect();
        let mounted = mount_points().into_iter().find(|mount| {
            let below = over.iter().any(|over| mount != over && mount.starts_with(over));
            below && !passing.iter().any(|dir| mount.starts_with(dir))
        });
        Ok(mounted.map(|mount| format!("`{}` is a separate mount", mount.display())))
    }

    /// A delta file, or a directory above one, with another owner. In a user namespace only our own
    /// user and group exist: overlayfs can't copy what belongs to others (`EOVERFLOW`), and root without
    /// capabilities can't write what is not root's.
    fn foreign(&self) -> Result<Option<PathBuf>, TreeError> {
        let delta = self.delta_paths();
        let mut paths: BTreeSet<RelPath> = delta.iter().flat_map(RelPath::ancestors).collect();
        paths.extend(delta);
        paths.insert(RelPath::default());
        let (user, group) =
            (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
        let top = self.top().to_path_buf();
        for path in paths {
            let full = top.join(path.as_path());
            if let Ok(found) = full.symlink_metadata()
                && (found.uid() != user || (user != 0 && found.gid() != group))
            {
                return Ok(Some(full));
            }
        }
        Ok(None)
    }
}

/// Where something is mounted (proc_pid_mountinfo(5)); nothing where that can't be known.
fn mount_points() -> Vec<PathBuf> {
    let text = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let lines = text.split(|&byte| byte == b'\n');
    let points = lines.filter_map(|line| line.split(|&byte| byte == b' ').nth(4));
    points.map(|point| PathBuf::from(OsStr::from_bytes(&unescaped(point)))).collect()
}

/// Blanks, tabs, line ends and backslashes are written as three octal digits.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        let octal = after.get(..3).filter(|_| first == b'\\');
        let code = octal
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match code {
            Some(code) => {
                bytes.push(code);
                rest = &after[3..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    bytes
}
