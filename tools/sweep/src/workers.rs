//! Trials, gone through by several workers at once, each in a separate sandbox.

use std::sync::atomic::{AtomicUsize, Ordering};

use ftl_testkit::Result;

use crate::sandbox::Sandbox;

/// Two for each of two cores, since a trial waits a lot.
const WORKERS: usize = 4;

/// Hands every trial to a free worker. `purpose` names the sandboxes.
///
/// # Errors
///
/// A sandbox could not be made, or a trial could not be run; each worker ends at its first such error.
pub(super) fn each<T: Sync>(
    purpose: &str,
    trials: &[T],
    run: impl Fn(&Sandbox, &T) -> Result + Sync,
) -> Result {
    let next = AtomicUsize::new(0);
    let work = || -> std::result::Result<(), String> {
        let sandbox = Sandbox::new(purpose).map_err(|error| error.to_string())?;
        while let Some(trial) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
            run(&sandbox, trial).map_err(|error| error.to_string())?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| "a worker panicked".to_owned())?)
    })?;
    Ok(())
}
