//! Secrets of a run: kept out of what is written, and counted.
//!
//! What children print is redacted as it streams, so that everything read afterwards sees the redacted
//! text. What ftl writes is redacted where it is written: journal, prompts, the record. A task's own
//! text stays as it is in the machine, since its command is to be run: a journal that is read back gets
//! it from the document again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ftl_process::{Filter, Filters};
use ftl_store::StoreError;
use ftl_text::redact::{RedactionCounts, Stream, add, summary};
use ftl_text::{Redactor, escape_json};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::tail::Tail;
use crate::run::session::brief::Source;

/// The redactor of a run, with the counts of what its children printed.
#[derive(Clone, Debug)]
pub(crate) struct Secrets {
    redactor: Redactor,
    found: Arc<Mutex<RedactionCounts>>,
    /// The end of what the child under way printed.
    pub(in crate::run) tail: Tail,
}

/// Takes secrets out of an output as it streams.
#[must_use]
pub fn redacting(redactor: &Redactor) -> Arc<dyn Filters> {
    Arc::new(Secrets::new(redactor))
}

impl Secrets {
    pub(crate) fn new(redactor: &Redactor) -> Self {
        Self { redactor: redactor.clone(), found: Arc::default(), tail: Tail::default() }
    }

    /// The same for a command that runs beside another: what it printed last is apart.
    pub(in crate::run) fn apart(&self) -> Self {
        Self { tail: Tail::default(), ..self.clone() }
    }

    /// The text without secrets, uncounted.
    pub(crate) fn hide(&self, text: &str) -> String {
        self.redactor.text(text)
    }

    /// The text without secrets, counted for the next warning.
    pub(in crate::run) fn hide_counted(&self, text: &str) -> String {
        let mut found = RedactionCounts::new();
        let hidden = self.redactor.redact(text, &mut found).into_owned();
        self.count(found);
        hidden
    }

    /// Bytes without secrets, counted for the next warning; `None` where there are none.
    pub(in crate::run) fn hide_bytes(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut found = RedactionCounts::new();
        let hidden = self.redactor.bytes(bytes, &mut found).into_owned();
        let any = !found.is_empty();
        self.count(found);
        any.then_some(hidden)
    }

    /// JSON without secrets, counted for the next warning; `None` where there are none.
    pub(in crate::run) fn hide_json(&self, mut value: Value) -> Option<Vec<u8>> {
        let mut found = RedactionCounts::new();
        let before = value.clone();
        self.redactor.json(&mut value, &mut found);
        self.count(found);
        (value != before).then(|| escape_json(value.to_string()).into_bytes())
    }

    /// JSON as text, without secrets and uncounted.
    pub(crate) fn hide_value(&self, mut value: Value) -> String {
        self.redactor.json(&mut value, &mut RedactionCounts::new());
        escape_json(value.to_string())
    }

    fn count(&self, found: RedactionCounts) {
        add(&mut self.lock(), found);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, RedactionCounts> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last lines of the child under way, without secrets.
    pub(in crate::run) fn last_lines(&self) -> Vec<String> {
        self.tail.lines(&self.redactor)
    }

    /// What was redacted since this was last asked, by name and number.
    pub(in crate::run) fn warning(&self) -> Option<String> {
        let found = std::mem::take(&mut *self.lock());
        Some(format!("redacted: {}", summary(&found)?))
    }
}

impl Filters for Secrets {
    fn filter(&self) -> Box<dyn Filter> {
        Box::new(Redacting { stream: self.redactor.stream(), secrets: self.clone() })
    }
}

/// An output under redaction.
#[derive(Debug)]
struct Redacting {
    stream: Stream,
    secrets: Secrets,
}

impl Filter for Redacting {
    fn push(&mut self, bytes: &[u8], out: &mut dyn FnMut(&[u8])) {
        let tail = &self.secrets.tail;
        self.stream.push(bytes, &mut |kept| {
            tail.push(kept);
            out(kept);
        });
        tail.arrived(bytes.len(), self.stream.held());
    }

    fn finish(&mut self, out: &mut dyn FnMut(&[u8])) {
        let tail = &self.secrets.tail;
        let found = self.stream.finish(&mut |kept| {
            tail.push(kept);
            out(kept);
        });
        tail.arrived(0, &[]);
        self.secrets.count(found);
    }
}

/// A value as a journal or a file may hold it: without secrets, and with nothing hidden in it.
///
/// # Errors
/// When the value holds what JSON cannot.
pub(in crate::run) fn written(
    redactor: &Redactor,
    value: &impl Serialize,
) -> Result<Box<RawValue>, StoreError> {
    let mut value = serde_json::to_value(value).map_err(StoreError::JournalData)?;
    redactor.json(&mut value, &mut RedactionCounts::new());
    RawValue::from_string(escape_json(value.to_string())).map_err(StoreError::JournalData)
}

/// Secrets in what callers get beside what children printed, such as names of strays: by name and
/// number. The caller leaves them out.
pub(in crate::run) fn warning_about(redactor: &Redactor, value: &impl Serialize) -> Option<String> {
    let mut value = serde_json::to_value(value).ok()?;
    let mut found = RedactionCounts::new();
    redactor.json(&mut value, &mut found);
    Some(format!("redacted in this result: {}", summary(&found)?))
}

/// Texts of the document that were written without their secrets, by what was written.
#[derive(Debug, Default)]
pub(in crate::run) struct Restorer(BTreeMap<String, String>);

impl Restorer {
    /// Of the texts that a run works with: commands and paths.
    pub(in crate::run) fn new(redactor: &Redactor, source: &Source<'_>) -> Self {
        let Some(brief) = source.brief() else {
            return Self::default();
        };
        let delta = brief.workspace.delta.iter().flatten();
        let paths = brief.paths().map(|path| path.as_str().to_owned());
        let commands = brief.preflight.iter().chain([&brief.verify]);
        let texts = delta.chain(commands).chain(&brief.verify_source).cloned();
        let hidden = texts.chain(paths).filter_map(|text| {
            let hidden = redactor.text(&text);
            (hidden != text).then_some((hidden, text))
        });
        Self(hidden.collect())
    }

    /// The value as it was before it was written.
    pub(in crate::run) fn restore<T: DeserializeOwned>(
        &self,
        mut value: Value,
    ) -> serde_json::Result<T> {
        self.fill(&mut value);
        serde_json::from_value(value)
    }

    /// Whether anything was taken out at all.
    pub(in crate::run) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn fill(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(own) = self.0.get(text) {
                    text.clone_from(own);
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.fill(value)),
            Value::Object(entries) => {
                entries.values_mut().for_each(|value| self.fill(value));
                for (hidden, own) in &self.0 {
                    if let Some(value) = entries.remove(hidden) {
                        entries.insert(own.clone(), value);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
