//! Every way in which few tasks can go: all graphs of dependencies and overlaps, all numbers of jobs, all
//! endings in all orders. The rules are stated here a second time, over a model that shares nothing with the
//! schedule.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::Duration;

use crate::Limit;
use crate::ending::{Again, Ending, Started};
use crate::outages::{Outage, Outages};
use crate::schedule::{Facts, Next, Schedule, Task, WaitsFor};

/// Which tasks depend on which, and which share a file.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) depends: Vec<Vec<usize>>,
    overlaps: Vec<BTreeSet<usize>>,
}

impl Graph {
    pub(super) fn empty(size: usize) -> Self {
        Self { depends: vec![Vec::new(); size], overlaps: vec![BTreeSet::new(); size] }
    }

    pub(super) fn overlap(&mut self, a: usize, b: usize) {
        self.overlaps[a].insert(b);
        self.overlaps[b].insert(a);
    }

    pub(super) fn schedule(&self, jobs: usize, attempts: u32) -> Option<Schedule> {
        let task =
            |depends: &Vec<usize>| Task { depends: depends.clone(), attempts, ..Task::default() };
        let tasks: Vec<Task> = self.depends.iter().map(task).collect();
        let jobs = NonZeroUsize::new(jobs).unwrap();
        Schedule::over(&tasks, self.overlaps.clone(), jobs).ok()
    }
}

fn pairs(size: usize) -> Vec<(usize, usize)> {
    (0..size).flat_map(|b| (0..b).map(move |a| (a, b))).collect()
}

/// All graphs in which each pair is without relation, overlaps, or depends one way or the other; with `both`,
/// pairs that depend may also overlap.
fn graphs(size: usize, both: bool) -> Vec<Graph> {
    let mut graphs = vec![Graph::empty(size)];
    for (a, b) in pairs(size) {
        let choices = if both { 6 } else { 4 };
        let grown = graphs.iter().flat_map(|graph| (0..choices).map(move |choice| (graph, choice)));
        graphs = grown
            .map(|(graph, choice)| {
                let mut graph = graph.clone();
                if matches!(choice, 1 | 4 | 5) {
                    graph.overlap(a, b);
                }
                match choice {
                    2 | 4 => graph.depends[a].push(b),
                    3 | 5 => graph.depends[b].push(a),
                    _ => {}
                }
                graph
            })
            .collect();
    }
    graphs
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    New,
    Again,
    Running,
    Complete,
    Incomplete,
}

/// A point of the exploration.
#[derive(Clone)]
struct Point {
    schedule: Schedule,
    status: Vec<Status>,
    /// Tasks that were blocked before.
    tried: BTreeSet<usize>,
    /// What asks the agents could not be reached.
    is_given_up: bool,
    /// An agent named a time that is too late.
    may_give_up: bool,
    now: Duration,
    jobs: usize,
}

impl Point {
    fn running(&self) -> Vec<usize> {
        (0..self.status.len()).filter(|&task| self.status[task] == Status::Running).collect()
    }

    fn is_ready(&self, graph: &Graph, task: usize) -> bool {
        matches!(self.status[task], Status::New | Status::Again)
            && graph.depends[task].iter().all(|&before| self.status[before] == Status::Complete)
    }

    /// The task that the rule of the first page names, with any number of slots.
    fn first(&self, graph: &Graph) -> Option<usize> {
        (0..self.status.len()).find(|&task| {
            let is_in_the_way = |other: &usize| {
                self.status[*other] == Status::Running
                    || (*other < task && self.is_ready(graph, *other))
            };
            self.is_ready(graph, task) && !graph.overlaps[task].iter().any(is_in_the_way)
        })
    }

    fn facts(&self) -> Facts {
        Facts { now: self.now, ..Facts::default() }
    }
}

/// What the schedule remembers of a point beside the statuses.
type Key = (Vec<[u32; 2]>, Outages);

struct Exploration<'g> {
    graph: &'g Graph,
    endings: &'g [Ending],
    seen: BTreeSet<(Vec<Status>, Duration, usize, Key)>,
    ends: usize,
}

fn explore(graphs: &[Graph], jobs: &[usize], attempts: u32, endings: &[Ending]) -> (usize, usize) {
    let (mut points, mut ends) = (0, 0);
    for graph in graphs {
        for &jobs in jobs {
            let Some(schedule) = graph.schedule(jobs, attempts) else {
                continue;
            };
            let status = vec![Status::New; graph.depends.len()];
            let (tried, now) = (BTreeSet::new(), Duration::ZERO);
            let point = Point {
                schedule,
                status,
                tried,
                is_given_up: false,
                may_give_up: false,
                now,
                jobs,
            };
            let mut exploration = Exploration { graph, endings, seen: BTreeSet::new(), ends: 0 };
            exploration.go(point);
            points += exploration.seen.len();
            ends += exploration.ends;
        }
    }
    (points, ends)
}

impl Exploration<'_> {
    fn go(&mut self, mut point: Point) {
        let Some(until) = self.settle(&mut point, None) else {
            self.ends += 1;
            assert!(!point.status.contains(&Status::New), "{:?}", point.status);
            return;
        };
        let key = (point.status.clone(), point.now, point.jobs, point.schedule.key());
        if !self.seen.insert(key) {
            return;
        }
        self.stop(&point);
        self.check_followed(&point);
        for task in point.running() {
            for &ending in self.endings {
                self.go(self.ended(&point, task, ending));
            }
        }
        if let Some(until) = until {
            assert!(until > point.now, "waits for what is over");
            self.go(Point { now: until, ..point });
        }
    }

    /// Follows the schedule until it waits, which gives until when, or is finished.
    fn settle(&self, point: &mut Point, limit: Option<Limit>) -> Option<Option<Duration>> {
        loop {
            let first = point.first(self.graph);
            let facts = Facts { reached: limit, ..point.facts() };
            match point.schedule.next(facts) {
                Next::Start(started) => {
                    assert!(!point.is_given_up);
                    assert_eq!(limit, None, "a task starts after the limit");
                    let task = started.task();
                    if !self.endings.contains(&OUTAGE) {
                        assert_eq!(Some(task), first, "not the first that may start");
                    }
                    point.status[task] = Status::Running;
                    let running = point.running();
                    assert!(running.len() <= point.jobs);
                    for &other in &running {
                        assert!(!self.graph.overlaps[task].contains(&other), "{running:?}");
                    }
                }
                Next::Skip { task, because } => {
                    assert!(self.graph.depends[task].contains(&because));
                    assert_eq!(point.status[because], Status::Incomplete);
                    assert_eq!(point.status[task], Status::New);
                    point.status[task] = Status::Incomplete;
                }
                Next::GiveUp { task } => {
                    assert_ne!(limit.or(self.outage(point)), None);
                    assert_eq!(point.status[task], Status::Again);
                    point.status[task] = Status::Incomplete;
                }
                Next::Wait { until } => {
                    let running = point.running();
                    assert!(until.is_some() || !running.is_empty(), "waits for nothing");
                    let is_free = running.len() < point.jobs && limit.is_none();
                    if is_free && !self.endings.contains(&OUTAGE) {
                        assert_eq!(point.first(self.graph), None, "a slot is free");
                    }
                    self.check_waiting(point, limit.or(self.outage(point)));
                    return Some(until);
                }
                Next::Finished { waiting, limit } => {
                    self.check_finished(point, &waiting, limit);
                    return None;
                }
            }
        }
    }

    /// Each task that is not begun waits for something that is so.
    fn check_waiting(&self, point: &Point, limit: Option<Limit>) {
        let waiting = point.schedule.waiting(point.now);
        let is_open = |task: &usize| matches!(point.status[*task], Status::New | Status::Again);
        let open: Vec<usize> = (0..point.status.len()).filter(is_open).collect();
        assert_eq!(waiting.iter().map(|(task, _)| *task).collect::<Vec<_>>(), open);
        for (task, waits) in waiting {
            match waits {
                WaitsFor::Task(before) => {
                    assert!(self.graph.depends[task].contains(&before));
                    assert_ne!(point.status[before], Status::Complete);
                }
                WaitsFor::Files(other) => {
                    assert!(self.graph.overlaps[task].contains(&other));
                    assert!(point.status[other] == Status::Running || is_open(&other));
                }
                WaitsFor::Agent { .. } => assert!(self.endings.contains(&OUTAGE)),
                WaitsFor::Job => {
                    assert!(limit.is_some() || point.running().len() == point.jobs);
                }
            }
        }
    }

    /// The limit that the schedule finds by itself.
    fn outage(&self, point: &Point) -> Option<Limit> {
        let is_over = point.is_given_up || point.may_give_up || point.now >= HOUR;
        is_over.then_some(Limit::Outage).filter(|_| self.endings.contains(&OUTAGE))
    }

    fn check_finished(&self, point: &mut Point, waiting: &[usize], limit: Option<Limit>) {
        assert_eq!(point.running(), [0; 0]);
        let new = |task: &usize| point.status[*task] == Status::New;
        let expected: Vec<usize> = (0..point.status.len()).filter(new).collect();
        assert_eq!(waiting, expected);
        assert!(limit.is_some() || waiting.is_empty());
        for &task in waiting {
            point.status[task] = Status::Incomplete;
            let mut depends = self.graph.depends[task].iter();
            assert!(depends.all(|before| {
                waiting.contains(before) || point.status[*before] == Status::Complete
            }));
        }
    }

    fn ended(&self, point: &Point, task: usize, ending: Ending) -> Point {
        let mut point = point.clone();
        point.status[task] = match ending {
            Ending::Complete => Status::Complete,
            Ending::Outage(_) | Ending::Unreachable | Ending::NoRoom
                if point.tried.contains(&task) =>
            {
                Status::Again
            }
            Ending::Outage(_) | Ending::Unreachable | Ending::NoRoom => Status::New,
            Ending::Failed => Status::Incomplete,
            Ending::Blocked(again) => {
                point.tried.insert(task);
                let more =
                    point.schedule.is_tried_again(&Started { task, attempt: 1, rung: 0 }, again);
                if more { Status::Again } else { Status::Incomplete }
            }
        };
        point.is_given_up |= ending == Ending::Unreachable;
        point.may_give_up |= ending == LONG_OUTAGE;
        if ending == Ending::NoRoom {
            point.jobs = point.jobs.min(point.running().len().max(1));
        }
        point.schedule.end(Started { task, attempt: 1, rung: 0 }, ending, point.now);
        point
    }

    /// From here on a limit is reached: nothing starts, and what is under way ends.
    fn stop(&self, point: &Point) {
        for ending in [Ending::Complete, Ending::Blocked(Again::Attempt)] {
            let mut point = point.clone();
            while self.settle(&mut point, Some(Limit::Deadline)).is_some() {
                let task = point.running()[0];
                point = self.ended(&point, task, ending);
            }
            assert!(!point.status.contains(&Status::Again));
        }
    }

    /// With one job, what is said to follow a block is what starts after it.
    fn check_followed(&self, point: &Point) {
        let &[task] = &point.running()[..] else {
            return;
        };
        if point.jobs > 1 || self.endings.contains(&OUTAGE) {
            return;
        }
        let is_followed = point.schedule.is_followed(&Started { task, attempt: 1, rung: 0 });
        let mut after = self.ended(point, task, Ending::Blocked(Again::Never));
        let starts = self.settle(&mut after, None).is_some();
        assert_eq!(is_followed, starts, "{:?}", point.status);
    }
}

const HOUR: Duration = Duration::from_secs(60 * 60);
pub(super) const OUTAGE: Ending = Ending::Outage(Outage { until: None, at_most: HOUR });
const SHORT_OUTAGE: Ending =
    Ending::Outage(Outage { until: Some(Duration::from_secs(20 * 60)), at_most: HOUR });
const LONG_OUTAGE: Ending =
    Ending::Outage(Outage { until: Some(Duration::from_secs(25 * 60 * 60)), at_most: HOUR });
pub(super) const BLOCKED: Ending = Ending::Blocked(Again::Never);
pub(super) const AGAIN: Ending = Ending::Blocked(Again::Attempt);
pub(super) const FRESH: Ending = Ending::Blocked(Again::FreshBase);

#[test]
fn four_tasks_in_every_graph_with_one_to_three_jobs() {
    let explored = explore(&graphs(4, false), &[1, 2, 3], 2, &[Ending::Complete, BLOCKED, AGAIN]);
    assert!(explored.0 > 100_000, "{explored:?}");
}

#[test]
fn three_tasks_in_every_graph_with_every_ending() {
    let endings = [Ending::Complete, BLOCKED, AGAIN, FRESH, Ending::Failed, Ending::NoRoom];
    let graphs: Vec<Graph> = (0..=3).flat_map(|size| graphs(size, true)).collect();
    let explored = explore(&graphs, &[1, 2, 3], 3, &endings);
    assert!(explored.0 > 10_000, "{explored:?}");
}

#[test]
fn two_tasks_in_every_graph_while_their_agent_comes_and_goes() {
    let endings =
        [Ending::Complete, BLOCKED, AGAIN, OUTAGE, SHORT_OUTAGE, LONG_OUTAGE, Ending::Unreachable];
    let graphs: Vec<Graph> = (1..=2).flat_map(|size| graphs(size, true)).collect();
    let explored = explore(&graphs, &[1, 2], 2, &endings);
    assert!(explored.0 > 500, "{explored:?}");
}
