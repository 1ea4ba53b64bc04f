//! The programs that a run starts: each is noted in the journal before it can do anything.

use std::io;
use std::time::{Duration, Instant};

use ftl_process::{Command, Ended, Group, Observer, Trail};

use super::secrets::Secrets;
use crate::run::Fault;
use crate::run::effects::implementer::AgentListener;
use crate::run::journal::recorder::{Note, Recorder};
use crate::run::recovery::own_run;
use crate::run::site::Site;

impl Site<'_> {
    /// Runs a child. Its group is noted first, so that a crash leaves no process behind of which no journal knows.
    /// The run goes on, also where it deletes the run's own directory.
    pub(in crate::run) fn run_child(
        &self,
        command: &Command,
        recorder: &mut Recorder<'_>,
    ) -> Result<Ended, Fault> {
        self.run(command, recorder, (false, None))
    }

    /// As [`run_child`](Self::run_child), of an implementer, with a listener for its output. Before it starts, the journal
    /// is on the disk.
    pub(in crate::run) fn run_implementer(
        &self,
        command: &Command,
        recorder: &mut Recorder<'_>,
        listener: Option<&mut AgentListener>,
    ) -> Result<Ended, Fault> {
        self.run(command, recorder, (true, listener))
    }

    fn run(
        &self,
        command: &Command,
        recorder: &mut Recorder<'_>,
        (implements, listener): (bool, Option<&mut AgentListener>),
    ) -> Result<Ended, Fault> {
        self.secrets.tail.clear();
        let mut noting = Noting {
            recorder,
            secrets: &self.secrets,
            reported: 0,
            at: None,
            fault: None,
            implements,
            listener,
        };
        let ended = command.run_observed(&mut noting);
        noting.tell_the_rest();
        if let Some(fault) = noting.fault {
            return Err(fault);
        }
        if let Some(warning) = own_run::mend(self, recorder)? {
            recorder.reporter().warning(&warning);
        }
        let ended = ended?;
        match ended.interrupted {
            Some(signal) => Err(Fault::Interrupted(signal)),
            None => Ok(ended),
        }
    }
}

/// Notes children in the journal. `ftl-process` knows only IO errors, so a fault of the journal is kept
/// here and returned in place of the error that wraps it.
struct Noting<'c, 'l> {
    recorder: &'c mut Recorder<'l>,
    secrets: &'c Secrets,
    /// Bytes of the output that were reported, and when.
    reported: u64,
    at: Option<Instant>,
    fault: Option<Fault>,
    implements: bool,
    listener: Option<&'c mut AgentListener>,
}

/// Minimum interval between output events.
const INTERVAL: Duration = Duration::from_millis(500);

impl Noting<'_, '_> {
    fn tell_the_rest(&mut self) {
        if self.secrets.tail.total() > self.reported {
            self.at = None;
            self.printed();
        }
    }

    fn unless_faulty(&mut self, done: Result<(), Fault>) -> io::Result<()> {
        done.map_err(|fault| {
            let wrapper = io::Error::other(fault.to_string());
            self.fault = Some(fault);
            wrapper
        })
    }
}

impl Observer for Noting<'_, '_> {
    fn starts(&mut self, trail: &Trail) -> io::Result<()> {
        let mut done = self.recorder.note(&Note::Starts(trail.clone()));
        if self.implements {
            done = done.and_then(|()| self.recorder.asks());
        }
        self.unless_faulty(done)
    }

    fn started(&mut self, group: &Group) -> io::Result<()> {
        let done = self.recorder.note(&Note::Started(group.clone()));
        self.unless_faulty(done)
    }

    fn listens(&self) -> bool {
        self.listener.is_some()
    }

    fn hear(&mut self, bytes: &[u8]) {
        if let Some(listener) = &mut self.listener {
            listener.hear(bytes, self.recorder);
        }
    }

    fn printed(&mut self) -> Option<Duration> {
        let again = self.listener.as_mut().and_then(|listener| listener.look(self.recorder));
        let total = self.secrets.tail.total();
        if total == self.reported {
            return again;
        }
        let since = self.at.map(|at| at.elapsed());
        if let Some(left) = since.and_then(|since| INTERVAL.checked_sub(since)) {
            return Some(left);
        }
        self.reported = total;
        self.at = Some(Instant::now());
        self.recorder.printed(&self.secrets.last_lines());
        again
    }
}
