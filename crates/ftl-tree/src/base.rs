//! A commit in place of a snapshot: for a tree that was changed before ftl looked at it.
//!
//! Less is known than with a snapshot. Git keeps only one bit of a file's mode and may convert its
//! bytes, so that digests differ where nothing was changed: a delta file is modified only if its state
//! differs *and* git says so. What is untracked and not ignored differs from every commit, whoever
//! made it, and nothing is put back from here.

use std::collections::{BTreeMap, BTreeSet};

use ftl_model::{BaseCommit, DeltaPath};

use super::changes::DeltaChange;
use super::delta::FileState;
use super::{RelPath, Tree, TreeError};
use ftl_model::Change;
use ftl_model::Digest;

const OWNER_EXECUTES: u32 = 0o100;

/// A commit that the tree is compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// The full name of its commit; `None` without git, and before the first commit.
    pub commit: Option<String>,
    /// The delta files that it holds.
    pub files: BTreeMap<DeltaPath, BaseFile>,
    /// The files outside the delta that differ from it, without scratch.
    pub strays: Vec<RelPath>,
    /// The delta files that git calls different.
    differing: BTreeSet<DeltaPath>,
}

/// A file as a revision has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseFile {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its digest, and the permission bits that git gives to such files.
    pub state: FileState,
}

impl Tree {
    /// Looks up a revision, by default `HEAD`. Without git, and before the first commit, the
    /// default is a revision that holds nothing.
    ///
    /// # Errors
    /// When there is no such revision, or no git to look it up.
    pub fn base(&self, revision: Option<&str>) -> Result<Base, TreeError> {
        let Some(git) = &self.places.git else {
            return match revision {
                None => Ok(Base::default()),
                Some(revision) => Err(TreeError::NoGit {
                    revision: revision.to_owned(),
                    root: self.top().to_path_buf(),
                }),
            };
        };
        let commit = git.commit_of(revision)?;
        let differing = git.differing(commit.as_deref())?;
        let delta = self.delta_paths();
        let outside = |path: &&RelPath| !delta.contains(*path) && !self.is_scratch(path);
        Ok(Base {
            files: match &commit {
                Some(commit) => self.files_at(commit)?,
                None => BTreeMap::new(),
            },
            strays: differing.iter().filter(outside).cloned().collect(),
            differing: self
                .delta
                .iter()
                .filter(|path| differing.contains(&self.places.of_delta(path)))
                .cloned()
                .collect(),
            commit,
        })
    }

    /// Where git stands; `None` without git, and before the first commit.
    ///
    /// # Errors
    /// When git can't be run.
    pub fn head(&self) -> Result<Option<BaseCommit>, TreeError> {
        let head = match &self.places.git {
            Some(git) => git.head()?,
            None => None,
        };
        Ok(head.map(|(commit, branch)| BaseCommit { commit, branch }))
    }

    /// How the delta differs from a revision. Of permission bits git keeps only whether a file
    /// can be executed; bytes that git itself converts, such as line ends, do not differ.
    ///
    /// # Errors
    /// When a delta file cannot be read.
    pub fn changes_from(&self, base: &Base) -> Result<BTreeMap<DeltaPath, DeltaChange>, TreeError> {
        let mut changes = BTreeMap::new();
        for (path, now) in self.delta()? {
            let change = match (base.files.get(&path), now.kind) {
                (None, None) => None,
                (None, Some(_)) => Some(Change::Created),
                (Some(_), None) => Some(Change::Deleted),
                (Some(file), Some(_)) => {
                    let differs = !same(&file.state, &now) && base.differing.contains(&path);
                    differs.then_some(Change::Modified)
                }
            };
            changes.insert(path, DeltaChange { now, change });
        }
        Ok(changes)
    }

    fn files_at(&self, commit: &str) -> Result<BTreeMap<DeltaPath, BaseFile>, TreeError> {
        let Some(git) = &self.places.git else {
            return Ok(BTreeMap::new());
        };
        let paths: Vec<RelPath> = self.delta_paths().into_iter().collect();
        let found = git.files_at(commit, &paths)?;
        let objects: Vec<&str> = found.values().map(|(object, _)| object.as_str()).collect();
        let contents = git.contents(&objects)?;
        let mut files = BTreeMap::new();
        for ((path, (_, permissions)), bytes) in found.iter().zip(contents) {
            let delta = self.delta.iter().find(|delta| self.places.of_delta(delta) == *path);
            if let (Some(delta), Some(bytes)) = (delta, bytes) {
                let state = FileState::regular(Digest::of(&bytes), *permissions);
                files.insert(delta.clone(), BaseFile { bytes, state });
            }
        }
        Ok(files)
    }

    fn is_scratch(&self, path: &RelPath) -> bool {
        let own = self.places.root().join(b".ftl");
        let matches =
            |path: &RelPath, is_dir| self.names.matches(path.name(), || self.shown(path), is_dir);
        path.is_below(&own)
            || matches(path, false)
            || path.ancestors().any(|dir| matches(&dir, true))
    }
}

fn same(base: &FileState, now: &FileState) -> bool {
    let executes = |state: &FileState| state.permissions.map(|bits| bits & OWNER_EXECUTES != 0);
    base.kind == now.kind && base.digest == now.digest && executes(base) == executes(now)
}
