//! Implementers that are an agent or a patch; a delta that is already in the tree is in `requests.rs`.
//!
//! What an implementer reports is never evidence. It is kept apart from what a comparison of the tree
//! finds: an [`Answer`] holds only the former.

pub(in crate::run) mod agent;
mod agent_listener;
mod conversation;
mod markdown;
pub(in crate::run) mod patch;
mod prompt;
mod reply;
mod verify_prompt;

use ftl_agents::Outage;
use ftl_model::{AgentWork, Used};
use ftl_process::Environment;

use crate::performer::Done;

pub(in crate::run) use agent_listener::AgentListener;
pub(in crate::run) use conversation::{Conversation, new_id};

/// What an agent gets in its environment; none of it reaches a verify.
const VARIABLES: [&str; 9] = [
    "FTL_PROMPT",
    "FTL_PHASE",
    "FTL_ATTEMPT",
    "FTL_ROOT",
    "FTL_WORKSPACE",
    "FTL_REQUEST",
    "FTL_REPLY",
    "FTL_MODEL",
    "FTL_EFFORT",
];

/// An environment without them: a verify that could see which phase it runs in could be made to pass.
pub(crate) fn without_variables(env: Environment) -> Environment {
    VARIABLES.iter().fold(env, |env, name| env.remove(*name))
}

/// How a request was answered, before anybody looked at the tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::run) struct Answer {
    /// Why it failed.
    pub(in crate::run) failure: Option<String>,
    /// Said: what was done.
    pub(in crate::run) summary: Option<String>,
    /// Said: which memories were of use.
    pub(in crate::run) utilized: Vec<Used>,
    /// Said: nothing had to change.
    pub(in crate::run) no_change: bool,
    /// Said: files outside the delta that are needed.
    pub(in crate::run) needs: Vec<String>,
    /// What is odd but does no harm.
    pub(in crate::run) warnings: Vec<String>,
    /// The file that holds what was printed.
    pub(in crate::run) log: Option<String>,
    /// The last lines of what was printed.
    pub(in crate::run) last_lines: Vec<String>,
    /// What an agent says of its part.
    pub(in crate::run) agent: Option<AgentWork>,
    /// That it could not reach a model, where it says so.
    pub(in crate::run) outage: Option<Outage>,
    /// What the program reports that performed the request in place of an agent here.
    pub(in crate::run) performed: Option<Done>,
}

impl Answer {
    pub(in crate::run) fn failed(why: impl Into<String>) -> Self {
        Self { failure: Some(why.into()), ..Self::default() }
    }
}
