//! What was in the tree in place of strays, beside the quarantine that holds them:
//!
//! ```text
//! .ftl/runs/ID/N/quarantine/R         the strays of request R
//! .ftl/runs/ID/N/quarantine/R.json    of each stray, how the tree was put back
//! ```
//!
//! Whoever takes a stray in later tells by it whether a person has changed the file since.

use std::collections::BTreeMap;

use ftl_model::DeltaPath;
use ftl_store::{Files, Run, write_out};
use ftl_tree::{FileState, Tree};

use super::Fault;
use super::site::{Site, files};

/// Notes how the tree is in place of these strays. Those above the root, which no task takes, are left out.
pub(super) fn keep(
    site: &Site<'_>,
    tree: &Tree,
    request: u32,
    strays: &[String],
) -> Result<(), Fault> {
    let mut originals: BTreeMap<&str, FileState> = BTreeMap::new();
    for stray in strays {
        let Ok(path) = DeltaPath::parse(stray) else {
            continue;
        };
        if let Ok(state) = tree.file_state(&path) {
            originals.insert(stray, state);
        }
    }
    let bytes = serde_json::to_vec(&originals).map_err(ftl_store::StoreError::JournalData)?;
    let name = format!("{request}.json");
    write_out(files(), &site.run.quarantine(), &name, &bytes)?;
    Ok(())
}

/// What was noted. Nothing where nothing can be read: then only what is not there is taken in.
pub(crate) fn read(run: &Run, request: u32) -> BTreeMap<String, FileState> {
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
