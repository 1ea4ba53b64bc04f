//! Go, by gosyn.

use gosyn::Error;
use gosyn::token::{LitKind, Token, TokenKind};

use super::{Finding, Outcome, Setting};
use crate::Reason;
use crate::nesting::{self, Dialect};

/// How many lines the parser looks ahead at most before it reports.
const LOOKAHEAD: usize = 100;

/// A file of a package.
pub(crate) fn check(text: &str, _: &Setting<'_>) -> Outcome {
    if let Some(at) = text.find('\0') {
        return Outcome::Invalid(vec![Finding::syntax("illegal character NUL", at..at + 1)]);
    }
    if nesting::is_too_deep(text, Dialect::Go) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    match failure(text) {
        None => Outcome::Valid,
        // The parser's own limit, far below the language's.
        Some(failure) if failure.message == "too many depth" => Outcome::Unchecked(Reason::TooDeep),
        Some(failure) => Outcome::Invalid(vec![locate(text, failure)]),
    }
}

/// An error as the parser tells it.
#[derive(PartialEq, Eq)]
struct Failure {
    message: String,
    /// Not the line, but a number that grows with it: the parser counts lines anew each time it
    /// backtracks.
    line: usize,
    /// Characters since the line's start.
    column: usize,
    /// The token that was not expected, as it is written in the file.
    token: Option<String>,
}

fn failure(text: &str) -> Option<Failure> {
    let error = gosyn::parse_source(text).err()?;
    let (message, (line, column), token) = match error.downcast_ref::<Error>() {
        Some(Error::UnexpectedToken {
            expect,
            actual,
            location,
            ..
        }) => {
            let token = actual.as_ref().map(spelling);
            (unexpected(expect, token.as_deref()), *location, token)
        }
        Some(Error::Else {
            reason, location, ..
        }) => (reason.clone(), *location, None),
        Some(Error::IO(_)) | None => (error.to_string(), (1, 0), None),
    };
    Some(Failure {
        message,
        line,
        column,
        token,
    })
}

fn unexpected(expected: &[TokenKind], found: Option<&str>) -> String {
    let found = found.map_or("end of file".to_owned(), |token| format!("`{token}`"));
    let expected: Vec<_> = expected.iter().map(kind).collect();
    match expected.as_slice() {
        [] => format!("unexpected {found}"),
        names => format!("unexpected {found}, expected {}", names.join(" or ")),
    }
}

fn kind(kind: &TokenKind) -> String {
    match kind {
        TokenKind::Comment => "a comment".to_owned(),
        TokenKind::Keyword(word) => format!("`{}`", <&str>::from(word)),
        TokenKind::Operator(operator) => format!("`{}`", <&str>::from(operator)),
        TokenKind::Literal(literal) => match literal {
            LitKind::Ident => "a name".to_owned(),
            LitKind::String => "a string".to_owned(),
            LitKind::Integer | LitKind::Float | LitKind::Imag => "a number".to_owned(),
            LitKind::Char => "a rune".to_owned(),
        },
    }
}

fn spelling(token: &Token) -> String {
    match token {
        Token::Comment(text) | Token::Literal(_, text) => text.clone(),
        Token::Keyword(word) => <&str>::from(word).to_owned(),
        Token::Operator(operator) => <&str>::from(operator).to_owned(),
    }
}

/// Finds the place of a failure.
///
/// The parser's line numbers are of no use, but its columns are. So the fewest first lines that
/// fail in the same way are looked for, which takes a parse for each halving; the failure lies
/// on the last of them, or on an earlier one if the parser looked ahead.
fn locate(text: &str, failure: Failure) -> Finding {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if text.ends_with('\n') {
        lines.push("");
    }
    let starts: Vec<usize> = lines
        .iter()
        .scan(0, |next, line| {
            Some(std::mem::replace(next, *next + line.len()))
        })
        .collect();
    let end_of = |line: usize| starts.get(line + 1).copied().unwrap_or(text.len());
    let (mut low, mut high) = (0, lines.len().saturating_sub(1));
    while low < high {
        let middle = low + (high - low) / 2;
        let same = self::failure(&text[..end_of(middle)]).is_some_and(|it| it == failure);
        if same {
            high = middle
        } else {
            low = middle + 1
        }
    }
    let places = (0..=high).rev().filter_map(|line| {
        let start = *starts.get(line)?;
        let column = lines[line]
            .char_indices()
            .map(|(at, _)| at)
            .chain([lines[line].len()]);
        column.skip(failure.column).map(|at| start + at).next()
    });
    let fits = |at: &usize| {
        let rest = &text[*at..];
        let inserted = rest.trim_start_matches([' ', '\t', '\r']).is_empty()
            || rest.starts_with(['\n', '\r', '/']);
        match failure.token.as_deref() {
            None => true,
            Some(";") if inserted => true,
            Some(token) => rest.starts_with(token),
        }
    };
    let mut start = places
        .take(LOOKAHEAD)
        .find(fits)
        .unwrap_or_else(|| end_of(high));
    if failure.token.is_none() {
        start = token_before(text, start);
    }
    let width = failure.token.as_deref().map_or(0, str::len);
    let end = text.floor_char_boundary((start + width).min(end_of(high).max(start)));
    Finding::syntax(failure.message, start..end)
}

/// Where the token begins that ends at a byte offset: most failures without a token are told of
/// the place after the one that was not understood.
fn token_before(text: &str, end: usize) -> usize {
    let before = &text[..end];
    let word = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    let last = before
        .chars()
        .next_back()
        .filter(|c| !c.is_whitespace())
        .map_or(0, char::len_utf8);
    if word.len() < end {
        word.len()
    } else {
        end - last
    }
}
