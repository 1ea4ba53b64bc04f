//! What a run will tell of itself. History never decides: it is handed on to effects and to the
//! verdict, and no transition depends on it. That is what lets the exploration forget it, and count
//! two states with different pasts as one.

use std::collections::BTreeMap;

use ftl_model::{
    AgentWork, BaseCommit, Check, CheckStatus, DeltaPath, ExportVerdict, Finding, IdiomVerdict,
    Isolation, KnownFailure, LineCounts, Scratch, Used,
};

use crate::StateName;
use crate::event::{Before, Broken, Conflicts, OldTests, Verification};

/// Something odd that did no harm.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// What the world met, in its words.
    Met(String),
    /// The implementer said `no_change`, but changed the delta: what it said is ignored.
    NoChangeIgnored,
    /// This file changed while nothing ran: it was checked and verified again.
    Edited(String),
    /// A failure of this name is known, but without a fix.
    KnownWithoutFix(String),
    /// Touching every file of the delta would leave nothing to verify with.
    BudgetShort {
        /// Calls that are left after READ.
        remaining: i64,
        /// Files of the delta.
        files: usize,
    },
    /// The verify passed, with a finding that policy lets pass.
    Doubtful(Finding),
    /// An idiom is violated where the confidence is too low for it to block.
    IdiomViolated(IdiomVerdict),
}

/// What was tried before a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Tried {
    /// The implementer was asked to fix what preflight found.
    Mend,
    /// The fix of a known failure was applied.
    Fix(KnownFailure),
}

/// A file or command that preflight looked at, as it stood last.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckEntry {
    /// The file's path, or the command.
    pub subject: String,
    /// Which checker looked last; `command` for a command.
    pub checker: String,
    /// What it said last.
    pub status: CheckStatus,
    /// How often it failed.
    pub attempts: u32,
    /// The last check of a file.
    pub check: Option<Check>,
    /// The last error of a command.
    pub error: Option<String>,
}

/// The history of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// The states entered, in order.
    pub states: Vec<StateName>,
    /// What is odd but did no harm, each once.
    pub warnings: Vec<Warning>,
    /// Requests to fix, in order.
    pub tried: Vec<Tried>,
    /// Memories that were of use.
    pub utilized: Vec<Used>,
    /// How requests were kept apart from the tree: the least of them.
    pub isolation: Option<Isolation>,
    /// Where git stood before IMPLEMENT.
    pub base: Option<BaseCommit>,
    /// How the verify ended before the work, where it ran.
    pub before: Option<Before>,
    /// How the verify command ended with the work broken.
    pub broken: Option<Broken>,
    /// How the tests as they were ended with the work that was verified last.
    pub old_tests: Option<OldTests>,
    /// What was changed outside the delta.
    pub strays: Vec<String>,
    /// What an implementer wrote into dependencies: topmost paths.
    pub dependencies: Vec<String>,
    /// Where that was moved to, if it was.
    pub quarantine: Option<String>,
    /// Files of which the implementer and another process made different versions.
    pub conflicts: Option<Conflicts>,
    /// Files outside the delta that changed, and may.
    pub allowed: Vec<String>,
    /// Caches and ignored paths outside the delta.
    pub scratch: Vec<Scratch>,
    /// Files of the project outside the delta that verify or preflight commands changed.
    pub written: Vec<String>,
    /// The implementer's own summary.
    pub summary: Option<String>,
    /// The file that holds what the implementer printed last.
    pub implementer_log: Option<String>,
    /// Its last lines, where it failed.
    pub last_lines: Vec<String>,
    /// What the agent says of each request.
    pub agent: Vec<AgentWork>,
    /// Known failures that came near the error, each with why it is not taken for it.
    pub near: Vec<String>,
    /// Preflight, in the order of the first look.
    pub preflight: Vec<CheckEntry>,
    /// Tool calls spent when IMPLEMENT was paid for.
    pub after_implement: i64,
    /// How often a fix of what preflight found was requested.
    pub mends: u32,
    /// Failed verifies that ftl's own time limit ended.
    pub time_limits: u32,
    /// Every verify.
    pub verify: Vec<Verification>,
    /// The failure last applied.
    pub retry_failure: Option<String>,
    /// Why it fitted.
    pub retry_rationale: Option<String>,
    /// The retries allowed, as reckoned last.
    pub retry_max: Option<u32>,
    /// The idioms, judged.
    pub idioms: Vec<IdiomVerdict>,
    /// The framework whose idioms were judged, where the task names none.
    pub detected: Option<String>,
    /// The exports, judged.
    pub exports: Vec<ExportVerdict>,
    /// Lines that came and went, by file.
    pub lines: BTreeMap<DeltaPath, LineCounts>,
}

impl Log {
    /// Drops all but the name of the state.
    #[cfg(test)]
    pub(crate) fn forget(&mut self) {
        let last = self.states.pop();
        *self = Self { states: last.into_iter().collect(), ..Self::default() };
    }

    /// Adds a warning, once.
    pub(crate) fn warn(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Adds what the world met, each once.
    pub(crate) fn met(&mut self, warnings: Vec<String>) {
        for warning in warnings {
            self.warn(Warning::Met(warning));
        }
    }

    /// Notes what a check said of `subject`, in place of what was said before.
    pub(crate) fn checked(&mut self, entry: CheckEntry) {
        match self.preflight.iter_mut().find(|known| known.subject == entry.subject) {
            Some(known) => *known = entry,
            None => self.preflight.push(entry),
        }
    }

    /// Notes scratch outside the delta, each path as it was counted last.
    pub(crate) fn found_scratch(&mut self, scratch: &[Scratch]) {
        for found in scratch {
            match self.scratch.iter_mut().find(|known| known.path == found.path) {
                Some(known) => known.files = found.files,
                None => self.scratch.push(found.clone()),
            }
        }
    }

    /// Notes files that a command changed outside the delta, each once.
    pub(crate) fn found_written(&mut self, paths: &[String]) {
        for path in paths {
            if !self.written.contains(path) {
                self.written.push(path.clone());
            }
        }
    }

    /// Notes that a memory was of use, once.
    pub(crate) fn used(&mut self, used: Used) {
        if !self.utilized.contains(&used) {
            self.utilized.push(used);
        }
    }
}
