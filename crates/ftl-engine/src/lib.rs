//! The engine of ftl: runs of the machine in the world as it is, and everything that is asked about a
//! project's workspaces.
//!
//! * [`run`] takes one workspace from active to its record.
//! * [`tasks`] builds several, in the order that `ftl_schedule` decides.
//! * [`tools`] are what an agent may do to a task through ftl.
//! * [`author`] writes task files without a run: new ones, those of a plan, and manual seals.
//! * [`knowledge`] is what a project's tasks share: failures, compared and written.
//! * [`validate`] and [`status`] read workspaces and change nothing.
//! * [`history`] reads what happened to a task from its runs and its record.
//! * [`performer`] is what another program reads and writes that performs the requests to agents.
//! * [`project`] finds a project, its task files and its sources.
//! * [`result`] has the results of all of them, as types. The caller prints them as JSON; the
//!   schemas in docs/schemas come from [`schema`].

mod agent_waits;
mod check_ledger;
mod languages;
mod parsing;
mod record;
mod store;
mod text;

pub use ftl_analysis::quality::{RuleCard, Rules, frameworks_named};
pub use languages::languages;
pub use store::refuse_building;
pub use text::shell_word;

pub mod author;
pub mod history;
pub mod knowledge;
pub mod performer;
pub mod project;
pub mod protocol;
pub mod result;
pub mod run;
pub mod schema;
pub mod status;
pub mod tasks;
pub mod tools;
pub mod validate;
