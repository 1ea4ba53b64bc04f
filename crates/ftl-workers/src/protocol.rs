//! What coordinators and workers write for each other. The schemas are in docs/schemas.

use std::collections::BTreeMap;

use ftl_engine::performer::{CalledAgent, Done};
use ftl_machine::Phase;
use ftl_model::Digest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of requests and results. A worker refuses a request of another version.
pub const VERSION: u32 = 1;

/// Text and bytes above this many bytes travel as objects.
pub const MAX_INLINE: usize = 256 << 10;

/// What a worker is asked for.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// [`VERSION`].
    pub v: u32,
    /// The coordinator's version of ftl.
    pub ftl: String,
    /// The request: project, task, run, number, and a digest of the content, so that a reopened run never meets an
    /// old result.
    pub id: String,
    /// The project's UUID.
    pub project: String,
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
    /// The agent, by name.
    pub agent: CalledAgent,
    /// The delta's files, from the root.
    pub delta: Vec<String>,
    /// Globs of files that may change too.
    pub allowed: Vec<String>,
    /// The tree to work on, the delta so far included.
    pub base: BaseName,
    /// The prompt.
    pub prompt: Content,
    /// The request for agents that read JSON.
    pub body: Content,
    /// Paths of the coordinator that the prompt and the body name.
    pub paths: Paths,
    /// The conversation to go on with, at the worker that holds it.
    pub session: Option<Session>,
    /// The ID of a new conversation.
    pub begun: String,
    /// The agent's time limit in milliseconds.
    pub limit_ms: u64,
}

/// A tree, as a commit without parents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BaseName {
    /// The commit's object name.
    pub commit: String,
    /// The project's root in it; empty for its top.
    pub below: String,
}

/// Paths of the coordinator.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Paths {
    /// The project's root.
    pub root: String,
    /// The agent's reply.
    pub reply: String,
}

/// A conversation of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// The agent's ID of it.
    pub id: String,
    /// The worker whose agent has it.
    pub worker: String,
}

/// Text, or the digest of an object that holds it or other bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// The text.
    Text(String),
    /// The SHA-256 of the bytes, by which the object store holds them.
    Object(Digest),
}

/// How a request ended.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// [`VERSION`].
    pub v: u32,
    /// The worker's version of ftl.
    pub ftl: String,
    /// The request.
    pub id: String,
    /// The worker.
    pub worker: String,
    /// How it ended.
    pub end: End,
}

/// How a request ended.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The agent ended.
    Done(Box<Work>),
    /// The worker performs no such request: the reason, in one line.
    Refused(String),
    /// Five workers took it and none had a result: their names.
    Withdrawn(Vec<String>),
}

/// What an agent did.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Work {
    /// How it ended, and which files it left.
    pub done: Done,
    /// Its reply, where it wrote one.
    pub reply: Option<Content>,
    /// What it printed, without the worker's secrets.
    pub log: Content,
    /// The bytes of its files.
    pub contents: BTreeMap<String, Content>,
}

/// The value of a result in the key-value bucket.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResultName {
    /// The SHA-256 of the [`Outcome`]'s JSON, by which the object store holds it.
    pub sha256: Digest,
}

/// A worker that is alive.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Presence {
    /// Its name.
    pub name: String,
    /// Its version of ftl.
    pub ftl: String,
    /// The agents that it runs.
    pub agents: Vec<String>,
    /// How many requests it performs at once.
    pub slots: u32,
    /// When it started, as RFC 3339.
    pub since: String,
    /// The requests under way.
    pub doing: Vec<Doing>,
}

/// A request under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Doing {
    /// The task's ID.
    pub task: String,
    /// The agent.
    pub agent: String,
    /// When it began, as RFC 3339.
    pub since: String,
}

/// This version of ftl.
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The time, as RFC 3339 in UTC, to the second.
#[must_use]
pub fn now() -> String {
    let now = jiff::Timestamp::now();
    now.round(jiff::Unit::Second).unwrap_or(now).to_string()
}
