//! Verdicts on syntax, for people: each finding with its line, and the place marked below it.
//!
//! The form is `PATH:LINE:COLUMN: MESSAGE`, which editors and terminals can jump to; so it is not drawn
//! with frames as ftl's own diagnostics are.

use std::fmt::Write as _;
use std::path::Path;

use ftl_preflight::{Diagnostic, Report, Status};
use ftl_text::{same_length, terminal_text};
use unicode_width::UnicodeWidthChar;

/// Findings of one file that are shown; the rest are only counted.
const SHOWN: usize = 10;
/// Columns of a line that are shown around a place.
const WIDTH: usize = 96;

/// A block for each finding and a line for each unchecked file. `read` gives a file's bytes again.
pub(crate) fn human(reports: &[Report], read: &dyn Fn(&Path) -> Vec<u8>) -> String {
    let mut text = String::new();
    for report in reports {
        let path = terminal_text(report.path.as_os_str().as_encoded_bytes());
        let found = report.diagnostics();
        if let Status::Unchecked { reason } = &report.status {
            let reason = terminal_text(reason.to_string().as_bytes());
            let _ = writeln!(text, "{path}: unchecked: {reason}");
        }
        if found.is_empty() {
            continue;
        }
        let source = read(&report.path);
        let source = String::from_utf8_lossy(&source);
        let lines = lines(source.strip_prefix('\u{FEFF}').unwrap_or(&source));
        for one in found.iter().take(SHOWN) {
            let message = terminal_text(one.message.as_bytes());
            let _ = writeln!(text, "{path}:{}:{}: {message}", one.line, one.column);
            if let Some(line) = lines.get(one.line - 1) {
                mark(&mut text, line, one);
            }
        }
        if let Some(more) = found.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            let _ = writeln!(text, "{path}: {more} more, which `--format json` lists");
        }
    }
    text
}

/// Lines as places count them: a lone CR ends one too.
fn lines(text: &str) -> Vec<&str> {
    let lines = text.split('\n').flat_map(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        line.split('\r')
    });
    lines.collect()
}

/// The line, and below it a mark under what was found.
fn mark(text: &mut String, line: &str, found: &Diagnostic) {
    let line: Vec<char> = same_length(line).chars().collect();
    let first = (found.column - 1).min(line.len());
    let last = if found.end_line == found.line {
        (found.end_column - 1).clamp(first, line.len())
    } else {
        line.len()
    };
    let from = first.saturating_sub(WIDTH / 2);
    let to = line.len().min(from + WIDTH);
    let (before, after) = (elided(from > 0), elided(to < line.len()));
    let shown: String = line[from..to].iter().collect();
    // A tab below a tab keeps the mark in its place, however wide a terminal makes it.
    let blank = |c: &char| match c {
        '\t' => "\t".to_owned(),
        c => " ".repeat(width(c)),
    };
    let blanks: String = line[from..first].iter().map(blank).collect();
    let marked = line[first..last.min(to)].iter().map(width);
    let marks = "^".repeat(marked.sum::<usize>().max(1));
    let number = found.line;
    let gutter = " ".repeat(number.to_string().len());
    let _ = writeln!(text, "  {number} | {before}{shown}{after}");
    let _ = writeln!(text, "  {gutter} | {}{blanks}{marks}", " ".repeat(before.chars().count()));
}

/// Columns that a terminal gives to a character.
fn width(character: &char) -> usize {
    character.width().unwrap_or(1)
}

/// The mark for the part of a line that is not shown.
fn elided(is_elided: bool) -> &'static str {
    if is_elided { "… " } else { "" }
}

#[cfg(test)]
mod tests {
    use ftl_preflight::{Checker, CheckerName, Options, Source};

    use super::human;

    fn shown(name: &str, text: &str) -> String {
        let options = Options::default().with_checker(CheckerName::Embedded);
        let report = Checker::new(options).check_source(Source::new(name, text));
        human(&[report], &|_| text.as_bytes().to_vec())
    }

    #[test]
    fn the_place_is_marked_below_its_line() {
        let cases = [
            (
                "a.py",
                "x = 1\nif x:\n\tbreak\n",
                "a.py:3:2: `break` outside loop\n  3 | \tbreak\n    | \t^^^^^\n",
            ),
            ("a.json", "[\n\t1,\n\té]", "a.json:3:2: expected value\n  3 | \té]\n    | \t^\n"),
            (
                "wide.json",
                "[\n\"日本\",é]",
                "wide.json:2:6: expected value\n  2 | \"日本\",é]\n    |        ^\n",
            ),
            ("b.json", "[1,\r\n?]\r\n", "b.json:2:1: expected value\n  2 | ?]\n    | ^\n"),
            ("a.txt", "", "a.txt: unchecked: no checker for this kind of file\n"),
            ("a.yaml", "a: 1\n", ""),
        ];
        for (name, text, expected) in cases {
            assert_eq!(shown(name, text), expected, "{name}");
        }
    }

    #[test]
    fn of_a_long_line_the_part_around_the_place_is_shown() {
        let text = format!("[{}!{}]", "1, ".repeat(200), ", 1".repeat(200));
        let shown = shown("a.json", &text);
        let lines: Vec<_> = shown.lines().collect();
        assert!(lines.iter().skip(1).all(|line| line.chars().count() < 120), "{shown}");
        let at = lines[2].chars().position(|c| c == '^').unwrap();
        assert_eq!(lines[1].chars().nth(at), Some('!'), "{shown}");
    }

    #[test]
    fn control_characters_of_a_terminal_are_not_shown() {
        let shown = shown("a.json", "[\u{1b}[31m\u{202e}]");
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
    }
}
