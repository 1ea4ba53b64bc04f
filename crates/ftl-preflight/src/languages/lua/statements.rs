//! Statements (manual, 3.3).

use std::ops::Range;

use super::dialect::Dialect;
use super::expressions::Shape;
use super::parser::{Parser, Read};
use super::scanner::TokenKind;
use crate::finding::Finding;

impl<'t> Parser<'t> {
    fn block(&mut self, is_loop: bool) -> Read {
        self.scopes.enter_block(is_loop);
        self.statements()?;
        self.scopes.leave_block()
    }

    fn is_end_of_block(&self) -> bool {
        let ends = ["end", "else", "elseif", "until"];
        self.token.kind == TokenKind::End || ends.iter().any(|word| self.is(word))
    }

    pub(super) fn statements(&mut self) -> Read {
        self.down()?;
        while !self.is_end_of_block() {
            if self.take("return")? {
                if !self.is_end_of_block() && !self.is(";") {
                    self.expressions()?;
                }
                self.take(";")?;
                break;
            }
            let is_break = self.is("break");
            self.statement()?;
            if self.dialect == Dialect::Lua51 {
                self.take(";")?;
                if is_break && !self.is_end_of_block() {
                    return Err(self.unexpected("the end of the block after `break`"));
                }
            }
        }
        self.up();
        Ok(())
    }

    fn statement(&mut self) -> Read {
        let start = self.token.range.clone();
        match &self.text[start.clone()] {
            ";" if self.dialect != Dialect::Lua51 => self.advance().map(drop),
            "::" if self.token.kind == TokenKind::Sign => self.label(),
            "goto" if self.dialect.has_goto() && self.is_goto() => {
                self.advance()?;
                let (name, _) = self.name()?;
                self.scopes.goto(name, start)
            }
            _ if self.token.kind != TokenKind::Keyword => self.expression_statement(),
            "break" => {
                self.advance()?;
                if self.scopes.is_in_loop() {
                    return Ok(());
                }
                Err(Finding::syntax("`break` outside a loop", start))
            }
            "do" => {
                self.advance()?;
                self.block(false)?;
                self.expect("end")
            }
            "while" => {
                self.advance()?;
                self.expression()?;
                self.expect("do")?;
                self.block(true)?;
                self.expect("end")
            }
            "repeat" => self.repeat(),
            "if" => self.conditional(),
            "for" => self.for_loop(),
            "function" => self.function_statement(),
            "local" => self.local(),
            _ => Err(self.unexpected("a statement")),
        }
    }

    /// LuaJIT takes `goto` for a name where none follows.
    fn is_goto(&self) -> bool {
        let rest = self.text[self.token.range.end..].trim_start();
        let is_name =
            rest.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_' || !it.is_ascii());
        self.token.kind == TokenKind::Name && (self.dialect.is_newest() || is_name)
    }

    fn label(&mut self) -> Read {
        self.advance()?;
        let (name, range) = self.name()?;
        self.expect("::")?;
        while self.is(";") || self.is("::") {
            if self.is("::") {
                self.label()?;
            } else {
                self.advance()?;
            }
        }
        // `until` sees the block's locals: what comes before it is not the end of their scope.
        let is_last = self.is_end_of_block() && !self.is("until");
        self.scopes.label(name, range, is_last)
    }

    fn repeat(&mut self) -> Read {
        self.advance()?;
        self.scopes.enter_block(true);
        self.statements()?;
        self.expect("until")?;
        // The condition sees the locals of the body.
        self.expression()?;
        self.scopes.leave_block()
    }

    fn conditional(&mut self) -> Read {
        self.advance()?;
        loop {
            self.expression()?;
            self.expect("then")?;
            self.block(false)?;
            if !self.take("elseif")? {
                break;
            }
        }
        if self.take("else")? {
            self.block(false)?;
        }
        self.expect("end")
    }

    fn for_loop(&mut self) -> Read {
        self.advance()?;
        let mut names = vec![self.name()?];
        if self.take("=")? {
            self.expression()?;
            self.expect(",")?;
            self.expression()?;
            if self.take(",")? {
                self.expression()?;
            }
        } else {
            while self.take(",")? {
                names.push(self.name()?);
            }
            self.expect("in")?;
            self.expressions()?;
        }
        self.expect("do")?;
        self.scopes.enter_block(true);
        for (name, range) in names {
            self.declare(name, false, range)?;
        }
        self.block(true)?;
        self.scopes.leave_block()?;
        self.expect("end")
    }

    fn function_statement(&mut self) -> Read {
        self.advance()?;
        let (name, range) = self.name()?;
        let mut is_element = false;
        while self.take(".")? {
            self.name()?;
            is_element = true;
        }
        let is_method = self.take(":")?;
        if is_method {
            self.name()?;
        }
        if !is_element && !is_method && self.scopes.is_constant(name) {
            return Err(Self::constant(name, range));
        }
        self.function(is_method)
    }

    fn local(&mut self) -> Read {
        self.advance()?;
        if self.take("function")? {
            let (name, range) = self.name()?;
            self.declare(name, false, range)?;
            return self.function(false);
        }
        let mut names = Vec::new();
        let mut closes = 0;
        loop {
            let (name, range) = self.name()?;
            let attribute = if self.dialect.is_newest() { self.attribute()? } else { None };
            closes += usize::from(attribute == Some("close"));
            if closes > 1 {
                return Err(Finding::syntax("several variables to close in one `local`", range));
            }
            names.push((name, attribute.is_some(), range));
            if !self.take(",")? {
                break;
            }
        }
        if self.take("=")? {
            self.expressions()?;
        }
        for (name, is_constant, range) in names {
            self.declare(name, is_constant, range)?;
        }
        Ok(())
    }

    fn attribute(&mut self) -> Read<Option<&'t str>> {
        if !self.take("<")? {
            return Ok(None);
        }
        let (name, range) = self.name()?;
        if !["const", "close"].contains(&name) {
            return Err(Finding::syntax(format!("unknown attribute `{name}`"), range));
        }
        self.expect(">")?;
        Ok(Some(name))
    }

    pub(super) fn declare(
        &mut self,
        name: &'t str,
        is_constant: bool,
        range: Range<usize>,
    ) -> Read {
        let declared = self.scopes.declare(name, is_constant);
        declared.map_err(|message| Finding::syntax(message, range))
    }

    fn constant(name: &str, range: Range<usize>) -> Finding {
        Finding::syntax(format!("assignment to the constant `{name}`"), range)
    }

    /// A call or an assignment.
    fn expression_statement(&mut self) -> Read {
        let start = self.token.range.start;
        let mut shape = self.suffixed()?;
        if !self.is("=") && !self.is(",") {
            return match shape {
                Shape::Call => Ok(()),
                _ if self.token.kind == TokenKind::End => Err(self.unexpected("`=`")),
                _ => Err(self.unexpected("`=` or a call")),
            };
        }
        let mut range = start..self.end;
        loop {
            match shape {
                Shape::Variable(name) if self.scopes.is_constant(name) => {
                    return Err(Self::constant(name, range));
                }
                Shape::Variable(_) | Shape::Element => {}
                Shape::Call | Shape::Value => return Err(self.unexpected("a call or a variable")),
            }
            if !self.take(",")? {
                break;
            }
            let start = self.token.range.start;
            shape = self.suffixed()?;
            range = start..self.end;
        }
        self.expect("=")?;
        self.expressions()
    }
}
