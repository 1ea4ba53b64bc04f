use serde::{Deserialize, Serialize};

/// A stretch of a text, for diagnostics.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Place {
    /// Byte offset of the first byte, from 0.
    pub start: usize,
    /// Byte offset behind the last byte.
    pub end: usize,
    /// Line of `start`, from 1.
    pub line: usize,
    /// Column of `start` in characters, from 1.
    pub column: usize,
}

impl Place {
    /// The place of `start..end` in `text`. Lines end at LF, CR or CR LF; a byte order mark at the
    /// very beginning takes no column. Bytes that are not UTF-8 count one column each.
    ///
    /// Takes time linear in `start`: meant for the one place that is reported.
    pub fn of(text: &[u8], start: usize, end: usize) -> Self {
        let start = start.min(text.len());
        let before = &text[..start];
        let before = before.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(before);
        let mut line = 1;
        let mut line_start = 0;
        for (at, byte) in before.iter().enumerate() {
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => before.get(at + 1) != Some(&b'\n') && text.get(start) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                line += 1;
                line_start = at + 1;
            }
        }
        let column = String::from_utf8_lossy(&before[line_start..])
            .chars()
            .count()
            + 1;
        Self {
            start,
            end: end.clamp(start, text.len()),
            line,
            column,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

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
            let place = Place::of(text, start, start + 1);
            assert_eq!((place.line, place.column), (line, column), "{text:?}");
        }
    }

    #[test]
    fn a_place_never_lies_outside_its_text() {
        let place = Place::of(b"ab", 7, 9);
        assert_eq!((place.start, place.end), (2, 2));
    }
}
