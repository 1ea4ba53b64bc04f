//! Statements.
//!
//! Specification: "Statements". The trap is in headers: `if`, `for` and `switch` have their parts
//! between a keyword and a brace with no parentheses around them, so a brace there begins the body
//! (see `Parser::expression_level`), and a semicolon shows which part was read. Whether a label
//! exists, whether `break` has something to leave, and whether a function returns are the type
//! checker's.

use super::error::Error;
use super::expressions::Operand;
use super::parser::{Parse, Parser};
use super::token::{Token, TokenKind};

/// What a simple statement was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SimpleStatement {
    Expression,
    Label,
    /// `… := range …` and the like.
    Range,
    /// `x := y.(type)` or `y.(type)`.
    TypeSwitch,
    Other,
}

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parse {
        self.expect(TokenKind::OpenBrace, "`{`")?;
        self.statements()?;
        self.expect(TokenKind::CloseBrace, "`}`")
    }

    fn statements(&mut self) -> Parse {
        while !matches!(
            self.token.kind,
            TokenKind::Case | TokenKind::Default | TokenKind::CloseBrace | TokenKind::End
        ) {
            self.recurse(Self::statement)?;
        }
        Ok(())
    }

    fn statement(&mut self) -> Parse {
        match self.token.kind {
            TokenKind::Semicolon => return self.advance(),
            TokenKind::Const | TokenKind::Type | TokenKind::Var => self.declaration()?,
            TokenKind::OpenBrace => self.block()?,
            TokenKind::If => self.if_()?,
            TokenKind::For => self.for_()?,
            TokenKind::Switch => self.switch()?,
            TokenKind::Select => self.select()?,
            TokenKind::Go | TokenKind::Defer => self.go_or_defer()?,
            TokenKind::Return => {
                self.advance()?;
                // A closing brace may stand for the semicolon: `func f() { return }`.
                if !self.at(TokenKind::Semicolon) && !self.at(TokenKind::CloseBrace) {
                    self.expressions()?;
                }
            }
            TokenKind::Break | TokenKind::Continue => {
                self.advance()?;
                self.eat(TokenKind::Name)?;
            }
            TokenKind::Goto => {
                self.advance()?;
                self.expect(TokenKind::Name, "a label")?;
            }
            TokenKind::Fallthrough => self.advance()?,
            _ => match self.simple(true)? {
                // "Labeled statements": the labelled statement follows the colon at once, with no
                // semicolon between; the loop in `statements` reads it.
                SimpleStatement::Label => return Ok(()),
                SimpleStatement::Range => return Err(self.refuse("`range` is for loops")),
                SimpleStatement::Expression
                | SimpleStatement::TypeSwitch
                | SimpleStatement::Other => {}
            },
        }
        self.end_of_statement()
    }

    /// An expression, assignment, send or increment; or a label, where there may be one.
    fn simple(&mut self, may_be_label: bool) -> Parse<SimpleStatement> {
        let start = self.token;
        let (count, operand) = self.expressions()?;
        match self.token.kind {
            TokenKind::Define | TokenKind::Assign | TokenKind::AssignOperation => {
                let operator = self.token;
                self.advance()?;
                // `range` is no expression: it may stand only here, and where a `for` has no left
                // side.
                if self.at(TokenKind::Range) && operator.kind != TokenKind::AssignOperation {
                    if count > 2 {
                        return Err(self.refuse("`range` gives at most two values"));
                    }
                    self.advance()?;
                    self.expression()?;
                    return Ok(SimpleStatement::Range);
                }
                let (values, value) = self.expressions()?;
                let is_single = count == 1 && values == 1;
                if operator.kind == TokenKind::AssignOperation && !is_single {
                    // Points the message at the operator, as `go/parser` does.
                    self.token = operator;
                    return Err(self.refuse("this assignment takes one value on either side"));
                }
                let is_switch = operator.kind == TokenKind::Define && value == Operand::TypeSwitch;
                return Ok(if is_switch && is_single {
                    SimpleStatement::TypeSwitch
                } else {
                    SimpleStatement::Other
                });
            }
            _ if count > 1 => return Err(self.expected("`=` or `:=`")),
            TokenKind::Colon if may_be_label => {
                // What is no longer than its first token is that token.
                if start.kind != TokenKind::Name || self.previous_end != start.end {
                    return Err(self.expected("`;` or the end of the line"));
                }
                self.advance()?;
                return Ok(SimpleStatement::Label);
            }
            TokenKind::Arrow => {
                self.advance()?;
                self.expression()?;
            }
            TokenKind::IncrementOrDecrement => self.advance()?,
            _ if operand == Operand::TypeSwitch => return Ok(SimpleStatement::TypeSwitch),
            _ => return Ok(SimpleStatement::Expression),
        }
        Ok(SimpleStatement::Other)
    }

    fn go_or_defer(&mut self) -> Parse {
        self.advance()?;
        let start = self.token;
        // "Go statements" and "Defer statements": the call cannot be parenthesized, nor be part of
        // a larger expression; either would not be a `Call` here.
        if self.operand_expression()? == Operand::Call {
            return Ok(());
        }
        self.token = start;
        Err(self.refuse("`go` and `defer` take a function call"))
    }

    /// Runs `parse` on the header of a statement.
    fn header<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        // Set and not lowered: the brackets of an enclosing function literal do not reach into this
        // header, whose own brackets count from here.
        let level = std::mem::replace(&mut self.expression_level, -1);
        let parsed = parse(self);
        self.expression_level = level;
        parsed
    }

    fn if_(&mut self) -> Parse {
        // A loop and no recursion: a chain of `else if` is as long as its author likes.
        loop {
            self.advance()?;
            self.header(Self::condition)?;
            self.block()?;
            if !self.eat(TokenKind::Else)? {
                return Ok(());
            }
            if self.at(TokenKind::OpenBrace) {
                return self.block();
            }
            // "If statements": `else` takes a block or another `if`, and no other statement.
            if !self.at(TokenKind::If) {
                return Err(self.expected("`if` or `{`"));
            }
        }
    }

    fn condition(&mut self) -> Parse {
        if self.at(TokenKind::OpenBrace) {
            return Err(self.refuse("the condition is missing"));
        }
        // What comes first is the condition if a brace follows, else a statement before the
        // condition.
        let mut start = self.token;
        if !self.at(TokenKind::Semicolon) {
            let first = self.simple(false)?;
            if self.at(TokenKind::OpenBrace) {
                return self.value(first, start);
            }
        }
        self.expect(TokenKind::Semicolon, "`{`")?;
        if self.at(TokenKind::OpenBrace) {
            return Err(self.refuse("the condition is missing"));
        }
        start = self.token;
        let condition = self.simple(false)?;
        self.value(condition, start)
    }

    /// Refuses a statement that began at `start` where a value is wanted.
    fn value(&self, simple: SimpleStatement, start: Token) -> Parse {
        let message = match simple {
            SimpleStatement::Expression => return Ok(()),
            SimpleStatement::TypeSwitch => "`.(type)` is for switches",
            SimpleStatement::Label | SimpleStatement::Range | SimpleStatement::Other => {
                "this statement is not a value"
            }
        };
        Err(Error::new(message, start.start..self.previous_end.max(start.end)))
    }

    fn for_(&mut self) -> Parse {
        self.advance()?;
        self.header(Self::for_header)?;
        self.block()
    }

    fn for_header(&mut self) -> Parse {
        if self.at(TokenKind::OpenBrace) {
            return Ok(());
        }
        // `for range x` (Go 1.4), without a variable.
        if self.eat(TokenKind::Range)? {
            return self.expression();
        }
        let mut start = self.token;
        if !self.at(TokenKind::Semicolon) {
            let first = self.simple(false)?;
            if first == SimpleStatement::Range {
                return Ok(());
            }
            if self.at(TokenKind::OpenBrace) {
                return self.value(first, start);
            }
        }
        self.expect(TokenKind::Semicolon, "`;` or `{`")?;
        if !self.at(TokenKind::Semicolon) {
            // `for i := 0; {`: after a first semicolon, a second one is needed.
            if self.at(TokenKind::OpenBrace) {
                return Err(self.expected("a condition"));
            }
            start = self.token;
            let condition = self.simple(false)?;
            self.value(condition, start)?;
        }
        self.expect(TokenKind::Semicolon, "`;`")?;
        if self.at(TokenKind::OpenBrace) { Ok(()) } else { self.simple(false).map(drop) }
    }

    fn switch(&mut self) -> Parse {
        self.advance()?;
        self.header(|parser| {
            let (mut tag, mut start) = (SimpleStatement::Expression, parser.token);
            if parser.at(TokenKind::OpenBrace) {
                return Ok(());
            }
            if !parser.at(TokenKind::Semicolon) {
                tag = parser.simple(false)?;
            }
            if parser.eat(TokenKind::Semicolon)? {
                // What was read was the statement before the tag; the tag itself may be left out.
                (tag, start) = (SimpleStatement::Expression, parser.token);
                if !parser.at(TokenKind::OpenBrace) {
                    tag = parser.simple(false)?;
                }
            }
            if tag == SimpleStatement::TypeSwitch { Ok(()) } else { parser.value(tag, start) }
        })?;
        self.clauses(|parser| parser.expressions().map(drop))
    }

    fn select(&mut self) -> Parse {
        self.advance()?;
        self.clauses(|parser| {
            let communication = parser.simple(false)?;
            match communication {
                SimpleStatement::Expression | SimpleStatement::Other => Ok(()),
                SimpleStatement::Label | SimpleStatement::Range | SimpleStatement::TypeSwitch => {
                    Err(parser.refuse("a clause of `select` sends or receives"))
                }
            }
        })
    }

    /// `{ case …: …; default: … }`, with `case` to read the part between `case` and colon. More
    /// than one `default` is the type checker's to refuse.
    fn clauses(&mut self, case: impl Fn(&mut Self) -> Parse) -> Parse {
        self.expect(TokenKind::OpenBrace, "`{`")?;
        while !self.at(TokenKind::CloseBrace) {
            if !self.eat(TokenKind::Default)? {
                self.expect(TokenKind::Case, "`case` or `default`")?;
                case(self)?;
            }
            self.expect(TokenKind::Colon, "`:`")?;
            self.statements()?;
        }
        self.advance()
    }
}
