//! The user's own configuration, which holds in all projects: agents, models, limits, output. What a project decides about
//! its tasks (scope, quality, findings) is not for it to say.

use std::env;
use std::path::PathBuf;

use toml::de::DeTable;

use super::{Agent, Config, FILE, Problem, read};
use crate::failure::Failure;

/// Sections that the file may have, and of each the keys; none means all.
const ALLOWED: &[(&str, &[&str])] = &[
    ("agent", &[]),
    ("build", &["attempts", "jobs"]),
    ("preflight", &["timeout"]),
    ("redact", &[]),
    ("verify", &["timeout"]),
    ("workers", &["url", "credentials", "tls", "agents", "slots"]),
];

/// `$XDG_CONFIG_HOME/ftl/config.toml`, else `~/.config/ftl/config.toml`. A relative directory is to be ignored, as its
/// specification says.
pub(super) fn path() -> Option<PathBuf> {
    let named = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let home = || Some(env::home_dir()?.join(".config"));
    let directory = named.filter(|path| path.is_absolute()).or_else(home)?;
    directory.is_absolute().then(|| directory.join("ftl/config.toml"))
}

/// The file and its text, where there is one.
pub(super) fn text() -> Result<Option<(PathBuf, String)>, Failure> {
    let Some(path) = path() else {
        return Ok(None);
    };
    Ok(super::text_of(&path, false)?.map(|text| (path, text)))
}

/// The configuration that the file's text holds. What only a project may decide is a problem.
pub(super) fn parse(text: &str) -> Result<Config, Vec<Problem>> {
    let config = Config::parse(text)?;
    let problems = misplaced(text);
    if problems.is_empty() { Ok(config) } else { Err(problems) }
}

fn misplaced(text: &str) -> Vec<Problem> {
    let Ok(document) = DeTable::parse(text) else {
        return Vec::new();
    };
    let mut problems = Vec::new();
    for (section, value) in document.get_ref() {
        let name = section.get_ref();
        let allowed = ALLOWED.iter().find(|(allowed, _)| allowed == name);
        let Some((_, keys)) = allowed else {
            problems.push(problem(&format!("[{name}]"), section.span()));
            continue;
        };
        let table = value.get_ref().as_table();
        let inner = table.into_iter().flat_map(|table| table.iter().map(|(key, _)| key));
        let refused = inner.filter(|key| !keys.is_empty() && !keys.contains(&&**key.get_ref()));
        problems
            .extend(refused.map(|key| problem(&format!("[{name}] {}", key.get_ref()), key.span())));
    }
    problems
}

fn problem(what: &str, span: std::ops::Range<usize>) -> Problem {
    Problem {
        code: "config::user",
        message: format!("`{what}` is for a project to decide"),
        help: Some(format!("move it to the project's `{FILE}`")),
        span,
    }
}

impl Config {
    /// This configuration, and what it leaves open as the other one has it.
    pub(super) fn above(mut self, other: Self) -> Self {
        self.attempts = self.attempts.or(other.attempts);
        self.jobs = self.jobs.or(other.jobs);
        self.default_agent = self.default_agent.or(other.default_agent);
        self.isolate = self.isolate.or(other.isolate);
        self.wait = self.wait.or(other.wait);
        self.verify.timeout = self.verify.timeout.or(other.verify.timeout);
        self.preflight.timeout = self.preflight.timeout.or(other.preflight.timeout);
        self.redact_off.extend(other.redact_off);
        for (name, theirs) in other.agents {
            let own = self.agents.remove(&name).unwrap_or_default();
            self.agents.insert(name, own.above(theirs));
        }
        let (own, theirs) = (&mut self.workers, other.workers);
        own.url = own.url.take().or(theirs.url);
        own.credentials = own.credentials.take().or(theirs.credentials);
        own.ca = own.ca.take().or(theirs.ca);
        own.certificate = own.certificate.take().or(theirs.certificate);
        own.slots = own.slots.or(theirs.slots);
        if own.agents.is_empty() {
            own.agents = theirs.agents;
        }
        self
    }
}

impl Agent {
    fn above(self, other: Self) -> Self {
        let or = |own: Vec<String>, other| if own.is_empty() { other } else { own };
        Self {
            // The words of a command are those of the file that has the command.
            args: if self.command.is_some() { self.args } else { or(self.args, other.args) },
            outage: or(self.outage, other.outage),
            command: self.command.or(other.command),
            model: self.model.or(other.model),
            effort: self.effort.or(other.effort),
            timeout: self.timeout.or(other.timeout),
            env: if self.env == Default::default() { other.env } else { self.env },
            isolate: self.isolate.or(other.isolate),
            wait: self.wait.or(other.wait),
        }
    }
}

/// The text of the file, for those who ask where a value comes from.
pub(super) fn raw() -> Option<(PathBuf, String)> {
    let path = path()?;
    let text = read(&path).ok()?;
    Some((path, text))
}
