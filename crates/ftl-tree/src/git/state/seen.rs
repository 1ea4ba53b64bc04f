//! The state of a repository after a request, needed to finish putting it back: a value that is
//! neither that nor the one before the request was changed by another process since.

use std::collections::BTreeMap;
use std::io;

use ftl_model::Digest;
use serde::{Deserialize, Serialize};

use crate::RelPath;
use crate::digest::digest_of;
use crate::git::Git;
use crate::git::state::{GitChanges, GitState, INDEX, STASH, STASHES};
use crate::openat::{Beneath, is_gone};

/// Each thing that differed, as it was then.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct GitSeen {
    head: Option<String>,
    refs: BTreeMap<String, Option<String>>,
    /// The bytes of the index and of files of what was under way; none of one that was not there.
    files: Vec<(RelPath, Option<Digest>)>,
}

impl GitState {
    /// Writes down what differs; `None` where the repository could not be read.
    pub(crate) fn seen(&self, git: Option<&Git>, changes: &GitChanges) -> Option<GitSeen> {
        let git = git.filter(|_| changes.unknown.is_none())?;
        let index = changes.index.then(|| RelPath::new(INDEX));
        let paths = changes.files.iter().cloned().chain(index);
        let digest = |path: RelPath| Some((path.clone(), self.digest(git, &path).ok()?));
        Some(GitSeen {
            head: changes.head.clone(),
            refs: changes.refs.clone(),
            files: paths.map(digest).collect::<Option<_>>()?,
        })
    }

    /// Of what differs now, what is as it was seen, and the rest.
    pub(crate) fn split(
        &self,
        git: Option<&Git>,
        seen: &GitSeen,
        now: GitChanges,
    ) -> (GitChanges, GitChanges) {
        let Some(git) = git.filter(|_| now.unknown.is_none()) else {
            return (now, GitChanges::default());
        };
        let is_seen = |path: &RelPath| {
            let then = seen.files.iter().find(|(known, _)| known == path);
            then.is_some_and(|(_, then)| self.digest(git, path).is_ok_and(|now| now == *then))
        };
        let (refs, later) =
            now.refs.into_iter().partition(|(name, now)| seen.refs.get(name) == Some(now));
        let later: BTreeMap<_, _> = later;
        // Putting back the last stash writes their list, so the list alone does not tell whose it is.
        let stash = seen.refs.contains_key(STASH) && !later.contains_key(STASH);
        let (files, later_files) = now
            .files
            .into_iter()
            .partition(|path| is_seen(path) || (stash && path.bytes() == STASHES));
        let (head, later_head) = match now.head == seen.head {
            true => (now.head, None),
            false => (None, now.head),
        };
        let index = now.index && is_seen(&RelPath::new(INDEX));
        let later_index = now.index && !index;
        let of = |head, refs, index, files| GitChanges { head, refs, index, files, unknown: None };
        (of(head, refs, index, files), of(later_head, later, later_index, later_files))
    }

    fn digest(&self, git: &Git, path: &RelPath) -> io::Result<Option<Digest>> {
        let dir = match path.bytes() {
            STASHES => &git.common_dir,
            _ => &self.dir,
        };
        match Beneath::open(dir)?.at(path).file() {
            Ok(mut file) => digest_of(&mut file).map(Some),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
