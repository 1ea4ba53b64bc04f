//! Checks over generated documents, as many as `FTL_CASES` says.

mod plans;
mod round_trip;
mod second_reader;

use std::ops::{AddAssign, Range};
use std::thread;

/// Runs `check` over the seeds below `count` on all cores, and adds up its counts.
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
