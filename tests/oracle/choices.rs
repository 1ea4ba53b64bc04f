//! The choices by which a scenario is drawn. A seed makes them, and the same choices draw the same
//! scenario again; fewer and smaller ones draw a simpler scenario, since 0 is the simplest choice.

use ftl_testkit::random::Rng;

/// Choices, in the order in which they are asked for.
#[derive(Clone, Debug)]
pub(super) struct Choices {
    made: Vec<usize>,
    next: usize,
    /// Makes those that are not made yet; without it they are 0.
    random: Option<Rng>,
}

impl Choices {
    pub(super) fn from_seed(seed: u64) -> Self {
        Self { made: Vec::new(), next: 0, random: Some(Rng::with_seed(seed)) }
    }

    /// The same choices again.
    pub(super) fn repeated(&self) -> Self {
        Self { next: 0, random: None, ..self.clone() }
    }

    /// A number from 0 up to, not including, `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        if self.next == self.made.len() {
            self.made.push(self.random.as_mut().map_or(0, |random| random.usize(..bound)));
        }
        self.next += 1;
        self.made[self.next - 1] % bound
    }

    /// Choices of which `fails` still holds: no part of them can be left out or be 0.
    pub(super) fn shrunk(&self, fails: impl Fn(&Self) -> bool) -> Self {
        let mut smallest = self.repeated();
        let mut length = smallest.made.len();
        while length > 0 {
            let mut start = 0;
            while start + length <= smallest.made.len() {
                let (mut without, mut zeroed) = (smallest.clone(), smallest.clone());
                without.made.drain(start..start + length);
                zeroed.made[start..start + length].fill(0);
                if fails(&without) {
                    smallest = without;
                    continue;
                }
                if zeroed.made != smallest.made && fails(&zeroed) {
                    smallest = zeroed;
                }
                start += length;
            }
            length /= 2;
        }
        smallest
    }
}

mod tests {
    use crate::oracle::expected::{BlockKind, Outcome};
    use crate::oracle::predict::predict;
    use crate::oracle::{certain, draw};

    #[test]
    fn shrunk_choices_still_fail_and_draw_little_else() {
        let is_limit = |choices: &super::Choices| {
            predict(&draw::scenario(choices.repeated()).0)
                .is_ok_and(|end| end.outcome == Outcome::Blocked(BlockKind::RetryLimit))
        };
        let mut shrunk = 0;
        for found in (0..200).map(|seed| certain(seed).choices).filter(is_limit) {
            shrunk += 1;
            let smallest = found.shrunk(is_limit);
            assert!(is_limit(&smallest));
            let (scenario, _) = draw::scenario(smallest.repeated());
            assert!(scenario.checks.is_empty() && scenario.idioms.is_empty(), "{scenario:#?}");
            assert!(!scenario.git, "{scenario:#?}");
            let made = |choices: &super::Choices| choices.made.iter().filter(|it| **it > 0).count();
            assert!(made(&smallest) * 2 < made(&found), "{smallest:?}");
        }
        assert!(shrunk > 0);
    }
}
