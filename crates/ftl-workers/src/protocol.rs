//! What coordinators and workers write for each other. The schemas are in docs/schemas.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use ftl_engine::performer::{CalledAgent, Done};
use ftl_machine::Phase;
use ftl_model::{DeltaPath, Digest};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of requests and results. A worker refuses a request of another version.
pub const VERSION: u32 = 1;

/// The most bytes of text within one message. All else travels as objects.
pub(crate) const MAX_INLINE: usize = 256 << 10;
/// The most bytes of a prompt, and of a request for agents that read JSON.
pub(crate) const MAX_TASK: u64 = 64 << 20;
/// The most bytes of a file of a result.
pub(crate) const MAX_FILE: u64 = 256 << 20;
/// The most bytes of all files of a result.
pub(crate) const MAX_FILES: u64 = 1 << 30;
/// The most bytes of an agent's output.
pub(crate) const MAX_LOG: u64 = 64 << 20;
/// The most bytes of an agent's reply.
pub(crate) const MAX_REPLY: u64 = 1 << 20;
/// The most bytes of an [`Outcome`].
pub(crate) const MAX_OUTCOME: u64 = 16 << 20;
/// The most bytes of a bundle.
pub(crate) const MAX_BUNDLE: u64 = 4 << 30;
/// The most bytes of a message that is a request.
pub(crate) const MAX_REQUEST: u64 = 8 << 20;
/// The most bytes of a value in a bucket, and of a message that is neither a request nor output.
pub(crate) const MAX_VALUE: u64 = 64 << 10;
/// The most bytes of a text in all of these, but for [`Content`].
const MAX_TEXT: usize = 16 << 10;
/// The longest time limit of an agent that a worker grants.
const MAX_LIMIT_MS: u64 = 24 * 60 * 60 * 1000;
/// Versions that either side has: a request or result of another version is refused, and both are named.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Header {
    pub(crate) v: u32,
    pub(crate) ftl: String,
    pub(crate) id: String,
    /// Of a result.
    pub(crate) worker: Option<String>,
}

/// Reads what the other side wrote, unless it, or a text in it, is longer than such a one ever is.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8], most: u64) -> Result<T, String> {
    fn is_short(value: &Value) -> bool {
        match value {
            Value::String(text) => text.len() <= MAX_TEXT,
            Value::Array(all) => all.iter().all(is_short),
            // The one text of `Content` has its own limit, where it is used.
            Value::Object(all) => all
                .iter()
                .all(|(key, value)| key.len() <= MAX_TEXT && (key == "text" || is_short(value))),
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
        }
    }
    if bytes.len() as u64 > most {
        return Err(format!("it has more than {most} bytes"));
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if !is_short(&value) {
        return Err(format!("a text in it has more than {MAX_TEXT} bytes"));
    }
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// A reason in one line, and not longer than it is read.
pub(crate) fn reason(text: &str) -> String {
    ftl_text::one_line(text).chars().take(1000).collect()
}

/// Whether an ID can be a key, and a part of subjects.
pub(crate) fn is_key(id: &str) -> bool {
    let is_plain = |c: u8| c.is_ascii_alphanumeric() || b"-_.".contains(&c);
    let is_key = !id.is_empty() && id.len() <= 400 && id.bytes().all(is_plain);
    is_key && !id.starts_with('.') && !id.ends_with('.') && !id.contains("..")
}

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

impl Request {
    /// Its run, as no other request of another one names it.
    pub(crate) fn run_name(&self) -> String {
        format!("{} {} {}", self.project, self.task, self.run)
    }

    /// Why no worker performs it. A worker trusts no coordinator further than it must: what a request names is below
    /// the worker's own directory.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let commit = &self.base.commit;
        let is_commit =
            matches!(commit.len(), 40 | 64) && commit.bytes().all(|c| c.is_ascii_hexdigit());
        let mut below = Path::new(&self.base.below).components();
        let mut delta = self.delta.iter();
        if !is_commit {
            Some("its base is no commit")
        } else if !below.all(|part| matches!(part, Component::Normal(_))) {
            Some("its root is outside its base")
        } else if delta.any(|path| DeltaPath::parse(path).is_err()) {
            Some("a file of its delta is outside its root")
        } else if self.limit_ms > MAX_LIMIT_MS {
            Some("its time limit is longer than 24 hours")
        } else {
            None
        }
    }
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
    /// The task file.
    pub workspace: String,
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

impl Content {
    /// Text within a message while that has `room`, an object for all else.
    pub(crate) fn of(bytes: &[u8], room: &mut usize) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) if text.len() <= *room => {
                *room -= text.len();
                Self::Text(text.to_owned())
            }
            _ => Self::Object(Digest::of(bytes)),
        }
    }
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
    /// Five workers took it and none had a result.
    Withdrawn(Vec<Taken>),
}

/// A worker that took a request.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Taken {
    /// Its name.
    pub worker: String,
    /// Why it has no result, in one line; null if it said nothing more.
    pub why: Option<String>,
}

impl std::fmt::Display for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.why {
            Some(why) => write!(f, "{} ({why})", self.worker),
            None => f.write_str(&self.worker),
        }
    }
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

impl Work {
    /// All that it holds beside [`Done`].
    pub(crate) fn objects(&self) -> impl Iterator<Item = &Content> {
        self.contents.values().chain(&self.reply).chain([&self.log])
    }
}

/// The value of a result in the key-value bucket.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResultName {
    /// The SHA-256 of the [`Outcome`]'s JSON, by which the object store holds it.
    pub sha256: Digest,
    /// The worker that stored it.
    pub worker: String,
}

/// A worker's question for a request's base.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BaseWanted {
    /// Commits that it has.
    pub(crate) have: Vec<String>,
}

/// The coordinator's answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BaseAnswer {
    /// The SHA-256 of a git bundle, by which the object store holds it.
    Bundle(Digest),
    /// Why there is none.
    Failed(String),
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

/// The workers that are alive.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WorkerList {
    /// By name.
    pub workers: Vec<Presence>,
}

/// The schemas of what coordinators and workers write, by the names of their files in docs/schemas.
#[must_use]
pub fn schemas() -> Vec<(&'static str, Schema)> {
    let written = SchemaSettings::draft2020_12().for_serialize();
    vec![
        ("worker-request", written.clone().into_generator().into_root_schema_for::<Request>()),
        ("worker-result", written.clone().into_generator().into_root_schema_for::<Outcome>()),
        ("workers", written.into_generator().into_root_schema_for::<WorkerList>()),
    ]
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

#[cfg(test)]
mod tests {
    use super::{MAX_VALUE, ResultName, Taken, is_key, read};

    #[test]
    fn values_that_are_damaged_or_too_long_are_not_read() {
        let name = |worker: &str| {
            format!("{{\"sha256\": \"{}\", \"worker\": {worker:?}}}", "0".repeat(64))
        };
        assert!(read::<ResultName>(name("w").as_bytes(), MAX_VALUE).is_ok());
        for bytes in
            [name(&"w".repeat(20_000)), name(&"w".repeat(500_000)), "no".into(), "{}".into()]
        {
            read::<ResultName>(bytes.as_bytes(), MAX_VALUE).unwrap_err();
        }
        let many = format!("[{}]", vec!["{\"worker\": \"w\", \"why\": null}"; 10_000].join(","));
        read::<Vec<Taken>>(many.as_bytes(), MAX_VALUE).unwrap_err();
    }

    #[test]
    fn an_id_is_a_key_or_none() {
        assert!(is_key("p.001_t.1.1.abc"));
        for id in ["", "*", "a.>", "../x", "a..b", ".a", "a.", "a b", &"x".repeat(401)] {
            assert!(!is_key(id), "{id}");
        }
    }
}
