//! `ftl build`: tasks, one after another, to their records.

mod order;

use std::collections::BTreeSet;
use std::path::PathBuf;

use ftl_engine::project::WorkspaceFile;
use ftl_engine::result::{
    BuildResult, FailedWorkspace, OutcomeWord, Results, Skipped, WorkspaceResult,
};
use ftl_engine::run::{Settings, build};

use crate::args::{BuildOptions, Format};
use crate::commands::scout;
use crate::config::Config;
use crate::failure::{FAILED, Failure, USAGE};
use crate::render::{events::Events, outcome, watcher::Watcher};
use crate::{Done, advice, implementer, output};

/// Exit code of a block.
const BLOCKED: u8 = 3;

/// Builds the tasks that were named, in the order of their dependencies.
pub(crate) fn run(workspaces: &[PathBuf], options: &BuildOptions) -> Done {
    let mut tasks: Vec<WorkspaceFile> = Vec::new();
    let mut known = BTreeSet::new();
    for argument in workspaces {
        let task = WorkspaceFile::find(argument, options.root.as_deref())?;
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
    task: WorkspaceFile,
    /// The jobs, by their places, that must be complete before.
    after: Vec<usize>,
    settings: Settings,
}

impl Job {
    fn new(
        task: WorkspaceFile,
        after: Vec<usize>,
        options: &BuildOptions,
    ) -> Result<Self, Failure> {
        let root = task.layout.root();
        let config = Config::load(options.config.as_deref(), root)?;
        let settings = settings(root.to_owned(), options, config)?;
        Ok(Self {
            task,
            after,
            settings,
        })
    }

    fn build(&self, watcher: &mut Watcher) -> Result<BuildResult, Failure> {
        let result = build(&self.task.path, &self.settings, watcher);
        watcher.rests();
        Ok(result?)
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
        tree: config.tree,
        families: config.families.unwrap_or(default.families),
        agent_limit: agent_limit.unwrap_or(default.agent_limit),
        agent_env: chosen.env,
        verify_limit: verify_limit.unwrap_or(default.verify_limit),
        verify_env: config.verify.env,
        wait: options.wait,
        whose: options.whose(),
        state: state_directory(),
        restart: options.restart,
        dry_run: options.dry_run,
        advice: advice::for_records(),
        ..default
    })
}

/// `$XDG_STATE_HOME`, else `~/.local/state`. A relative one is to be ignored, as its specification says.
fn state_directory() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))
}

fn one(job: &Job, watcher: &mut Watcher, format: Format) -> Done {
    let result = job.build(watcher)?;
    match format {
        Format::Json => output::json(&result)?,
        Format::Human => print(&outcome::built(&result), watcher)?,
    }
    Ok(exit_code(&result))
}

fn several(jobs: &[Job], watcher: &mut Watcher, format: Format) -> Done {
    // A result holds outputs: only those that are printed at the end are kept.
    let mut results: Vec<WorkspaceResult> = Vec::new();
    let mut outcomes: Vec<OutcomeWord> = Vec::new();
    let mut worst = 0;
    for job in jobs {
        let (result, exit) = match held_up(job, jobs, &outcomes) {
            Some(cause) => (skipped(job, cause), 0),
            None => attempt(job, watcher),
        };
        worst = worse(worst, exit);
        outcomes.push(result.outcome());
        match format {
            Format::Human => print(&outcome::any(&result), watcher)?,
            Format::Json => results.push(result),
        }
    }
    if format == Format::Json {
        output::json(&Results { v: 1, results })?;
    }
    Ok(worst)
}

fn attempt(job: &Job, watcher: &mut Watcher) -> (WorkspaceResult, u8) {
    match job.build(watcher) {
        Ok(result) => {
            let exit = exit_code(&result);
            (WorkspaceResult::Built(Box::new(result)), exit)
        }
        Err(failure) => {
            output::diagnose(&failure);
            let failed = WorkspaceResult::Failed(FailedWorkspace {
                failed: failure.result(),
                id: job.task.name.id.clone(),
                workspace: job.task.path.display().to_string(),
            });
            (failed, failure.exit())
        }
    }
}

/// What keeps a job from being done: an interrupt, or a task before it that is not complete.
fn held_up(job: &Job, jobs: &[Job], outcomes: &[OutcomeWord]) -> Option<String> {
    if let Some(signal) = ftl_process::interrupted() {
        return Some(format!("interrupted by signal {signal}"));
    }
    let is_missing = |place: &&usize| match outcomes[**place] {
        OutcomeWord::Complete | OutcomeWord::Planned => false,
        OutcomeWord::Blocked | OutcomeWord::Skipped | OutcomeWord::Failed => true,
    };
    let blocked = job.after.iter().find(is_missing)?;
    Some(format!("waits for `{}`", jobs[*blocked].task.id()))
}

fn skipped(job: &Job, cause: String) -> WorkspaceResult {
    WorkspaceResult::Skipped(Skipped {
        v: 1,
        outcome: OutcomeWord::Skipped,
        id: job.task.name.id.clone(),
        workspace: job.task.path.display().to_string(),
        cause,
    })
}

/// Prints for people: on standard error where the events take standard output for themselves.
fn print(text: &str, watcher: &Watcher) -> Result<(), Failure> {
    if watcher.has_standard_output() {
        output::tell(text.trim_end());
        return Ok(());
    }
    output::result(text)
}

/// Exit codes of builds that came to an end.
fn exit_code(result: &BuildResult) -> u8 {
    match result.outcome {
        OutcomeWord::Complete | OutcomeWord::Planned => 0,
        OutcomeWord::Blocked => BLOCKED,
        OutcomeWord::Failed => FAILED,
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
