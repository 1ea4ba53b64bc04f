//! The verify command that passed last in the project, and the files with which it did. A task that begins with the same
//! files and the same command needs no run before its work: that is known.
//!
//! It is a file beside the workplaces.

use std::path::PathBuf;

use ftl_analysis::findings::runs_tests;
use ftl_machine::Evidence;
use ftl_machine::event::{Before, Verification};
use ftl_model::Digest;
use ftl_store::{Files, replace};
use ftl_tree::Tree;
use serde::{Deserialize, Serialize};

use super::held_workplace;
use crate::run::site::{Site, files};

#[derive(Debug, Serialize, Deserialize)]
struct LastPass {
    command: String,
    /// Of the project after it.
    tree: Digest,
    ran: Option<u64>,
    log: Option<String>,
}

/// Whether the verify command is one that also runs before the work, where that costs no time.
pub(in crate::run) fn is_wanted(site: &Site<'_>, command: &str) -> bool {
    site.settings.evidence != Evidence::None && runs_tests(command)
}

/// Keeps that a command passed in the project. If its task is blocked, its files will be others.
pub(in crate::run) fn keep(site: &Site<'_>, tree: &Tree, passed: &Verification) {
    if !is_wanted(site, &passed.command) {
        return;
    }
    let (Some(path), Ok(watch)) = (path(site), tree.watch_whole()) else { return };
    let last = LastPass {
        command: passed.command.clone(),
        tree: watch.digest(),
        ran: passed.ran,
        log: passed.log.clone(),
    };
    let bytes = serde_json::to_vec(&last).expect("because its keys are texts");
    // Without it the next task runs its command before the work.
    let _ = replace(files(), &path, &bytes);
}

/// How a command ended with the files of the project, whose lock is held, where it was the last to run with them.
pub(in crate::run) fn find(site: &Site<'_>, tree: &Tree, command: &str) -> Option<Before> {
    let bytes = files().read(&path(site)?).ok()?;
    let last: LastPass = serde_json::from_slice(&bytes).ok()?;
    if !is_wanted(site, command) || last.command != command {
        return None;
    }
    let is_same = tree.watch_whole().ok()?.digest() == last.tree;
    is_same.then(|| Before { passed: true, ran: last.ran, log: last.log, ..Before::default() })
}

fn path(site: &Site<'_>) -> Option<PathBuf> {
    Some(held_workplace::dir(site.settings, site.layout).ok()?.join("last-pass.json"))
}
