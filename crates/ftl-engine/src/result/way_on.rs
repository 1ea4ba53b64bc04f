//! The ways on from a block, as data: the caller of the engine makes commands of them.

use ftl_model::Finding;

/// A way on from a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WayOn {
    /// Correct the document; the task is still active.
    Correct,
    /// Correct the record, and make the task active again.
    CorrectRecord,
    /// Make it active again: the user fixes the work in the tree, and builds.
    Repair {
        /// Whether the run left work.
        has_work: bool,
    },
    /// Build it again.
    Again {
        /// Whether the run left work.
        has_work: bool,
    },
    /// Build it again from the work of the run as it is.
    Work,
    /// Take these strays in.
    Take(Vec<String>),
    /// Add these files to the delta.
    Add(Vec<String>),
    /// Take the first in, and add the others to the delta.
    TakeAndAdd(Vec<String>, Vec<String>),
    /// Give it this budget.
    Budget(i64),
    /// Verify it by this command.
    Verify(String),
    /// Verify the work of the run by this command.
    VerifyWork(String),
    /// Let the agent try twice: the second attempt has what the first one learnt.
    Attempts,
    /// Take these findings for what they are.
    Accept(Vec<Finding>),
    /// Let these exports go.
    AllowRemoved(Vec<String>),
    /// Look at the syntax of this file.
    Check(String),
}
