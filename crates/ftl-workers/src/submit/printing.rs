//! The agent's output on standard output, as it comes: pieces of one performance, and the rest from its result.

use std::io::{self, Write};

use async_nats::HeaderMap;
use ftl_model::{Digest, Digester};

/// The header of a piece of output: its performance, and its place in all of it.
pub(crate) const AT: &str = "Ftl-At";

/// The value of [`AT`].
pub(crate) fn at(performance: &str, place: u64) -> String {
    format!("{performance} {place}")
}

/// What was printed.
#[derive(Default)]
pub(super) struct Printing {
    performance: Option<String>,
    count: usize,
    digester: Digester,
}

impl Printing {
    /// Prints a piece that follows what was printed. Lost pieces, and those of another performance, are left out.
    pub(super) fn piece(&mut self, headers: Option<&HeaderMap>, bytes: &[u8]) {
        let at =
            headers.and_then(|headers| headers.get(AT)).and_then(|at| at.as_str().split_once(' '));
        let Some((performance, place)) = at else {
            return;
        };
        let current = self.performance.get_or_insert_with(|| performance.to_owned());
        if current == performance && place.parse() == Ok(self.count) {
            self.print(bytes);
        }
    }

    fn print(&mut self, bytes: &[u8]) {
        let mut out = io::stdout().lock();
        // An engine that reads nothing any more has ended, and ends this process.
        drop(out.write_all(bytes).and_then(|()| out.flush()));
        self.count += bytes.len();
        self.digester.update(bytes);
    }

    /// Prints the rest of an output; whether what was printed before is its beginning.
    pub(super) fn rest(&mut self, log: &[u8]) -> bool {
        let printed = std::mem::take(&mut self.digester).finish();
        let (begins, rest) = match log.split_at_checked(self.count) {
            Some((before, rest)) => (Digest::of(before) == printed, rest),
            None => (false, log),
        };
        if begins {
            self.print(rest);
        }
        begins
    }
}
