//! One build with one agent, and what was left of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ftl_model_server::{Asked, Server};
use ftl_testkit::Result;
use serde_json::Value;

use crate::case::{Case, CaseKind, Way};
use crate::installed::Installed;
use crate::place::{Left, RunPlace, asked_of};
use crate::{project, setup};

/// A port without a listener: no system gives it to a program that asks for any, and no agent calls it unsafe.
const NO_SERVER: &str = "http://127.0.0.1:47";

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
    pub(crate) left: Left,
    /// What the model server was asked.
    pub(crate) asked: Vec<Asked>,
}

/// Builds the task of a case with an agent.
///
/// # Errors
///
/// The project could not be made, or ftl could not be started.
pub(crate) fn run(agent: &Installed, way: Way, case: &Case, ftl: &Path) -> Result<Done> {
    let place = RunPlace::make(agent, way, case.name)?;
    project::make(&place.at, case)?;
    let mut script = case.script();
    script.root = place.at.to_string_lossy().into_owned();
    script.in_text = agent.name == "aider";
    let server = Server::start(script)?;
    let url = match case.kind {
        CaseKind::Down => NO_SERVER.to_owned(),
        _ => server.url(),
    };
    let env = place.point(agent, &url)?;
    let limit = case.limit.to_string();
    let config = place.work.join("ftl.toml");
    fs::write(&config, project::config(&agent.name, way, case))?;
    let mut program = place
        .program(agent, &env)
        .args([ftl])
        .args(["build", "--format", "json", "--agent", &agent.name])
        .args(match case.kind {
            CaseKind::Together => ["--all", "--jobs", "4"].as_slice(),
            _ => &["001"],
        })
        .args(["--agent-timeout", &limit])
        .args(["--config".as_ref(), config.as_os_str()])
        .args(["--events".as_ref(), place.work.join("events.jsonl").as_os_str()]);
    if way == Way::Mcp {
        program = program.args(["--contain", "mcp"]);
    }
    let has_own = matches!(case.kind, CaseKind::Process | CaseKind::Key) && way == Way::Open;
    if let Some(model) = setup::model(&agent.name).filter(|_| !has_own) {
        program = program.args(["--model", model]);
    }
    let since = Instant::now();
    let output = program.output()?;
    let took = since.elapsed();
    let asked = asked_of(server);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let left = place.left(&[("stdout", &stdout), ("stderr", &stderr)], &asked)?;
    Ok(Done {
        code: output.status.code(),
        result: serde_json::from_str(&stdout).unwrap_or(Value::Null),
        stderr,
        took,
        at: place.at,
        left,
        asked,
    })
}
