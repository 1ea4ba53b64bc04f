//! `ftl agents`: the agents that a build can be given, what they support, and which are installed.

use std::ffi::OsStr;
use std::fmt::Write as _;

use ftl_agents::{Events, Preset, VersionDifference, find, presets, version_of};
use ftl_engine::result::{AgentEntry, AgentList};
use ftl_process::Environment;

use crate::args::{AgentsArgs, Format};
use crate::config::{Agent, Config};
use crate::{CommandResult, globals, output};

/// Lists the presets, then the agents of the configuration that have their own command.
pub(crate) fn run(args: &AgentsArgs) -> CommandResult {
    let layout = ftl_engine::project::find(globals::root(), None)?;
    let config = Config::load(globals::config(), layout.root())?;
    let list = list(&config);
    match args.format {
        Format::Human => output::result(&table(&list))?,
        Format::Json => output::json(&list)?,
    }
    Ok(0)
}

/// The presets, then the agents of the configuration that have their own command.
pub(crate) fn list(config: &Config) -> AgentList {
    let is_own = |name: &str| {
        let agent = config.agents.get(name);
        agent.is_some_and(|agent| agent.command.is_some())
    };
    let known = presets().iter().filter(|preset| !is_own(&preset.name));
    let known = known.map(|preset| of_preset(preset, config.agents.get(&preset.name)));
    let own = config.agents.iter().filter(|(name, _)| is_own(name));
    let own = own.map(|(name, agent)| of_command(name, agent));
    AgentList { default: config.default_agent.clone(), agents: known.chain(own).collect() }
}

/// The version of a preset's program, and how it differs from the tested one.
pub(crate) fn version(
    preset: &Preset,
    env: &Environment,
) -> Option<(String, Option<VersionDifference>)> {
    let variables = env.resolve();
    let program = find(&preset.program, variables.get(OsStr::new("PATH"))?)?;
    let version = version_of(&program, &preset.package)?;
    let difference = preset.difference(Some(&version));
    Some((version, difference))
}

/// That a preset's program is another version than the tested one, in a sentence.
pub(crate) fn difference(
    preset: &Preset,
    env: &Environment,
) -> Option<(VersionDifference, String)> {
    let (version, difference) = version(preset, env)?;
    let difference = difference?;
    let (name, word) = (&preset.name, difference.as_str());
    let tested = preset.tested.as_deref()?;
    Some((
        difference,
        format!("{name}: {version} is {word} than {tested}, which ftl was tested with"),
    ))
}

fn of_preset(preset: &Preset, configured: Option<&Agent>) -> AgentEntry {
    let env = configured.map_or_else(Environment::inherit, |agent| agent.env.clone());
    let variables = env.resolve();
    let path = variables.get(OsStr::new("PATH"));
    let program = path.and_then(|path| find(&preset.program, path));
    AgentEntry {
        name: preset.name.clone(),
        title: Some(preset.title.clone()),
        command: None,
        installed: program.as_ref().map(|program| program.display().to_string()),
        version: program.and_then(|program| version_of(&program, &preset.package)),
        tested: preset.tested.clone(),
        install: Some(preset.install()),
        setup: Some(preset.setup.clone()),
        model: !preset.model.is_empty(),
        effort: !preset.effort.is_empty(),
        sessions: preset.goes_on(),
        scoped: preset.scoped.is_some(),
        events: preset.events != Events::Text,
        contained: preset.contained.is_some(),
    }
}

/// What a user's own command supports, only the user knows. It reads its model from the environment.
fn of_command(name: &str, agent: &Agent) -> AgentEntry {
    AgentEntry {
        name: name.to_owned(),
        title: None,
        command: agent.command.clone(),
        installed: None,
        version: None,
        tested: None,
        install: None,
        setup: None,
        model: true,
        effort: true,
        sessions: false,
        scoped: false,
        events: false,
        contained: false,
    }
}

fn table(list: &AgentList) -> String {
    let mut text = String::new();
    for agent in &list.agents {
        let state = match (&agent.command, &agent.installed, &agent.version) {
            (Some(_), _, _) => "configured".to_owned(),
            (None, None, _) => "not installed".to_owned(),
            (None, Some(_), None) => "installed".to_owned(),
            (None, Some(_), Some(version)) => format!("installed {version}{}", differs(agent)),
        };
        let default = match list.default.as_ref() == Some(&agent.name) {
            true => "  (default)",
            false => "",
        };
        let title = agent.title.as_deref().unwrap_or("a command of ftl.toml");
        row(&mut text, &agent.name, &format!("{title}  {state}{default}"));
        let supports = [
            ("model", agent.model),
            ("effort", agent.effort),
            ("continues a session", agent.sessions),
            ("gets the names of its files", agent.scoped),
            ("reports what it does", agent.events),
            ("works with ftl's tools alone", agent.contained),
        ];
        let supports: Vec<&str> =
            supports.into_iter().filter(|(_, has)| *has).map(|(what, _)| what).collect();
        row(&mut text, "", &supports.join(", "));
        if let Some(command) = &agent.command {
            row(&mut text, "", command);
        }
        match (&agent.installed, &agent.install, &agent.setup) {
            (None, Some(install), Some(setup)) => {
                row(&mut text, "", &format!("{install}; {setup}"))
            }
            (Some(_), _, Some(setup)) => row(&mut text, "", setup),
            _ => {}
        }
    }
    text
}

/// What to do about an agent that does not know an option.
pub(crate) fn advice_on_version(name: Option<&str>) -> Option<String> {
    let preset = Preset::named(name?)?;
    let installed = version(preset, &Environment::inherit());
    let installed = installed.map_or_else(|| "unknown".to_owned(), |(version, _)| version);
    let tested = preset.tested.as_deref().map_or_else(String::new, |it| format!(", tested: {it}"));
    Some(format!(
        "its version is {installed}{tested}: update it by `{}`, or leave the option out of `[agent.{}] args`",
        preset.install(),
        preset.name
    ))
}

/// That the installed version is not the tested one.
fn differs(agent: &AgentEntry) -> String {
    let preset = Preset::named(&agent.name);
    let difference = preset.and_then(|preset| preset.difference(agent.version.as_deref()));
    let tested = agent.tested.as_deref().unwrap_or_default();
    difference.map_or_else(String::new, |it| format!(", {} than the tested {tested}", it.as_str()))
}

fn row(text: &mut String, name: &str, line: &str) {
    if line.is_empty() {
        return;
    }
    let (name, line) = (ftl_text::terminal_text(name.as_bytes()), ftl_text::one_line(line));
    writeln!(text, "{name:<10}{line}").expect("because a string takes any text");
}
