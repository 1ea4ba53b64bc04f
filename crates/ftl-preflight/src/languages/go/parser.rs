//! The recogniser's state and its smallest steps.

use super::scanner::{Error, Scanner};
use super::token::{Kind, Token};

/// How often an ambiguous place may be read twice in one file: nested, each doubles the work.
const RETRIES: usize = 200;

pub(super) type Parse<T = ()> = Result<T, Error>;

pub(super) struct Parser<'a> {
    scanner: Scanner<'a>,
    pub(super) token: Token,
    /// Where the token before this one ended.
    pub(super) previous_end: usize,
    /// Below 0 in the header of a statement, where `name {` begins the body.
    pub(super) level: i32,
    retries: usize,
    /// Levels of recursion; the largest number once they were too many.
    depth: usize,
    deepest: usize,
}

/// A place to go back to.
pub(super) struct Mark<'a> {
    scanner: Scanner<'a>,
    token: Token,
    previous_end: usize,
    level: i32,
}

impl<'a> Parser<'a> {
    /// A parser that goes no deeper than `deepest` levels.
    pub(super) fn new(text: &'a str, deepest: usize) -> Self {
        let token = Token {
            kind: Kind::Semicolon,
            start: 0,
            end: 0,
        };
        Self {
            scanner: Scanner::new(text),
            token,
            previous_end: 0,
            level: 0,
            retries: 0,
            depth: 0,
            deepest,
        }
    }

    /// Runs `parse` one level further down. Every way by which a function here comes to call
    /// itself leads through this one.
    pub(super) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= self.deepest {
            self.depth = usize::MAX;
            return Err(self.refuse("nested too deeply"));
        }
        self.depth += 1;
        let parsed = parse(self);
        if !self.is_too_deep() {
            self.depth -= 1;
        }
        parsed
    }

    /// Whether parsing stopped for want of depth. Nothing is parsed after that.
    pub(super) fn is_too_deep(&self) -> bool {
        self.depth == usize::MAX
    }

    pub(super) fn advance(&mut self) -> Parse {
        self.previous_end = self.token.end;
        self.token = self.scanner.next()?;
        Ok(())
    }

    pub(super) fn at(&self, kind: Kind) -> bool {
        self.token.kind == kind
    }

    pub(super) fn eat(&mut self, kind: Kind) -> Parse<bool> {
        let is_there = self.at(kind);
        if is_there {
            self.advance()?;
        }
        Ok(is_there)
    }

    pub(super) fn expect(&mut self, kind: Kind, name: &str) -> Parse {
        if self.eat(kind)? {
            Ok(())
        } else {
            Err(self.expected(name))
        }
    }

    /// A semicolon, which may be left out before a closing bracket.
    pub(super) fn end_of_statement(&mut self) -> Parse {
        if self.at(Kind::CloseParen) || self.at(Kind::CloseBrace) {
            return Ok(());
        }
        self.expect(Kind::Semicolon, "`;` or the end of the line")
    }

    /// After an item of a list: whether another may follow.
    pub(super) fn comma_before(&mut self, close: Kind) -> Parse<bool> {
        if self.eat(Kind::Comma)? {
            return Ok(!self.at(close));
        }
        if self.at(close) {
            return Ok(false);
        }
        Err(self.expected("`,` or the end of the list"))
    }

    pub(super) fn expected(&self, what: &str) -> Error {
        let found = match self.token.kind {
            Kind::End => "the end of the file".to_owned(),
            Kind::Semicolon if self.token.start == self.token.end => {
                "the end of the line".to_owned()
            }
            _ => format!("`{}`", &self.scanner.text[self.token.start..self.token.end]),
        };
        self.refuse(format!("expected {what}, found {found}"))
    }

    pub(super) fn refuse(&self, message: impl Into<String>) -> Error {
        Error::new(message, self.token.start..self.token.end)
    }

    pub(super) fn mark(&self) -> Mark<'a> {
        Mark {
            scanner: self.scanner.clone(),
            token: self.token,
            previous_end: self.previous_end,
            level: self.level,
        }
    }

    pub(super) fn go_back(&mut self, mark: Mark<'a>) {
        self.scanner = mark.scanner;
        self.token = mark.token;
        self.previous_end = mark.previous_end;
        self.level = mark.level;
    }

    /// Reads a place one way and, if that fails, another; the error is that of the way that
    /// came further.
    pub(super) fn either(
        &mut self,
        one: impl FnOnce(&mut Self) -> Parse,
        other: impl FnOnce(&mut Self) -> Parse,
    ) -> Parse {
        let mark = self.mark();
        let Err(first) = one(self) else { return Ok(()) };
        self.retries += 1;
        if self.retries > RETRIES || self.is_too_deep() {
            return Err(first);
        }
        self.go_back(mark);
        let further = |second: Error| {
            if second.range.start < first.range.start {
                first
            } else {
                second
            }
        };
        other(self).map_err(further)
    }

    /// Runs `parse` inside brackets, where a brace after a name begins a literal again.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.level += 1;
        let parsed = parse(self);
        self.level -= 1;
        parsed
    }
}
