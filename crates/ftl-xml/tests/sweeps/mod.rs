//! Checks over very many generated documents. `cargo xtask sweep` says how many in `FTL_SWEEP`;
//! without it they have the size of a test.

mod plans;
mod round_trip;
mod second_reader;

use std::ops::{AddAssign, Range};
use std::thread;

/// How many cases to go through.
pub(crate) fn size(of_a_test: u64) -> u64 {
    match std::env::var("FTL_SWEEP") {
        Ok(size) => size.parse().expect("FTL_SWEEP is a number"),
        Err(_) => of_a_test,
    }
}

/// Goes through the seeds below `count` on all cores and adds up what `check` counts of each share.
fn on_all_cores<T: AddAssign + Default + Send>(
    count: u64,
    check: impl Fn(Range<u64>) -> T + Sync,
) -> T {
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let share = count.div_ceil(threads);
    let ranges = (0..threads).map(|at| at * share..count.min((at + 1) * share));
    thread::scope(|scope| {
        let check = &check;
        let running: Vec<_> = ranges.map(|range| scope.spawn(move || check(range))).collect();
        let mut sum = T::default();
        for thread in running {
            sum += thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        sum
    })
}
