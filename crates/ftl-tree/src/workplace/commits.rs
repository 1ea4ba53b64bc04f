//! Commits that an implementer made in a workplace: they come into the project's repository, below a reference of ftl's
//! own. No branch of the project moves.

use std::collections::BTreeMap;

use super::{Workplace, repositories};
use crate::git::RefUpdate;
use crate::{RelPath, Tree, TreeError};

/// The list of stashes, in git's directory.
const STASHES: &[u8] = b"logs/refs/stash";

impl Workplace {
    /// Keeps what the references of the workplace lead to, and the project does not have, below the reference `own`.
    /// Returns their names; none where there are no such commits.
    ///
    /// # Errors
    /// When git refuses: an implementer may have broken its repository.
    pub fn keep_commits(&self, tree: &Tree, own: &str) -> Result<Vec<String>, TreeError> {
        let to = repositories::places(&self.dir, tree)?;
        let (Some(live), Some(copy)) = (&tree.places.git, &to.git) else {
            return Ok(Vec::new());
        };
        let known = live.refs()?;
        let mut tips: BTreeMap<String, String> = copy
            .refs()?
            .into_iter()
            .filter(|(name, tip)| known.get(name) != Some(tip))
            .map(|(name, tip)| (name.strip_prefix("refs/").unwrap_or(&name).to_owned(), tip))
            .collect();
        tips.extend(copy.head_object()?.map(|head| ("HEAD".to_owned(), head)));
        let stashes = to.at(&RelPath::new(".git").join(STASHES));
        if let Ok(list) = stashes.file().and_then(std::io::read_to_string) {
            let objects = list.lines().filter_map(|line| line.split(' ').nth(1)).enumerate();
            tips.extend(objects.map(|(at, tip)| (format!("stashes/{at}"), tip.to_owned())));
        }
        tips.retain(|_, tip| tip.len() >= 40 && tip.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let objects: Vec<&str> = tips.values().map(String::as_str).collect();
        let missing = live.missing(&objects)?;
        let is_new = |tip: &String| missing.contains(tip.as_str());
        let new: Vec<(&String, &String)> = tips.iter().filter(|(_, tip)| is_new(tip)).collect();
        if new.is_empty() {
            return Ok(Vec::new());
        }
        let tips = new.iter().map(|(_, tip)| format!("{tip}\n"));
        let known = known.values().filter(|value| !value.starts_with("ref: "));
        let input: String = tips.chain(known.map(|object| format!("^{object}\n"))).collect();
        let objects = to.at(&RelPath::new(".git").join(b"objects"));
        live.pack(&objects.full(), input.into_bytes())?;
        let step = |(name, tip): &(&String, &String)| {
            RefUpdate::Set(format!("{own}/{name}"), (*tip).clone())
        };
        live.update_refs(&new.iter().map(step).collect::<Vec<_>>())?;
        Ok(new.into_iter().map(|(name, _)| name.clone()).collect())
    }
}
