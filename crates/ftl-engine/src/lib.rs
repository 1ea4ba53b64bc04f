//! The engine of ftl: runs of the machine in the world as it is, and everything that is asked about a
//! project's workspaces.
//!
//! * [`run`] takes one workspace from active to its record.
//! * [`validate`] and [`status`] read workspaces and change nothing.
//! * [`result`] is what they come to, as types. JSON is made of them by whoever prints it, and the
//!   schemas in docs/schemas by [`schema`].

mod text;

pub use text::{now, shell_word};

pub mod project;
pub mod protocol;
pub mod result;
pub mod run;
pub mod schema;
pub mod status;
pub mod validate;
