//! A filter on the way of an output: beside the thread that reads, once the output is long.
//!
//! Reading a pipe and writing a log cost about as much as searching what goes through, so a long output
//! takes half the time where there are two processors. What is kept and written stays with the thread
//! that reads: the other one computes, and touches nothing.

use std::fmt;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Bytes after which a thread is worth its start.
const LONG: usize = 1 << 20;

/// Pieces under way: what the filter is given may wait for it, in bounded memory.
const PIECES: usize = 8;

/// Changes an output on its way: what is kept of it, in memory and in files, is what came out. Of a long
/// output it runs in a separate thread.
pub trait Filter: fmt::Debug + Send {
    /// Takes what was printed; `out` gets what is to be kept. Bytes may be held back for a while.
    fn push(&mut self, bytes: &[u8], out: &mut dyn FnMut(&[u8]));

    /// The output has ended: `out` gets what was held back.
    fn finish(&mut self, out: &mut dyn FnMut(&[u8]));
}

/// Makes a filter for each output.
pub trait Filters: fmt::Debug + Send + Sync {
    /// A filter for an output that is about to begin.
    fn filter(&self) -> Box<dyn Filter>;
}

/// A filter and where it runs.
#[derive(Debug)]
pub(crate) struct Filtering(FilterThread);

#[derive(Debug)]
enum FilterThread {
    Here(Box<dyn Filter>, usize),
    Beside(Beside),
    /// Only within a call.
    Nowhere,
}

/// A filter in a separate thread.
#[derive(Debug)]
struct Beside {
    pieces: SyncSender<Vec<u8>>,
    filtered: Receiver<Vec<u8>>,
    under_way: usize,
    /// `None` where it was never given the filter.
    thread: JoinHandle<Option<Box<dyn Filter>>>,
}

impl Filtering {
    pub(crate) fn new(filter: Box<dyn Filter>) -> Self {
        Self(FilterThread::Here(filter, 0))
    }

    /// Takes more of the output; `keep` gets what came out by now, in order.
    pub(crate) fn push(&mut self, bytes: &[u8], keep: &mut dyn FnMut(&[u8])) {
        match &mut self.0 {
            FilterThread::Here(filter, seen) => {
                filter.push(bytes, keep);
                *seen += bytes.len();
                if *seen >= LONG {
                    self.move_away();
                }
            }
            FilterThread::Beside(beside) => beside.push(bytes, keep),
            FilterThread::Nowhere => {}
        }
    }

    /// The output has ended: `keep` gets the rest.
    pub(crate) fn finish(self, keep: &mut dyn FnMut(&[u8])) {
        let mut filter = match self.0 {
            FilterThread::Here(filter, _) => filter,
            FilterThread::Beside(beside) => beside.end(keep),
            FilterThread::Nowhere => return,
        };
        filter.finish(keep);
    }

    fn move_away(&mut self) {
        // One processor has no room beside the thread that reads.
        if thread::available_parallelism().map_or(1, usize::from) < 2 {
            return;
        }
        if let FilterThread::Here(filter, _) = std::mem::replace(&mut self.0, FilterThread::Nowhere)
        {
            self.0 = match Beside::start(filter) {
                Ok(beside) => FilterThread::Beside(beside),
                // Where the system has no thread left, this one does both.
                Err(filter) => FilterThread::Here(filter, 0),
            };
        }
    }
}

impl Beside {
    /// Gives the filter back where no thread can be started.
    fn start(filter: Box<dyn Filter>) -> Result<Self, Box<dyn Filter>> {
        let (given, taken) = sync_channel::<Box<dyn Filter>>(1);
        let (pieces, input) = sync_channel::<Vec<u8>>(PIECES);
        let (output, filtered) = sync_channel::<Vec<u8>>(PIECES);
        let work = move || {
            let mut filter = taken.recv().ok()?;
            for piece in input {
                let mut out = Vec::with_capacity(piece.len());
                filter.push(&piece, &mut |bytes| out.extend_from_slice(bytes));
                if output.send(out).is_err() {
                    break;
                }
            }
            Some(filter)
        };
        let Ok(thread) = thread::Builder::new().spawn(work) else {
            return Err(filter);
        };
        given.send(filter).map_err(|unsent| unsent.0)?;
        Ok(Self { pieces, filtered, under_way: 0, thread })
    }

    fn push(&mut self, bytes: &[u8], keep: &mut dyn FnMut(&[u8])) {
        while let Ok(out) = self.filtered.try_recv() {
            self.under_way -= 1;
            keep(&out);
        }
        if self.under_way == PIECES
            && let Ok(out) = self.filtered.recv()
        {
            self.under_way -= 1;
            keep(&out);
        }
        // It takes pieces until the end is signalled.
        if self.pieces.send(bytes.to_vec()).is_ok() {
            self.under_way += 1;
        }
    }

    /// What is under way, and the filter.
    fn end(self, keep: &mut dyn FnMut(&[u8])) -> Box<dyn Filter> {
        drop(self.pieces);
        for out in self.filtered {
            keep(&out);
        }
        self.thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            .expect("because the filter was given")
    }
}

#[cfg(test)]
mod tests {
    use super::{Filter, FilterThread, Filtering, LONG};

    /// Holds the last byte back, and takes every `x` away.
    #[derive(Debug, Default)]
    struct Late(Option<u8>);

    impl Filter for Late {
        fn push(&mut self, bytes: &[u8], out: &mut dyn FnMut(&[u8])) {
            let all = self.0.take().into_iter().chain(bytes.iter().copied());
            let mut all: Vec<u8> = all.filter(|byte| *byte != b'x').collect();
            self.0 = all.pop();
            out(&all);
        }

        fn finish(&mut self, out: &mut dyn FnMut(&[u8])) {
            out(self.0.take().as_slice());
        }
    }

    #[test]
    fn the_output_is_the_same_wherever_the_filter_runs() {
        for (size, pieces) in [(0, 1), (1, 3), (1000, 5), (LONG / 3, 12), (LONG, 40)] {
            let piece: Vec<u8> = (0..size).map(|n| b"abxcde"[n % 6]).collect();
            let mut filtering = Filtering::new(Box::new(Late::default()));
            let mut kept = Vec::new();
            for _ in 0..pieces {
                filtering.push(&piece, &mut |bytes| kept.extend_from_slice(bytes));
            }
            let is_beside = matches!(filtering.0, FilterThread::Beside(_));
            assert!(!is_beside || size * pieces >= LONG);
            filtering.finish(&mut |bytes| kept.extend_from_slice(bytes));
            let mut whole = piece.repeat(pieces);
            whole.retain(|byte| *byte != b'x');
            assert!(kept == whole, "{size} bytes, {pieces} times");
        }
    }

    #[test]
    fn a_capture_dropped_amid_an_output_leaves_no_thread_waiting() {
        let mut filtering = Filtering::new(Box::new(Late::default()));
        for _ in 0..20 {
            filtering.push(&vec![b'a'; LONG], &mut |_| {});
        }
        drop(filtering);
    }
}
