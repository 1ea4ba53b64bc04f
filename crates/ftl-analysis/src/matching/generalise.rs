//! A pattern made of one error line: it fits the line again when numbers, times, addresses and directories
//! differ, and no other error.
//!
//! Masked are the same things as in a comparison of texts (`mask`). Quoted names stay, since they tell
//! errors apart: a pattern with a wildcard in their place was right in two of three cases only
//! (lab/evaluation.md). What is left of a line without a distinctive word would fit every error of its
//! kind, so such a line gives no pattern.

use super::mask::{masked, message};
use super::words::has_own;
use crate::constants::ConstPattern;
use crate::pattern::{Deadline, Dialect, Pattern};

/// Characters of a line that count: a longer one goes on with values that differ from run to run.
const LONGEST: usize = 240;

/// What differs from run to run: a time, an address, the directories of an absolute path, a number.
static VARYING: ConstPattern = ConstPattern::new(concat!(
    r"(?<time>\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]*Z?)",
    r"|(?<address>\b0[xX][0-9a-fA-F]+\b)",
    r"|(?<path>(?:~|\b[A-Za-z]:)?[/\\](?:[\w.@~+-]+[/\\])+)",
    r"|(?<number>-?\b\d[\d_]*(?:[.:,]\d+)*)",
    r"|(?<blank>\s+)",
));

/// What an assertion calls its sides: quoted, and no name of anything.
static OPERANDS: ConstPattern = ConstPattern::new(
    r"'\(?(?:left|right|actual|expected)\b[\s!=<>]*(?:left|right|actual|expected)?\)?'",
);

/// A pattern, in Python's syntax, that fits `line` and what differs from it only by what changes from run
/// to run; `None` where the line says too little, or where such a pattern would fit any of `passing`, the
/// outputs of runs that passed.
pub fn generalised(line: &str, passing: &[&str]) -> Option<String> {
    let message = cut(message(line));
    if !has_own(&OPERANDS.replace_all(&masked(message), " ")) {
        return None;
    }
    let literal = regex::escape(message);
    [masking(message), literal]
        .into_iter()
        .find(|source| holds(source, line, passing) == Some(true))
}

/// A line that ends within a word would not fit where the rest differs; nor would a cut mark.
fn cut(message: &str) -> &str {
    let message = message.trim_end().trim_end_matches(['…', '.']).trim_end();
    match message.char_indices().nth(LONGEST) {
        None => message,
        Some((end, _)) => {
            let end = message[..end].rfind(char::is_whitespace).unwrap_or(end);
            &message[..end]
        }
    }
}

fn masking(message: &str) -> String {
    let mut source = String::new();
    let mut literal = 0;
    for found in VARYING.captures_iter(message) {
        let whole = found.get(0).expect("because a match has a whole");
        source.push_str(&regex::escape(&message[literal..whole.start()]));
        literal = whole.end();
        source.push_str(if found.name("time").is_some() {
            r"[\d:.,TZ -]+"
        } else if found.name("address").is_some() {
            "0[xX][0-9a-fA-F]+"
        } else if found.name("path").is_some() {
            r#"[^\s'"`]*[/\\]"#
        } else if found.name("number").is_some() {
            r"-?\d[\d_.:,]*"
        } else {
            r"\s+"
        });
    }
    source.push_str(&regex::escape(&message[literal..]));
    source
}

/// Whether a pattern fits the line that it was made of, and neither anything nor what passed.
fn holds(source: &str, line: &str, passing: &[&str]) -> Option<bool> {
    let pattern = Pattern::compile(source, Dialect::Python).ok()?;
    let deadline = Deadline::of_a_phase();
    let fits = |text: &str| pattern.is_match(text, &deadline).ok();
    if !fits(line)? || pattern.fits_anything(&deadline).ok()? {
        return Some(false);
    }
    for text in passing {
        if fits(text)? {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::generalised;
    use crate::pattern::{Deadline, Dialect, Pattern};

    fn fits(pattern: &str, text: &str) -> bool {
        let pattern = Pattern::compile(pattern, Dialect::Python).unwrap();
        pattern.is_match(text, &Deadline::of_a_phase()).unwrap()
    }

    #[test]
    fn a_line_is_found_again_when_only_numbers_and_places_differ() {
        for (line, again) in [
            (
                "E   ModuleNotFoundError: No module named 'stripe'",
                "ModuleNotFoundError: No module named 'stripe'",
            ),
            (
                "sqlite3.OperationalError: no such table: users_v2",
                "E       sqlite3.OperationalError:  no such table: users_v2",
            ),
            (
                "src/a.ts(9,3): error TS2345: Argument of type 'A'",
                "lib/b.ts(11,1): error TS2345: Argument of type 'A'",
            ),
            ("waited 200ms for lock 0xdeadBEEF", "waited 1.5ms for lock 0x1f"),
            (
                "cannot open '/srv/app/conf/a.toml': denied",
                "cannot open '/home/grace/b/a.toml': denied",
            ),
            ("token expired at 2026-11-21T22:33:54Z", "token expired at 2025-01-02 03:04:05.77"),
            ("assert_total: expected sum 7, found -3", "assert_total: expected sum -1, found 12"),
        ] {
            let pattern = generalised(line, &[]).unwrap();
            assert!(fits(&pattern, line), "{pattern}: {line}");
            assert!(fits(&pattern, again), "{pattern}: {again}");
        }
    }

    #[test]
    fn another_name_in_quotes_is_another_error() {
        let pattern = generalised("No module named 'stripe'", &[]).unwrap();
        assert!(!fits(&pattern, "No module named 'celery'"), "{pattern}");
        let pattern = generalised("E0432: unresolved import `a::b`", &[]).unwrap();
        assert!(!fits(&pattern, "E0433: unresolved import `a::b`"));
    }

    #[test]
    fn a_line_without_a_distinctive_word_gives_none() {
        for line in [
            "AssertionError",
            "assert 1 == 2",
            "",
            "Error:",
            "expected 3, got 4",
            "assertion `left == right` failed",
        ] {
            assert_eq!(generalised(line, &[]), None, "{line}");
        }
    }

    #[test]
    fn a_pattern_that_fits_what_passed_is_none() {
        let line = "collected widgets";
        assert!(generalised(line, &["all fine"]).is_some());
        assert_eq!(generalised(line, &["ok\ncollected widgets\n3 passed"]), None);
    }

    #[test]
    fn a_long_line_is_cut_at_a_word() {
        let line = format!("widget overflow: {}", "value ".repeat(200));
        let pattern = generalised(&line, &[]).unwrap();
        assert!(fits(&pattern, &line));
        assert!(pattern.len() < 400, "{pattern}");
    }
}
