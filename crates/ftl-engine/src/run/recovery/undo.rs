//! Undoing a request that ftl did not live to compare.
//!
//! An interrupt never comes here: it was compared and put back when it came. After a kill or a power cut
//! it is unknown who wrote what differs from the snapshot, the implementer before it ended or the user
//! since. So only the delta is put back without asking, with copies; and nothing of other tasks that were
//! built in the tree since, whose implementers some ftl did see.

use std::collections::BTreeSet;
use std::path::Path;

use ftl_model::DeltaPath;
use ftl_tree::{Changes, Snapshot, Tree};

use super::Unfinished;
use crate::run::output::shown;
use crate::run::recorder::Note;
use crate::run::site::Site;
use crate::run::slots::landing;
use crate::run::snapshots::{names_in, runs_in};
use crate::run::{Fault, Reporter, Whose, crash_backup, isolation, own_run, putting_back};
use crate::text::{listed, now, shell_word};

/// A request that was under way when ftl was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UnderWay {
    request: u32,
    /// Whether its changes were being put back already.
    putting_back: bool,
}

/// The request that was never compared: captured, and neither put back nor kept since.
fn under_way(pending: &[Note]) -> Option<UnderWay> {
    let mut found = None;
    for note in pending {
        match note {
            Note::Captured { request } => {
                found = Some(UnderWay { request: *request, putting_back: false });
            }
            Note::PuttingBack { request } => {
                found = Some(UnderWay { request: *request, putting_back: true });
            }
            Note::PutBack { .. } | Note::Kept { .. } | Note::Isolated { .. } => found = None,
            Note::TakingOver { .. } | Note::Starts(_) | Note::Started(_) => {}
        }
    }
    found
}

/// Puts back what a killed request left, or asks whose it is.
///
/// # Errors
/// [`Fault::WhoseWork`] where something outside the delta differs and the settings do not say whose it is.
pub(super) fn undo(
    site: &Site<'_>,
    tree: &Tree,
    found: &mut Unfinished,
    reporter: &mut dyn Reporter,
) -> Result<(), Fault> {
    free_names(site, reporter)?;
    tell_earlier(site, tree, &found.pending, reporter);
    if let Some(isolated) = isolation::under_way(&found.pending) {
        isolation::recover(site, tree, &isolated, reporter)?;
        let request = isolated.request;
        return note(found, &Note::PutBack { request });
    }
    let Some(UnderWay { request, putting_back }) = under_way(&found.pending) else {
        return Ok(());
    };
    let dir = site.snapshots()?.before(request);
    let snapshot = tree.load(&dir)?.ok_or(Fault::NoSnapshot { run: found.run.number(), dir })?;
    // Killed between the snapshot and the backup: no implementer was asked, so nothing that differs is an implementer's.
    if !putting_back && !crash_backup::is_kept_of(site.layout, &site.run)? {
        return note(found, &Note::PutBack { request });
    }
    let theirs = later_deltas(site, tree, &snapshot)?;
    if !putting_back {
        let changes = tree.compare(&snapshot)?;
        let changed = changed(tree, &changes, theirs.as_ref());
        match site.settings.start.whose {
            Some(Whose::User) if !changed.is_empty() => {
                note(found, &Note::Kept { request })?;
                found.kept += 1;
                tree.let_go(&snapshot)?;
                return Ok(());
            }
            None if changed.outside => {
                return Err(Fault::WhoseWork {
                    run: found.run.number(),
                    paths: changed.shown(),
                    dir: site.interrupted_dir(request),
                });
            }
            Some(_) | None => {}
        }
        tree.plan_put_back(&snapshot, &changes)?;
    }
    note(found, &Note::PuttingBack { request })?;
    let dir = site.interrupted_dir(request);
    let done = match theirs {
        Some(theirs) => {
            reporter.warning(
                "other tasks were built in this tree since the run was interrupted: \
                 only the files of this one's delta are put back",
            );
            tree.let_go(&snapshot)?;
            tree.restore_delta(&snapshot, &dir, &theirs)?
        }
        None => tree.finish(&snapshot, &dir)?,
    };
    // Should the run stop again before its next request, what differs then is the user's.
    note(found, &Note::PutBack { request })?;
    if let Some(text) = putting_back::put_back_text(site, tree, &done, &dir) {
        reporter.warning(&text);
    }
    Ok(())
}

/// Moves aside what is in the way of the run's own files.
fn free_names(site: &Site<'_>, reporter: &mut dyn Reporter) -> Result<(), Fault> {
    let freed = own_run::free_names(site.run.dir())?;
    if !freed.is_empty() {
        let names: Vec<String> = freed.iter().map(|path| path.display().to_string()).collect();
        reporter.warning(&format!(
            "moved aside in the run's directory, where they were in the way: {}",
            listed(&names)
        ));
    }
    Ok(())
}

/// Names what was put back since the last event. The ftl that put it back may have been killed before it
/// reported that, so it is reported whenever the run goes on.
fn tell_earlier(site: &Site<'_>, tree: &Tree, pending: &[Note], reporter: &mut dyn Reporter) {
    let put_back = pending.iter().filter_map(|note| match note {
        Note::PuttingBack { request } => Some(*request),
        Note::Captured { .. }
        | Note::Isolated { .. }
        | Note::TakingOver { .. }
        | Note::PutBack { .. }
        | Note::Kept { .. }
        | Note::Starts(_)
        | Note::Started(_) => None,
    });
    let requests: BTreeSet<u32> = put_back.collect();
    for dir in requests.into_iter().flat_map(|request| site.interrupted_dirs(request)) {
        tree.dress_kept(&dir);
        tell_kept(site, &dir, reporter);
    }
}

fn tell_kept(site: &Site<'_>, dir: &Path, reporter: &mut dyn Reporter) {
    let kept = kept_in(dir);
    if !kept.is_empty() {
        let dir = shown(site, dir);
        reporter.warning(&format!(
            "what was put back earlier is in `{dir}`: {}; `cp -a {} .` brings it back",
            listed(&kept),
            shell_word(&format!("{dir}/."))
        ));
    }
}

/// Names what was put back when the run's landing was taken back: another run may have done that, and have been killed
/// before it reported it.
pub(super) fn tell_taken_back(site: &Site<'_>, reporter: &mut dyn Reporter) {
    for dir in landing::kept_dirs(site.run.dir()) {
        tell_kept(site, &dir, reporter);
        let deleted = landing::deleted_beside(&dir);
        if !deleted.is_empty() {
            reporter.warning(&putting_back::undeleted_text(&deleted));
        }
    }
}

/// The files below a directory by their paths in it, sorted. Links are not followed; what can't be
/// listed is left out.
fn kept_in(dir: &Path) -> Vec<String> {
    let mut kept = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(&path).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(entry.path());
            } else if let Ok(path) = entry.path().strip_prefix(dir) {
                kept.push(path.display().to_string());
            }
        }
    }
    kept.sort();
    kept
}

fn note(found: &mut Unfinished, note: &Note) -> Result<(), Fault> {
    found.journal.append_note(&now(), note)?;
    Ok(found.journal.sync()?)
}

/// What differs from the snapshot of a killed request.
struct Changed {
    paths: Vec<String>,
    /// Whether some of it is outside the delta.
    outside: bool,
}

impl Changed {
    /// So many paths are named in a message.
    const SHOWN: usize = 30;

    fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    fn shown(&self) -> Vec<String> {
        let mut shown: Vec<String> = self.paths.iter().take(Self::SHOWN).cloned().collect();
        if let Some(more) = self.paths.len().checked_sub(Self::SHOWN).filter(|more| *more > 0) {
            shown.push(format!("{more} more"));
        }
        shown
    }
}

/// What differs, without the deltas of tasks that were built since: ftl saw their implementers.
fn changed(tree: &Tree, changes: &Changes, theirs: Option<&BTreeSet<DeltaPath>>) -> Changed {
    let is_theirs =
        |path: &str| theirs.is_some_and(|theirs| theirs.iter().any(|known| known.as_str() == path));
    let delta = changes.delta.iter().filter(|(_, file)| file.change.is_some());
    let mut paths: Vec<String> = delta.map(|(path, _)| path.to_string()).collect();
    let strays = changes.strays.iter().map(|stray| tree.shown(&stray.path));
    let mut strays: Vec<String> = strays.filter(|path| !is_theirs(path)).collect();
    strays.extend(changes.git.described());
    let outside = !strays.is_empty();
    paths.extend(strays);
    Changed { paths, outside }
}

/// The delta files of tasks that took a snapshot of the tree after `snapshot`, if any did: their work
/// must not be undone with ours.
fn later_deltas(
    site: &Site<'_>,
    tree: &Tree,
    snapshot: &Snapshot,
) -> Result<Option<BTreeSet<DeltaPath>>, Fault> {
    let own = site.snapshots()?;
    let mut theirs = None;
    let runs = runs_in(own.project())?.into_iter().map(|(_, _, run)| run);
    for run in runs.filter(|run| run != own.dir()) {
        for request in names_in(&run)? {
            if let Some(other) = tree.load_later(&run.join(request), snapshot)? {
                let theirs: &mut BTreeSet<DeltaPath> = theirs.get_or_insert_default();
                theirs.extend(other.delta().into_keys());
            }
        }
    }
    Ok(theirs)
}
