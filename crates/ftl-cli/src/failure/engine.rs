//! The engine's errors as failures of a command: each with its code, its exit code and what to do.
//!
//! The engine's messages are not reworded here. Several errors at once become one failure each.

use ftl_engine::author::Malformed;
use ftl_engine::author::create::CreateError;
use ftl_engine::author::new::{DeltaError, NewError};
use ftl_engine::author::reopen::ReopenError;
use ftl_engine::author::seal::SealError;
use ftl_engine::author::take::TakeError;
use ftl_engine::project::walk::WalkError;
use ftl_engine::project::{FindError, LookupError};
use ftl_engine::run::{Fault, FileError, StoreError};
use ftl_engine::tasks::GraphError;
use ftl_engine::tools::ToolsError;
use ftl_text::with_causes;
use ftl_xml::plan::PlanProblem;

use super::{Failure, task_file};
use crate::advice;
use crate::exit::USAGE;

impl Failure {
    /// Adds what to do about it, where that is known.
    fn advised(self, help: Option<impl Into<String>>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::failed(error.code(), with_causes(&error)).advised(advice::for_store(&error))
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        StoreError::from(error).into()
    }
}

impl From<Fault> for Failure {
    fn from(mut fault: Fault) -> Self {
        if let Fault::Changed { changes, .. } = &mut fault {
            *changes = advice::as_typed(changes);
        }
        let exit = advice::exit_of(&fault);
        Self::new(exit, fault.code(), with_causes(&fault))
            .advised(advice::for_fault(&fault))
            .next(advice::next_for_fault(&fault))
    }
}

impl From<WalkError> for Failure {
    fn from(error: WalkError) -> Self {
        Self::failed("preflight::walk", error.to_string())
    }
}

impl From<FindError> for Failure {
    fn from(error: FindError) -> Self {
        match error {
            FindError::File(error) => error.into(),
            FindError::NotADirectory { .. } => Self::usage("usage::root", error.to_string()),
            _ => Self::failed("store::current_directory", with_causes(&error)),
        }
    }
}

impl From<GraphError> for Failure {
    fn from(error: GraphError) -> Self {
        let help = match error {
            GraphError::Store(error) => return error.into(),
            GraphError::Dropped { ref dropped, .. } => {
                let help = format!(
                    "make that task active again with `ftl reopen {dropped}`, or pass `--ignore-depends`"
                );
                return Self::usage("usage::depends", error.to_string()).help(help);
            }
            GraphError::Cyclic { .. } => "correct the `depends` attributes of these tasks",
            _ => "build them first or along with it, or pass `--ignore-depends`",
        };
        Self::usage("usage::depends", error.to_string()).help(help)
    }
}

impl From<LookupError> for Failure {
    fn from(error: LookupError) -> Self {
        let code = match error {
            LookupError::Find(error) => return error.into(),
            LookupError::File(error) => return error.into(),
            LookupError::Unreadable(error) => {
                return Self::failed("store::file", with_causes(&error)).help(advice::READABLE);
            }
            LookupError::Name { .. } => "usage::workspace_name",
            LookupError::NotAFile { .. } => "usage::workspace_not_a_file",
            LookupError::Finished { .. } => "usage::workspace_finished",
            LookupError::Ambiguous { .. } => "usage::workspace_ambiguous",
            _ => "usage::workspace_missing",
        };
        Self::usage(code, with_causes(&error))
            .advised(advice::for_lookup(&error))
            .next(advice::next_for_lookup(&error))
    }
}

impl From<Malformed> for Failure {
    fn from(malformed: Malformed) -> Self {
        let Malformed { path, bytes, error } = malformed;
        task_file::unreadable(&path, &bytes, &error)
    }
}

impl From<NewError> for Failure {
    fn from(error: NewError) -> Self {
        match error {
            NewError::Store(error) => error.into(),
            NewError::Malformed(malformed) => malformed.into(),
            NewError::Invalid { path, content, problems } => {
                task_file::invalid(&path, &content, &problems)
            }
            NewError::Delta(problems) => Self::every(problems),
            NewError::NoSuchTask { .. } => Self::usage("usage::depends", error.to_string())
                .help("`ftl status` lists the tasks"),
            NewError::NoVerify => {
                Self::usage("usage::verify", error.to_string()).help(advice::VERIFY)
            }
            _ => Self::usage("usage::delta", error.to_string()).help(advice::DELTA_FILE),
        }
    }
}

impl From<DeltaError> for Failure {
    fn from(error: DeltaError) -> Self {
        Self::usage("usage::delta", error.to_string()).help(advice::DELTA)
    }
}

impl From<SealError> for Failure {
    fn from(error: SealError) -> Self {
        match error {
            SealError::Store(error) => error.into(),
            SealError::Lookup(error) => error.into(),
            SealError::Malformed(malformed) => malformed.into(),
            SealError::OtherStatus { ref path, ref text, place, .. } => {
                Self::usage("usage::workspace_not_active", error.to_string())
                    .help(advice::STATUS)
                    .at(path, text, place)
            }
            _ => Self::usage("usage::workspace_finished", error.to_string()),
        }
    }
}

impl From<ToolsError> for Failure {
    fn from(error: ToolsError) -> Self {
        match error {
            ToolsError::File(error) => error.into(),
            ToolsError::Tree(error) => Fault::Tree(error).into(),
            ToolsError::Request { .. } => Self::usage("usage::request", error.to_string())
                .help("leave `--request` out: it is for agents that a build has asked"),
            _ => Self::failed("mcp::task", with_causes(&error))
                .help("`ftl workspace validate` shows everything that is wrong with the task file"),
        }
    }
}

impl From<TakeError> for Failure {
    fn from(error: TakeError) -> Self {
        let (exit, code) = match error {
            TakeError::Store(error) => return error.into(),
            TakeError::Tree(error) => return Fault::Tree(error).into(),
            TakeError::Fault(fault) => return fault.into(),
            TakeError::NoWork { .. } => (USAGE, "usage::no_work"),
            TakeError::NotApart { .. } => (USAGE, "usage::not_apart"),
            _ => (USAGE, "usage::untakable"),
        };
        Self::new(exit, code, with_causes(&error)).advised(advice::for_take(&error))
    }
}

impl From<ReopenError> for Failure {
    fn from(error: ReopenError) -> Self {
        let (exit, code) = match error {
            ReopenError::Store(error) => return error.into(),
            ReopenError::Lookup(error) => return error.into(),
            ReopenError::Malformed(malformed) => return malformed.into(),
            ReopenError::Take(error) => return error.into(),
            ReopenError::Invalid { path, content, problems } => {
                return task_file::invalid(&path, &content, &problems);
            }
            ReopenError::Pattern { .. } => (USAGE, "usage::pattern"),
            ReopenError::Active { .. } => (USAGE, "usage::workspace_not_blocked"),
            ReopenError::Finished { .. } => (USAGE, "usage::workspace_finished"),
            _ => (USAGE, "usage::reopen"),
        };
        Self::new(exit, code, with_causes(&error)).advised(advice::for_reopen(&error))
    }
}

impl From<CreateError> for Failure {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::Store(error) => error.into(),
            CreateError::Malformed(malformed) => malformed.into(),
            _ => Self::failed("plan::begun", error.to_string()).advised(advice::for_create(&error)),
        }
    }
}

impl From<PlanProblem> for Failure {
    fn from(problem: PlanProblem) -> Self {
        Self::failed("plan::problem", problem.to_string()).help(advice::PLAN)
    }
}

impl Failure {
    /// One failure that holds them all.
    pub(crate) fn every<E: Into<Self>>(errors: Vec<E>) -> Self {
        let failures = errors.into_iter().map(Into::into);
        Self::of_all(failures).expect("because a list of errors has at least one")
    }
}
