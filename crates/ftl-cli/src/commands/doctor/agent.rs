//! What an agent needs beside its program: a login, a private directory, tools that work. No model is
//! asked, and what only the agent itself could say is called unknown.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_agents::{Login, Preset, find, nearest};
use ftl_engine::result::{AgentEntry, Check, CheckState};
use ftl_process::{Environment, How, Probe};
use ftl_text::one_line;

use super::{good, note, problem};
use crate::commands::agents::{difference, list};
use crate::config::Config;
use crate::failure::Failure;
use crate::implementer::ready;

/// How long an agent's tools may take to do nothing.
const LIMIT: Duration = Duration::from_secs(20);
/// Characters of a program's output that are shown.
const LONGEST: usize = 300;

/// What is found of the agent that is named, else of the default one, else of all that are installed.
///
/// # Errors
///
/// There is no agent of that name.
pub(super) fn checks(
    named: Option<&str>,
    config: &Config,
    root: &Path,
) -> Result<Vec<Check>, Failure> {
    let list = list(config);
    let is_known = |name: &str| list.agents.iter().any(|agent| agent.name == name);
    if let Some(name) = named.filter(|name| !is_known(name)) {
        return Err(unknown(name, &list.agents));
    }
    let wanted = named.or(list.default.as_deref());
    let of_wanted = |agent: &&AgentEntry| match wanted {
        Some(name) => agent.name == name,
        None => agent.installed.is_some(),
    };
    let agents = list.agents.iter().filter(of_wanted);
    let mut checks = Vec::new();
    for agent in agents {
        let Some(preset) = Preset::named(&agent.name).filter(|_| agent.command.is_none()) else {
            let found = format!("{}: your own command; only you know what it needs", agent.name);
            checks.push(note("agent", found, "try it: it reads the task from standard input"));
            continue;
        };
        let configured = config.agents.get(&agent.name);
        let env = configured.map_or_else(Environment::inherit, |agent| agent.env.clone());
        match &agent.installed {
            None if named.is_some() => checks.push(not_installed(preset)),
            None => {}
            Some(_) => checks.extend(of_preset(preset, &env, root)),
        }
    }
    if wanted.is_none() {
        // It is not known that one of these will be used.
        let problems = checks.iter_mut();
        for check in problems.filter(|check| check.state == CheckState::Problem) {
            check.state = CheckState::Note;
        }
    }
    Ok(checks)
}

fn unknown(name: &str, known: &[AgentEntry]) -> Failure {
    let known: Vec<&str> = known.iter().map(|agent| agent.name.as_str()).collect();
    let near = nearest(name, known.iter().copied());
    let near = near.map_or_else(String::new, |near| format!("did you mean `--agent {near}`? "));
    Failure::usage("usage::agent", format!("there is no agent `{name}`"))
        .help(format!("{near}`ftl agents` lists the known ones"))
}

fn not_installed(preset: &Preset) -> Check {
    let found = format!("{}: there is no program `{}`", preset.name, preset.program);
    let help = format!("install it: `{}`; then {}", preset.install(), preset.setup);
    problem("agent", found, help)
}

fn of_preset(preset: &Preset, env: &Environment, root: &Path) -> Vec<Check> {
    let mut checks = vec![login(preset, env)];
    let help = format!("`{}` installs the newest", preset.install());
    checks.extend(difference(preset, env).map(|(_, found)| note("agent", found, help)));
    checks.extend(home(preset, env));
    checks.extend(tools(preset, env, root));
    checks
}

/// What shows of a login. That one shows does not say that it is accepted.
fn login(preset: &Preset, env: &Environment) -> Check {
    let name = &preset.name;
    match preset.login_in(&env.resolve()) {
        Login::Variable(variable) => good(
            "agent",
            format!("{name}: {variable} is set; whether it is accepted was not tried"),
        ),
        Login::File(path, key) => good(
            "agent",
            format!(
                "{name}: `{}` holds `{key}`; whether it is accepted was not tried",
                path.display()
            ),
        ),
        Login::NotFound(variables, files) => {
            let files: Vec<String> = files.iter().map(|path| quoted(path)).collect();
            let files = match files.is_empty() {
                true => String::new(),
                false => format!(", and nothing in {}", files.join(" or ")),
            };
            let found = format!(
                "{name}: no login and no key was found: {} not set{files}",
                variables.join(", ")
            );
            note("agent", found, preset.setup.as_str())
        }
        Login::Unknown => note(
            "agent",
            format!("{name}: whether it is logged in is unknown until its first request"),
            preset.setup.as_str(),
        ),
    }
}

fn quoted(path: &Path) -> String {
    format!("`{}`", path.display())
}

fn home(preset: &Preset, env: &Environment) -> Option<Check> {
    let name = &preset.name;
    match ready::home(preset, env) {
        Ok(home) => {
            home.map(|dir| good("agent", format!("{name}: `{}` can be written", dir.display())))
        }
        Err((dir, why)) => Some(problem(
            "agent",
            format!("{name}: `{}` cannot be written: {why}", dir.display()),
            "its settings and sessions are there: make it writable, or set `HOME` to a directory that is",
        )),
    }
}

/// Lets its tools do nothing, where that needs no model.
fn tools(preset: &Preset, env: &Environment, root: &Path) -> Option<Check> {
    if preset.tries.is_empty() {
        return None;
    }
    let variables = env.resolve();
    let program: PathBuf = find(&preset.program, variables.get(OsStr::new("PATH"))?)?;
    let mut probe = Probe::new(program, &preset.tries);
    probe.dir = Some(root.to_owned());
    probe.env = env.clone();
    probe.limit = LIMIT;
    let name = &preset.name;
    let tried = format!("`{} {}`", preset.program, preset.tries.join(" "));
    Some(match probe.run() {
        Ok(said) if said.how == How::Exit(0) => {
            good("agent", format!("{name}: its tools work ({tried})"))
        }
        Ok(said) => {
            let text = String::from_utf8_lossy(&said.stderr);
            let last = text.lines().rev().find(|line| !line.trim().is_empty());
            let last = last.map_or_else(|| "it says nothing".to_owned(), one_line);
            let last = ftl_text::shortened(&last, LONGEST);
            problem(
                "agent",
                format!("{name}: its tools don't work: {tried} failed: {last}"),
                "every command of it would fail: mend what it says (its sandbox needs user namespaces), or use `--contain mcp`",
            )
        }
        Err(why) => problem("agent", format!("{name}: {tried}: {why}"), preset.setup.as_str()),
    })
}

#[cfg(test)]
mod tests {
    use ftl_agents::presets;

    #[test]
    fn a_login_is_looked_for_only_in_a_preset_with_a_home() {
        for preset in presets() {
            let files = preset.login.as_ref().map_or(0, |login| login.files.len());
            assert!(files == 0 || preset.home.is_some(), "{}", preset.name);
        }
    }
}
