//! An output as plain lines that know which bytes they were.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::diagnosis::{failing_part, plain_text, unprefixed};

/// The lines of an output without colour, and where each begins in it.
pub(super) struct Text<'a> {
    output: &'a str,
    plain: Vec<&'a str>,
    starts: Vec<usize>,
}

/// An output, and the plain text of those of its lines that hold more than text.
pub(super) struct PlainLines<'a> {
    output: &'a str,
    cleaned: HashMap<usize, String>,
}

/// The lines of an output, each with its first byte.
fn lines_of(output: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    output.split_inclusive('\n').map(move |line| {
        let start = next;
        next += line.len();
        (start, line)
    })
}

impl<'a> PlainLines<'a> {
    /// Lines are cleaned one by one, so that a broken terminal sequence reaches no further than its line.
    pub(super) fn new(output: &'a str) -> Self {
        let cleaned = lines_of(output).filter_map(|(start, line)| match plain_text(line) {
            Cow::Owned(plain) => Some((start, plain)),
            Cow::Borrowed(_) => None,
        });
        Self { output, cleaned: cleaned.collect() }
    }
}

impl<'a> Text<'a> {
    pub(super) fn new(lines: &'a PlainLines<'_>) -> Self {
        // An output may be millions of lines: vectors that grow would take twice as much for a moment.
        let count = lines_of(lines.output).count();
        let (mut plain, mut starts) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (start, line) in lines_of(lines.output) {
            let line = lines.cleaned.get(&start).map_or(line, String::as_str);
            for part in line.lines() {
                plain.push(part.trim_end());
                starts.push(start);
            }
        }
        Self { output: lines.output, plain: unprefixed(plain), starts }
    }

    /// The number of the first line of the part that failed, and the lines from there on.
    pub(super) fn failing_part(&self) -> (usize, &[&'a str]) {
        let part = failing_part(&self.plain);
        (self.plain.len() - part.len(), part)
    }

    /// The bytes of lines.
    pub(super) fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        let count = self.starts.len();
        let within = &self.starts[lines.start.min(count)..lines.end.min(count)];
        match (within.first(), within.last()) {
            (Some(first), Some(last)) => *first..self.end_of_line(*last),
            _ => 0..0,
        }
    }

    /// The end of the line that begins at a byte.
    fn end_of_line(&self, start: usize) -> usize {
        self.output[start..].find('\n').map_or(self.output.len(), |length| start + length + 1)
    }
}
