//! Taking a delta back out of the root, with what the verify changed there.
//!
//! Whatever is not what landed, by the verify or by the user, is kept with the run and named.

use std::path::Path;

use ftl_model::DeltaPath;
use ftl_store::{StoreError, replace};
use ftl_tree::Snapshot;

use super::in_root::{self, dir};
use super::{BESIDE, VERIFIED, WRITTEN};
use crate::run::site::files;
use crate::run::world::{Landed, World};
use crate::run::{Fault, Reporter, slots};

/// Takes a delta back out of the root, which is as it was before it landed, and gives the lock up. What was there
/// is kept in `keep`, where that is asked for. What the verify changed is put back as well.
pub(in crate::run) fn withdraw(world: &mut World<'_>, keep: Option<&Path>) -> Result<(), Fault> {
    let Some(landed) = world.landed.take() else {
        return Ok(());
    };
    let dir = dir(world.site)?;
    plan_unwriting(world, &landed, &dir)?;
    let texts = in_root::take_back(world.site, &landed.ground.tree, &dir, keep)?;
    world.put_back.extend(texts);
    world.before = landed.in_copy.or_else(|| world.before.take());
    Ok(())
}

/// Stores what changed in the project since the verify began, as it was: what the copy lacks is in `beside`.
fn plan_unwriting(world: &World<'_>, landed: &Landed, dir: &Path) -> Result<(), Fault> {
    let Some(watch) = &landed.watch else {
        return Ok(());
    };
    let written = landed.ground.tree.written_since(watch)?.files;
    let written: Vec<DeltaPath> =
        written.iter().filter_map(|file| DeltaPath::parse(file).ok()).collect();
    if written.is_empty() {
        return Ok(());
    }
    let copy = world.copy();
    let beside = copy.load(&dir.join(BESIDE))?;
    let beside: Vec<&Snapshot> = beside.iter().collect();
    copy.keep_delta(&beside, &written, &dir.join(VERIFIED))?;
    let bytes = serde_json::to_vec(&written).map_err(StoreError::JournalData)?;
    Ok(replace(files(), &dir.join(WRITTEN), &bytes)?)
}

/// Goes on in the copy, without the root's lock.
pub(in crate::run) fn return_to_copy(
    world: &mut World<'_>,
    reporter: &mut dyn Reporter,
) -> Result<(), Fault> {
    let known = world.put_back.len();
    withdraw(world, None)?;
    // A run that is tried again has no result that is shown.
    for text in world.put_back.iter().skip(known) {
        reporter.warning(text);
    }
    match &world.slot {
        Some(_) => slots::hold_store(world.site, reporter),
        None => Ok(()),
    }
}
