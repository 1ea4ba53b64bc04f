//! The run loop. It decides nothing: the machine says what comes next, a performer does it.

use ftl_machine::{Effect, Event, Next, State, Verdict};

use crate::run::Fault;
use crate::run::journal::recorder::Recorder;

/// Performs what the machine asks for, and returns the resulting event.
pub(super) trait Perform {
    /// Performs one effect.
    ///
    /// # Errors
    ///
    /// [`Fault`] where ftl's own footing gave way. A failing check, a failing test and a time limit
    /// are events.
    fn perform(&mut self, effect: Effect, recorder: &mut Recorder<'_>) -> Result<Event, Fault>;
}

/// Runs `state` to its end.
pub(super) fn drive(
    mut state: State,
    world: &mut dyn Perform,
    recorder: &mut Recorder<'_>,
) -> Result<Verdict, Fault> {
    loop {
        match state.next() {
            Next::Finished(verdict) => return Ok(*verdict),
            Next::Perform(effect) => {
                let event = world.perform(effect, recorder)?;
                state = state.apply(event.clone())?;
                recorder.record(&event, &state)?;
            }
        }
    }
}
