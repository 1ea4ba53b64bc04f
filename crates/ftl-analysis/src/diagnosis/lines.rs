//! The error lines of an output: what a person would quote, and what failures are matched by. Which
//! lines carry the error is the runners' business; here they are cleaned, cut and counted.

use std::collections::HashSet;

use super::passed::failing_part;
use super::plain::{cut, plain_text};
use super::prefix::unprefixed;
use super::runners;

/// Bytes that an error line may have; longer ones are cut.
const MAX_LINE_BYTES: usize = 2048;

/// Error lines that are kept: enough to recognise an error, few enough to compare.
const MAX_LINES: usize = 40;

/// The lines of `output` that carry the error: trimmed, without colour, each once, at most 40.
///
/// The first runner whose output is recognised gives them. Output that no runner is known for gives
/// its last lines that speak of an error; failing that, its last line that is not blank. Blank
/// output gives none. A line over 2048 bytes is cut and says so.
pub fn error_lines(output: &str) -> Vec<String> {
    let text = plain_text(output);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    error_lines_of(&unprefixed(lines))
}

/// The [error lines](error_lines) of plain text, by lines without space at their ends.
pub(crate) fn error_lines_of(lines: &[&str]) -> Vec<String> {
    let mut seen = HashSet::new();
    runners::lines_of(failing_part(lines))
        .into_iter()
        .map(|line| cut(line.trim(), MAX_LINE_BYTES))
        .filter(|line| !line.is_empty() && seen.insert(line.clone()))
        .take(MAX_LINES)
        .collect()
}

/// The line that a person would quote from `output`, `otherwise` when the output is blank.
pub fn first_error_line(output: &str, otherwise: &str) -> String {
    error_lines(output).into_iter().next().unwrap_or_else(|| otherwise.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINE_BYTES, error_lines, first_error_line};

    #[test]
    fn a_long_line_is_cut_between_characters_and_says_so() {
        let lines = error_lines(&format!("E   ValueError: {}", "ü".repeat(3000)));
        assert_eq!(lines.len(), 1);
        assert!(lines[0].len() <= MAX_LINE_BYTES);
        assert!(lines[0].len() > MAX_LINE_BYTES - 4);
        assert!(lines[0].starts_with("ValueError: üü"));
        assert!(lines[0].ends_with("ü … (cut, 6012 bytes in all)"));
    }

    #[test]
    fn a_line_of_just_the_limit_is_whole() {
        let line = format!("Error: {}", "x".repeat(MAX_LINE_BYTES - 7));
        assert_eq!(error_lines(&line), [line]);
    }

    #[test]
    fn a_line_is_given_once_and_their_number_is_bounded() {
        assert_eq!(error_lines("E   a\nE   b\nE   a"), ["a", "b"]);
        let many: String = (0..100).map(|n| format!("E   line {n}\n")).collect();
        assert_eq!(error_lines(&many).len(), 40);
    }

    #[test]
    fn blank_output_is_spoken_for_by_the_caller() {
        for output in ["", "\n \n", "\u{1b}[0m\r\n"] {
            assert!(error_lines(output).is_empty());
            assert_eq!(first_error_line(output, "exit 3"), "exit 3");
        }
        assert_eq!(first_error_line("one\n\ntwo \n\n", "exit 3"), "two");
    }
}
