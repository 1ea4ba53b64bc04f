use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the code of a task must and must not use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Idioms {
    /// Name of the framework the idioms belong to.
    pub framework: Option<String>,
    /// Idioms that must be present.
    pub required: Vec<Idiom>,
    /// Idioms that must not be brought in.
    pub forbidden: Vec<Idiom>,
}

/// One idiom: prose, and optionally a rule that decides it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Idiom {
    /// The idiom as text; `None` for an element without text.
    pub text: Option<String>,
    /// Name of a registry rule.
    pub rule: Option<String>,
    /// Regular expression over the whole text of a file.
    pub regex: Option<String>,
    /// Structural pattern, in the language that `language` names.
    pub pattern: Option<String>,
    /// Language of `pattern`.
    pub language: Option<String>,
}

impl Idiom {
    /// An idiom that is prose alone.
    pub fn prose(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }
}
