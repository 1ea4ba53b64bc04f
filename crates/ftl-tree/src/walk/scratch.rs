//! What counts as scratch by its name, and how a change in scratch is noticed.
//!
//! Names hold for new paths only: a file that git tracks is watched, whatever its name is. What git ignores
//! is scratch if it is new, or if its name is in [`IGNORED_CACHES`]; other ignored files are protected (see
//! `ignored`).
//!
//! Scratch is not walked as the tree is: `node_modules` alone may hold more files than the rest. A look at
//! a directory ends after [`IN_EACH`] entries, the nearest first, and all looks together after [`IN_ALL`].
//! A change beyond is not noticed, unless it adds or removes a name in a directory before that.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Dir, FileType};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::compare::delta::Delta;
use crate::globs::Globs;
use crate::{Places, RelPath};
use ftl_model::Scratch;

/// Names of caches, environments and build directories, which the tools that make them can make
/// again. They hold at any depth.
pub const SCRATCH_NAMES: [&str; 20] = [
    "__pycache__",
    ".cache",
    ".coverage",
    ".DS_Store",
    ".eggs",
    ".gradle",
    ".hypothesis",
    ".mypy_cache",
    ".next",
    ".nox",
    ".nyc_output",
    ".parcel-cache",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    ".turbo",
    ".venv",
    "node_modules",
    "target",
    "venv",
];

/// More of them, which count only if git ignores them: other projects have sources of these names.
pub const IGNORED_CACHES: [&str; 28] = [
    "*.egg-info",
    "*.pyc",
    "*.tsbuildinfo",
    ".aider*",
    ".angular",
    ".bundle",
    ".coverage.*",
    ".dart_tool",
    ".direnv",
    ".eslintcache",
    ".ipynb_checkpoints",
    ".nuxt",
    ".nx",
    ".phpunit.result.cache",
    ".pnpm-store",
    ".stack-work",
    ".stylelintcache",
    ".svelte-kit",
    ".terraform",
    ".yarn",
    ".zig-cache",
    "Pods",
    "bower_components",
    "coverage",
    "dist-newstyle",
    "htmlcov",
    "site-packages",
    "vendor",
];

/// Names of build outputs which count only if git ignores them, and only in a workplace: elsewhere an ignored
/// file of such a name is protected like any other.
const IGNORED_OUTPUTS: [&str; 12] = [
    ".build",
    ".output",
    "_build",
    "bazel-*",
    "bin",
    "build",
    "cmake-build-*",
    "dist",
    "obj",
    "out",
    "tmp",
    "zig-out",
];

/// How many scratch paths are listed: reports are for people to read.
pub(crate) const LISTED: usize = 100;

/// Entries that are looked at in one scratch path.
const IN_EACH: u32 = 1000;

/// Entries that are looked at in all of them.
const IN_ALL: u32 = 20_000;

/// Which new paths are scratch by their name.
#[derive(Debug)]
pub(crate) struct ScratchNames {
    configured: Globs,
    ignored_caches: Globs,
    ignored_outputs: Globs,
    /// Whether outputs are caches like others.
    outputs_count: bool,
}

impl ScratchNames {
    pub(crate) fn new(globs: &[String]) -> Self {
        Self {
            configured: Globs::new(globs),
            ignored_caches: Globs::new(&IGNORED_CACHES.map(str::to_owned)),
            ignored_outputs: Globs::new(&IGNORED_OUTPUTS.map(str::to_owned)),
            outputs_count: false,
        }
    }

    /// In a workplace, to which build outputs belong.
    pub(crate) fn with_outputs(globs: &[String]) -> Self {
        Self { outputs_count: true, ..Self::new(globs) }
    }

    /// Whether a path that git ignores is a cache: it, or a directory above it, has such a name.
    pub(crate) fn matches_ignored(&self, path: &RelPath, is_dir: bool) -> bool {
        self.ignored_caches.name_any(path, is_dir)
            || (self.outputs_count && self.matches_output(path, is_dir))
    }

    /// Whether a path that git ignores is a build output.
    pub(crate) fn matches_output(&self, path: &RelPath, is_dir: bool) -> bool {
        self.ignored_outputs.name_any(path, is_dir)
    }

    /// `shown` is the path as seen from the root.
    pub(crate) fn matches(
        &self,
        name: &[u8],
        shown: impl FnOnce() -> String,
        is_dir: bool,
    ) -> bool {
        let known = SCRATCH_NAMES.iter();
        known.map(|known| known.as_bytes()).any(|known| known == name)
            || (!self.configured.is_empty() && self.configured.name(shown().as_bytes(), is_dir))
    }
}

/// How a scratch path looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ScratchStamp {
    /// Of everything that was looked at.
    print: u64,
    /// How many entries were looked at, at most.
    limit: u32,
    /// Files among them.
    pub(crate) files: u32,
    /// It is ignored by git, is no cache, and is too large to be copied.
    pub(crate) is_unprotected: bool,
}

impl ScratchStamp {
    /// Of what was not looked at.
    pub(crate) fn unlooked(is_unprotected: bool) -> Self {
        Self { print: 0, limit: 0, files: 0, is_unprotected }
    }

    /// A look at everything in it is wanted.
    pub(crate) fn whole() -> Self {
        Self { print: 0, limit: u32::MAX, files: 0, is_unprotected: false }
    }

    /// Of a directory that was not there before.
    pub(crate) fn of_new_dir(files: u32) -> Self {
        Self { print: 0, limit: 1, files, is_unprotected: false }
    }
}

/// Looks at scratch, and not too long.
#[derive(Debug)]
pub(crate) struct Looker<'a> {
    places: &'a Places,
    delta: &'a Delta,
    left: u32,
}

impl<'a> Looker<'a> {
    pub(crate) fn new(places: &'a Places, delta: &'a Delta) -> Self {
        Self { places, delta, left: IN_ALL }
    }

    /// How a scratch path looks. Two looks can be compared only if both end after as many entries, so
    /// the second has the limit of the `former`.
    pub(crate) fn look(
        &mut self,
        path: &RelPath,
        is_unprotected: bool,
        former: Option<&ScratchStamp>,
    ) -> ScratchStamp {
        let limit = former.map_or(self.left.clamp(1, IN_EACH), |former| former.limit);
        let mut seen =
            Seen { looker: self, limit, looked: 0, files: 0, print: 0, open: VecDeque::new() };
        // What cannot be looked into has no more to tell than what was seen of it so far.
        let _ = seen.begin(path);
        while let Some(dir) = seen.open.pop_front() {
            let _ = seen.list(&dir);
        }
        let (looked, files, print) = (seen.looked, seen.files, seen.print);
        self.left = self.left.saturating_sub(looked);
        ScratchStamp { print, limit, files, is_unprotected }
    }
}

/// One look, under way.
struct Seen<'l, 'a> {
    looker: &'l Looker<'a>,
    limit: u32,
    looked: u32,
    files: u32,
    /// A sum, so that the order of names does not matter.
    print: u64,
    open: VecDeque<RelPath>,
}

impl Seen<'_, '_> {
    fn begin(&mut self, path: &RelPath) -> io::Result<()> {
        let (dir, name) = path.split();
        let dir = self.looker.places.top.at(&dir).dir()?;
        self.entry(&dir, path.clone(), name)
    }

    fn list(&mut self, path: &RelPath) -> io::Result<()> {
        let dir = self.looker.places.top.at(path).dir()?;
        let mut names = Dir::read_from(&dir)?;
        while let Some(entry) = names.read() {
            if self.looked >= self.limit {
                self.open.clear();
                break;
            }
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if !matches!(name, b"." | b"..") {
                self.entry(&dir, path.join(name), name)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, dir: &OwnedFd, path: RelPath, name: &[u8]) -> io::Result<()> {
        self.looked += 1;
        let delta = self.looker.delta;
        let stat = match rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) if delta.files.contains(&path) => return Ok(()),
            Ok(stat) => stat,
            Err(Errno::NOENT) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let is_dir = FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
        let mut hasher = DefaultHasher::new();
        (path.bytes(), stat.st_mode).hash(&mut hasher);
        // The times of a directory tell that names in it came and went.
        if !delta.parents.contains(&path) {
            let times = (stat.st_mtime, stat.st_mtime_nsec, stat.st_ctime, stat.st_ctime_nsec);
            (stat.st_ino, times).hash(&mut hasher);
        }
        if is_dir {
            self.open.push_back(path);
        } else {
            stat.st_size.hash(&mut hasher);
            self.files += 1;
        }
        self.print = self.print.wrapping_add(hasher.finish());
        Ok(())
    }
}

/// The scratch paths in which something changed, new ones first.
pub(crate) fn changed<'s>(
    now: &'s BTreeMap<RelPath, ScratchStamp>,
    before: &'s BTreeMap<RelPath, ScratchStamp>,
) -> Vec<(&'s RelPath, u32)> {
    let new = now.iter().filter(|(path, _)| !before.contains_key(path));
    let written = now.iter().filter(|(path, stamp)| {
        let before = before.get(path);
        before.is_some_and(|before| before.print != stamp.print)
    });
    let gone = before.keys().filter(|path| !now.contains_key(path));
    let there = new.chain(written).map(|(path, stamp)| (path, stamp.files));
    there.chain(gone.map(|path| (path, 0))).collect()
}

/// As reports list them.
pub(crate) fn list(places: &Places, changed: &[(&RelPath, u32)]) -> Vec<Scratch> {
    let listed = changed.iter().take(LISTED);
    let scratch = |(path, files): &(&RelPath, u32)| Scratch {
        path: places.shown(path),
        files: u64::from(*files),
    };
    listed.map(scratch).collect()
}
