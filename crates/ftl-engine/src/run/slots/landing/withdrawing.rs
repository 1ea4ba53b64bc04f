//! Taking a delta back out of the root, with what the verify changed there.
//!
//! Whatever is not what landed, by the verify or by the user, is kept with the run and named.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use ftl_store::replace;
use ftl_tree::{Snapshot, Tree};

use super::{BESIDE, Landed, dir, forget, of};
use crate::run::site::{Site, files};
use crate::run::world::World;
use crate::run::{Fault, Reporter, putting_back, slots};
use crate::text::listed;

/// In the directory of a run: changed files of the delta, and others.
const EDITED: &str = "edited";
const CHANGED: &str = "written";
const PUT_BACK: &str = "put back as it was, since the task is blocked";
const VERIFIED: &str = "verified";
/// The files that are put back from `verified`.
const WRITTEN: &str = "written";

/// Takes a delta back out of the root, which is as it was before it landed, and gives the lock up. What was there
/// is kept in `keep`, where that is asked for. What the verify changed is put back as well.
pub(in crate::run) fn withdraw(world: &mut World<'_>, keep: Option<&Path>) -> Result<(), Fault> {
    let Some(landed) = world.landed.take() else {
        return Ok(());
    };
    let dir = dir(&world.site)?;
    plan_unwriting(world, &landed, &dir)?;
    let texts = take_back(&world.site, &landed.ground.tree, &dir, keep)?;
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
    let copy = &world.ground.as_ref().ok_or(Fault::OutOfOrder("a landing"))?.tree;
    let beside = copy.load(&dir.join(BESIDE))?;
    let beside: Vec<&Snapshot> = beside.iter().collect();
    copy.keep_delta(&beside, &written, &dir.join(VERIFIED))?;
    let bytes = serde_json::to_vec(&written).map_err(ftl_store::StoreError::JournalData)?;
    Ok(replace(files(), &dir.join(WRITTEN), &bytes)?)
}

/// Puts back what the verify changed; what it wrote stays with the run.
fn unwrite(site: &Site<'_>, root: &Tree, dir: &Path, run: &Path) -> Result<Option<String>, Fault> {
    let written = fs::read(dir.join(WRITTEN)).unwrap_or_default();
    let Ok(written) = serde_json::from_slice::<BTreeSet<DeltaPath>>(&written) else {
        return Ok(None);
    };
    let Some(verified) = root.load(&dir.join(VERIFIED))? else {
        return Ok(None);
    };
    let keep = unused(run, CHANGED);
    let done = root.reset_delta(&verified, &keep, |path| written.contains(path))?;
    Ok(putting_back::kept_text(site, "while the verify ran", &done, &keep))
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
        Some(_) => slots::hold_store(&world.site, reporter),
        None => Ok(()),
    }
}

/// What is there and is not what landed, another process's work perhaps, is kept with the run of the landing: in `keep`
/// with all the rest, where that is given.
pub(super) fn take_back(
    site: &Site<'_>,
    root: &Tree,
    dir: &Path,
    keep: Option<&Path>,
) -> Result<Vec<String>, Fault> {
    let run =
        of(dir).map_or_else(|| site.run.dir().to_owned(), |of| site.layout.runs_dir().join(of.run));
    let mut texts: Vec<String> = unwrite(site, root, dir, &run)?.into_iter().collect();
    let plan = dir.join("plan");
    if let Some(before) = root.load(&dir.join("before"))? {
        if let Some(keep) = keep {
            let done = root.reset_delta(&before, keep, |_| true)?;
            let text =
                (!done.is_empty()).then(|| putting_back::reset_text(site, &done, PUT_BACK, true));
            texts.extend(text);
        } else {
            let changed = root.changed_since_take_over(&before, &plan)?;
            let kept = unused(&run, EDITED);
            let done = root.reset_delta(&before, &kept, |path| changed.contains(path))?;
            let text = putting_back::kept_text(site, "since the delta landed", &done, &kept);
            texts.extend(text);
            root.reset_delta(&before, &dir.join("aside"), |_| true)?;
        }
    }
    let undone = root.undo_take_over(&plan)?;
    if !undone.left.is_empty() {
        let left = listed(&undone.left_text(root));
        texts.push(format!("changed since the delta landed, and left as they are: {left}"));
    }
    forget(dir)?;
    Ok(texts)
}

/// A directory of the run that is not there yet: what an earlier one keeps must not be replaced.
fn unused(run: &Path, name: &str) -> PathBuf {
    numbered(run, name).find(|dir| !dir.exists()).expect("because the numbers do not end")
}

fn numbered(run: &Path, name: &str) -> impl Iterator<Item = PathBuf> {
    let later = (2_u64..).map(move |number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(later).map(|name| run.join(name))
}

/// Where a run has what was put back, but for a block.
pub(in crate::run) fn kept_dirs(run: &Path) -> Vec<PathBuf> {
    let dirs = |name| numbered(run, name).take_while(|dir| dir.is_dir());
    dirs(EDITED).chain(dirs(CHANGED)).collect()
}
