//! Quotes and brackets, matched before anything is parsed: the parser lets quoted text go on over
//! lines, and notices a block that never ends only where the file does.

use std::ops::Range;

/// The state at the end of a text.
pub(super) enum End {
    /// Quoted text that goes on in the next line, from its quote to the end of its line.
    InQuote(Range<usize>),
    /// Brackets and quotes that are open, the innermost last.
    Open(Vec<usize>),
}

/// Matches quotes and brackets. Of a heredoc only the end is looked for.
pub(super) fn scan(text: &str) -> End {
    let bytes = text.as_bytes();
    let (mut open, mut at): (Vec<usize>, usize) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let in_quote = open.last().is_some_and(|&opener| bytes[opener] == b'"');
        at += match bytes[at] {
            b'\\' if in_quote => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            b'\n' if in_quote => return End::InQuote(open.last().map_or(at, |&it| it)..at),
            b'"' if in_quote => {
                open.pop();
                1
            }
            b'$' | b'%' if in_quote && (rest.starts_with("$${") || rest.starts_with("%%{")) => 3,
            b'$' | b'%' if in_quote && rest[1..].starts_with('{') => {
                open.push(at + 1);
                2
            }
            _ if in_quote => rest.chars().next().map_or(1, char::len_utf8),
            b'"' | b'(' | b'[' | b'{' => {
                open.push(at);
                1
            }
            b')' | b']' | b'}' => {
                open.pop();
                1
            }
            b'#' => line(rest),
            b'/' if rest.starts_with("//") => line(rest),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |it| it + 2),
            b'<' if rest.starts_with("<<") => heredoc(rest),
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    End::Open(open)
}

/// Bytes up to the end of a line.
fn line(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// Bytes up to the last line of a heredoc, which holds its marker alone.
fn heredoc(rest: &str) -> usize {
    let begin = line(rest);
    let marker = rest[..begin].trim_start_matches('<').trim_start_matches('-').trim();
    if !marker.starts_with(|it: char| it.is_alphabetic() || it == '_') {
        return 2;
    }
    let mut passed = begin;
    for line in rest[begin..].split_inclusive('\n') {
        passed += line.len();
        if line.trim() == marker {
            return passed;
        }
    }
    passed
}
