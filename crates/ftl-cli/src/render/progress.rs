//! A line on standard error that says what goes on, for what takes longer than a second, where no terminal
//! shows it live.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::output;

/// How long something may take before its line appears.
const PATIENCE: Duration = Duration::from_secs(1);
/// Characters of the line.
const LENGTH: usize = 72;

/// Says what goes on, once.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    line: Option<Line>,
}

/// A thread that waits for something to take long. It ends when the sender is dropped.
#[derive(Debug)]
struct Line {
    ended: Sender<()>,
    thread: JoinHandle<()>,
}

impl Progress {
    /// Something begins that may take long.
    pub(crate) fn begin(&mut self, what: &str) {
        self.finish();
        let (ended, end) = mpsc::channel();
        let what: String = what.replace('\n', " ").chars().take(LENGTH).collect();
        let show = move || {
            if end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                output::message(&format!("{what} …"));
            }
        };
        // Without a thread there is no progress to see, and nothing else is lost.
        self.line = thread::Builder::new().spawn(show).ok().map(|thread| Line { ended, thread });
    }

    /// It has ended.
    pub(crate) fn finish(&mut self) {
        if let Some(Line { ended, thread }) = self.line.take() {
            drop(ended);
            // A thread that panicked has nothing more to show.
            drop(thread.join());
        }
    }
}
