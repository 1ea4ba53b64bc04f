//! The tokens of a document, how deep it is, and what is in several parts of the grammar.

use super::scanner::{Token, TokenKind, token};
use crate::finding::Finding;

pub(super) type Read<T = ()> = Result<T, Finding>;

/// Reads a document, and keeps nothing of it.
pub(super) struct Parser<'t> {
    text: &'t str,
    token: Token,
    depth: usize,
    limit: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, limit: usize) -> Self {
        Self { text, token: Token { kind: TokenKind::End, range: 0..0 }, depth: 0, limit }
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.depth > self.limit
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

    pub(super) fn kind(&self) -> TokenKind {
        self.token.kind
    }

    /// The text of the token.
    pub(super) fn word(&self) -> &'t str {
        &self.text[self.token.range.clone()]
    }

    pub(super) fn advance(&mut self) -> Read {
        self.token = token(self.text, self.token.range.end)?;
        Ok(())
    }

    /// Whether the token is this sign or name.
    pub(super) fn is(&self, word: &str) -> bool {
        matches!(self.token.kind, TokenKind::Sign | TokenKind::Name) && self.word() == word
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

    pub(super) fn name(&mut self) -> Read<&'t str> {
        if self.token.kind != TokenKind::Name {
            return Err(self.unexpected("a name"));
        }
        let name = self.word();
        self.advance()?;
        Ok(name)
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Finding {
        let found = match self.token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Text => "a string".to_owned(),
            TokenKind::Name | TokenKind::Number | TokenKind::Sign => format!("`{}`", self.word()),
        };
        Finding::syntax(format!("expected {wanted}, found {found}"), self.token.range.clone())
    }

    /// One item or more between two signs.
    pub(super) fn items(&mut self, open: &str, close: &str, item: fn(&mut Self) -> Read) -> Read {
        self.expect(open)?;
        self.down()?;
        loop {
            item(self)?;
            if self.take(close)? {
                self.up();
                return Ok(());
            }
        }
    }

    /// Items between two signs, if the first of them is there; whether it was.
    pub(super) fn optional_items(
        &mut self,
        open: &str,
        close: &str,
        item: fn(&mut Self) -> Read,
    ) -> Read<bool> {
        let is_there = self.is(open);
        if is_there {
            self.items(open, close, item)?;
        }
        Ok(is_there)
    }
}
