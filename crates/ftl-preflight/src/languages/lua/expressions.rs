//! Expressions (manual, 3.4).

use super::dialect::Dialect;
use super::parser::{Parser, Read};
use super::scanner::{Scanner, TokenKind};
use crate::finding::Finding;

/// What an expression is, as far as statements care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape<'t> {
    Variable(&'t str),
    Element,
    Call,
    Value,
}

impl<'t> Parser<'t> {
    pub(super) fn expressions(&mut self) -> Read {
        self.expression()?;
        while self.take(",")? {
            self.expression()?;
        }
        Ok(())
    }

    /// Precedence decides only the shape of a tree.
    pub(super) fn expression(&mut self) -> Read {
        self.down()?;
        loop {
            while ["not", "-", "#"].iter().any(|word| self.is(word)) || self.is("~") {
                self.advance()?;
            }
            self.simple()?;
            if !self.is_binary() {
                break;
            }
            self.advance()?;
        }
        self.up();
        Ok(())
    }

    fn is_binary(&self) -> bool {
        let operators = [
            "+", "-", "*", "/", "%", "^", "..", "==", "~=", "<", "<=", ">", ">=", "and", "or",
            "//", "&", "|", "~", "<<", ">>",
        ];
        operators.iter().any(|word| self.is(word))
    }

    fn simple(&mut self) -> Read {
        let start = self.token.range.clone();
        match self.token.kind {
            TokenKind::Number | TokenKind::Text => self.advance().map(drop),
            _ if self.is("...") => {
                self.advance()?;
                if self.scopes.has_varargs() {
                    return Ok(());
                }
                Err(Finding::syntax("`...` outside a function with variable arguments", start))
            }
            _ if ["nil", "true", "false"].iter().any(|word| self.is(word)) => {
                self.advance().map(drop)
            }
            _ if self.is("{") => self.table(),
            _ if self.is("function") => {
                self.advance()?;
                self.function(false)
            }
            _ => self.suffixed().map(drop),
        }
    }

    pub(super) fn suffixed(&mut self) -> Read<Shape<'t>> {
        let mut shape = if self.take("(")? {
            self.expression()?;
            self.expect(")")?;
            Shape::Value
        } else if self.token.kind == TokenKind::Name {
            Shape::Variable(self.name()?.0)
        } else {
            return Err(self.unexpected("an expression"));
        };
        loop {
            shape = if self.take(".")? {
                self.name()?;
                Shape::Element
            } else if self.take("[")? {
                self.expression()?;
                self.expect("]")?;
                Shape::Element
            } else if self.take(":")? {
                self.name()?;
                if !self.is_call() {
                    return Err(self.unexpected("arguments"));
                }
                self.arguments()?;
                Shape::Call
            } else if self.is_call() {
                self.arguments()?;
                Shape::Call
            } else {
                return Ok(shape);
            };
        }
    }

    fn is_call(&self) -> bool {
        self.token.kind == TokenKind::Text || self.is("(") || self.is("{")
    }

    fn arguments(&mut self) -> Read {
        if self.token.kind == TokenKind::Text {
            return self.advance().map(drop);
        }
        if self.is("{") {
            return self.table();
        }
        if self.token.is_first && self.dialect == Dialect::Lua51 {
            return Err(self.unexpected("the call on the line of its function"));
        }
        self.advance()?;
        if !self.is(")") {
            self.expressions()?;
        }
        self.expect(")")
    }

    fn table(&mut self) -> Read {
        self.advance()?;
        while !self.is("}") {
            if self.take("[")? {
                self.expression()?;
                self.expect("]")?;
                self.expect("=")?;
            } else if self.token.kind == TokenKind::Name && self.is_before_equals() {
                self.advance()?;
                self.advance()?;
            }
            self.expression()?;
            if !self.take(",")? && !self.take(";")? {
                break;
            }
        }
        self.expect("}")
    }

    /// Whether a single `=` follows the token: `{ name = value }`.
    fn is_before_equals(&self) -> bool {
        let mut ahead = Scanner::new(self.text, self.dialect);
        ahead.go_to(self.token.range.end);
        ahead.next().is_ok_and(|token| &self.text[token.range] == "=")
    }

    /// Parameters and body.
    pub(super) fn function(&mut self, is_method: bool) -> Read {
        self.down()?;
        self.expect("(")?;
        self.scopes.enter_function();
        if is_method {
            self.declare("self", false, self.token.range.clone())?;
        }
        while !self.is(")") {
            if self.take("...")? {
                self.scopes.take_varargs();
                break;
            }
            let (name, range) = self.name()?;
            self.declare(name, false, range)?;
            if !self.take(",")? {
                break;
            }
            if self.is(")") {
                return Err(self.unexpected("a name"));
            }
        }
        self.expect(")")?;
        self.statements()?;
        self.scopes.leave_function()?;
        self.expect("end")?;
        self.up();
        Ok(())
    }
}
