//! `ftl build`: tasks, one after another, to their records.
//!
//! Which tasks are built and with which settings is decided here; their order by `ftl_engine::tasks`, and the
//! exit code in `several`.

mod checks;
mod choosing;
mod exit;
mod jobs;
mod limits;
mod next;
mod several;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use clap::Parser;
use ftl_engine::project::{Layout, WorkspaceFile, display_path, find, state_directory};
use ftl_engine::result::CheckResult;
use ftl_engine::run::{
    Attempt, CommandSettings, FailureSettings, Implementer, Next, QualitySettings, RequestSettings,
    SeriesSettings, Settings, StartSettings, SyntaxSettings, owes_commits,
};
use ftl_engine::tasks::{self, Graph, GraphError, Job, build_tasks};
use ftl_model::Finding;
use ftl_process::Environment;
use ftl_text::Redactor;

use self::choosing::{Chosen, Finished, Wanted};
use self::exit::worse;
use self::several::Several;

use crate::args::{self, BuildArgs, BuildOptions, Format, PlanArgs, TrailingOptions};
use crate::commands::{idioms, refuse_in_request, scout, worker};
use crate::config::Config;
use crate::failure::Failure;
use crate::render::events::Events;
use crate::render::reporter::BuildReporter;
use crate::render::verbosity::Verbosity;
use crate::{CommandResult, advice, globals, implementer, output};

/// Builds the tasks that a command line names, in the order of their dependencies.
pub(crate) fn run(args: BuildArgs) -> CommandResult {
    let wanted = if args.all { Wanted::All } else { Wanted::Named(&args.workspaces) };
    build(wanted, &args.options.under(globals::all()))
}

fn build(wanted: Wanted<'_>, options: &BuildOptions) -> CommandResult {
    if let Some(slot) = options.slot {
        return jobs::build_in(slot, wanted, options);
    }
    let Chosen { active, finished } = choosing::choose(wanted, options)?;
    let are_several = matches!(wanted, Wanted::All) || active.len() + finished.len() > 1;
    if active.is_empty() {
        return check_alone(finished, Vec::new(), are_several || wanted.is_any(), options);
    }
    let mut graph = Graph::read(active);
    let left_out = refuse_missing(&mut graph, wanted, options)?;
    if graph.workspaces().next().is_none() {
        return check_alone(finished, left_out, true, options);
    }
    let mut settings = BTreeMap::new();
    let jobs = jobs_of(&graph, options, are_several, &mut settings)?;
    let side_by_side = jobs::of(options, &jobs)?;
    let at_once = side_by_side.as_ref().and_then(|how| NonZeroUsize::new(how.jobs));
    let schedule = graph.schedule(&jobs, at_once.unwrap_or(NonZeroUsize::MIN))?;
    let limits = limits::of(options, &jobs)?;
    let mut reporter = BuildReporter::new(
        Events::open(options)?,
        Verbosity::of(options, jobs.len(), at_once.is_some()),
    );
    let is_single = wanted.is_single() && jobs.len() == 1;
    let planned = (options.dry_run && !is_single).then(|| tasks::describe(&jobs, &schedule));
    // Until the checks at the end are made.
    let held = match options.dry_run {
        true => Some(Vec::new()),
        false => tasks::hold_build(&jobs, &mut reporter)?,
    };
    let Some(_building) = held else {
        drop(reporter);
        return build(wanted, options);
    };
    let mut several = Several::new(&mut reporter, options, is_single);
    several.add_finished(&finished);
    several.add_unreachable(&left_out);
    checks::commit_owed(settings.values(), &mut several)?;
    let limit = build_tasks(&jobs, schedule, limits, side_by_side, &mut several);
    checks::make(settings.values(), options, &mut several);
    let exit = several.close(limit, planned)?;
    end(exit, &reporter)
}

/// Refuses tasks that depend on some which are neither complete nor built along. Of all active ones the others are built;
/// returns those that are left out, with the reason.
fn refuse_missing(
    graph: &mut Graph,
    wanted: Wanted<'_>,
    options: &BuildOptions,
) -> Result<Vec<(WorkspaceFile, GraphError)>, Failure> {
    match wanted {
        _ if options.ignore_depends => Ok(Vec::new()),
        Wanted::All => Ok(graph.leave_out_missing()?),
        Wanted::Named(_) => Ok(graph.refuse_missing().map(|()| Vec::new())?),
    }
}

/// All settings are made before the first build: a mistake in the last one must not cost the others' time.
fn jobs_of(
    graph: &Graph,
    options: &BuildOptions,
    are_several: bool,
    settings: &mut BTreeMap<PathBuf, Rc<Settings>>,
) -> Result<Vec<Job>, Failure> {
    let count = graph.workspaces().count();
    if count > 1 && !options.patch.is_empty() {
        let message = format!("`--patch` is for one task, and {count} were named");
        return Err(
            Failure::usage("usage::patch", message).help("build each task with its own patches")
        );
    }
    let job = |workspace: &WorkspaceFile| {
        let settings = settings_in(workspace.layout.root(), options, are_several, settings)?;
        let rung = match options.agent.len() > 1 && !options.restart {
            true => tasks::unfinished_rung(&workspace.layout, workspace.id()),
            false => 0,
        };
        Ok(Job { workspace: workspace.clone(), settings, rung })
    };
    graph.workspaces().map(job).collect()
}

/// Where nothing is left that can be built, the checks that are due; a usage error where none is and no task is
/// unreachable.
fn check_alone(
    finished: Vec<Finished>,
    left_out: Vec<(WorkspaceFile, GraphError)>,
    are_several: bool,
    options: &BuildOptions,
) -> CommandResult {
    let place = finished.first().map(|task| task.path.as_path());
    let place = place.or_else(|| left_out.first().map(|(task, _)| task.path.as_path()));
    let layout = find(options.root.as_deref(), place)?;
    let mut known = BTreeMap::new();
    let settings = match layout.ftl_dir().is_dir() {
        true => Some(settings_in(layout.root(), options, are_several, &mut known)?),
        false => None,
    };
    let is_due = |settings: &Rc<Settings>| {
        let has_checks = || tasks::due_checks(settings).is_ok_and(|due| !due.is_empty());
        owes_commits(settings) || settings.series.is_checked && has_checks()
    };
    let settings = settings.filter(is_due);
    if settings.is_none() && left_out.is_empty() {
        return Err(choosing::nothing_left(finished, &layout));
    }
    let mut reporter = BuildReporter::new(Events::open(options)?, Verbosity::of(options, 0, false));
    let mut several = Several::new(&mut reporter, options, false);
    several.add_finished(&finished);
    several.add_unreachable(&left_out);
    checks::commit_owed(settings.iter(), &mut several)?;
    checks::make(settings.iter(), options, &mut several);
    let exit = several.close(None, None)?;
    end(exit, &reporter)
}

/// The exit code; that of the events, where they are not complete.
fn end(exit: u8, reporter: &BuildReporter) -> CommandResult {
    let Some(failure) = reporter.failure() else {
        return Ok(exit);
    };
    output::diagnose(&failure);
    Ok(worse(exit, failure.exit()))
}

/// The options of a build that follows another command, in the same project.
pub(crate) fn trailing(words: &[OsString], layout: &Layout) -> Result<BuildOptions, Failure> {
    let parsed = TrailingOptions::try_parse_from(words).map_err(|error| args::usage(&error))?;
    globals::set_colour(&parsed.global);
    let mut options = parsed.options.under(&parsed.global).under(globals::all());
    options.root.get_or_insert_with(|| layout.root().to_owned());
    Ok(options)
}

/// The commands that go on from a check that failed, of a project whose tasks no command builds now.
pub(crate) fn next_after(settings: &Settings, check: &CheckResult) -> Vec<String> {
    let options = TrailingOptions::try_parse_from(std::iter::empty::<OsString>());
    options
        .map_or_else(|_| Vec::new(), |parsed| next::after_check(&parsed.options, settings, check))
}

/// The commands that go on from a build with these options by this implementer.
pub(crate) fn next_of(options: &BuildOptions, root: PathBuf, implementer: Implementer) -> Next {
    next::of(options, &Settings::new(root, implementer))
}

/// Says what another command did to a task file, and builds the task where that was asked for.
pub(crate) fn after(action: &str, path: PathBuf, options: Option<BuildOptions>) -> CommandResult {
    let shown = output::path(&display_path(&path));
    let Some(options) = options else {
        return output::did(action, shown).map(|()| 0);
    };
    if options.format == Format::Json || options.events.is_some() {
        // Standard output is for what programs read.
        output::message(&format!("{action}: {shown}"));
    } else {
        output::did(action, shown)?;
    }
    advice::goes_on_with(next::build(&path, &options));
    build(Wanted::Named(&[path]), &options)
}

/// The settings of a task's build. They are made once for a project and kept in `known`: they hold the patterns
/// of secrets.
fn settings_in(
    root: &Path,
    options: &BuildOptions,
    are_several: bool,
    known: &mut BTreeMap<PathBuf, Rc<Settings>>,
) -> Result<Rc<Settings>, Failure> {
    if let Some(settings) = known.get(root) {
        return Ok(Rc::clone(settings));
    }
    if !options.dry_run {
        refuse_in_request(root)?;
    }
    let config = Config::load(options.config.as_deref(), root)?;
    let is_checked = checks::is_wanted(options, config.check, are_several);
    let mut made = settings(root.to_owned(), options, config, 0)?;
    made.series.is_checked = is_checked;
    for rung in (1..).take(options.agent.len().saturating_sub(1)) {
        let config = Config::load(options.config.as_deref(), root)?;
        let mut stronger = settings(root.to_owned(), options, config, rung)?;
        stronger.series.is_checked = is_checked;
        made.series.stronger.push(stronger);
    }
    let made = Rc::new(made);
    known.insert(root.to_owned(), Rc::clone(&made));
    Ok(made)
}

/// The settings of a build of the current tree, without any option.
pub(crate) fn settings_of(root: &Path) -> Result<Settings, Failure> {
    let words = ["--tree"].map(OsString::from);
    let parsed = TrailingOptions::try_parse_from(words).map_err(|error| args::usage(&error))?;
    let config = Config::load(globals::config(), root)?;
    settings(root.to_owned(), &parsed.options, config, 0)
}

/// The settings of an agent that plans.
pub(crate) fn planning(args: &PlanArgs, layout: &Layout) -> Result<Settings, Failure> {
    let seconds = |limit: Duration| format!("{}s", limit.as_secs_f64());
    let words = [
        ("--agent", args.agent.clone()),
        ("--model", args.model.clone()),
        ("--effort", args.effort.clone()),
        ("--agent-timeout", args.agent_timeout.map(seconds)),
        ("--verify-timeout", args.verify_timeout.map(seconds)),
    ];
    let given = words.into_iter().filter_map(|(name, value)| Some([name.to_owned(), value?]));
    let words: Vec<OsString> = given.flatten().map(OsString::from).collect();
    let options = trailing(&words, layout)?;
    let config = Config::load(options.config.as_deref(), layout.root())?;
    settings(layout.root().to_owned(), &options, config, 0)
}

/// How many tries of a task are wanted.
fn attempts(
    options: &BuildOptions,
    config: &Config,
    implementer: &Implementer,
) -> Result<Option<u32>, Failure> {
    if options.attempts > Some(1) && implementer.is_tree() {
        let message =
            "`--attempts` needs an implementer that can try again, and the current tree can't";
        return Err(Failure::usage("usage::attempts", message)
            .help("name one with `--agent` or `--patch`, or leave `--attempts` out"));
    }
    let configured = config.attempts.filter(|_| matches!(implementer, Implementer::Agent(_)));
    let agents = u32::try_from(options.agent.len()).ok().filter(|agents| *agents > 1);
    Ok(options.attempts.or(configured.max(agents)))
}

/// The findings that block.
fn untrusted(config: &Config, implementer: &Implementer) -> BTreeSet<Finding> {
    let by_other = Finding::OF_TESTS.into_iter().filter(|_| !implementer.is_tree());
    let default = || Finding::UNTRUSTED.into_iter().chain(by_other).collect();
    config.verify.untrusted.clone().unwrap_or_else(default)
}

/// The secrets in these variables, which the output hides from now on.
fn redactor(sets: [&Environment; 2], config: &Config) -> Redactor {
    let sets = sets.map(Environment::resolve);
    let variables = std::env::vars_os().chain(sets.into_iter().flatten());
    let redactor = output::secrets_of(variables, &config.redact_off);
    output::hide(&redactor);
    redactor
}

fn start_of(options: &BuildOptions) -> StartSettings {
    StartSettings {
        wait: options.wait,
        fresh: options.fresh,
        reuses_work: options.reuses_work,
        restart: options.restart,
        dry_run: options.dry_run,
        no_change: options.no_change,
    }
}

fn quality(
    options: &BuildOptions,
    config: &Config,
    root: &Path,
) -> Result<QualitySettings, Failure> {
    Ok(QualitySettings {
        rules: config.rules(root)?,
        framework_of: idioms::framework_of,
        undecided: config.undecided,
        judge: config.idiom_judge.clone(),
        allow_removed: options.allow_removed.clone(),
        tests_change: options.tests_change,
    })
}

/// An option takes precedence over the configuration, and that over the default. Of several agents the one with this
/// number is meant.
fn settings(
    root: PathBuf,
    options: &BuildOptions,
    config: Config,
    rung: u32,
) -> Result<Settings, Failure> {
    let chosen = implementer::choose(options, &config, &root, rung)?;
    let performer = worker::performer(options, &config, &chosen.implementer, &root)?;
    let shared = config.shared(&root)?.into_iter().map(|shared| shared.failure);
    let attempts = attempts(options, &config, &chosen.implementer)?;
    let untrusted = untrusted(&config, &chosen.implementer);
    let commit = checks::branch(options, config.commit, &root)?;
    let quality = quality(options, &config, &root)?;
    let default = Settings::new(root, chosen.implementer);
    let redactor = redactor([&chosen.env, &config.verify.env], &config);
    let verify_limit = options.verify_timeout.or(config.verify.timeout);
    let checker = options.checker.map(Into::into).or(config.preflight.checker);
    let program = scout::program();
    let settings = Settings {
        start: start_of(options),
        requests: RequestSettings {
            limit: options.agent_timeout.or(chosen.timeout).unwrap_or(default.requests.limit),
            env: chosen.env,
            isolate: options.isolate.map(Into::into).or(chosen.isolate),
            view: program.clone(),
            performer,
            quota_wait: options.wait_quota.or(chosen.wait).unwrap_or(default.requests.quota_wait),
            waits_alone: options.wait_quota.is_some(),
            ..default.requests
        },
        commands: CommandSettings {
            limit: verify_limit.unwrap_or(default.commands.limit),
            env: config.verify.env,
            reports: config.verify.reports,
            setup: config.setup,
        },
        syntax: SyntaxSettings {
            checker: checker.unwrap_or(default.syntax.checker),
            limit: config.preflight.timeout.unwrap_or(default.syntax.limit),
            commands: config.preflight.commands,
            scout: program,
        },
        failures: FailureSettings {
            families: config.families.unwrap_or(default.failures.families),
            shared: shared.collect(),
            judge: config.judge,
        },
        quality,
        series: SeriesSettings {
            attempt: Attempt { rung, ..default.series.attempt },
            attempts: attempts.unwrap_or(default.series.attempts),
            commit,
            trailers: config.trailers,
            ..default.series
        },
        read_tests: options.read_tests.into(),
        untrusted,
        evidence: options.evidence.map(Into::into).or(config.verify.evidence).unwrap_or_default(),
        baseline: options.baseline,
        strict_scope: options.strict_scope,
        tree: config.tree,
        layout: default.layout.with_state(state_directory()),
        redactor,
        advice: advice::for_records(),
        ..default
    };
    Ok(Settings { next: next::of(options, &settings), ..settings })
}
