//! How many files the tools may change.
//!
//! The machine charges a run when a request has ended, whatever was said here. A change that the budget does
//! not hold is refused before it is made, so that the task can still be verified.

use std::collections::BTreeSet;

use ftl_model::DeltaPath;

use super::Refusal;

/// The changed files that a budget pays for.
#[derive(Debug)]
pub(super) enum FileBudget {
    /// Repairs and fixes have a fixed price.
    Unlimited,
    /// Each changed file costs one call.
    Limited {
        /// How many may be changed.
        most: i64,
        /// The files changed so far.
        changed: BTreeSet<DeltaPath>,
    },
}

impl FileBudget {
    pub(super) fn limited(most: i64) -> Self {
        Self::Limited { most, changed: BTreeSet::new() }
    }

    /// Charges a change of `path` before it is made.
    pub(super) fn charge(&mut self, path: &DeltaPath) -> Result<(), Refusal> {
        let Self::Limited { most, changed } = self else {
            return Ok(());
        };
        if changed.contains(path) {
            return Ok(());
        }
        if i64::try_from(changed.len()).unwrap_or(i64::MAX) >= *most {
            return Err(Refusal::new(format!(
                "the budget is spent: it holds changes of {most} files, and one call for the verify; end with \
                 `done`, or say with `needs` or `no_change` why not"
            )));
        }
        changed.insert(path.clone());
        Ok(())
    }

    /// What is left, as a sentence for the agent.
    pub(super) fn sentence(&self) -> Option<String> {
        match self {
            Self::Unlimited => None,
            Self::Limited { most, changed } => Some(format!(
                "The budget holds changes of {most} files; {} changed so far. Reading and checking are free.",
                changed.len()
            )),
        }
    }
}
