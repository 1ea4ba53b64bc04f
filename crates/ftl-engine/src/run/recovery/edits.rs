//! Files that were edited between an interrupt and its continuation.
//!
//! What was checked or verified before says nothing of the new bytes, and no verify or preflight command
//! wrote them. So the machine gets their paths, and checks them again. A request compares the delta itself,
//! and needs none of this.

use std::collections::BTreeSet;

use ftl_machine::event::Edited;
use ftl_machine::{Event, State};

use crate::run::Fault;
use crate::run::effects::verifying::verify_source;
use crate::run::world::World;

/// What differs from what the run saw last: the delta; and once a verify passed, the test file that it was
/// judged by. `None` where nothing does, or where it could not change how the task ends.
pub(in crate::run) fn edited(world: &World<'_>, state: &State) -> Result<Option<Event>, Fault> {
    let Some(seen) = state.seen() else {
        return Ok(None);
    };
    let delta = world.delta_state()?;
    let differs = |path: &&_| seen.get(*path) != delta.bytes.get(*path);
    let mut paths: BTreeSet<String> =
        delta.bytes.keys().filter(differs).map(ToString::to_string).collect();
    if let Some(passed) = state.passed()
        && passed.verify_source != verify_source(world).unwrap_or_default()
    {
        paths.extend(world.brief().verify_source.clone());
    }
    // What passed its verify in the project is there no more: it lands again.
    let has_left = world.is_in_workplace() && state.passed().is_some();
    if paths.is_empty() && !has_left {
        return Ok(None);
    }
    let paths = paths.into_iter().collect();
    Ok(Some(Event::Edited(Box::new(Edited { paths, delta }))))
}
