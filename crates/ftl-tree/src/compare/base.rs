//! A commit in place of saved files: for a tree that was changed before ftl looked at it.
//!
//! Less is known than of saved files. Git keeps only one bit of a file's mode and may convert its
//! bytes, so that digests differ where nothing was changed: a delta file is modified only if its state
//! differs *and* git says so. What is untracked and not ignored differs from every commit, whichever program
//! made it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use ftl_model::{BaseCommit, Change, DeltaPath, Digest};

use crate::compare::DeltaChange;
use crate::digest::digest_of;
use crate::git::{Content, Git, unread};
use crate::{PathState, RelPath, Tree, TreeError};

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
    /// The delta files that git called different when the revision was looked up.
    differing: BTreeSet<DeltaPath>,
}

/// Bytes of all delta files together that are kept of a revision.
const LARGEST: u64 = 32 << 20;

/// A file as a revision has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseFile {
    /// Its bytes; `None` where all files together have more than 32 MiB.
    pub bytes: Option<Vec<u8>>,
    /// How many there are.
    pub len: u64,
    /// Its digest, and the permission bits that git gives to such files.
    pub state: PathState,
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
        self.base_with(git, git.commit_of(revision)?)
    }

    /// The [base](Self::base) that a [head](Self::head) names. Without git, and before the first commit, one that holds
    /// nothing.
    ///
    /// # Errors
    /// When git can't be asked.
    pub fn base_at(&self, head: Option<&BaseCommit>) -> Result<Base, TreeError> {
        match &self.places.git {
            Some(git) => self.base_with(git, head.map(|head| head.commit.clone())),
            None => Ok(Base::default()),
        }
    }

    fn base_with(&self, git: &Git, commit: Option<String>) -> Result<Base, TreeError> {
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

    /// The state of git; `None` without git, and before the first commit.
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
        // Either git converts these files, or they were changed since it was asked.
        let mut doubtful = Vec::new();
        for (path, now) in self.delta()? {
            let change = match (base.files.get(&path), now.kind()) {
                (None, None) => None,
                (None, Some(_)) => Some(Change::Created),
                (Some(_), None) => Some(Change::Deleted),
                (Some(file), Some(_)) if same(&file.state, &now) => None,
                (Some(_), Some(_)) => {
                    if !base.differing.contains(&path) {
                        doubtful.push(path.clone());
                    }
                    Some(Change::Modified)
                }
            };
            changes.insert(path, DeltaChange { now, change });
        }
        for path in self.converted(base, doubtful)? {
            changes.entry(path).and_modify(|file| file.change = None);
        }
        Ok(changes)
    }

    /// Which of these files git calls the same as in the revision.
    fn converted(
        &self,
        base: &Base,
        mut files: Vec<DeltaPath>,
    ) -> Result<Vec<DeltaPath>, TreeError> {
        let (Some(git), Some(commit)) = (&self.places.git, &base.commit) else {
            return Ok(Vec::new());
        };
        if files.is_empty() {
            return Ok(files);
        }
        let paths: Vec<RelPath> = files.iter().map(|path| self.places.of_delta(path)).collect();
        let differing = git.differing_among(commit, &paths)?;
        files.retain(|path| !differing.contains(&self.places.of_delta(path)));
        Ok(files)
    }

    fn files_at(&self, commit: &str) -> Result<BTreeMap<DeltaPath, BaseFile>, TreeError> {
        let Some(git) = &self.places.git else {
            return Ok(BTreeMap::new());
        };
        let paths: Vec<RelPath> = self.delta_paths().into_iter().collect();
        let found = git.files_at(commit, &paths)?;
        let objects: Vec<&str> = found.values().map(|(object, _)| object.as_str()).collect();
        let mut contents = Vec::with_capacity(objects.len());
        let mut left = LARGEST;
        git.each_content(&objects, &mut |_, content| {
            let content = content.map(|content| content_of(content, &mut left));
            contents.push(content.transpose().map_err(unread)?.flatten());
            Ok(())
        })?;
        let mut files = BTreeMap::new();
        for ((path, (_, permissions)), content) in found.iter().zip(contents) {
            let delta = self.delta.iter().find(|delta| self.places.of_delta(delta) == *path);
            if let (Some(delta), Some((digest, len, bytes))) = (delta, content) {
                let state = PathState::File { sha256: digest, permissions: *permissions };
                files.insert(delta.clone(), BaseFile { bytes, len, state });
            }
        }
        Ok(files)
    }

    fn is_scratch(&self, path: &RelPath) -> bool {
        let own = self.places.root().join(b".ftl");
        path.is_below(&own)
            || self.is_scratch_by_name(path, false)
            || path.ancestors().any(|dir| self.is_scratch_by_name(&dir, true))
    }
}

/// The digest, the length and, where they are kept, the bytes of an object.
type ObjectContent = (Digest, u64, Option<Vec<u8>>);

/// The content of an object, with its bytes as far as `left` allows; `None` where git breaks off.
fn content_of(content: Content<'_>, left: &mut u64) -> io::Result<Option<ObjectContent>> {
    let len = content.size;
    let Some(rest) = left.checked_sub(len) else {
        let mut content = Counted { bytes: content.bytes, read: 0 };
        let digest = digest_of(&mut content)?;
        return Ok((content.read == len).then_some((digest, len, None)));
    };
    *left = rest;
    let mut bytes = Vec::new();
    content.bytes.read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 == len).then(|| (Digest::of(&bytes), len, Some(bytes))))
}

/// A reader that counts what it has given.
struct Counted<'a> {
    bytes: &'a mut dyn Read,
    read: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.read += count as u64;
        Ok(count)
    }
}

fn same(base: &PathState, now: &PathState) -> bool {
    let executes = |state: &PathState| state.permissions().map(|bits| bits & OWNER_EXECUTES != 0);
    base.digest().is_some() && base.digest() == now.digest() && executes(base) == executes(now)
}
