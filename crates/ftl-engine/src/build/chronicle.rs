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
    Starts(#[serde(with = "TrailFields")] Trail),
    /// A child's process group.
    Started(#[serde(with = "GroupFields")] Group),
}

/// How a trail is spelt.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Trail")]
struct TrailFields {
    pipe: u64,
    since: u64,
    boot_id: String,
}

/// How a group is spelt.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Group")]
struct GroupFields {
    pid: u32,
    start_time: u64,
    boot_id: String,
}

/// Writes the journal, where there is one, and tells the listener.
pub(super) struct Chronicle<'a> {
    journal: Option<Journal<'static>>,
    listener: &'a mut dyn Listener,
    run: String,
    seq: u64,
    warned: usize,
    /// Whether a child was started since the last event: what came of it must not be lost.
    ran: bool,
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
            ran: false,
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
    ///
    /// What was only read, parsed or judged can be had again at no cost, and is on the disk before
    /// the next thing that can be seen from outside. What a child did, and that the record is sealed,
    /// is on the disk at once.
    pub(super) fn record(&mut self, event: &Event, state: &State) -> Result<(), Fault> {
        if let Some(journal) = &mut self.journal {
            journal.append_event(&now(), event)?;
        }
        if std::mem::take(&mut self.ran) || matches!(event, Event::Sealed(_)) {
            self.settle()?;
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
        match note {
            Note::Starts(_) => {
                self.ran = true;
                self.settle()
            }
            // Nothing is changed yet, and a power cut ends the child too.
            Note::Captured { .. } | Note::Started(_) => Ok(()),
        }
    }

    /// Brings all that was journalled to the disk: before anything is done that can be seen from
    /// outside.
    pub(super) fn settle(&mut self) -> Result<(), Fault> {
        match &mut self.journal {
            Some(journal) => Ok(journal.sync()?),
            None => Ok(()),
        }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{Chronicle, Note, Trail};
    use crate::build::Deaf;
    use crate::machine::event::Sealed;
    use crate::machine::{Event, Options, State};
    use crate::store::Journal;
    use crate::store::sim::{Disk, Names, SimFs};

    const DIR: &str = "/p";
    const CAPTURED: Note = Note::Captured { request: 1 };

    fn starts() -> Note {
        Note::Starts(Trail {
            pipe: 1,
            since: 2,
            boot_id: "boot".into(),
        })
    }

    /// The numbers of lines after the opening one that a power cut now could leave.
    fn left(files: &SimFs) -> BTreeSet<usize> {
        let disks = Names::ALL.map(|names| files.after_power_cut(files.steps(), names));
        let lines = |disk: &Disk| {
            let files = SimFs::new(disk, None);
            let loaded = Journal::open(&files, Path::new(DIR));
            loaded.expect("because it is torn at most").entries.len()
        };
        disks.iter().flatten().map(lines).collect()
    }

    #[test]
    fn what_is_built_on_is_on_the_disk_and_what_is_free_may_wait() {
        let files: &SimFs = Box::leak(Box::new(SimFs::new(
            &Disk::from([("/".into(), None), (DIR.into(), None)]),
            None,
        )));
        let journal = Journal::create(files, Path::new(DIR), "now", &"opening").unwrap();
        let mut deaf = Deaf;
        let mut chronicle = Chronicle::new(Some(journal), &mut deaf, "001_a/1".into());
        let state = State::new(Options::default());
        let read = Event::WorkspaceRead(Box::default());
        let sealed = Event::Sealed(Sealed {
            path: "p".into(),
            sha256: "s".into(),
        });

        chronicle.record(&read, &state).unwrap();
        chronicle.note(&CAPTURED).unwrap();
        assert_eq!(left(files), BTreeSet::from([0, 1, 2]), "only reading");
        chronicle.note(&starts()).unwrap();
        assert_eq!(left(files), BTreeSet::from([3]), "before a child starts");
        chronicle.record(&read, &state).unwrap();
        assert_eq!(left(files), BTreeSet::from([4]), "after a child ran");
        chronicle.record(&read, &state).unwrap();
        assert_eq!(left(files), BTreeSet::from([4, 5]), "only reading");
        chronicle.settle().unwrap();
        assert_eq!(left(files), BTreeSet::from([5]), "before the record");
        chronicle.record(&sealed, &state).unwrap();
        assert_eq!(left(files), BTreeSet::from([6]), "after the record");
    }
}
