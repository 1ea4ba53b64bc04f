//! What was in the tree in place of strays, beside the quarantine that holds them:
//!
//! ```text
//! .ftl/runs/ID/N/quarantine/R         the strays of request R
//! .ftl/runs/ID/N/quarantine/R.json    of each stray, how the tree was put back
//! ```
//!
//! When a stray is taken in later, this shows whether a person has changed the file since.

use std::collections::BTreeMap;
use std::path::Path;

use ftl_model::DeltaPath;
use ftl_store::{Files, Run, write_out};
use ftl_tree::{PathState, Tree};

use super::Fault;
use super::site::{Site, files};
use crate::project::lexical;

/// Where a quarantine holds what was above the root, by its path from the repository's top.
pub(crate) const ABOVE: &str = "above-root";

/// The path of a stray in a quarantine.
pub(crate) fn in_quarantine(root: &Path, top: &Path, stray: &str) -> Option<String> {
    if !stray.starts_with("../") {
        return Some(stray.to_owned());
    }
    let whole = lexical(&root.join(stray));
    let below = whole.strip_prefix(top).ok()?.to_str()?;
    Some(format!("{ABOVE}/{below}"))
}

/// Notes how the tree is in place of these strays, by their paths in the quarantine.
pub(super) fn keep(
    site: &Site<'_>,
    tree: &Tree,
    request: u32,
    strays: &[String],
) -> Result<(), Fault> {
    let mut originals: BTreeMap<String, PathState> = BTreeMap::new();
    let (root, scope) = (site.root(), &site.settings.tree);
    let top = Tree::top_of(root, scope.watch)?;
    let above = match strays.iter().any(|stray| stray.starts_with("../")) {
        true => Some(Tree::open(&top, &[], scope.clone())?),
        false => None,
    };
    for stray in strays {
        let Some(name) = in_quarantine(root, &top, stray) else {
            continue;
        };
        let (tree, path) = match (name.strip_prefix(ABOVE), &above) {
            (Some(below), Some(above)) => (above, below.trim_start_matches('/')),
            _ => (tree, name.as_str()),
        };
        let state = DeltaPath::parse(path).ok().and_then(|path| tree.state(&path).ok());
        if let Some(state) = state {
            originals.insert(name, state);
        }
    }
    let bytes = serde_json::to_vec(&originals).map_err(ftl_store::StoreError::JournalData)?;
    let name = format!("{request}.json");
    write_out(files(), &site.run.quarantine(), &name, &bytes)?;
    Ok(())
}

/// What was noted. Nothing where nothing can be read: then only what is not there is taken in.
pub(crate) fn read(run: &Run, request: u32) -> BTreeMap<String, PathState> {
    let path = run.quarantine().join(format!("{request}.json"));
    let bytes = files().read(&path).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// The requests of a run that have a quarantine, in order.
pub(crate) fn requests(run: &Run) -> Vec<u32> {
    let names = files().list(&run.quarantine()).unwrap_or_default();
    let mut requests: Vec<u32> =
        names.iter().filter_map(|name| name.to_str()?.parse().ok()).collect();
    requests.sort_unstable();
    requests
}
