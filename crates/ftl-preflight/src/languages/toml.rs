//! TOML.

use toml::de::DeTable;

use super::{Finding, MOST_FINDINGS, Outcome, Setting};
use crate::Reason;

/// TOML 1.1: grammar, repeated keys and tables.
pub(crate) fn check(text: &str, _: &Setting<'_>) -> Outcome {
    let (_, errors) = DeTable::parse_recoverable(text);
    if errors
        .iter()
        .any(|error| error.message().contains("recursion limit"))
    {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    let finding = |error: &toml::de::Error| {
        let range = error.span().unwrap_or(text.len()..text.len());
        Finding::syntax(error.message(), range)
    };
    Outcome::of(errors.iter().take(MOST_FINDINGS).map(finding).collect())
}
