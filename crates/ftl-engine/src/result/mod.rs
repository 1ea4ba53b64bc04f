//! What the engine comes to, as types that serialize to the JSON that programs read.

mod build;
mod checks;
mod events;
mod evidence;
mod history;
mod knowledge;
mod listings;
mod planned;
mod run_id;
mod several;
mod usage;
mod way_on;

pub use build::{
    BlockResult, BuildResult, CommitResult, ErrorText, Failed, FailureEntry, FileResult,
    ImplementerKind, ImplementerResult, OutcomeWord, PreflightResult, QualityResult, RetryResult,
    VerifyResult,
};
pub use checks::{CheckResult, DueCheck, FailedCheck};
pub use events::{CommandEvent, CommandLine, Doing, EventLine, StreamLine};
pub(crate) use events::{Frame, Outline, What};
pub use evidence::{EvidenceResult, Shown};
pub use history::{
    AccountSource, ImplementerAccount, RunAccount, RunLog, RunSummary, StateStep, TaskHistory,
};
pub use knowledge::{KnowledgeEntry, KnowledgeList, KnowledgeTest, TestedFailure};
pub(crate) use listings::diagnostic;
pub use listings::{
    Action, Actions, AgentEntry, AgentList, AgentWait, Check, CheckState, CheckedFile, Examination,
    LanguageEntry, LanguageList, Overview, PreflightReport, Progress, Summary, UnderWay,
    Unreachable, ValidatedFile, Validation, WaitingTask, WorkspaceEntry,
};
pub use planned::{PlanResult, PlannedBefore, PlannedTask};
pub use run_id::RunId;
pub use several::{
    Counts, FailedWorkspace, LimitWord, Results, ScheduleResult, Skipped, WorkspaceResult,
};
pub use usage::{EarlierAttempt, Spent, Usage};
pub use way_on::WayOn;
