//! `ftl build`: tasks, one after another, to their records.

mod order;

use std::collections::BTreeSet;
use std::path::PathBuf;

use ftl_engine::build::{Settings, build};
use ftl_engine::json::{Results, Skipped};
use serde_json::{Value, json};

use crate::args::{BuildOptions, Format};
use crate::commands::scout;
use crate::config::Config;
use crate::failure::{FAILED, Failure, USAGE};
use crate::render::{events::Events, outcome, watcher::Watcher};
use crate::task::Task;
use crate::{Done, failure, implementer, output};

/// Exit code of a block.
const BLOCKED: u8 = 3;

/// Builds the tasks that were named, in the order of their dependencies.
pub(crate) fn run(workspaces: &[PathBuf], options: &BuildOptions) -> Done {
    let mut tasks: Vec<Task> = Vec::new();
    let mut known = BTreeSet::new();
    for argument in workspaces {
        let task = Task::find(argument, options.root.as_deref())?;
        if known.insert(task.real_path()) {
            tasks.push(task);
        }
    }
    let jobs: Vec<Job> = order::sorted(tasks)?
        .into_iter()
        .map(|(task, after)| Job::new(task, after, options))
        .collect::<Result<_, _>>()?;
    let mut watcher = Watcher::new(Events::open(options)?);
    let exit = match jobs.as_slice() {
        [job] if workspaces.len() == 1 => one(job, &mut watcher, options.format)?,
        jobs => several(jobs, &mut watcher, options.format)?,
    };
    let Some(loss) = watcher.loss() else {
        return Ok(exit);
    };
    output::diagnose(&loss);
    Ok(worse(exit, loss.exit()))
}

/// A task with everything that its build is told.
struct Job {
    task: Task,
    /// The jobs, by their places, that must be complete before.
    after: Vec<usize>,
    settings: Settings,
}

impl Job {
    fn new(task: Task, after: Vec<usize>, options: &BuildOptions) -> Result<Self, Failure> {
        let root = task.layout.root();
        let config = Config::load(options.config.as_deref(), root)?;
        let settings = settings(root.to_owned(), options, config)?;
        Ok(Self {
            task,
            after,
            settings,
        })
    }

    fn build(&self, watcher: &mut Watcher) -> Result<ftl_engine::build::Report, Failure> {
        let report = build(&self.task.path, &self.settings, watcher);
        watcher.rests();
        report.map_err(|fault| {
            let exit = u8::try_from(fault.exit()).unwrap_or(FAILED);
            let failure = Failure::new(exit, fault.code(), failure::chain(&fault));
            match fault.help() {
                Some(help) => failure.help(help),
                None => failure,
            }
        })
    }
}

/// Flags win over the configuration, and that over the defaults.
fn settings(root: PathBuf, options: &BuildOptions, config: Config) -> Result<Settings, Failure> {
    let chosen = implementer::choose(options, &config, &root)?;
    let default = Settings::new(root, chosen.implementer);
    let agent_limit = options.agent_timeout.or(chosen.timeout);
    let verify_limit = options.verify_timeout.or(config.verify.timeout);
    let checker = options.checker.map(Into::into).or(config.checker);
    Ok(Settings {
        checker: checker.unwrap_or(default.checker),
        scout: scout::program(),
        read_tests: options.read_tests.into(),
        untrusted: config.verify.untrusted,
        undecided: config.undecided,
        baseline: options.baseline,
        strict_scope: options.strict_scope,
        allow_removed: options.allow_removed.clone(),
        scope: config.scope,
        families: config.families.unwrap_or(default.families),
        agent_limit: agent_limit.unwrap_or(default.agent_limit),
        agent_env: chosen.env,
        verify_limit: verify_limit.unwrap_or(default.verify_limit),
        verify_env: config.verify.env,
        wait: options.wait,
        restart: options.restart,
        dry_run: options.dry_run,
        ..default
    })
}

fn one(job: &Job, watcher: &mut Watcher, format: Format) -> Done {
    let report = job.build(watcher)?;
    print(&report.json, watcher, format)?;
    Ok(exit_code(report.exit))
}

fn several(jobs: &[Job], watcher: &mut Watcher, format: Format) -> Done {
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    let mut worst = 0;
    for job in jobs {
        let (result, exit) = match held_up(job, jobs, &outcomes) {
            Some(cause) => (skipped(job, &cause), 0),
            None => attempt(job, watcher),
        };
        worst = worse(worst, exit);
        outcomes.push(Outcome::of(&result));
        match format {
            Format::Human => print(&result, watcher, format)?,
            Format::Json => results.push(result),
        }
    }
    if format == Format::Json {
        print(
            &json!(Results {
                v: 1,
                results: &results
            }),
            watcher,
            format,
        )?;
    }
    Ok(worst)
}

/// Whether those that wait for a job may go ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    NotDone,
}

impl Outcome {
    fn of(result: &Value) -> Self {
        let outcome = &result["outcome"];
        if outcome == "complete" || outcome == "planned" {
            Self::Done
        } else {
            Self::NotDone
        }
    }
}

fn attempt(job: &Job, watcher: &mut Watcher) -> (Value, u8) {
    match job.build(watcher) {
        Ok(report) => (report.json, exit_code(report.exit)),
        Err(failure) => {
            output::diagnose(&failure);
            let mut result = failure.json();
            result["id"] = job.task.id().into();
            result["workspace"] = job.task.path.display().to_string().into();
            (result, failure.exit())
        }
    }
}

/// What keeps a job from being done: an interrupt, or a task before it that is not complete.
fn held_up(job: &Job, jobs: &[Job], outcomes: &[Outcome]) -> Option<String> {
    if let Some(signal) = ftl_process::interrupted() {
        return Some(format!("interrupted by signal {signal}"));
    }
    let is_missing = |place: &&usize| outcomes[**place] == Outcome::NotDone;
    let blocked = job.after.iter().find(is_missing)?;
    Some(format!("waits for `{}`", jobs[*blocked].task.id()))
}

fn skipped(job: &Job, cause: &str) -> Value {
    json!(Skipped {
        v: 1,
        outcome: "skipped",
        id: job.task.id(),
        workspace: job.task.path.display().to_string(),
        cause,
    })
}

fn print(result: &Value, watcher: &Watcher, format: Format) -> Result<(), Failure> {
    match format {
        Format::Json => output::json(result),
        Format::Human if watcher.has_standard_output() => {
            output::tell(outcome::text(result).trim_end());
            Ok(())
        }
        Format::Human => output::result(&outcome::text(result)),
    }
}

fn exit_code(exit: i32) -> u8 {
    u8::try_from(exit).unwrap_or(FAILED)
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
