//! Output as plain text. Tests may force colours, and progress bars overwrite their own lines.
//!
//! Sequences are removed by their syntax (ECMA-48), not by a list: whatever begins with an escape is
//! not text. One that the output's end or a cut left incomplete is removed too.

use crate::constants::ConstPattern;
use std::borrow::Cow;

/// Terminal sequences: CSI, OSC and other strings with their terminator, two-character escapes.
static SEQUENCE: ConstPattern = ConstPattern::new(concat!(
    r"(?:\x1B\[|\u{9B})[0-?]*[ -/]*[@-~]",
    r"|\x1B[\]PX^_][^\x07\x1B]*(?:\x07|\x1B\\)?",
    r"|\x1B[ -/]*[0-~]?",
));

/// `output` as a person reads it: without terminal sequences and control characters, lines ending
/// in LF. A lone CR and a cursor put to the first column, with which progress goes back, end a line too.
pub(crate) fn plain_text(output: &str) -> Cow<'_, str> {
    if !output.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return Cow::Borrowed(output);
    }
    let output = output.replace("\u{1b}[1G", "\r");
    let without_sequences = SEQUENCE.replace_all(&output, "");
    let mut text = String::with_capacity(without_sequences.len());
    let mut characters = without_sequences.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' => text.push('\n'),
            '\n' | '\t' => text.push(character),
            other if other.is_control() => {}
            other => text.push(other),
        }
    }
    Cow::Owned(text)
}

/// A text of at most so many bytes; one that was cut says so.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let note = format!(" … (cut, {} bytes in all)", text.len());
    let end = text.floor_char_boundary(most - note.len());
    format!("{}{note}", &text[..end])
}

/// The bytes of white space that a line begins with.
pub(crate) fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::plain_text;

    #[test]
    fn terminal_sequences_and_control_characters_vanish() {
        for (output, expected) in [
            ("\u{1b}[1m\u{1b}[31mE   boom\u{1b}[0m", "E   boom"),
            ("\u{1b}[38;5;196mred\u{1b}[K", "red"),
            ("\u{1b}]8;;file:///a\u{7}link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{9b}31mred", "red"),
            ("\u{1b}(Bplain\u{1b}=", "plain"),
            ("a\u{0}b\u{8}c\td", "abc\td"),
            ("10%\r20%\r\ndone", "10%\n20%\ndone"),
            ("cut off \u{1b}[", "cut off "),
            ("cut off \u{1b}", "cut off "),
        ] {
            assert_eq!(plain_text(output), expected, "{output:?}");
        }
    }
}
