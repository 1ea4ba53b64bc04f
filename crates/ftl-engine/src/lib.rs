//! The engine of ftl: a pure machine, the driver that runs it, and the world it acts on.

pub mod build;
pub mod errors;
pub mod findings;
pub mod machine;
pub mod matching;
pub mod quality;
pub mod scope;
pub mod store;
