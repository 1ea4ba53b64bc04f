//! Taking the state of a repository, and finding what differs from it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::Path;

use ftl_text::with_causes;

use crate::digest::digest_of;
use crate::git::state::SYMBOLIC;
use crate::git::state::{
    GitChanges, GitState, HEAD, INDEX, Kept, LOCKS, STASH, STASHES, UNDER_WAY, UNDER_WAY_DIRS,
};
use crate::git::{Git, OWN, RefUpdate, Refs};
use crate::openat::{At, Beneath, is_gone};
use crate::snapshot::Snapshot;
use crate::snapshot::pack::PackWriter;
use crate::stamp::EntryType;
use crate::{RelPath, Tree, TreeError};

/// Bytes of `HEAD` and of a list of stashes that are read.
const MAX_TEXT: u64 = 4 << 20;

impl GitState {
    /// Takes the state. `label` names the request, such as `001_t/1/2`.
    pub(crate) fn capture(
        git: &Git,
        label: &str,
        pack: &mut PackWriter,
    ) -> Result<Self, TreeError> {
        let dir = git.own_dir()?;
        let place = open(&dir)?;
        let refs = git.refs()?;
        let mut state = Self {
            head: head(&place)?,
            refs,
            index: keep(&place.at(&RelPath::new(INDEX)), pack)?,
            files: Vec::new(),
            locks: there(&place, &LOCKS)?,
            shared: Vec::new(),
            own: own_references(label),
            unheld: None,
            dir,
        };
        let common = open(&git.common_dir)?;
        let stashes = RelPath::new(STASHES);
        let mut held = stashes_of(&common)?;
        let mut keep_all = |place: &Beneath, paths: Vec<RelPath>, kept: &mut Vec<_>| {
            for path in paths {
                kept.extend(keep(&place.at(&path), pack)?.map(|file| (path, file)));
            }
            Ok::<_, TreeError>(())
        };
        keep_all(&common, vec![stashes], &mut state.files)?;
        keep_all(&place, under_way(&place)?, &mut state.files)?;
        keep_all(&place, shared_indexes(&place)?, &mut state.shared)?;
        held.extend(state.tips());
        // A repository that cannot be written is not one that cannot be built in.
        if let Err(error) = state.hold(git, held) {
            state.unheld = Some(with_causes(&error));
        }
        Ok(state)
    }

    /// The commits of HEAD, branches and the last stash.
    fn tips(&self) -> impl Iterator<Item = String> {
        let is_own = |name: &str| name.starts_with("refs/heads/") || name == STASH;
        let refs = self.refs.iter().filter(move |(name, _)| is_own(name));
        let refs = refs.map(|(_, object)| object);
        refs.chain([&self.head]).filter(|value| !value.starts_with(SYMBOLIC)).cloned()
    }

    /// Keeps everything in reach that might be taken out of it.
    fn hold(&self, git: &Git, commits: BTreeSet<String>) -> Result<(), TreeError> {
        let blobs = match &self.index {
            Some(_) => git.staged_blobs()?,
            None => Vec::new(),
        };
        if commits.is_empty() && blobs.is_empty() {
            return Ok(());
        }
        let commits: Vec<String> = commits.into_iter().collect();
        // One commit needs no other to hold it.
        let held = match (&commits[..], &blobs[..]) {
            ([only], []) => only.clone(),
            _ => git.bundle(&commits, &blobs)?,
        };
        git.update_refs(&[RefUpdate::Set(self.anchor(), held)])
    }

    pub(crate) fn anchor(&self) -> String {
        format!("{}/before", self.own)
    }

    /// What differs now.
    pub(crate) fn compare(&self, git: Option<&Git>, before: &Snapshot) -> GitChanges {
        let found = match git {
            Some(git) => self.differences(git, before),
            None => Err(TreeError::Git {
                command: "rev-parse".to_owned(),
                message: "there is no repository any more".to_owned(),
            }),
        };
        found.unwrap_or_else(|error| GitChanges {
            unknown: Some(with_causes(&error)),
            ..GitChanges::default()
        })
    }

    fn differences(&self, git: &Git, before: &Snapshot) -> Result<GitChanges, TreeError> {
        let place = open(&self.dir)?;
        let head = head(&place)?;
        let refs = git.refs()?;
        let common = open(&git.common_dir)?;
        let mut files = Vec::new();
        let stashes = RelPath::new(STASHES);
        if !self.is_same(&common, &stashes, before)? {
            files.push(stashes.clone());
        }
        let mut paths: BTreeSet<RelPath> = under_way(&place)?.into_iter().collect();
        let kept = self.files.iter().map(|(path, _)| path);
        paths.extend(kept.filter(|path| **path != stashes).cloned());
        for path in paths {
            if !self.is_same(&place, &path, before)? {
                files.push(path);
            }
        }
        let new = there(&place, &LOCKS)?.into_iter();
        files.extend(new.filter(|lock| !self.locks.contains(lock)));
        Ok(GitChanges {
            head: (head != self.head).then_some(head),
            refs: self.moved(&refs),
            index: !self.is_same_index(git, &place, before)?,
            files,
            unknown: None,
        })
    }

    fn moved(&self, now: &Refs) -> BTreeMap<String, Option<String>> {
        let names: BTreeSet<&String> = self.refs.keys().chain(now.keys()).collect();
        names
            .into_iter()
            .filter(|name| self.refs.get(*name) != now.get(*name))
            .map(|name| (name.clone(), now.get(name).cloned()))
            .collect()
    }

    fn is_same(
        &self,
        place: &Beneath,
        path: &RelPath,
        before: &Snapshot,
    ) -> Result<bool, TreeError> {
        let kept = self.files.iter().find(|(kept, _)| kept == path);
        is_same(&place.at(path), kept.map(|(_, kept)| kept), before)
    }

    /// Git writes its index again for innocent reasons, to note stamps: what counts is what it says.
    fn is_same_index(
        &self,
        git: &Git,
        place: &Beneath,
        before: &Snapshot,
    ) -> Result<bool, TreeError> {
        if is_same(&place.at(&RelPath::new(INDEX)), self.index.as_ref(), before)? {
            return Ok(true);
        }
        let Some(kept) = &self.index else {
            return Ok(git.listing(None)?.is_empty());
        };
        let copy = before.dir().join("index");
        let written =
            before.open_copy(&kept.copied).and_then(|mut bytes| write_private(&copy, &mut bytes));
        written.map_err(TreeError::io("write", &copy))?;
        let then = git.listing(Some(&copy));
        let _ = std::fs::remove_file(&copy);
        match then {
            Ok(then) => Ok(then == git.listing(None)?),
            // What it was made of is gone, which only the index itself can be read without.
            Err(TreeError::Git { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Tree {
    /// What an implementer moved in the repository.
    pub(crate) fn git_changes(&self, before: &Snapshot) -> GitChanges {
        let state = before.git_state();
        state.map_or_else(GitChanges::default, |state| {
            state.compare(self.places.git.as_ref(), before)
        })
    }
}

fn open(dir: &Path) -> Result<Beneath, TreeError> {
    Beneath::open(dir).map_err(TreeError::io("open", dir))
}

fn head(place: &Beneath) -> Result<String, TreeError> {
    let at = place.at(&RelPath::new(HEAD));
    let text = text(&at).map_err(at.failed("read"))?;
    Ok(text.unwrap_or_default().trim_end().to_owned())
}

/// A short file; `None` where there is none.
pub(crate) fn text(at: &At<'_>) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    match at.file() {
        Ok(file) => file.take(MAX_TEXT).read_to_end(&mut bytes)?,
        Err(error) if is_gone(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// The commits of all stashes: the second field of each line of their log.
pub(crate) fn stashes_of(common: &Beneath) -> Result<BTreeSet<String>, TreeError> {
    let at = common.at(&RelPath::new(STASHES));
    let log = text(&at).map_err(at.failed("read"))?.unwrap_or_default();
    let objects = log.lines().filter_map(|line| line.split(' ').nth(1));
    Ok(objects.map(ToOwned::to_owned).collect())
}

fn keep(at: &At<'_>, pack: &mut PackWriter) -> Result<Option<Kept>, TreeError> {
    let Some(stamp) = at.found()? else {
        return Ok(None);
    };
    match at.file().and_then(|mut file| pack.add(&mut file)) {
        Err(error) if is_gone(&error) => Ok(None),
        copied => Ok(Some(Kept { copied: copied.map_err(at.failed("copy"))?, stamp })),
    }
}

fn is_same(at: &At<'_>, kept: Option<&Kept>, before: &Snapshot) -> Result<bool, TreeError> {
    match (kept, at.found()?) {
        (None, None) => Ok(true),
        (Some(kept), Some(now)) if kept.stamp == now && before.settled(&now) => Ok(true),
        (Some(kept), Some(now)) if now.kind() == EntryType::File => {
            let digest = at.file().and_then(|mut file| digest_of(&mut file));
            Ok(digest.map_err(at.failed("look at"))? == kept.copied.sha256)
        }
        (None | Some(_), _) => Ok(false),
    }
}

/// Those of the files that there are.
fn there(place: &Beneath, names: &[&str]) -> Result<Vec<RelPath>, TreeError> {
    let mut paths = Vec::new();
    for name in names {
        let at = place.at(&RelPath::new(*name));
        paths.extend(at.found()?.map(|_| at.path));
    }
    Ok(paths)
}

/// The files that there are of what is under way.
fn under_way(place: &Beneath) -> Result<Vec<RelPath>, TreeError> {
    let mut paths = there(place, &UNDER_WAY)?;
    for name in UNDER_WAY_DIRS {
        let dir = place.at(&RelPath::new(name));
        let names = match dir.names() {
            Err(error) if is_gone(&error) => Vec::new(),
            names => names.map_err(dir.failed("list"))?,
        };
        for file in names.iter().map(|name| dir.join(name)) {
            let stamp = file.found()?.filter(|at| at.kind() == EntryType::File);
            paths.extend(stamp.map(|_| file.path));
        }
    }
    Ok(paths)
}

/// The parts of a split index.
fn shared_indexes(place: &Beneath) -> Result<Vec<RelPath>, TreeError> {
    let names = place.top().names().map_err(TreeError::io("list", place.path()))?;
    let shared = names.into_iter().filter(|name| name.starts_with(b"sharedindex."));
    Ok(shared.map(RelPath::new).collect())
}

/// Below which references of ours lie for a request with this label.
pub(crate) fn own_references(label: &str) -> String {
    format!("{OWN}{}", plain(label))
}

/// A label as part of a reference's name: git-check-ref-format(1) forbids much.
fn plain(label: &str) -> String {
    let part = |part: &str| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let part: String = part.chars().map(|c| if plain(c) { c } else { '-' }).collect();
        part
    };
    label.split('/').map(part).collect::<Vec<_>>().join("/")
}

pub(crate) fn write_private(path: &Path, bytes: &mut dyn Read) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    io::copy(bytes, &mut options.open(path)?).map(drop)
}

#[cfg(test)]
mod tests {
    use super::plain;
    use crate::git::state::target;

    #[test]
    fn a_label_makes_a_name_that_git_takes() {
        for (label, expected) in
            [("001_a-b/1/2", "001_a-b/1/2"), ("0.1 ~x/.lock/3", "0-1--x/-lock/3")]
        {
            assert_eq!(plain(label), expected);
        }
        assert_eq!(target("ref: refs/heads/x"), Some("refs/heads/x"));
        assert_eq!(target("0123"), None);
    }
}
