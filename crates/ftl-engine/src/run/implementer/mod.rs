//! Whoever writes the delta, where that is an agent or a patch; the tree as it stands is in `requests.rs`.
//!
//! What an implementer reports is never evidence. It is kept apart from what a comparison of the tree
//! finds: an [`Answer`] holds only the former.

pub(super) mod agent;
pub(super) mod patch;
mod prompt;
mod reply;

use ftl_model::Used;
use ftl_process::Environment;

/// What an agent is told by its environment; none of it reaches a verify.
const VARIABLES: [&str; 7] = [
    "FTL_PROMPT",
    "FTL_PHASE",
    "FTL_ATTEMPT",
    "FTL_ROOT",
    "FTL_WORKSPACE",
    "FTL_REQUEST",
    "FTL_REPLY",
];

/// An environment without them: a verify that could see which phase it runs in could be made to pass.
pub(crate) fn without_variables(env: Environment) -> Environment {
    VARIABLES.iter().fold(env, |env, name| env.remove(*name))
}

/// How a request was answered, before anybody looked at the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// Why it failed.
    pub(super) failure: Option<String>,
    /// Said: what was done.
    pub(super) summary: Option<String>,
    /// Said: which memories were of use.
    pub(super) utilized: Vec<Used>,
    /// Said: nothing had to change.
    pub(super) no_change: bool,
    /// Said: files outside the delta that are needed.
    pub(super) needs: Vec<String>,
    /// What is odd but does no harm.
    pub(super) warnings: Vec<String>,
    /// Calls of ftl's own tools, where each is charged.
    pub(super) calls: Option<u64>,
    /// The file that holds what was printed.
    pub(super) log: Option<String>,
    /// The last lines of what was printed.
    pub(super) last_lines: Vec<String>,
}

impl Answer {
    pub(super) fn failed(why: impl Into<String>) -> Self {
        Self {
            failure: Some(why.into()),
            ..Self::default()
        }
    }
}
