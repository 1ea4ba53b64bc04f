//! Tool calls allowed and spent. What a state costs is in `state_name`; when it is charged, in the
//! state's own module.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A ledger of tool calls. Charges saturate, and `used` may exceed `total`: what was spent is
/// never hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Budget {
    /// Tool calls allowed.
    pub total: i64,
    /// Tool calls spent.
    pub used: i64,
}

impl Budget {
    /// A budget of which nothing is spent yet.
    #[must_use]
    pub(crate) const fn new(total: i64) -> Self {
        Self { total, used: 0 }
    }

    /// What is left; negative once more was spent than allowed.
    #[must_use]
    pub const fn remaining(self) -> i64 {
        self.total.saturating_sub(self.used)
    }

    /// Gives back a call that bought nothing.
    pub(crate) fn give_back(&mut self) {
        self.used = self.used.saturating_sub(1);
    }

    /// Spends `calls`.
    pub(crate) fn charge(&mut self, calls: usize) {
        let calls = i64::try_from(calls).unwrap_or(i64::MAX);
        self.used = self.used.saturating_add(calls);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charges_saturate_and_are_never_hidden() {
        let mut budget = Budget::new(3);
        budget.charge(5);
        assert_eq!(budget.used, 5);
        assert_eq!(budget.remaining(), -2);
        budget.charge(usize::MAX);
        assert_eq!(budget.used, i64::MAX);
    }
}
