//! What was said so far, whichever API carries it.

use serde_json::Value;

use crate::Tool;

/// Who said something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The person, or the agent in the person's name.
    User(String),
    /// The model.
    Model,
    /// A tool.
    Result(String),
}

/// What was said so far, and what the model may call.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    /// In order.
    pub turns: Vec<Turn>,
    /// What the agent offers.
    pub tools: Vec<Tool>,
    /// The form that the answer must have, where it must have one.
    pub form: Option<Value>,
}

/// What a prompt of ftl's asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The task.
    Implement,
    /// Repairing what does not parse.
    Mend,
    /// Applying a known fix.
    Fix,
}

/// In every prompt of ftl's, before a backtick: the file that takes the reply.
const REPLY: &str = "reply.json`";

impl Phase {
    fn of(text: &str) -> Option<Self> {
        let titles = [
            ("# Fix what preflight found", Self::Mend),
            ("# Apply a known fix", Self::Fix),
            ("# Task", Self::Implement),
        ];
        let is_there =
            |title: &str| text.lines().any(|line| line.trim_start_matches('"').trim_end() == title);
        let found = titles.into_iter().find(|(title, _)| is_there(title));
        found.filter(|_| text.contains(REPLY)).map(|(_, phase)| phase)
    }
}

impl Conversation {
    /// The phases of the prompts in it, in order.
    #[must_use]
    pub fn phases(&self) -> Vec<Phase> {
        let texts = self.turns.iter().filter_map(|turn| match turn {
            Turn::User(text) => Phase::of(text),
            Turn::Model | Turn::Result(_) => None,
        });
        texts.collect()
    }

    /// The last prompt: what it asks for, its text, and what was said since.
    #[must_use]
    pub fn prompt(&self) -> Option<(Phase, &str, &[Turn])> {
        let prompt = |(at, turn): (usize, &'_ Turn)| match turn {
            Turn::User(text) => Phase::of(text).map(|phase| (phase, at)),
            Turn::Model | Turn::Result(_) => None,
        };
        let (phase, at) = self.turns.iter().enumerate().rev().find_map(prompt)?;
        let Turn::User(text) = &self.turns[at] else {
            return None;
        };
        Some((phase, text, &self.turns[at + 1..]))
    }
}

/// The file that a prompt wants the reply in.
pub(crate) fn reply_file(prompt: &str) -> Option<&str> {
    let end = prompt.find(REPLY)? + REPLY.len() - 1;
    let start = prompt[..end].rfind('`')? + 1;
    Some(&prompt[start..end])
}

/// The text of a value that is a text, or parts of one.
pub(crate) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().map(|part| {
                let text = [&part["text"], &part["content"], part];
                let text = text.into_iter().find_map(Value::as_str);
                text.unwrap_or_default()
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
