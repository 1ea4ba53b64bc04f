//! The recogniser's state and its smallest steps: reading tokens, going back, keeping count of
//! depth.
//!
//! The functions of the grammar are in the files beside this one, as further methods of [`Parser`].
//! They return at the first error: there is no recovery, for a second error would only be a guess.

use super::error::Error;
use super::scanner::Scanner;
use super::token::{Token, TokenKind};

/// How often an ambiguous place may be read twice in one declaration of the file. Nested in each
/// other, each doubles the work, so a few hundred bytes could take for ever; beyond this the first
/// reading counts. Every generic type takes one, since its brackets are read as an array's first.
const RETRIES: usize = 200;

pub(super) type Parse<T = ()> = Result<T, Error>;

pub(super) struct Parser<'a> {
    scanner: Scanner<'a>,
    pub(super) token: Token,
    /// Where the token before this one ended.
    pub(super) previous_end: usize,
    /// Below 0 in the header of a statement, where `name {` begins the body and no literal.
    ///
    /// "Composite literals": between the keyword and the brace of an `if`, `for` or `switch`, a
    /// literal of a named type has to be in brackets. Each pair of brackets adds 1, so that inside
    /// them the level is 0 or more again. `go/parser` has the same under the name `exprLev`.
    pub(super) expression_level: i32,
    retries: usize,
    /// Levels of recursion; the largest number once they were too many.
    depth: usize,
    max_depth: usize,
}

/// A place to go back to.
pub(super) struct Checkpoint<'a> {
    scanner: Scanner<'a>,
    token: Token,
    previous_end: usize,
    expression_level: i32,
}

impl<'a> Parser<'a> {
    /// A parser that goes no deeper than `max_depth` levels.
    pub(super) fn new(text: &'a str, max_depth: usize) -> Self {
        let token = Token { kind: TokenKind::Semicolon, start: 0, end: 0 };
        Self {
            scanner: Scanner::new(text),
            token,
            previous_end: 0,
            expression_level: 0,
            retries: 0,
            depth: 0,
            max_depth,
        }
    }

    /// Forgets the second readings of earlier declarations of the file: these are not nested in each
    /// other, and so multiply nothing. Inside a function they may be, and go on counting.
    pub(super) fn begin_declaration(&mut self) {
        if self.depth == 0 {
            self.retries = 0;
        }
    }

    /// Runs `parse` one level further down. Every way by which a function here comes to call
    /// itself leads through this one, so that no text, however made, overflows the stack.
    pub(super) fn recurse<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= self.max_depth {
            // Also shows the caller of the recogniser that this is no verdict on the file: a separate
            // `Err` would have to be distinguished wherever a reading is tried that may fail.
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

    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    pub(super) fn eat(&mut self, kind: TokenKind) -> Parse<bool> {
        let is_there = self.at(kind);
        if is_there {
            self.advance()?;
        }
        Ok(is_there)
    }

    pub(super) fn expect(&mut self, kind: TokenKind, name: &str) -> Parse {
        if self.eat(kind)? { Ok(()) } else { Err(self.expected(name)) }
    }

    /// A semicolon, which may be left out before `)` and `}`: the second rule of "Semicolons".
    pub(super) fn end_of_statement(&mut self) -> Parse {
        if self.at(TokenKind::CloseParen) || self.at(TokenKind::CloseBrace) {
            return Ok(());
        }
        self.expect(TokenKind::Semicolon, "`;` or the end of the line")
    }

    /// After an item of a list: whether another may follow. A comma before the closing bracket is
    /// allowed, and needed where that is on a separate line: without it the line's end would
    /// be a semicolon, which is refused here.
    pub(super) fn comma_before(&mut self, close: TokenKind) -> Parse<bool> {
        if self.eat(TokenKind::Comma)? {
            return Ok(!self.at(close));
        }
        if self.at(close) {
            return Ok(false);
        }
        Err(self.expected("`,` or the end of the list"))
    }

    pub(super) fn expected(&self, what: &str) -> Error {
        let found = match self.token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Semicolon if self.token.start == self.token.end => {
                "the end of the line".to_owned()
            }
            _ => format!("`{}`", &self.scanner.text[self.token.start..self.token.end]),
        };
        self.refuse(format!("expected {what}, found {found}"))
    }

    pub(super) fn refuse(&self, message: impl Into<String>) -> Error {
        Error::new(message, self.token.start..self.token.end)
    }

    pub(super) fn checkpoint(&self) -> Checkpoint<'a> {
        Checkpoint {
            scanner: self.scanner.clone(),
            token: self.token,
            previous_end: self.previous_end,
            expression_level: self.expression_level,
        }
    }

    pub(super) fn rewind(&mut self, checkpoint: Checkpoint<'a>) {
        self.scanner = checkpoint.scanner;
        self.token = checkpoint.token;
        self.previous_end = checkpoint.previous_end;
        self.expression_level = checkpoint.expression_level;
    }

    /// Reads a place one way and, if that fails, another; the error is that of the way that
    /// came further.
    pub(super) fn try_both(
        &mut self,
        one: impl FnOnce(&mut Self) -> Parse,
        other: impl FnOnce(&mut Self) -> Parse,
    ) -> Parse {
        let checkpoint = self.checkpoint();
        let Err(first) = one(self) else { return Ok(()) };
        self.retries += 1;
        // Nothing may be parsed after a lack of depth: the second reading would start at that depth.
        if self.retries > RETRIES || self.is_too_deep() {
            return Err(first);
        }
        self.rewind(checkpoint);
        let further = |second: Error| {
            // The way that came further is the one the author had in mind.
            if second.range.start < first.range.start { first } else { second }
        };
        other(self).map_err(further)
    }

    /// Runs `parse` inside brackets, where a brace after a name begins a literal again.
    pub(super) fn in_brackets<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.expression_level += 1;
        let parsed = parse(self);
        self.expression_level -= 1;
        parsed
    }
}
