//! Comparing lines without what differs from run to run: quoted values, numbers, times, addresses.
//!
//! Values are masked rather than removed, so that a value stays a value: `expected 3` is not the text
//! of `expected nothing`. Names and codes such as `E0432` are kept, since they tell errors apart.

use std::sync::LazyLock;

use regex::Regex;

/// Stand for what was masked; control characters, which no error line holds.
const QUOTED: &str = "${before}\u{1}";
const NUMBER: &str = "\u{2}";

static QUOTATION: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?<before>^|[^\w])(?:'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|‘[^’\n]*’|“[^”\n]*”)"#;
    Regex::new(pattern).expect("because the pattern is a constant")
});
static NUMERAL: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]*Z?|\b0[xX][0-9a-fA-F]+\b|\b\d[\d_]*(?:[.:,]\d+)*";
    Regex::new(pattern).expect("because the pattern is a constant")
});
static SIGN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("(^|[\\s=(\\[,:])-\u{2}").expect("because the pattern is a constant")
});

/// `line` with quoted values and numbers masked, blanks joined, in lower case.
///
/// The order matters: quotations first, since they may hold numbers, and signs last, since a minus is
/// a sign only before a number and an operator or hyphen elsewhere.
pub(super) fn masked(line: &str) -> String {
    let line = QUOTATION.replace_all(line, QUOTED);
    let line = NUMERAL.replace_all(&line, NUMBER);
    let line = SIGN.replace_all(&line, "$1\u{2}");
    let words: Vec<&str> = line.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Marks of a text that somebody cut short.
const CUT_MARKS: [&str; 2] = ["...", "…"];

/// Whether `part` occurs in `whole`, both masked, without splitting a word. A part without a letter, such
/// as a lone masked value, occurs nowhere: it would fit every line.
pub(super) fn occurs(part: &str, whole: &str) -> bool {
    let cut = CUT_MARKS.iter().find_map(|mark| part.strip_suffix(mark));
    let text = cut.unwrap_or(part).trim_end();
    if !text.chars().any(char::is_alphabetic) {
        return false;
    }
    whole.match_indices(text).any(|(at, _)| {
        let before = whole[..at].chars().next_back();
        let after = whole[at + text.len()..].chars().next();
        is_edge(before, text.chars().next())
            && (cut.is_some() || is_edge(text.chars().next_back(), after))
    })
}

fn is_edge(left: Option<char>, right: Option<char>) -> bool {
    let in_word = |side: Option<char>| side.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !(in_word(left) && in_word(right))
}

#[cfg(test)]
mod tests {
    use super::{masked, occurs};

    #[test]
    fn what_differs_from_run_to_run_is_masked() {
        for (one, other) in [
            ("No module named 'models'", "No module named \"fasthtml\""),
            ("took 200ms", "took  31ms"),
            ("at 0xDEADbeef", "at 0x1f"),
            ("line 3, column 12", "line 40, column 1"),
            ("on 2026-11-21T22:33:54", "on 2025-01-02T03:04:05"),
            ("got -1, want 3", "got 7, want 3.5"),
            ("cannot find `a::b`", "cannot find `c`"),
            ("ImportError: Cannot", "importerror: cannot"),
        ] {
            assert_eq!(masked(one), masked(other));
        }
    }

    #[test]
    fn names_and_codes_are_not_masked() {
        for (one, other) in [
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
            (
                "typeerror: unsupported op",
                "typeerror: unsupported operand",
                false,
            ),
            (
                "typeerror: unsupported op...",
                "typeerror: unsupported operand",
                true,
            ),
            (
                "typeerror: unsupported op…",
                "typeerror: unsupported operand",
                true,
            ),
            ("error: ", "some error: x", true),
            ("\u{1}", "named \u{1}", false),
            ("", "anything", false),
            ("concat", "cat, concat", true),
        ] {
            assert_eq!(occurs(part, whole), expected, "{part} in {whole}");
        }
    }
}
