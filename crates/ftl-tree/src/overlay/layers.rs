//! The directories below an overlay, what passes through it, and what makes it impossible.
//!
//! Existing caches and dependency directories pass through where they are found without a walk: beside the
//! delta and above it, and at the top. Any other is seen through the overlay like every directory, and
//! what is written there is taken over with the new scratch; only that costs a copy. Pipes and sockets
//! pass through too: through an overlay, no process is at their other end.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::remove_layers;
use crate::compare::delta::Delta;
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

impl Tree {
    /// The layers whose directories are in `place`: over all that is watched, and over git's own directory
    /// if that is elsewhere.
    #[must_use]
    pub fn overlay_layers(&self, place: &Path) -> Vec<OverlayLayer> {
        let over = [Some(self.watched_top()), self.outer_git_dir()];
        let over = over.into_iter().flatten().zip(["tree", "git"]);
        over.map(|(over, name)| OverlayLayer {
            lower: over.clone(),
            over,
            upper: place.join(name).join("upper"),
            work: place.join(name).join("work"),
        })
        .collect()
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

    /// What is below the overlay and is to be the real one, as it is before the request.
    ///
    /// # Errors
    /// When a directory above a delta file can't be listed.
    pub fn passing_through(&self) -> Result<Passing, TreeError> {
        let delta = self.delta_labels();
        let mut dirs: BTreeSet<RelPath> = delta.iter().flat_map(RelPath::ancestors).collect();
        let inside = dirs.clone();
        dirs.insert(RelPath::default());
        dirs.insert(self.places.root().clone());
        dirs.insert(self.places.root().join(b".ftl"));
        let (mut passing, mut open) = (Vec::new(), Vec::new());
        for dir in dirs {
            for (path, kind) in self.listed(&dir)? {
                match kind {
                    PassingKind::Meeting if !delta.contains(&path) => passing.push(path),
                    // What holds a delta file is watched for its sake.
                    PassingKind::Dir if inside.contains(&path) => {}
                    PassingKind::Dir if path.name() == b".git" => {}
                    PassingKind::Dir if is_in_store(&path) => {}
                    PassingKind::Dir if self.is_scratch_by_name(&path, true) => passing.push(path),
                    PassingKind::Dir if self.is_cache_if_ignored(&path, true) => {
                        open.push((path, true))
                    }
                    PassingKind::Dir | PassingKind::Meeting | PassingKind::Other => {}
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

    fn listed(&self, dir: &RelPath) -> Result<Vec<(RelPath, PassingKind)>, TreeError> {
        let place = self.top_beneath();
        let entries = match place.dir(dir).and_then(|dir| Ok(rustix::fs::Dir::new(dir)?)) {
            Ok(entries) => entries,
            // Not there, or not to be seen: nothing passes.
            Err(_) => return Ok(Vec::new()),
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry =
                entry.map_err(|error| TreeError::io("list", place.full(dir))(error.into()))?;
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            let path = dir.join(name);
            // The file system may leave the type out of its lists.
            let kind = match entry.file_type() {
                rustix::fs::FileType::Directory => PassingKind::Dir,
                rustix::fs::FileType::Fifo | rustix::fs::FileType::Socket => PassingKind::Meeting,
                rustix::fs::FileType::Unknown => PassingKind::of(&place.full(&path)),
                _ => PassingKind::Other,
            };
            found.push((path, kind));
        }
        Ok(found)
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
        let delta = self.delta_labels();
        let mut paths: BTreeSet<RelPath> = delta.iter().flat_map(RelPath::ancestors).collect();
        paths.extend(delta);
        paths.insert(RelPath::default());
        let (user, group) =
            (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
        let top = self.watched_top();
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

enum PassingKind {
    Dir,
    /// A pipe or socket, where processes meet.
    Meeting,
    Other,
}

impl PassingKind {
    fn of(path: &Path) -> Self {
        let Ok(found) = path.symlink_metadata() else {
            return Self::Other;
        };
        let kind = found.file_type();
        if kind.is_dir() {
            Self::Dir
        } else if kind.is_fifo() || kind.is_socket() {
            Self::Meeting
        } else {
            Self::Other
        }
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
