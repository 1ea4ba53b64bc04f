//! Threads whose stacks are deep enough for recursive parsers.
//!
//! The stack of the caller's thread has an unknown size: 8 MiB or so for the main thread, 2 MiB for
//! a thread of Rust's. So parsers run on a thread whose stack is chosen by the nesting that
//! they are trusted with.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use crate::Reason;
use crate::nesting::STACK_PER_TOKEN;

/// Stack for what does not grow with the nesting, in bytes.
const BASE: usize = 1 << 20;

/// Name of the threads that parsers run on. A panic there becomes a report's
/// [`Reason::CheckerFailed`](crate::Reason::CheckerFailed), so that a program's panic hook need not
/// print it as well.
///
/// ```
/// let hook = std::panic::take_hook();
/// std::panic::set_hook(Box::new(move |panic| {
///     if std::thread::current().name() != Some(ftl_preflight::THREAD) {
///         hook(panic);
///     }
/// }));
/// ```
pub const THREAD: &str = "preflight";

type Job = Box<dyn FnOnce() + Send>;

/// One thread, started by the first job and ended when the worker is dropped.
pub(crate) struct Worker {
    jobs: Mutex<Option<Sender<Job>>>,
    nesting: usize,
}

impl Worker {
    /// A worker for files nested as deeply as this, in tokens.
    pub(crate) const fn new(nesting: usize) -> Self {
        Self { jobs: Mutex::new(None), nesting }
    }

    /// Runs `job` on the deep stack and waits for it.
    ///
    /// # Errors
    /// The thread cannot be started, or the job panicked.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Reason> {
        let (answer, answers) = channel();
        let boxed: Job = Box::new(move || {
            // The receiver waits below for as long as the job runs.
            let _ = answer.send(guard(job));
        });
        self.sender()?
            .send(boxed)
            .map_err(|_| Reason::CheckerFailed("its thread has ended".to_owned()))?;
        answers.recv().map_err(|error| Reason::CheckerFailed(error.to_string()))?
    }

    fn sender(&self) -> Result<Sender<Job>, Reason> {
        // Started by the first job, so that a checker that is never used costs no thread.
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = &*jobs {
            return Ok(sender.clone());
        }
        let (sender, receiver): (_, Receiver<Job>) = channel();
        deep(self.nesting)
            .spawn(move || receiver.into_iter().for_each(|job| job()))
            .map_err(|error| Reason::NoThread(error.to_string()))?;
        Ok(jobs.insert(sender).clone())
    }
}

/// A thread that parsers may run on, for files nested as deeply as this. Of the address space for
/// its stack only what a parse touches becomes memory.
pub(crate) fn deep(nesting: usize) -> Builder {
    Builder::new().name(THREAD.to_owned()).stack_size(stack(nesting))
}

/// The stack of such a thread, in bytes.
pub(crate) fn stack(nesting: usize) -> usize {
    nesting.saturating_mul(STACK_PER_TOKEN).saturating_add(BASE)
}

/// Runs `job`; a panic becomes a reason that holds its message.
pub(crate) fn guard<T>(job: impl FnOnce() -> T) -> Result<T, Reason> {
    // A parser that panics is dropped with its file; nothing that it touched is used again.
    catch_unwind(AssertUnwindSafe(job)).map_err(|panic| Reason::CheckerFailed(message(&*panic)))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::Worker;
    use crate::Reason;

    #[test]
    fn a_panic_is_an_error_and_the_thread_serves_on() {
        let worker = Worker::new(1);
        let failed = worker.run(|| if true { panic!("gave way") } else { 1 });
        assert_eq!(failed, Err(Reason::CheckerFailed("gave way".to_owned())));
        assert_eq!(worker.run(|| 2), Ok(2));
    }

    #[test]
    fn a_stack_that_no_system_has_room_for_is_no_verdict_on_the_file() {
        let done = Worker::new(usize::MAX >> 20).run(|| ());
        assert!(matches!(done, Err(Reason::NoThread(_))), "{done:?}");
    }
}
