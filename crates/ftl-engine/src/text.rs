//! Text of others, made fit for one line of ours, and the time as records spell it.

use ftl_xml::terminal_text;
use jiff::Timestamp;

/// Text of others on one line: control sequences are made visible, line ends become U+2424.
pub(crate) fn one_line(text: &str) -> String {
    terminal_text(text.trim().as_bytes()).replace('\n', "\u{2424}")
}

/// The time, to the second and in UTC.
pub fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
