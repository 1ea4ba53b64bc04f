//! Lines on standard error that say what goes on, for what takes longer than a second, where no terminal shows it live:
//! one after a second, and one every minute.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ftl_model::WorkspaceId;

use super::duration;
use crate::output;

/// How long something may take before its line appears.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is said again.
const AGAIN: Duration = Duration::from_secs(60);
/// Characters of the line.
const LENGTH: usize = 72;

/// What goes on, of each task under way.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    lines: BTreeMap<Option<WorkspaceId>, Line>,
}

/// A thread that waits for something to take long. It ends when the sender is dropped.
#[derive(Debug)]
struct Line {
    ended: Sender<()>,
    thread: JoinHandle<()>,
}

impl Progress {
    /// Something of a task begins that may take long.
    pub(crate) fn begin(&mut self, task: Option<&WorkspaceId>, what: &str) {
        self.finish(task);
        let (ended, end) = mpsc::channel();
        let what: String = what.replace('\n', " ").chars().take(LENGTH).collect();
        // Without a thread there is no progress to see, and nothing else is lost.
        let thread = thread::Builder::new().spawn(move || say(&what, &end));
        let line = thread.ok().map(|thread| (task.cloned(), Line { ended, thread }));
        self.lines.extend(line);
    }

    /// It has ended.
    pub(crate) fn finish(&mut self, task: Option<&WorkspaceId>) {
        if let Some(Line { ended, thread }) = self.lines.remove(&task.cloned()) {
            drop(ended);
            // A thread that panicked has nothing more to show.
            drop(thread.join());
        }
    }
}

fn say(what: &str, end: &Receiver<()>) {
    let began = Instant::now();
    let is_under_way = |wait| end.recv_timeout(wait) == Err(RecvTimeoutError::Timeout);
    if !is_under_way(PATIENCE) {
        return;
    }
    output::message(&format!("{what} …"));
    while is_under_way(AGAIN) {
        let since = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        output::message(&format!("{what}: {} so far", duration(since)));
    }
}
