//! Tables of TOML, read key by key: a key that the reader does not ask for is a problem.
//!
//! serde would stop at the first error. A configuration is reported whole instead, each problem at its
//! place. Which keys there are is not known here: see `sections.rs`.

use std::ops::Range;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::limits::parse_limit;

/// Jaro-Winkler similarity, 0 to 1, from which on a known word is suggested for an unknown one.
const MIN_SIMILARITY: f64 = 0.6;

/// Something wrong in a configuration.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// Where, in bytes.
    pub(crate) span: Range<usize>,
}

/// Everything that is wrong in a configuration.
#[derive(Debug, Default)]
pub(super) struct Problems(Vec<Problem>);

impl Problems {
    /// A value that cannot be used.
    pub(super) fn value(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.0.push(Problem { code: "config::value", message: message.into(), help: None, span });
    }

    /// A word that is none of the known ones.
    pub(super) fn unknown(&mut self, what: &str, word: &str, known: &[&str], span: Range<usize>) {
        let list: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
        let help = match nearest(word, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known here: {}", list.join(", ")),
        };
        self.0.push(Problem {
            code: "config::unknown",
            message: format!("unknown {what} `{word}`"),
            help: Some(help),
            span,
        });
    }

    /// Text that is no TOML.
    pub(super) fn syntax(&mut self, error: &toml::de::Error) {
        self.0.push(Problem {
            code: "config::syntax",
            message: error.message().to_owned(),
            help: None,
            span: error.span().unwrap_or_default(),
        });
    }

    /// The value, unless something is wrong; in the order of the text.
    pub(super) fn into_result<T>(mut self, value: T) -> Result<T, Vec<Problem>> {
        self.0.sort_by_key(|problem| problem.span.start);
        if self.0.is_empty() { Ok(value) } else { Err(self.0) }
    }
}

fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let similarity = |known: &str| strsim::jaro_winkler(word, known);
    known
        .iter()
        .copied()
        .filter(|known| similarity(known) >= MIN_SIMILARITY)
        .max_by(|a, b| similarity(a).total_cmp(&similarity(b)))
}

/// A value and its place.
pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// A table that is being read. Dropping it without [`Table::finish`] would hide unknown keys.
#[must_use = "unknown keys are found by `finish`"]
pub(super) struct Table<'t, 'p> {
    entries: DeTable<'t>,
    known: Vec<&'static str>,
    problems: &'p mut Problems,
}

impl<'t, 'p> Table<'t, 'p> {
    pub(super) fn new(entries: DeTable<'t>, problems: &'p mut Problems) -> Self {
        Self { entries, known: Vec::new(), problems }
    }

    /// Takes the value of a key out of the table.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Value<'t>> {
        self.known.push(key);
        self.entries.remove(key)
    }

    /// Reads the table below a key; `None` when there is no such key.
    pub(super) fn table<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Table<'t, '_>) -> T,
    ) -> Option<T> {
        let value = self.take(key)?;
        read_table(value, self.problems, read)
    }

    pub(super) fn string(&mut self, key: &'static str) -> Option<Spanned<String>> {
        let value = self.take(key)?;
        string(value, self.problems)
    }

    pub(super) fn strings(&mut self, key: &'static str) -> Option<Vec<Spanned<String>>> {
        let value = self.take(key)?;
        strings(value, self.problems)
    }

    /// One of several words, each with what it means.
    pub(super) fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&'static str, T)],
    ) -> Option<T> {
        let word = self.string(key)?;
        let found = choices.iter().find(|(name, _)| name == word.get_ref());
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            self.problems.unknown("value", word.get_ref(), &names, word.span());
        }
        found.map(|(_, choice)| *choice)
    }

    /// A time limit: a number of seconds, or a string with a unit.
    pub(super) fn limit(&mut self, key: &'static str) -> Option<Duration> {
        let value = self.take(key)?;
        let span = value.span();
        let text = match value.into_inner() {
            DeValue::String(text) => text.into_owned(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
            other => format!("a {}", other.type_str()),
        };
        let limit = parse_limit(&text);
        limit.map_err(|message| self.problems.value(span, message)).ok()
    }

    /// A number from 1 on.
    pub(super) fn count(&mut self, key: &'static str) -> Option<u32> {
        let value = self.take(key)?;
        let span = value.span();
        let number = match value.into_inner() {
            DeValue::Integer(number) => u32::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        let number = number.filter(|number| *number > 0);
        if number.is_none() {
            self.problems.value(span, "this must be a number from 1 on");
        }
        number
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, key: &'static str) -> Option<bool> {
        let value = self.take(key)?;
        let span = value.span();
        let DeValue::Boolean(flag) = value.into_inner() else {
            self.problems.value(span, "this must be `true` or `false`");
            return None;
        };
        Some(flag)
    }

    /// Everything that is left: tables whose keys the user chooses, such as agents' names.
    pub(super) fn rest(&mut self) -> Vec<(Spanned<String>, Value<'t>)> {
        let owned =
            |key: Spanned<DeString<'_>>| Spanned::new(key.span(), key.into_inner().into_owned());
        std::mem::take(&mut self.entries)
            .into_iter()
            .map(|(key, value)| (owned(key), value))
            .collect()
    }

    pub(super) fn problems(&mut self) -> &mut Problems {
        self.problems
    }

    fn finish(self) {
        for key in self.entries.keys() {
            self.problems.unknown("key", key.get_ref(), &self.known, key.span());
        }
    }
}

/// Reads a value that must be a table, and refuses the keys that `read` does not ask for.
pub(super) fn read_table<'t, T>(
    value: Value<'t>,
    problems: &mut Problems,
    read: impl FnOnce(&mut Table<'t, '_>) -> T,
) -> Option<T> {
    let span = value.span();
    let DeValue::Table(entries) = value.into_inner() else {
        problems.value(span, "this must be a table");
        return None;
    };
    let mut table = Table::new(entries, problems);
    let read = read(&mut table);
    table.finish();
    Some(read)
}

pub(super) fn strings(value: Value<'_>, problems: &mut Problems) -> Option<Vec<Spanned<String>>> {
    let span = value.span();
    let DeValue::Array(values) = value.into_inner() else {
        problems.value(span, "this must be a list of strings");
        return None;
    };
    values.into_iter().map(|value| string(value, problems)).collect()
}

pub(super) fn string(value: Value<'_>, problems: &mut Problems) -> Option<Spanned<String>> {
    let span = value.span();
    match value.into_inner() {
        DeValue::String(text) => Some(Spanned::new(span, text.into_owned())),
        other => {
            let message = format!("this must be a string, not a {}", other.type_str());
            problems.value(span, message);
            None
        }
    }
}
