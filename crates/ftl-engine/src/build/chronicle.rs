//! Everything a run leaves behind while it goes on: the journal's lines and the event stream.

use ftl_process::{Group, Trail};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::reading::one_line;
use super::{Fault, Listener};
use crate::json::{EventLine, Frame, What};
use crate::machine::{Event, Options, State};
use crate::store::Journal;

/// The journal's first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Opening {
    /// Which ftl wrote it.
    pub(super) version: String,
    /// The machine's options.
    pub(super) options: Options,
    /// Everything else that was chosen and must not change on the way.
    pub(super) choices: String,
    /// The digest of the workspace as it was read.
    pub(super) workspace: String,
}

/// What recovery needs to know, and the machine does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub(super) enum Note {
    /// The tree was captured before this request.
    Captured {
        /// The request's number in the run.
        request: u32,
    },
    /// A child is about to start: what it will be known by.
    Starts {
        /// The pipe that takes its output.
        pipe: u64,
        /// When ftl itself began, in clock ticks since the boot.
        since: u64,
        /// The boot.
        boot_id: String,
    },
    /// A child's process group.
    Started {
        /// Its leader's process.
        pid: u32,
        /// When that began, in clock ticks since the boot.
        start_time: u64,
        /// The boot.
        boot_id: String,
    },
}

impl Note {
    /// The note of a child that is about to start.
    pub(super) fn starts(trail: &Trail) -> Self {
        let Trail {
            pipe,
            since,
            boot_id,
        } = trail.clone();
        Self::Starts {
            pipe,
            since,
            boot_id,
        }
    }

    /// The note of a child that was started.
    pub(super) fn started(group: &Group) -> Self {
        let Group {
            pid,
            start_time,
            boot_id,
        } = group.clone();
        Self::Started {
            pid,
            start_time,
            boot_id,
        }
    }

    /// The group that it notes.
    pub(super) fn group(&self) -> Option<Group> {
        let Self::Started {
            pid,
            start_time,
            boot_id,
        } = self.clone()
        else {
            return None;
        };
        Some(Group {
            pid,
            start_time,
            boot_id,
        })
    }

    /// The trail that it notes.
    pub(super) fn trail(&self) -> Option<Trail> {
        let Self::Starts {
            pipe,
            since,
            boot_id,
        } = self.clone()
        else {
            return None;
        };
        Some(Trail {
            pipe,
            since,
            boot_id,
        })
    }
}

/// Writes the journal, where there is one, and tells the listener.
pub(super) struct Chronicle<'a> {
    journal: Option<Journal<'static>>,
    listener: &'a mut dyn Listener,
    run: String,
    seq: u64,
    warned: usize,
}

impl<'a> Chronicle<'a> {
    pub(super) fn new(
        journal: Option<Journal<'static>>,
        listener: &'a mut dyn Listener,
        run: String,
    ) -> Self {
        Self {
            journal,
            listener,
            run,
            seq: 0,
            warned: 0,
        }
    }

    pub(super) fn listener(&mut self) -> &mut dyn Listener {
        self.listener
    }

    /// Tells of the beginning and of the task; `resumed` events lie behind it already.
    pub(super) fn open(&mut self, opening: &Opening, plan: Value, resumed: usize) {
        let frame = Frame::Opened {
            version: &opening.version,
            workspace_sha256: &opening.workspace,
            options: &opening.options,
            plan,
            resumed_events: resumed,
        };
        self.line(What::Frame(frame), None);
    }

    /// Journals the event that led to `state`, then tells of it.
    pub(super) fn record(&mut self, event: &Event, state: &State) -> Result<(), Fault> {
        if let Some(journal) = &mut self.journal {
            journal.append_event(&now(), event)?;
        }
        let emit = event.emit(state);
        self.line(What::Event(event), emit.as_deref());
        if let Some(line) = &emit {
            self.listener.announce(&one_line(line));
        }
        for warning in state.log().warnings.iter().skip(self.warned) {
            self.listener.warning(warning);
        }
        self.warned = state.log().warnings.len();
        Ok(())
    }

    /// Journals a note.
    pub(super) fn note(&mut self, note: &Note) -> Result<(), Fault> {
        if let Some(journal) = &mut self.journal {
            journal.append_note(&now(), note)?;
        }
        Ok(())
    }

    /// The last line of the event stream.
    pub(super) fn close(&mut self, outcome: &Value) {
        self.line(What::Frame(Frame::Outcome { result: outcome }), None);
    }

    fn line(&mut self, what: What<'_>, emit: Option<&str>) {
        let line = json!(EventLine {
            v: 1,
            seq: self.seq,
            at: &now(),
            run: &self.run,
            emit,
            what,
        });
        self.seq += 1;
        self.listener.event(&line);
    }
}

/// The time, to the second and in UTC.
pub(super) fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
