//! Who writes the delta: what the command line says, else the configuration, else the tree itself.
//!
//! What cannot be run is refused here, before a lock is taken or a run begun. The engine gets a shell
//! command or paths, and knows neither names nor presets.

mod contained;
mod program;
pub(crate) mod ready;

use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_agents::{Agent, Preset, Unfit, nearest, presets};
use ftl_engine::run::{Implementer, Isolate};
use ftl_process::Environment;

use crate::args::{BuildOptions, ContainArg};
use crate::config::{self, Config};
use crate::failure::Failure;

/// An implementer, and what its requests run under.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) implementer: Implementer,
    /// The time limit that the configuration has for it.
    pub(crate) timeout: Option<Duration>,
    pub(crate) env: Environment,
    /// How the configuration isolates it.
    pub(crate) isolate: Option<Isolate>,
    /// How long the configuration waits for its quota.
    pub(crate) wait: Option<Duration>,
}

impl Chosen {
    fn without_agent(implementer: Implementer) -> Self {
        Self { implementer, timeout: None, env: Environment::inherit(), isolate: None, wait: None }
    }
}

/// Chooses the implementer of a build: of several agents the one with this number, from 0, else the last one.
pub(crate) fn choose(
    options: &BuildOptions,
    config: &Config,
    root: &Path,
    rung: u32,
) -> Result<Chosen, Failure> {
    if options.agent.len() > 1 && options.model.is_some() {
        let message = "`--model` is for one agent, and several are named";
        return Err(Failure::usage("usage::agent", message)
            .help("set the models in ftl.toml: `[agent.NAME] model`"));
    }
    if !options.patch.is_empty() {
        return patches(&options.patch).map(Chosen::without_agent);
    }
    let asked_for_tree = options.tree || options.base.is_some();
    let default = config.default_agent.as_ref().filter(|_| !asked_for_tree);
    let named = options.agent.get(rung as usize).or(options.agent.last());
    match named.or(default) {
        Some(agent) => self::agent(agent, options, config, root),
        None if options.contain.is_some() => {
            let message = "`--contain` is for an agent, and none is named";
            Err(Failure::usage("usage::contain", message).help("name one with `--agent`"))
        }
        None if options.model.is_some() || options.effort.is_some() => {
            let message = "`--model` and `--effort` are for an agent, and none is named";
            Err(Failure::usage("usage::agent", message)
                .help("name one with `--agent`, or with `[agent] default` in ftl.toml"))
        }
        None => Ok(Chosen::without_agent(Implementer::Tree { base: options.base.clone() })),
    }
}

/// Patches as absolute paths: the build need not run where the command was given.
fn patches(paths: &[PathBuf]) -> Result<Implementer, Failure> {
    let absolute = |path: &PathBuf| {
        if !path.is_file() {
            let message = format!("the patch `{}` does not exist", path.display());
            return Err(
                Failure::usage("usage::patch", message).help("check the path given to `--patch`")
            );
        }
        std::path::absolute(path).map_err(|error| {
            let message = format!("cannot find `{}`: {error}", path.display());
            Failure::usage("usage::patch", message)
        })
    };
    let paths: Result<_, _> = paths.iter().map(absolute).collect();
    paths.map(Implementer::Patches)
}

/// An agent by its name in the configuration, by the name of a preset, or as a shell command.
fn agent(
    name: &str,
    options: &BuildOptions,
    config: &Config,
    root: &Path,
) -> Result<Chosen, Failure> {
    if name.trim().is_empty() {
        let message = "the agent is empty: it has no name and no command";
        return Err(Failure::usage("usage::agent", message)
            .help("name an agent of the configuration, a preset, or a shell command"));
    }
    let configured = config.agents.get(name);
    let env = configured.map(|agent| agent.env.clone()).unwrap_or_default();
    let agent = match (configured, Preset::named(name)) {
        (own, _) if options.contain == Some(ContainArg::Mcp) => {
            contained::contained(name, named(name, own, options))?
        }
        (None, None) => command(name, options, config, &env, root)?,
        (Some(own), None) if own.command.is_none() => return Err(without_command(name)),
        (own, _) => named(name, own, options),
    };
    // A worker has the program, and its own login.
    let is_here = options.workers.is_none() && config.workers.url.is_none();
    if agent.name.is_some() && is_here {
        let preset = agent.preset().map(|preset| preset.program.as_str());
        let own = agent.command.as_deref();
        present(name, preset.or_else(|| program::of(own?)), &env, root)?;
    }
    if let Some(unfit) = agent.unfit() {
        return Err(unfit_for(name, unfit));
    }
    if let Some(preset) = agent.preset().filter(|_| is_here) {
        ready::check(name, preset, &env)?;
        // Another one was started by a build that said so.
        if options.slot.is_none() && !options.dry_run {
            ready::compare(preset, &env);
        }
    }
    Ok(Chosen {
        implementer: Implementer::Agent(Box::new(agent)),
        timeout: configured.and_then(|agent: &config::Agent| agent.timeout),
        env,
        isolate: configured.and_then(|agent| agent.isolate).or(config.isolate),
        wait: configured.and_then(|agent| agent.wait).or(config.wait),
    })
}

/// An agent that has a name, by its configuration.
pub(crate) fn by_name(name: &str, own: Option<&config::Agent>) -> Agent {
    let of = |from: fn(&config::Agent) -> &Option<String>| own.and_then(|own| from(own).clone());
    Agent {
        name: Some(name.to_owned()),
        command: of(|own| &own.command),
        model: of(|own| &own.model),
        effort: of(|own| &own.effort),
        args: own.map(|own| own.args.clone()).unwrap_or_default(),
        outage: own.map(|own| own.outage.clone()).unwrap_or_default(),
        contained: None,
    }
}

/// An agent that has a name: options take precedence over its configuration.
fn named(name: &str, own: Option<&config::Agent>, options: &BuildOptions) -> Agent {
    let agent = by_name(name, own);
    Agent {
        model: options.model.clone().or(agent.model),
        effort: options.effort.clone().or(agent.effort),
        ..agent
    }
}

/// A shell command, unless it is a mistyped name.
fn command(
    command: &str,
    options: &BuildOptions,
    config: &Config,
    env: &Environment,
    root: &Path,
) -> Result<Agent, Failure> {
    let is_word = !command.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
    if is_word && !program::is_there(command, env, root) {
        let known = presets().iter().map(|preset| preset.name.as_str());
        let own = config.agents.keys().map(String::as_str);
        if let Some(near) = nearest(command, known.chain(own)) {
            let message = format!("there is no agent and no program `{command}`");
            return Err(Failure::usage("usage::agent", message).help(format!(
                "did you mean `--agent {near}`? `ftl agents` lists the known ones"
            )));
        }
    }
    if let Some(path) = program::of(command).filter(|word| word.contains('/'))
        && !root.join(path).exists()
    {
        let message = format!("there is no program `{path}`");
        return Err(Failure::usage("usage::agent", message)
            .help("a path in an agent's command is absolute, or begins at the project's root"));
    }
    let chosen = [("--model", &options.model), ("--effort", &options.effort)];
    if let Some((option, _)) = chosen.iter().find(|(_, value)| value.is_some()) {
        let message = format!("`{option}` can't be passed on to the shell command `{command}`");
        return Err(Failure::usage("usage::agent", message).help(
            "write it into the command, or give the command a name: `[agent.NAME] command = …` in ftl.toml \
             reads `FTL_MODEL` and `FTL_EFFORT`",
        ));
    }
    Ok(Agent::of_command(command))
}

fn unfit_for(name: &str, unfit: Unfit) -> Failure {
    let message = format!("the agent `{name}` has no option for its {unfit}");
    Failure::usage("usage::agent", message).help(format!(
        "leave `{unfit}` out and set it in the agent's own configuration; `ftl agents` says what each supports"
    ))
}

/// The program of an agent that has a name must be there before anything is begun.
fn present(
    name: &str,
    program: Option<&str>,
    env: &Environment,
    root: &Path,
) -> Result<(), Failure> {
    let Some(program) = program.filter(|program| !program::is_there(program, env, root)) else {
        return Ok(());
    };
    let message = format!("the agent `{name}` is not installed: there is no program `{program}`");
    let preset = Preset::named(name).filter(|preset| preset.program == program);
    let help = match preset {
        Some(preset) => format!(
            "install it: `{}`; then {}; or name another implementer",
            preset.install(),
            preset.setup
        ),
        None => format!("put `{program}` on the PATH, or name another implementer"),
    };
    Err(Failure::usage("usage::agent_missing", message).help(help))
}

fn without_command(name: &str) -> Failure {
    let message = format!("the agent `{name}` has no command");
    let known: Vec<&str> = presets().iter().map(|preset| preset.name.as_str()).collect();
    let near = nearest(name, known.iter().copied());
    let near = near.map_or_else(String::new, |near| format!("did you mean `[agent.{near}]`? "));
    let help = format!(
        "{near}set `command` in `[agent.{name}]`; only the presets {} have one built in",
        known.join(", ")
    );
    Failure::usage("usage::agent", message).help(help)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ftl_engine::run::Implementer;

    use super::{Chosen, choose};
    use crate::args::TrailingOptions;
    use crate::config::Config;
    use clap::Parser;

    const CONFIG: &str = "
        [agent]
        default = 'mine'
        [agent.mine]
        command = 'cat -'
        timeout = '1h'
        [agent.unknown]
        timeout = 5
        [agent.claud]
        model = 'm'
        [agent.gemini]
        effort = 'high'
    ";

    fn chosen(words: &[&str], config: &str) -> Result<Chosen, String> {
        let parsed = TrailingOptions::try_parse_from(words).map_err(|error| error.to_string())?;
        let config = Config::parse(config).unwrap();
        choose(&parsed.options, &config, Path::new("/"), 0).map_err(|failure| failure.to_string())
    }

    fn command(words: &[&str], config: &str) -> String {
        match chosen(words, config).unwrap().implementer {
            Implementer::Agent(agent) => match (agent.command, agent.name) {
                (Some(command), _) => command,
                (None, name) => format!("preset {name:?} {:?} {:?}", agent.model, agent.args),
            },
            Implementer::Tree { base } => format!("tree {base:?}"),
            Implementer::Patches(paths) => format!("patches {paths:?}"),
        }
    }

    #[test]
    fn the_command_line_wins_over_the_configuration_and_that_over_the_tree() {
        for (words, config, expected) in [
            (&[][..], "", "tree None"),
            (&[], CONFIG, "cat -"),
            (&["--tree"], CONFIG, "tree None"),
            (&["--base", "v1"], CONFIG, "tree Some(\"v1\")"),
            (&["--tree", "--base", "v1"], "", "tree Some(\"v1\")"),
            (&["--agent", "mine"], CONFIG, "cat -"),
            (&["--agent", "sed -i s/a/b/"], CONFIG, "sed -i s/a/b/"),
            (&["--agent", "mine"], "", "mine"),
        ] {
            assert_eq!(command(words, config), expected, "{words:?}");
        }
    }

    #[test]
    fn a_configured_agent_brings_its_time_limit() {
        let chosen = chosen(&[], CONFIG).unwrap();
        assert_eq!(chosen.timeout.unwrap().as_secs(), 3600);
    }

    #[test]
    fn an_implementer_that_cannot_run_is_refused() {
        for (words, part) in [
            (&["--agent", "unknown"][..], "`unknown` has no command"),
            (&["--agent", " "], "no name and no command"),
            (&["--agent", "a", "--agent", "b", "--model", "m"], "`--model` is for one agent"),
            (&["--agent", "claud"], "`claud` has no command"),
            (&["--agent", "aidr"], "no agent and no program `aidr`"),
            (&["--agent", "cat -", "--model", "m"], "`--model` can't be passed on"),
            (&["--tree", "--effort", "high"], "cannot be used with"),
            (&["--patch", "no/such.diff"], "the patch `no/such.diff` does not exist"),
            (&["--agent", "x", "--patch", "y"], "cannot be used with"),
            (&["--agent", "x", "--base", "y"], "cannot be used with"),
            (&["--tree", "--patch", "y"], "cannot be used with"),
        ] {
            let refusal = chosen(words, CONFIG).unwrap_err();
            assert!(refusal.contains(part), "{words:?}: {refusal}");
        }
    }

    #[test]
    fn a_program_is_looked_for_in_the_environment_that_it_will_run_in() {
        const NOWHERE: &str = "env = { mode = 'clean', set = { PATH = '/nonexistent' } }";
        for (agent, command, program) in
            [("claude", "", "claude"), ("mine", "command = 'A=1 my-program -'", "my-program")]
        {
            let config = format!("[agent.{agent}]\n{command}\n{NOWHERE}");
            let refusal = chosen(&["--agent", agent], &config).unwrap_err();
            let expected =
                format!("the agent `{agent}` is not installed: there is no program `{program}`");
            assert_eq!(refusal, expected);
        }
    }
}
