//! Telling a sound journal from a torn and a damaged one. Only reads; the caller cuts.
//!
//! A torn end is normal after a crash, and cutting it off loses nothing that was relied on. Damage is
//! not, and guessing would build on facts that never were: a journal with damage is refused, with the
//! number of the line. The difference has to be found in the bytes alone, which is what `batch` is
//! for.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::line::{HEAD, Line, LineKind};
use crate::error::StoreError;

/// A line as it was read back.
#[derive(Clone, Debug)]
pub struct JournalEntry {
    /// The line's number, from 0, which is the opening line's.
    pub seq: u64,
    /// When it was written, as the writer said.
    pub at: String,
    /// What it holds.
    pub kind: LineKind,
    data: Box<RawValue>,
}

impl JournalEntry {
    /// What was appended.
    pub fn decode<'e, T: Deserialize<'e>>(&'e self) -> Result<T, StoreError> {
        serde_json::from_str(self.data.get())
            .map_err(|source| StoreError::JournalUnknown { line: self.seq + 1, source })
    }

    /// The JSON text of it.
    pub fn json(&self) -> &str {
        self.data.get()
    }
}

/// The longest sound beginning of a journal.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) entries: Vec<JournalEntry>,
    /// Its length in bytes.
    pub(super) len: usize,
    /// The checksum of its last line.
    pub(super) crc: u32,
}

/// Why a journal is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Damage {
    /// The first bad line, from 1.
    pub(super) line: u64,
    pub(super) reason: &'static str,
}

/// What is said of a journal without its first line.
pub(super) const NO_OPENING: &str = "the opening line is missing";

/// Whether the run of a journal has begun: a power cut may leave one without its opening line, of which nothing was
/// relied on. A damaged one has begun.
pub(crate) fn is_begun(bytes: &[u8]) -> bool {
    scan(bytes).map_or(true, |sound| !sound.entries.is_empty())
}

/// Reads the longest sound beginning. What follows it is the torn end of what was not synced, which
/// the caller cuts off, or damage.
///
/// The two differ by what a crash can do: only lines that were not synced can be torn or missing, and
/// a line further on that was begun after a later sync proves that the bad line once was whole. The opening
/// line is like any other: where it is cut off, or has zeros in it, nothing had been synced, and the run has not begun.
pub(super) fn scan(bytes: &[u8]) -> Result<Scan, Damage> {
    let mut sound = Scan::default();
    while let Some((entry, len, crc)) = next(bytes, &sound) {
        sound.entries.push(entry);
        sound.len += len;
        sound.crc = crc;
    }
    let bad = sound.entries.len() as u64;
    let damage = |reason| Damage { line: bad + 1, reason };
    // A power cut leaves no line that is whole and says something else.
    let is_torn = bad > 0 || bytes.contains(&0) || !bytes.contains(&b'\n');
    if !is_torn || batches_in(&bytes[sound.len..]).any(|batch| batch > bad) {
        return Err(damage(match bad {
            0 => NO_OPENING,
            _ => "it does not match its checksum, and lines follow",
        }));
    }
    Ok(sound)
}

/// The line after the sound ones, if it is sound as well: spelt in the one way that it could have
/// been, checksum included.
fn next(bytes: &[u8], sound: &Scan) -> Option<(JournalEntry, usize, u32)> {
    let rest = &bytes[sound.len..];
    let len = rest.iter().position(|byte| *byte == b'\n')? + 1;
    let line = Line::at_start_of(&rest[..len])?;
    let (text, crc) = line.encode(sound.crc);
    let seq = sound.entries.len() as u64;
    let opens = line.kind == LineKind::Open;
    if text.as_bytes() != &rest[..len] || line.seq != seq || opens != (seq == 0) {
        return None;
    }
    let entry =
        JournalEntry { seq, at: line.at.into_owned(), kind: line.kind, data: line.data.to_owned() };
    Some((entry, len, crc))
}

/// The `batch` of each line that can be parsed, wherever it begins: behind a hole, lines need not begin
/// after a newline. Checksums are not asked for, since they hang on the bad line.
fn batches_in(rest: &[u8]) -> impl Iterator<Item = u64> {
    (0..rest.len())
        .filter(|at| rest[*at..].starts_with(HEAD.as_bytes()))
        .filter_map(|at| Line::at_start_of(&rest[at..]))
        .map(|line| line.batch)
}
