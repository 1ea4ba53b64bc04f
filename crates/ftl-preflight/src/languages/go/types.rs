//! Types, parameters and signatures.
//!
//! Specification: "Types", "Function types", "Type parameter declarations", "Instantiations". Two
//! traps:
//!
//! * brackets after a name: `a [n]T` is a name and an array type, `a[T]` is an instantiated type,
//!   and `n` and `T` may look the same; what follows the closing bracket decides;
//! * parameters: in `(a, b, c T)` three names share a type, in `(a, b, c)` there are three types.
//!   Only the last one decides, so each is classified first and the list is judged as a whole.

use super::parser::{Parse, Parser};
use super::token::{Token, TokenKind};

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
        if self.try_type()? { Ok(()) } else { Err(self.expected("a type")) }
    }

    /// A type if one begins here.
    pub(super) fn try_type(&mut self) -> Parse<bool> {
        self.recurse(Self::type_here)
    }

    fn type_here(&mut self) -> Parse<bool> {
        match self.token.kind {
            TokenKind::Name => self.type_name()?,
            TokenKind::OpenBracket => {
                self.advance()?;
                self.array_or_slice()?;
            }
            TokenKind::Struct => self.struct_()?,
            TokenKind::Star => {
                self.advance()?;
                self.type_()?;
            }
            TokenKind::Func => {
                self.advance()?;
                self.signature()?;
            }
            TokenKind::Interface => self.interface()?,
            TokenKind::Map => {
                self.advance()?;
                self.expect(TokenKind::OpenBracket, "`[`")?;
                self.type_()?;
                self.expect(TokenKind::CloseBracket, "`]`")?;
                self.type_()?;
            }
            TokenKind::Chan => {
                self.advance()?;
                // `chan<- T`. The arrow binds to the leftmost `chan` possible ("Channel types"),
                // which reading from left to right does by itself.
                self.eat(TokenKind::Arrow)?;
                self.type_()?;
            }
            TokenKind::Arrow => {
                self.advance()?;
                self.expect(TokenKind::Chan, "`chan`")?;
                self.type_()?;
            }
            // Parentheses around a type change nothing, `(((int)))` included.
            TokenKind::OpenParen => {
                self.advance()?;
                self.type_()?;
                self.expect(TokenKind::CloseParen, "`)`")?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `T`, `p.T`, and either with arguments.
    pub(super) fn type_name(&mut self) -> Parse {
        self.expect(TokenKind::Name, "a type's name")?;
        self.rest_of_type_name()
    }

    fn rest_of_type_name(&mut self) -> Parse {
        if self.eat(TokenKind::Dot)? {
            self.expect(TokenKind::Name, "a name")?;
        }
        if self.eat(TokenKind::OpenBracket)? {
            self.type_arguments()?;
        }
        Ok(())
    }

    /// Type arguments after their `[`.
    fn type_arguments(&mut self) -> Parse {
        self.in_brackets(|parser| {
            parser.type_()?;
            while parser.comma_before(TokenKind::CloseBracket)? {
                parser.type_()?;
            }
            Ok(())
        })?;
        self.expect(TokenKind::CloseBracket, "`]`")
    }

    /// The rest of an array or slice type after its `[`.
    pub(super) fn array_or_slice(&mut self) -> Parse {
        // `[]T`, `[...]T` or `[n]T`. That `[...]` is for literals alone is the type checker's.
        if !self.at(TokenKind::CloseBracket) && !self.eat(TokenKind::Ellipsis)? {
            self.in_brackets(Self::expression)?;
        }
        self.expect(TokenKind::CloseBracket, "`]`")?;
        self.type_()
    }

    /// After a name and `[`: an array type, and true; or type arguments, and false.
    fn array_or_arguments(&mut self) -> Parse<bool> {
        let mut count = 0;
        if self.eat(TokenKind::Ellipsis)? {
            count = 1;
        } else {
            self.in_brackets(|parser| {
                while !parser.at(TokenKind::CloseBracket) {
                    parser.expression()?;
                    count += 1;
                    if !parser.comma_before(TokenKind::CloseBracket)? {
                        break;
                    }
                }
                Ok(())
            })?;
        }
        self.expect(TokenKind::CloseBracket, "`]`")?;
        // A type after the bracket makes it an array; with two expressions inside it cannot be one.
        if count < 2 && self.try_type()? {
            return Ok(true);
        }
        if count == 0 { Err(self.expected("a type")) } else { Ok(false) }
    }

    fn struct_(&mut self) -> Parse {
        self.advance()?;
        self.expect(TokenKind::OpenBrace, "`{`")?;
        while !self.at(TokenKind::CloseBrace) {
            self.field()?;
            self.eat(TokenKind::String)?;
            self.end_of_statement()?;
        }
        self.advance()
    }

    /// Fields of one type, or an embedded type ("Struct types"), which is a type name with or without
    /// `*`: whatever can end a field right after a name means that the name was a type.
    fn field(&mut self) -> Parse {
        if self.eat(TokenKind::Star)? {
            return self.type_name();
        }
        self.expect(TokenKind::Name, "a field")?;
        match self.token.kind {
            TokenKind::Dot => self.rest_of_type_name(),
            TokenKind::String | TokenKind::Semicolon | TokenKind::CloseBrace => Ok(()),
            TokenKind::OpenBracket => {
                self.advance()?;
                self.array_or_arguments()?;
                Ok(())
            }
            _ => {
                while self.eat(TokenKind::Comma)? {
                    self.expect(TokenKind::Name, "a field")?;
                }
                self.type_()
            }
        }
    }

    fn interface(&mut self) -> Parse {
        self.advance()?;
        self.expect(TokenKind::OpenBrace, "`{`")?;
        while !self.at(TokenKind::CloseBrace) {
            if self.at(TokenKind::Name) {
                self.method_or_element()?;
            } else {
                self.constraint()?;
            }
            self.end_of_statement()?;
        }
        self.advance()
    }

    /// A method, an embedded interface, or the first term of a union ("Interface types"): all begin
    /// with a name, and only a method goes on with a parenthesis.
    fn method_or_element(&mut self) -> Parse {
        self.advance()?;
        if self.at(TokenKind::OpenParen) {
            return self.signature();
        }
        self.rest_of_type_name()?;
        if self.eat(TokenKind::Pipe)? { self.constraint() } else { Ok(()) }
    }

    /// A union of types, each with or without `~` ("General interfaces").
    pub(super) fn constraint(&mut self) -> Parse {
        loop {
            self.eat(TokenKind::Tilde)?;
            self.type_()?;
            if !self.eat(TokenKind::Pipe)? {
                return Ok(());
            }
        }
    }

    /// Parameters and results.
    pub(super) fn signature(&mut self) -> Parse {
        self.parameters()?;
        if self.at(TokenKind::OpenParen) { self.parameters() } else { self.try_type().map(drop) }
    }

    /// `(a, b T, c ...U)` or `(T, ...U)`: "the names must either all be present or all be absent"
    /// ("Function types"). A list in which anything is surely a name has names only, and so nothing
    /// in it may surely be a type, and its last item needs one.
    pub(super) fn parameters(&mut self) -> Parse {
        self.expect(TokenKind::OpenParen, "`(`")?;
        let mut seen = Vec::new();
        self.in_brackets(|parser| {
            let mut dots = None;
            while !parser.at(TokenKind::CloseParen) {
                // The parser's since Go 1.25.
                if let Some(token) = dots {
                    parser.token = token;
                    return Err(parser.refuse("can only use ... with final parameter in list"));
                }
                let start = parser.token;
                seen.push((parser.parameter(&mut dots)?, start));
                if !parser.comma_before(TokenKind::CloseParen)? {
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
        self.expect(TokenKind::CloseParen, "`)`")
    }

    /// One item of them; `dots` becomes its `...`.
    fn parameter(&mut self, dots: &mut Option<Token>) -> Parse<Parameter> {
        if !self.at(TokenKind::Name) {
            *dots = self.at(TokenKind::Ellipsis).then_some(self.token);
            self.eat(TokenKind::Ellipsis)?;
            self.type_()?;
            return Ok(Parameter::Type);
        }
        self.advance()?;
        match self.token.kind {
            TokenKind::Comma | TokenKind::CloseParen => Ok(Parameter::Name),
            TokenKind::Dot => self.rest_of_type_name().map(|()| Parameter::Type),
            TokenKind::OpenBracket => {
                self.advance()?;
                let is_array = self.array_or_arguments()?;
                Ok(if is_array { Parameter::Named } else { Parameter::Type })
            }
            TokenKind::Ellipsis => {
                *dots = Some(self.token);
                self.advance()?;
                self.type_()?;
                Ok(Parameter::Named)
            }
            // Two words in a row: the first was a name.
            _ => {
                self.type_()?;
                Ok(Parameter::Named)
            }
        }
    }

    /// `[P, Q C, R D]` after its `[`.
    pub(super) fn type_parameters(&mut self) -> Parse {
        self.in_brackets(|parser| {
            loop {
                parser.expect(TokenKind::Name, "a type parameter")?;
                while parser.eat(TokenKind::Comma)? {
                    parser.expect(TokenKind::Name, "a type parameter")?;
                }
                parser.constraint()?;
                if !parser.comma_before(TokenKind::CloseBracket)? {
                    return Ok(());
                }
            }
        })?;
        self.expect(TokenKind::CloseBracket, "`]`")
    }
}
