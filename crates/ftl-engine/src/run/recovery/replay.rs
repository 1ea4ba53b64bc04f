//! A run, read from its journal: the events are folded again, and nothing is done.
//!
//! Nothing is locked either, so the run may go on. What cannot be folded any more is read from the
//! record instead, see `history`.

use std::path::Path;

use ftl_machine::{Event, Outcome, State, Verdict};
use ftl_model::{DeltaState, Digest, WorkspaceId};
use ftl_store::{Journal, Layout, LineKind, Run};

use crate::result::{BuildResult, ImplementerAccount, OutcomeWord, RunId, StateStep};
use crate::run::commands::secrets::Secrets;
use crate::run::journal::recorder::Opening;
use crate::run::session::result;
use crate::run::settings::{Implementer, Settings};
use crate::run::site::{Site, files};
use crate::run::{Advice, Fault};

/// What a journal says of its run.
#[derive(Debug)]
pub(crate) struct Replay {
    /// Which ftl made the run.
    pub(crate) version: String,
    /// When it began.
    pub(crate) began_at: String,
    /// When its last event arrived.
    pub(crate) last_at: String,
    /// Who wrote.
    pub(crate) implementer: ImplementerAccount,
    /// The states that it entered.
    pub(crate) steps: Vec<StateStep>,
    /// The slot that it works in.
    pub(crate) slot: Option<u32>,
    /// What it came to, or how far it came.
    pub(crate) result: BuildResult,
}

/// Replays the journal of a run. `record` is the task's file. The next steps after a block are looked
/// for in the tree only with advice.
///
/// # Errors
///
/// There is no journal, it is damaged, or its events are not those of this version.
pub(crate) fn replay(
    layout: &Layout,
    run: &Run,
    id: &WorkspaceId,
    record: &Path,
    advice: Option<Advice>,
) -> Result<Replay, Fault> {
    let (header, entries) = Journal::read(files(), run.dir())?;
    let opening: Opening = header.decode()?;
    let mut state = State::new(opening.options);
    let mut timeline = Timeline::new(&state, &header.at);
    let mut delta = DeltaState::default();
    for entry in entries.iter().filter(|entry| entry.kind == LineKind::Event) {
        let event: Event = entry.decode()?;
        if let Some(now) = delta_of(&event) {
            delta.clone_from(now);
        }
        state = state.apply(event)?;
        timeline.note(&state, &entry.at);
    }
    let verdict = match state.verdict() {
        Some(verdict) => verdict.clone(),
        None => so_far(&state, &delta),
    };
    let is_over = verdict.record.is_some();
    let number = RunId::new(id.clone(), run.number());
    let (implementer, tree) = opening.choices.written_by();
    let settings = Settings {
        tree: tree.clone(),
        advice: advice.unwrap_or_default(),
        ..Settings::new(layout.root().to_owned(), implementer.clone())
    };
    let site = Site {
        settings: &settings,
        layout,
        run: run.clone(),
        secrets: Secrets::new(&settings.redactor),
    };
    let mut result = result::of(&verdict, number, record, &settings, advice.map(|_| &site));
    result.attempt = opening.attempt.number;
    result.duration_ms = crate::text::milliseconds(&header.at, &timeline.last).unwrap_or_default();
    if !is_over {
        result.outcome = OutcomeWord::Unfinished;
    }
    Ok(Replay {
        version: opening.version,
        began_at: header.at.clone(),
        last_at: timeline.last.clone(),
        implementer: account_of(implementer),
        steps: timeline.steps(is_over),
        slot: opening.slot,
        result,
    })
}

/// What an implementer is called in accounts.
pub(in crate::run) fn account_of(implementer: &Implementer) -> ImplementerAccount {
    match implementer {
        Implementer::Agent(agent) => ImplementerAccount {
            kind: "agent".to_owned(),
            name: agent.name.clone(),
            command: agent.command.clone(),
        },
        Implementer::Patches(_) => {
            ImplementerAccount { kind: "patch".to_owned(), name: None, command: None }
        }
        Implementer::Tree { .. } => {
            ImplementerAccount { kind: "tree".to_owned(), name: None, command: None }
        }
    }
}

/// What is known of a task that has not come to its end.
fn so_far(state: &State, delta: &DeltaState) -> Verdict {
    let digest = |path| delta.bytes.get(path).copied().flatten();
    let files = delta.touched.iter();
    let files: Vec<(_, Option<Digest>)> =
        files.map(|file| (file.clone(), digest(&file.path))).collect();
    let budget = state.budget();
    Verdict {
        outcome: Outcome::Planned,
        total: Some(budget.total),
        used: budget.used,
        plan: state.plan().clone().into(),
        files,
        retries: state.retries(),
        log: state.log().clone(),
        record: None,
    }
}

fn delta_of(event: &Event) -> Option<&DeltaState> {
    match event {
        Event::Implemented(work) | Event::Mended(work) => Some(&work.delta),
        Event::FixApplied(fix) => Some(&fix.work.delta),
        Event::Verified(verified) => Some(&verified.delta),
        Event::CommandChecked(ran) => Some(&ran.delta),
        Event::Judged(judged) => Some(&judged.delta),
        Event::Edited(edited) => Some(&edited.delta),
        Event::WorkspaceRead(_)
        | Event::WorkspaceRefused(_)
        | Event::Planned(_)
        | Event::TestsRead(_)
        | Event::LandingConflicted(_)
        | Event::OldTestsTried(_)
        | Event::BrokenTried(_)
        | Event::Confirmed(_)
        | Event::FileChecked(_)
        | Event::FailureMatched(_)
        | Event::Sealed(_) => None,
    }
}

/// When which state was entered.
struct Timeline {
    entered: Vec<(ftl_machine::StateName, String)>,
    last: String,
}

impl Timeline {
    fn new(state: &State, at: &str) -> Self {
        let mut timeline = Self { entered: Vec::new(), last: at.to_owned() };
        timeline.note(state, at);
        timeline
    }

    fn note(&mut self, state: &State, at: &str) {
        let known = self.entered.len();
        for name in state.log().states.iter().skip(known) {
            // The run begins in READ, which is entered in the log once it is over.
            let entered = if self.entered.is_empty() { &self.last } else { at };
            self.entered.push((*name, entered.to_owned()));
        }
        at.clone_into(&mut self.last);
    }

    /// The last state of an unfinished run has no end.
    fn steps(&self, is_over: bool) -> Vec<StateStep> {
        let ends = self.entered.iter().skip(1).map(|(_, at)| at);
        let last = is_over.then_some(&self.last);
        let mut ends = ends.map(Some).chain([last]);
        let step = |(state, at): &(ftl_machine::StateName, String)| StateStep {
            state: *state,
            at: Some(at.clone()),
            duration_ms: ends.next().flatten().and_then(|end| crate::text::milliseconds(at, end)),
        };
        self.entered.iter().map(step).collect()
    }
}
