//! Text of others, made fit for one line of ours, and the time as records spell it.

pub(crate) use ftl_text::one_line;
use ftl_text::shortened;
use jiff::Timestamp;

/// Names that a sentence lists; the others are counted.
const LISTED: usize = 10;
/// Characters of a name in such a list.
const LISTED_LENGTH: usize = 200;
/// Characters of a sentence: what it quotes may be as long as a reply or an output.
const BRIEF: usize = 4000;

/// The first ten names, and how many more there are.
pub(crate) fn listed(names: &[String]) -> String {
    let shown = names.iter().take(LISTED);
    let shown: Vec<String> = shown.map(|name| shortened(name, LISTED_LENGTH)).collect();
    let shown = shown.join(", ");
    match names.len().checked_sub(LISTED) {
        None | Some(0) => shown,
        Some(more) => format!("{shown} and {more} more"),
    }
}

/// A sentence at a length that a record can hold and a person reads.
pub(crate) fn brief(text: &str) -> String {
    shortened(text, BRIEF)
}

/// The time, to the second and in UTC.
pub(crate) fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The time to the millisecond, in UTC: of what follows itself closely.
pub(crate) fn now_exactly() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// A time without its fraction of a second.
pub(crate) fn to_the_second(at: &str) -> String {
    match at.split_once('.') {
        Some((whole, _)) => format!("{whole}Z"),
        None => at.to_owned(),
    }
}

/// Milliseconds from one time to another; `None` where one of them is none, or they stand the other way
/// round, as after a clock was set back.
pub(crate) fn milliseconds(from: &str, to: &str) -> Option<u64> {
    let [from, to] = [from, to].map(str::parse::<Timestamp>);
    u64::try_from(to.ok()?.as_millisecond() - from.ok()?.as_millisecond()).ok()
}

/// A word as a shell reads it back: quoted unless every character is a plain one.
#[must_use]
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::{brief, listed, milliseconds, now_exactly, shell_word, to_the_second};

    #[test]
    fn a_list_ends_with_a_count_and_a_sentence_with_an_ellipsis() {
        let names: Vec<String> = (1..=12).map(|n| n.to_string()).collect();
        assert_eq!(listed(&names), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more");
        assert_eq!(listed(&names[..2]), "1, 2");
        let long = "ü".repeat(5000);
        assert_eq!(listed(std::slice::from_ref(&long)).chars().count(), 201);
        assert_eq!(brief(&long), format!("{}…", "ü".repeat(4000)));
    }

    #[test]
    fn times_are_shown_to_the_second_or_the_millisecond() {
        let at = now_exactly();
        assert_eq!(at.len(), "2026-01-18T01:30:56.123Z".len(), "{at}");
        assert_eq!(to_the_second("2026-01-18T01:30:56.123Z"), "2026-01-18T01:30:56Z");
        assert_eq!(to_the_second("2026-01-18T01:30:56Z"), "2026-01-18T01:30:56Z");
        let from = "2026-01-18T01:30:56Z";
        assert_eq!(milliseconds(from, "2026-01-18T01:30:57.250Z"), Some(1250));
        assert_eq!(milliseconds("2026-01-18T01:30:57.250Z", from), None);
        assert_eq!(milliseconds(from, "soon"), None);
    }

    #[test]
    fn a_word_is_quoted_where_the_shell_would_read_another() {
        for (word, quoted) in [
            ("a/b-1.py", "a/b-1.py"),
            ("", "''"),
            ("two words", "'two words'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("ä", "'ä'"),
        ] {
            assert_eq!(shell_word(word), quoted);
        }
    }
}
