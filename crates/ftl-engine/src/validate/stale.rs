//! How a file differs from what a code context shows of it.
//!
//! A planner shows the beginning of a file, or windows of it with marks for what it left out, and people
//! copy by mouse. So pieces are searched for, not compared line by line from the start of the file. The cost
//! is one search of the file for each piece. This is no diff: only the first difference is reported.

use ftl_model::CodeContext;

/// How a file differs from what a code context shows of it. Lines count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drift {
    /// It does not.
    None,
    /// The same lines stand elsewhere.
    Moved {
        /// The line of the first of them.
        line: usize,
    },
    /// The lines are not there any more.
    Changed {
        /// The first line that differs, where the context says which lines it shows.
        line: Option<usize>,
    },
}

/// Compares a code context with the file's text. Line ends of either kind and blank lines around
/// the content make no difference.
pub(super) fn drift(context: &CodeContext, text: &str) -> Drift {
    let file = format!("\n{}\n", unix(text));
    let starts = starts(context.lines.as_deref().unwrap_or_default());
    let content = unix(&context.content);
    let drifts = pieces(&content).enumerate().map(|(index, piece)| {
        let start = starts.get(index).copied();
        of_piece(piece, start, &file)
    });
    drifts.into_iter().find(|drift| *drift != Drift::None).unwrap_or(Drift::None)
}

fn unix(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The first line of each range of `1-15,41-90`; none when it is written otherwise.
fn starts(lines: &str) -> Vec<usize> {
    let start = |range: &str| {
        let (start, _) = range.trim().split_once('-')?;
        start.parse().ok().filter(|&line: &usize| line > 0)
    };
    lines.split(',').map(start).collect::<Option<_>>().unwrap_or_default()
}

/// The stretches of a content between the marks of what was left out.
fn pieces(content: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(content);
    std::iter::from_fn(move || {
        let text = rest?;
        let mark = mark(text);
        rest = mark.map(|(_, behind)| &text[behind..]);
        Some(mark.map_or(text, |(at, _)| &text[..at]))
    })
}

/// Where a line such as `# ... lines 16-40 omitted ...` begins, and where the next one does.
fn mark(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_mark = line
            .trim_end()
            .strip_prefix("# ... lines ")
            .is_some_and(|rest| rest.ends_with(" omitted ..."));
        if is_mark {
            return Some((at, at + line.len()));
        }
        at += line.len();
    }
    None
}

/// `file` begins and ends with a separate line end.
fn of_piece(piece: &str, start: Option<usize>, file: &str) -> Drift {
    let (blank, shown) = without_blank_ends(piece);
    if shown.is_empty() {
        return Drift::None;
    }
    // A person may begin the text on a new line, which is no line of the file.
    let expected = start.map(|line| [line, line + blank]);
    let matches_at = |line: &usize| {
        let rest = nth_line(file, *line).and_then(|rest| rest.strip_prefix(shown));
        rest.is_some_and(|rest| rest.starts_with('\n'))
    };
    if expected.is_some_and(|lines| lines.iter().any(matches_at)) {
        return Drift::None;
    }
    match (file.find(&format!("\n{shown}\n")), start) {
        (Some(_), None) => Drift::None,
        (Some(at), Some(_)) => Drift::Moved { line: file[..at].matches('\n').count() + 1 },
        (None, start) => {
            Drift::Changed { line: start.map(|start| first_difference(shown, start + blank, file)) }
        }
    }
}

/// How many blank lines a piece begins with, and the piece without those and without the ones at its
/// end: the indentation of a closing tag is such a line.
fn without_blank_ends(piece: &str) -> (usize, &str) {
    let is_blank = |line: &str| line.trim().is_empty();
    let mut blank = 0;
    let mut rest = piece;
    while let Some((_, behind)) = rest.split_once('\n').filter(|(line, _)| is_blank(line)) {
        blank += 1;
        rest = behind;
    }
    while let Some((before, _)) = rest.rsplit_once('\n').filter(|(_, line)| is_blank(line)) {
        rest = before;
    }
    (blank, if is_blank(rest) { "" } else { rest })
}

/// What begins with a line of the file.
fn nth_line(file: &str, line: usize) -> Option<&str> {
    let (at, _) = file.match_indices('\n').nth(line - 1)?;
    Some(&file[at + 1..])
}

fn first_difference(shown: &str, start: usize, file: &str) -> usize {
    let there = nth_line(file, start).unwrap_or_default();
    let same = shown.split('\n').zip(there.split('\n')).take_while(|(shown, there)| shown == there);
    start + same.count()
}

#[cfg(test)]
mod tests {
    use ftl_model::CodeContext;
    use ftl_xml::python::{Window, code_context};

    use super::{Drift, drift};

    fn numbered(lines: std::ops::RangeInclusive<usize>) -> String {
        lines.map(|n| format!("line {n}\n")).collect()
    }

    fn context(lines: &str, content: &str) -> CodeContext {
        CodeContext {
            lines: (!lines.is_empty()).then(|| lines.to_owned()),
            content: content.to_owned(),
            ..CodeContext::default()
        }
    }

    #[test]
    fn a_context_that_was_just_written_is_fresh() {
        for count in [0, 1, 14, 15, 16, 59, 60, 61, 200] {
            let text = numbered(1..=count);
            for window in [
                Window::Beginning,
                Window::Head,
                Window::Around(1, 2),
                Window::Around(18, 22),
                Window::Around(100, 120),
                Window::Around(300, 400),
            ] {
                let context = code_context("a.py", &text, window);
                assert_eq!(drift(&context, &text), Drift::None, "{count} {window:?}");
                let dos = text.replace('\n', "\r\n");
                assert_eq!(drift(&context, &dos), Drift::None, "{count} {window:?}");
            }
        }
    }

    #[test]
    fn a_change_is_distinguished_from_a_move() {
        let text = numbered(1..=30);
        let moved = |line| Drift::Moved { line };
        let changed = |line| Drift::Changed { line };
        for (lines, content, expected) in [
            ("3-4", "line 3\nline 4", Drift::None),
            ("3-4", "\nline 3\nline 4\n", Drift::None),
            ("3-4", " \nline 3\nline 4\n    ", Drift::None),
            ("", "line 3\nline 4", Drift::None),
            ("whole", "line 30", Drift::None),
            ("1-2", "line 3\nline 4", moved(3)),
            ("3-4", "line 3\nline four", changed(Some(4))),
            ("", "line three", changed(None)),
            ("30-31", "line 30\n\nline 31", changed(Some(32))),
            ("99-99", "line x", changed(Some(99))),
            ("3-3", "line", changed(Some(3))),
            ("", "", Drift::None),
            ("1-1", " \n", Drift::None),
            (
                "1-2,9-10",
                "line 1\nline 2\n# ... lines 3-8 omitted ...\nline 9\nline 10",
                Drift::None,
            ),
            ("1-2,9-10", "line 1\nline 2\n# ... lines 3-8 omitted ...\nline 10", moved(10)),
        ] {
            assert_eq!(drift(&context(lines, content), &text), expected, "{lines}: {content}");
        }
    }
}
