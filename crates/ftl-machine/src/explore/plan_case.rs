//! The plans that the exploration begins with.

use ftl_model::DeltaPath;

use crate::{Options, State};

/// One plan with its options.
#[derive(Clone, Debug)]
pub(super) struct PlanCase {
    pub(super) budget: i64,
    pub(super) files: usize,
    pub(super) commands: usize,
    pub(super) strict: bool,
    pub(super) options: Options,
    pub(super) paths: Vec<DeltaPath>,
}

impl PlanCase {
    /// The state in which the plan begins.
    pub(super) fn start(&self) -> State {
        State::new(self.options.clone())
    }

    pub(super) fn paths(&self) -> Vec<DeltaPath> {
        self.paths.clone()
    }

    /// Whether the delta lands in the tree as the first step of VERIFY.
    pub(super) fn lands(&self) -> bool {
        self.options.lands
    }
}
