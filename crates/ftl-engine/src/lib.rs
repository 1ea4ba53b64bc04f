//! The engine of ftl: a pure machine, the driver that runs it, and the world it acts on.

pub mod build;
mod digest;
pub mod errors;
pub mod findings;
pub mod json;
pub mod machine;
pub mod matching;
pub mod project;
pub mod quality;
pub mod scope;
pub mod status;
pub mod store;
pub mod validate;
