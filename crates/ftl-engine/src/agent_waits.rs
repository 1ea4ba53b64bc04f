//! Which tasks wait for an agent that can't be reached, for `ftl status`. It is a file beside the runs, and counts while its
//! command builds.

use ftl_store::{Files, Layout, Lock, OsFiles};

use crate::result::AgentWait;

/// The name of the file, in the directory of runs.
const WAITS: &str = "waits.json";

/// Keeps them. Where that fails, `ftl status` shows none.
pub(crate) fn keep(layout: &Layout, waits: &[AgentWait]) {
    let path = layout.runs_dir().join(WAITS);
    if waits.is_empty() {
        let _ = OsFiles.remove(&path);
    } else if let Ok(bytes) = serde_json::to_vec(waits) {
        let _ = OsFiles.write_unsynced(&path, &bytes, None);
    }
}

/// Those of a command that is under way.
pub(crate) fn read(layout: &Layout) -> Vec<AgentWait> {
    let bytes = OsFiles.read(&layout.runs_dir().join(WAITS)).unwrap_or_default();
    let mut waits: Vec<AgentWait> = serde_json::from_slice(&bytes).unwrap_or_default();
    waits.retain(|wait| Lock::refuse_building(layout, &wait.id).is_err());
    waits
}
