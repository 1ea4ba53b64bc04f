//! What the model does, act by act.

use std::fmt;

use serde_json::{Value, json};

use crate::conversation::reply_file;
use crate::offered::{Wanted, call, plain};
use crate::{Conversation, Phase, Tool, Turn};

const PATH: &[&str] = &["path", "file_path", "filePath", "absolute_path"];

/// Something that a model does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Reads a file.
    Read(String),
    /// Replaces `old` by `new` in a file, which is `whole` then.
    Edit {
        /// The file.
        path: String,
        /// Its content.
        old: String,
        /// The text to write there.
        new: String,
        /// All of the file afterwards.
        whole: String,
    },
    /// Writes a whole file.
    Write {
        /// The file.
        path: String,
        /// All of it.
        content: String,
    },
    /// Runs a command.
    Shell(String),
    /// Replies that it needs a file.
    Needs(String),
    /// Replies that nothing has to change.
    NoChange,
}

/// A server that does not answer as it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It knows no such key.
    Refused,
    /// It says nothing.
    Silent,
}

/// What the model does in each phase of a task.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The task.
    pub implement: Vec<Act>,
    /// The same, of several tasks: by the prompt of one.
    pub by_prompt: Option<fn(&str) -> Vec<Act>>,
    /// When it is asked for a repair.
    pub mend: Vec<Act>,
    /// When it is asked to apply a fix.
    pub fix: Vec<Act>,
    /// The root, for agents that take absolute paths alone.
    pub root: String,
    /// The agent offers no tools and reads what is to change from the text.
    pub in_text: bool,
    /// The model's last words hold the key that came with the request.
    pub says_key: bool,
    /// The server answers nothing but this.
    pub trouble: Option<Trouble>,
}

/// What the model says to a request.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Say(Say),
    Trouble(Trouble),
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) enum Say {
    /// A text, which ends the turn.
    Text(String),
    /// A call of a tool, under an ID that no other call of the conversation has.
    Call(String, Tool, Value),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Say(Say::Text(text)) => write!(f, "says {text:?}"),
            Self::Say(Say::Call(_, tool, arguments)) => {
                write!(f, "calls {} {arguments}", tool.name)
            }
            Self::Trouble(trouble) => write!(f, "{trouble:?}"),
        }
    }
}

impl Script {
    pub(crate) fn answer(&self, conversation: &Conversation, key: &str) -> Answer {
        match self.trouble {
            Some(trouble) => Answer::Trouble(trouble),
            None => Answer::Say(self.say(conversation, key)),
        }
    }

    fn say(&self, conversation: &Conversation, key: &str) -> Say {
        let Some((phase, prompt, since)) = conversation.prompt() else {
            // An agent asks for titles and the like.
            return Say::Text("A task".to_owned());
        };
        // An agent asks how hard the task is, say.
        if let Some(form) = &conversation.form {
            return Say::Text(plain(form).to_string());
        }
        let of_task = self.by_prompt.map(|acts| acts(prompt));
        let acts = match phase {
            Phase::Implement => of_task.as_ref().unwrap_or(&self.implement),
            Phase::Mend => &self.mend,
            Phase::Fix => &self.fix,
        };
        let last = match self.says_key {
            true => format!("The work is done. The key is {key}."),
            false => "The work is done.".to_owned(),
        };
        let tools = &conversation.tools;
        if self.in_text {
            // It asks again, and forgets the answer, when a file is named that it had not shown.
            let blocks = acts.iter().filter_map(in_text);
            let reply = acts.iter().filter_map(reply_in_text);
            return Say::Text(blocks.chain([last]).chain(reply).collect());
        }
        if tools.is_empty() {
            return Say::Text("A task".to_owned());
        }
        let results = since.iter().filter(|turn| matches!(turn, Turn::Result(_)));
        let mut calls = acts.iter().filter_map(|act| self.call(act, prompt, tools));
        match calls.nth(results.count()) {
            Some((tool, arguments)) => {
                let id = format!("call_{}", conversation.turns.len());
                Say::Call(id, tool, arguments)
            }
            // A model that can't write the reply says it.
            None => {
                let unsaid = acts.iter().filter(|act| self.call(act, prompt, tools).is_none());
                Say::Text(last + &unsaid.filter_map(reply_in_text).collect::<String>())
            }
        }
    }

    /// The call that an act is with these tools; none where they do not serve.
    fn call(&self, act: &Act, prompt: &str, tools: &[Tool]) -> Option<(Tool, Value)> {
        // ftl's own tools take paths from the root.
        let is_theirs = !tools.iter().any(Tool::is_ftls);
        let at = |path: &str| match is_theirs && !path.starts_with('/') {
            true => json!(format!("{}/{path}", self.root)),
            false => json!(path),
        };
        let shell = |command: &str| {
            let command = (["command", "cmd", "script"].as_slice(), json!(command));
            call(tools, Wanted::Shell, &[command])
        };
        match act {
            Act::Read(path) => call(tools, Wanted::Read, &[(PATH, at(path))])
                .or_else(|| shell(&format!("cat '{path}'"))),
            Act::Edit { path, old, new, whole } => {
                let values: [(&[&str], Value); 3] = [
                    (PATH, at(path)),
                    (&["old_string", "oldString", "old", "old_str"], json!(old)),
                    (&["new_string", "newString", "new", "new_str"], json!(new)),
                ];
                call(tools, Wanted::Edit, &values).or_else(|| shell(&written(path, whole)))
            }
            Act::Write { path, content } => {
                let values: [(&[&str], Value); 2] =
                    [(PATH, at(path)), (&["content", "contents", "file_text"], json!(content))];
                call(tools, Wanted::Write, &values).or_else(|| shell(&written(path, content)))
            }
            Act::Shell(command) => shell(command),
            Act::Needs(path) => {
                let values: [(&[&str], Value); 1] = [(&["paths"], json!([path]))];
                call(tools, Wanted::Needs, &values).or_else(|| {
                    self.call(&reply(prompt, &json!({"needs": [path]}))?, prompt, tools)
                })
            }
            Act::NoChange => call(tools, Wanted::NoChange, &[])
                .or_else(|| self.call(&reply(prompt, &json!({"no_change": true}))?, prompt, tools)),
        }
    }
}

/// The reply as a file.
fn reply(prompt: &str, reply: &Value) -> Option<Act> {
    Some(Act::Write { path: reply_file(prompt)?.to_owned(), content: format!("{reply}\n") })
}

/// A command that writes a file.
fn written(path: &str, content: &str) -> String {
    format!("cat >'{path}' <<'THE_END'\n{content}THE_END")
}

/// An act as a block of text, for an agent that reads those.
fn in_text(act: &Act) -> Option<String> {
    let block = |path: &str, old: &str, new: &str| {
        format!("{path}\n```\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n\n")
    };
    let line = |text: &str| match text.is_empty() || text.ends_with('\n') {
        true => text.to_owned(),
        false => format!("{text}\n"),
    };
    match act {
        Act::Edit { path, old, new, .. } => Some(block(path, &line(old), &line(new))),
        Act::Write { path, content } => Some(block(path, "", &line(content))),
        Act::Read(_) | Act::Shell(_) | Act::Needs(_) | Act::NoChange => None,
    }
}

fn reply_in_text(act: &Act) -> Option<String> {
    let reply = match act {
        Act::Needs(path) => json!({"needs": [path]}),
        Act::NoChange => json!({"no_change": true}),
        Act::Read(_) | Act::Edit { .. } | Act::Write { .. } | Act::Shell(_) => return None,
    };
    Some(format!("\n\n```json\n{reply}\n```\n"))
}
