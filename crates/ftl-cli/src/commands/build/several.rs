//! The results of the builds of one command: printed as tasks end, counted, and summed up in one exit code.

use std::path::Path;
use std::time::{Duration, Instant};

use ftl_engine::project::WorkspaceFile;
use ftl_engine::result::{
    BuildResult, CheckResult, CommandEvent, Counts, FailedWorkspace, LimitWord, OutcomeWord,
    Results, ScheduleResult, Skipped, Usage, WorkspaceResult,
};
use ftl_engine::run::{Fault, Reporter, Settings};
use ftl_engine::tasks::{Broken, Ended, GraphError, Job, Limit, Line, WaitsFor, Watcher};
use ftl_machine::BlockKind;
use ftl_model::WorkspaceId;
use ftl_text::{one_line, terminal_text};

use super::choosing::Finished;
use super::exit::{exit_code, worse};
use super::next;
use crate::args::{BuildOptions, Format, ReportFile};
use crate::commands::validate;
use crate::exit::{BLOCKED, LIMIT};
use crate::failure::Failure;
use crate::render::findings::{self, TaskResults};
use crate::render::reporter::BuildReporter;
use crate::render::{brief, several};
use crate::{CommandResult, advice, output};

/// The results so far.
pub(super) struct Several<'r> {
    reporter: &'r mut BuildReporter,
    format: Format,
    /// Files that get the results too.
    reports: &'r [ReportFile],
    /// One task is meant: its result is the whole output.
    is_single: bool,
    /// Those that are printed at the end or reported in a file; a result holds outputs, so no others are kept.
    results: Vec<WorkspaceResult>,
    counts: Counts,
    /// The checks at the end, where they were made.
    check: Option<Vec<CheckResult>>,
    worst: u8,
    /// Blocked tasks once more, for the end.
    blocked: String,
    began: Instant,
    usage: Option<Usage>,
    /// Why the result of a single task, or a line, could not be printed.
    failure: Option<Failure>,
}

impl<'r> Several<'r> {
    pub(super) fn new(
        reporter: &'r mut BuildReporter,
        options: &'r BuildOptions,
        is_single: bool,
    ) -> Self {
        Self {
            reporter,
            format: options.format,
            reports: &options.report,
            is_single,
            results: Vec::new(),
            counts: Counts::default(),
            check: None,
            worst: 0,
            blocked: String::new(),
            began: Instant::now(),
            usage: None,
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

    /// Tasks that depend on others which are not complete, and are not built along: as when those are blocked by this
    /// command, the next one ends alike.
    pub(super) fn add_unreachable(&mut self, left_out: &[(WorkspaceFile, GraphError)]) {
        for (task, reason) in left_out {
            self.skip(task.id(), &task.path, reason.to_string());
            self.worst = worse(self.worst, BLOCKED);
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
        let duration_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let reported = self.write_reports();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        reported?;
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
        let next = self.goes_on();
        match self.format {
            Format::Json => output::json(&Results {
                v: 1,
                outcome,
                results: self.results,
                counts: self.counts,
                duration_ms,
                usage: self.usage,
                check: self.check,
                limit,
                schedule,
                next,
            })?,
            Format::Human => {
                let plan = schedule.as_ref().map(several::schedule).unwrap_or_default();
                let checks = several::checks(check.unwrap_or_default());
                let tally = several::tally(&self.counts, check, limit);
                let spent = brief::spent(duration_ms, self.usage);
                let blocked = &self.blocked;
                self.print(&format!("{plan}{blocked}{checks}{tally} {spent}\n"));
                if let Some(next) = next.first() {
                    self.print(&format!(
                        "interrupted: the tasks stay active; to continue: {next}\n"
                    ));
                }
            }
        }
        self.failure.map_or(Ok(self.worst), Err)
    }

    /// Writes what `--report` asks for.
    fn write_reports(&self) -> Result<(), Failure> {
        let checks = self.check.as_deref().unwrap_or_default();
        let all = TaskResults { results: &self.results, checks };
        for ReportFile { format, path } in self.reports {
            let written = std::fs::write(path, findings::of_tasks(*format, &all));
            written.map_err(|error| {
                let message = format!("cannot write the report to `{}`: {error}", path.display());
                Failure::failed("output::report", message)
                    .help("the task itself went on: its record and its journal are complete")
            })?;
        }
        Ok(())
    }

    /// After an interrupt, the command that goes on.
    fn goes_on(&self) -> Vec<String> {
        let is_left = self.counts.skipped + self.counts.failed > 0;
        let signal = ftl_process::interrupted().filter(|_| is_left);
        signal.map(|_| advice::this_command()).into_iter().collect()
    }

    /// Checks are made from here on.
    pub(super) fn begins_checks(&mut self) {
        self.check.get_or_insert_default();
        self.reporter.ends_tasks();
    }

    /// Checks at the end were made.
    pub(super) fn checked(
        &mut self,
        made: Result<Vec<CheckResult>, Fault>,
        options: &BuildOptions,
        settings: &Settings,
    ) {
        self.reporter.finish();
        match made {
            Ok(mut made) => {
                for check in made.iter_mut().filter(|check| !check.passed) {
                    check.next = next::after_check(options, settings, check);
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
            Format::Human => {
                self.print(&brief::any(&result, self.reporter.is_verbose()));
                if let WorkspaceResult::Built(result) = &result
                    && result.outcome == OutcomeWord::Blocked
                {
                    self.blocked += &brief::again(result);
                }
            }
            Format::Json => {}
        }
        self.keep(result);
    }

    fn keep(&mut self, result: WorkspaceResult) {
        if self.format == Format::Json || !self.reports.is_empty() {
            self.results.push(result);
        }
    }

    fn add_built(&mut self, job: &Job, mut result: BuildResult) {
        // Where the problems are shown, they are shown as `ftl workspace validate` shows them.
        if !result.problems.is_empty() {
            self.reporter.above(|| {
                validate::draw(&job.workspace.path, &result.source, &result.problems);
            });
        }
        self.reporter.warn_late(job.workspace.id(), &result.warnings);
        if let Some(kept) = brief::kept(&result) {
            self.say(job.workspace.id(), &kept);
        }
        self.usage = Usage::sum([self.usage, result.usage_of_all()]);
        self.worst = worse(self.worst, exit_code(&result));
        if !self.is_single {
            if result.outcome == OutcomeWord::Planned {
                // By itself one that depends on others would be refused.
                result.next.clear();
            }
            return self.add(WorkspaceResult::Built(Box::new(result)));
        }
        match self.format {
            Format::Human => self.print(&brief::built(&result, self.reporter.is_verbose())),
            Format::Json => self.failure = output::json(&result).err(),
        }
        self.keep(WorkspaceResult::Built(Box::new(result)));
    }

    fn add_failed(&mut self, job: &Job, failure: Failure) {
        self.worst = worse(self.worst, failure.exit());
        let mut failed = failure.result();
        let failed_task = |failed| {
            WorkspaceResult::Failed(FailedWorkspace {
                failed,
                id: job.workspace.name.id.clone(),
                workspace: job.workspace.path.display().to_string(),
            })
        };
        if self.is_single {
            self.failure = Some(failure);
            return self.keep(failed_task(failed));
        }
        if ftl_process::interrupted().is_some() && failure.exit() > 128 {
            // Nothing failed: the same command goes on with it.
            failed.outcome = OutcomeWord::Skipped;
        } else {
            self.say(job.workspace.id(), &output::drawn(&failure));
        }
        self.add(failed_task(failed));
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

    fn waits(&mut self, jobs: &[Job], waiting: &[(usize, WaitsFor)], now: Duration) {
        let for_agents = ftl_engine::tasks::agent_waits(jobs, waiting, now);
        self.reporter.says_waits(several::waits(jobs, waiting, now), &for_agents);
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
