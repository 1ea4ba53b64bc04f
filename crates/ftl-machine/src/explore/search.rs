//! The search itself: depth first, each point once.
//!
//! Depth first, because it also answers whether a run can go on for ever: a point that is met again
//! while it is still on the path that led to it is a circle. Memory is one hash for each point.

use std::collections::{BTreeMap, BTreeSet};

use ftl_model::{DeltaPath, Finding};

use super::events::possible;
use super::observer::Observer;
use super::plan_case::PlanCase;
use super::point::point;
use super::values::DISTRUSTED;
use crate::{BlockKind, Event, Next, Options, ReadTests, State, StateName, Undecided, Verdict};

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// Budgets from 0 to this.
    pub(super) budget: i64,
    /// Delta files from `files.0` to `files.1`.
    pub(super) files: (usize, usize),
}

/// An arrow of the diagram: from a state, by an event, to a state; into BLOCK with its kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arrow {
    /// Where it starts.
    pub(super) from: StateName,
    /// Where it ends.
    pub(super) to: StateName,
    /// The event that takes it.
    pub(super) event: &'static str,
    /// The kind, where it ends in BLOCK.
    pub(super) kind: Option<BlockKind>,
}

/// What the search came upon.
#[derive(Debug, Default)]
pub(super) struct Exploration {
    /// Plans tried.
    pub(super) plans: u64,
    /// Distinct states.
    pub(super) states: u64,
    /// Transitions taken.
    pub(super) transitions: u64,
    /// Ends reached.
    pub(super) ends: u64,
    /// States entered.
    pub(super) entered: BTreeSet<StateName>,
    /// Arrows taken.
    pub(super) arrows: BTreeSet<Arrow>,
    /// Block kinds reached.
    pub(super) kinds: BTreeSet<BlockKind>,
    /// Promises broken, each with the plan that breaks it.
    pub(super) violations: Vec<String>,
}

impl Exploration {
    /// Puts two searches together.
    pub(super) fn merge(mut self, other: Self) -> Self {
        self.plans += other.plans;
        self.states += other.states;
        self.transitions += other.transitions;
        self.ends += other.ends;
        self.entered.extend(other.entered);
        self.arrows.extend(other.arrows);
        self.kinds.extend(other.kinds);
        self.violations.extend(other.violations);
        self
    }
}

/// Explores every plan within `bound`.
pub(super) fn explore(bound: Bound) -> Exploration {
    let explored = groups(bound).into_iter().map(explore_group);
    explored.fold(Exploration::default(), Exploration::merge)
}

/// Explores the plans of one of the [`groups`].
pub(super) fn explore_group(group: Vec<PlanCase>) -> Exploration {
    let mut found = Exploration::default();
    // From IMPLEMENT on, a point's future is the same for every plan of a group.
    let mut points = BTreeMap::new();
    for case in group {
        found.plans += 1;
        let start = case.start();
        let mut search = Search {
            case: &case,
            found: &mut found,
            points: &mut points,
            edited: vec![(start, Observer::default())],
        };
        while let Some((state, observer)) = search.edited.pop() {
            search.visit(state, &observer);
        }
    }
    found
}

/// Plans whose delta lands have so many files at most.
const LANDING_FILES: usize = 2;

/// Every plan within `bound`, in groups that differ in budget and the reading of tests alone.
pub(super) fn groups(bound: Bound) -> Vec<Vec<PlanCase>> {
    let mut groups = Vec::new();
    for files in bound.files.0..=bound.files.1 {
        for kind in 0..8_u8 {
            let [can_mend, command, strict] = [kind & 1 == 0, kind & 2 == 0, kind & 4 == 0];
            let options = Options { can_mend, ..options(strict) };
            groups.push(cases(files, usize::from(command), strict, &options, bound.budget));
        }
        // What is written in a copy of the tree is an agent's, which can fix it. More files show no other arrow.
        for strict in [false, true].into_iter().filter(|_| files <= LANDING_FILES) {
            let options = Options { can_mend: true, lands: true, ..options(strict) };
            groups.push(cases(files, 0, strict, &options, bound.budget));
        }
    }
    groups
}

/// Every budget and every way to read tests.
fn cases(
    files: usize,
    commands: usize,
    strict: bool,
    options: &Options,
    most: i64,
) -> Vec<PlanCase> {
    let mut all = Vec::new();
    for budget in 0..=most {
        for read_tests in [ReadTests::Never, ReadTests::Auto, ReadTests::Always] {
            let options = Options { read_tests, ..options.clone() };
            let paths = paths(files);
            all.push(PlanCase { budget, files, commands, strict, options, paths });
        }
    }
    all
}

fn options(strict: bool) -> Options {
    if !strict {
        return Options::default();
    }
    Options {
        untrusted: BTreeSet::from([DISTRUSTED, Finding::TestsChanged, Finding::MaskedExit]),
        undecided: Undecided::Block,
        strays_block: true,
        ..Options::default()
    }
}

fn paths(files: usize) -> Vec<DeltaPath> {
    let path = |index| DeltaPath::parse(&format!("f{index}"));
    (0..files).map(|index| path(index).expect("because a plain name is a delta path")).collect()
}

/// Whether a point is still on the path that led to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    OnPath,
    Done,
}

struct Search<'a> {
    case: &'a PlanCase,
    found: &'a mut Exploration,
    points: &'a mut BTreeMap<u64, Mark>,
    /// States that a user's edit led to. They are not followed further: a user may edit for ever, and
    /// that is no endless loop of the machine.
    edited: Vec<(State, Observer)>,
}

impl Search<'_> {
    fn visit(&mut self, state: State, observer: &Observer) {
        let point = point(&state, observer);
        // READ and PLAN still know the whole plan, so that none of them is another's.
        let shared = !matches!(state, State::Read(_) | State::Plan(_));
        match self.points.get(&point).filter(|_| shared) {
            Some(Mark::Done) => return,
            Some(Mark::OnPath) => {
                self.object("a run can go round in circles");
                return;
            }
            None => {}
        }
        self.points.insert(point, Mark::OnPath);
        self.found.states += 1;
        self.found.entered.insert(state.name());
        match state.next() {
            Next::Finished(verdict) => self.end(&verdict, observer),
            Next::Perform(_) => {
                let events = possible(self.case, &state);
                if events.is_empty() {
                    self.object("a state waits for what can't arrive");
                }
                for event in events {
                    self.step(&state, event, observer);
                }
            }
        }
        self.points.insert(point, Mark::Done);
    }

    fn step(&mut self, state: &State, event: Event, observer: &Observer) {
        self.found.transitions += 1;
        let (from, spent, name) = (state.name(), state.budget().used, event.name());
        let mut seen = observer.clone();
        seen.see(&event);
        let is_edit = matches!(event, Event::Edited(_));
        let paid = Observer::price(from, &event);
        let mut after = match state.clone().apply(event) {
            Ok(after) => after,
            Err(illegal) => return self.object(&illegal.to_string()),
        };
        // The history was cut to one name before, so the rest is what this event entered.
        let entered = after.log().states[1..].to_vec();
        let price = paid.with(&entered);
        if after.budget().used != spent + price {
            self.object(&format!("`{name}` charged other than {price}"));
        }
        self.arrow(from, &entered, name, &after);
        after.forget();
        if is_edit {
            self.edited.push((after, seen));
        } else {
            self.visit(after, &seen);
        }
    }

    fn arrow(
        &mut self,
        from: StateName,
        entered: &[StateName],
        event: &'static str,
        after: &State,
    ) {
        let mut from = from;
        for to in entered {
            let kind = after.verdict().and_then(Verdict::block).map(|block| block.kind());
            let kind = kind.filter(|_| *to == StateName::Block);
            self.found.kinds.extend(kind);
            self.found.arrows.insert(Arrow { from, to: *to, event, kind });
            from = *to;
        }
    }

    fn end(&mut self, verdict: &Verdict, observer: &Observer) {
        self.found.ends += 1;
        if let Some(objection) = observer.objection(verdict, &self.case.options) {
            self.object(&objection);
        }
    }

    fn object(&mut self, what: &str) {
        let PlanCase { budget, files, options, .. } = self.case;
        self.found.violations.push(format!("budget {budget}, {files} files, {options:?}: {what}"));
    }
}
