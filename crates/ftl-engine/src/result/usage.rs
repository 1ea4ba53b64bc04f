//! What attempts of a task cost, and how long they took.

use ftl_machine::BlockKind;
use ftl_model::Tokens;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RunId;

/// Tool calls allowed and spent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spent {
    /// Null where the document could not be read.
    pub total: Option<i64>,
    /// May exceed the total.
    pub used: i64,
}

/// What requests to an agent cost, as far as the agent reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Read and written by the model.
    pub tokens: Option<u64>,
    /// US dollars.
    pub cost: Option<f64>,
}

impl Usage {
    /// Of these counts; `None` where none is known.
    #[must_use]
    pub fn of(tokens: Option<Tokens>, cost: Option<f64>) -> Option<Self> {
        let counts = tokens.map(|tokens| [tokens.input, tokens.output]);
        let tokens = counts.into_iter().flatten().flatten().reduce(u64::saturating_add);
        (tokens.is_some() || cost.is_some()).then_some(Self { tokens, cost })
    }

    /// The sum of those that are known.
    pub fn sum(all: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        all.into_iter().flatten().reduce(|a, b| Self {
            tokens: a.tokens.into_iter().chain(b.tokens).reduce(u64::saturating_add),
            cost: a.cost.into_iter().chain(b.cost).reduce(|a, b| a + b),
        })
    }
}

/// An attempt before the one that a result is of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierAttempt {
    /// From 1.
    pub attempt: u32,
    /// Which run.
    pub run: RunId,
    /// The agent that made it: its name, else its command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Why another attempt was made: the kind of its block.
    pub kind: BlockKind,
    /// The error line of its block.
    pub error: String,
    /// Tool calls.
    pub budget: Spent,
    /// Tokens of all requests, where the agent reports them.
    pub tokens: Option<Tokens>,
    /// US dollars, of all requests, where the agent reports them.
    pub cost_usd: Option<f64>,
    /// How long it took.
    #[serde(default)]
    pub duration_ms: u64,
}
