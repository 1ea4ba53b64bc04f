//! An output as plain lines that know which bytes they were.

use std::borrow::Cow;
use std::ops::Range;

use crate::diagnosis::{failing_part, plain_text};

/// The lines of an output without colour, and the bytes of each.
pub(super) struct Text<'a> {
    plain: Vec<&'a str>,
    bytes: Vec<Range<usize>>,
}

/// The plain text of each line of an output.
pub(super) struct PlainLines<'a> {
    lines: Vec<(Cow<'a, str>, Range<usize>)>,
}

impl<'a> PlainLines<'a> {
    /// Lines are cleaned one by one, so that a broken terminal sequence reaches no further than its line.
    pub(super) fn new(output: &'a str) -> Self {
        let mut start = 0;
        let lines = output.split_inclusive('\n').map(|line| {
            let bytes = start..start + line.len();
            start = bytes.end;
            (plain_text(line), bytes)
        });
        Self { lines: lines.collect() }
    }
}

impl<'a> Text<'a> {
    pub(super) fn new(lines: &'a PlainLines<'_>) -> Self {
        let parts = lines.lines.iter().flat_map(|(line, bytes)| {
            line.lines().map(move |part| (part.trim_end(), bytes.clone()))
        });
        let (plain, bytes) = parts.unzip();
        Self { plain, bytes }
    }

    /// The number of the first line of the part that failed, and the lines from there on.
    pub(super) fn failing_part(&self) -> (usize, &[&'a str]) {
        let part = failing_part(&self.plain);
        (self.plain.len() - part.len(), part)
    }

    /// The bytes of lines.
    pub(super) fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        let within =
            &self.bytes[lines.start.min(self.bytes.len())..lines.end.min(self.bytes.len())];
        match (within.first(), within.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => 0..0,
        }
    }
}
