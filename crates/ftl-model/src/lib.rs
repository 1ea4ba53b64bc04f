//! The nouns of ftl: what a workspace file says, which files a task may touch, how task files are
//! named, and where in a text a finding is.
//!
//! Everything here is plain owned data and pure functions over it. Nothing reads a file, a clock or
//! the environment, and nothing knows how the data is written down: XML is `ftl-xml`'s business.

mod agent;
mod base;
mod check;
mod context;
mod delta_path;
mod delta_state;
mod digest;
mod finding;
mod idioms;
mod isolation;
mod knowledge;
mod lineage;
mod name;
mod place;
mod quality;
mod run_failure;
mod words;
mod workspace;

pub use agent::{AgentWork, Tokens};
pub use base::BaseCommit;
pub use check::{Check, CheckStatus, Diagnostic, Severity};
pub use context::CodeContext;
pub use delta_path::{DeltaPath, DeltaPathProblem};
pub use delta_state::{Change, DeltaState, LineCounts, Scratch, Touched};
pub use digest::{Digest, Digester, NotADigest};
pub use finding::Finding;
pub use idioms::{Idiom, Idioms};
pub use isolation::Isolation;
pub use knowledge::{Failure, KnownFailure, Pattern, PriorKnowledge, Remedy, Used, Utilized};
pub use lineage::{Lineage, Parent};
pub use name::{NotAWorkspaceName, Seq, Status, WorkspaceId, WorkspaceName};
pub use place::{Lines, SourcePosition};
pub use quality::{
    ExportStatus, ExportVerdict, IdiomKind, IdiomPlace, IdiomSeverity, IdiomStatus, IdiomVerdict,
};
pub use run_failure::RunFailure;
pub use workspace::{DEFAULT_BUDGET, Workspace};
