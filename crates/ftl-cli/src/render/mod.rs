//! What people and programs see of a build.

pub(crate) mod events;
pub(crate) mod outcome;
mod progress;
pub(crate) mod watcher;
