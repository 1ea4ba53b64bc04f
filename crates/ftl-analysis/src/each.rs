//! Work on many things, on every core.

use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Bytes of stack, as much as a program's first thread has: trees are walked by recursion.
const STACK: usize = 8 << 20;

/// What `work` gives for each of `0..count`, in order. The caller's thread takes part, and takes all where no other
/// can be started.
pub(crate) fn in_each<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    static CORES: LazyLock<usize> =
        LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));
    if count < 2 || *CORES < 2 {
        return (0..count).map(work).collect();
    }
    // The threads take the next off one counter, since one file may cost as much as all others.
    let next = AtomicUsize::new(0);
    let take_all = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return done;
            }
            done.push((at, work(at)));
        }
    };
    let mut done = thread::scope(|scope| {
        let helpers: Vec<_> = (1..count.min(*CORES))
            .filter_map(|_| {
                let thread = thread::Builder::new().stack_size(STACK);
                thread.spawn_scoped(scope, take_all).ok()
            })
            .collect();
        let mut done = take_all();
        for helper in helpers {
            done.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, it)| it).collect()
}

#[cfg(test)]
mod tests {
    use super::in_each;

    #[test]
    fn each_is_worked_on_once_and_comes_in_its_place() {
        for count in [0, 1, 2, 500] {
            let squares: Vec<usize> = (0..count).map(|at| at * at).collect();
            assert_eq!(in_each(count, |at| at * at), squares);
        }
    }

    #[test]
    fn a_panic_is_passed_on() {
        let work = || in_each(9, |at| assert_ne!(at, 7, "seven"));
        assert!(std::panic::catch_unwind(work).is_err());
    }
}
