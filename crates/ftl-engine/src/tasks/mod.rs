//! Several tasks by one command: `ftl_schedule` decides which one is next, and this module does it.
//!
//! Each try of a task is a whole run, with its own record. Limits, interrupts and outages keep tasks
//! from starting; they never end a run.

mod attempt;
mod builder;
mod due;
mod end_check;
mod graph;
mod holding;
mod landings;
mod line;
mod outages;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

pub use builder::{Broken, ChildBuild, SideBySide};
pub use due::due;
pub use end_check::{check_at_end, check_now, due_checks};
use ftl_machine::BlockKind;
use ftl_schedule::{Again, Ending, Facts, Next, Spent, Started};
pub use ftl_schedule::{Limit, Limits, Schedule, WaitsFor};
pub use graph::{Graph, GraphError};
pub use holding::hold_build;
pub use line::{Built, FailedChild, Line, LineReporter, Obstacle};
pub use outages::{agent_waits, clock_at, clock_in};

use crate::project::WorkspaceFile;
use crate::result::{BuildResult, OutcomeWord, ScheduleResult};
use crate::run::landing::landed;
pub use crate::run::unfinished_rung;
use crate::run::{Reporter, Settings, signal_name};
use attempt::Blocked;
use builder::{Begin, Builder, Children, Done, InTurn};
use landings::Landings;

/// How long is waited where nothing but an ending changes anything.
const LONG: Duration = Duration::from_secs(60);

/// A task with the settings of its build.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its file.
    pub workspace: WorkspaceFile,
    /// The settings; tasks of one project share them.
    pub settings: Rc<Settings>,
    /// Which of the command's agents makes its first run: an unfinished one goes on with its own.
    pub rung: u32,
}

impl Job {
    /// The settings of a run by this one of its agents.
    #[must_use]
    pub fn settings_of(&self, rung: u32) -> &Settings {
        let stronger = &self.settings.series.stronger;
        match (self.rung + rung).checked_sub(1) {
            Some(at) => stronger.get(at as usize).or(stronger.last()).unwrap_or(&self.settings),
            None => &self.settings,
        }
    }
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

    /// What the tasks that are not begun wait for now: indices of `jobs`. Times are since the command began, as `now` is.
    fn waits(&mut self, jobs: &[Job], waiting: &[(usize, WaitsFor)], now: Duration) {
        let _ = (jobs, waiting, now);
    }

    /// Something about a task that the user should know.
    fn warns(&mut self, job: &Job, text: &str);

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
        first: landed_before(jobs),
        known_waits: Vec::new(),
        landings: Landings::default(),
        begun: BTreeSet::new(),
        no_room: BTreeSet::new(),
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
    ScheduleResult::of(schedule, |task| jobs[task].workspace.id().clone())
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
    /// The task that an earlier command left in the root: another one would have to take it out first.
    first: Option<usize>,
    /// What the watcher knows of tasks that wait.
    known_waits: Vec<(usize, WaitsFor)>,
    landings: Landings,
    /// Tasks whose first run began.
    begun: BTreeSet<usize>,
    /// Tasks that a slot had no room for.
    no_room: BTreeSet<usize>,
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
            first: self.first,
        }
    }

    /// One run of a task.
    fn start(&mut self, started: Started) {
        let task = started.task();
        let job = &self.jobs[task];
        let before = self.blocked.remove(&task);
        let (path, mut settings) = match &before {
            None => (job.workspace.path.clone(), job.settings_of(started.rung()).clone()),
            Some(blocked) => match blocked.reopen(job) {
                Ok(path) => (path, blocked.settings(job.settings_of(started.rung()))),
                Err(error) => {
                    self.watcher
                        .reporter()
                        .warning(&format!("the task is not tried again: {error}"));
                    return self.finish_blocked(started, before);
                }
            },
        };
        // What an outage cut off is an unfinished run too, and goes on.
        settings.start.restart &= self.begun.insert(task);
        let left = self.limits.deadline.map(|at| at.saturating_sub(self.began.elapsed()));
        let patience = &mut settings.requests.patience;
        *patience = left.map_or(*patience, |left| left.min(*patience));
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
        self.first.take_if(|first| *first == task);
        match done.result {
            Ok(result) => {
                let earlier = before.map(Blocked::into_earlier).unwrap_or_default();
                self.built(started, BuildResult { earlier, ..result });
            }
            Err(broken) => match broken.obstacle() {
                Some(Obstacle::Outage { resets, is_quota }) if self.waits_for_agents(task) => {
                    self.keep_block(task, before, path);
                    self.outage(started, (resets, is_quota), &broken.message());
                }
                // With the others' slots there may be room; without any other, an earlier one's slot is tried once.
                Some(Obstacle::NoRoom)
                    if self.jobs.len() > 1
                        && (self.no_room.insert(task) || !self.under_way.is_empty()) =>
                {
                    let others = self.under_way.len().max(1);
                    self.watcher.reporter().warning(&format!(
                        "there is no room for another copy of the tree: from here on {others} at once"
                    ));
                    self.keep_block(task, before, path);
                    self.schedule.end(started, Ending::NoRoom, self.began.elapsed());
                }
                Some(Obstacle::Unreachable) => {
                    self.watcher.warns(&self.jobs[task], &broken.message());
                    self.schedule.end(started, Ending::Unreachable, self.began.elapsed());
                }
                Some(Obstacle::Outage { .. } | Obstacle::NoRoom) | None => {
                    self.schedule.end(started, Ending::Failed, self.began.elapsed());
                    self.end(task, Ended::Failed(broken));
                }
            },
        }
    }

    /// Keeps the block that a run was to get over, which did nothing.
    fn keep_block(&mut self, task: usize, before: Option<Blocked>, path: PathBuf) {
        let blocked = before.map(|before| Blocked { reopened: Some(path), ..before });
        self.blocked.extend(blocked.map(|blocked| (task, blocked)));
    }

    fn built(&mut self, started: Started, result: BuildResult) {
        let task = started.task();
        let used = &result.implementer;
        self.spent.cost += used.cost_usd.unwrap_or_default();
        let tokens = used.tokens.map(|tokens| [tokens.input, tokens.output]);
        self.spent.tokens += tokens.into_iter().flatten().flatten().sum::<u64>();
        let ending = self.ending(&result);
        if ending == Ending::Blocked(Again::FreshBase) {
            for other in self.landings.meet(task, &result) {
                self.schedule.collided(task, other);
            }
        }
        if ending == Ending::Complete {
            self.landings.add(&result);
        }
        if let Ending::Blocked(again) = ending
            && self.schedule.is_tried_again(&started, again)
        {
            self.watcher.tries_again(&result, self.jobs[task].settings.series.attempts);
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

    /// How the schedule sees a result. Work that met another landing of this command is made again on the tree as it is
    /// now; work that met a person's edit is left to the person.
    fn ending(&self, result: &BuildResult) -> Ending {
        let is_fresh = |kind: BlockKind| match kind {
            BlockKind::LandConflict => self.landings.touch(result),
            kind => kind == BlockKind::LandBroken,
        };
        match (&result.block, result.outcome) {
            (Some(block), OutcomeWord::Blocked)
                if is_fresh(block.kind) && ftl_process::interrupted().is_none() =>
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
        let waiting = self.schedule.waiting(now);
        if waiting != self.known_waits {
            self.watcher.waits(self.jobs, &waiting, now);
            self.keep_waits(&waiting, now);
            self.known_waits = waiting;
        }
        let until = until.map_or(now + LONG, |until| until.min(limit));
        if let Some(done) = self.builder.wait(until.saturating_sub(now), self.jobs, self.watcher) {
            self.done(done);
        }
    }
}

/// The task whose unfinished run has its delta in the root.
fn landed_before(jobs: &[Job]) -> Option<usize> {
    let owner = |job: &Job| landed::owner(&job.settings, &job.settings.layout);
    let owner = owner(jobs.first()?)?;
    jobs.iter().position(|job| *job.workspace.id() == owner)
}

/// The end of a task that did not start.
fn not_begun(limit: Option<Limit>) -> Option<Ended> {
    if let Some(limit) = limit {
        return Some(Ended::Waiting(limit));
    }
    let signal = ftl_process::interrupted()?;
    Some(Ended::Skipped(format!("interrupted by {}", signal_name(signal))))
}
