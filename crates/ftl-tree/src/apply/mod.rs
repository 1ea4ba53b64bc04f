//! Changes to the tree: each is planned, made so that nothing that a user saves at the same time is lost, and can be
//! undone.

pub(crate) mod exchange;
pub(crate) mod journal;
pub(crate) mod patch;
pub(crate) mod put_back;
pub(crate) mod take_over;
pub(crate) mod taking;
