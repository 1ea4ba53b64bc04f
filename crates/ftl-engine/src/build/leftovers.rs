//! What a dead run left running: found by the notes in its journal, and ended.

use std::path::{Component, Path};

use ftl_process::Leftover;

use super::Listener;
use super::chronicle::Note;
use super::output::names;
use super::world::World;
use crate::store::{Journal, Kind};

/// Ends what a builder left running that died while it held the tree, so that nobody writes into it
/// behind our back. Its task stays to be gone on with. A run that cannot be read is passed over: it
/// is no part of this one.
pub(super) fn end_of_the_dead(world: &World<'_>, run: &str, listener: &mut dyn Listener) {
    let mut parts = Path::new(run).components();
    if !parts.all(|part| matches!(part, Component::Normal(_))) {
        return;
    }
    let dir = world.layout.runs_dir().join(run);
    let Ok(entries) = Journal::peek(World::files(), &dir) else {
        return;
    };
    let since = entries
        .iter()
        .rposition(|entry| entry.kind == Kind::Event)
        .map_or(0, |last| last + 1);
    let notes = entries[since..].iter().map(|entry| entry.decode());
    if let Ok(pending) = notes.collect::<Result<Vec<Note>, _>>() {
        let ended = end(world, &pending);
        tell(&format!("run {run}, which had died,"), &ended, listener);
    }
}

/// Names them to the user.
pub(super) fn tell(who: &str, ended: &[Leftover], listener: &mut dyn Listener) {
    if !ended.is_empty() {
        let names = names(ended);
        listener.warning(&format!("{who} had left running, and ftl ended: {names}"));
    }
}

/// Children of the dead run that still run are ended: by their groups, then whoever left a group
/// and holds the output still.
pub(super) fn end(world: &World<'_>, pending: &[Note]) -> Vec<Leftover> {
    let grace = world.settings.grace;
    let of_group = |note: &Note| match note {
        Note::Started(group) => group.end(grace),
        Note::Starts(_) | Note::Captured { .. } => Vec::new(),
    };
    let of_trail = |note: &Note| match note {
        Note::Starts(trail) => trail.end(grace),
        Note::Started(_) | Note::Captured { .. } => Vec::new(),
    };
    let groups = pending.iter().flat_map(of_group);
    groups.chain(pending.iter().flat_map(of_trail)).collect()
}
