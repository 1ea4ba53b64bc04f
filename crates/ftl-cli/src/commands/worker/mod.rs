//! `ftl worker`, and what a build with `--workers` starts.

mod local;

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ftl_agents::{Agent, Preset, find, presets};
use ftl_engine::performer::Performer;
use ftl_engine::project::state_directory;
use ftl_engine::run::Implementer;
use ftl_process::Environment;
use ftl_workers::perform::Means;
use ftl_workers::protocol::{Presence, WorkerList};
use ftl_workers::{Access, ServerError, Submission, Worker, WorkerError};

use crate::args::{
    BuildOptions, Format, PerformArgs, RequestArgs, ServerArgs, WorkerArgs, WorkerCommand,
    WorkersArgs,
};
use crate::commands::scout;
use crate::config::Config;
use crate::failure::Failure;
use crate::{CommandResult, globals, implementer, output};

/// The UUID of a project, from its root: beside the locks, which git ignores and nothing deletes.
const PROJECT: &str = ".ftl/locks/project-id";

/// Runs, lists or tries workers.
pub(crate) fn run(command: &WorkerCommand) -> CommandResult {
    match command {
        WorkerCommand::Run(args) => work(args),
        WorkerCommand::List(args) => list(args),
        WorkerCommand::Local(args) => local::run(args),
    }
}

/// Works until it is asked to end.
fn work(args: &WorkerArgs) -> CommandResult {
    let config = configuration()?;
    let access = access(args.connect.as_deref(), &args.server, &config)?;
    let agents = agents(&args.agents, &config)?;
    let dir = match &args.dir {
        Some(dir) => dir.clone(),
        None => state()?.join("worker"),
    };
    let dir = std::path::absolute(&dir).unwrap_or(dir);
    let mut words: Vec<OsString> = vec!["perform".into()];
    let (path, is_there) = config_path();
    if is_there {
        words.extend(["--config".into(), path.into_os_string()]);
    }
    let worker = Worker {
        name: name(&dir)?,
        slots: args.slots.or(config.workers.slots).unwrap_or(1),
        agents,
        access,
        dir,
        program: program()?,
        words,
    };
    let report = Arc::new(|line: &str| output::message(&ftl_text::one_line(line)));
    ftl_workers::work(worker, report).map(|()| 0).map_err(failure_of_worker)
}

/// Lists the workers that are alive.
fn list(args: &WorkersArgs) -> CommandResult {
    let config = configuration()?;
    let access = access(args.connect.as_deref(), &args.server, &config)?;
    let all = ftl_workers::workers(&access).map_err(|error| failure(&error))?;
    match args.format {
        Format::Json => output::json(&WorkerList { workers: all })?,
        Format::Human => output::result(&table(&all))?,
    }
    Ok(0)
}

fn table(all: &[Presence]) -> String {
    if all.is_empty() {
        return "no workers\n".to_owned();
    }
    let mut text = String::new();
    for worker in all {
        let Presence { name, ftl, agents, slots, since, doing } = worker;
        let agents = agents.join(", ");
        let _ = writeln!(
            text,
            "{name}  ftl {ftl}  agents {agents}  {} of {slots} busy  since {since}",
            doing.len()
        );
        for one in doing {
            let _ = writeln!(text, "  {} with {} since {}", one.task, one.agent, one.since);
        }
    }
    ftl_text::terminal_text(text.as_bytes())
}

/// Performs a call of the engine through a worker.
pub(crate) fn request(args: &RequestArgs) -> CommandResult {
    let root = globals::root().unwrap_or(Path::new("."));
    let config = Config::load(globals::config(), root)?;
    let access = access(Some(&args.connect), &args.server, &config)?;
    let project = project(root)?;
    let submission = Submission {
        access,
        state: state()?.join("bases").join(&project),
        project,
        exclude: config.workers.exclude,
        build: args.build,
    };
    match ftl_workers::submit(&args.dir, &submission) {
        Ok(()) => Ok(0),
        // The engine reads the reason in a file.
        Err(error) => Ok(u8::try_from(error.exit()).unwrap_or(1)),
    }
}

/// Performs a job of a worker.
pub(crate) fn perform(args: &PerformArgs) -> CommandResult {
    // A job does not outlive its worker.
    drop(ftl_process::end_with_parent());
    let Ok((name, model, effort)) = ftl_workers::agent_of(&args.dir) else {
        return Ok(1);
    };
    let config = match globals::config() {
        Some(path) => Config::load(Some(path), Path::new("."))?,
        None => Config::default(),
    };
    let own = config.agents.get(&name);
    let agent = Agent {
        model: model.or_else(|| own.and_then(|own| own.model.clone())),
        effort: effort.or_else(|| own.and_then(|own| own.effort.clone())),
        ..implementer::by_name(&name, own)
    };
    let env = own.map(|own| own.env.clone()).unwrap_or_default();
    let variables = env::vars_os().chain(env.resolve());
    let redactor = output::secrets_of(variables, &config.redact_off);
    output::hide(&redactor);
    let means = Means {
        agent: &agent,
        env,
        redactor: &redactor,
        program: program()?,
        setup: config.setup.as_ref(),
    };
    // The worker reads the reason in a file.
    Ok(u8::from(ftl_workers::perform(&args.dir, &means).is_err()))
}

/// The program that performs a build's requests on workers.
pub(crate) fn performer(
    options: &BuildOptions,
    config: &Config,
    implementer: &Implementer,
    root: &Path,
) -> Result<Option<Performer>, Failure> {
    let Some(url) = options.workers.as_ref().or(config.workers.url.as_ref()) else {
        return Ok(None);
    };
    if !goes_to_workers(options, implementer)? {
        return Ok(None);
    }
    if options.slot.is_none() && !options.dry_run {
        // Before anything begins. A server that does not answer is waited for.
        let server = ServerArgs { creds: options.creds.clone() };
        let access = access(Some(url), &server, config)?;
        ftl_workers::reach(&access).map_err(|error| failure(&error))?;
    }
    let mut words: Vec<OsString> = vec!["request".into(), "--connect".into(), url.into()];
    words.extend(["--root".into(), root.as_os_str().to_owned()]);
    // A build that uses workers is a child of the one that the user started.
    words.extend(["--build".into(), std::os::unix::process::parent_id().to_string().into()]);
    for (name, path) in [("--config", &options.config), ("--creds", &options.creds)] {
        if let Some(path) = path {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            words.extend([name.into(), path.into_os_string()]);
        }
    }
    Ok(Some(Performer { program: program()?, words }))
}

/// Whether the requests to an implementer go to workers. An error where that was asked for and can't be.
fn goes_to_workers(options: &BuildOptions, implementer: &Implementer) -> Result<bool, Failure> {
    match implementer {
        Implementer::Agent(agent) if agent.name.is_some() && agent.contained.is_none() => Ok(true),
        _ if options.workers.is_none() => Ok(false),
        Implementer::Agent(_) => {
            Err(Failure::usage("usage::workers", "workers run agents by name, and this one is a shell command")
                .help("name a known agent, or give the command a name here and at the workers: `[agent.NAME] command = …` in ftl.toml"))
        }
        Implementer::Patches(_) | Implementer::Tree { .. } => {
            Err(Failure::usage("usage::workers", "`--workers` needs an agent")
                .help("name one with `--agent`, or leave `--workers` out"))
        }
    }
}

fn config_path() -> (PathBuf, bool) {
    let (path, must_exist) = Config::place(globals::config(), Path::new("."));
    let path = std::path::absolute(&path).unwrap_or(path);
    let is_there = must_exist || path.exists();
    (path, is_there)
}

fn configuration() -> Result<Config, Failure> {
    Config::load(globals::config(), Path::new("."))
}

fn access(url: Option<&str>, server: &ServerArgs, config: &Config) -> Result<Access, Failure> {
    let own = &config.workers;
    let Some(url) = url.or(own.url.as_deref()) else {
        return Err(Failure::usage("usage::workers", "no server is named")
            .help("pass `--connect nats://HOST:4222`, or set `[workers] url` in ftl.toml; `ftl worker local` starts one to try"));
    };
    Ok(Access {
        url: url.to_owned(),
        credentials: server.creds.clone().or_else(|| own.credentials.clone()),
        ca: own.ca.clone(),
        certificate: own.certificate.clone(),
    })
}

fn failure(error: &ServerError) -> Failure {
    let text = ftl_text::with_causes(error);
    let failure = match error {
        ServerError::InUrl | ServerError::Url { .. } => Failure::usage("usage::workers", text),
        _ => Failure::failed("workers::server", text),
    };
    failure.help(error.help())
}

fn failure_of_worker(error: WorkerError) -> Failure {
    match error {
        WorkerError::Server(error) => failure(&error),
        WorkerError::Dir { .. } => Failure::failed("workers::dir", ftl_text::with_causes(&error)),
        WorkerError::Held { .. } => Failure::failed("workers::dir", error.to_string())
            .help("name another directory with `--dir`, or end the other worker; `--slots N` lets one perform several requests at once"),
    }
}

fn program() -> Result<PathBuf, Failure> {
    scout::program()
        .ok_or_else(|| Failure::failed("workers::program", "the path of this program is not known"))
}

fn state() -> Result<PathBuf, Failure> {
    let state = state_directory().map(|state| state.join("ftl"));
    state.ok_or_else(|| {
        Failure::failed(
            "build::state",
            "there is no state directory: neither `XDG_STATE_HOME` nor `HOME` is set",
        )
    })
}

/// The agents that a worker runs, each with the form of its output.
fn agents(named: &[String], config: &Config) -> Result<BTreeMap<String, String>, Failure> {
    let own = &config.agents;
    let listed = if named.is_empty() { config.workers.agents.as_slice() } else { named };
    let is_installed = |preset: &Preset| {
        let env = own.get(&preset.name).map_or_else(Environment::inherit, |own| own.env.clone());
        let path = env.resolve().get(OsStr::new("PATH")).cloned();
        path.is_some_and(|path| find(&preset.program, &path).is_some())
    };
    let output = |name: &str| implementer::by_name(name, own.get(name)).events().name().to_owned();
    if listed.is_empty() {
        let known = presets().iter().filter(|preset| is_installed(preset));
        let known = known.map(|preset| preset.name.clone());
        let configured = own.iter().filter(|(_, agent)| agent.command.is_some());
        let all = known.chain(configured.map(|(name, _)| name.clone()));
        let all: BTreeMap<String, String> = all.map(|name| (name.clone(), output(&name))).collect();
        if all.is_empty() {
            return Err(Failure::usage("usage::agent_missing", "no agent is installed here, and none is configured")
                .help("`ftl agents` says how to install one; `[agent.NAME] command = …` in ftl.toml configures a command"));
        }
        return Ok(all);
    }
    for name in listed {
        let is_known = own.get(name).is_some_and(|agent| agent.command.is_some())
            || presets().iter().any(|preset| preset.name == *name && is_installed(preset));
        if !is_known {
            let message = format!("the agent `{name}` is not installed here, and has no command");
            return Err(Failure::usage("usage::agent_missing", message)
                .help("`ftl agents` lists the known ones and how to install them"));
        }
    }
    Ok(listed.iter().map(|name| (name.clone(), output(name))).collect())
}

/// The worker's name: the machine's, and some letters that stay with the directory.
fn name(dir: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| {
        let message = format!("cannot use `{}`: {error}", dir.display());
        Failure::failed("workers::dir", message).help("name a writable directory with `--dir`")
    };
    fs::create_dir_all(dir).map_err(failed)?;
    let path = dir.join("name");
    if let Ok(name) = fs::read_to_string(&path)
        && !name.trim().is_empty()
    {
        return Ok(name.trim().to_owned());
    }
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = if host.trim().is_empty() { "worker" } else { host.trim() };
    let name = format!("{host}-{}", &uuid()?[..4]);
    fs::write(&path, &name).map_err(failed)?;
    Ok(name)
}

/// The UUID of a project, made when it is first asked for.
fn project(root: &Path) -> Result<String, Failure> {
    let path = root.join(PROJECT);
    if let Ok(id) = fs::read_to_string(&path)
        && id.trim().len() == 36
    {
        return Ok(id.trim().to_owned());
    }
    let failed = |error: std::io::Error| {
        Failure::failed("workers::project", format!("cannot write `{}`: {error}", path.display()))
    };
    let id = uuid()?;
    let new = path.with_extension(format!("{}", std::process::id()));
    fs::write(&new, format!("{id}\n")).map_err(failed)?;
    // Of several processes at the same time one wins, and all read what it wrote.
    let linked = fs::hard_link(&new, &path);
    drop(fs::remove_file(&new));
    match linked {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(failed(error)),
        _ => Ok(fs::read_to_string(&path).map_err(failed)?.trim().to_owned()),
    }
}

/// A random UUID (version 4), of the system's random numbers.
fn uuid() -> Result<String, Failure> {
    let read = fs::read_to_string("/proc/sys/kernel/random/uuid");
    let read = read.map(|id| id.trim().to_owned());
    read.map_err(|error| Failure::failed("workers::project", format!("no random numbers: {error}")))
}
