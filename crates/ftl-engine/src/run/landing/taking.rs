//! Saved work, laid into the project for a user.

use std::path::PathBuf;

use ftl_model::DeltaPath;
use ftl_store::{Layout, Run};

use super::landed::{dir, forget};
use super::tree_lock::LockedTree;
use crate::run::commands::secrets::Secrets;
use crate::run::effects::preflighting;
use crate::run::site::Site;
use crate::run::work::last_work::LastWork;
use crate::run::{Fault, Reporter, Settings};

/// What was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Files that are in the project now.
    pub taken: Vec<String>,
    /// Of these, files of which both versions were merged.
    pub merged: Vec<String>,
    /// Files that stay as they are, since the project's version differs at the same places.
    pub conflicts: Vec<String>,
    /// Where the versions of the conflicts are.
    pub apart: Option<PathBuf>,
}

/// Lays saved work into the project for a user, under its lock.
pub(crate) fn lay_into_project(
    settings: &Settings,
    layout: &Layout,
    run: Run,
    last: &LastWork,
    reporter: &mut dyn Reporter,
) -> Result<Taken, Fault> {
    let site = Site { settings, layout, run, secrets: Secrets::new(&settings.redactor) };
    let locked = LockedTree::enter(&site, &[], None, reporter)?;
    let dir = dir(settings, layout)?;
    let mut accepts = |path: &DeltaPath, bytes: &[u8]| {
        preflighting::parses(settings, &layout.root().join(path), bytes)
    };
    let tree = &locked.tree;
    let landing = tree.plan_landing(&last.base, &last.work, &dir.join("merge"), &mut accepts)?;
    let left = tree.land(&landing, &last.work, tree, (&dir, ""))?;
    forget(&dir)?;
    let shown = |paths: &mut dyn Iterator<Item = &DeltaPath>| -> Vec<String> {
        paths.map(ToString::to_string).collect()
    };
    let (taken, conflicts) = match left.is_empty() {
        true => (shown(&mut landing.paths()), landing.conflicts.clone()),
        false => (Vec::new(), landing.conflicts.iter().chain(&left).cloned().collect()),
    };
    let apart = match conflicts.is_empty() {
        true => None,
        false => {
            let apart = site.run.dir().join("conflicts");
            last.work.copy_out(&conflicts, &apart)?;
            Some(apart)
        }
    };
    let conflicts = shown(&mut conflicts.iter());
    Ok(Taken { taken, merged: shown(&mut landing.merged.iter()), conflicts, apart })
}
