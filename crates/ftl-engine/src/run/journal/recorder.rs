//! Everything a run leaves behind while it goes on: the journal's lines and the event stream.
//!
//! The journal is for recovery: events, which the machine folds again, and notes, which it never sees.
//! The event stream is for a person or program that watches, and has only what the journal already holds. The record
//! is not written here: see `record.rs` and `sealing.rs`.
//!
//! Order and cost: every line is written at once, but synced only before what cannot be done again or undone (an
//! implementer is asked, something is moved or put back, the record) and after an implementer's work, which cannot be had
//! again for nothing. A sync is about 0.3 ms on an SSD and several ms on a disk.

use std::path::Path;

use ftl_agents::Activity;
use ftl_machine::{Event, Options, State};
use ftl_model::Digest;
use ftl_store::Journal;
use ftl_text::Redactor;
use serde::{Deserialize, Serialize};

use super::announce::announcement;
pub(in crate::run) use super::notes::Note;
use crate::result::{
    BuildResult, CheckResult, Doing, EventLine, Frame, Outline, RunId, Spent, What,
};
use crate::run::commands::secrets;
use crate::run::session::brief::Brief;
use crate::run::session::choices::Choices;
use crate::run::settings::Attempt;
use crate::run::words::wording;
use crate::run::{Fault, Reporter};
use crate::text::{now_exactly, one_line};

/// The journal's first line: what must be the same when the run is taken up again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::run) struct Opening {
    /// Which ftl wrote it.
    pub(in crate::run) version: String,
    /// The machine's options.
    pub(in crate::run) options: Options,
    /// Everything else that was chosen and must not change on the way.
    pub(in crate::run) choices: Choices,
    /// The digest of the workspace as it was read.
    pub(in crate::run) workspace: Digest,
    /// Which try of its command the run is.
    pub(in crate::run) attempt: Attempt,
    /// The slot that it works in, of a task beside others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::run) slot: Option<u32>,
}

/// Writes the journal, where there is one, and reports to the listener.
pub(in crate::run) struct Recorder<'a> {
    journal: Option<Journal<'static>>,
    reporter: &'a mut dyn Reporter,
    run: RunId,
    seq: u64,
    /// Tool calls, once they are known.
    budget: Option<Spent>,
    /// States that were reported.
    entered: usize,
    /// Requests whose cost was reported.
    charged: usize,
    /// Warnings of the state that the reporter was given: the state keeps them all.
    warned: usize,
    /// What the journal must not hold.
    redactor: Option<Redactor>,
    /// Whether an implementer was asked since the last event: its work must not be lost.
    asked: bool,
}

impl<'a> Recorder<'a> {
    pub(in crate::run) fn new(
        journal: Option<Journal<'static>>,
        reporter: &'a mut dyn Reporter,
        run: RunId,
    ) -> Self {
        Self {
            journal,
            reporter,
            run,
            seq: 0,
            budget: None,
            entered: 0,
            charged: 0,
            warned: 0,
            redactor: None,
            asked: false,
        }
    }

    /// Writes the journal again where a child changed or removed it; whether one did.
    pub(in crate::run) fn mend_journal(&mut self) -> Result<bool, Fault> {
        match &mut self.journal {
            Some(journal) => Ok(journal.repair()?),
            None => Ok(false),
        }
    }

    /// Keeps secrets out of the journal.
    pub(in crate::run) fn hiding(mut self, redactor: &Redactor) -> Self {
        self.redactor = Some(redactor.clone());
        self
    }

    /// For what is neither journalled nor an event: progress, and waiting for a lock.
    pub(in crate::run) fn reporter(&mut self) -> &mut dyn Reporter {
        self.reporter
    }

    /// Reports the beginning and the task; `resumed` events precede it.
    pub(in crate::run) fn open(
        &mut self,
        opening: &Opening,
        brief: Option<&Brief>,
        resumed: usize,
    ) {
        let frame = Frame::Opened {
            version: &opening.version,
            workspace_sha256: opening.workspace,
            options: &opening.options,
            plan: brief.map(|brief| Outline::of(&brief.workspace)),
            resumed_events: resumed,
        };
        self.line(What::Frame(frame), None);
    }

    /// Reports the state of a run, which may have come this far before.
    pub(in crate::run) fn enter(&mut self, state: &State) {
        let states = &state.log().states;
        if !states.is_empty() {
            let budget = state.budget();
            self.budget = Some(Spent { total: Some(budget.total), used: budget.used });
        }
        for name in states.iter().skip(self.entered) {
            self.reporter.entered(*name, self.budget.as_ref());
        }
        self.entered = states.len();
        let works = &state.log().agent;
        let cost = works.iter().filter_map(|work| work.cost_usd).sum();
        if works.len() > self.charged && cost > 0.0 {
            self.reporter.cost(cost);
        }
        self.charged = works.len();
    }

    /// A command is about to start.
    pub(in crate::run) fn begins(&mut self, doing: Doing, command: &str) {
        self.line(What::Frame(Frame::Started { doing, command }), None);
        self.reporter.begins(doing, &one_line(command));
    }

    /// The command under way has printed these lines last.
    pub(in crate::run) fn printed(&mut self, lines: &[String]) {
        if let Some(line) = lines.last() {
            self.line(What::Frame(Frame::Output { line }), None);
        }
        self.reporter.printed(lines);
    }

    /// Journals the event that led to `state`, then reports it.
    ///
    /// What was read, checked or verified can be had again, and is on the disk before the next thing that cannot be
    /// done again or undone. What an implementer did is on the disk at once.
    pub(in crate::run) fn record(&mut self, event: &Event, state: &State) -> Result<(), Fault> {
        if let Some(journal) = &mut self.journal {
            match &self.redactor {
                Some(redactor) => {
                    journal.append_event(&now_exactly(), &secrets::written(redactor, event)?)?;
                }
                None => journal.append_event(&now_exactly(), event)?,
            }
        }
        if std::mem::take(&mut self.asked) {
            self.settle()?;
        }
        if !matches!(event, Event::WorkspaceRefused(_)) {
            self.enter(state);
        }
        let emit = announcement(event, state);
        self.line(What::Event(event), emit.as_deref());
        if let Some(line) = &emit {
            self.reporter.announce(&one_line(line));
        }
        for warning in state.log().warnings.iter().skip(self.warned) {
            self.reporter.warning(&wording::warning(warning));
        }
        self.warned = state.log().warnings.len();
        Ok(())
    }

    /// Journals a note.
    pub(in crate::run) fn note(&mut self, note: &Note) -> Result<(), Fault> {
        if let Some(journal) = &mut self.journal {
            journal.append_note(&now_exactly(), note)?;
        }
        // Nothing is changed yet, and a power cut ends the child too.
        Ok(())
    }

    /// An implementer is about to be asked.
    pub(in crate::run) fn asks(&mut self) -> Result<(), Fault> {
        self.asked = true;
        self.settle()
    }

    /// The record will name this file: it is on the disk before that.
    pub(in crate::run) fn rely_on(&mut self, file: &Path) {
        if let Some(journal) = &mut self.journal {
            journal.rely_on(file.to_owned());
        }
    }

    /// Brings all that was journalled to the disk before the record, which holds the same.
    pub(in crate::run) fn settle_for_record(&mut self) -> Result<(), Fault> {
        match &mut self.journal {
            Some(journal) => Ok(journal.sync_for_record()?),
            None => Ok(()),
        }
    }

    /// Brings all that was journalled to the disk: before anything is done that cannot be done again or undone.
    pub(in crate::run) fn settle(&mut self) -> Result<(), Fault> {
        match &mut self.journal {
            Some(journal) => Ok(journal.sync()?),
            None => Ok(()),
        }
    }

    /// Reports what an agent does, as it says itself.
    pub(in crate::run) fn activity(&mut self, request: u32, activity: &Activity) {
        self.line(What::Frame(Frame::Agent { request, activity }), None);
        self.reporter.activity(activity);
    }

    /// A check at the end was made.
    pub(in crate::run) fn checked(&mut self, check: &CheckResult) {
        self.line(What::Frame(Frame::Checked { check }), None);
    }

    /// The last line of the event stream.
    pub(in crate::run) fn close(&mut self, result: &BuildResult) {
        self.line(What::Frame(Frame::Outcome { result }), None);
    }

    fn line(&mut self, what: What<'_>, emit: Option<&str>) {
        let line = EventLine {
            v: 1,
            seq: self.seq,
            at: &now_exactly(),
            run: &self.run,
            emit,
            budget: self.budget.as_ref(),
            what,
        };
        self.reporter.event(&line);
        self.seq += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use ftl_machine::event::Sealed;
    use ftl_machine::{Event, Options, State};
    use ftl_model::{Digest, WorkspaceId};
    use ftl_process::Trail;
    use ftl_store::Journal;
    use ftl_store::sim::{Disk, Names, SimFs};

    use super::{Note, Recorder};
    use crate::result::RunId;
    use crate::run::NullReporter;

    const DIR: &str = "/p";
    const ASKED: Note = Note::Asked { request: 1 };

    fn starts() -> Note {
        Note::Starts(Trail { pipe: 1, since: 2, boot_id: "boot".into() })
    }

    /// The numbers of lines after the opening one that a power cut now could leave, `None` where even that can be lost.
    fn left(files: &SimFs) -> BTreeSet<Option<usize>> {
        let disks = Names::ALL.map(|names| files.after_power_cut(files.steps(), names));
        let lines = |disk: &Disk| {
            let files = SimFs::new(disk, None);
            Some(Journal::open(&files, Path::new(DIR)).ok()?.entries.len())
        };
        disks.iter().flatten().map(lines).collect()
    }

    #[test]
    fn lines_that_later_steps_need_are_on_the_disk_and_free_ones_may_wait() {
        let files: &SimFs = Box::leak(Box::new(SimFs::new(
            &Disk::from([("/".into(), None), (DIR.into(), None)]),
            None,
        )));
        let journal = Journal::create(files, Path::new(DIR), "now", &"opening").unwrap();
        let mut reporter = NullReporter;
        let mut recorder = Recorder::new(
            Some(journal),
            &mut reporter,
            RunId::new(WorkspaceId::new("001", "a"), 1),
        );
        let state = State::new(Options::default());
        let read = Event::WorkspaceRead(Box::default());
        let sealed = Event::Sealed(Sealed { path: "p".into(), sha256: Digest::of(b"") });

        recorder.record(&read, &state).unwrap();
        recorder.note(&ASKED).unwrap();
        recorder.note(&starts()).unwrap();
        let any = BTreeSet::from([None, Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(left(files), any, "before a child starts");
        recorder.asks().unwrap();
        assert_eq!(left(files), BTreeSet::from([Some(3)]), "before an implementer starts");
        recorder.record(&read, &state).unwrap();
        assert_eq!(left(files), BTreeSet::from([Some(4)]), "after it answered");
        recorder.record(&read, &state).unwrap();
        assert_eq!(left(files), BTreeSet::from([Some(4), Some(5)]), "only reading");
        recorder.settle_for_record().unwrap();
        assert_eq!(left(files), BTreeSet::from([Some(5)]), "before the record");
        recorder.record(&sealed, &state).unwrap();
        assert_eq!(left(files), BTreeSet::from([Some(5), Some(6)]), "after the record");
    }
}
