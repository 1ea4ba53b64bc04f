//! Expressions. Types are expressions too where the grammar cannot tell them apart.
//!
//! Specification: "Expressions", "Primary expressions", "Composite literals". Conversions need no
//! separate rule: `T(x)` reads as a call, and `[]byte(x)` as a call of a type. Binary operators
//! all bind alike here, for precedence decides only the shape of a tree.
//!
//! The trap is the composite literal: `T{…}` in a statement's header would take the body for the
//! literal, so there only what is surely a type (`[]T`, `map[K]V`, `struct{…}`) may be followed by
//! one.

use super::parser::{Parse, Parser};
use super::token::TokenKind;

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
        while self.eat(TokenKind::Comma)? {
            self.expression()?;
            operand = Operand::Other;
            count += 1;
        }
        Ok((count, operand))
    }

    fn unary(&mut self) -> Parse<Operand> {
        let mut is_plain = true;
        // A loop, since operators without a right bracket cost no stack. `~` is no operator of
        // expressions, but a constraint may be read as one: `[P ~int]`.
        while let TokenKind::Sign
        | TokenKind::Not
        | TokenKind::And
        | TokenKind::Tilde
        | TokenKind::Star
        | TokenKind::Arrow = self.token.kind
        {
            self.advance()?;
            is_plain = false;
        }
        let operand = self.recurse(Self::primary)?;
        Ok(if is_plain { operand } else { Operand::Other })
    }

    fn primary(&mut self) -> Parse<Operand> {
        let mut operand = self.operand()?;
        loop {
            operand = match self.token.kind {
                TokenKind::Dot => self.selector()?,
                TokenKind::OpenBracket => self.index()?,
                TokenKind::OpenParen => self.call()?,
                TokenKind::OpenBrace if self.begins_literal(operand) => {
                    // "Composite literals": the type of a literal is a type, and not one in
                    // parentheses.
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

    /// Whether a brace after this operand begins a composite literal, and not the body of a
    /// statement.
    fn begins_literal(&self, operand: Operand) -> bool {
        match operand {
            Operand::Name | Operand::ParenthesizedType => self.expression_level >= 0,
            Operand::LiteralType => true,
            Operand::Call | Operand::TypeSwitch | Operand::Other => false,
        }
    }

    fn operand(&mut self) -> Parse<Operand> {
        match self.token.kind {
            TokenKind::Name => {
                self.advance()?;
                Ok(Operand::Name)
            }
            TokenKind::Number | TokenKind::String => {
                self.advance()?;
                Ok(Operand::Other)
            }
            TokenKind::OpenParen => {
                self.advance()?;
                let inner = self.in_brackets(Self::operand_expression)?;
                self.expect(TokenKind::CloseParen, "`)`")?;
                Ok(match inner {
                    Operand::Name | Operand::LiteralType | Operand::ParenthesizedType => {
                        Operand::ParenthesizedType
                    }
                    Operand::Call | Operand::TypeSwitch | Operand::Other => Operand::Other,
                })
            }
            TokenKind::Func => {
                self.advance()?;
                self.signature()?;
                // A function literal, or without a body a type. Its body is in braces, so literals
                // are allowed in it again.
                if self.at(TokenKind::OpenBrace) {
                    self.in_brackets(Self::block)?;
                }
                Ok(Operand::Other)
            }
            TokenKind::OpenBracket | TokenKind::Struct | TokenKind::Map => {
                self.type_()?;
                Ok(Operand::LiteralType)
            }
            TokenKind::Chan | TokenKind::Interface => {
                self.type_()?;
                Ok(Operand::Other)
            }
            _ => Err(self.expected("an expression")),
        }
    }

    fn selector(&mut self) -> Parse<Operand> {
        self.advance()?;
        if self.eat(TokenKind::Name)? {
            return Ok(Operand::Name);
        }
        self.expect(TokenKind::OpenParen, "a name or `(`")?;
        let is_switch = self.eat(TokenKind::Type)?;
        if !is_switch {
            self.type_()?;
        }
        self.expect(TokenKind::CloseParen, "`)`")?;
        Ok(if is_switch { Operand::TypeSwitch } else { Operand::Other })
    }

    fn index(&mut self) -> Parse<Operand> {
        self.advance()?;
        let is_slice = self.in_brackets(Self::index_or_slice)?;
        self.expect(TokenKind::CloseBracket, "`]`")?;
        // A slice is a value. An index may be an instantiated type, `T[int]{}`.
        Ok(if is_slice { Operand::Other } else { Operand::Name })
    }

    /// `i`, `T, U`, `i:j` or `i:j:k`; whether it was one of the latter two.
    fn index_or_slice(&mut self) -> Parse<bool> {
        if !self.at(TokenKind::Colon) {
            self.expression()?;
            if self.at(TokenKind::Comma) {
                while self.comma_before(TokenKind::CloseBracket)? {
                    self.expression()?;
                }
                return Ok(false);
            }
            if self.at(TokenKind::CloseBracket) {
                return Ok(false);
            }
        }
        self.expect(TokenKind::Colon, "`:` or `]`")?;
        if self.at(TokenKind::CloseBracket) {
            return Ok(true);
        }
        // "Full slice expressions": only the first index may be left out.
        if self.at(TokenKind::Colon) {
            return Err(self.refuse("a slice of three indices needs the middle one"));
        }
        self.expression()?;
        if self.eat(TokenKind::Colon)? {
            if self.at(TokenKind::CloseBracket) {
                return Err(self.refuse("a slice of three indices needs the last one"));
            }
            self.expression()?;
        }
        Ok(true)
    }

    fn call(&mut self) -> Parse<Operand> {
        self.advance()?;
        self.in_brackets(|parser| {
            let mut spread = false;
            while !parser.at(TokenKind::CloseParen) && !spread {
                parser.expression()?;
                // `f(xs...)`: nothing may follow but a comma.
                spread = parser.eat(TokenKind::Ellipsis)?;
                if !parser.comma_before(TokenKind::CloseParen)? {
                    break;
                }
            }
            Ok(())
        })?;
        self.expect(TokenKind::CloseParen, "`)`")?;
        Ok(Operand::Call)
    }

    /// `{ … }` of a literal.
    fn literal_value(&mut self) -> Parse {
        self.expect(TokenKind::OpenBrace, "`{`")?;
        self.in_brackets(|parser| {
            while !parser.at(TokenKind::CloseBrace) {
                parser.element()?;
                if parser.eat(TokenKind::Colon)? {
                    parser.element()?;
                }
                if !parser.comma_before(TokenKind::CloseBrace)? {
                    break;
                }
            }
            Ok(())
        })?;
        self.expect(TokenKind::CloseBrace, "`}`")
    }

    fn element(&mut self) -> Parse {
        if self.at(TokenKind::OpenBrace) {
            self.recurse(Self::literal_value)
        } else {
            self.expression()
        }
    }
}
