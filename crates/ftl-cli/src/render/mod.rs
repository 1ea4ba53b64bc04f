//! What people and programs see of a build, and of verdicts on syntax.

pub(crate) mod events;
pub(crate) mod outcome;
pub(crate) mod progress;
pub(crate) mod verdicts;
pub(crate) mod watcher;
