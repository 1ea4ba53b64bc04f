//! What a run reports while it goes on: its journal, its events, and the lines that programs read.

pub(super) mod announce;
pub(super) mod notes;
pub(super) mod recorder;
pub(super) mod reporter;
