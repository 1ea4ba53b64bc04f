//! Repeated timings of one thing, and their quantiles.
//!
//! Wall-clock time of whole calls or processes; nothing is warmed up or thrown away.

use std::time::{Duration, Instant};

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// Timings of one thing, in the order in which they were taken.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    timings: Vec<Duration>,
}

impl Sample {
    /// Runs a program silently and adds the time from its start to its end.
    pub(crate) fn program(&mut self, program: Program) -> Result {
        let program = program.silent();
        self.call(|| program.run())
    }

    /// Runs a program silently, whatever it exits with, and adds the time that it took.
    pub(crate) fn whatever_it_says(&mut self, program: Program) -> Result {
        let program = program.silent();
        self.call(|| program.code().map(drop))
    }

    /// Calls a function and adds the time that it took.
    pub(crate) fn call(&mut self, call: impl FnOnce() -> Result) -> Result {
        let start = Instant::now();
        call()?;
        self.timings.push(start.elapsed());
        Ok(())
    }

    /// Adds a timing that the caller took.
    pub(crate) fn add(&mut self, timing: Duration) {
        self.timings.push(timing);
    }

    /// The middle timing in milliseconds; not a number when there is none.
    pub(crate) fn median(&self) -> f64 {
        self.tenths(5)
    }

    /// The shortest timing in milliseconds; not a number when there is none.
    pub(crate) fn fastest(&self) -> f64 {
        self.tenths(0)
    }

    /// The timing in milliseconds that nine in ten stay below; not a number when there is none.
    pub(crate) fn ninth_decile(&self) -> f64 {
        self.tenths(9)
    }

    fn tenths(&self, tenths: usize) -> f64 {
        let mut sorted = self.timings.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() * tenths / 10).map_or(f64::NAN, |timing| timing.as_secs_f64() * 1e3)
    }
}
