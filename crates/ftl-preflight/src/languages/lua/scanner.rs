//! Tokens of Lua (manual, 3.1).

use std::ops::Range;

use super::dialect::Dialect;
use crate::finding::Finding;

/// What a token is. Their text distinguishes keywords and signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Name,
    Keyword,
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
    /// Whether a line ends before it.
    pub(super) is_first: bool,
}

const KEYWORDS: &[&str] = &[
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local",
    "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// Longest first.
const SIGNS: &[&str] = &["...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"];

/// Signs that only the newest version has.
const NEWEST: &[&str] = &["//", "<<", ">>", "&", "|", "~"];

/// Reads tokens from a text.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    dialect: Dialect,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, dialect: Dialect) -> Self {
        // A first line that begins with `#` is for the system.
        let at = if text.starts_with('#') { text.find('\n').unwrap_or(text.len()) } else { 0 };
        Self { text, at, dialect }
    }

    /// Continues at another place, which is between tokens.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn next(&mut self) -> Result<Token, Finding> {
        let before = self.at;
        self.skip()?;
        let is_first = self.text[before..self.at].contains(['\n', '\r']);
        let start = self.at;
        let kind = self.token()?;
        Ok(Token { kind, range: start..self.at, is_first })
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// White space and comments.
    fn skip(&mut self) -> Result<(), Finding> {
        loop {
            let rest = self.rest();
            let spaces = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']);
            self.at += rest.len() - spaces.len();
            let Some(comment) = spaces.strip_prefix("--") else { return Ok(()) };
            let start = self.at;
            self.at += 2;
            match level(comment) {
                Some(level) => self.long(level, start, "unfinished long comment")?,
                None => self.at += comment.find(['\n', '\r']).unwrap_or(comment.len()),
            }
        }
    }

    fn token(&mut self) -> Result<TokenKind, Finding> {
        let start = self.at;
        let byte = self.byte(0);
        let is_letter = |it: char| {
            it.is_ascii_alphanumeric()
                || it == '_'
                || self.dialect == Dialect::Jit && !it.is_ascii()
        };
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(TokenKind::End) };
        if byte.is_ascii_digit() || byte == b'.' && self.byte(1).is_ascii_digit() {
            return self.number();
        }
        if is_letter(first) {
            self.at += rest.find(|it| !is_letter(it)).unwrap_or(rest.len());
            let word = &self.text[start..self.at];
            return Ok(if KEYWORDS.contains(&word) { TokenKind::Keyword } else { TokenKind::Name });
        }
        match byte {
            b'"' | b'\'' => self.text(byte),
            b'[' if level(rest).is_some() => {
                let level = level(rest).unwrap_or_default();
                self.long(level, start, "unfinished long string").map(|()| TokenKind::Text)
            }
            b'[' if self.byte(1) == b'=' => Err(self.error(start, "invalid long string delimiter")),
            _ => self.sign(first),
        }
    }

    fn sign(&mut self, first: char) -> Result<TokenKind, Finding> {
        let rest = self.rest();
        let known = SIGNS.iter().find(|sign| {
            let is_known = match **sign {
                "::" => self.dialect.has_goto(),
                sign => self.dialect.is_newest() || !NEWEST.contains(&sign),
            };
            is_known && rest.starts_with(**sign)
        });
        let length = known.map_or(first.len_utf8(), |sign| sign.len());
        let is_single = "+-*/%^#<>=(){}[];:,.".contains(first)
            || self.dialect.is_newest() && "&|~".contains(first);
        if known.is_none() && !is_single {
            return Err(self.error(self.at, "unexpected symbol"));
        }
        self.at += length;
        Ok(TokenKind::Sign)
    }

    /// As `luac` reads it: everything that may belong to a number first, and then whether it is one.
    fn number(&mut self) -> Result<TokenKind, Finding> {
        let start = self.at;
        let is_hex = self.byte(0) == b'0' && matches!(self.byte(1), b'x' | b'X');
        let exponent = if is_hex { [b'p', b'P'] } else { [b'e', b'E'] };
        loop {
            let byte = self.byte(0);
            let has_sign = exponent.contains(&byte) && matches!(self.byte(1), b'+' | b'-');
            if has_sign && self.at > start {
                self.at += 2;
            } else if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' {
                self.at += 1;
            } else {
                break;
            }
        }
        let word = self.text[start..self.at].to_ascii_lowercase();
        let is_whole = is_number(&word) || self.dialect == Dialect::Jit && is_number_of_c(&word);
        if is_whole { Ok(TokenKind::Number) } else { Err(self.error(start, "malformed number")) }
    }

    fn text(&mut self, quote: u8) -> Result<TokenKind, Finding> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.byte(0) {
                byte if byte == quote => {
                    self.at += 1;
                    return Ok(TokenKind::Text);
                }
                b'\n' | b'\r' => return Err(self.error(start, "unfinished string")),
                0 if self.at >= self.text.len() => {
                    return Err(self.error(start, "unfinished string"));
                }
                b'\\' => self.escape()?,
                _ => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<(), Finding> {
        let start = self.at;
        let invalid = |what: &str| Err(Finding::at(self.text, start, what));
        let digits = |from: usize, is_digit: fn(&u8) -> bool, most: usize| {
            let bytes = self.text.as_bytes();
            bytes[from.min(bytes.len())..].iter().take(most).take_while(|it| is_digit(it)).count()
        };
        let is_old = self.dialect == Dialect::Lua51;
        let length = match self.byte(1) {
            b'\r' if self.byte(2) == b'\n' => 3,
            b'\n' if self.byte(2) == b'\r' => 3,
            b'0'..=b'9' => {
                let count = digits(start + 1, u8::is_ascii_digit, 3);
                let number: usize = self.text[start + 1..start + 1 + count].parse().unwrap_or(256);
                if number > 255 {
                    return invalid("decimal escape too large");
                }
                1 + count
            }
            b'x' if !is_old => {
                if digits(start + 2, u8::is_ascii_hexdigit, 2) < 2 {
                    return invalid("hexadecimal digit expected");
                }
                4
            }
            b'z' if !is_old => {
                let rest = &self.text[start + 2..];
                2 + rest.len()
                    - rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']).len()
            }
            b'u' if !is_old => {
                let count = digits(start + 3, u8::is_ascii_hexdigit, usize::MAX);
                let number = self.text.get(start + 3..start + 3 + count).unwrap_or_default();
                let is_small = u32::from_str_radix(number, 16).is_ok_and(|it| it < 1 << 31);
                if self.byte(2) != b'{' || self.byte(3 + count) != b'}' || !is_small {
                    return invalid("invalid escape of a character");
                }
                4 + count
            }
            0 if start + 1 >= self.text.len() => 1,
            byte if b"abfnrtv\\\"'\n\r".contains(&byte) || is_old => {
                1 + self.text[start + 1..].chars().next().map_or(0, char::len_utf8)
            }
            _ => return invalid("invalid escape sequence"),
        };
        self.at += length;
        Ok(())
    }

    /// The rest of a long string or comment, from its opening bracket on.
    fn long(&mut self, level: usize, start: usize, unfinished: &str) -> Result<(), Finding> {
        let close = format!("]{}]", "=".repeat(level));
        match self.rest()[level + 2..].find(&close) {
            Some(length) => {
                self.at += level + 2 + length + close.len();
                Ok(())
            }
            None => Err(self.error(start, unfinished)),
        }
    }

    fn error(&self, start: usize, message: &str) -> Finding {
        Finding::at(self.text, start, message)
    }
}

/// How many `=` a long bracket at the beginning of a text has.
fn level(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('[')?;
    let level = rest.len() - rest.trim_start_matches('=').len();
    rest[level..].starts_with('[').then_some(level)
}

fn is_number(word: &str) -> bool {
    let (digits, exponent, is_digit): (&str, char, fn(char) -> bool) = match word.strip_prefix("0x")
    {
        Some(digits) => (digits, 'p', |it| it.is_ascii_hexdigit()),
        None => (word, 'e', |it| it.is_ascii_digit()),
    };
    let (mantissa, power) = match digits.split_once(exponent) {
        Some((mantissa, power)) => (mantissa, Some(power)),
        None => (digits, None),
    };
    let is_power = power.is_none_or(|power| {
        let power = power.strip_prefix(['+', '-']).unwrap_or(power);
        !power.is_empty() && power.bytes().all(|it| it.is_ascii_digit())
    });
    let points = mantissa.matches('.').count();
    let is_mantissa = mantissa.chars().all(|it| it == '.' || is_digit(it));
    is_power && is_mantissa && points <= 1 && mantissa.len() > points
}

/// LuaJIT's 64-bit and imaginary numbers, and binary ones.
fn is_number_of_c(word: &str) -> bool {
    let is_binary = |word: &str| {
        let digits = word.strip_prefix("0b");
        digits.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| matches!(it, b'0' | b'1')))
    };
    let is_whole = |word: &str| !word.contains('.') && (is_number(word) || is_binary(word));
    ["ull", "llu", "ll"].iter().any(|suffix| word.strip_suffix(suffix).is_some_and(is_whole))
        || word.strip_suffix('i').is_some_and(is_number)
        || is_binary(word)
}
