//! A parser of one chunk: its tokens, and how deep it is. `statements` and `expressions` have the grammar
//! (manual, 9).

use std::ops::Range;

use super::dialect::Dialect;
use super::scanner::{Scanner, Token, TokenKind};
use super::scope::Scopes;
use crate::finding::Finding;

pub(super) type Read<T = ()> = Result<T, Finding>;

/// Reads a chunk, and keeps nothing of it.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) dialect: Dialect,
    scanner: Scanner<'t>,
    pub(super) token: Token,
    /// Where the token before ends.
    pub(super) end: usize,
    pub(super) scopes: Scopes<'t>,
    depth: usize,
    limit: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, dialect: Dialect, limit: usize) -> Self {
        let token = Token { kind: TokenKind::End, range: 0..0, is_first: false };
        let scanner = Scanner::new(text, dialect);
        Self { text, dialect, scanner, token, end: 0, scopes: Scopes::new(), depth: 0, limit }
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.depth > self.limit
    }

    pub(super) fn chunk(&mut self) -> Read {
        self.advance()?;
        self.statements()?;
        if self.token.kind != TokenKind::End {
            return Err(self.unexpected("the end of the file"));
        }
        self.scopes.leave_function()
    }

    pub(super) fn advance(&mut self) -> Read<Range<usize>> {
        self.end = self.token.range.end;
        let token = self.scanner.next()?;
        Ok(std::mem::replace(&mut self.token, token).range)
    }

    pub(super) fn is(&self, word: &str) -> bool {
        let is_word = matches!(self.token.kind, TokenKind::Keyword | TokenKind::Sign);
        is_word && &self.text[self.token.range.clone()] == word
    }

    pub(super) fn take(&mut self, word: &str) -> Read<bool> {
        let is_there = self.is(word);
        if is_there {
            self.advance()?;
        }
        Ok(is_there)
    }

    pub(super) fn expect(&mut self, word: &str) -> Read {
        if self.take(word)? { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    pub(super) fn name(&mut self) -> Read<(&'t str, Range<usize>)> {
        if self.token.kind != TokenKind::Name {
            return Err(self.unexpected("a name"));
        }
        let range = self.advance()?;
        Ok((&self.text[range.clone()], range))
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Finding {
        let range = self.token.range.clone();
        let found = match self.token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Text => "a string".to_owned(),
            _ => format!("`{}`", &self.text[range.clone()]),
        };
        Finding::syntax(format!("expected {wanted}, found {found}"), range)
    }

    /// Goes down a level, which `up` leaves.
    pub(super) fn down(&mut self) -> Read {
        self.depth += 1;
        if self.is_too_deep() {
            return Err(Finding::syntax("nested too deeply", self.token.range.clone()));
        }
        Ok(())
    }

    pub(super) fn up(&mut self) {
        self.depth -= 1;
    }
}
