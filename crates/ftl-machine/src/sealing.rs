//! COMPLETE and BLOCK: the record is written, then nothing is left to do.

use crate::task::Task;
use crate::{Effect, Event, IllegalEvent, State, StateName, Verdict};

/// Waiting for the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Sealing {
    pub(super) verdict: Verdict,
    /// Of a complete task, what QUALITY judged: if the user changes it before the record is written,
    /// it was never complete. Of a task that QUALITY blocks after it was verified with others, the same: it lands by
    /// itself before it blocks.
    pub(super) unsealed: Option<Box<Task>>,
}

impl State {
    pub(super) fn seal(verdict: Verdict, unsealed: Option<Box<Task>>) -> Self {
        Self::Seal(Sealing { verdict, unsealed })
    }
}

impl Sealing {
    pub(super) fn effect(&self) -> Effect {
        Effect::Seal(Box::new(self.verdict.clone()))
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::Sealed(sealed) => {
                let verdict = Verdict { record: Some(sealed), ..self.verdict };
                Ok(State::Finished(Box::new(verdict)))
            }
            Event::Edited(edited) => match self.unsealed {
                Some(task) => Ok(State::verify_again(*task, &edited)),
                None => Err(self.illegal(&Event::Edited(edited))),
            },
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::Implemented(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::Mended(_)
            | Event::LandingConflicted(_)
            | Event::OldTestsTried(_)
            | Event::BrokenTried(_)
            | Event::Confirmed(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_) => Err(self.illegal(&event)),
        }
    }

    fn illegal(&self, event: &Event) -> IllegalEvent {
        let state = self.verdict.log.states.last().copied();
        event.illegal(state.unwrap_or(StateName::Block), "sealing the record")
    }
}
