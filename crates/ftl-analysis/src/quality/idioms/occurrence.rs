//! Occurrences of a pattern, and which of them are new.
//!
//! Line numbers shift with every edit, so an occurrence is known by what was matched and by its line,
//! blanks aside. Each old one accounts for one new one: a copy of a forbidden line is new. Own files
//! are settled before others, so that code that moved between files is matched with what is left.

use std::collections::HashMap;

use crate::pattern::GivenUp;
use crate::quality::FileText;

/// Bytes before and after a match that tell it from another.
const NEAR: usize = 200;

/// A place where a rule's pattern is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Occurrence<'a> {
    /// The file.
    pub(super) path: &'a str,
    /// Line, from 1.
    pub(super) line: usize,
    /// Column in characters, from 1.
    pub(super) column: usize,
    /// Whether it was not there before.
    pub(super) is_new: bool,
    mark: Mark,
}

/// What makes two occurrences the same: what was found, and the line it is on, blanks aside.
type Mark = (String, String);

/// Where a rule fits in one text of a file, by the file's index, and whether it is the text of before.
pub(super) trait Search {
    /// Byte ranges, in order.
    fn ranges(&self, index: usize, is_before: bool) -> Result<Vec<(usize, usize)>, GivenUp>;

    /// Whether the first line of what is found identifies it: what changes inside a node makes it no other.
    fn is_known_by_first_line(&self) -> bool;
}

/// Where a rule is found in the files as they are, in their order. An occurrence is old when one
/// with the same text on the same line was in that file before, or, moved, in another file of the
/// delta; each old one accounts for one. The texts of before are looked at only if something is found.
pub(super) fn occurrences<'a>(
    search: &dyn Search,
    files: &[FileText<'a>],
) -> Result<Vec<Occurrence<'a>>, GivenUp> {
    let mut found = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let text = file.after.unwrap_or_default();
        let now = in_text(search, &search.ranges(index, false)?, file.path, text);
        found.extend(now.into_iter().map(|occurrence| (index, occurrence)));
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let mut known: Vec<HashMap<Mark, usize>> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let mut marks = HashMap::new();
        let text = file.before.unwrap_or_default();
        for occurrence in in_text(search, &search.ranges(index, true)?, file.path, text) {
            *marks.entry(occurrence.mark).or_insert(0) += 1;
        }
        known.push(marks);
    }
    for (index, occurrence) in &mut found {
        occurrence.is_new = !take(&mut known[*index], &occurrence.mark);
    }
    for (_, occurrence) in found.iter_mut().filter(|(_, occurrence)| occurrence.is_new) {
        occurrence.is_new = !known.iter_mut().any(|marks| take(marks, &occurrence.mark));
    }
    Ok(found.into_iter().map(|(_, occurrence)| occurrence).collect())
}

fn take(marks: &mut HashMap<Mark, usize>, mark: &Mark) -> bool {
    match marks.get_mut(mark).filter(|left| **left > 0) {
        Some(left) => {
            *left -= 1;
            true
        }
        None => false,
    }
}

fn in_text<'a>(
    search: &dyn Search,
    hits: &[(usize, usize)],
    path: &'a str,
    text: &str,
) -> Vec<Occurrence<'a>> {
    let mut cursor = Cursor::at_start_of(text);
    let at = |&(start, end): &(usize, usize)| {
        cursor.advance(start);
        let first = text[start..end].lines().next().unwrap_or_default();
        let end = match search.is_known_by_first_line() {
            true => start + first.len(),
            false => end,
        };
        Occurrence {
            path,
            line: cursor.line,
            column: cursor.column,
            is_new: true,
            mark: (plain(&text[start..end]), plain(around(text, start, end))),
        }
    };
    hits.iter().map(at).collect()
}

/// Line and column of a position that only moves forward.
struct Cursor<'a> {
    text: &'a str,
    position: usize,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    /// A byte order mark takes no column.
    fn at_start_of(text: &'a str) -> Self {
        Self {
            text,
            position: if text.starts_with('\u{feff}') { 3 } else { 0 },
            line: 1,
            column: 1,
        }
    }

    fn advance(&mut self, position: usize) {
        let passed = self.text.get(self.position..position).unwrap_or_default();
        self.line += passed.matches('\n').count();
        match passed.rfind('\n') {
            Some(end) => self.column = passed[end + 1..].chars().count() + 1,
            None => self.column += passed.chars().count(),
        }
        self.position = self.position.max(position);
    }
}

/// The line that a match begins on, of a long one the part near the match.
fn around(text: &str, start: usize, end: usize) -> &str {
    let from = text.floor_char_boundary(start.saturating_sub(NEAR));
    let to = text.ceil_char_boundary(text.len().min(end.saturating_add(NEAR)));
    let from = text[from..start].rfind('\n').map_or(from, |at| from + at + 1);
    let to = text[start..to].find('\n').map_or(to, |at| start + at);
    &text[from..to]
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::occurrences;
    use crate::pattern::{Deadline, Dialect, Pattern};
    use crate::quality::FileText;
    use crate::quality::idioms::judge::Texts;

    /// `path:line:column`, with `+` where it is new.
    fn found(pattern: &str, files: &[(&'static str, Option<&str>, Option<&str>)]) -> String {
        let pattern = Pattern::compile(pattern, Dialect::PythonLines).unwrap();
        let files: Vec<FileText<'_>> =
            files.iter().map(|&(path, before, after)| FileText { path, before, after }).collect();
        let texts = Texts { pattern: &pattern, files: &files, deadline: &Deadline::of_a_phase() };
        let found = occurrences(&texts, &files).unwrap();
        let words: Vec<String> = found
            .iter()
            .map(|at| {
                let mark = if at.is_new { "+" } else { "" };
                format!("{mark}{}:{}:{}", at.path, at.line, at.column)
            })
            .collect();
        words.join(" ")
    }

    #[test]
    fn an_occurrence_that_was_there_before_is_not_new() {
        let before = Some("import os\nprint(1)\n");
        for (after, expected) in [
            ("import os\nprint(1)\n", "a.py:2:1"),
            ("print(1)\n", "a.py:1:1"),
            ("if x:\n    print(1)\n", "a.py:2:5"),
            ("print(2)\n", "+a.py:1:1"),
            ("print(1)\nprint(1)\n", "a.py:1:1 +a.py:2:1"),
            ("ü = 1; print(3)\nprint(1)\n", "+a.py:1:8 a.py:2:1"),
            ("nothing\n", ""),
        ] {
            assert_eq!(found(r"print\(", &[("a.py", before, Some(after))]), expected, "{after}");
        }
    }

    #[test]
    fn code_that_moves_between_files_of_the_delta_is_old_but_once() {
        let line = "print(1)\n";
        let moved = [("a.py", Some(line), Some("")), ("b.py", None, Some(line))];
        assert_eq!(found("print", &moved), "b.py:1:1");
        let copied = [("b.py", None, Some(line)), ("a.py", Some(line), Some(line))];
        assert_eq!(found("print", &copied), "+b.py:1:1 a.py:1:1");
        let deleted = [("a.py", Some(line), None)];
        assert_eq!(found("print", &deleted), "");
    }

    #[test]
    fn a_match_may_span_lines_and_anchors_mean_lines() {
        let text = Some("a = 1\nb = 2\n");
        assert_eq!(found(r"^b", &[("a.py", None, text)]), "+a.py:2:1");
        assert_eq!(found(r"1\nb", &[("a.py", None, text)]), "+a.py:1:5");
        assert_eq!(found(r"b", &[("a.py", None, Some("\u{feff}b"))]), "+a.py:1:1");
        assert_eq!(found(r"$", &[("a.py", None, text)]), "");
    }
}
