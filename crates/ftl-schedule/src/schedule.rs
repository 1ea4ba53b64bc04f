//! The decision itself.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::Duration;

use crate::ending::{Again, Ending, Started};
use crate::graph::Graph;
use crate::limits::Limit;
use crate::outages::Outages;
use crate::overlap::overlaps;

/// Tries after a conflict at landing, beyond the attempts: the next base has what this one lacked.
const LANDINGS: u32 = 2;

/// A task, as far as the schedule must know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// The tasks that must be complete before it.
    pub depends: Vec<usize>,
    /// The paths that it may change.
    pub delta: Vec<String>,
    /// The agents that write it: that of its first run, then those after blocks that another attempt may get over, the
    /// last one for all further ones. Tasks with the same number share its outages.
    pub agents: Vec<usize>,
    /// Its runs at most, see [`Again::Attempt`].
    pub attempts: u32,
}

/// What the caller knows at the time of a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Time since the command began.
    pub now: Duration,
    /// A limit that is reached.
    pub reached: Option<Limit>,
    /// The user interrupted the command.
    pub interrupted: bool,
    /// A task whose unfinished run goes on before anything else starts.
    pub first: Option<usize>,
}

/// What to do next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// Start this task.
    Start(Started),
    /// Leave this task out: one that it depends on did not complete.
    Skip {
        /// The task.
        task: usize,
        /// The one that it depends on.
        because: usize,
    },
    /// Do not try this task again: a limit was reached, and its last block is how it ends.
    GiveUp {
        /// The task.
        task: usize,
    },
    /// Wait until a task under way ends, or until this time, when an agent's pause is over.
    Wait {
        /// Since the command began; `None` while only an ending changes anything.
        until: Option<Duration>,
    },
    /// Nothing is under way, and nothing more starts.
    Finished {
        /// Tasks that could start, but for the limit or the interrupt.
        waiting: Vec<usize>,
        /// The limit, where it kept a task from starting.
        limit: Option<Limit>,
    },
}

/// What a task waits for that is not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    /// A task that it depends on.
    Task(usize),
    /// A task that shares a file with it.
    Files(usize),
    /// The end of an outage of its agent.
    Agent {
        /// Since the command began; `None` while another task tries it.
        until: Option<Duration>,
        /// Which of the task's agents.
        rung: u32,
    },
    /// A job that is free.
    Job,
}

/// The progress of a task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Progress {
    /// Not begun, or to be tried again.
    Pending,
    UnderWay,
    Complete,
    /// Blocked, failed or skipped.
    Incomplete,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct TaskState {
    progress: Progress,
    /// Tries that ended in a block.
    blocks: u32,
    /// Those of them that were conflicts at landing.
    landings: u32,
}

/// The tasks of a command, and how far each is.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Tasks under way at once.
    jobs: NonZeroUsize,
    graph: Graph,
    agents: Vec<Vec<usize>>,
    attempts: Vec<u32>,
    states: Vec<TaskState>,
    outages: Outages,
    /// The limit that ended a task's tries.
    gave_up: Option<Limit>,
}

impl Schedule {
    /// The schedule of these tasks, none of which is begun, with so many under way at once.
    ///
    /// # Errors
    ///
    /// The tasks that depend on each other in a circle, or on one that does.
    pub fn new(tasks: &[Task], jobs: NonZeroUsize) -> Result<Self, Vec<usize>> {
        let deltas: Vec<&[String]> = tasks.iter().map(|task| &task.delta[..]).collect();
        Self::over(tasks, overlaps(&deltas), jobs)
    }

    /// The schedule of tasks whose overlaps are known.
    pub(crate) fn over(
        tasks: &[Task],
        overlaps: Vec<BTreeSet<usize>>,
        jobs: NonZeroUsize,
    ) -> Result<Self, Vec<usize>> {
        let state = TaskState { progress: Progress::Pending, blocks: 0, landings: 0 };
        let schedule = Self {
            jobs,
            graph: Graph {
                depends: tasks.iter().map(|task| task.depends.clone()).collect(),
                overlaps,
            },
            agents: tasks.iter().map(|task| task.agents.clone()).collect(),
            attempts: tasks.iter().map(|task| task.attempts).collect(),
            states: vec![state; tasks.len()],
            outages: Outages::default(),
            gave_up: None,
        };
        let (_, cyclic) = schedule.graph.sorted();
        if cyclic.is_empty() { Ok(schedule) } else { Err(cyclic) }
    }

    /// Decides what is next, and notes it: a task that is to be started is under way from here on.
    pub fn next(&mut self, facts: Facts) -> Next {
        let limit =
            facts.reached.or_else(|| self.outages.is_given_up(facts.now).then_some(Limit::Outage));
        let is_stopped = limit.is_some() || facts.interrupted;
        let is_first = |first: &usize| {
            self.is_ready(*first) || self.states[*first].progress == Progress::UnderWay
        };
        let first = facts.first.filter(is_first);
        let has_room = self.under_way() < self.jobs.get();
        for task in self.pending() {
            if let Some(because) = self.blocker(task, is_stopped).filter(|_| !facts.interrupted) {
                self.states[task].progress = Progress::Incomplete;
                return Next::Skip { task, because };
            }
            if is_stopped && self.states[task].blocks > 0 {
                self.states[task].progress = Progress::Incomplete;
                self.gave_up = limit;
                return Next::GiveUp { task };
            }
            let may_start = match first {
                Some(first) => first == task,
                None => has_room && self.may_start(task, facts.now),
            };
            if !is_stopped && may_start {
                return Next::Start(self.start(task));
            }
        }
        let waiting = self.pending();
        let is_under_way = self.under_way() > 0;
        if is_under_way || !(is_stopped || waiting.is_empty()) {
            return Next::Wait { until: self.outages.next_try().filter(|_| !is_stopped) };
        }
        let limit = self.gave_up.or(limit.filter(|_| !waiting.is_empty()));
        Next::Finished { waiting, limit }
    }

    /// The tasks that are not begun, and what each waits for.
    #[must_use]
    pub fn waiting(&self, now: Duration) -> Vec<(usize, WaitsFor)> {
        let waits = |task: usize| {
            let complete = |before: &usize| self.states[*before].progress == Progress::Complete;
            let missing = self.graph.depends[task].iter().find(|before| !complete(before));
            let mut overlaps = self.graph.overlaps[task].iter();
            if let Some(before) = missing {
                WaitsFor::Task(*before)
            } else if let Some(other) = overlaps.find(|other| self.is_in_the_way(**other, task)) {
                WaitsFor::Files(*other)
            } else if !self.outages.lets_start(self.agent(task), now) {
                let until = self.outages.until(self.agent(task));
                WaitsFor::Agent { until, rung: self.states[task].rung() }
            } else {
                WaitsFor::Job
            }
        };
        self.with(Progress::Pending).map(|task| (task, waits(task))).collect()
    }

    /// Notes how a task ended. Gives the time when its agent is next tried, of one that can't be reached.
    pub fn end(&mut self, started: Started, ending: Ending, now: Duration) -> Option<Duration> {
        let Started { task, .. } = started;
        let agent = self.agent(task);
        let state = &mut self.states[task];
        state.progress = match ending {
            Ending::Outage(_) | Ending::Unreachable | Ending::NoRoom => Progress::Pending,
            Ending::Complete => Progress::Complete,
            Ending::Blocked(again) if state.is_tried_again(again, self.attempts[task]) => {
                Progress::Pending
            }
            Ending::Blocked(_) | Ending::Failed => Progress::Incomplete,
        };
        match ending {
            Ending::Outage(outage) => self.outages.add(agent, outage, now),
            Ending::Unreachable => self.outages.give_up(),
            Ending::NoRoom => {
                let others = NonZeroUsize::new(self.under_way()).unwrap_or(NonZeroUsize::MIN);
                self.jobs = self.jobs.min(others);
            }
            Ending::Complete | Ending::Blocked(_) | Ending::Failed => self.outages.end(agent),
        }
        self.outages.until(agent)
    }

    /// Two tasks changed a file that neither's delta names: from here on they take turns.
    pub fn collided(&mut self, a: usize, b: usize) {
        self.graph.overlap(a, b);
    }

    /// Whether a block of this task is followed by another try, as far as is known now.
    #[must_use]
    pub fn is_tried_again(&self, started: &Started, again: Again) -> bool {
        self.states[started.task].clone().is_tried_again(again, self.attempts[started.task])
    }

    /// Whether any other task would start if this one were blocked.
    #[must_use]
    pub fn is_followed(&self, started: &Started) -> bool {
        let mut missing = BTreeSet::from([started.task]);
        let (order, _) = self.graph.sorted();
        for task in order {
            let is_missing = |before: &usize| {
                missing.contains(before) || self.states[*before].progress == Progress::Incomplete
            };
            if self.graph.depends[task].iter().any(is_missing) {
                missing.insert(task);
            }
        }
        self.pending().iter().any(|task| !missing.contains(task))
    }

    /// All tasks in the order in which one job starts them if all complete.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        self.graph.sorted().0
    }

    /// The tasks that share a file with this one.
    #[must_use]
    pub fn overlapping(&self, task: usize) -> &BTreeSet<usize> {
        &self.graph.overlaps[task]
    }

    /// For each task all those that must be complete first, also through others.
    #[must_use]
    pub fn before(&self) -> Vec<BTreeSet<usize>> {
        self.graph.before()
    }

    /// The most tasks that can be under way at once with any number of jobs: the size of the largest set of
    /// tasks of which no two share a file and none depends on another one.
    #[must_use]
    pub fn most_at_once(&self) -> usize {
        self.graph.most_at_once()
    }

    fn start(&mut self, task: usize) -> Started {
        self.states[task].progress = Progress::UnderWay;
        self.outages.start(self.agent(task));
        let state = &self.states[task];
        Started { task, attempt: state.blocks + 1, rung: state.rung() }
    }

    /// The agent of a task's run under way, or of its next one.
    fn agent(&self, task: usize) -> usize {
        let agents = &self.agents[task];
        let agent = agents.get(self.states[task].rung() as usize).or(agents.last());
        agent.copied().unwrap_or_default()
    }

    fn with(&self, progress: Progress) -> impl Iterator<Item = usize> {
        (0..self.states.len()).filter(move |&task| self.states[task].progress == progress)
    }

    fn pending(&self) -> Vec<usize> {
        self.with(Progress::Pending).collect()
    }

    fn under_way(&self) -> usize {
        self.with(Progress::UnderWay).count()
    }

    /// The first task that this one depends on and that did not complete, once all of them ended or, after a
    /// stop, never will.
    fn blocker(&self, task: usize, is_stopped: bool) -> Option<usize> {
        let depends = &self.graph.depends[task];
        let has_ended = |before: &usize| {
            matches!(self.states[*before].progress, Progress::Complete | Progress::Incomplete)
        };
        let mut depends =
            depends.iter().copied().filter(|_| is_stopped || depends.iter().all(has_ended));
        depends.find(|&before| self.states[before].progress == Progress::Incomplete)
    }

    /// Everything that it depends on is complete, and it is not begun or waits for another try.
    fn is_ready(&self, task: usize) -> bool {
        let is_complete = |before: &usize| self.states[*before].progress == Progress::Complete;
        self.states[task].progress == Progress::Pending
            && self.graph.depends[task].iter().all(is_complete)
    }

    fn may_start(&self, task: usize, now: Duration) -> bool {
        let overlaps = &self.graph.overlaps[task];
        self.is_ready(task)
            && self.outages.lets_start(self.agent(task), now)
            && !overlaps.iter().any(|&other| self.is_in_the_way(other, task))
    }

    /// Whether a task that shares a file with this one is under way, or comes first.
    fn is_in_the_way(&self, other: usize, task: usize) -> bool {
        let is_under_way = self.states[other].progress == Progress::UnderWay;
        is_under_way || (other < task && self.is_ready(other))
    }

    #[cfg(test)]
    pub(crate) fn key(&self) -> (Vec<[u32; 2]>, Outages) {
        let states = self.states.iter().map(|state| [state.blocks, state.landings]);
        (states.collect(), self.outages.clone())
    }
}

impl TaskState {
    fn rung(&self) -> u32 {
        self.blocks - self.landings
    }

    /// Counts a block; whether another try follows.
    fn is_tried_again(&mut self, again: Again, attempts: u32) -> bool {
        self.blocks += 1;
        match again {
            Again::Never => false,
            Again::Attempt => self.blocks - self.landings < attempts,
            Again::FreshBase => {
                self.landings += 1;
                self.landings <= LANDINGS
            }
        }
    }
}
