//! Requests to an agent that another program performs, on another machine say: what the two write for each other.
//!
//! The engine runs the program as `PROGRAM WORDS… DIR` in place of the agent's command. `DIR` holds [`CALL`], which
//! says what is asked for. The program prints what the agent prints, as it comes, and writes [`DONE`] when the agent
//! has ended, with the bytes of changed files below [`FILES`]. Nothing that it writes is trusted: the engine checks
//! paths, modes and digests, and takes the files over as it does the work of any agent.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use ftl_machine::Phase;
use ftl_model::{Digest, Isolation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of these files.
pub const VERSION: u32 = 1;

/// The file that says what is asked for, in the directory of the call.
pub const CALL: &str = "call.json";

/// The file that says how the agent ended, in the directory of the call.
pub const DONE: &str = "done.json";

/// The directory of changed files below that of the call, each named by the SHA-256 of its bytes.
pub const FILES: &str = "files";

/// The file with the reason why the program could not perform the call, in one line for people.
pub const REASON: &str = "reason";

/// A file to which the program appends what the user should know at once, a line each. They are reported as warnings.
pub const NOTICES: &str = "notices";

/// The exit code of a program that waited in vain for what it needs to perform calls.
pub const UNREACHABLE: i32 = 75;

/// The exit code of a program that is to be run again: what it printed is not the agent's output.
pub const AGAIN: i32 = 76;

/// The most bytes of [`DONE`].
pub const MAX_DONE: u64 = 8 << 20;

/// A program that performs requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Performer {
    /// Its path.
    pub program: PathBuf,
    /// Its arguments before the directory of the call.
    pub words: Vec<OsString>,
}

/// What is asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Call {
    /// [`VERSION`].
    pub v: u32,
    /// The task's ID.
    pub task: String,
    /// The number of its run.
    pub run: u64,
    /// The number of the request in the run, from 1.
    pub request: u32,
    /// What for.
    pub phase: Phase,
    /// Which time, from 1.
    pub attempt: u32,
    /// The agent, by the name that the performer's configuration gives a command.
    pub agent: CalledAgent,
    /// The delta's files, from the root.
    pub delta: Vec<String>,
    /// Globs of files that may change too.
    pub allowed: Vec<String>,
    /// The project's root.
    pub root: PathBuf,
    /// The top of the tree that the project is in: the root, or the top of its repository.
    pub top: PathBuf,
    /// A copy of the top that does not change while the call is performed.
    pub copy: PathBuf,
    /// The task file.
    pub workspace: PathBuf,
    /// The prompt.
    pub prompt: PathBuf,
    /// The request as JSON.
    pub request_file: PathBuf,
    /// Where the agent's reply is expected.
    pub reply: PathBuf,
    /// The conversation to go on with.
    pub session: Option<String>,
    /// The ID of a new conversation.
    pub begun: String,
    /// The agent's time limit in milliseconds.
    pub limit_ms: u64,
    /// How long the program may wait for what it needs to perform calls, in milliseconds.
    pub patience_ms: u64,
}

/// An agent of the performer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CalledAgent {
    /// Its name.
    pub name: String,
    /// The model that it is to use; null for its own choice.
    pub model: Option<String>,
    /// How much it is to think; null for its own choice.
    pub effort: Option<String>,
    /// The form of its output, as `ftl agents --format json` calls it: the caller reads it.
    pub output: String,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Done {
    /// [`VERSION`].
    pub v: u32,
    /// The worker that performed it.
    pub worker: String,
    /// The agent's exit code; null if a signal ended it.
    pub exit: Option<i32>,
    /// The signal that ended the agent.
    pub signal: Option<i32>,
    /// Whether the time limit ended it.
    pub timed_out: bool,
    /// How the agent was kept apart from the worker's copy of the tree.
    pub isolation: Isolation,
    /// Files of the delta and allowed files that changed.
    pub files: Vec<DoneFile>,
    /// Other paths that changed, from the root. Their bytes stay where they were written.
    pub strays: Vec<String>,
    /// Why the work counts as failed, whatever the exit code is; null for no such reason.
    pub failure: Option<String>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// A file as the agent left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoneFile {
    /// From the root.
    pub path: String,
    /// Its permissions; null if it was deleted.
    pub mode: Option<u32>,
    /// The SHA-256 of its bytes; null if it was deleted.
    pub sha256: Option<Digest>,
}

impl fmt::Display for CalledAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
