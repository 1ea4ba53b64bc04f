//! Tokens of GraphQL (section 2.1).

use std::ops::Range;

use crate::finding::Finding;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Name,
    Number,
    Text,
    Sign,
    End,
}

/// A token and its place.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) range: Range<usize>,
}

/// Reads the token that begins at or after an offset.
pub(super) fn token(text: &str, from: usize) -> Result<Token, Finding> {
    let start = skip(text, from);
    let rest = &text[start..];
    let Some(first) = rest.chars().next() else {
        return Ok(Token { kind: TokenKind::End, range: start..start });
    };
    let (kind, length) = match first {
        '"' if rest.starts_with("\"\"\"") => (TokenKind::Text, block(text, start)?),
        '"' => (TokenKind::Text, string(text, start)?),
        '-' | '0'..='9' => (TokenKind::Number, number(text, start)?),
        '.' if rest.starts_with("...") => (TokenKind::Sign, 3),
        it if "!$&():=@[]{|}".contains(it) => (TokenKind::Sign, 1),
        it if is_name_start(it) => {
            let end = rest.find(|it: char| !is_name_start(it) && !it.is_ascii_digit());
            (TokenKind::Name, end.unwrap_or(rest.len()))
        }
        it => {
            return Err(Finding::at(
                text,
                start,
                format!("unexpected character `{}`", it.escape_debug()),
            ));
        }
    };
    Ok(Token { kind, range: start..start + length })
}

fn is_name_start(it: char) -> bool {
    it.is_ascii_alphabetic() || it == '_'
}

/// The offset behind white space, commas and comments.
fn skip(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text[at..].trim_start_matches([' ', '\t', '\n', '\r', ',', '\u{feff}']);
        at = text.len() - rest.len();
        if !rest.starts_with('#') {
            return at;
        }
        at += rest.find(['\n', '\r']).unwrap_or(rest.len());
    }
}

/// The length of a number.
fn number(text: &str, start: usize) -> Result<usize, Finding> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let digits = |from: usize| {
        bytes[from.min(bytes.len())..].iter().take_while(|it| it.is_ascii_digit()).count()
    };
    let invalid = |at: usize| Err(Finding::at(text, at, "invalid number"));
    let mut at = start + usize::from(byte(start) == b'-');
    let whole = digits(at);
    if whole == 0 || whole > 1 && byte(at) == b'0' {
        return invalid(at);
    }
    at += whole;
    if byte(at) == b'.' {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return invalid(at + 1);
        }
        at += 1 + fraction;
    }
    if matches!(byte(at), b'e' | b'E') {
        at += 1 + usize::from(matches!(byte(at + 1), b'+' | b'-'));
        let exponent = digits(at);
        if exponent == 0 {
            return invalid(at);
        }
        at += exponent;
    }
    if byte(at) == b'.' || is_name_start(char::from(byte(at))) {
        return invalid(at);
    }
    Ok(at - start)
}

/// The length of a string in one line.
fn string(text: &str, start: usize) -> Result<usize, Finding> {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1 - start),
            Some(b'\\') => at += escape(text, at)?,
            None | Some(b'\n' | b'\r') => {
                return Err(Finding::at(text, at, "unterminated string"));
            }
            Some(_) => at += 1,
        }
    }
}

/// The length of an escape.
fn escape(text: &str, at: usize) -> Result<usize, Finding> {
    let rest = &text[at + 1..];
    let is_hex =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_hexdigit());
    let length = match rest.as_bytes().first() {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Some(2),
        Some(b'u') if rest.starts_with("u{") => {
            let digits = rest[2..].split_once('}').map(|(digits, _)| digits);
            let is_scalar = |digits: &&str| {
                u32::from_str_radix(digits, 16).is_ok_and(|it| char::from_u32(it).is_some())
            };
            digits.filter(|it| is_hex(it)).filter(is_scalar).map(|digits| digits.len() + 4)
        }
        Some(b'u') => rest.get(1..5).filter(|it| is_hex(it)).map(|_| 6),
        _ => None,
    };
    length.ok_or_else(|| Finding::at(text, at, "invalid escape in a string"))
}

/// The length of a string between `"""`.
fn block(text: &str, start: usize) -> Result<usize, Finding> {
    let mut at = start + 3;
    loop {
        let Some(found) = text[at..].find("\"\"\"") else {
            return Err(Finding::at(text, text.len(), "unterminated string"));
        };
        at += found + 3;
        if !text[..at - 3].ends_with('\\') || at - 3 == start + 3 {
            return Ok(at - start);
        }
    }
}
