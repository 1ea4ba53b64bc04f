//! Programs that builds start: agents, and the languages' own front ends.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_engine::result::{AgentEntry, Check};
use ftl_preflight::Language;
use ftl_process::{Environment, How, Probe, find_program, trusted_path};

use super::{good, note, problem};
use crate::commands::agents::list;
use crate::config::Config;

/// How long a program may take to tell its version; agents start slowly.
const LIMIT: Duration = Duration::from_secs(20);

/// Agents that are installed, those that are not in one line, and the one that builds use by default.
pub(super) fn agents(config: &Config) -> Vec<Check> {
    let list = list(config);
    let (there, missing): (Vec<&AgentEntry>, Vec<&AgentEntry>) =
        list.agents.iter().partition(|agent| is_there(agent));
    let mut checks: Vec<Check> = there.iter().map(|agent| installed(agent)).collect();
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|agent| agent.name.as_str()).collect();
        let found = format!("not installed: {}", names.join(", "));
        checks.push(match there.is_empty() {
            true => note(
                "agent",
                found,
                "`ftl agents` says how to install one; any other command works too: `ftl build --agent 'COMMAND'`",
            ),
            false => good("agent", found),
        });
    }
    let default = missing.iter().find(|agent| list.default.as_ref() == Some(&agent.name));
    checks.extend(default.map(|agent| default_is_missing(agent)));
    checks
}

/// A command of the configuration is taken as it is; the shell finds it or does not.
fn is_there(agent: &AgentEntry) -> bool {
    agent.command.is_some() || agent.installed.is_some()
}

fn installed(agent: &AgentEntry) -> Check {
    let name = &agent.name;
    let found = match (&agent.command, &agent.version, &agent.installed) {
        (Some(command), ..) => format!("{name}: `{command}`"),
        (None, Some(version), Some(place)) => format!("{name}: {version} ({place})"),
        (None, None, Some(place)) => format!("{name}: does not tell its version ({place})"),
        (None, _, None) => name.clone(),
    };
    good("agent", found)
}

fn default_is_missing(agent: &AgentEntry) -> Check {
    let name = &agent.name;
    let install = agent.install.as_deref().unwrap_or_default();
    problem(
        "agent",
        format!("`ftl.toml` uses `{name}` by default, which is not installed"),
        format!("install it (`{install}`), or set `[agent] default` to another"),
    )
}

/// The front ends that preflight asks.
pub(super) fn front_ends() -> Vec<Check> {
    let front_ends: BTreeSet<&str> = Language::all().filter_map(Language::front_end).collect();
    let (there, missing): (Vec<&str>, Vec<&str>) =
        front_ends.into_iter().partition(|name| find_program(name).is_some());
    let front_end = |name: &&str| match version(name) {
        Ok(version) => good("front end", format!("{name}: {version}")),
        Err(why) => note(
            "front end",
            format!("{name}: does not run: {why}"),
            "until it does, only the built-in parser checks files of its language",
        ),
    };
    let mut checks: Vec<Check> = there.iter().map(front_end).collect();
    if !missing.is_empty() {
        checks.push(note(
            "front end",
            format!("not on the PATH: {}", missing.join(", ")),
            "without it, only the built-in parser checks files of its language",
        ));
    }
    checks
}

/// What a program says of its version, in one line; else why it does not.
pub(super) fn version(name: &str) -> Result<String, String> {
    let program = find_program(name).ok_or("it is not on the PATH")?;
    let words: &[&str] = match name {
        // It has no option for its version, and `go` reports both.
        "gofmt" => return Ok(with_place("", &program)),
        "luac" => &["-v"],
        _ => &["--version"],
    };
    let mut probe = Probe::new(&program, words);
    probe.limit = LIMIT;
    // Not in the project, whose settings a program could follow, nor by its directories: a script finds
    // its interpreter on the `PATH`.
    probe.dir = Some(PathBuf::from("/"));
    probe.env = Environment::inherit().set("PATH", trusted_path());
    let output = probe.run().map_err(|error| error.to_string())?;
    // Some print it on standard error.
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line = ftl_text::one_line(line);
    match output.how {
        How::Exit(0) => Ok(with_place(&line, &program)),
        _ => Err(line),
    }
}

fn with_place(version: &str, program: &Path) -> String {
    match version {
        "" => program.display().to_string(),
        version => format!("{version} ({})", program.display()),
    }
}
