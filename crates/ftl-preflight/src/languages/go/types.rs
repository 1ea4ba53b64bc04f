//! Types, parameters and signatures.

use super::parser::{Parse, Parser};
use super::token::Kind;

/// How a parameter was written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parameter {
    /// A name alone, which may turn out to be a type.
    Name,
    /// A name and a type.
    Named,
    /// A type that cannot be a name.
    Type,
}

impl Parser<'_> {
    pub(super) fn type_(&mut self) -> Parse {
        if self.try_type()? {
            Ok(())
        } else {
            Err(self.expected("a type"))
        }
    }

    /// A type if one begins here.
    pub(super) fn try_type(&mut self) -> Parse<bool> {
        self.deeper(Self::type_here)
    }

    fn type_here(&mut self) -> Parse<bool> {
        match self.token.kind {
            Kind::Name => self.type_name()?,
            Kind::OpenBracket => {
                self.advance()?;
                self.array_or_slice()?;
            }
            Kind::Struct => self.struct_()?,
            Kind::Star => {
                self.advance()?;
                self.type_()?;
            }
            Kind::Func => {
                self.advance()?;
                self.signature()?;
            }
            Kind::Interface => self.interface()?,
            Kind::Map => {
                self.advance()?;
                self.expect(Kind::OpenBracket, "`[`")?;
                self.type_()?;
                self.expect(Kind::CloseBracket, "`]`")?;
                self.type_()?;
            }
            Kind::Chan => {
                self.advance()?;
                self.eat(Kind::Arrow)?;
                self.type_()?;
            }
            Kind::Arrow => {
                self.advance()?;
                self.expect(Kind::Chan, "`chan`")?;
                self.type_()?;
            }
            Kind::OpenParen => {
                self.advance()?;
                self.type_()?;
                self.expect(Kind::CloseParen, "`)`")?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `T`, `p.T`, and either with arguments.
    pub(super) fn type_name(&mut self) -> Parse {
        self.expect(Kind::Name, "a type's name")?;
        self.rest_of_type_name()
    }

    fn rest_of_type_name(&mut self) -> Parse {
        if self.eat(Kind::Dot)? {
            self.expect(Kind::Name, "a name")?;
        }
        if self.eat(Kind::OpenBracket)? {
            self.type_arguments()?;
        }
        Ok(())
    }

    /// Type arguments after their `[`.
    fn type_arguments(&mut self) -> Parse {
        self.nested(|parser| {
            parser.type_()?;
            while parser.comma_before(Kind::CloseBracket)? {
                parser.type_()?;
            }
            Ok(())
        })?;
        self.expect(Kind::CloseBracket, "`]`")
    }

    /// The rest of an array or slice type after its `[`.
    pub(super) fn array_or_slice(&mut self) -> Parse {
        if !self.at(Kind::CloseBracket) && !self.eat(Kind::Ellipsis)? {
            self.nested(Self::expression)?;
        }
        self.expect(Kind::CloseBracket, "`]`")?;
        self.type_()
    }

    /// After a name and `[`: an array type, and true; or type arguments, and false.
    fn array_or_arguments(&mut self) -> Parse<bool> {
        let mut count = 0;
        if self.eat(Kind::Ellipsis)? {
            count = 1;
        } else {
            self.nested(|parser| {
                while !parser.at(Kind::CloseBracket) {
                    parser.expression()?;
                    count += 1;
                    if !parser.comma_before(Kind::CloseBracket)? {
                        break;
                    }
                }
                Ok(())
            })?;
        }
        self.expect(Kind::CloseBracket, "`]`")?;
        if count < 2 && self.try_type()? {
            return Ok(true);
        }
        if count == 0 {
            Err(self.expected("a type"))
        } else {
            Ok(false)
        }
    }

    fn struct_(&mut self) -> Parse {
        self.advance()?;
        self.expect(Kind::OpenBrace, "`{`")?;
        while !self.at(Kind::CloseBrace) {
            self.field()?;
            self.eat(Kind::String)?;
            self.end_of_statement()?;
        }
        self.advance()
    }

    fn field(&mut self) -> Parse {
        if self.eat(Kind::Star)? {
            return self.type_name();
        }
        self.expect(Kind::Name, "a field")?;
        match self.token.kind {
            Kind::Dot => self.rest_of_type_name(),
            Kind::String | Kind::Semicolon | Kind::CloseBrace => Ok(()),
            Kind::OpenBracket => {
                self.advance()?;
                self.array_or_arguments()?;
                Ok(())
            }
            _ => {
                while self.eat(Kind::Comma)? {
                    self.expect(Kind::Name, "a field")?;
                }
                self.type_()
            }
        }
    }

    fn interface(&mut self) -> Parse {
        self.advance()?;
        self.expect(Kind::OpenBrace, "`{`")?;
        while !self.at(Kind::CloseBrace) {
            if self.at(Kind::Name) {
                self.method_or_element()?;
            } else {
                self.constraint()?;
            }
            self.end_of_statement()?;
        }
        self.advance()
    }

    fn method_or_element(&mut self) -> Parse {
        self.advance()?;
        if self.at(Kind::OpenParen) {
            return self.signature();
        }
        self.rest_of_type_name()?;
        if self.eat(Kind::Pipe)? {
            self.constraint()
        } else {
            Ok(())
        }
    }

    /// A union of types, each with or without `~`.
    pub(super) fn constraint(&mut self) -> Parse {
        loop {
            self.eat(Kind::Tilde)?;
            self.type_()?;
            if !self.eat(Kind::Pipe)? {
                return Ok(());
            }
        }
    }

    /// Parameters and results.
    pub(super) fn signature(&mut self) -> Parse {
        self.parameters()?;
        if self.at(Kind::OpenParen) {
            self.parameters()
        } else {
            self.try_type().map(drop)
        }
    }

    /// `(a, b T, c ...U)` or `(T, ...U)`.
    pub(super) fn parameters(&mut self) -> Parse {
        self.expect(Kind::OpenParen, "`(`")?;
        let mut seen = Vec::new();
        self.nested(|parser| {
            while !parser.at(Kind::CloseParen) {
                let start = parser.token;
                seen.push((parser.parameter()?, start));
                if !parser.comma_before(Kind::CloseParen)? {
                    break;
                }
            }
            Ok(())
        })?;
        let named = seen.iter().any(|(kind, _)| *kind == Parameter::Named);
        let unnamed = seen.iter().find(|(kind, _)| *kind == Parameter::Type);
        if let (true, Some((_, token))) = (named, unnamed) {
            self.token = *token;
            return Err(self.refuse("named and unnamed parameters are mixed"));
        }
        if let (true, Some((Parameter::Name, _))) = (named, seen.last()) {
            return Err(self.expected("a type"));
        }
        self.expect(Kind::CloseParen, "`)`")
    }

    fn parameter(&mut self) -> Parse<Parameter> {
        if !self.at(Kind::Name) {
            self.eat(Kind::Ellipsis)?;
            self.type_()?;
            return Ok(Parameter::Type);
        }
        self.advance()?;
        match self.token.kind {
            Kind::Comma | Kind::CloseParen => Ok(Parameter::Name),
            Kind::Dot => self.rest_of_type_name().map(|()| Parameter::Type),
            Kind::OpenBracket => {
                self.advance()?;
                let is_array = self.array_or_arguments()?;
                Ok(if is_array {
                    Parameter::Named
                } else {
                    Parameter::Type
                })
            }
            Kind::Ellipsis => {
                self.advance()?;
                self.type_()?;
                Ok(Parameter::Named)
            }
            _ => {
                self.type_()?;
                Ok(Parameter::Named)
            }
        }
    }

    /// `[P, Q C, R D]` after its `[`.
    pub(super) fn type_parameters(&mut self) -> Parse {
        self.nested(|parser| {
            loop {
                parser.expect(Kind::Name, "a type parameter")?;
                while parser.eat(Kind::Comma)? {
                    parser.expect(Kind::Name, "a type parameter")?;
                }
                parser.constraint()?;
                if !parser.comma_before(Kind::CloseBracket)? {
                    return Ok(());
                }
            }
        })?;
        self.expect(Kind::CloseBracket, "`]`")
    }
}
