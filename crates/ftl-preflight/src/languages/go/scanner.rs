//! From text to tokens, semicolons inserted.
//!
//! Specification: "Lexical elements". Semicolons are inserted here and not by the parser, as in
//! `go/scanner`: the parser then needs to know nothing of lines. The one thing that it has to
//! remember is whether the last token can end a statement.
//!
//! Looser than the specification in one point: letters and digits are those of Rust's `char`, which
//! are some more than the Unicode categories L and Nd that "Characters" names.

use super::error::Error;
use super::literals;
use super::token::{Token, TokenKind};

#[derive(Clone)]
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    at: usize,
    /// Whether a line's end here would be a semicolon.
    ends_statement: bool,
}

/// Operators, the longest first: the specification takes "the longest sequence of characters that may
/// form a valid token", and the first that fits is taken here.
const OPERATORS: &[(&str, TokenKind)] = &[
    ("&^=", TokenKind::AssignOperation),
    ("<<=", TokenKind::AssignOperation),
    (">>=", TokenKind::AssignOperation),
    ("...", TokenKind::Ellipsis),
    ("&^", TokenKind::Binary),
    ("<<", TokenKind::Binary),
    (">>", TokenKind::Binary),
    ("&&", TokenKind::Binary),
    ("||", TokenKind::Binary),
    ("==", TokenKind::Binary),
    ("!=", TokenKind::Binary),
    ("<=", TokenKind::Binary),
    (">=", TokenKind::Binary),
    ("<-", TokenKind::Arrow),
    ("++", TokenKind::IncrementOrDecrement),
    ("--", TokenKind::IncrementOrDecrement),
    (":=", TokenKind::Define),
    ("+=", TokenKind::AssignOperation),
    ("-=", TokenKind::AssignOperation),
    ("*=", TokenKind::AssignOperation),
    ("/=", TokenKind::AssignOperation),
    ("%=", TokenKind::AssignOperation),
    ("&=", TokenKind::AssignOperation),
    ("|=", TokenKind::AssignOperation),
    ("^=", TokenKind::AssignOperation),
    ("+", TokenKind::Sign),
    ("-", TokenKind::Sign),
    ("^", TokenKind::Sign),
    ("*", TokenKind::Star),
    ("/", TokenKind::Binary),
    ("%", TokenKind::Binary),
    ("&", TokenKind::And),
    ("|", TokenKind::Pipe),
    ("<", TokenKind::Binary),
    (">", TokenKind::Binary),
    ("=", TokenKind::Assign),
    ("!", TokenKind::Not),
    ("~", TokenKind::Tilde),
];

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, ends_statement: false }
    }

    pub(super) fn next(&mut self) -> Result<Token, Error> {
        if let Some(line_end) = self.skip_blanks()? {
            // Written nowhere: an empty range, by which messages tell it from a written `;`.
            self.ends_statement = false;
            return Ok(Token { kind: TokenKind::Semicolon, start: line_end, end: line_end });
        }
        let start = self.at;
        let kind = self.token()?;
        self.ends_statement = kind.ends_statement();
        Ok(Token { kind, start, end: self.at })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips blanks and comments; stops where a semicolon is to be inserted, and says where.
    fn skip_blanks(&mut self) -> Result<Option<usize>, Error> {
        loop {
            let start = self.at;
            match self.text.as_bytes().get(start) {
                // A carriage return is white space, so files with CR LF need no care.
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                Some(b'\n') => {
                    self.at += 1;
                    if self.ends_statement {
                        return Ok(Some(start));
                    }
                }
                Some(b'/') if self.rest().starts_with("//") => {
                    // The line end stays: it is what ends the statement if the comment does not.
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                    if self.ends_statement {
                        return Ok(Some(start));
                    }
                }
                Some(b'/') if self.rest().starts_with("/*") => {
                    let Some(length) = self.rest()[2..].find("*/") else {
                        return Err(Error::new("comment not terminated", start..start + 2));
                    };
                    self.at += length + 4;
                    // "Comments": one that contains a newline acts like a newline, else like a space.
                    if self.ends_statement && self.text[start..self.at].contains('\n') {
                        return Ok(Some(start));
                    }
                }
                // A file need not end with a newline.
                None if self.ends_statement => return Ok(Some(start)),
                _ => return Ok(None),
            }
        }
    }

    fn token(&mut self) -> Result<TokenKind, Error> {
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(TokenKind::End);
        };
        match first {
            '0'..='9' => self.number(),
            // `.5` is a number, `x.5` does not occur, and `...` is an operator.
            '.' if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => self.number(),
            '"' | '\'' => {
                self.at = literals::quoted(self.text, start)?;
                Ok(if first == '"' { TokenKind::String } else { TokenKind::Number })
            }
            '`' => {
                // A raw string has no escapes, so the next backquote is its end.
                let Some(length) = self.rest()[1..].find('`') else {
                    return Err(Error::new("raw string not terminated", start..start + 1));
                };
                self.at += length + 2;
                Ok(TokenKind::String)
            }
            c if c == '_' || c.is_alphabetic() => {
                let is_part = |c: char| c == '_' || c.is_alphanumeric();
                let length = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
                self.at += length;
                Ok(TokenKind::of_word(&self.text[start..self.at]))
            }
            c => self.symbol(c),
        }
    }

    fn number(&mut self) -> Result<TokenKind, Error> {
        self.at = literals::number(self.text, self.at)?;
        Ok(TokenKind::Number)
    }

    fn symbol(&mut self, first: char) -> Result<TokenKind, Error> {
        let single = match first {
            '(' => TokenKind::OpenParen,
            ')' => TokenKind::CloseParen,
            '[' => TokenKind::OpenBracket,
            ']' => TokenKind::CloseBracket,
            '{' => TokenKind::OpenBrace,
            '}' => TokenKind::CloseBrace,
            ',' => TokenKind::Comma,
            ';' => TokenKind::Semicolon,
            _ => {
                let rest = self.rest();
                let known = OPERATORS.iter().find(|(text, _)| rest.starts_with(text));
                let (width, kind) = match known {
                    Some(&(text, kind)) => (text.len(), kind),
                    None if first == ':' => (1, TokenKind::Colon),
                    None if first == '.' => (1, TokenKind::Dot),
                    None => {
                        let message = format!("illegal character {first:?}");
                        return Err(Error::new(message, self.at..self.at + first.len_utf8()));
                    }
                };
                self.at += width;
                return Ok(kind);
            }
        };
        self.at += 1;
        Ok(single)
    }
}
