//! `ftl build`: tasks, one after another, to their records.
//!
//! Here it is decided which workspaces are built, in which order and with which settings, and what the
//! exit code is. A build itself is one call of the engine.

mod attempts;
mod choosing;
mod next;
mod order;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Parser;
use ftl_engine::project::{Layout, WorkspaceFile, state_directory};
use ftl_engine::result::{
    BuildResult, Counts, FailedWorkspace, OutcomeWord, Results, Skipped, WorkspaceResult,
};
use ftl_engine::run::{Implementer, Next, Settings, signal_name};
use ftl_process::Environment;

pub(crate) use self::choosing::Wanted;
use self::choosing::{Chosen, Finished};
use self::order::Tasks;

use crate::args::{self, BuildOptions, Format, TrailingOptions};
use crate::commands::{refuse_in_request, scout, validate};
use crate::config::Config;
use crate::exit::{BLOCKED, FAILED, USAGE};
use crate::failure::Failure;
use crate::render::{
    events::Events,
    outcome,
    reporter::{BuildReporter, Talk},
};
use crate::{CommandResult, advice, implementer, output};

/// Builds the tasks that are wanted, in the order of their dependencies.
pub(crate) fn run(wanted: Wanted<'_>, options: &BuildOptions) -> CommandResult {
    output::set_colour(options.color);
    let Chosen { active, finished } = choosing::choose(wanted, options)?;
    let count = active.len();
    let tasks = Tasks::read(active);
    if !options.ignore_depends {
        tasks.refuse_missing()?;
    }
    if count > 1 && !options.patch.is_empty() {
        let message = format!("`--patch` is for one task, and {count} were named");
        return Err(
            Failure::usage("usage::patch", message).help("build each task with its own patches")
        );
    }
    // All settings before the first build: a mistake in the last one must not cost the others' time.
    let mut settings = BTreeMap::new();
    let jobs: Vec<Job> = tasks
        .sorted()?
        .into_iter()
        .map(|(workspace, after)| Job::new(workspace, after, options, &mut settings))
        .collect::<Result<_, _>>()?;
    let talk = Talk::of(options, jobs.len());
    let mut reporter = BuildReporter::new(Events::open(options)?, talk);
    let exit = match jobs.as_slice() {
        [job] if wanted.is_single() => one(job, &mut reporter, options.format)?,
        jobs => several(jobs, &finished, &mut reporter, options.format)?,
    };
    let Some(failure) = reporter.failure() else {
        return Ok(exit);
    };
    output::diagnose(&failure);
    Ok(worse(exit, failure.exit()))
}

/// The options of a build that follows another command, in the same project.
pub(crate) fn trailing(words: &[OsString], layout: &Layout) -> Result<BuildOptions, Failure> {
    let parsed = TrailingOptions::try_parse_from(words).map_err(|error| args::usage(&error))?;
    let mut options = parsed.options;
    options.root.get_or_insert_with(|| layout.root().to_owned());
    Ok(options)
}

/// The commands that go on from a build with these options by this implementer.
pub(crate) fn next_of(options: &BuildOptions, root: PathBuf, implementer: Implementer) -> Next {
    next::of(options, &Settings::new(root, implementer))
}

/// Says what another command did to a task file, and builds the task where that was asked for.
pub(crate) fn after(done: &str, path: PathBuf, options: Option<BuildOptions>) -> CommandResult {
    let Some(options) = options else {
        return output::result(&format!("{done}\n")).map(|()| 0);
    };
    if options.format == Format::Json || options.events.is_some() {
        // Standard output is for what programs read.
        output::message(done);
    } else {
        output::result(&format!("{done}\n"))?;
    }
    advice::goes_on_with(next::build(&path, &options));
    run(Wanted::Named(&[path]), &options)
}

/// A workspace with the settings of its build.
struct Job {
    workspace: WorkspaceFile,
    /// The jobs, by their indices, that must be complete before.
    after: Vec<usize>,
    settings: Rc<Settings>,
}

impl Job {
    /// The settings are made once for a project and kept in `known`: they hold what secrets are sought by.
    fn new(
        workspace: WorkspaceFile,
        after: Vec<usize>,
        options: &BuildOptions,
        known: &mut BTreeMap<PathBuf, Rc<Settings>>,
    ) -> Result<Self, Failure> {
        let root = workspace.layout.root();
        let settings = match known.get(root) {
            Some(settings) => Rc::clone(settings),
            None => {
                if !options.dry_run {
                    refuse_in_request(root)?;
                }
                let config = Config::load(options.config.as_deref(), root)?;
                let made = Rc::new(settings(root.to_owned(), options, config)?);
                known.insert(root.to_owned(), Rc::clone(&made));
                made
            }
        };
        Ok(Self { workspace, after, settings })
    }

    /// Builds the task; `is_followed` is whether another one is built next even if this one is blocked.
    fn build(
        &self,
        is_followed: bool,
        reporter: &mut BuildReporter,
    ) -> Result<BuildResult, Failure> {
        reporter.task(&self.workspace);
        let settings = Settings { is_followed, ..Settings::clone(&self.settings) };
        let result = attempts::build_task(&self.workspace, &settings, reporter)?;
        // Where the problems are shown, they are shown as `ftl workspace validate` shows them.
        if !result.problems.is_empty() {
            validate::draw(&self.workspace.path, &result.source, &result.problems);
        }
        Ok(result)
    }
}

/// The settings that a build of the tree as it stands would have, without any option.
pub(crate) fn settings_of(root: &Path) -> Result<Settings, Failure> {
    let words = ["--tree"].map(OsString::from);
    let parsed = TrailingOptions::try_parse_from(words).map_err(|error| args::usage(&error))?;
    let config = Config::load(None, root)?;
    settings(root.to_owned(), &parsed.options, config)
}

/// An option takes precedence over the configuration, and that over the default.
fn settings(root: PathBuf, options: &BuildOptions, config: Config) -> Result<Settings, Failure> {
    let chosen = implementer::choose(options, &config, &root)?;
    let shared = config.shared(&root)?;
    let shared = shared.into_iter().map(|shared| shared.failure);
    if options.attempts > Some(1) && matches!(chosen.implementer, Implementer::Tree { .. }) {
        let message =
            "`--attempts` needs an implementer that can try again: the tree as it stands can't";
        return Err(Failure::usage("usage::attempts", message)
            .help("name one with `--agent` or `--patch`, or leave `--attempts` out"));
    }
    let configured =
        config.attempts.filter(|_| matches!(chosen.implementer, Implementer::Agent(_)));
    let default = Settings::new(root, chosen.implementer);
    let agent_limit = options.agent_timeout.or(chosen.timeout);
    let verify_limit = options.verify_timeout.or(config.verify.timeout);
    let sets = [&chosen.env, &config.verify.env].map(Environment::resolve);
    let variables = std::env::vars_os().chain(sets.into_iter().flatten());
    let redactor = output::secrets_of(variables, &config.redact_off);
    output::hide(&redactor);
    let rules = config.rules(&default.root)?;
    let isolate = options.isolate.map(Into::into).or(chosen.isolate);
    let checker = options.checker.map(Into::into).or(config.preflight.checker);
    let check_limit = config.preflight.timeout.unwrap_or(default.check_limit);
    let settings = Settings {
        checker: checker.unwrap_or(default.checker),
        check_limit,
        scout: scout::program(),
        isolate,
        view: scout::program(),
        read_tests: options.read_tests.into(),
        untrusted: config.verify.untrusted.unwrap_or(default.untrusted),
        undecided: config.undecided,
        rules,
        idiom_judge: config.idiom_judge,
        baseline: options.baseline,
        strict_scope: options.strict_scope,
        allow_removed: options.allow_removed.clone(),
        tree: config.tree,
        families: config.families.unwrap_or(default.families),
        knowledge: shared.collect(),
        judge: config.judge,
        agent_limit: agent_limit.unwrap_or(default.agent_limit),
        agent_env: chosen.env,
        verify_limit: verify_limit.unwrap_or(default.verify_limit),
        verify_env: config.verify.env,
        wait: options.wait,
        attempts: options.attempts.or(configured).unwrap_or(default.attempts),
        whose: options.whose(),
        state: state_directory(),
        restart: options.restart,
        dry_run: options.dry_run,
        redactor,
        advice: advice::for_records(),
        ..default
    };
    Ok(Settings { next: next::of(options, &settings), ..settings })
}

fn one(job: &Job, reporter: &mut BuildReporter, format: Format) -> CommandResult {
    let result = job.build(false, reporter)?;
    match format {
        Format::Json => output::json(&result)?,
        Format::Human => print(&outcome::built(&result), reporter)?,
    }
    Ok(exit_code(&result))
}

fn several(
    jobs: &[Job],
    finished: &[Finished],
    reporter: &mut BuildReporter,
    format: Format,
) -> CommandResult {
    // A result holds outputs: only those that are printed at the end are kept.
    let mut results: Vec<WorkspaceResult> = Vec::new();
    let mut counts = Counts::default();
    for result in finished.iter().filter_map(already_finished) {
        counts.add(result.outcome());
        match format {
            Format::Human => print(&outcome::any(&result), reporter)?,
            Format::Json => results.push(result),
        }
    }
    let mut outcomes: Vec<OutcomeWord> = Vec::new();
    let mut worst = 0;
    for job in jobs {
        let (result, exit) = match reason_to_skip(job, jobs, &outcomes) {
            Some(cause) => (skipped(job, cause), 0),
            None => attempt(job, is_followed(jobs, &outcomes), reporter),
        };
        worst = worse(worst, exit);
        outcomes.push(result.outcome());
        counts.add(result.outcome());
        reporter.count(counts);
        match format {
            Format::Human => print(&outcome::any(&result), reporter)?,
            Format::Json => results.push(result),
        }
    }
    match format {
        Format::Json => output::json(&Results { v: 1, results, counts })?,
        Format::Human => print(&outcome::tally(&counts), reporter)?,
    }
    Ok(worst)
}

/// The result of a task that was named with others and has its record.
fn already_finished(task: &Finished) -> Option<WorkspaceResult> {
    Some(WorkspaceResult::Skipped(Skipped {
        v: 1,
        outcome: OutcomeWord::Skipped,
        id: task.name()?.id,
        workspace: task.path.display().to_string(),
        cause: format!("it is already {}", task.status),
    }))
}

fn attempt(job: &Job, is_followed: bool, reporter: &mut BuildReporter) -> (WorkspaceResult, u8) {
    match job.build(is_followed, reporter) {
        Ok(result) => {
            let exit = exit_code(&result);
            (WorkspaceResult::Built(Box::new(result)), exit)
        }
        Err(failure) => {
            output::diagnose(&failure);
            let failed = WorkspaceResult::Failed(FailedWorkspace {
                failed: failure.result(),
                id: job.workspace.name.id.clone(),
                workspace: job.workspace.path.display().to_string(),
            });
            (failed, failure.exit())
        }
    }
}

/// Whether any job would be built after the next one if that were blocked.
fn is_followed(jobs: &[Job], outcomes: &[OutcomeWord]) -> bool {
    let mut outcomes = [outcomes, &[OutcomeWord::Blocked]].concat();
    for job in jobs.get(outcomes.len()..).unwrap_or_default() {
        if reason_to_skip(job, jobs, &outcomes).is_none() {
            return true;
        }
        outcomes.push(OutcomeWord::Skipped);
    }
    false
}

/// Why a job is not built: an interrupt, or a task that it depends on and that is not complete.
fn reason_to_skip(job: &Job, jobs: &[Job], outcomes: &[OutcomeWord]) -> Option<String> {
    if let Some(signal) = ftl_process::interrupted() {
        return Some(format!("interrupted by {}", signal_name(signal)));
    }
    let is_missing = |index: &&usize| match outcomes[**index] {
        OutcomeWord::Complete | OutcomeWord::Planned => false,
        OutcomeWord::Blocked
        | OutcomeWord::Skipped
        | OutcomeWord::Failed
        | OutcomeWord::Dropped
        | OutcomeWord::Unfinished => true,
    };
    let blocked = job.after.iter().find(is_missing)?;
    Some(format!("waits for `{}`", jobs[*blocked].workspace.id()))
}

fn skipped(job: &Job, cause: String) -> WorkspaceResult {
    WorkspaceResult::Skipped(Skipped {
        v: 1,
        outcome: OutcomeWord::Skipped,
        id: job.workspace.name.id.clone(),
        workspace: job.workspace.path.display().to_string(),
        cause,
    })
}

/// Prints for people: on standard error where standard output carries the events.
fn print(text: &str, reporter: &BuildReporter) -> Result<(), Failure> {
    if reporter.uses_standard_output() {
        output::message(text.trim_end());
        return Ok(());
    }
    output::result(text)
}

/// The exit code of a build that came to an end.
fn exit_code(result: &BuildResult) -> u8 {
    match result.outcome {
        OutcomeWord::Complete | OutcomeWord::Planned => 0,
        OutcomeWord::Blocked => BLOCKED,
        OutcomeWord::Failed | OutcomeWord::Dropped | OutcomeWord::Unfinished => FAILED,
        OutcomeWord::Skipped => 0,
    }
}

/// The worse of two exit codes: interrupts first, then failures, usage errors, blocks.
fn worse(a: u8, b: u8) -> u8 {
    let rank = |exit| match exit {
        0 => 0,
        BLOCKED => 1,
        USAGE => 2,
        FAILED => 3,
        _ => 4,
    };
    if rank(b) > rank(a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::worse;

    #[test]
    fn a_failure_is_worse_than_a_block_and_an_interrupt_than_both() {
        for (codes, worst) in [
            (&[0, 0][..], 0),
            (&[0, 3, 0], 3),
            (&[3, 1, 3], 1),
            (&[1, 2, 0], 1),
            (&[3, 130, 1], 130),
        ] {
            assert_eq!(codes.iter().copied().fold(0, worse), worst, "{codes:?}");
        }
    }
}
