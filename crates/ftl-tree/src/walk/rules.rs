//! What git ignores, by rules that were read once.
//!
//! The rules have to be those from before a command: a program that may write a `.gitignore`, `info/exclude` or
//! the user's own file could hide with it what else it writes. `git check-ignore` knows only the rules of
//! the moment, so they are collected by the first walk, kept with what it found, and matched here, by
//! gitoxide's reading of gitignore(5).
//!
//! A repository within the tree, such as a submodule, has separate rules: those of the one around it end
//! at its directory.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;

use gix_ignore::glob::Pattern;
use gix_ignore::glob::pattern::Case;
use gix_ignore::glob::wildmatch::Mode;
use serde::{Deserialize, Serialize};

use crate::RelPath;
use crate::rel_path::Bytes;

/// Bytes of a file of rules that are read. A longer one hides nothing.
const MAX_RULES: u64 = 4 << 20;

/// Rules of all kinds, as they were collected.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(from = "Texts", into = "Texts")]
pub(crate) struct IgnoreRules {
    texts: Texts,
    /// Of `.gitignore`, by its directory.
    files: BTreeMap<Vec<u8>, Vec<Pattern>>,
    /// Of `info/exclude`, by the directory of its repository.
    excludes: BTreeMap<Vec<u8>, Vec<Pattern>>,
    /// Of the user.
    user: Vec<Pattern>,
    repositories: BTreeSet<Vec<u8>>,
}

/// The rules as they are stored.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Texts {
    /// The top of what is watched, from the top of its repository.
    below: RelPath,
    fold_case: bool,
    user: Bytes,
    repositories: Vec<RelPath>,
    excludes: Vec<(RelPath, Bytes)>,
    files: Vec<(RelPath, Bytes)>,
}

impl IgnoreRules {
    /// Of a tree at `below` in its repository. `user` is the user's own file.
    pub(crate) fn of_repository(below: RelPath, fold_case: bool, user: Vec<u8>) -> Self {
        let mut rules = Self { user: parse(&user), ..Self::default() };
        rules.texts = Texts { below, fold_case, user: user.into(), ..Texts::default() };
        rules.begin(RelPath::default());
        rules
    }

    /// A repository within the tree: the rules of the one around it end here.
    pub(crate) fn add_repository(&mut self, dir: &RelPath, exclude: Vec<u8>) {
        let dir = self.full(dir).into_owned();
        self.begin(dir.clone());
        self.add_exclude(dir, exclude);
    }

    /// The rules of `info/exclude` of the repository at this place, from the top of the tree's.
    pub(crate) fn add_exclude(&mut self, repository: RelPath, text: Vec<u8>) {
        self.excludes.insert(repository.bytes().to_vec(), parse(&text));
        self.texts.excludes.push((repository, text.into()));
    }

    /// The rules of a `.gitignore`, by its directory.
    pub(crate) fn add_file(&mut self, dir: &RelPath, text: Vec<u8>) {
        self.add_file_at(self.full(dir).into_owned(), text);
    }

    /// The same, by its directory from the top of the tree's repository.
    pub(crate) fn add_file_at(&mut self, dir: RelPath, text: Vec<u8>) {
        self.files.insert(dir.bytes().to_vec(), parse(&text));
        self.texts.files.push((dir, text.into()));
    }

    fn begin(&mut self, dir: RelPath) {
        self.repositories.insert(dir.bytes().to_vec());
        self.texts.repositories.push(dir);
    }

    /// Whether nothing below a directory is watched, unless it was known before.
    pub(crate) fn ignores_dir(&self, dir: &RelPath) -> bool {
        let full = self.full(dir);
        let dirs = std::iter::once(full.bytes()).chain(dirs_above(full.bytes()));
        dirs.filter(|dir| !dir.is_empty()).any(|dir| self.matches(dir, true))
    }

    /// Whether a rule is about this path. What is below an ignored directory is ignored as well, which
    /// is another question.
    pub(crate) fn ignores(&self, path: &RelPath, is_dir: bool) -> bool {
        self.matches(self.full(path).bytes(), is_dir)
    }

    /// This is asked of every path that git does not know, so that nothing is copied here.
    fn matches(&self, path: &[u8], is_dir: bool) -> bool {
        let Some(repository) = self.repository_of(path) else {
            return false;
        };
        let within = |dir: &&[u8]| dir.len() >= repository.len();
        let dirs = dirs_above(path).take_while(within);
        let files = dirs.filter_map(|dir| Some((dir, self.files.get(dir)?)));
        let found = files
            .chain(self.excludes.get(repository).map(|patterns| (repository, patterns)))
            .chain([(repository, &self.user)])
            .find_map(|(dir, patterns)| self.last_match(patterns, below(path, dir), is_dir));
        found.is_some_and(|pattern| !pattern.is_negative())
    }

    /// The last pattern that matches decides.
    fn last_match<'p>(
        &self,
        patterns: &'p [Pattern],
        path: &[u8],
        is_dir: bool,
    ) -> Option<&'p Pattern> {
        let name = path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        let case = if self.texts.fold_case { Case::Fold } else { Case::Sensitive };
        patterns.iter().rev().find(|pattern| {
            pattern.matches_repo_relative_path(
                path.into(),
                Some(name).filter(|at| *at > 0),
                Some(is_dir),
                case,
                Mode::NO_MATCH_SLASH_LITERAL,
            )
        })
    }

    /// The nearest repository around a path; not the one that begins there.
    fn repository_of<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        if self.repositories.is_empty() {
            return None;
        }
        dirs_above(path).find(|dir| self.repositories.contains(*dir))
    }

    fn full<'p>(&self, path: &'p RelPath) -> Cow<'p, RelPath> {
        let below = &self.texts.below;
        match (below.is_top(), path.is_top()) {
            (true, _) => Cow::Borrowed(path),
            (false, true) => Cow::Owned(below.clone()),
            (false, false) => Cow::Owned(below.join(path.bytes())),
        }
    }
}

impl From<Texts> for IgnoreRules {
    fn from(texts: Texts) -> Self {
        let parsed = |files: &[(RelPath, Bytes)]| {
            let files = files.iter();
            files.map(|(dir, text)| (dir.bytes().to_vec(), parse(text.as_ref()))).collect()
        };
        Self {
            files: parsed(&texts.files),
            excludes: parsed(&texts.excludes),
            user: parse(texts.user.as_ref()),
            repositories: texts.repositories.iter().map(|dir| dir.bytes().to_vec()).collect(),
            texts,
        }
    }
}

impl From<IgnoreRules> for Texts {
    fn from(rules: IgnoreRules) -> Self {
        rules.texts
    }
}

impl Clone for IgnoreRules {
    fn clone(&self) -> Self {
        self.texts.clone().into()
    }
}

/// The directories above a path, nearest first, and the top, which is empty.
fn dirs_above(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::successors(above(path), |path| above(path))
}

/// The directory above a path; none above the top.
fn above(path: &[u8]) -> Option<&[u8]> {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(slash) => Some(&path[..slash]),
        None => (!path.is_empty()).then_some(&path[..0]),
    }
}

/// A path from a directory above it.
fn below<'p>(path: &'p [u8], dir: &[u8]) -> &'p [u8] {
    if dir.is_empty() { path } else { &path[dir.len() + 1..] }
}

/// The `$` of gitoxide's precious files is no rule of git's.
fn parse(text: &[u8]) -> Vec<Pattern> {
    let lines = gix_ignore::parse(text, false);
    lines.map(|(pattern, _, _)| pattern).collect()
}

/// The text of an open file of rules. Empty for a file that is no regular one, is too
/// long or cannot be read: then nothing is hidden by it.
pub(crate) fn read_rules(file: &File) -> Vec<u8> {
    let mut text = Vec::new();
    let is_regular = file.metadata().is_ok_and(|at| at.is_file());
    if !is_regular || file.take(MAX_RULES + 1).read_to_end(&mut text).is_err() {
        return Vec::new();
    }
    if text.len() as u64 > MAX_RULES {
        text.clear();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(below: &str) -> IgnoreRules {
        IgnoreRules::of_repository(RelPath::new(below), false, b"*.user\n".to_vec())
    }

    #[test]
    fn the_nearest_file_and_its_last_rule_decide() {
        let mut all = rules("");
        all.add_exclude(RelPath::default(), b"secret\nkeep.user\n".to_vec());
        all.add_file(&RelPath::default(), b"build/\n*.log\n!keep.log\n/top\n".to_vec());
        all.add_file(&RelPath::new("sub"), b"!*.log\ndeep/*\n!secret\n".to_vec());
        let all: IgnoreRules = serde_json::from_slice(&serde_json::to_vec(&all).unwrap()).unwrap();
        for (path, is_dir, expected) in [
            ("build", true, true),
            ("build", false, false),
            ("x/build", true, true),
            ("x/a.log", false, true),
            ("x/keep.log", false, false),
            ("sub/a.log", false, false),
            ("sub/deep/x", false, true),
            ("sub/deep/x/y", false, false),
            ("top", false, true),
            ("x/top", false, false),
            ("x/secret", false, true),
            ("sub/secret", false, false),
            ("x/a.user", false, true),
        ] {
            assert_eq!(all.ignores(&RelPath::new(path), is_dir), expected, "{path}");
        }
        for (dir, expected) in [("build/x/y", true), ("sub/deep/x/y", true), ("sub/x", false)] {
            assert_eq!(all.ignores_dir(&RelPath::new(dir)), expected, "{dir}");
        }
    }

    #[test]
    fn another_repository_has_its_own_rules() {
        let mut all = rules("");
        all.add_file(&RelPath::default(), b"*.log\n".to_vec());
        all.add_repository(&RelPath::new("lib"), b"own\n".to_vec());
        for (path, expected) in [
            ("lib/a.log", false),
            ("lib/own", true),
            ("own", false),
            ("lib/a.user", true),
            ("a.log", true),
        ] {
            assert_eq!(all.ignores(&RelPath::new(path), false), expected, "{path}");
        }
    }

    #[test]
    fn rules_from_above_what_is_watched_hold() {
        let mut all = rules("a/b");
        all.add_file_at(RelPath::default(), b"/a/b/out\n".to_vec());
        all.add_file_at(RelPath::new("a"), b"x.py\n".to_vec());
        for (path, expected) in [("out", true), ("deep/x.py", true), ("a/b/out", false)] {
            assert_eq!(all.ignores(&RelPath::new(path), false), expected, "{path}");
        }
    }
}
