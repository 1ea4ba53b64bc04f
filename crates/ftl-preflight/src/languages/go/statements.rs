//! Statements.

use super::expressions::Operand;
use super::parser::{Parse, Parser};
use super::scanner::Error;
use super::token::{Kind, Token};

/// What a simple statement was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Simple {
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
        self.expect(Kind::OpenBrace, "`{`")?;
        self.statements()?;
        self.expect(Kind::CloseBrace, "`}`")
    }

    fn statements(&mut self) -> Parse {
        while !matches!(
            self.token.kind,
            Kind::Case | Kind::Default | Kind::CloseBrace | Kind::End
        ) {
            self.deeper(Self::statement)?;
        }
        Ok(())
    }

    fn statement(&mut self) -> Parse {
        match self.token.kind {
            Kind::Semicolon => return self.advance(),
            Kind::Const | Kind::Type | Kind::Var => self.declaration()?,
            Kind::OpenBrace => self.block()?,
            Kind::If => self.if_()?,
            Kind::For => self.for_()?,
            Kind::Switch => self.switch()?,
            Kind::Select => self.select()?,
            Kind::Go | Kind::Defer => self.go_or_defer()?,
            Kind::Return => {
                self.advance()?;
                if !self.at(Kind::Semicolon) && !self.at(Kind::CloseBrace) {
                    self.expressions()?;
                }
            }
            Kind::Break | Kind::Continue => {
                self.advance()?;
                self.eat(Kind::Name)?;
            }
            Kind::Goto => {
                self.advance()?;
                self.expect(Kind::Name, "a label")?;
            }
            Kind::Fallthrough => self.advance()?,
            _ => match self.simple(true)? {
                // The labelled statement is the next one.
                Simple::Label => return Ok(()),
                Simple::Range => return Err(self.refuse("`range` is for loops")),
                Simple::Expression | Simple::TypeSwitch | Simple::Other => {}
            },
        }
        self.end_of_statement()
    }

    /// An expression, assignment, send or increment; or a label, where there may be one.
    fn simple(&mut self, may_be_label: bool) -> Parse<Simple> {
        let start = self.token;
        let (count, operand) = self.expressions()?;
        match self.token.kind {
            Kind::Define | Kind::Assign | Kind::AssignOperation => {
                let operator = self.token;
                self.advance()?;
                if self.at(Kind::Range) && operator.kind != Kind::AssignOperation {
                    if count > 2 {
                        return Err(self.refuse("`range` gives at most two values"));
                    }
                    self.advance()?;
                    self.expression()?;
                    return Ok(Simple::Range);
                }
                let (values, value) = self.expressions()?;
                let is_single = count == 1 && values == 1;
                if operator.kind == Kind::AssignOperation && !is_single {
                    self.token = operator;
                    return Err(self.refuse("this assignment takes one value on either side"));
                }
                let is_switch = operator.kind == Kind::Define && value == Operand::TypeSwitch;
                return Ok(if is_switch && is_single {
                    Simple::TypeSwitch
                } else {
                    Simple::Other
                });
            }
            _ if count > 1 => return Err(self.expected("`=` or `:=`")),
            Kind::Colon if may_be_label => {
                // What is no longer than its first token is that token.
                if start.kind != Kind::Name || self.previous_end != start.end {
                    return Err(self.expected("`;` or the end of the line"));
                }
                self.advance()?;
                return Ok(Simple::Label);
            }
            Kind::Arrow => {
                self.advance()?;
                self.expression()?;
            }
            Kind::IncrementOrDecrement => self.advance()?,
            _ if operand == Operand::TypeSwitch => return Ok(Simple::TypeSwitch),
            _ => return Ok(Simple::Expression),
        }
        Ok(Simple::Other)
    }

    fn go_or_defer(&mut self) -> Parse {
        self.advance()?;
        let start = self.token;
        if self.operand_expression()? == Operand::Call {
            return Ok(());
        }
        self.token = start;
        Err(self.refuse("`go` and `defer` take a function call"))
    }

    /// Runs `parse` on the header of a statement.
    fn header<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let level = std::mem::replace(&mut self.level, -1);
        let parsed = parse(self);
        self.level = level;
        parsed
    }

    fn if_(&mut self) -> Parse {
        loop {
            self.advance()?;
            self.header(Self::condition)?;
            self.block()?;
            if !self.eat(Kind::Else)? {
                return Ok(());
            }
            if self.at(Kind::OpenBrace) {
                return self.block();
            }
            if !self.at(Kind::If) {
                return Err(self.expected("`if` or `{`"));
            }
        }
    }

    fn condition(&mut self) -> Parse {
        if self.at(Kind::OpenBrace) {
            return Err(self.refuse("the condition is missing"));
        }
        let mut start = self.token;
        if !self.at(Kind::Semicolon) {
            let first = self.simple(false)?;
            if self.at(Kind::OpenBrace) {
                return self.value(first, start);
            }
        }
        self.expect(Kind::Semicolon, "`{`")?;
        if self.at(Kind::OpenBrace) {
            return Err(self.refuse("the condition is missing"));
        }
        start = self.token;
        let condition = self.simple(false)?;
        self.value(condition, start)
    }

    /// Refuses a statement that began at `start` where a value is wanted.
    fn value(&self, simple: Simple, start: Token) -> Parse {
        let message = match simple {
            Simple::Expression => return Ok(()),
            Simple::TypeSwitch => "`.(type)` is for switches",
            Simple::Label | Simple::Range | Simple::Other => "this statement is not a value",
        };
        Err(Error::new(
            message,
            start.start..self.previous_end.max(start.end),
        ))
    }

    fn for_(&mut self) -> Parse {
        self.advance()?;
        self.header(Self::for_header)?;
        self.block()
    }

    fn for_header(&mut self) -> Parse {
        if self.at(Kind::OpenBrace) {
            return Ok(());
        }
        if self.eat(Kind::Range)? {
            return self.expression();
        }
        let mut start = self.token;
        if !self.at(Kind::Semicolon) {
            let first = self.simple(false)?;
            if first == Simple::Range {
                return Ok(());
            }
            if self.at(Kind::OpenBrace) {
                return self.value(first, start);
            }
        }
        self.expect(Kind::Semicolon, "`;` or `{`")?;
        if !self.at(Kind::Semicolon) {
            if self.at(Kind::OpenBrace) {
                return Err(self.expected("a condition"));
            }
            start = self.token;
            let condition = self.simple(false)?;
            self.value(condition, start)?;
        }
        self.expect(Kind::Semicolon, "`;`")?;
        if self.at(Kind::OpenBrace) {
            Ok(())
        } else {
            self.simple(false).map(drop)
        }
    }

    fn switch(&mut self) -> Parse {
        self.advance()?;
        self.header(|parser| {
            let (mut tag, mut start) = (Simple::Expression, parser.token);
            if parser.at(Kind::OpenBrace) {
                return Ok(());
            }
            if !parser.at(Kind::Semicolon) {
                tag = parser.simple(false)?;
            }
            if parser.eat(Kind::Semicolon)? {
                (tag, start) = (Simple::Expression, parser.token);
                if !parser.at(Kind::OpenBrace) {
                    tag = parser.simple(false)?;
                }
            }
            if tag == Simple::TypeSwitch {
                Ok(())
            } else {
                parser.value(tag, start)
            }
        })?;
        self.clauses(|parser| parser.expressions().map(drop))
    }

    fn select(&mut self) -> Parse {
        self.advance()?;
        self.clauses(|parser| {
            let communication = parser.simple(false)?;
            match communication {
                Simple::Expression | Simple::Other => Ok(()),
                Simple::Label | Simple::Range | Simple::TypeSwitch => {
                    Err(parser.refuse("a clause of `select` sends or receives"))
                }
            }
        })
    }

    /// `{ case …: …; default: … }`, with `case` to read what stands between `case` and colon.
    fn clauses(&mut self, case: impl Fn(&mut Self) -> Parse) -> Parse {
        self.expect(Kind::OpenBrace, "`{`")?;
        while !self.at(Kind::CloseBrace) {
            if !self.eat(Kind::Default)? {
                self.expect(Kind::Case, "`case` or `default`")?;
                case(self)?;
            }
            self.expect(Kind::Colon, "`:`")?;
            self.statements()?;
        }
        self.advance()
    }
}
