//! Several tasks by one command: `ftl_schedule` decides which one is next, and this module does it.
//!
//! Each try of a task is a whole run, with its own record. Limits, interrupts and outages keep tasks
//! from starting; they never end a run.

mod attempt;
mod due;
mod end_check;
mod graph;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

pub use due::due;
pub use end_check::{check_at_end, due_checks};
use ftl_schedule::{Again, Ending, Facts, Next, Spent, Started};
pub use ftl_schedule::{Limit, Limits, Schedule};
pub use graph::{Graph, GraphError};

use crate::project::WorkspaceFile;
use crate::result::{BuildResult, OutcomeWord, ScheduleResult};
use crate::run::{Fault, Reporter, Settings, build, signal_name};
use attempt::Blocked;

/// How often a pause looks for an interrupt.
const TICK: Duration = Duration::from_millis(100);

/// A task with the settings of its build.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its file.
    pub workspace: WorkspaceFile,
    /// The settings; tasks of one project share them.
    pub settings: Rc<Settings>,
}

/// How a task among several ended.
#[derive(Debug)]
pub enum Ended {
    /// It was built.
    Built(Box<BuildResult>),
    /// ftl could not begin or go on.
    Failed(Fault),
    /// It was not built, and the same command would not build it.
    Skipped(String),
    /// It was not built, because a limit was reached.
    Waiting(Limit),
}

/// Watches several builds.
pub trait Watcher {
    /// The reporter of the run that is under way.
    fn reporter(&mut self) -> &mut dyn Reporter;

    /// A run of a task begins.
    fn begins_task(&mut self, job: &Job);

    /// The run has ended; another one may follow.
    fn ends_run(&mut self);

    /// A task that was blocked is tried again.
    fn tries_again(&mut self, blocked: &BuildResult, attempts: u32);

    /// A task has ended.
    fn ended(&mut self, job: &Job, ended: Ended);
}

/// Builds the tasks of a schedule; gives the limit that kept a task from starting.
pub fn build_tasks(
    jobs: &[Job],
    schedule: Schedule,
    limits: Limits,
    watcher: &mut dyn Watcher,
) -> Option<Limit> {
    let session = Session {
        jobs,
        schedule,
        limits,
        began: Instant::now(),
        spent: Spent::default(),
        blocked: BTreeMap::new(),
        watcher,
    };
    session.run()
}

/// What a schedule comes to if all its tasks complete.
#[must_use]
pub fn describe(jobs: &[Job], schedule: &Schedule) -> ScheduleResult {
    let id = |task: usize| jobs[task].workspace.id().clone();
    let later = |a: usize| schedule.overlapping(a).range(a..).map(move |&b| (a, b));
    ScheduleResult {
        order: schedule.order().into_iter().map(id).collect(),
        overlaps: (0..jobs.len()).flat_map(later).map(|(a, b)| (id(a), id(b))).collect(),
        most_at_once: schedule.most_at_once(),
    }
}

struct Session<'s> {
    jobs: &'s [Job],
    schedule: Schedule,
    limits: Limits,
    began: Instant,
    spent: Spent,
    /// Tasks that wait for another try.
    blocked: BTreeMap<usize, Blocked>,
    watcher: &'s mut dyn Watcher,
}

impl Session<'_> {
    fn run(mut self) -> Option<Limit> {
        loop {
            let facts = self.facts();
            match self.schedule.next(facts) {
                Next::Start(started) => self.start(started),
                Next::Skip { task, because } => {
                    let cause = format!("waits for `{}`", self.jobs[because].workspace.id());
                    self.watcher.ended(&self.jobs[task], Ended::Skipped(cause));
                }
                Next::GiveUp { task } => {
                    if let Some(blocked) = self.blocked.remove(&task) {
                        self.end(task, Ended::Built(Box::new(blocked.result)));
                    }
                }
                Next::Wait { until } => self.pause(until),
                Next::Finished { waiting, limit } => {
                    for task in waiting {
                        if let Some(ended) = not_begun(limit) {
                            self.watcher.ended(&self.jobs[task], ended);
                        }
                    }
                    return limit;
                }
            }
        }
    }

    fn facts(&mut self) -> Facts {
        self.spent.time = self.began.elapsed();
        Facts {
            now: self.spent.time,
            reached: self.limits.reached(&self.spent),
            interrupted: ftl_process::interrupted().is_some(),
        }
    }

    /// One run of a task.
    fn start(&mut self, started: Started) {
        let task = started.task();
        let job = &self.jobs[task];
        let before = self.blocked.remove(&task);
        let (path, settings) = match &before {
            None => (job.workspace.path.clone(), Settings::clone(&job.settings)),
            Some(blocked) => match blocked.reopen(job) {
                Ok(path) => (path, blocked.settings(job)),
                Err(error) => {
                    self.watcher
                        .reporter()
                        .warning(&format!("the task is not tried again: {error}"));
                    return self.finish_blocked(started, before);
                }
            },
        };
        let is_followed = self.schedule.is_followed(&started) || is_checked_next(&settings);
        self.watcher.begins_task(job);
        let result = build(&path, &Settings { is_followed, ..settings }, self.watcher.reporter());
        self.watcher.ends_run();
        match result {
            Ok(result) => {
                let earlier = before.map(Blocked::into_earlier).unwrap_or_default();
                self.built(started, BuildResult { earlier, ..result });
            }
            Err(Fault::Outage { name, kind, is_first: true, .. }) if self.jobs.len() > 1 => {
                let name = name.map_or_else(String::new, |name| format!(" `{name}`"));
                self.watcher.reporter().warning(&format!(
                    "the agent{name} can't be reached ({kind}): nothing starts with it for some minutes"
                ));
                let blocked = before.map(|before| Blocked { reopened: Some(path), ..before });
                self.blocked.extend(blocked.map(|blocked| (task, blocked)));
                self.schedule.end(started, Ending::Outage, self.began.elapsed());
            }
            Err(fault) => {
                self.schedule.end(started, Ending::Failed, self.began.elapsed());
                self.end(task, Ended::Failed(fault));
            }
        }
    }

    fn built(&mut self, started: Started, result: BuildResult) {
        let task = started.task();
        let used = &result.implementer;
        self.spent.cost += used.cost_usd.unwrap_or_default();
        let tokens = used.tokens.map(|tokens| [tokens.input, tokens.output]);
        self.spent.tokens += tokens.into_iter().flatten().flatten().sum::<u64>();
        let ending = ending(&result);
        if let Ending::Blocked(again) = ending
            && self.schedule.is_tried_again(&started, again)
        {
            self.watcher.tries_again(&result, self.jobs[task].settings.attempts);
            self.blocked.insert(task, Blocked { result, reopened: None });
            self.schedule.end(started, ending, self.began.elapsed());
        } else {
            self.schedule.end(started, ending, self.began.elapsed());
            self.end(task, Ended::Built(Box::new(result)));
        }
    }

    /// A block that was to be tried again and can't be.
    fn finish_blocked(&mut self, started: Started, blocked: Option<Blocked>) {
        let task = started.task();
        self.schedule.end(started, Ending::Blocked(Again::Never), self.began.elapsed());
        if let Some(blocked) = blocked {
            self.end(task, Ended::Built(Box::new(blocked.result)));
        }
    }

    fn end(&mut self, task: usize, ended: Ended) {
        if let Ended::Built(result) = &ended
            && result.outcome == OutcomeWord::Blocked
        {
            self.spent.blocks += 1;
        }
        self.watcher.ended(&self.jobs[task], ended);
    }

    /// Waits until an agent is tried again, or the user interrupts.
    fn pause(&self, until: Option<Duration>) {
        let until = until.unwrap_or_default();
        let limit = self.limits.deadline.unwrap_or(Duration::MAX);
        while self.began.elapsed() < until.min(limit) && ftl_process::interrupted().is_none() {
            thread::sleep(TICK);
        }
    }
}

/// Whether verify commands of other tasks run after this one: they must not find half of its work.
fn is_checked_next(settings: &Settings) -> bool {
    settings.is_checked && due_checks(settings).is_ok_and(|due| !due.is_empty())
}

/// How the schedule sees a result.
fn ending(result: &BuildResult) -> Ending {
    match (&result.block, result.outcome) {
        (Some(_), OutcomeWord::Blocked) => {
            let again = result.may_try_again && ftl_process::interrupted().is_none();
            Ending::Blocked(if again { Again::Attempt } else { Again::Never })
        }
        (_, OutcomeWord::Complete | OutcomeWord::Planned) => Ending::Complete,
        _ => Ending::Failed,
    }
}

/// The end of a task that did not start.
fn not_begun(limit: Option<Limit>) -> Option<Ended> {
    if let Some(limit) = limit {
        return Some(Ended::Waiting(limit));
    }
    let signal = ftl_process::interrupted()?;
    Some(Ended::Skipped(format!("interrupted by {}", signal_name(signal))))
}
