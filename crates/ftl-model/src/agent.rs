//! What an agent reports about its work. It is recorded, and decides nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Tokens, as an agent counts them; null is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Tokens {
    /// Read by the model, from its cache too.
    pub input: Option<u64>,
    /// Of these, read from the cache.
    pub cached: Option<u64>,
    /// Written by the model.
    pub output: Option<u64>,
}

impl Tokens {
    /// These and more; what one of them does not know is the other's.
    #[must_use]
    pub fn plus(self, more: Self) -> Self {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        Self {
            input: sum(self.input, more.input),
            cached: sum(self.cached, more.cached),
            output: sum(self.output, more.output),
        }
    }

    /// These without what was spent before.
    #[must_use]
    pub fn minus(self, before: Self) -> Self {
        let left = |all: Option<u64>, before: Option<u64>| {
            all.map(|all| all.saturating_sub(before.unwrap_or_default()))
        };
        Self {
            input: left(self.input, before.input),
            cached: left(self.cached, before.cached),
            output: left(self.output, before.output),
        }
    }
}

/// What an agent says of its part in one request. What it does not say is null, never 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentWork {
    /// The command that it was started by.
    pub command: Option<String>,
    /// The worker that performed the request; null if it was performed here.
    pub worker: Option<String>,
    /// Its own version.
    pub version: Option<String>,
    /// The model that answered.
    pub model: Option<String>,
    /// The conversation, by which it can go on.
    pub session: Option<String>,
    /// Whether it went on with the conversation of the request before.
    pub resumed: bool,
    /// Tokens of this request.
    pub tokens: Option<Tokens>,
    /// Tokens as the agent printed them, where it counts the whole conversation.
    pub session_tokens: Option<Tokens>,
    /// US dollars.
    pub cost_usd: Option<f64>,
    /// Calls of tools.
    pub calls: Option<u64>,
    /// Its last words.
    pub said: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::Tokens;

    #[test]
    fn an_unknown_figure_is_not_zero() {
        let some = |input, output| Tokens { input, cached: None, output };
        let sum = some(Some(3), None).plus(some(Some(4), Some(1)));
        assert_eq!(sum, some(Some(7), Some(1)));
        assert_eq!(sum.minus(some(Some(9), None)), some(Some(0), Some(1)));
    }
}
