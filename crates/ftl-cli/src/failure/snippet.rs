//! The part of a file that a diagnostic shows: the line of a place, its neighbours, and of long lines
//! only what is near.
//!
//! A diagnostic of a document in one line must not print the document. Nor could it: miette pads lines
//! with a width that the standard library takes up to 65,535 only, and panics beyond.

use ftl_model::SourcePosition;
use ftl_text::{same_length, terminal_text};
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// Characters of a line that are shown before and after the place.
const REACH: usize = 200;
const CUT: &str = "…";

/// What is shown of a file around a place. Spans are in bytes of [`Snippet::label`]'s own text.
#[derive(Debug)]
pub(crate) struct Snippet {
    name: String,
    text: String,
    /// The number of the text's first line, from 0.
    first_line: usize,
    place: SourcePosition,
    label: SourceSpan,
}

impl Snippet {
    /// The place in `source`, the text of the file called `name`. Of a place of several lines only the
    /// first is marked: a mark over a whole document shows nothing.
    pub(crate) fn new(name: &str, source: &str, place: SourcePosition) -> Self {
        let start = floor(source, place.start);
        let end = floor(source, place.end).max(start);
        let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |at| start + at);
        let before = line_start.checked_sub(1).map(|end| {
            let start = source[..end].rfind('\n').map_or(0, |at| at + 1);
            head(&source[start..end])
        });
        let after = source.get(line_end + 1..).filter(|rest| !rest.is_empty());
        let after = after.map(|rest| head(rest.split('\n').next().unwrap_or(rest)));

        let mut text = String::new();
        if let Some(before) = &before {
            text.push_str(before);
            text.push('\n');
        }
        text.push_str(&tail(&source[line_start..start]));
        let label_start = text.len();
        let marked = &source[start..end.min(line_end)];
        text.push_str(&head(marked));
        let label = SourceSpan::from(label_start..text.len());
        if marked.chars().count() <= REACH {
            text.push_str(&head(&source[start + marked.len()..line_end]));
        }
        if let Some(after) = after {
            text.push('\n');
            text.push_str(&after);
        }
        Self {
            name: terminal_text(name.as_bytes()),
            text,
            first_line: place.line - 1 - usize::from(before.is_some()),
            place,
            label,
        }
    }

    /// The marked part.
    pub(crate) fn label(&self) -> SourceSpan {
        self.label
    }

    /// `file:3:7`.
    pub(crate) fn at(&self) -> String {
        format!("{}:{}:{}", self.name, self.place.line, self.place.column)
    }
}

impl SourceCode for Snippet {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // Without its neighbours, the place itself is asked for.
        let (range, line, column) = if lines_before + lines_after == 0 {
            let range = span.offset()..span.offset() + span.len();
            (range, self.place.line - 1, self.place.column - 1)
        } else {
            (0..self.text.len(), self.first_line, 0)
        };
        let data = self.text.get(range.clone()).ok_or(MietteError::OutOfBounds)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            data.as_bytes(),
            range.into(),
            line,
            column,
            data.lines().count(),
        )))
    }
}

/// The nearest beginning of a character at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The beginning of a line, safe to show.
fn head(line: &str) -> String {
    let line = line.strip_suffix('\r').unwrap_or(line);
    match line.char_indices().nth(REACH) {
        Some((end, _)) => same_length(&line[..end]) + CUT,
        None => same_length(line),
    }
}

/// The end of a part of a line, safe to show.
fn tail(part: &str) -> String {
    match part.char_indices().rev().nth(REACH) {
        Some((start, _)) => CUT.to_owned() + &same_length(&part[start..]),
        None => same_length(part),
    }
}

#[cfg(test)]
mod tests {
    use ftl_model::SourcePosition;

    use super::Snippet;

    fn shown(source: &str, start: usize, end: usize) -> (String, String) {
        let place = SourcePosition::of(source.as_bytes(), start, end);
        let snippet = Snippet::new("f", source, place);
        let label = snippet.label();
        let marked = &snippet.text[label.offset()..label.offset() + label.len()];
        (marked.to_owned(), snippet.text)
    }

    #[test]
    fn the_line_is_shown_with_its_neighbours() {
        let text = "one\r\ntwo three\nfour\nfive";
        let (marked, shown) = shown(text, 9, 14);
        assert_eq!((marked.as_str(), shown.as_str()), ("three", "one\ntwo three\nfour"));
    }

    #[test]
    fn of_a_long_line_only_what_is_near_is_shown() {
        let text = format!("{}!{}", "ü".repeat(70_000), "y".repeat(70_000));
        let at = text.find('!').unwrap();
        let (marked, shown) = shown(&text, at, at + 1);
        assert_eq!(marked, "!");
        assert_eq!(shown.chars().count(), 1 + 201 + 1 + 200 + 1, "{shown}");
    }

    #[test]
    fn every_place_of_a_text_can_be_shown() {
        for text in ["", "\n", "ä", "a\r\n\u{1b}[31m\u{202e}\n", "\u{feff}<a>\n\n"] {
            for start in 0..=text.len() {
                for end in start..=text.len() {
                    let (_, shown) = shown(text, start, end);
                    assert!(!shown.contains(['\u{1b}', '\u{202e}', '\r']));
                }
            }
        }
    }
}
