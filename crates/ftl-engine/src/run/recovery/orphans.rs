//! Processes that a dead run left running: found by the notes in its journal, and ended.
//!
//! A run that ends in order ends its own children, see `ftl-process`. Here the builder itself was killed.

use std::path::{Component, Path};

use ftl_process::Leftover;
use ftl_store::{Journal, LineKind};

use crate::run::Reporter;
use crate::run::commands::output::names;
use crate::run::journal::recorder::Note;
use crate::run::site::{Site, files};

/// Ends the processes of a builder that died while it held the tree, so that they do not write into it from
/// here on. Its task can still be resumed. Returns its notes since the last event; none of a run that
/// cannot be read, which is not part of this one.
pub(in crate::run) fn end_abandoned(
    site: &Site<'_>,
    run: &str,
    reporter: &mut dyn Reporter,
) -> Vec<Note> {
    let mut parts = Path::new(run).components();
    if !parts.all(|part| matches!(part, Component::Normal(_))) {
        return Vec::new();
    }
    let dir = site.layout.runs_dir().join(run);
    let Ok(entries) = Journal::peek(files(), &dir) else {
        return Vec::new();
    };
    let since =
        entries.iter().rposition(|entry| entry.kind == LineKind::Event).map_or(0, |last| last + 1);
    let notes = entries[since..].iter().map(|entry| entry.decode());
    let pending: Vec<Note> = notes.collect::<Result<_, _>>().unwrap_or_default();
    tell(&format!("run {run}, which had died,"), &end(site, &pending), reporter);
    pending
}

/// Names them to the user.
pub(in crate::run) fn tell(who: &str, ended: &[Leftover], reporter: &mut dyn Reporter) {
    if !ended.is_empty() {
        let names = names(ended);
        reporter.warning(&format!("ftl ended the processes that {who} had left running: {names}"));
    }
}

/// Children of the dead run that still run are ended: by their groups, then each process that left a group
/// and holds the output still.
pub(in crate::run) fn end(site: &Site<'_>, pending: &[Note]) -> Vec<Leftover> {
    let grace = site.settings.grace;
    let of_group = |note: &Note| match note {
        Note::Started(group) => group.end(grace),
        Note::Starts(_) | Note::Asked { .. } => Vec::new(),
    };
    let of_trail = |note: &Note| match note {
        Note::Starts(trail) => trail.end(grace),
        Note::Started(_) | Note::Asked { .. } => Vec::new(),
    };
    let groups = pending.iter().flat_map(of_group);
    groups.chain(pending.iter().flat_map(of_trail)).collect()
}
