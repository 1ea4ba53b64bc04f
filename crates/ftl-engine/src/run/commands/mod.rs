//! The programs that a run starts, and what is kept of their output.

pub(super) mod children;
pub(super) mod failed;
pub(super) mod output;
pub(super) mod reports;
pub(super) mod secrets;
pub(super) mod setup;
pub(super) mod tail;
pub(super) mod task_commands;
