//! How a run ended. The record, the exit code and the report are made from this alone; none of them is
//! made here.

use std::rc::Rc;

use ftl_model::{Digest, Touched};

use crate::event::Sealed;
use crate::{Block, Log, Plan, StateName};

/// The three ways to end.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Written, checked, verified, judged.
    Complete,
    /// Handed off.
    Blocked(Block),
    /// A dry run got through PLAN.
    Planned,
}

/// The end of a run, with all that it can tell of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// How it ended.
    pub outcome: Outcome,
    /// Tool calls allowed; `None` where the document could not be read.
    pub total: Option<i64>,
    /// Tool calls spent.
    pub used: i64,
    /// The task as laid out, where PLAN got so far.
    pub plan: Rc<Plan>,
    /// The files touched, in the order of the delta, with their last known bytes.
    pub files: Vec<(Touched, Option<Digest>)>,
    /// Fixes applied.
    pub retries: u32,
    /// What happened on the way.
    pub log: Log,
    /// The record, once it is sealed.
    pub record: Option<Sealed>,
}

impl Verdict {
    /// The states entered, in order.
    #[must_use]
    pub fn states(&self) -> &[StateName] {
        &self.log.states
    }

    /// The block, where it is one.
    #[must_use]
    pub const fn block(&self) -> Option<&Block> {
        match &self.outcome {
            Outcome::Blocked(block) => Some(block),
            Outcome::Complete | Outcome::Planned => None,
        }
    }
}
