//! An event out of turn.

use thiserror::Error;

use crate::StateName;

/// An event that can't arrive in the state it arrived in: a damaged journal, or a defect of ftl.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("event `{event}` can't arrive while the task is in {state} ({doing})")]
pub struct IllegalEvent {
    /// The state, by name.
    pub state: StateName,
    /// What was under way.
    pub doing: &'static str,
    /// The event, by name.
    pub event: &'static str,
}
