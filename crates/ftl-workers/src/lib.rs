//! Requests to coding agents, performed on other machines over NATS JetStream.
//!
//! The engine runs a program in place of an agent ([`ftl_engine::performer`]). Here is that program's work
//! ([`submit()`]): it publishes the request and waits for a result. A worker pulls requests ([`work()`]) and performs
//! each in a separate process ([`perform()`]). The server keeps requests, leases and results; what this crate adds is
//! how a tree travels.
//!
//! ```text
//! engine ─call.json→ submit ─base, request→ server ─→ worker ─job.json→ perform ─→ agent
//!        ←done.json─        ←output, result─       ←─        ←done.json─
//! ```
//!
//! A worker only writes code. Landing, the verify and the record stay with the project, so a worker that is lost,
//! slow, doubled or lying costs time and never a wrong record: a result is taken over as the work of any agent is.
//! No process of a build without workers uses this crate, or starts a runtime.

mod access;
mod base;
mod checkout;
mod git;
mod list;
pub mod perform;
pub mod protocol;
mod server;
mod setup;
pub mod submit;
pub mod worker;

pub use access::{Access, ServerError};
pub use git::BaseError;
pub use list::{reach, workers};
pub use perform::{agent_of, perform};
pub use protocol::schemas;
pub use submit::{Submission, SubmitError, submit};
pub use worker::{Worker, WorkerError, work};
