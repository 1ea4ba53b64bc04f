//! The commands, one a file.

pub(crate) mod build;
pub(crate) mod completions;
pub(crate) mod create;
pub(crate) mod graph;
pub(crate) mod new;
pub(crate) mod preflight;
pub(crate) mod scout;
pub(crate) mod status;
pub(crate) mod validate;
pub(crate) mod workspace;
