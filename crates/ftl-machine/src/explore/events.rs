//! Every event that can answer what a state asks for, one of each kind that decisions distinguish.
//!
//! Two events are of one kind if no decision distinguishes them: which file a stray is does not matter,
//! that there is one does. A new decision needs an event here on either side of it: the test of
//! reachability fails if a block kind can no longer be reached, but not if an event is missing.

use std::collections::{BTreeMap, BTreeSet};

use ftl_model::{
    Change, Check, CheckStatus, DeltaPath, DeltaState, Digest, ExportStatus, ExportVerdict,
    IdiomKind, IdiomSeverity, IdiomStatus, IdiomVerdict, KnownFailure, Status, Touched,
};

use crate::event::{
    Before, Broken, CommandChecked, Edited, Event, FailureMatched, FixApplied, Judged,
    MissingProgram, OldTests, Planned, Sealed, TestsRead, Verification, Work, WorkspaceRead,
    WorkspaceRefused,
};
use crate::plan::PlannedFile;
use crate::{Effect, Next, State};

use super::plan_case::PlanCase;
use super::values::{CHANGED, DISTRUSTED, NEW, OLD};

/// Edits are tried in plans of so many files: a fourth makes the search three times as long, and shows no
/// arrow that three do not.
const EDITED_FILES: usize = 3;

/// The events that may arrive in `state`; empty once it is finished.
pub(super) fn possible(case: &PlanCase, state: &State) -> Vec<Event> {
    let Next::Perform(effect) = state.next() else {
        return Vec::new();
    };
    let mut events = answers(case, state, effect);
    if state.seen().is_some() && case.files <= EDITED_FILES {
        events.extend(edits(case, touched(state), state.passed().is_some()));
    }
    events
}

fn answers(case: &PlanCase, state: &State, effect: Effect) -> Vec<Event> {
    match effect {
        Effect::ReadWorkspace => reads(case),
        Effect::CheckPlan => plans(case),
        Effect::ReadTests(_) => tests(),
        Effect::Implement(_) => {
            work(case, 0, true).into_iter().map(boxed(Event::Implemented)).collect()
        }
        Effect::CheckFile(path) => checks(&path).map(Event::FileChecked).into(),
        Effect::RunPreflight { index, .. } => commands(index, &standing(case, touched(state))),
        Effect::Mend(_) => {
            let touched = touched(state);
            work(case, touched, false).into_iter().map(boxed(Event::Mended)).collect()
        }
        Effect::TryOldTests { .. } => old_tests(),
        Effect::Verify { .. } => {
            verifies(case, touched(state), case.lands() || state.retries() > 0)
        }
        Effect::TryBroken { .. } => broken(),
        Effect::Confirm { .. } => confirmations(),
        Effect::MatchFailure { .. } => matches(),
        Effect::ApplyFix { .. } => fixes(case, touched(state)),
        Effect::Judge => judgements(case, touched(state)),
        Effect::Seal(_) => vec![sealed()],
    }
}

fn boxed<T>(event: fn(Box<T>) -> Event) -> impl Fn(T) -> Event {
    move |fact| event(Box::new(fact))
}

fn sealed() -> Event {
    Event::Sealed(Sealed { path: "record".into(), sha256: NEW })
}

/// The user edits what was touched, or all of the delta; or the landing of what had passed is undone.
fn edits(case: &PlanCase, touched: usize, has_passed: bool) -> Vec<Event> {
    let delta = |count| standing(case, count);
    let edited = BTreeSet::from([touched, case.files]).into_iter();
    let mut edits: Vec<Edited> =
        edited.map(|count| Edited { paths: vec!["edited".into()], delta: delta(count) }).collect();
    if has_passed {
        edits.push(Edited { paths: Vec::new(), delta: delta(touched) });
    }
    edits.into_iter().map(boxed(Event::Edited)).collect()
}

fn touched(state: &State) -> usize {
    state.touched().len()
}

fn reads(case: &PlanCase) -> Vec<Event> {
    let good = WorkspaceRead {
        status: Some(Status::Active.to_string()),
        budget: case.budget,
        delta: case.paths().iter().map(ToString::to_string).collect(),
        verify: "true".into(),
        confidence: Some(if case.strict { 0.6 } else { 0.59 }),
        ..WorkspaceRead::default()
    };
    let no_delta = WorkspaceRead { delta: Vec::new(), ..good.clone() };
    let no_verify = WorkspaceRead { verify: String::new(), ..good.clone() };
    let finished = WorkspaceRead { status: Some(Status::Complete.to_string()), ..good.clone() };
    let mut events: Vec<Event> = [good, no_delta, no_verify, finished]
        .into_iter()
        .map(boxed(Event::WorkspaceRead))
        .collect();
    events.push(Event::WorkspaceRefused(WorkspaceRefused::default()));
    events
}

fn plans(case: &PlanCase) -> Vec<Event> {
    let files = case.paths().into_iter().map(|path| PlannedFile { path, extend: true }).collect();
    let good = Planned {
        files,
        tests: Some("test".into()),
        commands: vec!["check".into(); case.commands],
        ..Planned::default()
    };
    let bad = Planned { problem: Some("problem".into()), ..good.clone() };
    let unverifiable = Planned { missing: Some(MissingProgram::default()), ..good.clone() };
    [good, bad, unverifiable].into_iter().map(boxed(Event::Planned)).collect()
}

fn tests() -> Vec<Event> {
    let read = TestsRead { sha256: Some(NEW), warning: None };
    let failed = TestsRead { sha256: None, warning: Some("gone".into()) };
    [read, failed].map(Event::TestsRead).into()
}

/// Every way a request can come out, for each number of files it leaves touched. Nothing but
/// IMPLEMENT is charged by the file: `each` says whether what blocks is tried with every number.
fn work(case: &PlanCase, already: usize, each: bool) -> Vec<Work> {
    let mut all = Vec::new();
    for count in already..=case.files {
        for changed in [false, true] {
            if !changed && count > already || changed && count == 0 {
                continue;
            }
            let plain = Work { delta: standing(case, count), changed, ..Work::default() };
            if each || count == case.files {
                all.extend([
                    Work { failure: Some("failed".into()), ..plain.clone() },
                    Work { strays: vec!["stray".into()], ..plain.clone() },
                    Work { needs: vec!["other".into()], ..plain.clone() },
                ]);
            }
            if case.lands() && count > 0 {
                // The verify runs before the work beside the first request alone.
                let ran = || Before { passed: true, ran: Some(2), ..Before::default() };
                let before = each.then(ran);
                if before.is_some() {
                    let new_configuration = vec!["conftest".into()];
                    let before = before.clone();
                    all.push(Work { new_configuration, before, ..plain.clone() });
                }
                all.push(Work { changed_tests: vec!["test".into()], before, ..plain.clone() });
            }
            all.extend([Work { no_change: true, ..plain.clone() }, plain]);
        }
    }
    all
}

fn standing(case: &PlanCase, count: usize) -> DeltaState {
    DeltaState { touched: first(case, count), bytes: bytes(case, count) }
}

fn first(case: &PlanCase, count: usize) -> Vec<Touched> {
    let paths = case.paths().into_iter().take(count);
    paths.map(|path| Touched { path, change: Change::Modified }).collect()
}

fn bytes(case: &PlanCase, written: usize) -> BTreeMap<DeltaPath, Option<Digest>> {
    let digest = |index| Some(if index < written { NEW } else { OLD });
    case.paths().into_iter().enumerate().map(|(index, path)| (path, digest(index))).collect()
}

fn checks(path: &DeltaPath) -> [Check; 3] {
    [CheckStatus::Valid, CheckStatus::Invalid, CheckStatus::Unchecked]
        .map(|status| check(path, status))
}

fn check(path: &DeltaPath, status: CheckStatus) -> Check {
    Check {
        path: path.clone(),
        checker: "explored".into(),
        status,
        reason: None,
        diagnostics: Vec::new(),
        sha256: Some(NEW),
    }
}

fn commands(index: usize, delta: &DeltaState) -> Vec<Event> {
    [(true, vec![]), (true, vec![DISTRUSTED]), (false, vec![])]
        .map(|(passed, findings)| CommandChecked {
            index,
            passed,
            delta: delta.clone(),
            findings,
            ..CommandChecked::default()
        })
        .map(Event::CommandChecked)
        .into()
}

fn verifies(case: &PlanCase, touched: usize, lands: bool) -> Vec<Event> {
    let passed =
        Verification { passed: true, delta: standing(case, touched), ..Verification::default() };
    let passed = Verification { ran: Some(2), ..passed };
    let hiding = Verification { hides_exit: true, ..passed.clone() };
    let fewer = Verification { ran: Some(1), ..passed.clone() };
    let doubtful = Verification { findings: vec![DISTRUSTED], ..passed.clone() };
    let failed = Verification { passed: false, error: Some("error".into()), ..passed.clone() };
    let late = Verification { timed_out: true, ..failed.clone() };
    let meddled = Verification { delta: standing(case, case.files), ..failed.clone() };
    let mut all = vec![passed.clone(), hiding, doubtful, failed, late, meddled];
    let mut conflict = None;
    if lands {
        let apart = Verification { is_apart: true, passed: false, ..passed.clone() };
        let with = vec!["002_other".to_owned()];
        let together = Verification { with, ..passed.clone() };
        all.extend([apart, fewer, together]);
        let merged = case.paths().first().map(|path| check(path, CheckStatus::Valid));
        all.push(Verification { merged: merged.into_iter().collect(), ..passed });
        conflict = Some(Event::LandingConflicted(Box::default()));
    }
    all.into_iter().map(boxed(Event::Verified)).chain(conflict).collect()
}

fn old_tests() -> Vec<Event> {
    let tried = |passed| OldTests { passed, ran: passed.map(|_| 2), ..OldTests::default() };
    let tried = [Some(true), Some(false), None].map(tried).map(boxed(Event::OldTestsTried));
    tried.into_iter().chain([Event::LandingConflicted(Box::default())]).collect()
}

fn broken() -> Vec<Event> {
    let tried = |passed| Broken { passed, ..Broken::default() };
    [Some(true), Some(false), None].map(tried).map(boxed(Event::BrokenTried)).into()
}

fn confirmations() -> Vec<Event> {
    let confirmed = |passed| Verification { passed, ..Verification::default() };
    [true, false].map(confirmed).map(boxed(Event::Confirmed)).into()
}

fn matches() -> Vec<Event> {
    let known = |rerun| KnownFailure {
        index: 0,
        name: "known".into(),
        fix: "fix".into(),
        rationale: "it fits".into(),
        rerun,
    };
    let mut all = Vec::new();
    for max in [1, 2] {
        for known in [None, Some(known(false)), Some(known(true))] {
            all.push(FailureMatched { known, max, ..FailureMatched::default() });
        }
    }
    all.into_iter().map(boxed(Event::FailureMatched)).collect()
}

fn fixes(case: &PlanCase, already: usize) -> Vec<Event> {
    let mut all = Vec::new();
    for work in work(case, already, false) {
        let paths: Vec<DeltaPath> =
            work.delta.touched.iter().map(|file| file.path.clone()).collect();
        let parsed: Vec<Check> = paths.iter().map(|path| check(path, CheckStatus::Valid)).collect();
        let mut unparsed = parsed.clone();
        if let Some(last) = unparsed.last_mut() {
            last.status = CheckStatus::Invalid;
            all.push(FixApplied { work: work.clone(), checks: unparsed });
        }
        all.push(FixApplied { work, checks: parsed });
    }
    all.into_iter().map(boxed(Event::FixApplied)).collect()
}

fn judgements(case: &PlanCase, touched: usize) -> Vec<Event> {
    let clean = Judged { delta: standing(case, touched), ..Judged::default() };
    let mut changed = clean.clone();
    if let Some(digest) = changed.delta.bytes.values_mut().next_back() {
        *digest = Some(CHANGED);
    }
    let idiom = |verdict| IdiomVerdict {
        kind: IdiomKind::Required,
        text: "text".into(),
        rule: None,
        verdict,
        places: Vec::new(),
        note: None,
        severity: None,
    };
    let violated = Judged { idioms: vec![idiom(IdiomStatus::Violated)], ..clean.clone() };
    let mild = Judged {
        idioms: vec![IdiomVerdict {
            severity: Some(IdiomSeverity::Warning),
            ..idiom(IdiomStatus::Violated)
        }],
        ..clean.clone()
    };
    let undecided = Judged { idioms: vec![idiom(IdiomStatus::Undecidable)], ..clean.clone() };
    let gone = ExportVerdict { path: "a".into(), name: "f()".into(), verdict: ExportStatus::Lost };
    let lost = Judged { exports: vec![gone.clone()], ..clean.clone() };
    let both = Judged { exports: vec![gone], ..violated.clone() };
    [clean, changed, violated, mild, undecided, lost, both]
        .into_iter()
        .map(boxed(Event::Judged))
        .collect()
}
