//! An agent's conversation through the requests of a run: a repair or a fix continues it where the agent can.
//!
//! Its ID is the agent's, or one that ftl made. It is journalled with the result of each request, so that a resumed
//! run continues the same conversation.

use ftl_agents::Agent;
use ftl_machine::Event;
use ftl_machine::event::Work;
use ftl_model::{AgentWork, Digest, Tokens};

use crate::text::now;

/// The conversation so far.
#[derive(Clone, Debug, Default)]
pub(in crate::run) struct Conversation {
    last: Option<AgentWork>,
    /// What the last request changed outside the delta, and was left out.
    strays: Vec<String>,
}

impl Conversation {
    /// Takes in the result of a request.
    pub(in crate::run) fn add(&mut self, work: &Work) {
        if work.agent.is_some() {
            self.last.clone_from(&work.agent);
        }
        self.strays.clone_from(&work.strays);
    }

    /// Takes in a journalled event.
    pub(in crate::run) fn go_on(&mut self, event: &Event) {
        match event {
            Event::Implemented(work) | Event::Mended(work) => self.add(work),
            Event::FixApplied(fix) => self.add(&fix.work),
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::LandingConflicted(_)
            | Event::OldTestsTried(_)
            | Event::BrokenTried(_)
            | Event::Confirmed(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::Judged(_)
            | Event::Edited(_)
            | Event::Sealed(_) => {}
        }
    }

    /// The ID by which the agent can go on, if it can.
    pub(super) fn id(&self, agent: &Agent) -> Option<&str> {
        let last = self.last.as_ref().filter(|_| agent.goes_on())?;
        last.session.as_deref()
    }

    /// What the last request changed outside the delta.
    pub(super) fn strays(&self) -> &[String] {
        &self.strays
    }

    /// What the agent counted in it so far, where it counts whole conversations.
    pub(super) fn tokens(&self) -> Option<Tokens> {
        self.last.as_ref().and_then(|last| last.session_tokens)
    }
}

/// An ID for a new conversation, in the form of a UUID. Agents refuse one that they have seen, so no two requests
/// get the same one.
pub(in crate::run) fn new_id(request_dir: &str) -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos());
    let seed = format!("{request_dir} {} {nanos} {}", now(), std::process::id());
    let hex = Digest::of(seed.as_bytes()).to_string();
    let hex = hex.trim_start_matches("sha256:");
    format!("{}-{}-4{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}

#[cfg(test)]
mod tests {
    use super::new_id;

    #[test]
    fn an_id_has_the_form_of_a_uuid_and_is_new() {
        let (one, other) = (new_id("dir"), new_id("dir"));
        assert_ne!(one, other);
        let lengths: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert!(one.chars().all(|c| c == '-' || c.is_ascii_hexdigit()), "{one}");
    }
}
