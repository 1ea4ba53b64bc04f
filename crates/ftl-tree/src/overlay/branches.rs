//! Where branches, tags and other references below `refs/` lead, in the tree and in the view.
//!
//! A reference is a file, or a line of `packed-refs` where there is no such file. `git gc` moves
//! many from one form to the other, so that what a file says is compared only once both forms are read.

use std::collections::{BTreeMap, BTreeSet};

use super::upper::Reached;
use super::upper::{Held, text_of};
use super::written::OverlayWork;
use crate::stamp::EntryType;
use crate::{RelPath, Tree, TreeError};

const PACKED: &str = ".git/packed-refs";

/// Where each reference of a list leads, by its path in git's directory.
type Packed = BTreeMap<RelPath, String>;

impl Tree {
    /// The references below `refs/` that lead elsewhere in the view, for people.
    pub(crate) fn moved_branches(&self, written: &OverlayWork) -> Result<Vec<String>, TreeError> {
        let packed = RelPath::new(PACKED);
        let then = self.loose(&packed)?.map(|text| packed_in(&text)).unwrap_or_default();
        let now = match self.seen(written, &packed)? {
            Seen::AsBefore => then.clone(),
            Seen::Text(text) => packed_in(&text),
            Seen::Nothing => Packed::new(),
        };
        let mut moved = Vec::new();
        for name in self.candidates(written, &then, &now)? {
            let label = RelPath::new(".git").append(&name);
            let before = self.loose(&label)?.or_else(|| then.get(&name).cloned());
            let after = match self.seen(written, &label)? {
                Seen::Text(text) => Some(text),
                Seen::AsBefore => self.loose(&label)?,
                Seen::Nothing => None,
            };
            let after = after.or_else(|| now.get(&name).cloned());
            if before.as_deref().map(str::trim_end) != after.as_deref().map(str::trim_end) {
                moved.push(name.as_path().display().to_string());
            }
        }
        Ok(moved)
    }

    /// References that were written in the view, or that one of the lists has and the other has not.
    fn candidates(
        &self,
        written: &OverlayWork,
        then: &Packed,
        now: &Packed,
    ) -> Result<BTreeSet<RelPath>, TreeError> {
        let differs = |name: &&RelPath| then.get(*name) != now.get(*name);
        let mut names: BTreeSet<RelPath> =
            then.keys().chain(now.keys()).filter(differs).cloned().collect();
        for (label, entry) in &written.contents.entries {
            let is_one = |inner: &RelPath| is_branch(inner) && inner.bytes() != b"packed-refs";
            let Some(inner) = label.strip(b".git").filter(is_one) else {
                continue;
            };
            match entry.held {
                Held::Dir { hides: false } => {}
                // Those that were in a directory.
                Held::Dir { hides: true } | Held::Whiteout if self.state_at(label)?.is_dir() => {
                    let below = self.below(label)?.into_iter();
                    names.extend(below.filter_map(|path| path.strip(b".git")));
                }
                Held::Dir { hides: true } => {}
                Held::Whiteout | Held::File | Held::Link | Held::Special => {
                    names.insert(inner);
                }
            }
        }
        Ok(names)
    }

    /// The text of a reference's own file in the tree.
    fn loose(&self, label: &RelPath) -> Result<Option<String>, TreeError> {
        let place = self.at(label);
        match place.found()?.map(|stamp| stamp.kind()) {
            Some(EntryType::File) => text_of(&place).map(Some),
            _ => Ok(None),
        }
    }

    fn seen(&self, written: &OverlayWork, label: &RelPath) -> Result<Seen, TreeError> {
        Ok(match written.contents.reach(label) {
            Reached::Untouched => Seen::AsBefore,
            Reached::Held(entry) if entry.held == Held::File => {
                Seen::Text(written.uppers.text(label)?)
            }
            Reached::Gone | Reached::Cut | Reached::Held(_) => Seen::Nothing,
        })
    }
}

/// What the view has of a file.
enum Seen {
    AsBefore,
    Text(String),
    Nothing,
}

/// Whether a path of git's directory is one of a reference below `refs/`, or the list of them.
pub(crate) fn is_branch(inner: &RelPath) -> bool {
    let first = inner.components().next();
    first == Some(b"refs") && !inner.name().ends_with(b".lock") || inner.bytes() == b"packed-refs"
}

fn packed_in(text: &str) -> Packed {
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    let pairs = pairs.filter(|(_, name)| name.starts_with("refs/"));
    pairs.map(|(object, name)| (RelPath::new(name), object.to_owned())).collect()
}
