//! Limits of a command that builds several tasks. Once one is reached nothing new starts; what is under way
//! goes on.

use std::time::Duration;

/// A limit that a command can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// The time for the whole command is over.
    Deadline,
    /// So many tasks are blocked.
    MaxBlocks,
    /// The agents' calls cost so much.
    MaxCost,
    /// The agents used so many tokens.
    MaxTokens,
    /// An agent can't be reached for longer than it is waited for.
    Outage,
}

/// The limits of a command; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Time since the command began.
    pub deadline: Option<Duration>,
    /// Blocked tasks.
    pub max_blocks: Option<usize>,
    /// Cost in US dollars, as the agents report it.
    pub max_cost: Option<f64>,
    /// Tokens of all kinds, as the agents report them.
    pub max_tokens: Option<u64>,
}

/// What a command has used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Time since it began.
    pub time: Duration,
    /// Tasks that are blocked and are not tried again.
    pub blocks: usize,
    /// Cost in US dollars.
    pub cost: f64,
    /// Tokens.
    pub tokens: u64,
}

impl Limits {
    /// The first limit that is reached.
    #[must_use]
    pub fn reached(&self, spent: &Spent) -> Option<Limit> {
        let reached = [
            (Limit::Deadline, self.deadline.is_some_and(|most| spent.time >= most)),
            (Limit::MaxBlocks, self.max_blocks.is_some_and(|most| spent.blocks >= most)),
            (Limit::MaxCost, self.max_cost.is_some_and(|most| spent.cost >= most)),
            (Limit::MaxTokens, self.max_tokens.is_some_and(|most| spent.tokens >= most)),
        ];
        reached.into_iter().find_map(|(limit, reached)| reached.then_some(limit))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Limit, Limits, Spent};

    #[test]
    fn a_limit_is_reached_when_as_much_is_spent() {
        let seconds = Duration::from_secs;
        let limits = Limits {
            deadline: Some(seconds(60)),
            max_blocks: Some(2),
            max_cost: Some(1.5),
            max_tokens: Some(1000),
        };
        let below = Spent { time: seconds(59), blocks: 1, cost: 1.49, tokens: 999 };
        assert_eq!(limits.reached(&below), None);
        for (spent, limit) in [
            (Spent { time: seconds(60), ..below }, Limit::Deadline),
            (Spent { blocks: 2, ..below }, Limit::MaxBlocks),
            (Spent { cost: 1.5, ..below }, Limit::MaxCost),
            (Spent { tokens: 1000, ..below }, Limit::MaxTokens),
        ] {
            assert_eq!(limits.reached(&spent), Some(limit));
            assert_eq!(Limits::default().reached(&spent), None);
        }
    }
}
