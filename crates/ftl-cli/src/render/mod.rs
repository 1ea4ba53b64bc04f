//! What people and programs see of a build, and of diagnostics on syntax.

pub(crate) mod diagnostics;
pub(crate) mod events;
pub(crate) mod outcome;
pub(crate) mod progress;
pub(crate) mod reporter;
