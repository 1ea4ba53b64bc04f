//! Expressions. Types are expressions too where the grammar cannot tell them apart.

use super::parser::{Parse, Parser};
use super::token::Kind;

/// What an operand is, as far as it decides what may follow or contain it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    /// A name, selector or index: perhaps the type of a literal.
    Name,
    /// An array, struct or map type: surely one.
    LiteralType,
    /// Either of those in parentheses.
    ParenthesizedType,
    Call,
    /// `x.(type)`.
    TypeSwitch,
    Other,
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parse {
        self.operand_expression().map(drop)
    }

    /// An expression; what it is when it is no more than an operand.
    pub(super) fn operand_expression(&mut self) -> Parse<Operand> {
        let mut operand = self.unary()?;
        while self.token.kind.is_binary() {
            // Precedence decides only the shape of the tree, and none is built.
            self.advance()?;
            self.unary()?;
            operand = Operand::Other;
        }
        Ok(operand)
    }

    /// Expressions with commas between them, and how many; what the only one is.
    pub(super) fn expressions(&mut self) -> Parse<(usize, Operand)> {
        let mut operand = self.operand_expression()?;
        let mut count = 1;
        while self.eat(Kind::Comma)? {
            self.expression()?;
            operand = Operand::Other;
            count += 1;
        }
        Ok((count, operand))
    }

    fn unary(&mut self) -> Parse<Operand> {
        let mut is_plain = true;
        while let Kind::Sign | Kind::Not | Kind::And | Kind::Tilde | Kind::Star | Kind::Arrow =
            self.token.kind
        {
            self.advance()?;
            is_plain = false;
        }
        let operand = self.deeper(Self::primary)?;
        Ok(if is_plain { operand } else { Operand::Other })
    }

    fn primary(&mut self) -> Parse<Operand> {
        let mut operand = self.operand()?;
        loop {
            operand = match self.token.kind {
                Kind::Dot => self.selector()?,
                Kind::OpenBracket => self.index()?,
                Kind::OpenParen => self.call()?,
                Kind::OpenBrace if self.begins_literal(operand) => {
                    if operand == Operand::ParenthesizedType {
                        return Err(self.refuse("the type of a literal cannot be in parentheses"));
                    }
                    self.literal_value()?;
                    Operand::Other
                }
                _ => return Ok(operand),
            };
        }
    }

    fn begins_literal(&self, operand: Operand) -> bool {
        match operand {
            Operand::Name | Operand::ParenthesizedType => self.level >= 0,
            Operand::LiteralType => true,
            Operand::Call | Operand::TypeSwitch | Operand::Other => false,
        }
    }

    fn operand(&mut self) -> Parse<Operand> {
        match self.token.kind {
            Kind::Name => {
                self.advance()?;
                Ok(Operand::Name)
            }
            Kind::Number | Kind::String => {
                self.advance()?;
                Ok(Operand::Other)
            }
            Kind::OpenParen => {
                self.advance()?;
                let inner = self.nested(Self::operand_expression)?;
                self.expect(Kind::CloseParen, "`)`")?;
                Ok(match inner {
                    Operand::Name | Operand::LiteralType | Operand::ParenthesizedType => {
                        Operand::ParenthesizedType
                    }
                    Operand::Call | Operand::TypeSwitch | Operand::Other => Operand::Other,
                })
            }
            Kind::Func => {
                self.advance()?;
                self.signature()?;
                if self.at(Kind::OpenBrace) {
                    self.nested(Self::block)?;
                }
                Ok(Operand::Other)
            }
            Kind::OpenBracket | Kind::Struct | Kind::Map => {
                self.type_()?;
                Ok(Operand::LiteralType)
            }
            Kind::Chan | Kind::Interface => {
                self.type_()?;
                Ok(Operand::Other)
            }
            _ => Err(self.expected("an expression")),
        }
    }

    fn selector(&mut self) -> Parse<Operand> {
        self.advance()?;
        if self.eat(Kind::Name)? {
            return Ok(Operand::Name);
        }
        self.expect(Kind::OpenParen, "a name or `(`")?;
        let is_switch = self.eat(Kind::Type)?;
        if !is_switch {
            self.type_()?;
        }
        self.expect(Kind::CloseParen, "`)`")?;
        Ok(if is_switch {
            Operand::TypeSwitch
        } else {
            Operand::Other
        })
    }

    fn index(&mut self) -> Parse<Operand> {
        self.advance()?;
        let is_slice = self.nested(Self::index_or_slice)?;
        self.expect(Kind::CloseBracket, "`]`")?;
        Ok(if is_slice {
            Operand::Other
        } else {
            Operand::Name
        })
    }

    /// `i`, `T, U`, `i:j` or `i:j:k`; whether it was one of the latter two.
    fn index_or_slice(&mut self) -> Parse<bool> {
        if !self.at(Kind::Colon) {
            self.expression()?;
            if self.at(Kind::Comma) {
                while self.comma_before(Kind::CloseBracket)? {
                    self.expression()?;
                }
                return Ok(false);
            }
            if self.at(Kind::CloseBracket) {
                return Ok(false);
            }
        }
        self.expect(Kind::Colon, "`:` or `]`")?;
        if self.at(Kind::CloseBracket) {
            return Ok(true);
        }
        if self.at(Kind::Colon) {
            return Err(self.refuse("a slice of three indices needs the middle one"));
        }
        self.expression()?;
        if self.eat(Kind::Colon)? {
            if self.at(Kind::CloseBracket) {
                return Err(self.refuse("a slice of three indices needs the last one"));
            }
            self.expression()?;
        }
        Ok(true)
    }

    fn call(&mut self) -> Parse<Operand> {
        self.advance()?;
        self.nested(|parser| {
            let mut spread = false;
            while !parser.at(Kind::CloseParen) && !spread {
                parser.expression()?;
                spread = parser.eat(Kind::Ellipsis)?;
                if !parser.comma_before(Kind::CloseParen)? {
                    break;
                }
            }
            Ok(())
        })?;
        self.expect(Kind::CloseParen, "`)`")?;
        Ok(Operand::Call)
    }

    /// `{ … }` of a literal.
    fn literal_value(&mut self) -> Parse {
        self.expect(Kind::OpenBrace, "`{`")?;
        self.nested(|parser| {
            while !parser.at(Kind::CloseBrace) {
                parser.element()?;
                if parser.eat(Kind::Colon)? {
                    parser.element()?;
                }
                if !parser.comma_before(Kind::CloseBrace)? {
                    break;
                }
            }
            Ok(())
        })?;
        self.expect(Kind::CloseBrace, "`}`")
    }

    fn element(&mut self) -> Parse {
        if self.at(Kind::OpenBrace) {
            self.deeper(Self::literal_value)
        } else {
            self.expression()
        }
    }
}
