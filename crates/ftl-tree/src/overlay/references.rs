//! Git's references in the view: which ones an implementer moved. The user's stay as they are; the commits come into
//! the repository, and references of ftl's own lead to them, as where an implementer is not isolated.
//!
//! A reference is a file, or a line of `packed-refs` where there is no such file. `git gc` moves
//! many from one form to the other, so that what a file says is compared only once both forms are read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::upper::{Contents, Held, Reached, Uppers, text_of};
use crate::git::state::{STASHES, is_object, own_references};
use crate::git::{Git, RefUpdate};
use crate::openat::At;
use crate::snapshot::capture::label_of;
use crate::stamp::EntryType;
use crate::{RelPath, Tree, TreeError};

/// Where each reference leads, by its path in git's directory.
type References = BTreeMap<RelPath, String>;

/// What an implementer did to them.
#[derive(Debug, Default)]
pub(crate) struct Moved {
    /// Where each reference that was moved leads now.
    references: BTreeMap<RelPath, Option<String>>,
    /// The commits of the stashes in the view.
    stashes: Vec<String>,
    /// Whether the index says something else.
    index: bool,
}

impl Moved {
    /// What was moved, for people: branches and tags first.
    pub(super) fn described(&self) -> Vec<String> {
        let named = self.references.keys().map(|name| name.as_path().display().to_string());
        let index = self.index.then(|| "index".to_owned());
        let mut all: Vec<String> = named.chain(index).collect();
        all.sort_by_key(|name| !name.starts_with("refs/"));
        all
    }

    /// The commits that the implementer may have made, by the names below which they are kept.
    fn tips(&self) -> BTreeMap<String, &str> {
        let name = |path: &RelPath| {
            let name = path.as_path().display().to_string();
            name.strip_prefix("refs/").map(str::to_owned).unwrap_or(name)
        };
        let references = self.references.iter();
        let references = references.filter_map(|(path, now)| Some((name(path), now.as_deref()?)));
        let stashes = self.stashes.iter().enumerate();
        let stashes = stashes.map(|(at, tip)| (format!("stashes/{at}"), tip.as_str()));
        references.chain(stashes).filter(|(_, tip)| is_object(tip)).collect()
    }
}

impl Tree {
    pub(super) fn find_moved(
        &self,
        uppers: &Uppers,
        contents: &Contents,
    ) -> Result<Moved, TreeError> {
        let mut moved = Moved::default();
        if self.places.git_dir.is_none() {
            return Ok(moved);
        }
        let packed = git_label(b"packed-refs");
        let then = packed_in(self.reference(&packed)?);
        let now = match seen(uppers, contents, &packed)? {
            Seen::AsBefore => then.clone(),
            Seen::Text(text) => packed_in(Some(text)),
            Seen::Nothing => References::new(),
        };
        for name in self.candidates(contents, &then, &now)? {
            let label = git_label(name.bytes());
            let loose = self.reference(&label)?;
            let after = match seen(uppers, contents, &label)? {
                Seen::Text(text) => Some(text),
                Seen::AsBefore => loose.clone(),
                Seen::Nothing => None,
            };
            let after = after.or_else(|| now.get(&name).cloned());
            let before = loose.or_else(|| then.get(&name).cloned());
            if before.as_deref().map(str::trim_end) != after.as_deref().map(str::trim_end) {
                moved.references.insert(name, after.map(|text| text.trim_end().to_owned()));
            }
        }
        if let Seen::Text(log) = seen(uppers, contents, &git_label(STASHES))? {
            let objects = log.lines().filter_map(|line| line.split(' ').nth(1));
            moved.stashes = objects.map(str::to_owned).collect();
        }
        moved.index = self.is_other_index(uppers, contents)?;
        Ok(moved)
    }

    /// References that were written in the view, or that one of the lists has and the other has not.
    fn candidates(
        &self,
        contents: &Contents,
        then: &References,
        now: &References,
    ) -> Result<BTreeSet<RelPath>, TreeError> {
        let differs = |name: &&RelPath| then.get(*name) != now.get(*name);
        let mut names: BTreeSet<RelPath> =
            then.keys().chain(now.keys()).filter(differs).cloned().collect();
        for (label, entry) in &contents.entries {
            let Some(inner) = label.strip(b".git").filter(is_reference) else {
                continue;
            };
            let is_dir = self.kind_at(label)? == Some(EntryType::Dir);
            match entry.held {
                // Those that were in a directory.
                Held::Dir { hides: true } | Held::Whiteout if is_dir => {
                    let below = self.below(label)?.into_iter();
                    names.extend(below.filter_map(|(path, _)| path.strip(b".git")));
                }
                Held::Dir { .. } => {}
                Held::Whiteout | Held::File | Held::Link | Held::Special => {
                    names.insert(inner);
                }
            }
        }
        Ok(names)
    }

    /// The text of a reference's own file in the tree.
    fn reference(&self, label: &RelPath) -> Result<Option<String>, TreeError> {
        let at = self.at(label);
        match at.found()?.map(|stamp| stamp.kind()) {
            Some(EntryType::File) => text_of(&at).map(Some),
            _ => Ok(None),
        }
    }

    /// Whether the index of this work tree says something else than the tree's. Git writes it again for innocent
    /// reasons.
    fn is_other_index(&self, uppers: &Uppers, contents: &Contents) -> Result<bool, TreeError> {
        let Some(git) = &self.places.git else {
            return Ok(false);
        };
        let dir = git.own_dir()?;
        let below = dir.strip_prefix(&git.common_dir).unwrap_or(Path::new(""));
        let label = git_label(below.join("index").as_os_str().as_encoded_bytes());
        let Some(entry) = contents.entries.get(&label) else {
            return Ok(false);
        };
        let then = git.listing(None)?;
        match entry.held {
            Held::File => match git.listing(Some(&uppers.at(&label).full())) {
                Err(TreeError::Git { .. }) => Ok(true),
                now => Ok(now? != then),
            },
            Held::Whiteout => Ok(!then.is_empty()),
            Held::Dir { .. } | Held::Link | Held::Special => Ok(true),
        }
    }

    /// Keeps what the references of the view lead to in reach of the repository, below a reference that is
    /// returned: nothing where there are no commits but those that the repository has. `dir` is where the
    /// request's snapshot is.
    pub(super) fn keep_moved(
        &self,
        moved: &Moved,
        uppers: &Uppers,
        dir: &Path,
    ) -> Result<Option<String>, TreeError> {
        let mut tips = moved.tips();
        let Some(git) = self.places.git.as_ref().filter(|_| !tips.is_empty()) else {
            return Ok(None);
        };
        let known = git.refs()?;
        tips.retain(|_, tip| !known.values().any(|value| value == tip));
        if tips.is_empty() {
            return Ok(None);
        }
        let objects = uppers.at(&git_label(b"objects"));
        git.take_in(&objects, tips.values().copied(), known.values())?;
        let own = own_references(&label_of(dir));
        let step = |(name, tip): (&String, &&str)| {
            RefUpdate::Set(format!("{own}/{name}"), (*tip).to_owned())
        };
        let steps: Vec<RefUpdate> = tips.iter().map(step).collect();
        git.update_refs(&steps)?;
        Ok(Some(own))
    }
}

impl Git {
    /// Brings the objects that these commits need, and the known ones do not, from a directory of objects into
    /// the repository.
    fn take_in<'a>(
        &self,
        objects: &At<'_>,
        tips: impl Iterator<Item = &'a str>,
        known: impl Iterator<Item = &'a String>,
    ) -> Result<(), TreeError> {
        let known = known.filter(|value| is_object(value));
        let known = known.map(|object| format!("^{object}\n"));
        let input: String = tips.map(|tip| format!("{tip}\n")).chain(known).collect();
        self.pack(&objects.full(), input.into_bytes())
    }
}

/// What the view has of a file.
enum Seen {
    AsBefore,
    Text(String),
    Nothing,
}

fn seen(uppers: &Uppers, contents: &Contents, label: &RelPath) -> Result<Seen, TreeError> {
    Ok(match contents.reach(label) {
        Reached::Untouched => Seen::AsBefore,
        Reached::Held(entry) if entry.held == Held::File => Seen::Text(text_of(&uppers.at(label))?),
        Reached::Gone | Reached::Cut | Reached::Held(_) => Seen::Nothing,
    })
}

fn git_label(inner: &[u8]) -> RelPath {
    RelPath::new(".git").join(inner)
}

/// Whether a path of git's directory says where a branch, a tag or HEAD is. Locks, logs and lists do not.
fn is_reference(inner: &RelPath) -> bool {
    let parts: Vec<&[u8]> = inner.components().collect();
    let own = match parts.as_slice() {
        [b"worktrees", _, rest @ ..] => rest,
        all => all,
    };
    match own {
        [b"HEAD"] => true,
        [b"refs", rest @ ..] => !rest.last().is_some_and(|last| last.ends_with(b".lock")),
        _ => false,
    }
}

fn packed_in(list: Option<String>) -> References {
    let text = list.unwrap_or_default();
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    let pairs = pairs.filter(|(_, name)| name.starts_with("refs/"));
    pairs.map(|(object, name)| (RelPath::new(name), object.to_owned())).collect()
}
