//! A rule as its YAML file holds it.

use std::collections::HashMap;

use ast_grep_config::{SerializableRule, SerializableRuleCore};
use serde::Deserialize;

use super::language::Language;

/// Rules in one file.
const MAX_RULES: usize = 1_000;

/// One document of a rule file.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Definition {
    pub(super) id: String,
    pub(super) kind: RuleKind,
    #[serde(default)]
    pub(super) framework: Option<String>,
    #[serde(default)]
    pub(super) texts: Vec<String>,
    pub(super) languages: Vec<String>,
    /// Globs of the paths in which `find` counts; none: everywhere.
    #[serde(default)]
    pub(super) files: Vec<String>,
    /// Globs of paths that the rule leaves alone.
    #[serde(default)]
    pub(super) ignores: Vec<String>,
    #[serde(default = "yes")]
    pub(super) in_tests: bool,
    #[serde(default)]
    pub(super) severity: Severity,
    #[serde(default)]
    pub(super) why: Option<String>,
    #[serde(default)]
    pub(super) repair: Option<String>,
    /// Whether finding nothing is no proof.
    #[serde(default)]
    pub(super) partial: bool,
    /// What must be there for the rule to have anything to say.
    #[serde(default)]
    guard: Option<SerializableRule>,
    find: SerializableRule,
    #[serde(default)]
    utils: Option<HashMap<String, SerializableRule>>,
    #[serde(default)]
    constraints: Option<HashMap<String, SerializableRule>>,
    #[serde(default)]
    pub(super) valid: Vec<Example>,
    #[serde(default)]
    pub(super) invalid: Vec<Example>,
    /// Code that a guard leaves alone.
    #[serde(default)]
    pub(super) elsewhere: Vec<Example>,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RuleKind {
    Required,
    Forbidden,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Severity {
    #[default]
    Error,
    Warning,
}

/// Code, in a file of the rule's language or in one that is named.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Example {
    Code(String),
    File { path: String, code: String },
}

impl Definition {
    /// The rules of a file, in order.
    ///
    /// # Errors
    ///
    /// In one line, what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Vec<Self>, String> {
        let rules: Vec<Self> = ast_grep_config::from_multiple(text)
            .map_err(|error| error.to_string().lines().next().unwrap_or_default().to_owned())?;
        if rules.len() > MAX_RULES {
            return Err(format!("it holds more than {MAX_RULES} rules"));
        }
        for rule in &rules {
            let id = &rule.id;
            if id.is_empty() || id.contains(|c: char| c.is_whitespace() || "[]:".contains(c)) {
                return Err(format!("`{id}` is no name of a rule"));
            }
            let unknown = rule.languages.iter().find(|it| Language::named(it).is_empty());
            if let Some(unknown) = unknown {
                return Err(format!("rule `{id}`: no structural rule reads `{unknown}`"));
            }
            if rule.languages.is_empty() {
                return Err(format!("rule `{id}` names no language"));
            }
        }
        Ok(rules)
    }

    /// The languages that it reads.
    pub(super) fn languages(&self) -> Vec<Language> {
        let named = self.languages.iter().flat_map(|name| Language::named(name));
        let mut languages = Vec::new();
        for language in named {
            if !languages.contains(language) {
                languages.push(*language);
            }
        }
        languages
    }

    pub(super) fn find(&self) -> SerializableRuleCore {
        self.core(&self.find)
    }

    pub(super) fn guard(&self) -> Option<SerializableRuleCore> {
        self.guard
            .as_ref()
            .map(|guard| SerializableRuleCore { constraints: None, ..self.core(guard) })
    }

    fn core(&self, rule: &SerializableRule) -> SerializableRuleCore {
        SerializableRuleCore {
            rule: rule.clone(),
            constraints: self.constraints.clone(),
            utils: self.utils.clone(),
            transform: None,
        }
    }
}
