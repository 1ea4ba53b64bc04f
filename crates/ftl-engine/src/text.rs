//! Text of others, made fit for one line of ours, and the time as records spell it.

use ftl_xml::terminal_text;
use jiff::Timestamp;

/// Text of others on one line: control sequences are made visible, line ends become U+2424.
pub(crate) fn one_line(text: &str) -> String {
    terminal_text(text.trim().as_bytes()).replace('\n', "\u{2424}")
}

/// The time, to the second and in UTC.
pub(crate) fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
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
    use super::shell_word;

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
