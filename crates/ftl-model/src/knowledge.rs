//! What earlier tasks learned, as the document says it and as a match is stored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What earlier tasks learned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PriorKnowledge {
    /// Errors met before, with what fixed them.
    pub failures: Vec<Failure>,
    /// Approaches that saved work.
    pub patterns: Vec<Pattern>,
}

/// An error met before, with what fixed it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// Name by which it is referred to.
    pub name: Option<String>,
    /// Tokens it cost when it was met.
    pub cost: i64,
    /// The error's text.
    pub trigger: String,
    /// What fixes it: prose, or as `fix_kind` says.
    pub fix: String,
    /// How `fix` is to be read: `patch`, `command` or `rerun`; prose when absent.
    pub fix_kind: Option<String>,
    /// Regular expression that recognises the error; the `match` element.
    pub pattern: Option<String>,
    /// Whether a memory put it there.
    pub injected: bool,
    /// Words such as `flaky`.
    pub tags: Vec<String>,
}

/// What is to be done about a failure, as its `fix` and the fix's kind say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy<'a> {
    /// Words for an implementer; what an unknown kind is taken for.
    Prose(&'a str),
    /// A unified diff.
    Patch(&'a str),
    /// A shell command, trimmed.
    Command(&'a str),
    /// The verify runs again.
    Rerun,
}

impl Failure {
    /// What is to be done about it. This is the one place where the kind's word is read; blanks
    /// around it do not count.
    #[must_use]
    pub fn remedy(&self) -> Remedy<'_> {
        match self.fix_kind.as_deref().map(str::trim) {
            Some("patch") => Remedy::Patch(&self.fix),
            Some("command") => Remedy::Command(self.fix.trim()),
            Some("rerun") => Remedy::Rerun,
            Some(_) | None => Remedy::Prose(self.fix.trim()),
        }
    }
}

/// An approach that saved work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pattern {
    /// Name by which it is referred to.
    pub name: Option<String>,
    /// Tokens it saved.
    pub saved: i64,
    /// When it applies.
    pub trigger: String,
    /// What to do.
    pub insight: String,
    /// Whether a memory put it there.
    pub injected: bool,
}

/// An entry of prior knowledge that turned out useful.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Utilized {
    /// Name of the entry.
    #[serde(default)]
    pub name: Option<String>,
    /// `failure` or `pattern`; `failure` where nothing is said.
    #[serde(rename = "type", default = "failure")]
    pub kind: String,
}

/// A known failure that fits an error.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Known")]
pub struct KnownFailure {
    /// Its place in the workspace, from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Its fix, in one line.
    pub fix: String,
    /// Why it fits.
    pub rationale: String,
    /// True where the fix is to run the verify again.
    pub rerun: bool,
}

/// An entry of prior knowledge that an implementer made use of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Used {
    /// Its name in the workspace.
    pub name: String,
    /// `failure` or `pattern`.
    #[serde(rename = "type")]
    pub kind: String,
}

fn failure() -> String {
    "failure".to_owned()
}

#[cfg(test)]
mod tests {
    use super::Utilized;

    #[test]
    fn a_used_memory_is_a_failure_unless_it_says_otherwise() {
        let used: Vec<Utilized> =
            serde_json::from_str(r#"[{"name": "a"}, {"name": "b", "type": "pattern"}]"#).unwrap();
        let kinds: Vec<&str> = used.iter().map(|entry| entry.kind.as_str()).collect();
        assert_eq!(kinds, ["failure", "pattern"]);
    }
}
