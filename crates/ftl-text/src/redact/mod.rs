//! Secrets on their way out: found in streams of bytes, replaced by `[redacted: NAME]`.
//!
//! Two kinds are searched for: the values of variables whose names say that they are secret, in whatever
//! spelling (`value.rs`), and tokens of well-known shapes (`table.rs`). What looks alike stays: digests,
//! UUIDs, integrity fields of lock files, and the dummies of documentation and tests.
//!
//! What it can't do: a value that a program cuts into pieces with other text between them, encrypts,
//! reverses or prints in hexadecimal is not recognised. Redaction is for accidents.

mod joined;
mod search;
mod shape;
mod stream;
mod table;
mod value;
mod variable;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use search::Search;
use serde_json::Value as Json;
use shape::Matcher;
pub use shape::Shape;
pub use stream::{RedactionCounts, Stream};
use value::{SHORTEST, Value};

/// All well-known shapes.
#[must_use]
pub fn shapes() -> &'static [Shape] {
    table::SHAPES
}

/// Knows what is secret. Cheap to make and to clone: the search is made for the first text, since many a
/// redactor never sees one.
#[derive(Clone)]
pub struct Redactor(Arc<Known>);

/// What a redactor was configured with.
struct Known {
    values: Arc<[Value]>,
    off: Vec<String>,
    inner: OnceLock<Arc<Inner>>,
}

/// The literals that a search finds.
struct Inner {
    search: Search,
    needles: Vec<Needle>,
    values: Arc<[Value]>,
    /// Bytes that a stream keeps back.
    lag: usize,
}

/// What a literal belongs to.
enum Needle {
    Shape(Box<Matcher>),
    /// A piece of a value, by the value's index and the piece's offset in it.
    Piece(usize, usize),
}

impl fmt::Debug for Inner {
    /// Without the values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inner").finish_non_exhaustive()
    }
}

impl fmt::Debug for Redactor {
    /// Without the values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").finish_non_exhaustive()
    }
}

impl Default for Redactor {
    /// The well-known shapes alone.
    fn default() -> Self {
        Self::new([], &[])
    }
}

impl Redactor {
    /// The secrets among variables, by name and value, and all shapes; but nothing that `off` names.
    #[must_use]
    pub fn new<'v>(
        variables: impl IntoIterator<Item = (&'v str, &'v [u8])>,
        off: &[String],
    ) -> Self {
        let mut values: Vec<Value> = Vec::new();
        for (name, value) in variables {
            let text = String::from_utf8_lossy(value);
            if is_off(off, name) || !variable::is_secret(name, &text) {
                continue;
            }
            let value = value.trim_ascii();
            values.extend(Value::all_of(name, value));
            // Of a value of several lines, each may be printed by itself.
            let lines = value.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            let lines = lines.filter(|line| value.contains(&b'\n') && line.len() >= 3 * SHORTEST);
            let secret = lines.filter(|line| !line.starts_with(b"-----") && !line.contains(&b' '));
            values.extend(secret.flat_map(|line| Value::all_of(name, line)));
        }
        Self(Arc::new(Known { values: values.into(), off: off.to_vec(), inner: OnceLock::new() }))
    }

    fn inner(&self) -> &Arc<Inner> {
        let known = &*self.0;
        known.inner.get_or_init(|| Arc::new(Inner::new(Arc::clone(&known.values), &known.off)))
    }

    /// Redacts a text as it arrives.
    #[must_use]
    pub fn stream(&self) -> Stream {
        Stream::new(Arc::clone(self.inner()))
    }

    /// Redacts a whole text, and counts.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str, found: &mut RedactionCounts) -> Cow<'t, str> {
        match self.bytes(text.as_bytes(), found) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// The text without secrets.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.redact(text, &mut RedactionCounts::new()).into_owned()
    }

    /// Redacts whole bytes, and counts.
    #[must_use]
    pub fn bytes<'t>(&self, bytes: &'t [u8], found: &mut RedactionCounts) -> Cow<'t, [u8]> {
        if bytes.len() < SHORTEST {
            return Cow::Borrowed(bytes);
        }
        let mut stream = self.stream();
        let mut redacted = Vec::new();
        let mut out = |part: &[u8]| redacted.extend_from_slice(part);
        stream.push(bytes, &mut out);
        let new = stream.finish(&mut out);
        if new.is_empty() {
            return Cow::Borrowed(bytes);
        }
        add(found, new);
        Cow::Owned(redacted)
    }

    /// Redacts every string of a JSON value, keys included: each by itself, so that it stays JSON.
    pub fn json(&self, value: &mut Json, found: &mut RedactionCounts) {
        match value {
            Json::String(text) => {
                if let Cow::Owned(redacted) = self.redact(text, found) {
                    *text = redacted;
                }
            }
            Json::Array(values) => values.iter_mut().for_each(|value| self.json(value, found)),
            Json::Object(entries) => {
                entries.values_mut().for_each(|value| self.json(value, found));
                let secret = |key: &&String| {
                    matches!(self.redact(key, &mut RedactionCounts::new()), Cow::Owned(_))
                };
                let keys: Vec<String> = entries.keys().filter(secret).cloned().collect();
                for key in keys {
                    if let Some(value) = entries.remove(&key) {
                        entries.insert(self.redact(&key, found).into_owned(), value);
                    }
                }
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
}

impl Inner {
    fn new(values: Arc<[Value]>, off: &[String]) -> Self {
        let mut needles = Vec::new();
        let mut literals: Vec<(Vec<u8>, usize)> = Vec::new();
        let mut back = 0;
        for (index, value) in values.iter().enumerate() {
            for (offset, piece) in value.pieces() {
                back = back.max(Value::back(offset));
                literals.push((piece, needles.len()));
                needles.push(Needle::Piece(index, offset));
            }
        }
        for shape in table::SHAPES.iter().filter(|shape| !is_off(off, shape.name)) {
            let anchors = shape.anchors.iter().map(|anchor| anchor.as_bytes().to_vec());
            literals.extend(anchors.map(|anchor| (anchor, needles.len())));
            needles.push(Needle::Shape(Box::new(Matcher::new(shape))));
        }
        let search = Search::new(literals);
        let lag = stream::lag(search.longest, back);
        Self { search, needles, values, lag }
    }
}

fn is_off(off: &[String], name: &str) -> bool {
    off.iter().any(|off| off == name)
}

/// Adds counts to others.
pub fn add(found: &mut RedactionCounts, new: RedactionCounts) {
    for (name, count) in new {
        *found.entry(name).or_default() += count;
    }
}

/// Counts as text, `API_KEY (2), jwt (1)`; `None` where there are none.
#[must_use]
pub fn summary(found: &RedactionCounts) -> Option<String> {
    let named: Vec<String> =
        found.iter().map(|(name, count)| format!("{name} ({count})")).collect();
    (!named.is_empty()).then(|| named.join(", "))
}

#[cfg(test)]
mod tests;
