//! What goes on, for whatever takes longer than a second.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::output;

/// How long something may take in silence, and how often its line is renewed.
const PATIENCE: Duration = Duration::from_secs(1);
/// Columns of the line, where it must not wrap.
const WIDTH: usize = 72;

/// Says on standard error what goes on: on a terminal in a line that counts the seconds, elsewhere
/// once.
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
        self.rest();
        let (ended, end) = mpsc::channel();
        let what: String = what.replace('\n', " ").chars().take(WIDTH).collect();
        let show = move || {
            let start = Instant::now();
            let live = io::stderr().is_terminal();
            let mut said = false;
            while end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if live {
                    drop(write!(
                        io::stderr(),
                        "\r{what} … {} s",
                        start.elapsed().as_secs()
                    ));
                } else if !said {
                    output::tell(&format!("{what} …"));
                }
                said = true;
            }
            if live && said {
                drop(write!(io::stderr(), "\r{}\r", " ".repeat(WIDTH + 12)));
            }
        };
        // Without a thread there is no progress to be seen, and nothing else is lost.
        self.line = thread::Builder::new()
            .spawn(show)
            .ok()
            .map(|thread| Line { ended, thread });
    }

    /// It has ended: its line is taken away.
    pub(crate) fn rest(&mut self) {
        if let Some(Line { ended, thread }) = self.line.take() {
            drop(ended);
            // A thread that panicked has nothing more to show.
            drop(thread.join());
        }
    }

    /// Says something that stays.
    pub(crate) fn tell(&self, line: &str) {
        output::tell(line);
    }
}
