//! Whether a line is one that the reader would have quoted: equal but for marks and places, or one
//! part of the other with most of its length.

use std::sync::LazyLock;

use regex::Regex;

/// The share of the longer line that the shorter one needs.
const PART: f64 = 0.7;

static COLOUR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b.").expect("because the pattern is a constant")
});
/// The text before a message that is no part of it: marks, numbers, levels, places, a summary's name.
static LEAD: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r"^(?:[│|>×✖✗✘✕●→*#-]+\s*",
        r"|E\s+",
        r"|\d+\)\s+",
        r"|\[?(?:ERROR|error|FAIL)\]\s*",
        r"|not ok \d*\s*(?:- )?",
        r"|(?:FAILED|ERROR) \S+ - ",
        r"|(?:ERROR|Error|error): ",
        r"|[^\s:]+\.?\w*:\d+(?::\d+)?:\s*",
        r"|error: ')",
    );
    Regex::new(pattern).expect("because the pattern is a constant")
});
static TAIL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r" \[recovered.*\]$|'$").expect("because the pattern is a constant")
});

/// Whether `line` is one of the `wanted`, or holds one of them whole.
pub(crate) fn is_quoted(line: &str, wanted: &[String]) -> bool {
    let blank_free = plain(line);
    wanted.iter().any(|want| {
        let want = plain(want);
        alike(&blank_free, &want)
            || alike(&bare(&blank_free), &bare(&want))
            || (want.chars().count() > 3 && holds_whole(&blank_free, &want))
    })
}

fn holds_whole(line: &str, want: &str) -> bool {
    format!(" {line} ").contains(&format!(" {want} "))
}

fn plain(line: &str) -> String {
    let line = COLOUR.replace_all(line, "");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn bare(line: &str) -> String {
    let mut rest = line;
    while let Some(lead) = LEAD.find(rest) {
        if lead.end() == rest.len() {
            break;
        }
        rest = &rest[lead.end()..];
    }
    TAIL.replace(rest, "").into_owned()
}

fn alike(one: &str, other: &str) -> bool {
    let (short, long) = match one.len() <= other.len() {
        true => (one, other),
        false => (other, one),
    };
    let share = short.chars().count() as f64 / long.chars().count().max(1) as f64;
    !short.is_empty() && long.contains(short) && share >= PART
}

#[cfg(test)]
mod tests {
    use super::is_quoted;

    #[test]
    fn marks_places_and_cut_tails_do_not_count_but_another_line_does() {
        let wanted = ["E   assert 1 == 2".to_owned()];
        for line in ["assert 1 == 2", "tests/a.py:3: assert 1 == 2", "> assert  1 == 2"] {
            assert!(is_quoted(line, &wanted), "{line}");
        }
        for line in ["assert 1 == 3", "assert", "", "1 failed"] {
            assert!(!is_quoted(line, &wanted), "{line}");
        }
    }
}
