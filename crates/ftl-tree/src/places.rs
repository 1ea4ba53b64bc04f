//! Where the paths of a tree are.
//!
//! A [`RelPath`] begins at the top of what is watched, which is the root of the project or, where that
//! is in a git repository, the top of the repository. People and records speak of paths from the root:
//! [`Places::shown`] and [`Places::of_delta`] translate.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use ftl_model::DeltaPath;

use super::git::Git;
use super::openat::{At, Beneath};
use super::{RelPath, Tree, TreeError};

/// Where copies of paths from above the root are: their own names begin with `..`.
const ABOVE: &[u8] = b"above-root";

/// The directories that a tree is in.
#[derive(Debug)]
pub(super) struct Places {
    /// The top of what is watched.
    pub(super) top: Beneath,
    /// The root, from the top.
    root: RelPath,
    pub(super) git: Option<Git>,
    /// Git's own directory. It need not be below the top: of a linked worktree it is that of the main
    /// one.
    pub(super) git_dir: Option<Beneath>,
    /// Whether it is the directory `.git` of the top.
    pub(super) owns_git_dir: bool,
}

impl Places {
    /// `git_dir` is git's own directory, as far as it is known.
    pub(super) fn open(
        top: &Path,
        root: &Path,
        git: Option<Git>,
        git_dir: Option<&Path>,
    ) -> Result<Self, TreeError> {
        let open = |path: &Path| Beneath::open(path).map_err(TreeError::io("open", path));
        let below = root.strip_prefix(top).unwrap_or(Path::new(""));
        let own = top.join(".git");
        let is_own = |dir: &Path| {
            let is_dir = own.symlink_metadata().is_ok_and(|at| at.is_dir());
            // The top has no links, and so neither has a directory in it.
            is_dir && (dir == own || dir.canonicalize().is_ok_and(|dir| dir == own))
        };
        Ok(Self {
            top: open(top)?,
            root: RelPath::new(below.as_os_str().as_bytes()),
            git,
            owns_git_dir: git_dir.is_some_and(is_own),
            git_dir: git_dir.map(open).transpose()?,
        })
    }

    /// Where a path is. One that begins with `.git/` is in git's own directory, all others are below the top: one name
    /// for git's directory keeps what is stored readable wherever it is.
    pub(super) fn at(&self, label: &RelPath) -> At<'_> {
        match (&self.git_dir, label.strip(b".git")) {
            (Some(git_dir), Some(path)) => git_dir.at(&path),
            (Some(_), None) | (None, _) => self.top.at(label),
        }
    }

    /// The root, from the top.
    pub(super) fn root(&self) -> &RelPath {
        &self.root
    }

    /// A delta file, from the top.
    pub(super) fn of_delta(&self, path: &DeltaPath) -> RelPath {
        self.root.join(path.as_str().as_bytes())
    }

    /// A path as seen from the root, for people: with `../` where it is above.
    pub(super) fn shown(&self, path: &RelPath) -> String {
        let (ups, rest) = self.seen_from_root(path);
        let text = format!("{}{}", "../".repeat(ups), String::from_utf8_lossy(rest.bytes()));
        match text.trim_end_matches('/') {
            "" => ".".to_owned(),
            trimmed => trimmed.to_owned(),
        }
    }

    /// Where a path is in a directory of copies for people.
    pub(super) fn in_copies(&self, path: &RelPath) -> RelPath {
        match self.seen_from_root(path) {
            (0, rest) => rest,
            (_, _) if path.is_top() => RelPath::new(ABOVE),
            (_, _) => RelPath::new(ABOVE).join(path.bytes()),
        }
    }

    /// How many directories above the root a path begins, and the rest of it.
    fn seen_from_root(&self, path: &RelPath) -> (usize, RelPath) {
        let root: Vec<&[u8]> = self.root.components().collect();
        let parts: Vec<&[u8]> = path.components().collect();
        let same = root.iter().zip(&parts).take_while(|(a, b)| a == b).count();
        (root.len() - same, RelPath::new(parts[same..].join(&b'/')))
    }
}

impl Tree {
    /// Where a path is.
    pub(crate) fn at(&self, label: &RelPath) -> At<'_> {
        self.places.at(label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_from_the_root() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let root = top.join("a/b");
        std::fs::create_dir_all(&root).unwrap();
        let places = Places::open(&top, &root, None, None).unwrap();
        for (path, shown, kept) in [
            ("a/b/src/x", "src/x", "src/x"),
            ("a/b", ".", ""),
            ("a/x", "../x", "above-root/a/x"),
            ("a", "..", "above-root/a"),
            ("", "../..", "above-root"),
            ("b/b/x", "../../b/b/x", "above-root/b/b/x"),
            (".git/config", "../../.git/config", "above-root/.git/config"),
        ] {
            let path = RelPath::new(path);
            assert_eq!(places.shown(&path), shown);
            assert_eq!(places.in_copies(&path), RelPath::new(kept));
        }
        let at_top = Places::open(&top, &top, None, None).unwrap();
        assert_eq!(at_top.shown(&RelPath::new("a/x")), "a/x");
    }
}
