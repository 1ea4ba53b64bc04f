//! What counts as scratch by its name, and the list of scratch that reports show.
//!
//! What git ignores is scratch too; the walk asks git about that. Rules hold for new paths only: a
//! file that was there before the task is watched, whatever its name is.

use std::collections::BTreeSet;

use super::RelPath;
use super::beneath::Beneath;
use ftl_model::Scratch;

/// Names of caches, environments and build directories, which the tools that make them can make
/// again. They hold at any depth.
const CACHES: [&str; 20] = [
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

/// How many scratch paths are listed: reports are for people to read.
const LISTED: usize = 100;

/// Which new paths are scratch by their name.
#[derive(Debug)]
pub(super) struct ScratchRules {
    patterns: Vec<String>,
}

impl ScratchRules {
    /// A pattern without `/` is about a name anywhere, one with `/` about a path from the root;
    /// `*` stands for any characters but `/`.
    pub(super) fn new(patterns: &[String]) -> Self {
        let clean = |pattern: &String| {
            let pattern = pattern.trim_end_matches('/');
            pattern.strip_prefix("./").unwrap_or(pattern).to_owned()
        };
        Self {
            patterns: patterns.iter().map(clean).collect(),
        }
    }

    pub(super) fn matches(&self, path: &RelPath) -> bool {
        let name = path.name();
        CACHES.iter().any(|cache| cache.as_bytes() == name)
            || self.patterns.iter().any(|pattern| {
                let rooted = pattern.trim_start_matches('/');
                let subject = if pattern.contains('/') {
                    path.bytes()
                } else {
                    name
                };
                matches_wildcard(rooted.as_bytes(), subject)
            })
    }
}

/// Tries each length for the first `*`, shortest first. Exponential in the number of `*` at worst, for
/// patterns that the user wrote.
fn matches_wildcard(pattern: &[u8], text: &[u8]) -> bool {
    let Some(star) = pattern.iter().position(|&byte| byte == b'*') else {
        return pattern == text;
    };
    let (before, after) = (&pattern[..star], &pattern[star + 1..]);
    let Some(rest) = text.strip_prefix(before) else {
        return false;
    };
    let component = rest
        .iter()
        .position(|&byte| byte == b'/')
        .unwrap_or(rest.len());
    (0..=component).any(|taken| matches_wildcard(after, &rest[taken..]))
}

/// Lists scratch paths with the number of files in them, those first that `before` did not have.
/// Of a directory only the direct entries are counted: walking a `node_modules` for a number would
/// cost more than the rest of the comparison.
pub(super) fn list(
    root: &Beneath,
    now: &BTreeSet<RelPath>,
    before: &BTreeSet<RelPath>,
) -> Vec<Scratch> {
    let new = now.difference(before);
    let old = now.intersection(before);
    let listed = new.chain(old).take(LISTED);
    listed
        .map(|path| Scratch {
            path: path.to_string(),
            files: count(root, path),
        })
        .collect()
}

fn count(root: &Beneath, path: &RelPath) -> u64 {
    let entries = root
        .dir(path)
        .ok()
        .and_then(|dir| rustix::fs::Dir::new(dir).ok());
    entries.map_or(1, |entries| {
        let names = entries
            .flatten()
            .filter(|entry| !matches!(entry.file_name().to_bytes(), b"." | b".."));
        names.count() as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_are_scratch_as_configured() {
        let patterns = ["*.log", "out/", "web/dist", "/a*/b", "./tmp/x*"].map(str::to_owned);
        let rules = ScratchRules::new(&patterns);
        for (path, expected) in [
            ("target", true),
            ("deep/node_modules", true),
            ("retarget", false),
            ("a.log", true),
            ("x/a.log", true),
            ("a.logs", false),
            ("x/out", true),
            ("web/dist", true),
            ("x/web/dist", false),
            ("abc/b", true),
            ("a/x/b", false),
            ("tmp/xyz", true),
        ] {
            assert_eq!(rules.matches(&RelPath::new(path)), expected, "{path}");
        }
    }
}
