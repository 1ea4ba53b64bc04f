//! Work on many items, by several threads at once.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Result;

/// Gives every item to a free worker, and returns the results in the order of the items. Each worker
/// begins with what `start` makes.
///
/// # Errors
///
/// A worker could not start, or an item failed; each worker ends at its first such error.
///
/// # Panics
///
/// A worker panicked.
pub fn map<T: Sync, W, R: Send>(
    workers: usize,
    items: &[T],
    start: impl Fn() -> Result<W> + Sync,
    run: impl Fn(&mut W, &T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let work = || -> std::result::Result<Vec<(usize, R)>, String> {
        let mut worker = start().map_err(|error| error.to_string())?;
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else {
                return Ok(done);
            };
            done.push((index, run(&mut worker, item).map_err(|error| error.to_string())?));
        }
    };
    let mut all = Vec::new();
    std::thread::scope(|scope| -> Result {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            all.extend(worker.join().expect("because a worker returns its errors")?);
        }
        Ok(())
    })?;
    all.sort_by_key(|(index, _)| *index);
    Ok(all.into_iter().map(|(_, result)| result).collect())
}
