//! Requests on an overlay that were interrupted or killed: nothing of them is in the tree, so nothing is
//! asked. What they had written is kept with the run. Only a take-over that was cut short is undone.

use std::path::PathBuf;

use ftl_tree::{Landing, OverlayLayer, Tree};

use super::PLAN;
use crate::run::output::shown;
use crate::run::recorder::Note;
use crate::run::site::Site;
use crate::run::{Fault, Reporter};
use crate::text::{listed, shell_word};

/// A request that was under way on an overlay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::run) struct Isolated {
    pub(in crate::run) request: u32,
    place: PathBuf,
    taking_over: bool,
}

/// The request that these notes tell of, if one was under way on an overlay.
pub(in crate::run) fn under_way(pending: &[Note]) -> Option<Isolated> {
    let mut found: Option<Isolated> = None;
    for note in pending {
        match note {
            Note::Isolated { request, place } => {
                found =
                    Some(Isolated { request: *request, place: place.clone(), taking_over: false });
            }
            Note::TakingOver { .. } => {
                if let Some(found) = &mut found {
                    found.taking_over = true;
                }
            }
            Note::Captured { .. }
            | Note::PuttingBack { .. }
            | Note::PutBack { .. }
            | Note::Kept { .. } => found = None,
            Note::Starts(_) | Note::Started(_) => {}
        }
    }
    found
}

/// Touches the files of the tree that a request of a dead builder holds other versions of. The request itself
/// stays as it is, for its own task to resume.
pub(in crate::run) fn disown(tree: &Tree, pending: &[Note]) -> Result<(), Fault> {
    if let Some(isolated) = under_way(pending) {
        let layers = tree.overlay_layers(&isolated.place);
        if layers.iter().all(|layer| layer.upper.is_dir()) {
            super::touch_dropped(tree, &layers, &Landing::default())?;
        }
    }
    Ok(())
}

/// Undoes a take-over that was cut short, and keeps the partial work.
pub(in crate::run) fn recover(
    site: &Site<'_>,
    tree: &Tree,
    isolated: &Isolated,
    reporter: &mut dyn Reporter,
) -> Result<(), Fault> {
    let request = isolated.request;
    if isolated.taking_over {
        let dir = site.snapshots()?.before(request).join(PLAN);
        let undone = tree.undo_take_over(&dir)?;
        if !undone.left.is_empty() {
            reporter.warning(&format!(
                "changed since the run was killed, and left as they are: {}",
                listed(&undone.left_text(tree))
            ));
        }
    }
    let layers = tree.overlay_layers(&isolated.place);
    // After a restart of the system they may be gone with their file system.
    if layers.iter().any(|layer| !layer.upper.is_dir()) {
        return Ok(());
    }
    if let Some(warning) = keep(site, tree, &layers, request)? {
        reporter.warning(&warning);
    }
    Ok(())
}

/// Keeps partial work with the run, and says where.
pub(super) fn keep(
    site: &Site<'_>,
    tree: &Tree,
    layers: &[OverlayLayer],
    request: u32,
) -> Result<Option<String>, Fault> {
    let stale = super::touch_dropped(tree, layers, &Landing::default())?;
    let written = &tree.written(layers, None)?;
    let dir = site.interrupted_dir(request);
    let commits = super::keep_commits(site, tree, written, request, &dir)?;
    if written.is_empty() && commits.is_none() {
        return Ok(stale);
    }
    let apart = tree.set_all_apart(written, &dir)?;
    let mut parts: Vec<String> = stale.into_iter().collect();
    if !apart.moved.is_empty() {
        let dir = shown(site, &dir);
        parts.push(format!(
            "its files are in `{dir}`: {}; `cp -a {} .` copies them to the project",
            listed(&apart.moved),
            shell_word(&format!("{dir}/."))
        ));
    }
    if !apart.deleted.is_empty() {
        parts.push(format!("it had deleted: {}", listed(&apart.deleted)));
    }
    parts.extend(super::no_room(&apart));
    parts.extend(commits.map(|references| format!("it had changed git's {references}")));
    Ok(Some(format!(
        "nothing of what the interrupted request wrote is in the tree; {}",
        parts.join("; ")
    )))
}
