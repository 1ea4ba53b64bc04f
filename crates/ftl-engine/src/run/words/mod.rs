//! The sentences of results and records: a block's reason and next steps, warnings, what was delivered.

pub(super) mod attempts;
pub(super) mod delivered;
pub(super) mod doubts;
pub(super) mod tried;
pub(super) mod ways;
pub(super) mod wording;
