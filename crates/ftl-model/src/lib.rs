//! The nouns of ftl: what a workspace file says, which files a task may touch, how task files are
//! named, and where in a text a finding lies.
//!
//! Everything here is plain owned data and pure functions over it. Nothing reads a file, a clock or
//! the environment, and nothing knows how the data is written down: XML is `ftl-xml`'s business.

mod context;
mod delta_path;
mod idioms;
mod knowledge;
mod lineage;
mod name;
mod place;
mod workspace;

pub use context::CodeContext;
pub use delta_path::{DeltaPath, DeltaPathProblem};
pub use idioms::{Idiom, Idioms};
pub use knowledge::{Failure, Pattern, PriorKnowledge, Utilized};
pub use lineage::{Lineage, Parent};
pub use name::{NotAWorkspaceName, Status, WorkspaceId, WorkspaceName};
pub use place::{Lines, Place};
pub use workspace::{DEFAULT_BUDGET, Workspace};
