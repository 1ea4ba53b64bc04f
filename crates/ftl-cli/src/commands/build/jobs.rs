//! `--jobs N`: tasks side by side, each built by a child process of this program; and what such a child does.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use ftl_engine::run::{
    Attempt, Fault, Implementer, Isolate, Settings, StoreError, build, try_placing,
};
use ftl_engine::tasks::{
    Built, ChildBuild, FailedChild, Job, Line, LineReporter, Obstacle, SideBySide,
};

use super::choosing::{self, Wanted};
use crate::advice;
use crate::args::{BuildOptions, CheckArg, GoingOn};
use crate::commands::{scout, validate};
use crate::config::Config;
use crate::failure::Failure;
use crate::{CommandResult, output};

/// How tasks are built side by side, where that was asked for and can be had.
pub(super) fn of<'o>(
    options: &'o BuildOptions,
    jobs: &[Job],
) -> Result<Option<SideBySide<'o>>, Failure> {
    let has_workers = jobs.iter().any(|job| job.settings.requests.performer.is_some());
    let asked = match options.jobs {
        Some(asked) => asked,
        None => configured(options, jobs)?,
    };
    let wanted = asked.min(jobs.len());
    if asked <= 1 && !has_workers {
        return Ok(None);
    }
    let is_agent = |job: &Job| matches!(job.settings.implementer, Implementer::Agent(_));
    if !jobs.iter().all(is_agent) {
        if options.jobs.is_none() {
            return Ok(None);
        }
        return Err(Failure::usage("usage::jobs", "`--jobs` needs an agent")
            .help("name one with `--agent`, or leave `--jobs` out"));
    }
    if options.dry_run || (wanted <= 1 && !has_workers) {
        return Ok(None);
    }
    let tried = match tried(jobs, has_workers)? {
        Ok(tried) => tried,
        Err(reason) => {
            output::warn(&format!("one task is built at a time: {reason}"));
            return Ok(None);
        }
    };
    let Some(program) = scout::program() else {
        output::warn(&"one task is built at a time: the path of this program is not known");
        return Ok(None);
    };
    let words = Box::new(move |job: &Job, path: &Path, build: &ChildBuild| {
        words(options, job, path, build, tried.as_deref())
    });
    Ok(Some(SideBySide { jobs: wanted.max(1), program, words }))
}

/// What `[build] jobs` says, for more than one task.
fn configured(options: &BuildOptions, jobs: &[Job]) -> Result<usize, Failure> {
    let Some(job) = jobs.first().filter(|_| jobs.len() > 1) else {
        return Ok(1);
    };
    let config = Config::load(options.config.as_deref(), job.workspace.layout.root())?;
    Ok(config.jobs.unwrap_or(1))
}

/// What was tried out for views, once for all tasks; why none can be had, in one line.
fn tried(jobs: &[Job], has_workers: bool) -> Result<Result<Option<String>, String>, Failure> {
    let Some(job) = jobs.first() else {
        return Ok(Ok(None));
    };
    let roots = jobs.iter().map(|job| job.workspace.layout.root());
    if roots.clone().any(|root| root != job.workspace.layout.root()) {
        return Ok(Err("the tasks are of several projects".to_owned()));
    }
    if has_workers {
        // Nothing is mounted for a request that a worker performs.
        return Ok(Ok(None));
    }
    let is_bound = |job: &Job| job.settings.requests.isolate == Some(Isolate::Bind);
    match try_placing(&job.settings)? {
        Err(reason) if jobs.iter().any(is_bound) => Ok(Err(reason)),
        // Each child says why it got no mount.
        tried => Ok(Ok(tried.ok())),
    }
}

/// The arguments of the child process that builds a task.
fn words(
    options: &BuildOptions,
    job: &Job,
    path: &Path,
    build: &ChildBuild,
    tried: Option<&str>,
) -> Vec<OsString> {
    // A child works where this process does: paths stay as the user sees them.
    let path = if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    };
    let root = job.workspace.layout.root();
    let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    let mut words: Vec<OsString> = vec!["build".into(), path.into(), "--root".into(), root.into()];
    words.extend(options.words(GoingOn::Same).into_iter().map(OsString::from));
    let attempts = job.settings.series.attempts;
    let check = if job.settings.series.is_checked { "end" } else { "never" };
    for (name, value) in [
        ("--slot", Some(build.slot.to_string())),
        ("--tried", tried.map(str::to_owned)),
        ("--attempt", Some(build.attempt.to_string())),
        ("--attempts", Some(attempts.to_string())),
        ("--rung", Some(build.rung.to_string())),
        ("--check", Some(check.to_owned())),
        ("--given", Some(advice::this_command())),
        ("--commit-on", job.settings.series.commit.clone()),
        ("--deadline", Some(format!("{}s", build.patience.as_secs().max(1)))),
    ] {
        if let Some(value) = value {
            words.extend([name.into(), value.into()]);
        }
    }
    for (name, is_set) in [("--restart", build.restart), ("--fresh", options.fresh)] {
        if is_set {
            words.push(name.into());
        }
    }
    words
}

/// Builds one task in a slot, and reports as lines on standard output.
pub(super) fn build_in(slot: u32, wanted: Wanted<'_>, options: &BuildOptions) -> CommandResult {
    drop(ftl_process::end_with_parent());
    if let Some(given) = &options.given {
        advice::goes_on_with(given.clone());
    }
    let mut reporter = LineReporter::new(io::stdout());
    let line = match build_one(slot, wanted, options, &mut reporter) {
        Ok(built) => Line::Built(Box::new(built)),
        Err(failed) => Line::Failed(failed),
    };
    reporter.write(&line);
    Ok(0)
}

fn build_one(
    slot: u32,
    wanted: Wanted<'_>,
    options: &BuildOptions,
    reporter: &mut LineReporter<io::Stdout>,
) -> Result<Built, Box<FailedChild>> {
    let (path, settings) =
        prepare(slot, wanted, options).map_err(|failure| failed(&failure, None))?;
    let built = build(&path, &settings, reporter).map_err(|fault: Fault| {
        // What it waited for is held by another build of the same command.
        let fault = match (ftl_process::interrupted(), fault) {
            (Some(signal), Fault::Store(StoreError::Held { .. })) => Fault::Interrupted(signal),
            (_, fault) => fault,
        };
        let obstacle = Obstacle::of(&fault);
        failed(&fault.into(), obstacle)
    })?;
    if !built.problems.is_empty() {
        validate::draw(&path, &built.source, &built.problems);
    }
    Ok(Built::of(built))
}

fn failed(failure: &Failure, obstacle: Option<Obstacle>) -> Box<FailedChild> {
    let (error, exit) = (failure.result().error, failure.exit());
    Box::new(FailedChild { error, exit, obstacle })
}

fn prepare(
    slot: u32,
    wanted: Wanted<'_>,
    options: &BuildOptions,
) -> Result<(PathBuf, Settings), Failure> {
    let chosen = choosing::choose(wanted, options)?;
    let workspace = chosen.active.into_iter().next();
    let workspace =
        workspace.ok_or_else(|| Failure::usage("usage::workspace_missing", "no task is active"))?;
    let config = Config::load(options.config.as_deref(), workspace.layout.root())?;
    let rung = options.rung.unwrap_or(0);
    let root = workspace.layout.root().to_owned();
    let mut settings = super::settings(root, options, config, rung)?;
    let number = options.attempt.unwrap_or(1);
    let attempt = Attempt { number, rung, ..Attempt::default() };
    settings.slot = Some(slot);
    settings.start.wait = true;
    let requests = &mut settings.requests;
    requests.tried.clone_from(&options.tried);
    requests.patience = options.deadline.unwrap_or(requests.patience);
    settings.series.attempt = attempt;
    settings.series.is_checked = options.check == Some(CheckArg::End);
    // The branch is that on which the command began.
    settings.series.commit.clone_from(&options.commit_on);
    Ok((workspace.path, settings))
}
