//! A line on standard error that says what goes on, for what takes longer than a second.
//!
//! There is no progress in per cent: nobody knows how long an agent or a test takes.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::output;

/// How long something may take before its line appears, and how often that is updated.
const INTERVAL: Duration = Duration::from_secs(1);
/// Columns of the line, where it must not wrap.
const WIDTH: usize = 72;

/// Shows what goes on: on a terminal in a line that counts the seconds, elsewhere once.
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
        let what: String = what.replace('\n', " ").chars().take(WIDTH).collect();
        let show = move || {
            let start = Instant::now();
            let live = io::stderr().is_terminal();
            let mut shown = false;
            while end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if live {
                    drop(write!(
                        io::stderr(),
                        "\r{what} … {} s",
                        start.elapsed().as_secs()
                    ));
                } else if !shown {
                    output::message(&format!("{what} …"));
                }
                shown = true;
            }
            if live && shown {
                drop(write!(io::stderr(), "\r{}\r", " ".repeat(WIDTH + 12)));
            }
        };
        // Without a thread there is no progress to see, and nothing else is lost.
        self.line = thread::Builder::new()
            .spawn(show)
            .ok()
            .map(|thread| Line { ended, thread });
    }

    /// It has ended: its line is removed.
    pub(crate) fn finish(&mut self) {
        if let Some(Line { ended, thread }) = self.line.take() {
            drop(ended);
            // A thread that panicked has nothing more to show.
            drop(thread.join());
        }
    }
}
