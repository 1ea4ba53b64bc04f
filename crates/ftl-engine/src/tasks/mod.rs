//! Several tasks by one command: `ftl_schedule` decides which one is next, and this module does it.
//!
//! Each try of a task is a whole run, with its own record. Limits, interrupts and outages keep tasks
//! from starting; they never end a run.

mod attempt;
mod builder;
mod due;
mod end_check;
mod graph;
mod line;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

pub use builder::{Broken, ChildBuild, SideBySide};
pub use due::due;
pub use end_check::{check_at_end, due_checks};
use ftl_machine::BlockKind;
use ftl_schedule::{Again, Ending, Facts, Next, Spent, Started};
pub use ftl_schedule::{Limit, Limits, Schedule};
pub use graph::{Graph, GraphError};
pub use line::{Built, FailedChild, Line, LineReporter, Outage};

use crate::project::WorkspaceFile;
use crate::result::{BuildResult, OutcomeWord, ScheduleResult};
use crate::run::{Reporter, Settings, signal_name};
use attempt::Blocked;
use builder::{Begin, Builder, Children, Done, InTurn};

/// How long is waited where nothing but an ending changes anything.
const LONG: Duration = Duration::from_secs(60);

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
    Failed(Broken),
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

    /// A run in a child process has ended; others may be under way.
    fn ends_run_of(&mut self, job: &Job) {
        let _ = job;
    }

    /// A child process reports something of its run.
    fn received(&mut self, job: &Job, line: &Line) {
        let _ = (job, line);
    }

    /// A task that was blocked is tried again.
    fn tries_again(&mut self, blocked: &BuildResult, attempts: u32);

    /// A task has ended.
    fn ended(&mut self, job: &Job, ended: Ended);
}

/// Builds the tasks of a schedule, in this process one after another, or side by side; gives the limit that kept a
/// task from starting.
pub fn build_tasks(
    jobs: &[Job],
    schedule: Schedule,
    limits: Limits,
    side_by_side: Option<SideBySide<'_>>,
    watcher: &mut dyn Watcher,
) -> Option<Limit> {
    let is_alone = side_by_side.is_none();
    let mut in_turn = InTurn::default();
    let mut children = side_by_side.map(Children::new);
    let session = Session {
        jobs,
        schedule,
        limits,
        began: Instant::now(),
        spent: Spent::default(),
        blocked: BTreeMap::new(),
        under_way: BTreeMap::new(),
        is_alone,
        builder: match &mut children {
            Some(children) => children,
            None => &mut in_turn,
        },
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
    /// Runs that began.
    under_way: BTreeMap<usize, UnderWay>,
    /// One run is under way at once, in this process.
    is_alone: bool,
    builder: &'s mut dyn Builder,
    watcher: &'s mut dyn Watcher,
}

/// A run that began.
struct UnderWay {
    started: Started,
    /// The block that it is to get over.
    before: Option<Blocked>,
    path: PathBuf,
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
                Next::Wait { until } => self.wait(until),
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
        let is_followed =
            self.is_alone && (self.schedule.is_followed(&started) || is_checked_next(&settings));
        let left = self.limits.deadline.map(|at| at.saturating_sub(self.began.elapsed()));
        let patience = left.map_or(settings.patience, |left| left.min(settings.patience));
        let settings = Settings { is_followed, patience, ..settings };
        let begin = Begin { task, job, path: &path, settings };
        self.builder.begin(begin, self.watcher);
        self.under_way.insert(task, UnderWay { started, before, path });
    }

    /// A run has ended.
    fn done(&mut self, done: Done) {
        let task = done.task;
        let Some(UnderWay { started, before, path }) = self.under_way.remove(&task) else {
            return;
        };
        match done.result {
            Ok(result) => {
                let earlier = before.map(Blocked::into_earlier).unwrap_or_default();
                self.built(started, BuildResult { earlier, ..result });
            }
            Err(broken) => match broken.outage().filter(|_| self.jobs.len() > 1) {
                Some(Outage { name, kind }) => {
                    let name = name.map_or_else(String::new, |name| format!(" `{name}`"));
                    self.watcher.reporter().warning(&format!(
                        "the agent{name} can't be reached ({kind}): nothing starts with it for some minutes"
                    ));
                    let blocked = before.map(|before| Blocked { reopened: Some(path), ..before });
                    self.blocked.extend(blocked.map(|blocked| (task, blocked)));
                    self.schedule.end(started, Ending::Outage, self.began.elapsed());
                }
                None if broken.is_unreachable() => {
                    if let Broken::Child(failed) = broken {
                        self.watcher.reporter().warning(&failed.error.message);
                    }
                    self.schedule.end(started, Ending::Unreachable, self.began.elapsed());
                }
                None => {
                    self.schedule.end(started, Ending::Failed, self.began.elapsed());
                    self.end(task, Ended::Failed(broken));
                }
            },
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

    /// Waits until a run ends, an agent is tried again, or the user interrupts.
    fn wait(&mut self, until: Option<Duration>) {
        let limit = self.limits.deadline.unwrap_or(Duration::MAX);
        let now = self.began.elapsed();
        let until = until.map_or(now + LONG, |until| until.min(limit));
        if let Some(done) = self.builder.wait(until.saturating_sub(now), self.jobs, self.watcher) {
            self.done(done);
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
        (Some(block), OutcomeWord::Blocked)
            if matches!(block.kind, BlockKind::LandConflict | BlockKind::LandBroken)
                && ftl_process::interrupted().is_none() =>
        {
            Ending::Blocked(Again::FreshBase)
        }
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
