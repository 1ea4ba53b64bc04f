//! What the machine asks of the world.
//!
//! An effect carries everything that performing it needs of the machine: no performer looks into the
//! state. What the document says beyond the plan (idioms, knowledge, contexts) the world has itself,
//! since it read the document.

use std::rc::Rc;

use ftl_model::{Check, DeltaPath, words};

use crate::event::Verification;
use crate::{Budget, Plan, Verdict};

/// A request to the world, derived from the state and never stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Read and parse the workspace.
    ReadWorkspace,
    /// Check what was read and lay out the task.
    CheckPlan,
    /// Read the test file at this path.
    ReadTests(String),
    /// Ask the implementer for the delta.
    Implement(Request),
    /// Check one touched file.
    CheckFile(DeltaPath),
    /// Run one extra preflight command.
    RunPreflight {
        /// Its place in the plan.
        index: usize,
        /// The shell command.
        command: String,
    },
    /// Ask the implementer to fix what preflight found.
    Mend(Request),
    /// Land the work with the tests as they were, and run the verify command.
    TryOldTests {
        /// The shell command.
        command: String,
    },
    /// Run the verify command.
    Verify {
        /// The shell command.
        command: String,
    },
    /// Run the verify command, which passed, where the delta was written, with these files broken.
    TryBroken {
        /// The shell command.
        command: String,
        /// How long it took, in milliseconds.
        took_ms: u64,
        /// Delta files that were touched.
        touched: Vec<DeltaPath>,
    },
    /// Run the verify command where the delta was written, after it failed in the tree.
    Confirm {
        /// The shell command.
        command: String,
    },
    /// Classify the failed verify and look for a known fix.
    MatchFailure {
        /// The failed run.
        verification: Box<Verification>,
        /// How often ftl's own time limit ended a verify before.
        earlier_time_limits: u32,
    },
    /// Apply the fix of a known failure.
    ApplyFix {
        /// The known failure's place in the workspace.
        failure: usize,
        /// What the implementer gets, should the fix be prose.
        request: Request,
        /// Delta files touched before, whose syntax the fix must leave right.
        touched: Vec<DeltaPath>,
    },
    /// Judge idioms and exports.
    Judge,
    /// Seal the record.
    Seal(Box<Verdict>),
}

words! {
    /// What the implementer is asked for.
    pub enum Phase {
        /// Write the delta.
        Implement = "implement",
        /// Fix what preflight found.
        FixSyntax = "fix-syntax",
        /// Apply the fix of a known failure.
        ApplyFix = "apply-fix",
    }
}

/// One request to the implementer.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// What for.
    pub phase: Phase,
    /// Which time in this phase, from 1.
    pub attempt: u32,
    /// The budget at the time of the request.
    pub budget: Budget,
    /// The task as laid out.
    pub plan: Rc<Plan>,
    /// What preflight found, for a request to fix it.
    pub checks: Vec<Check>,
    /// The verify that failed last, if one did.
    pub verification: Option<Box<Verification>>,
}
