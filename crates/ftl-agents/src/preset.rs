//! The table of agents, read from `presets.toml`, which explains its keys.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::OutageKind;

/// An agent that ftl knows how to start.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// What `--agent` takes.
    #[serde(skip)]
    pub name: String,
    /// What its makers call it.
    pub title: String,
    /// The program that is started.
    pub program: String,
    /// The package whose version it has.
    pub package: Package,
    /// What a newcomer has to do, in a sentence.
    pub setup: String,
    /// The version that the words of the table were run with; none where they follow its documentation.
    pub tested: Option<String>,
    /// How the task reaches it.
    pub prompt: PromptBy,
    /// Words that every command begins with.
    pub args: Vec<String>,
    /// Words for a project outside of git repositories.
    #[serde(default)]
    pub without_git: Vec<String>,
    /// Who chooses a session's ID.
    pub session: Option<SessionBy>,
    /// Words of a session that begins.
    #[serde(default)]
    pub begin: Vec<String>,
    /// Words of a session that goes on; none where every session is a new one.
    #[serde(default)]
    pub resume: Vec<String>,
    /// Words that choose a model; none where it can't be chosen.
    #[serde(default)]
    pub model: Vec<String>,
    /// Words that choose how much it thinks; none where that can't be chosen.
    #[serde(default)]
    pub effort: Vec<String>,
    /// Permissions where they cannot be given file by file.
    #[serde(default)]
    pub open: Vec<String>,
    /// Variables that go with them.
    #[serde(default)]
    pub open_env: BTreeMap<String, String>,
    /// Permissions for the delta's files alone.
    pub scoped: Option<Scoped>,
    /// The last words.
    #[serde(default)]
    pub end: Vec<String>,
    /// The last words of a session that goes on, where they differ.
    #[serde(default)]
    pub resume_end: Vec<String>,
    /// Variables, unless the user has set them.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// What it prints.
    pub events: Events,
    /// What the tokens that it reports count.
    pub usage: Usage,
    /// Whether it reports its cost in US dollars.
    #[serde(default)]
    pub cost: bool,
    /// Where it keeps what is its own.
    pub home: Option<Home>,
    /// Where a login or a key of it shows; none where only the agent itself knows.
    pub login: Option<LoginPlaces>,
    /// Words that try its tools without a model.
    #[serde(default, rename = "try")]
    pub tries: Vec<String>,
    /// Empty directories that its sandbox may leave in the root.
    #[serde(default)]
    pub leaves: Vec<String>,
    /// How the lines begin that it prints behind its answer, of one that prints text.
    #[serde(default)]
    pub trailer: Vec<String>,
    /// What it prints when it can't reach a model, beside what all agents print.
    #[serde(default)]
    pub outage: Vec<OutagePattern>,
    /// What starts it with ftl's own tools alone; none where it keeps others that write.
    pub contained: Option<Contained>,
}

/// What starts an agent with ftl's own tools alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contained {
    /// Words in place of those that give permissions.
    #[serde(default)]
    pub args: Vec<String>,
    /// Variables, whatever the user has set.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// Permissions for the delta's files alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scoped {
    /// Words before those for files.
    #[serde(default)]
    pub args: Vec<String>,
    /// Words for each file.
    #[serde(default)]
    pub file: Vec<String>,
    /// Variables.
    #[serde(default)]
    pub env: BTreeMap<String, Repeated>,
    /// A file that has to be written beside the reply.
    pub policy: Option<Repeated>,
}

/// A text with a part for each file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeated {
    /// All of it; `{files}` is replaced by the parts.
    pub text: String,
    /// The part for a file.
    pub file: String,
}

/// How an installed version differs from the tested one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionDifference {
    /// It may not know an option that is passed.
    Older,
    /// It may have changed the meaning of one.
    Newer,
}

impl VersionDifference {
    /// As a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Older => "older",
            Self::Newer => "newer",
        }
    }
}

/// A package by its registry.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Package {
    /// Of npm.
    Npm(String),
    /// Of the Python Package Index.
    Pypi(String),
    /// None: a command installs it.
    Script(String),
}

/// How the task reaches an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptBy {
    /// On standard input.
    Stdin,
    /// As an argument; a very long task as a file that the argument names.
    Argument,
    /// As a file.
    File,
}

/// Who chooses a session's ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionBy {
    /// ftl, which passes it to the agent.
    Ours,
    /// The agent, which prints it.
    Theirs,
}

/// What an agent prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Events {
    /// Text for people.
    #[default]
    Text,
    /// JSON lines as Claude Code and Qwen Code print them.
    Claude,
    /// As Codex prints them.
    Codex,
    /// As Gemini CLI prints them.
    Gemini,
    /// As opencode prints them.
    Opencode,
    /// As GitHub Copilot CLI prints them.
    Copilot,
    /// Messages of a chat, one a line, with the calls of tools in them.
    Chat,
}

impl Events {
    /// Its name in `presets.toml`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Copilot => "copilot",
            Self::Chat => "chat",
        }
    }
}

/// What reported tokens count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Usage {
    /// One request.
    Request,
    /// The whole session, earlier requests too.
    Session,
}

/// Where an agent keeps what is its own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Home {
    /// The variable that names another directory.
    pub variable: Option<String>,
    /// The directory, from the home directory.
    pub path: String,
}

/// Where a login or a key of an agent shows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoginPlaces {
    /// Variables that hold a key, or say where models are.
    pub variables: Vec<String>,
    /// Files, in JSON or TOML.
    #[serde(default)]
    pub files: Vec<LoginFile>,
}

/// A file in which an agent keeps a login.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoginFile {
    /// In the agent's own directory.
    pub path: String,
    /// Keys at the top of it that hold one.
    pub keys: Vec<String>,
}

/// A pattern, and the outage that it shows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutagePattern {
    /// What is missing.
    pub kind: OutageKind,
    /// A regular expression, letter case ignored.
    pub pattern: String,
}

/// Every preset, by name.
pub fn presets() -> &'static [Preset] {
    static PRESETS: OnceLock<Vec<Preset>> = OnceLock::new();
    PRESETS.get_or_init(|| {
        let table: BTreeMap<String, Preset> =
            toml::from_str(include_str!("presets.toml")).expect("because a test reads the table");
        let named = |(name, preset)| Preset { name, ..preset };
        table.into_iter().map(named).collect()
    })
}

impl Preset {
    /// The preset of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        presets().iter().find(|preset| preset.name == name)
    }

    /// How an installed version compares with the one that its words were run with; nothing where it is the same, or
    /// where either is unknown.
    #[must_use]
    pub fn difference(&self, installed: Option<&str>) -> Option<VersionDifference> {
        let tested = self.tested.as_deref()?;
        match numbers(installed?).cmp(&numbers(tested)) {
            Ordering::Less => Some(VersionDifference::Older),
            Ordering::Equal => None,
            Ordering::Greater => Some(VersionDifference::Newer),
        }
    }

    /// Whether a session of it can go on.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        !self.resume.is_empty()
    }

    /// How the package is installed.
    #[must_use]
    pub fn install(&self) -> String {
        match &self.package {
            Package::Npm(name) => format!("npm install --global {name}"),
            Package::Pypi(name) => format!("pip install {name}"),
            Package::Script(command) => command.clone(),
        }
    }
}

/// The numbers at the start of a version.
fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split(['.', '-', '+']);
    parts.map_while(|part| part.parse().ok()).collect()
}

/// The known word that a mistyped one is nearest to: at most two letters away, and fewer of a short one.
#[must_use]
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let word = word.to_lowercase();
    let away = |known: &str| strsim::damerau_levenshtein(&word, known);
    let most = if word.chars().count() < 5 { 1 } else { 2 };
    let near = known.into_iter().map(|known| (away(known), known));
    let near = near.filter(|(away, _)| *away <= most).min();
    near.map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::{Events, Preset, PromptBy, SessionBy, VersionDifference, nearest, presets};

    #[test]
    fn every_preset_can_be_started_and_says_how_it_is_set_up() {
        let names: Vec<&str> = presets().iter().map(|preset| preset.name.as_str()).collect();
        for expected in ["aider", "claude", "codex", "copilot", "gemini", "opencode", "qwen"] {
            assert!(names.contains(&expected), "{names:?}");
        }
        for preset in presets() {
            let name = &preset.name;
            assert_eq!(*name, preset.program);
            assert!(!preset.setup.is_empty() && preset.tested.as_deref() != Some(""), "{name}");
            // A session that goes on needs an ID, and a stream is where theirs is printed.
            assert_eq!(preset.goes_on(), preset.session.is_some(), "{name}");
            let theirs = preset.session == Some(SessionBy::Theirs);
            assert!(!theirs || preset.events != Events::Text, "{name}");
            let words = [&preset.args, &preset.end].into_iter().flatten();
            let text = words.filter(|word| word.contains("{text}")).count();
            let by_argument = preset.prompt == PromptBy::Argument;
            assert_eq!(text, usize::from(by_argument), "{name}");
        }
    }

    #[test]
    fn an_installed_version_is_older_or_newer_than_the_tested_one() {
        let claude = Preset::named("claude").unwrap();
        for (installed, expected) in [
            (Some("2.1.197"), Some(VersionDifference::Older)),
            (claude.tested.as_deref(), None),
            (Some("10.0.0-rc.1"), Some(VersionDifference::Newer)),
            (None, None),
        ] {
            assert_eq!(claude.difference(installed), expected, "{installed:?}");
        }
    }

    #[test]
    fn a_mistyped_name_is_distinguished_from_another_one() {
        let known = || presets().iter().map(|preset| preset.name.as_str());
        for (word, near) in [
            ("claud", Some("claude")),
            ("Codx", Some("codex")),
            ("opncode", Some("opencode")),
            ("make", None),
            ("sed", None),
            ("agent", None),
        ] {
            assert_eq!(nearest(word, known()), near, "{word}");
        }
    }
}
