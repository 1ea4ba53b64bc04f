//! When two states are one point of the search.
//!
//! Only what decides counts, and files are interchangeable: of two plans that differ in which file
//! failed, one is enough. Every field of a task is named here, so that a new one must be thought of.

use std::hash::{DefaultHasher, Hash, Hasher};

use ftl_model::{Change, DeltaPath, Digest};

use super::observer::{Observer, Promises};
use crate::preflighting::ATTEMPTS;
use crate::sealing::Sealing;
use crate::task::{Subject, Task};
use crate::{BlockKind, State, Verdict};

/// From IMPLEMENT's price on, five calls are the most that a run can spend: a verify, and twice a fix
/// with its verify. What is left beyond that, and beyond what four files cost, decides nothing.
const MORE_THAN_ANY_RUN: i64 = 10;

/// What decides about one file.
#[derive(Hash, PartialEq, Eq, PartialOrd, Ord)]
struct FilePoint {
    touched: bool,
    attempts: u32,
    bytes: Option<u8>,
    turn: u8,
    looked_at: Option<bool>,
}

/// What decides, of a state and of the observer: two runs that the observer judges differently must not
/// be taken for one.
#[derive(Hash)]
struct Point {
    doing: u8,
    detail: u64,
    remaining: i64,
    retries: u32,
    commands: Vec<u32>,
    /// What blocks for good, and what blocks until the next verify.
    distrusted: [bool; 2],
    tests: [bool; 3],
    is_shared: bool,
    files: Vec<FilePoint>,
    observed: Promises,
    end: Option<BlockKind>,
}

/// The point of `state`, as a hash: among the few hundred thousand points of a search,
/// the odds that two share one are below one in a million.
pub(super) fn point(state: &State, observer: &Observer) -> u64 {
    let mut hasher = DefaultHasher::new();
    point_of(state, observer).hash(&mut hasher);
    hasher.finish()
}

/// What all plans of a group have in common is left out, and so is history. READ and PLAN are not
/// shared, see `Search::visit`.
fn point_of(state: &State, observer: &Observer) -> Point {
    let observed = observer.promises();
    match state {
        State::Read(at) => of_task(&at.task, observer, 0, 0),
        State::Plan(at) => of_task(&at.task, observer, 1, 0),
        State::ReadTests(at) => of_task(&at.task, observer, 2, 0),
        State::Implement(at) => of_task(&at.task, observer, 3, 0),
        State::Check(at) => {
            let mut point = of_task(&at.task, observer, 4, u64::from(at.failed));
            point.files = files(&at.task, observer, |path| {
                let waiting = at.rest.contains(path);
                if *path == at.path { 2 } else { u8::from(waiting) }
            });
            point
        }
        State::RunCommand(at) => of_task(&at.task, observer, 5, at.index as u64),
        State::Mend(at) => of_task(&at.task, observer, 6, 0),
        State::TryBroken(at) => of_task(&at.task, observer, 15, u64::from(at.hides_exit)),
        State::TryOldTests(at) => of_task(&at.task, observer, 14, 0),
        State::Verify(at) => {
            let distrusts = !at.by_old_tests.is_disjoint(&at.task.options.untrusted);
            let detail = u64::from(distrusts) + 2 * u64::from(at.old_ran.is_some());
            of_task(&at.task, observer, 7, detail)
        }
        State::Match(at) => of_task(&at.task, observer, 8, 0),
        State::Fix(at) => of_task(&at.task, observer, 9, u64::from(at.known.rerun)),
        State::Judge(at) => of_task(&at.task, observer, 10, 0),
        State::Seal(Sealing { unsealed: Some(task), verdict }) => {
            Point { end: kind(verdict), ..of_task(task, observer, 11, 0) }
        }
        State::Seal(at) => of_end(11, observed, kind(&at.verdict)),
        State::Confirm(at) => of_task(&at.task, observer, 13, u64::from(at.why.kind() as u8)),
        State::Finished(verdict) => of_end(12, observed, kind(verdict)),
    }
}

fn of_task(task: &Task, observer: &Observer, doing: u8, detail: u64) -> Point {
    let Task {
        options,
        plan: _,
        log: _,
        touched: _,
        checked: _,
        seen: _,
        budget,
        attempts,
        retries,
        allowed: _,
        changed_tests,
        new_configuration,
        before,
        findings,
        doubts,
        is_shared,
    } = task;
    let command = |(subject, attempts): (&Subject, &u32)| match subject {
        Subject::Command(_) => Some((*attempts).min(ATTEMPTS)),
        Subject::File(_) => None,
    };
    Point {
        doing,
        detail,
        remaining: budget.remaining().min(MORE_THAN_ANY_RUN),
        retries: *retries,
        commands: attempts.iter().filter_map(command).collect(),
        distrusted: [findings, doubts].map(|found| !found.is_disjoint(&options.untrusted)),
        tests: [!changed_tests.is_empty(), !new_configuration.is_empty(), before.is_some()],
        is_shared: *is_shared,
        files: files(task, observer, |_| 0),
        observed: observer.promises(),
        end: None,
    }
}

fn files(task: &Task, observer: &Observer, turn: impl Fn(&DeltaPath) -> u8) -> Vec<FilePoint> {
    let touched = |path: &DeltaPath| -> Option<&Change> { task.touched.get(path) };
    let mut all: Vec<FilePoint> = task
        .plan
        .paths()
        .map(|path| FilePoint {
            touched: touched(path).is_some(),
            attempts: task
                .attempts
                .get(&Subject::File(path.clone()))
                .map_or(0, |attempts| (*attempts).min(ATTEMPTS)),
            bytes: task.checked.get(path).and_then(initial),
            turn: turn(path),
            looked_at: observer.looked_at(path),
        })
        .collect();
    all.sort_unstable();
    all
}

fn kind(verdict: &Verdict) -> Option<BlockKind> {
    verdict.block().map(|block| block.kind())
}

/// The explored digests differ in their first bytes.
fn initial(digest: &Option<Digest>) -> Option<u8> {
    digest.map(|digest| digest.as_bytes()[0])
}

fn of_end(doing: u8, observed: Promises, end: Option<BlockKind>) -> Point {
    Point {
        doing,
        detail: 0,
        remaining: 0,
        retries: 0,
        commands: Vec::new(),
        distrusted: [false; 2],
        tests: [false; 3],
        is_shared: false,
        files: Vec::new(),
        observed,
        end,
    }
}
