//! Places in a text, in bytes for programs and in lines and columns for people.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A stretch of a text, for diagnostics.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
)]
pub struct SourcePosition {
    /// Byte offset of the first byte, from 0.
    pub start: usize,
    /// Byte offset behind the last byte.
    pub end: usize,
    /// Line of `start`, from 1.
    pub line: usize,
    /// Column of `start` in characters, from 1.
    pub column: usize,
}

impl SourcePosition {
    /// The place of `start..end` in `text`. Lines end at LF, CR or CR LF; a byte order mark at the
    /// very beginning takes no column. Bytes that are not UTF-8 count one column each.
    ///
    /// Takes time linear in `start`: meant for the one place that is reported.
    pub fn of(text: &[u8], start: usize, end: usize) -> Self {
        let start = start.min(text.len());
        let body = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let before = &body[..start.saturating_sub(text.len() - body.len())];
        let mut line = 1;
        let mut line_start = 0;
        for at in 0..before.len() {
            if ends_line(body, at) {
                line += 1;
                line_start = at + 1;
            }
        }
        let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
        Self { start, end: end.clamp(start, text.len()), line, column }
    }
}

/// Where the lines of a text begin, for many places in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Byte offsets at which lines begin, ascending from 0.
    starts: Vec<usize>,
    /// Characters before each block of [`BLOCK`] bytes, and in all.
    characters: Vec<usize>,
}

/// Bytes whose characters are counted in one go.
const BLOCK: usize = 1024;

impl Lines {
    /// Looks through `text`, which has no byte order mark.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let behind_line_ends = (0..bytes.len()).filter(|&at| ends_line(bytes, at));
        let mut counted = 0;
        let mut characters = vec![0];
        for block in bytes.chunks(BLOCK) {
            counted += count_characters(block);
            characters.push(counted);
        }
        Self {
            starts: std::iter::once(0).chain(behind_line_ends.map(|at| at + 1)).collect(),
            characters,
        }
    }

    /// The place of `start..end` in `text`, the same that [`Lines::new`] was given. The time that it
    /// takes does not depend on the position.
    pub fn place(&self, text: &str, start: usize, end: usize) -> SourcePosition {
        let start = start.min(text.len());
        let line = self.starts.partition_point(|&begin| begin <= start);
        let line_start = self.starts[line - 1];
        SourcePosition {
            start,
            end: end.clamp(start, text.len()),
            line,
            column: self.before(text, start) - self.before(text, line_start) + 1,
        }
    }

    /// Characters before an offset.
    fn before(&self, text: &str, at: usize) -> usize {
        let block = at / BLOCK;
        self.characters[block] + count_characters(&text.as_bytes()[block * BLOCK..at])
    }
}

/// Whether a line ends with the byte at `at`: LF, or CR that no LF follows.
fn ends_line(text: &[u8], at: usize) -> bool {
    match text[at] {
        b'\n' => true,
        b'\r' => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    }
}

/// Characters that begin in a piece of UTF-8.
fn count_characters(piece: &[u8]) -> usize {
    piece.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Lines, SourcePosition};

    #[test]
    fn many_places_are_reckoned_as_one_is() {
        for text in [
            String::new(),
            "a\r\nü\rb\n\nc".to_owned(),
            "ü€\n".repeat(BLOCK),
            "€".repeat(BLOCK),
            "x".repeat(2 * BLOCK),
        ] {
            let lines = Lines::new(&text);
            let step = 1 + text.len() / 100;
            let starts = text.char_indices().map(|(at, _)| at).step_by(step);
            for start in starts.chain([text.len()]) {
                let expected = SourcePosition::of(text.as_bytes(), start, start);
                assert_eq!(lines.place(&text, start, start), expected);
            }
        }
    }

    #[test]
    fn lines_end_at_any_line_end_and_columns_count_characters() {
        let cases: &[(&[u8], usize, usize, usize)] = &[
            (b"", 0, 1, 1),
            (b"abc", 2, 1, 3),
            (b"a\nb", 2, 2, 1),
            (b"a\r\nb", 3, 2, 1),
            (b"a\r\nb", 2, 1, 3),
            (b"a\rb", 2, 2, 1),
            (b"a\r\r\nb", 4, 3, 1),
            ("äö\nüx".as_bytes(), 7, 2, 2),
            ("\u{feff}ab".as_bytes(), 4, 1, 2),
            (b"a\xff\xfeb", 3, 1, 4),
        ];
        for &(text, start, line, column) in cases {
            let place = SourcePosition::of(text, start, start + 1);
            assert_eq!((place.line, place.column), (line, column), "{text:?}");
        }
    }

    #[test]
    fn a_place_is_never_outside_its_text() {
        let place = SourcePosition::of(b"ab", 7, 9);
        assert_eq!((place.start, place.end), (2, 2));
    }
}
