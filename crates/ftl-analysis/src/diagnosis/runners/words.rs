use std::sync::LazyLock;

use regex::Regex;

use super::pattern;

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)error|fail|panic|exception"));
/// Counts that speak of errors where there are none.
static NONE_COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:0|no) (?:errors?|fail\w*|exceptions?)\b|\b(?:errors?|fail\w*)[:=] ?0\b")
});
/// Headings between rules.
static BANNER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^([=_*#-])[=_*#-]{2,} .* [=_*#-]{3,}$"));

/// Lines that are kept when only their words tell.
const MAX_LINES: usize = 10;

/// The last lines that speak of error, fail, panic or exception.
pub(super) fn lines(lines: &[&str]) -> Vec<String> {
    let speaking: Vec<&str> = lines
        .iter()
        .filter(|line| !BANNER.is_match(line))
        .filter(|line| WORD.is_match(&NONE_COUNTED.replace_all(line, "")))
        .copied()
        .collect();
    let last = speaking
        .iter()
        .skip(speaking.len().saturating_sub(MAX_LINES));
    last.map(|line| (*line).to_owned()).collect()
}

/// The last line that is not blank, none when all are.
pub(super) fn last_line(lines: &[&str]) -> Vec<String> {
    let last = lines.iter().rev().find(|line| !line.trim().is_empty());
    last.map(|line| (*line).to_owned()).into_iter().collect()
}
