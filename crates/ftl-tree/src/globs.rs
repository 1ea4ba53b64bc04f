//! Globs of the configuration, read as lines of a `.gitignore` are.

use gix_ignore::glob::Pattern;
use gix_ignore::glob::pattern::Case;
use gix_ignore::glob::wildmatch::Mode;

use super::RelPath;

/// Which paths are named.
#[derive(Debug, Default)]
pub struct Globs(Vec<Pattern>);

impl Globs {
    /// A glob without `/` is about a name anywhere, one with `/` about a path from the root. `*` and
    /// `?` stand for anything but `/`, `**` for directories too.
    #[must_use]
    pub fn new(globs: &[String]) -> Self {
        let clean = |glob: &'_ String| {
            let glob = glob.strip_prefix("./").unwrap_or(glob);
            Pattern::from_bytes_without_negation(glob.as_bytes())
        };
        Self(globs.iter().filter_map(clean).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a glob is about this path itself. `shown` is as seen from the root.
    pub(super) fn name(&self, shown: &[u8], is_dir: bool) -> bool {
        let name = shown.iter().rposition(|&byte| byte == b'/');
        self.0.iter().any(|glob| {
            glob.matches_repo_relative_path(
                shown.into(),
                name.map(|slash| slash + 1),
                Some(is_dir),
                Case::Sensitive,
                Mode::NO_MATCH_SLASH_LITERAL,
            )
        })
    }

    /// Whether a glob is about this file or a directory above it.
    #[must_use]
    pub fn hold(&self, shown: &[u8]) -> bool {
        if self.is_empty() {
            return false;
        }
        self.name_any(&RelPath::new(shown), false)
    }

    /// Whether a glob is about this path or a directory above it.
    pub(super) fn name_any(&self, path: &RelPath, is_dir: bool) -> bool {
        self.name(path.bytes(), is_dir) || path.ancestors().any(|dir| self.name(dir.bytes(), true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_are_matched_as_in_a_gitignore() {
        let globs = ["*.log", "out/", "web/dist", "/a*/b", "./tmp/x*", "**/snap/*.txt", "v?"];
        let globs = Globs::new(&globs.map(str::to_owned));
        for (path, expected) in [
            ("a.log", true),
            ("x/a.log", true),
            ("a.logs", false),
            ("x/out/y", true),
            ("out", false),
            ("web/dist", true),
            ("web/dist/deep/x", true),
            ("x/web/dist", false),
            ("abc/b", true),
            ("a/x/b", false),
            ("tmp/xyz", true),
            ("p/q/snap/1.txt", true),
            ("p/q/snap/z/1.txt", false),
            ("../v1", true),
            ("v12", false),
        ] {
            assert_eq!(globs.hold(path.as_bytes()), expected, "{path}");
        }
    }
}
