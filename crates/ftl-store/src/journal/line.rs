//! One line of a journal: its fields, its one spelling, its checksum.
//!
//! A line is written by formatting, not by a serializer, and is accepted only if formatting what was
//! parsed gives the same bytes. So there is nothing to normalise, and no byte of a line can change
//! without being noticed: blanks between values are covered like everything else. Order, batches and
//! the end of a file are the scan's business.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// What a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    /// What the run was begun with; the first line only.
    Open,
    /// A fact, which the machine folds.
    Event,
    /// A hint for recovery.
    Note,
}

impl fmt::Display for LineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Event => "event",
            Self::Note => "note",
        })
    }
}

/// A line without its checksum.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line<'a> {
    /// Its number, from 0.
    pub(super) seq: u64,
    /// Passed over: the spelling is compared with its checksum in it.
    #[serde(rename = "crc")]
    _crc: IgnoredAny,
    /// The number of the first line that was not synced when this one was written.
    pub(super) batch: u64,
    #[serde(borrow)]
    pub(super) at: Cow<'a, str>,
    pub(super) kind: LineKind,
    #[serde(borrow)]
    pub(super) data: &'a RawValue,
}

/// What begins every line. Where it is found, a line may begin, which is all that the search for later
/// lines in a damaged file needs: data with the same key first is tried and read as no line.
pub(super) const HEAD: &str = "{\"seq\":";

impl<'a> Line<'a> {
    pub(super) fn new(
        seq: u64,
        batch: u64,
        at: &'a str,
        kind: LineKind,
        data: &'a RawValue,
    ) -> Self {
        Self { seq, _crc: IgnoredAny, batch, at: Cow::Borrowed(at), kind, data }
    }

    /// The line at the start of `text`, whatever follows it.
    pub(super) fn at_start_of(text: &'a [u8]) -> Option<Self> {
        let mut lines = serde_json::Deserializer::from_slice(text).into_iter();
        lines.next()?.ok()
    }

    /// The line's bytes with the newline, and its checksum, which covers `previous`, the checksum of
    /// the line before, and every byte of this line but the checksum itself.
    ///
    /// The chain finds lines that were swapped, doubled or taken from another journal, each of which is
    /// sound by itself. CRC-32 is against accidents, not against changes on purpose.
    pub(super) fn encode(&self, previous: u32) -> (String, u32) {
        let at = serde_json::Value::from(self.at.as_ref());
        let head = format!("{HEAD}{},\"crc\":\"", self.seq);
        let tail = format!(
            "\",\"batch\":{},\"at\":{at},\"kind\":\"{}\",\"data\":{}}}\n",
            self.batch,
            self.kind,
            self.data.get(),
        );
        let mut crc = crc32fast::Hasher::new();
        crc.update(&previous.to_be_bytes());
        crc.update(head.as_bytes());
        crc.update(tail.as_bytes());
        let crc = crc.finalize();
        (format!("{head}{crc:08x}{tail}"), crc)
    }
}
