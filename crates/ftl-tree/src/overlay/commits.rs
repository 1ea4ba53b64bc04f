//! Commits that an implementer made in the view. The user's references stay as they are; the objects come
//! into the repository, and references of ftl's own lead to them, as where an implementer is not isolated.

use std::collections::BTreeMap;
use std::path::Path;

use super::references::is_reference;
use super::upper::Held;
use super::written::OverlayWork;
use crate::git::state::{STASHES, is_object, own_references};
use crate::git::{Git, RefUpdate};
use crate::snapshot::capture::label_of;
use crate::{RelPath, Tree, TreeError};

impl Tree {
    /// Keeps what the references of the view lead to in reach of the repository, below a reference that is
    /// returned: nothing where there are no commits but those that the repository has. `dir` is where the
    /// request's snapshot is.
    ///
    /// # Errors
    /// When the layers can't be read, or git refuses.
    pub fn keep_commits(
        &self,
        written: &OverlayWork,
        dir: &Path,
    ) -> Result<Option<String>, TreeError> {
        let Some(git) = self.places.git.as_ref() else {
            return Ok(None);
        };
        if written.references.is_empty() {
            return Ok(None);
        }
        let known = git.refs()?;
        let mut tips = tips(written)?;
        tips.retain(|_, tip| !known.values().any(|value| value == tip));
        if tips.is_empty() {
            return Ok(None);
        }
        let place = written.uppers.at(&RelPath::new(".git/objects"));
        git.take_in(&place.full(), tips.values(), known.values())?;
        let own = own_references(&label_of(dir));
        let steps: Vec<RefUpdate> = tips
            .into_iter()
            .map(|(name, tip)| RefUpdate::Set(format!("{own}/{name}"), tip))
            .collect();
        git.update_refs(&steps)?;
        Ok(Some(own))
    }
}

/// Where the references of the view lead that were written, by their names below `refs/`.
fn tips(written: &OverlayWork) -> Result<BTreeMap<String, String>, TreeError> {
    let mut tips = BTreeMap::new();
    for (path, entry) in &written.contents.entries {
        let Some(inner) = path.strip(b".git").filter(|_| entry.held == Held::File) else {
            continue;
        };
        let is_stashes = inner.bytes() == STASHES;
        if !is_stashes && !is_reference(&inner) {
            continue;
        }
        let text = written.uppers.text(path)?;
        let name = inner.as_path().display().to_string();
        let name = name.strip_prefix("refs/").unwrap_or(&name);
        if is_stashes {
            let objects = text.lines().filter_map(|line| line.split(' ').nth(1));
            let objects = objects.enumerate();
            tips.extend(objects.map(|(at, tip)| (format!("stashes/{at}"), tip.to_owned())));
        } else if name == "packed-refs" {
            let pairs = text.lines().filter_map(|line| line.split_once(" refs/"));
            tips.extend(pairs.map(|(tip, name)| (name.to_owned(), tip.to_owned())));
        } else {
            tips.insert(name.to_owned(), text.trim_end().to_owned());
        }
    }
    tips.retain(|_, tip| is_object(tip));
    Ok(tips)
}

impl Git {
    /// Brings the objects that these commits need, and the known ones do not, from a directory of objects into
    /// the repository.
    fn take_in<'a>(
        &self,
        objects: &Path,
        tips: impl Iterator<Item = &'a String>,
        known: impl Iterator<Item = &'a String>,
    ) -> Result<(), TreeError> {
        let known = known.filter(|value| is_object(value));
        let known = known.map(|object| format!("^{object}\n"));
        let input: String = tips.map(|tip| format!("{tip}\n")).chain(known).collect();
        self.pack(objects, input.into_bytes())
    }
}
