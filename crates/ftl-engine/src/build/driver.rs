//! The run loop. It decides nothing: the machine says what comes next, the world does it.

use super::Fault;
use super::chronicle::Chronicle;
use super::world::World;
use crate::machine::{Next, State, Verdict};

/// Runs `state` to its end.
pub(super) fn drive(
    mut state: State,
    world: &mut World<'_>,
    chronicle: &mut Chronicle<'_>,
) -> Result<Verdict, Fault> {
    loop {
        match state.next() {
            Next::Finished(verdict) => return Ok(*verdict),
            Next::Perform(effect) => {
                let event = world.perform(effect, &state, chronicle)?;
                state = state.apply(event.clone())?;
                chronicle.record(&event, &state)?;
            }
        }
    }
}
