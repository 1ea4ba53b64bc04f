//! The results of the builds of one command: printed as tasks end, counted, and summed up in one exit code.

use std::path::Path;

use ftl_engine::result::{
    BuildResult, CheckResult, CommandEvent, Counts, FailedWorkspace, LimitWord, OutcomeWord,
    Results, ScheduleResult, Skipped, WorkspaceResult,
};
use ftl_engine::run::{Fault, Reporter};
use ftl_engine::tasks::{Broken, Ended, Job, Limit, Line, WaitsFor, Watcher};
use ftl_machine::BlockKind;
use ftl_model::WorkspaceId;
use ftl_text::{one_line, terminal_text};

use super::choosing::Finished;
use super::exit::{exit_code, worse};
use crate::args::Format;
use crate::commands::validate;
use crate::exit::{BLOCKED, LIMIT};
use crate::failure::Failure;
use crate::render::reporter::BuildReporter;
use crate::render::{outcome, several};
use crate::{CommandResult, output};

/// The results so far.
pub(super) struct Several<'r> {
    reporter: &'r mut BuildReporter,
    format: Format,
    /// One task is meant: its result is the whole output.
    is_single: bool,
    /// Those that are printed at the end; a result holds outputs, so no others are kept.
    results: Vec<WorkspaceResult>,
    counts: Counts,
    /// The checks at the end, where they were made.
    check: Option<Vec<CheckResult>>,
    worst: u8,
    /// Whether the command that goes on after an interrupt was printed: it is the same for each task.
    says_goes_on: bool,
    /// Why the result of a single task, or a line, could not be printed.
    failure: Option<Failure>,
}

impl<'r> Several<'r> {
    pub(super) fn new(reporter: &'r mut BuildReporter, format: Format, is_single: bool) -> Self {
        Self {
            reporter,
            format,
            is_single,
            results: Vec::new(),
            counts: Counts::default(),
            check: None,
            worst: 0,
            says_goes_on: false,
            failure: None,
        }
    }

    /// Tasks that were named with others and have their records.
    pub(super) fn add_finished(&mut self, finished: &[Finished]) {
        for task in finished {
            let Some(name) = task.name() else {
                continue;
            };
            self.skip(&name.id, &task.path, format!("it is already {}", task.status));
        }
    }

    /// A task that is not built.
    pub(super) fn skip(&mut self, id: &WorkspaceId, path: &Path, cause: String) {
        self.add(WorkspaceResult::Skipped(Skipped {
            v: 1,
            outcome: OutcomeWord::Skipped,
            id: id.clone(),
            workspace: path.display().to_string(),
            cause,
        }));
    }

    /// Prints what is left to print; gives the exit code.
    pub(super) fn close(
        mut self,
        limit: Option<Limit>,
        schedule: Option<ScheduleResult>,
    ) -> CommandResult {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if self.counts.waiting > 0 {
            self.worst = worse(self.worst, LIMIT);
        }
        if let Some(signal) = ftl_process::interrupted() {
            self.worst = worse(self.worst, u8::try_from(128 + signal).unwrap_or(LIMIT));
        }
        if self.is_single {
            return Ok(self.worst);
        }
        let limit = limit.map(LimitWord::from);
        let outcome = self.outcome(schedule.is_some());
        let check = self.check.as_deref();
        self.reporter.happens(CommandEvent::Ended { outcome, counts: self.counts, check, limit });
        match self.format {
            Format::Json => output::json(&Results {
                v: 1,
                outcome,
                results: self.results,
                counts: self.counts,
                check: self.check,
                limit,
                schedule,
            })?,
            Format::Human => {
                let plan = schedule.as_ref().map(several::schedule).unwrap_or_default();
                self.print(&(plan + &several::tally(&self.counts, self.check.as_deref(), limit)));
            }
        }
        self.failure.map_or(Ok(self.worst), Err)
    }

    /// Checks are made from here on.
    pub(super) fn begins_checks(&mut self) {
        self.check.get_or_insert_default();
        self.reporter.ends_tasks();
    }

    /// Checks at the end were made.
    pub(super) fn checked(&mut self, made: Result<Vec<CheckResult>, Fault>) {
        self.reporter.finish();
        match made {
            Ok(made) => {
                if self.format == Format::Human {
                    self.print(&several::checks(&made));
                }
                self.check.get_or_insert_default().extend(made);
                if self.is_broken() {
                    self.worst = worse(self.worst, BLOCKED);
                }
            }
            Err(fault) => {
                let failure = Failure::from(fault);
                self.worst = worse(self.worst, failure.exit());
                output::diagnose(&failure);
            }
        }
    }

    fn is_broken(&self) -> bool {
        self.check.iter().flatten().any(|check| !check.passed)
    }

    /// How the whole command ended.
    fn outcome(&self, is_planned: bool) -> OutcomeWord {
        match self.worst {
            0 if is_planned => OutcomeWord::Planned,
            0 => OutcomeWord::Complete,
            BLOCKED if self.is_broken() => OutcomeWord::Broken,
            BLOCKED => OutcomeWord::Blocked,
            LIMIT => OutcomeWord::Limit,
            _ => OutcomeWord::Failed,
        }
    }

    fn add(&mut self, result: WorkspaceResult) {
        self.counts.add(result.outcome());
        let id = match &result {
            WorkspaceResult::Built(_) => None,
            WorkspaceResult::Skipped(skipped) => Some(&skipped.id),
            WorkspaceResult::Failed(failed) => Some(&failed.id),
        };
        if let Some(task) = id {
            self.reporter.happens(CommandEvent::Left { task, result: &result });
        }
        self.reporter.count(self.counts);
        match self.format {
            Format::Human => self.print(&outcome::any(&result)),
            Format::Json => self.results.push(result),
        }
    }

    fn add_built(&mut self, job: &Job, mut result: BuildResult) {
        // Where the problems are shown, they are shown as `ftl workspace validate` shows them.
        if !result.problems.is_empty() {
            self.reporter.above(|| {
                validate::draw(&job.workspace.path, &result.source, &result.problems);
            });
        }
        self.worst = worse(self.worst, exit_code(&result));
        if !self.is_single {
            if result.outcome == OutcomeWord::Planned {
                // By itself one that depends on others would be refused.
                result.next.clear();
            }
            return self.add(WorkspaceResult::Built(Box::new(result)));
        }
        match self.format {
            Format::Human => self.print(&outcome::built(&result)),
            Format::Json => self.failure = output::json(&result).err(),
        }
    }

    fn add_failed(&mut self, job: &Job, failure: Failure) {
        self.worst = worse(self.worst, failure.exit());
        if self.is_single {
            self.failure = Some(failure);
            return;
        }
        let is_interrupt = ftl_process::interrupted().is_some() && failure.exit() > 128;
        if !(is_interrupt && std::mem::replace(&mut self.says_goes_on, true)) {
            self.say(job.workspace.id(), &output::drawn(&failure));
        }
        self.add(WorkspaceResult::Failed(FailedWorkspace {
            failed: failure.result(),
            id: job.workspace.name.id.clone(),
            workspace: job.workspace.path.display().to_string(),
        }));
    }

    /// Prints for people: on standard error where standard output carries the events.
    fn print(&mut self, text: &str) {
        let mut printed = Ok(());
        let on_standard_error = self.reporter.uses_standard_output();
        self.reporter.above(|| match on_standard_error {
            true => output::message(text.trim_end()),
            false => printed = output::result(text),
        });
        if let Err(failure) = printed {
            self.failure.get_or_insert(failure);
        }
    }

    /// Prints lines about a task on standard error; of several, each with its number.
    fn say(&self, id: &WorkspaceId, text: &str) {
        let seq = terminal_text(id.seq().as_bytes());
        let named = |line: &str| match self.is_single {
            true => line.to_owned(),
            false => format!("{seq} {line}").trim_end().to_owned(),
        };
        let lines: Vec<String> = text.lines().map(named).collect();
        self.reporter.above(|| output::message(&lines.join("\n")));
    }
}

impl Watcher for Several<'_> {
    fn reporter(&mut self) -> &mut dyn Reporter {
        self.reporter
    }

    fn begins_task(&mut self, job: &Job) {
        self.reporter.task(&job.workspace);
    }

    fn ends_run(&mut self) {
        self.reporter.finish();
    }

    fn ends_run_of(&mut self, job: &Job) {
        self.reporter.finish_one(job.workspace.id());
    }

    fn received(&mut self, job: &Job, line: &Line) {
        self.reporter.received(job.workspace.id(), line);
    }

    fn waits(&mut self, jobs: &[Job], waiting: &[(usize, WaitsFor)]) {
        self.reporter.says_waits(several::waits(jobs, waiting));
    }

    fn warns(&mut self, job: &Job, text: &str) {
        self.say(job.workspace.id(), &format!("warning: {}", one_line(text)));
    }

    fn tries_again(&mut self, blocked: &BuildResult, attempts: u32) {
        let Some(block) = blocked.block.as_ref().filter(|_| !self.reporter.is_quiet()) else {
            return;
        };
        let (number, kind, error) = (blocked.attempt, block.kind, &block.error);
        // Tries on a new tree come on top of those that the user allowed.
        let (of, then) = match kind {
            BlockKind::LandConflict | BlockKind::LandBroken => {
                (String::new(), "; it is tried on the new tree")
            }
            _ => (format!(" of {attempts}"), ""),
        };
        self.say(&blocked.id, &format!("attempt {number}{of}: blocked ({kind}): {error}{then}"));
    }

    fn ended(&mut self, job: &Job, ended: Ended) {
        let (id, path) = (job.workspace.id(), &job.workspace.path);
        let limit = match ended {
            Ended::Built(result) => return self.add_built(job, *result),
            Ended::Failed(Broken::Here(fault)) => return self.add_failed(job, fault.into()),
            Ended::Failed(Broken::Child(failed)) => {
                return self.add_failed(job, Failure::of_child(*failed));
            }
            Ended::Skipped(cause) => return self.skip(id, path, cause),
            Ended::Waiting(limit) => limit,
        };
        self.add(WorkspaceResult::Skipped(Skipped {
            v: 1,
            outcome: OutcomeWord::Waiting,
            id: id.clone(),
            workspace: path.display().to_string(),
            cause: LimitWord::from(limit).sentence().into(),
        }));
    }
}
