//! Who writes the delta: what the command line says, else the configuration, else the tree itself.
//!
//! What cannot be run is refused here, before a lock is taken or a run begun. The engine gets a shell
//! command or paths, and knows neither names nor presets.

mod preset;
mod program;

use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_engine::run::{Implementer, Isolate};
use ftl_process::Environment;

use crate::args::BuildOptions;
use crate::config::{Agent, Config};
use crate::failure::Failure;
use preset::Preset;

/// An implementer, and what its requests run under.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) implementer: Implementer,
    /// The time limit that the configuration has for it.
    pub(crate) timeout: Option<Duration>,
    pub(crate) env: Environment,
    /// How the configuration isolates it.
    pub(crate) isolate: Option<Isolate>,
}

impl Chosen {
    fn without_agent(implementer: Implementer) -> Self {
        Self {
            implementer,
            timeout: None,
            env: Environment::inherit(),
            isolate: None,
        }
    }
}

/// Chooses the implementer of a build.
pub(crate) fn choose(
    options: &BuildOptions,
    config: &Config,
    root: &Path,
) -> Result<Chosen, Failure> {
    if !options.patch.is_empty() {
        return patches(&options.patch).map(Chosen::without_agent);
    }
    let asked_for_tree = options.tree || options.base.is_some();
    let default = config.default_agent.as_ref().filter(|_| !asked_for_tree);
    match options.agent.as_ref().or(default) {
        Some(agent) => self::agent(agent, config, root),
        None => Ok(Chosen::without_agent(Implementer::Tree {
            base: options.base.clone(),
        })),
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
fn agent(agent: &str, config: &Config, root: &Path) -> Result<Chosen, Failure> {
    if agent.trim().is_empty() {
        let message = "the agent is empty: it has no name and no command";
        return Err(Failure::usage("usage::agent", message)
            .help("name an agent of the configuration, a preset, or a shell command"));
    }
    let configured = config.agents.get(agent);
    let env = configured
        .map(|agent| agent.env.clone())
        .unwrap_or_default();
    let own = configured.and_then(|agent| agent.command.clone());
    let command = match (own, Preset::named(agent)) {
        (Some(command), _) => named(agent, command, &env, root)?,
        (None, Some(preset)) => named(agent, preset.command.to_owned(), &env, root)?,
        (None, None) if configured.is_some() => return Err(without_command(agent)),
        (None, None) => agent.to_owned(),
    };
    Ok(Chosen {
        implementer: Implementer::Agent { command },
        timeout: configured.and_then(|agent: &Agent| agent.timeout),
        env,
        isolate: configured
            .and_then(|agent| agent.isolate)
            .or(config.isolate),
    })
}

/// The command of an agent that has a name: its program must be there before anything is begun.
fn named(name: &str, command: String, env: &Environment, root: &Path) -> Result<String, Failure> {
    let missing = program::of(&command).filter(|program| !program::is_there(program, env, root));
    match missing {
        None => Ok(command),
        Some(program) => {
            let message =
                format!("the agent `{name}` is not installed: there is no program `{program}`");
            Err(
                Failure::usage("usage::agent_missing", message).help(format!(
                    "put `{program}` on the PATH, or name another implementer"
                )),
            )
        }
    }
}

fn without_command(name: &str) -> Failure {
    let message = format!("the agent `{name}` has no command");
    let presets: Vec<&str> = preset::ALL.iter().map(|preset| preset.name).collect();
    let help = format!(
        "set `command` in `[agent.{name}]`; only the presets {} have one built in",
        presets.join(", ")
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
        [agent.nobody]
        timeout = 5
    ";

    fn chosen(words: &[&str], config: &str) -> Result<Chosen, String> {
        let parsed = TrailingOptions::try_parse_from(words).map_err(|error| error.to_string())?;
        let config = Config::parse(config).unwrap();
        choose(&parsed.options, &config, Path::new("/")).map_err(|failure| failure.to_string())
    }

    fn command(words: &[&str], config: &str) -> String {
        match chosen(words, config).unwrap().implementer {
            Implementer::Agent { command } => command,
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
    fn what_nobody_can_run_is_refused() {
        for (words, part) in [
            (&["--agent", "nobody"][..], "`nobody` has no command"),
            (&["--agent", " "], "no name and no command"),
            (
                &["--patch", "no/such.diff"],
                "the patch `no/such.diff` does not exist",
            ),
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
        for (agent, command, program) in [
            ("claude", "", "claude"),
            ("mine", "command = 'A=1 my-program -'", "my-program"),
        ] {
            let config = format!("[agent.{agent}]\n{command}\n{NOWHERE}");
            let refusal = chosen(&["--agent", agent], &config).unwrap_err();
            let expected =
                format!("the agent `{agent}` is not installed: there is no program `{program}`");
            assert_eq!(refusal, expected);
        }
    }
}
