//! A task under way, and how it can end.

use crate::outages::Outage;

/// A task that is under way. It ends once: [`Schedule::end`](crate::Schedule::end) takes it.
#[derive(Debug, PartialEq, Eq)]
pub struct Started {
    pub(crate) task: usize,
    pub(crate) attempt: u32,
    pub(crate) rung: u32,
}

impl Started {
    /// Its index.
    #[must_use]
    pub fn task(&self) -> usize {
        self.task
    }

    /// The number of the try, from 1.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Which of its agents makes it, from 0. A try on a fresh base keeps the agent.
    #[must_use]
    pub fn rung(&self) -> u32 {
        self.rung
    }
}

/// How a task under way ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// Complete.
    Complete,
    /// Blocked.
    Blocked(Again),
    /// ftl could not go on with it.
    Failed,
    /// Its agent could not be reached. The task is as it was; no attempt is charged.
    Outage(Outage),
    /// Nor could the program that asks the agent, for as long as a command waits: nothing more starts.
    Unreachable,
    /// There is no room for as many at once. The task is as it was, and no more start than are under way without it.
    NoRoom,
}

/// Whether a block may be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Again {
    /// No: another try would end the same way.
    Never,
    /// Yes, while attempts remain.
    Attempt,
    /// Yes, on a fresh base: the tree changed below the task. Costs no attempt.
    FreshBase,
}
