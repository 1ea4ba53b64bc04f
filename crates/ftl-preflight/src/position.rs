//! From byte offsets to lines and columns.
//!
//! A lone carriage return ends a line here, as it does for Python and ECMAScript; columns count
//! characters, and not bytes or UTF-16 units as some editors do.

/// A place in a text: line and column, from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// Byte offsets at which the lines of a text begin.
pub(crate) struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|&at| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|at| at + 1)).collect();
        Self { text, starts }
    }

    /// The place of a byte offset. One past the end is the end; one inside a character is that
    /// character.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|&start| start <= offset);
        let before = &self.text[self.starts[line - 1]..offset];
        Position { line, column: before.chars().count() + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::{LineIndex, Position};

    #[test]
    fn a_column_counts_characters_and_every_kind_of_line_end_ends_a_line() {
        let text = "aé\tz\r\nsecond\rthird\n";
        let index = LineIndex::new(text);
        let cases = [
            (0, 1, 1),
            (3, 1, 3),
            (4, 1, 4),
            (7, 2, 1),
            (text.find("third").unwrap(), 3, 1),
            (text.len(), 4, 1),
            (text.len() + 9, 4, 1),
        ];
        for (offset, line, column) in cases {
            assert_eq!(index.position(offset), Position { line, column }, "offset {offset}");
        }
    }

    #[test]
    fn an_offset_inside_a_character_is_that_character() {
        let index = LineIndex::new("é!");
        assert_eq!(index.position(1), Position { line: 1, column: 1 });
    }
}
