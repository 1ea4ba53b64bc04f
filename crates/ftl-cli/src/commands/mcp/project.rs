//! Tools of a project, for an agent that is not part of a build: its tasks, a new one, and a build.
//!
//! Each is a command of ftl with `--format json`: the same checks, and the same results, as typed in a terminal.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ftl_engine::tools::Answer;
use ftl_process::{Capture, Command, DEFAULT_GRACE, EndWhenSet, Output};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::commands::agents::list;
use crate::commands::scout;
use crate::config::Config;

/// Bytes of a command's result that an agent gets.
const LONGEST: usize = 256 << 10;

/// A tool of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProjectTool {
    Tasks,
    NewTask,
    BuildTask,
}

impl ProjectTool {
    pub(super) const ALL: [Self; 3] = [Self::Tasks, Self::NewTask, Self::BuildTask];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Tasks => "tasks",
            Self::NewTask => "new_task",
            Self::BuildTask => "build_task",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Tasks => "List the tasks",
            Self::NewTask => "Create a task",
            Self::BuildTask => "Build a task",
        }
    }

    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::Tasks => "List the project's tasks: their state, budget, and what they wait for.",
            Self::NewTask => {
                "Create a task: what is to be done, the files that may change, and the command that exits with 0 only \
                 if it is done."
            }
            Self::BuildTask => {
                "Build a task to complete, or to blocked with the reason: with an agent, or, without one, judge the \
                 changes that are in the project."
            }
        }
    }

    /// The JSON schema of its arguments.
    pub(super) fn arguments(self) -> Map<String, Value> {
        let text = |about: &str| json!({"type": "string", "description": about});
        let texts = |about: &str| json!({"type": "array", "items": {"type": "string"}, "description": about});
        let (properties, required) = match self {
            Self::Tasks => (json!({}), json!([])),
            Self::NewTask => (
                json!({
                    "objective": text("Why the task exists, and what is to be done."),
                    "delta": texts("Paths of the files that may be created or changed."),
                    "verify": text("Shell command that exits with 0 only if the task is done."),
                    "verify_source": text("Test file that the implementer reads first."),
                    "depends": texts("Numbers or IDs of tasks that must be complete first."),
                }),
                json!(["objective", "delta", "verify"]),
            ),
            Self::BuildTask => (
                json!({
                    "task": text("Number or ID of an active task."),
                    "agent": text("Name of an agent that `ftl agents` lists. Without it, your own changes are judged."),
                }),
                json!(["task"]),
            ),
        };
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        schema.as_object().cloned().unwrap_or_default()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewTask {
    objective: String,
    delta: Vec<String>,
    verify: String,
    verify_source: Option<String>,
    #[serde(default)]
    depends: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BuildTask {
    task: String,
    agent: Option<String>,
}

/// The tools of the project at a root.
pub(super) struct Project {
    root: PathBuf,
    config: Config,
}

impl Project {
    pub(super) fn new(root: &Path, config: Config) -> Self {
        Self { root: root.to_owned(), config }
    }

    /// Calls a tool: what it refuses, or what fails, is an answer too.
    pub(super) fn call(
        &self,
        tool: ProjectTool,
        arguments: Map<String, Value>,
        is_cancelled: &Arc<AtomicBool>,
    ) -> Answer {
        let words = self.words(tool, Value::Object(arguments));
        let done = words.and_then(|words| self.run(words, is_cancelled));
        done.unwrap_or_else(|why| Answer {
            text: format!("refused: {why}"),
            note: None,
            failed: true,
        })
    }

    fn words(&self, tool: ProjectTool, arguments: Value) -> Result<Vec<String>, String> {
        let wrong = |error: serde_json::Error| format!("the arguments are wrong: {error}");
        let mut words: Vec<String> = Vec::new();
        // A value that begins with a dash is no option.
        let set = |name: &str, value: &str| format!("--{name}={value}");
        match tool {
            ProjectTool::Tasks => words.push("status".into()),
            ProjectTool::NewTask => {
                let task: NewTask = serde_json::from_value(arguments).map_err(wrong)?;
                words.push("new".into());
                words.extend(task.delta.iter().map(|path| set("delta", path)));
                words.push(set("verify", &task.verify));
                words.extend(task.verify_source.map(|path| set("verify-source", &path)));
                words.extend(task.depends.iter().map(|id| set("depends", id)));
                // `@` and `-` read a file, and standard input.
                if task.objective.starts_with(['@', '-']) {
                    return Err("the objective begins with `@` or `-`".into());
                }
                words.push(task.objective);
            }
            ProjectTool::BuildTask => {
                let task: BuildTask = serde_json::from_value(arguments).map_err(wrong)?;
                words.push("build".into());
                match task.agent {
                    Some(agent) => {
                        let known = list(&self.config).agents;
                        if !known.iter().any(|entry| entry.name == agent) {
                            return Err(format!(
                                "there is no agent `{agent}`; `ftl agents` lists them"
                            ));
                        }
                        words.push(set("agent", &agent));
                    }
                    None => words.push("--tree".into()),
                }
                words.push("--".into());
                words.push(task.task);
            }
        }
        let at = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.splice(at..at, ["--format=json".to_owned(), "--quiet".to_owned()]);
        Ok(words)
    }

    fn run(&self, words: Vec<String>, is_cancelled: &Arc<AtomicBool>) -> Result<Answer, String> {
        let program = scout::program().ok_or("the program ftl is not found")?;
        let mut words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        words.splice(1..1, [OsString::from("--root"), self.root.clone().into_os_string()]);
        let ended = Command::new(program, words)
            .dir(&self.root)
            .capture(Capture::bounded(LONGEST, LONGEST))
            .separate_stderr(Capture::default())
            .run_observed(&mut EndWhenSet::new(is_cancelled, DEFAULT_GRACE))
            .map_err(|error| ftl_text::with_causes(&error))?;
        let text = String::from_utf8_lossy(&ended.output.whole().unwrap_or_default()).into_owned();
        let errors = ended.stderr.as_ref().and_then(Output::whole).unwrap_or_default();
        let text = match text.is_empty() {
            true => String::from_utf8_lossy(&errors).into_owned(),
            false => text,
        };
        Ok(Answer { text, note: None, failed: !ended.success() })
    }
}
