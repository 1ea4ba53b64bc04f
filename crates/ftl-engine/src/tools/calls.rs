//! The tools by name: the arguments of each, and its description for agents.
//!
//! Whatever an agent sends is read into one of these types, or refused with the reason.

use ftl_model::words;
use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Refusal;
use crate::text::brief;

words! {
    /// A tool.
    pub enum Tool {
        /// Says what the task is.
        Task = "task",
        /// Reads a file.
        Read = "read",
        /// Looks for text or names.
        Search = "search",
        /// Replaces text in a file of the delta.
        Edit = "edit",
        /// Writes a file of the delta as a whole.
        Write = "write",
        /// Checks syntax, and runs the task's own checks.
        Preflight = "preflight",
        /// Runs the verify command.
        Verify = "verify",
        /// Says that the work is done.
        Done = "done",
        /// Says that nothing has to change.
        NoChange = "no_change",
        /// Says that files outside the delta are needed.
        Needs = "needs",
    }
}

impl Tool {
    /// Its description, for agents.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Task => "The task: what to do, which files may change, and how it is judged.",
            Self::Read => "Read a text file of the project, or some of its lines.",
            Self::Search => {
                "Search the project's text files with a regular expression; without `pattern`, list \
                 its files. Files that git ignores are left out."
            }
            Self::Edit => {
                "Replace text in a file of the task. `old` must occur exactly once, unless `all` is true."
            }
            Self::Write => "Create a file of the task, or replace its whole content.",
            Self::Preflight => {
                "Check the syntax of the task's files, then run the task's own checks. Call it after \
                 your last edit."
            }
            Self::Verify => {
                "Run the command that decides whether the task is complete, and see its output."
            }
            Self::Done => "Say that the work is done. Call it last.",
            Self::NoChange => {
                "Say that nothing has to change, since the task's command passes already."
            }
            Self::Needs => {
                "Say which files outside the task would have to change. The task then ends, and a \
                 person decides."
            }
        }
    }

    /// What people see in place of its name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Task => "Read the task",
            Self::Read => "Read a file",
            Self::Search => "Search the project",
            Self::Edit => "Edit a file of the task",
            Self::Write => "Write a file of the task",
            Self::Preflight => "Check syntax",
            Self::Verify => "Run the verify command",
            Self::Done => "Report the work as done",
            Self::NoChange => "Report that nothing has to change",
            Self::Needs => "Report files that are needed",
        }
    }

    /// Whether it changes nothing in the project.
    #[must_use]
    pub const fn only_reads(self) -> bool {
        matches!(self, Self::Task | Self::Read | Self::Search)
    }

    /// The JSON schema of its arguments.
    #[must_use]
    pub fn arguments(self) -> Map<String, Value> {
        let schema: Schema = match self {
            Self::Task | Self::Preflight | Self::Verify => schema_for!(Nothing),
            Self::Read => schema_for!(Read),
            Self::Search => schema_for!(Search),
            Self::Edit => schema_for!(Edit),
            Self::Write => schema_for!(Write),
            Self::Done => schema_for!(Done),
            Self::NoChange => schema_for!(NoChange),
            Self::Needs => schema_for!(Needs),
        };
        let mut schema = schema.as_object().cloned().unwrap_or_default();
        // Some models' servers refuse the keys that they do not know.
        for key in ["$schema", "title", "description"] {
            schema.remove(key);
        }
        schema.entry("properties").or_insert_with(|| Map::new().into());
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for property in properties.into_iter().flat_map(|all| all.values_mut()) {
            plain(property);
        }
        schema
    }
}

/// Leaves out what only Rust's types know: `null` for a missing argument, and widths of integers.
fn plain(property: &mut Value) {
    let Some(property) = property.as_object_mut() else {
        return;
    };
    for key in ["default", "format", "minimum"] {
        property.remove(key);
    }
    if let Some(Value::Array(kinds)) = property.get("type") {
        let kind = kinds.iter().find(|kind| *kind != "null").cloned();
        property.insert("type".into(), kind.unwrap_or_default());
    }
}

/// A tool with its arguments.
#[derive(Debug)]
pub(super) enum Call {
    Task,
    Read(Read),
    Search(Search),
    Edit(Edit),
    Write(Write),
    Preflight,
    Verify,
    Done(Done),
    NoChange(NoChange),
    Needs(Needs),
}

impl Call {
    /// Reads the arguments of a tool.
    pub(super) fn parse(tool: Tool, arguments: Map<String, Value>) -> Result<Self, Refusal> {
        Ok(match tool {
            Tool::Task => nothing(arguments, Self::Task)?,
            Tool::Read => Self::Read(read(arguments)?),
            Tool::Search => Self::Search(read(arguments)?),
            Tool::Edit => Self::Edit(read(arguments)?),
            Tool::Write => Self::Write(read(arguments)?),
            Tool::Preflight => nothing(arguments, Self::Preflight)?,
            Tool::Verify => nothing(arguments, Self::Verify)?,
            Tool::Done => Self::Done(read(arguments)?),
            Tool::NoChange => Self::NoChange(read(arguments)?),
            Tool::Needs => Self::Needs(read(arguments)?),
        })
    }
}

fn nothing(arguments: Map<String, Value>, call: Call) -> Result<Call, Refusal> {
    read::<Nothing>(arguments).map(|Nothing {}| call)
}

fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, Refusal> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        Refusal::new(format!("the arguments are wrong: {}", brief(&error.to_string())))
    })
}

/// No arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Read {
    /// Path from the project's root.
    pub(super) path: String,
    /// First line to read, from 1.
    #[serde(default)]
    pub(super) from: Option<u64>,
    /// Number of lines to read.
    #[serde(default)]
    pub(super) lines: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    /// Regular expression, matched with each line.
    #[serde(default)]
    pub(super) pattern: Option<String>,
    /// File or directory to search, from the project's root. The whole project without it.
    #[serde(default)]
    pub(super) path: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Edit {
    /// Path from the project's root.
    pub(super) path: String,
    /// Text to replace, exactly as it is in the file.
    pub(super) old: String,
    /// Text to put in its place.
    pub(super) new: String,
    /// Replace every occurrence.
    #[serde(default)]
    pub(super) all: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Write {
    /// Path from the project's root.
    pub(super) path: String,
    /// The whole content of the file.
    pub(super) content: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Done {
    /// What was done, in a sentence or two.
    #[serde(default)]
    pub(super) summary: Option<String>,
    /// Names of the task's known failures and patterns that were of use.
    #[serde(default)]
    pub(super) utilized: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoChange {
    /// Why nothing has to change.
    #[serde(default)]
    pub(super) reason: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Needs {
    /// Paths from the project's root.
    pub(super) paths: Vec<String>,
    /// Why they are needed.
    #[serde(default)]
    pub(super) reason: Option<String>,
}
