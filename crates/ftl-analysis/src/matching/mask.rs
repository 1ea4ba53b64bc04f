//! Comparing lines without what differs from run to run: numbers, times, addresses, directories.
//!
//! Numbers are masked rather than removed, so that a number stays one: `expected 3` is not the text
//! of `expected nothing`. Quoted names are kept, since they tell errors apart, and so are codes such as
//! `E0432`. Only the quotes themselves are made alike.

use std::borrow::Cow;

use super::words::has_own;
use crate::constants::ConstPattern;

/// Replaces what was masked; a control character, which no error line holds.
const NUMBER: &str = "\u{2}";

/// Marks of a runner, and the place that some put before their message.
static LEAD: ConstPattern = ConstPattern::new(concat!(
    r"^(?:E\s+|INTERNALERROR>\s*|[>|│×✖✗•*#]\s+|vet: )*",
    r"(?:\S+: line \d+: |[^\s:()]*[\w\]]\.\w+(?::\d+(?::\d+)?:?\s+(?:-\s+)?|\(\d+(?:,\s?\d+)?\):?\s+))?",
));
/// Quotes that open, and those that close what they open.
const QUOTES: [(char, &[char]); 5] = [
    ('\'', &['\'']),
    ('"', &['"']),
    ('`', &['`', '\'']),
    ('\u{2018}', &['\u{2019}']),
    ('\u{201c}', &['\u{201d}']),
];
/// A path from the root, up to its last name.
static ABSOLUTE: ConstPattern = ConstPattern::new(
    r"(?<before>^|[\s'(\[=,:<])(?:~|[A-Za-z]:|\./|\.\./)?(?:[/\\][\w.@~+ -]*[\w.@~+-])*[/\\](?<name>[\w.@~+-]+)",
);
static NUMERAL: ConstPattern = ConstPattern::new(
    r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]*Z?|\b0[xX][0-9a-fA-F]+\b|\b\d[\d_]*(?:[.:,]\d+)*",
);
static SIGN: ConstPattern = ConstPattern::new("(^|[\\s=(\\[,:])-\u{2}");

/// `line` without its place and marks: what it says.
pub(super) fn message(line: &str) -> &str {
    let line = line.trim();
    let rest = &line[LEAD.find(line).map_or(0, |lead| lead.end())..];
    if rest.is_empty() { line } else { rest }
}

/// `text` with absolute paths cut to their last names.
pub(super) fn without_directories(text: &str) -> Cow<'_, str> {
    match text.contains(['/', '\\']) {
        true => ABSOLUTE.replace_all(text, "$before$name"),
        false => text.into(),
    }
}

/// `line` with numbers masked and the directories of absolute paths left out, blanks joined, quotes made
/// alike, in lower case.
///
/// The order matters: signs come last, since a minus is a sign only before a number and an operator or
/// hyphen elsewhere.
pub(super) fn masked(line: &str) -> String {
    let line = with_plain_quotes(message(line));
    let line = without_directories(&line);
    let line = NUMERAL.replace_all(&line, NUMBER);
    let line = match line.contains("-\u{2}") {
        true => SIGN.replace_all(&line, "$1\u{2}"),
        false => line,
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// `line` without its place and marks, with numbers and names as they are: two that are equal then are one error,
/// however little they say.
pub(super) fn folded(line: &str) -> String {
    let line = with_plain_quotes(message(line));
    let words: Vec<&str> = line.split_whitespace().collect();
    words.join(" ").trim_end_matches(['.', ':', '!']).to_lowercase()
}

/// Whether a folded line is `part`, or holds it beside little else: the name of an exception, a runner's comment.
pub(super) fn is_most_of(part: &str, whole: &str) -> bool {
    let has_edges = |at: usize| {
        is_edge(whole[..at].chars().next_back(), part.chars().next())
            && is_edge(part.chars().next_back(), whole[at + part.len()..].chars().next())
    };
    let is_long = part.len() * 5 >= whole.len() * 3 && part.split(' ').count() > 2;
    !part.is_empty() && (part == whole || is_long && whole.find(part).is_some_and(has_edges))
}

/// `text` with every quotation in plain single quotes. A quotation begins after anything but a word and
/// ends on its line.
fn with_plain_quotes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut done = 0;
    for (at, quote) in text.char_indices() {
        let Some((_, closing)) = QUOTES.iter().find(|(opening, _)| *opening == quote) else {
            continue;
        };
        // The end of one quotation is not the text before the next.
        let before = text[done.min(at)..at].chars().next_back();
        if at < done || (at > 0 && before.is_none_or(in_word)) {
            continue;
        }
        let inner = &text[at + quote.len_utf8()..];
        let ends = |c: char| c == '\n' || closing.contains(&c);
        let end = inner.find(ends).map(|end| (end, inner[end..].chars().next()));
        if let Some((end, Some(last))) = end
            && closing.contains(&last)
        {
            plain.push_str(&text[done..at]);
            plain.extend(["'", &inner[..end], "'"]);
            done = at + quote.len_utf8() + end + last.len_utf8();
        }
    }
    plain.push_str(&text[done..]);
    plain
}

/// Whether two error lines are the same but for what differs from run to run.
pub fn same_error(one: &str, other: &str) -> bool {
    masked(one) == masked(other)
}

/// Marks of a text that was cut short.
const CUT_MARKS: [&str; 2] = ["...", "…"];

/// Whether `part` occurs in `whole`, both masked, without splitting a word. A part without a word of its
/// own, such as the name of an exception or a comparison of numbers, occurs nowhere: it would fit every
/// error of its kind.
pub(super) fn occurs(part: &str, whole: &str) -> bool {
    let cut = CUT_MARKS.iter().find_map(|mark| part.strip_suffix(mark));
    let text = cut.unwrap_or(part).trim_end();
    let is_there = whole.match_indices(text).any(|(at, _)| {
        let before = whole[..at].chars().next_back();
        let after = whole[at + text.len()..].chars().next();
        is_edge(before, text.chars().next())
            && (cut.is_some() || is_edge(text.chars().next_back(), after))
    });
    is_there && has_own(text)
}

fn is_edge(left: Option<char>, right: Option<char>) -> bool {
    !(left.is_some_and(in_word) && right.is_some_and(in_word))
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{folded, is_most_of, masked, occurs};

    #[test]
    fn numbers_times_and_addresses_are_masked() {
        for (one, other) in [
            ("No module named 'models'", "No module named \"models\""),
            ("took 200ms", "took  31ms"),
            ("at 0xDEADbeef", "at 0x1f"),
            ("line 3, column 12", "line 40, column 1"),
            ("on 2026-11-21T22:33:54", "on 2025-01-02T03:04:05"),
            ("got -1, want 3", "got 7, want 3.5"),
            ("cannot open (/srv/app/a.py)", "cannot open (/home/grace/b/a.py)"),
            ("undefined reference to `total'", "undefined reference to 'total'"),
            ("a_test.go:7: got nothing", "b_test.go:21: got nothing"),
            ("src/a.ts(9,3): error TS2345: x", "lib/b.ts(1,1): error TS2345: x"),
            ("E   ImportError: Cannot", "importerror: cannot"),
        ] {
            assert_eq!(masked(one), masked(other));
        }
    }

    #[test]
    fn names_and_codes_are_not_masked() {
        for (one, other) in [
            ("No module named 'models'", "No module named 'views'"),
            ("cannot find `a::b`", "cannot find `c`"),
            ("cannot open 'data/rows.csv'", "cannot open 'templates/rows.html'"),
            ("error[E0432]", "error[E0433]"),
            ("don't stop, can't go", "don't wait, can't go"),
            ("a-1", "a2"),
        ] {
            assert_ne!(masked(one), masked(other));
        }
    }

    #[test]
    fn a_part_splits_no_word_unless_it_was_cut_short() {
        for (part, whole, expected) in [
            ("cat", "concatenate", false),
            ("cat", "the cat sat", true),
            ("typeerror: unsupported op", "typeerror: unsupported operand", false),
            ("typeerror: unsupported op...", "typeerror: unsupported operand", true),
            ("typeerror: unsupported op…", "typeerror: unsupported operand", true),
            ("moved: ", "was moved: x", true),
            ("", "anything", false),
            ("concat", "cat, concat", true),
        ] {
            assert_eq!(occurs(part, whole), expected, "{part} in {whole}");
        }
    }

    #[test]
    fn a_line_that_is_equal_is_the_same_error_however_little_it_says() {
        for (trigger, line, expected) in [
            (
                "AssertionError: assert [] == [(1, 2)]",
                "AssertionError: assert [] == [(1, 2)]",
                true,
            ),
            ("expected 5 to be 4", "Expected 5 to be 4.", true),
            ("expected 5 to be 4", "AssertionError: expected 5 to be 4 // equality", false),
            ("assert 4 == 3", "E   AssertionError: assert 4 == 3", false),
            ("expected 1.25 to equal 1.5", "Error: expected 1.25 to equal 1.5", true),
            ("assert 4 == 3", "assert 4 == 31", false),
            ("AssertionError", "AssertionError: assert 4 == 3", false),
            ("", "", false),
        ] {
            assert_eq!(is_most_of(&folded(trigger), &folded(line)), expected, "{trigger}");
        }
    }

    #[test]
    fn a_text_without_a_distinctive_word_occurs_nowhere() {
        for part in [
            "\u{2}",
            "assert \u{2} == \u{2}",
            "assertionerror",
            "error: ",
            "expected \u{2} to be \u{2}",
        ] {
            assert!(!occurs(part, &format!("a {part} b")), "{part}");
        }
    }
}
