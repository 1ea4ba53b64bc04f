//! An agent as the user chose it, and the command of a request.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::preset::{OutagePattern, Preset, PromptBy, Repeated, SessionBy, Usage};
use crate::quoting::quoted;
use crate::{Events, OutageKind};

/// Bytes of a task that an argument carries; the system takes 128 KiB at most for one.
const LONGEST_ARGUMENT: usize = 96 << 10;
/// Files that permissions are given for one by one; a command of more would be too long.
const MOST_FILES: usize = 200;

/// An agent as the user chose it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// Its name in the configuration, or that of a preset; none of a mere command.
    pub name: Option<String>,
    /// The user's own shell command; a preset's where there is none.
    pub command: Option<String>,
    /// The model that was asked for.
    pub model: Option<String>,
    /// How much it should think.
    pub effort: Option<String>,
    /// More words for the command.
    pub args: Vec<String>,
    /// What it prints when it can't reach a model, as the configuration says: regular expressions.
    pub outage: Vec<String>,
    /// The program ftl, whose tools are then the only ones of an agent that can be restricted so.
    pub contained: Option<String>,
}

/// Something that was asked of an agent that can't do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It has no choice of models on its command line.
    Model,
    /// It has no choice of efforts there.
    Effort,
}

/// What the command of a request depends on.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The delta, from the root.
    pub delta: &'a [&'a str],
    /// Globs of files that may change beside it.
    pub allowed: &'a [String],
    /// The root, absolute.
    pub root: &'a str,
    /// Whether the root is in a git repository.
    pub in_git: bool,
    /// Bytes of the task.
    pub length: usize,
    /// The conversation.
    pub session: Session<'a>,
}

/// The conversation that a request is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Session<'a> {
    /// A new one, under this ID where ftl chooses it.
    Begin(&'a str),
    /// One that goes on.
    Resume(&'a str),
}

/// A command, and what has to lie beside the reply for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// For `sh -c`.
    pub command: String,
    /// The text of `policy.toml`.
    pub policy: Option<String>,
    /// Variables, unless the user has set them.
    pub env: Vec<(&'static str, String)>,
}

/// What the words of a command may name.
const VARIABLES: [(&str, &str); 4] = [
    ("{reply}", "$FTL_REPLY"),
    ("{prompt}", "$FTL_PROMPT"),
    ("{home}", "$HOME"),
    ("{policy}", "${FTL_REPLY%/*}/policy.toml"),
];

impl Agent {
    /// A shell command without a name.
    #[must_use]
    pub fn of_command(command: impl Into<String>) -> Self {
        Self { command: Some(command.into()), ..Self::default() }
    }

    /// The preset that it is started by: none for a user's own command.
    #[must_use]
    pub fn preset(&self) -> Option<&'static Preset> {
        match (&self.command, &self.name) {
            (None, Some(name)) => Preset::named(name),
            _ => None,
        }
    }

    /// The options that it cannot be given.
    #[must_use]
    pub fn unfit(&self) -> Option<Unfit> {
        let preset = self.preset()?;
        if self.model.is_some() && preset.model.is_empty() {
            return Some(Unfit::Model);
        }
        (self.effort.is_some() && preset.effort.is_empty()).then_some(Unfit::Effort)
    }

    /// What it prints.
    #[must_use]
    pub fn events(&self) -> Events {
        self.preset().map(|preset| preset.events).unwrap_or_default()
    }

    /// Whether it reports the tokens that it used.
    #[must_use]
    pub fn reports_tokens(&self) -> bool {
        match self.events() {
            Events::Claude
            | Events::Codex
            | Events::Gemini
            | Events::Opencode
            | Events::Copilot => true,
            Events::Text | Events::Chat => false,
        }
    }

    /// Whether it reports the cost of its calls in US dollars.
    #[must_use]
    pub fn reports_cost(&self) -> bool {
        self.preset().is_some_and(|preset| preset.cost)
    }

    /// Whether the tokens that it reports count the whole session.
    #[must_use]
    pub fn counts_sessions(&self) -> bool {
        self.preset().is_some_and(|preset| preset.usage == Usage::Session)
    }

    /// Whether ftl chooses its session's ID.
    #[must_use]
    pub fn takes_session(&self) -> bool {
        self.preset().is_some_and(|preset| preset.session == Some(SessionBy::Ours))
    }

    /// Whether a session of it can go on.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.preset().is_some_and(Preset::goes_on)
    }

    /// The text that it printed up to the lines that always come behind its answer.
    #[must_use]
    pub fn answer_in<'t>(&self, text: &'t str) -> &'t str {
        let mut text = text;
        while let Some(start) = self.trailer_in(text) {
            let before = text[..start].trim_end();
            // Of several in a row the first; one further up ended another answer.
            let goes_on = before.rfind('\n').map_or(0, |at| at + 1);
            text = before;
            if !self.is_trailer(&before[goes_on..]) {
                break;
            }
        }
        text.trim_end()
    }

    /// Whether the text that it printed shows that a model answered; `None` of an agent that does not show it.
    #[must_use]
    pub fn was_answered(&self, text: &str) -> Option<bool> {
        let shows = self.preset().is_some_and(|preset| !preset.trailer.is_empty());
        shows.then(|| self.trailer_in(text).is_some())
    }

    /// Where the last line begins that comes behind an answer.
    fn trailer_in(&self, text: &str) -> Option<usize> {
        let mut end = text.len();
        for line in text.split_inclusive('\n').rev() {
            end -= line.len();
            if self.is_trailer(line) {
                return Some(end);
            }
        }
        None
    }

    fn is_trailer(&self, line: &str) -> bool {
        let trailer = self.preset().map_or(&[][..], |preset| &preset.trailer);
        trailer.iter().any(|begin| line.starts_with(begin))
    }

    /// What it prints when it can't reach a model, beside what all agents print.
    pub(crate) fn outages(&self) -> Vec<OutagePattern> {
        let own = self
            .outage
            .iter()
            .map(|pattern| OutagePattern { kind: OutageKind::Server, pattern: pattern.clone() });
        let preset = self.preset().map(|preset| preset.outage.clone());
        own.chain(preset.into_iter().flatten()).collect()
    }

    /// The command of a request.
    #[must_use]
    pub fn command(&self, request: &Request<'_>) -> Started {
        match (self.preset(), &self.command) {
            (Some(preset), _) => self.by_preset(preset, request),
            (None, Some(command)) => self.by_command(command),
            (None, None) => self.by_command(self.name.as_deref().unwrap_or_default()),
        }
    }

    /// A user's own command reads its model from the environment.
    fn by_command(&self, command: &str) -> Started {
        let args = self.args.iter().map(|word| format!(" {}", quoted(word, &[])));
        let variables = [("FTL_MODEL", &self.model), ("FTL_EFFORT", &self.effort)];
        let set = variables.into_iter().filter_map(|(name, value)| Some((name, value.clone()?)));
        Started {
            command: format!("{command}{}", args.collect::<String>()),
            policy: None,
            env: set.collect(),
        }
    }

    fn by_preset(&self, preset: &'static Preset, request: &Request<'_>) -> Started {
        let contained = self.contained.as_ref().zip(preset.contained.as_ref());
        let ftl = contained.map(|(ftl, _)| serde_json::Value::from(ftl.as_str()).to_string());
        let scoped = preset.scoped.as_ref();
        let scoped = scoped.filter(|_| contained.is_none() && can_be_scoped(request));
        let (session, id) = match request.session {
            Session::Begin(id) => (&preset.begin, id),
            Session::Resume(id) => (&preset.resume, id),
        };
        let mut words: Vec<String> = vec![preset.program.clone()];
        words.extend(preset.args.iter().cloned());
        if !request.in_git {
            words.extend(preset.without_git.iter().cloned());
        }
        words.extend(filled(session, "{session}", id));
        let chosen =
            [("{model}", &self.model, &preset.model), ("{effort}", &self.effort, &preset.effort)];
        for (name, value, template) in chosen {
            if let Some(value) = value {
                words.extend(filled(template, name, value));
            }
        }
        words.extend(self.args.iter().cloned());
        match (contained, scoped) {
            (Some((_, contained)), _) => {
                let ftl = ftl.as_deref().unwrap_or_default();
                words.extend(filled(&contained.args, "{ftl}", ftl));
            }
            (None, Some(scoped)) => {
                words.extend(scoped.args.iter().cloned());
                for path in request.delta {
                    words.extend(filled(&scoped.file, "{path}", path));
                }
            }
            (None, None) => words.extend(preset.open.iter().cloned()),
        }
        let end = match request.session {
            Session::Resume(_) if !preset.resume_end.is_empty() => &preset.resume_end,
            Session::Resume(_) | Session::Begin(_) => &preset.end,
        };
        words.extend(filled(end, "{session}", id));
        let mut env: Vec<(&'static str, String)> = variables(&preset.env);
        match (contained, scoped) {
            (Some(_), _) => {}
            (None, Some(scoped)) => env.extend(
                scoped.env.iter().map(|(name, value)| (name.as_str(), repeated(value, request))),
            ),
            (None, None) => env.extend(variables(&preset.open_env)),
        }
        let policy = scoped.and_then(|scoped| scoped.policy.as_ref());
        let set = contained.into_iter().flat_map(|(_, it)| &it.env);
        let set = set.map(|(name, value)| {
            let value = value.replace("{ftl}", ftl.as_deref().unwrap_or_default());
            format!("{name}={} ", quoted(&value, &[]))
        });
        let command = shell_words(&words, preset.prompt, request.length);
        Started {
            command: set.collect::<String>() + &command,
            policy: policy.map(|policy| repeated(policy, request)),
            env,
        }
    }
}

fn variables(
    table: &'static std::collections::BTreeMap<String, String>,
) -> Vec<(&'static str, String)> {
    let entries = table.iter();
    entries.map(|(name, value)| (name.as_str(), value.clone())).collect()
}

/// Words for the shell. A task that is too long for an argument is named instead.
fn shell_words(words: &[String], prompt: PromptBy, length: usize) -> String {
    let names_it = prompt == PromptBy::Argument && length > LONGEST_ARGUMENT;
    let text = |word: &String| match word.as_str() {
        "{text}" if names_it => {
            quoted("Read the file {prompt} and do the task that it describes.", &VARIABLES)
        }
        "{text}" => "\"$(cat \"$FTL_PROMPT\")\"".to_owned(),
        "{files}" => "\"$@\"".to_owned(),
        word => quoted(word, &VARIABLES),
    };
    let words: Vec<String> = words.iter().map(text).collect();
    words.join(" ")
}

fn filled<'a>(
    words: &'a [String],
    name: &'a str,
    value: &'a str,
) -> impl Iterator<Item = String> + 'a {
    words.iter().map(move |word| word.replace(name, value))
}

fn repeated(text: &Repeated, request: &Request<'_>) -> String {
    let part = |path: &&str| {
        text.file
            .replace("{path}", path)
            .replace("{pattern}", &pattern(path))
            .replace("{root}", &pattern(request.root))
    };
    let parts: String = request.delta.iter().map(part).collect();
    let text = text.text.replace("{root}", &pattern(request.root));
    text.replace("{files}", &parts)
}

/// A path as a regular expression that no agent calls unsafe.
fn pattern(path: &str) -> String {
    path.replace('.', "[.]")
}

/// Whether the permission languages of all agents can name these files: each has its own idea of what a bracket,
/// a space or a star is. Where others may change too, they are not distinguished.
fn can_be_scoped(request: &Request<'_>) -> bool {
    let plain = |path: &str| {
        let known = |c: char| c.is_ascii_alphanumeric() || "_./@-".contains(c);
        path.chars().all(known)
    };
    request.allowed.is_empty()
        && request.delta.len() <= MOST_FILES
        && plain(request.root)
        && request.delta.iter().all(|path| plain(path))
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Model => "model",
            Self::Effort => "effort",
        })
    }
}

#[cfg(test)]
mod tests;
