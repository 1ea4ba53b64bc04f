//! Random cases of tests and sweeps: how many, and how they are drawn from a seed.

pub use fastrand::Rng;

/// Names the number of cases of a test that draws them at random.
pub const CASES: &str = "FTL_CASES";

/// The number of cases that the environment variable [`CASES`] asks for, or that of a short test.
///
/// # Panics
///
/// The variable is no number.
#[must_use]
pub fn cases(short: u64) -> u64 {
    match std::env::var(CASES) {
        Ok(count) => count.parse().unwrap_or_else(|_| panic!("{CASES} is no number: {count:?}")),
        Err(_) => short,
    }
}

/// Names the seed of what is random, where another than the usual one is wanted.
pub const SEED: &str = "FTL_SEED";

/// The seed that the environment variable [`SEED`] names, or the usual one.
///
/// # Errors
///
/// The variable is no number.
pub fn seed() -> crate::Result<u64> {
    match std::env::var(SEED) {
        Ok(text) => Ok(text.parse()?),
        Err(_) => Ok(20_261_122),
    }
}

/// Draws that [`Rng`] does not have.
pub trait Draw {
    /// One of `all`.
    ///
    /// # Panics
    ///
    /// `all` is empty.
    fn pick<T: Copy>(&mut self, all: &[T]) -> T;

    /// A number below `end`.
    ///
    /// # Panics
    ///
    /// `end` is 0.
    fn below(&mut self, end: usize) -> usize;

    /// True with a probability of 1 in `n`.
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

impl Draw for Rng {
    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn below(&mut self, end: usize) -> usize {
        self.usize(..end)
    }
}
