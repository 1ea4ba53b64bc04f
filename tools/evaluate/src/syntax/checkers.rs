//! This project's checkers, which are the subject of the comparison.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_preflight::{Checker, CheckerName, Options, PythonVersion, Reason, Report, Status};

use super::verdict::Verdict;

/// A verdict, and the findings whose places contradict one another or the file.
pub(crate) struct Checked {
    pub(crate) verdict: Verdict,
    pub(crate) misplaced: usize,
}

/// The verdicts of a checker on files, in their order; `python` is the version aimed at.
pub(crate) fn judge(
    checker: CheckerName,
    python: Option<PythonVersion>,
    paths: &[PathBuf],
) -> Vec<Checked> {
    let options = Options::default().with_checker(checker);
    let options = match python {
        Some(version) => options.with_python(version),
        None => options,
    };
    let reports = Checker::new(options).check_many(paths);
    paths.iter().zip(&reports).map(|(path, report)| Checked::of(path, report)).collect()
}

impl Checked {
    fn of(path: &Path, report: &Report) -> Self {
        let found = report.diagnostics();
        let verdict = match &report.status {
            // The judges of components look at the scripts alone, too.
            Status::Unchecked { reason: Reason::InPart } => Verdict::VALID,
            Status::Unchecked { reason } => Verdict::unknown(&reason.to_string()),
            _ => match found.first() {
                None => Verdict::VALID,
                Some(first) => Verdict::invalid(first.line, &first.message),
            },
        };
        // Offsets of files in other encodings cannot be computed from their text.
        let text = if found.is_empty() { None } else { utf8_text(path) };
        let is_misplaced = |it: &&ftl_preflight::Diagnostic| {
            let places = [it.line, it.column, it.end_line, it.end_column, it.start, it.end];
            text.as_ref().is_some_and(|text| !are_consistent(places, text))
        };
        Self { verdict, misplaced: found.iter().filter(is_misplaced).count() }
    }
}

/// The text of a file, unless it is in another encoding.
fn utf8_text(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let is_python = path.extension().is_some_and(|it| it == "py" || it == "pyi");
    (!is_python || !declares_other_encoding(&text)).then_some(text)
}

/// Whether a comment in one of the first two lines names an encoding that is not UTF-8.
fn declares_other_encoding(text: &str) -> bool {
    let comments = text.lines().take(2).filter(|line| line.starts_with('#'));
    let names = comments.filter_map(|comment| {
        let (_, rest) = comment.split_once("coding")?;
        rest.strip_prefix([':', '='])
    });
    let mut names = names.map(|name| name.trim().to_ascii_lowercase());
    names.any(|name| !(name.starts_with("utf-8") || name.starts_with("utf8")))
}

/// Whether line, column, end line, end column, start and end say the same, and lie in the text.
fn are_consistent(
    [line, column, end_line, end_column, start, end]: [usize; 6],
    text: &str,
) -> bool {
    start <= end
        && place(text, start) == Some((line, column))
        && place(text, end) == Some((end_line, end_column))
}

/// Line and column of an offset, counted the slow way; `None` inside a character or beyond the end.
fn place(text: &str, offset: usize) -> Option<(usize, usize)> {
    let before = text.get(..offset)?;
    let before = before.strip_prefix('\u{FEFF}').unwrap_or(before);
    let is_split = before.ends_with('\r') && text[offset..].starts_with('\n');
    let whole = if is_split { &before[..before.len() - 1] } else { before };
    let lines = whole.replace("\r\n", "\n").replace('\r', "\n");
    let last = lines.rsplit('\n').next().unwrap_or_default();
    let column = last.chars().count() + 1 + usize::from(is_split);
    Some((lines.matches('\n').count() + 1, column))
}

#[cfg(test)]
mod tests {
    use super::{are_consistent, declares_other_encoding};

    #[test]
    fn a_declared_encoding_is_seen_though_the_bytes_would_be_utf8() {
        assert!(declares_other_encoding("# coding=latin-1\n\u{c6} = 1\n"));
        assert!(declares_other_encoding("#!/x\n# -*- coding: iso8859-15 -*-\n"));
        assert!(!declares_other_encoding("# -*- coding: UTF-8 -*-\n"));
        assert!(!declares_other_encoding("# decoding is hard\nx = 1\n"));
        assert!(!declares_other_encoding("a\nb\n# coding=latin-1\n"));
    }

    #[test]
    fn places_must_agree_with_each_other_and_with_the_text() {
        let text = "\u{FEFF}a\r\n\u{e9}b\rc";
        let cases = [
            ([1, 1, 1, 2, 3, 4], true),
            ([2, 1, 2, 2, 6, 8], true),
            ([3, 1, 3, 2, 10, 11], true),
            ([2, 1, 2, 2, 6, 7], false),
            ([2, 2, 2, 2, 6, 8], false),
            ([3, 1, 3, 3, 10, 12], false),
            ([2, 2, 2, 1, 8, 6], false),
        ];
        for (places, expected) in cases {
            assert_eq!(are_consistent(places, text), expected, "{places:?}");
        }
    }
}
