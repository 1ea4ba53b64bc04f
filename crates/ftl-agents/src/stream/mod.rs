//! What an agent's output says of its work, line by line as it comes.
//!
//! Agents print JSON lines of different forms; a reader for each turns a line into what was [`Said`], and a
//! [`Listener`] keeps the sum of it, within bounds. A line that is no JSON is text; one that is JSON of another form
//! says nothing. Nothing here fails: an agent may print what it likes.

mod chat;
mod claude;
mod codex;
mod copilot;
mod gemini;
mod opencode;
mod reply;
mod tools;

use std::collections::BTreeSet;

use ftl_model::Tokens;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::Events;
pub use reply::reply_in;

/// Bytes of a line that is read; a longer one says nothing.
const LONGEST_LINE: usize = 4 << 20;
/// Characters of a text that is reported.
const LONGEST_TEXT: usize = 2000;
/// Bytes of an agent's last words.
const LONGEST_WORDS: usize = 256 << 10;
/// Errors that are kept, the last ones.
const MOST_ERRORS: usize = 20;
/// Lines that are no JSON that are kept, the last ones, and characters of each.
const MOST_LINES: usize = 40;
const LONGEST_KEPT: usize = 400;
/// Calls that are distinguished by their IDs.
const MOST_CALLS: usize = 100_000;

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
enum Said {
    /// The session's ID.
    Session(String),
    /// The model that answers.
    Model(String),
    /// The agent's own version.
    Version(String),
    /// A tool is called.
    Call {
        /// Distinguishes calls; each without one counts.
        id: Option<String>,
        activity: Activity,
    },
    /// A call failed.
    Failed(String),
    /// A message to the user.
    Message(String),
    /// More of the message before.
    More(String),
    /// Tokens spent since the last such line.
    Spent(Tokens, Option<f64>),
    /// Tokens spent in all.
    Total(Option<Tokens>, Option<f64>),
    /// Calls of tools in all, of an agent that counts them itself.
    Calls(u64),
    /// Something went wrong with the agent itself.
    Error(String),
    /// It has ended, with these words.
    Ended { words: String, failed: bool },
    /// A reply in the form that was asked for.
    Reply(Value),
}

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ActivityKind {
    /// It calls a tool that changes a file.
    File,
    /// It runs a command.
    Command,
    /// It calls another tool.
    Tool,
    /// It says something.
    Message,
    /// Something failed: a call, or the agent itself.
    Error,
}

/// Something that an agent does, as it says itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Activity {
    /// What.
    pub kind: ActivityKind,
    /// The tool, by the agent's own name for it; null where none is called.
    pub tool: Option<String>,
    /// The file that it is about, relative to the root where it is below; null where there is none.
    pub path: Option<String>,
    /// The command that it runs; null where it runs none.
    pub command: Option<String>,
    /// What is said; null where nothing is.
    pub text: Option<String>,
}

impl Activity {
    fn text(kind: ActivityKind, text: &str) -> Self {
        Self { kind, tool: None, path: None, command: None, text: Some(shortened(text)) }
    }

    /// The activity in a line: the tool and what it is about, or the first line of what is said.
    #[must_use]
    pub fn line(&self) -> String {
        let about = self.path.as_ref().or(self.command.as_ref());
        let first = |text: &String| text.trim().lines().next().unwrap_or_default().to_owned();
        match (&self.tool, about, &self.text) {
            (Some(tool), Some(about), _) => format!("{tool} {}", first(about)),
            (Some(tool), None, Some(text)) => format!("{tool}: {}", first(text)),
            (Some(tool), None, None) => tool.clone(),
            (None, Some(about), _) => first(about),
            (None, None, Some(text)) if self.kind == ActivityKind::Error => {
                format!("failed: {}", first(text))
            }
            (None, None, text) => text.as_ref().map(first).unwrap_or_default(),
        }
    }
}

/// What an output said, in sum; what it did not say is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The session's ID.
    pub session: Option<String>,
    /// The model that answered.
    pub model: Option<String>,
    /// The agent's own version.
    pub version: Option<String>,
    /// Tokens spent.
    pub tokens: Option<Tokens>,
    /// US dollars.
    pub cost_usd: Option<f64>,
    /// Calls of tools.
    pub calls: Option<u64>,
    /// Calls that failed, or were refused.
    pub failed_calls: u64,
    /// What the last of them said.
    pub last_failure: Option<String>,
    /// The last words.
    pub words: Option<String>,
    /// The agent itself says that it failed.
    pub failed: bool,
    /// What went wrong with the agent itself.
    pub errors: Vec<String>,
    /// The reply, of an agent that gives one in the form that was asked for.
    pub reply: Option<Value>,
    /// The last lines that are no JSON.
    pub text: Vec<String>,
}

/// Reads an output as it comes.
#[derive(Debug)]
pub struct Listener {
    events: Events,
    line: Vec<u8>,
    /// The line is too long, and its rest is passed over.
    overlong: bool,
    report: Report,
    calls: BTreeSet<String>,
    /// Whether a line was an event.
    spoke: bool,
}

impl Report {
    /// What the last call said, of an agent that called tools and none of the calls succeeded.
    #[must_use]
    pub fn no_call_succeeded(&self) -> Option<&str> {
        let calls = self.calls.unwrap_or(0);
        let all = calls > 0 && self.failed_calls >= calls;
        self.last_failure.as_deref().filter(|_| all)
    }
}

impl Listener {
    /// A listener to an agent that prints these events.
    #[must_use]
    pub fn new(events: Events) -> Self {
        Self {
            events,
            line: Vec::new(),
            overlong: false,
            report: Report::default(),
            calls: BTreeSet::new(),
            spoke: false,
        }
    }

    /// Takes more of the output. `tell` gets what the agent does.
    pub fn hear(&mut self, bytes: &[u8], tell: &mut dyn FnMut(Activity)) {
        if self.events == Events::Text {
            return;
        }
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let ends = part.ends_with(b"\n");
            if self.line.len() + part.len() > LONGEST_LINE {
                self.overlong = true;
                self.line.clear();
            }
            if !self.overlong {
                self.line.extend_from_slice(part);
            }
            if ends {
                self.end_line(tell);
            }
        }
    }

    /// The output has ended.
    #[must_use]
    pub fn finish(mut self, tell: &mut dyn FnMut(Activity)) -> Report {
        self.end_line(tell);
        if self.spoke && self.report.calls.is_none() {
            self.report.calls = Some(self.calls.len() as u64);
        }
        self.report
    }

    fn end_line(&mut self, tell: &mut dyn FnMut(Activity)) {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.overlong) {
            return;
        }
        let Some(value) = object(&line) else {
            let line = String::from_utf8_lossy(line.trim_ascii());
            if !line.is_empty() {
                let text = &mut self.report.text;
                text.push(line.chars().take(LONGEST_KEPT).collect());
                if text.len() > MOST_LINES {
                    text.remove(0);
                }
            }
            return;
        };
        let said = match self.events {
            Events::Text => Vec::new(),
            Events::Claude => claude::read(&value),
            Events::Codex => codex::read(&value),
            Events::Gemini => gemini::read(&value),
            Events::Opencode => opencode::read(&value),
            Events::Copilot => copilot::read(&value),
            Events::Chat => chat::read(&value),
        };
        self.spoke |= !said.is_empty();
        for said in said {
            self.take(said, tell);
        }
    }

    fn take(&mut self, said: Said, tell: &mut dyn FnMut(Activity)) {
        let report = &mut self.report;
        match said {
            Said::Session(id) => report.session = Some(id),
            Said::Model(model) => report.model = Some(model),
            Said::Version(version) => report.version = Some(version),
            Said::Call { id, activity } => {
                let count = self.calls.len();
                let id = id.unwrap_or_else(|| format!("#{count}"));
                if count < MOST_CALLS && self.calls.insert(id) {
                    tell(activity);
                }
            }
            Said::Failed(text) => {
                let activity = Activity::text(ActivityKind::Error, &text);
                report.failed_calls += 1;
                report.last_failure.clone_from(&activity.text);
                tell(activity);
            }
            Said::Message(text) => {
                if !text.trim().is_empty() {
                    tell(Activity::text(ActivityKind::Message, &text));
                    report.words = Some(bounded(&text));
                }
            }
            Said::More(text) => {
                let words = report.words.get_or_insert_default();
                if words.len() < LONGEST_WORDS {
                    words.push_str(&text);
                }
            }
            Said::Spent(tokens, cost) => {
                report.tokens = Some(report.tokens.unwrap_or_default().plus(tokens));
                if let Some(cost) = cost {
                    report.cost_usd = Some(report.cost_usd.unwrap_or_default() + cost);
                }
            }
            Said::Total(tokens, cost) => {
                report.tokens = tokens.or(report.tokens);
                report.cost_usd = cost.or(report.cost_usd);
            }
            Said::Calls(calls) => report.calls = Some(calls),
            Said::Error(text) => {
                tell(Activity::text(ActivityKind::Error, &text));
                report.errors.push(bounded(&text));
                if report.errors.len() > MOST_ERRORS {
                    report.errors.remove(0);
                }
            }
            Said::Ended { words, failed } => {
                report.failed = failed;
                if failed {
                    report.errors.push(bounded(&words));
                }
                if !words.trim().is_empty() {
                    report.words = Some(bounded(&words));
                }
            }
            Said::Reply(reply) => report.reply = Some(reply),
        }
    }
}

/// A line that is a JSON object.
fn object(line: &[u8]) -> Option<Value> {
    let line = line.trim_ascii();
    if !line.starts_with(b"{") {
        return None;
    }
    serde_json::from_slice(line).ok()
}

fn bounded(text: &str) -> String {
    let mut end = text.len().min(LONGEST_WORDS);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

fn shortened(text: &str) -> String {
    text.trim().chars().take(LONGEST_TEXT).collect()
}

/// The text of a key, where it is one and not empty.
fn text(value: &Value, key: &str) -> Option<String> {
    let text = value[key].as_str()?;
    (!text.is_empty()).then(|| bounded(text))
}

#[cfg(test)]
mod tests;
