//! One build with one agent, and what was left of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ftl_model_server::{Asked, Server};
use ftl_testkit::Result;
use ftl_testkit::program::Program;
use serde_json::Value;

use crate::case::{Case, Kind, Way};
use crate::installed::{Installed, directory};
use crate::{project, setup};

/// By this variable a process is known to be of a run.
const MARK: &str = "FTL_AGENT_CASE";

/// Where nobody listens: a port that no system gives to a program that asks for any, and that no agent calls unsafe.
const NOBODY: &str = "http://127.0.0.1:47";

/// A build that ended.
pub(crate) struct Done {
    /// None: a signal ended it, or its time was over.
    pub(crate) code: Option<i32>,
    /// What it printed.
    pub(crate) result: Value,
    pub(crate) stderr: String,
    pub(crate) took: Duration,
    /// The project.
    pub(crate) at: PathBuf,
    /// Processes that were left, by their command lines.
    pub(crate) left: Vec<String>,
    /// Where the key was found.
    pub(crate) leaks: Vec<String>,
    /// What was left in the temporary directory, by name.
    pub(crate) temporary: Vec<String>,
    /// What the model server was asked.
    pub(crate) asked: Vec<Asked>,
}

/// Builds the task of a case with an agent.
///
/// # Errors
///
/// The project could not be made, or ftl could not be started.
pub(crate) fn run(agent: &Installed, way: Way, case: &Case, ftl: &Path) -> Result<Done> {
    let name = format!("{}-{}-{}", agent.name, way.name(), case.name);
    let work = directory().join("work").join(&name);
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    let at = work.join("project");
    let home = home(agent);
    let tmp = work.join("tmp");
    for dir in [&at, &home, &tmp] {
        fs::create_dir_all(dir)?;
    }
    project::make(&at, &agent.name, way, case)?;
    let mut script = case.script();
    script.root = at.to_string_lossy().into_owned();
    script.in_text = agent.name == "aider";
    let server = Server::start(script)?;
    let url = match case.kind {
        Kind::Down => NOBODY.to_owned(),
        _ => server.url(),
    };
    let key = format!("k3y-{:016x}{:08x}", hash(&name), std::process::id());
    let env = setup::point(&agent.name, &home, &url, &key)?;
    let events = work.join("events.jsonl");
    let mark = format!("{name}-{}", std::process::id());
    let limit = case.limit.to_string();
    // Far more than the limits of its requests: only an ftl that hangs is ended.
    let mut program = Program::new("timeout", &at)
        .args(["--kill-after=5", "400"])
        .args([ftl])
        .args(["build", "001", "--format", "json", "--agent", &agent.name])
        .args(["--agent-timeout", &limit])
        .args(["--events".as_ref(), events.as_os_str()])
        .without_env()
        .env("PATH", &agent.path)
        .env("HOME", &home)
        .env("TMPDIR", &tmp)
        .env("LANG", "C.UTF-8")
        .env(MARK, &mark);
    for (name, value) in &env {
        program = program.env(name, value);
    }
    if way == Way::Mcp {
        program = program.args(["--contain", "mcp"]);
    }
    let has_own = matches!(case.kind, Kind::Process | Kind::Key) && way == Way::Open;
    if let Some(model) = setup::model(&agent.name).filter(|_| !has_own) {
        program = program.args(["--model", model]);
    }
    let since = Instant::now();
    let output = program.output()?;
    let took = since.elapsed();
    let left = left_running(&mark);
    let asked = server.asked();
    drop(server);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let log: Vec<String> = asked
        .iter()
        .map(|asked| {
            format!(
                "{} {} {}\n{}\n",
                asked.path,
                asked.answer,
                asked.conversation.turns.len(),
                asked.body
            )
        })
        .collect();
    fs::write(work.join("server.log"), log.join("\n"))?;
    fs::write(work.join("stdout"), &stdout)?;
    fs::write(work.join("stderr"), &stderr)?;
    let written = [work.join("stdout"), work.join("stderr"), events];
    let kept = project::files(&at)
        .into_iter()
        .chain(project::files(&home.join(".local/state/ftl")));
    let leaks = written
        .into_iter()
        .chain(kept)
        .filter(|file| holds(file, &key));
    let shown = |file: PathBuf| {
        let short = file.strip_prefix(&work).unwrap_or(&file);
        short.display().to_string()
    };
    Ok(Done {
        code: output.status.code(),
        result: serde_json::from_str(&stdout).unwrap_or(Value::Null),
        leaks: leaks.map(shown).collect(),
        stderr,
        took,
        at,
        left,
        temporary: names(&tmp),
        asked,
    })
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// An agent's home, the same for all of its runs.
pub(crate) fn home(agent: &Installed) -> PathBuf {
    directory().join("homes").join(&agent.name)
}

fn holds(file: &Path, key: &str) -> bool {
    let bytes = fs::read(file).unwrap_or_default();
    bytes.windows(key.len()).any(|part| part == key.as_bytes())
}

/// Another key for every case; it only has to look like none of the rest.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Processes of the run that live, a moment after ftl ended. What is left is ended.
fn left_running(mark: &str) -> Vec<String> {
    std::thread::sleep(Duration::from_millis(300));
    let wanted = format!("{MARK}={mark}");
    let mut left = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let is_ours = environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == wanted.as_bytes());
        if !is_ours {
            continue;
        }
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        left.push(String::from_utf8_lossy(&line).replace('\0', " "));
        let id = entry.file_name().to_string_lossy().into_owned();
        drop(
            Program::new("kill", Path::new("/"))
                .args(["-9", &id])
                .silent()
                .code(),
        );
    }
    left
}
