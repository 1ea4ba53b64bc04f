//! Files that complete tasks delivered and that are neither changed nor committed since: no news to the user.

use std::collections::BTreeSet;
use std::path::Path;

use ftl_model::Digest;
use ftl_store::{Layout, read_regular};
use ftl_tree::{Base, Tree};
use ftl_xml::read as read_document;

use crate::project::{WorkspaceFile, read_workspace_file};

/// Bytes of a file that is compared with what was delivered.
const LARGEST: u64 = 16 << 20;

/// The files outside the delta that differ from `base`, without those that are as the last run of a complete task
/// left them.
pub(in crate::run) fn others(tree: &Tree, base: &Base, layout: &Layout) -> Vec<String> {
    let mut paths: Vec<String> = base.strays.iter().map(|path| tree.shown(path)).collect();
    if paths.is_empty() {
        return paths;
    }
    // What can't be read delivered nothing.
    let all = WorkspaceFile::all(layout).unwrap_or_default().into_iter();
    let delivered: BTreeSet<(String, String)> =
        all.filter_map(|task| files(&task.real_path())).flatten().collect();
    paths.retain(|path| {
        let bytes = read_regular(&layout.root().join(path), LARGEST).ok();
        let digest = bytes.map_or("none".to_owned(), |bytes| Digest::of(&bytes).to_string());
        !delivered.contains(&(path.clone(), digest))
    });
    paths
}

/// The files of a record's last run, each with its digest.
fn files(record: &Path) -> Option<Vec<(String, String)>> {
    let bytes = read_workspace_file(record).ok()?;
    let document = read_document(&bytes).ok()?;
    let is_complete = document.root().attribute("status").as_deref() == Some("complete");
    let run = document.root().children_named("run").last().filter(|_| is_complete)?;
    let attribute = |file: ftl_xml::ElementRef<'_, '_>, name: &str| {
        file.attribute(name).map(std::borrow::Cow::into_owned)
    };
    let files = run.children_named("file");
    Some(
        files
            .filter_map(|file| Some((attribute(file, "path")?, attribute(file, "sha256")?)))
            .collect(),
    )
}
