//! A newcomer with one of the agents, who types the commands of docs/agents.md in a project that ftl has never seen.

use std::fs;
use std::path::Path;
use std::time::Instant;

use ftl_model_server::Server;
use ftl_testkit::Result;

use crate::case::{AFTER, CASES, Case, Way};
use crate::installed::{Installed, ftl_beside, pytest};
use crate::judge::{Cell, record_of};
use crate::place::{RunPlace, asked_of};
use crate::{guide, project};

/// What is there when the task is complete, beside what tests leave behind.
const FILES: [&str; 2] = ["calc.py", "test_calc.py"];
/// Where the last command leaves the record.
const RECORD: &str = ".ftl/workspace/001_fix-the-sum_complete.xml";

/// Types the commands, and judges the results.
///
/// # Errors
///
/// The page holds no commands, or something could not be started.
pub(crate) fn run(agent: &Installed, case: &Case, ftl: &Path) -> Result<Cell> {
    let place = RunPlace::make(agent, Way::Newcomer, case.name)?;
    project::make_new(&place.at)?;
    let mut script = CASES[0].script();
    script.root = place.at.to_string_lossy().into_owned();
    script.in_text = agent.name == "aider";
    let server = Server::start(script)?;
    let env = place.point(agent, &server.url())?;
    let mut dirs = vec![ftl_beside(&place.work, ftl)?, pytest()?];
    dirs.extend(std::env::split_paths(&agent.path));
    let path = std::env::join_paths(dirs)?;
    let since = Instant::now();
    let mut printed = String::new();
    let mut misses = Vec::new();
    for command in guide::commands(&agent.name)? {
        let typed = place.program(agent, &env).env("PATH", &path);
        let output = typed.args(["sh", "-c", &command]).output()?;
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        if !output.status.success() {
            let last = said.lines().last().unwrap_or_default();
            misses.push(format!("`{command}` ended with {}: {last}", output.status));
        }
        if command.starts_with("ftl agents") && !lists(&said, agent) {
            misses.push(format!("`{command}` does not say that it is installed"));
        }
        printed += &format!("$ {command}\n{said}\n");
    }
    let took = since.elapsed();
    let left = place.left(&[("printed", &printed)], &asked_of(server))?;
    if !fs::read_to_string(place.at.join("calc.py")).is_ok_and(|text| text == AFTER) {
        misses.push("calc.py is not mended".to_owned());
    }
    for file in project::files(&place.at) {
        let path = file.strip_prefix(&place.at)?.to_string_lossy().into_owned();
        let of_tests = path.contains("__pycache__") || path.starts_with(".pytest_cache/");
        if !of_tests && !path.starts_with(".ftl/") && !FILES.contains(&&*path) {
            misses.push(format!("litter: {path}"));
        }
    }
    misses.extend(left.running.iter().map(|line| format!("left running: {line}")));
    misses.extend(left.leaks.iter().map(|file| format!("the key is in {file}")));
    let words = match misses.is_empty() {
        true => "complete",
        false => "not complete",
    };
    Ok(Cell {
        words: words.to_owned(),
        misses,
        seconds: Some(took.as_secs_f64()),
        temporary: left.temporary,
        record: record_of(&place.at.join(RECORD)),
    })
}

/// Whether the list says that the agent is installed, and in which version.
fn lists(said: &str, agent: &Installed) -> bool {
    let mut lines = said.lines().filter(|line| line.starts_with(&agent.name));
    let installed = format!("installed {}", agent.version);
    lines.any(|line| line.contains(&installed))
}
