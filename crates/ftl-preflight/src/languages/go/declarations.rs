//! A file and its declarations.
//!
//! Specification: "Source file organization", "Declarations and scope". What is declared twice, or
//! never used, is the type checker's.

use super::parser::{Parse, Parser};
use super::token::TokenKind;

impl Parser<'_> {
    /// A whole file.
    pub(super) fn file(&mut self) -> Parse {
        self.advance()?;
        self.expect(TokenKind::Package, "`package`")?;
        self.expect(TokenKind::Name, "the package's name")?;
        self.end_of_statement()?;
        while self.at(TokenKind::Import) {
            self.advance()?;
            self.group(Self::import)?;
            self.end_of_statement()?;
        }
        while !self.at(TokenKind::End) {
            match self.token.kind {
                TokenKind::Const | TokenKind::Type | TokenKind::Var => self.declaration()?,
                TokenKind::Func => self.function()?,
                // `gofmt` too says this, rather than that it expected a declaration.
                TokenKind::Import => {
                    return Err(self.refuse("imports come before other declarations"));
                }
                _ => return Err(self.expected("a declaration")),
            }
            self.end_of_statement()?;
        }
        Ok(())
    }

    /// One item, or many in parentheses.
    fn group(&mut self, item: impl Fn(&mut Self) -> Parse) -> Parse {
        if !self.eat(TokenKind::OpenParen)? {
            return item(self);
        }
        while !self.at(TokenKind::CloseParen) {
            item(self)?;
            self.end_of_statement()?;
        }
        self.advance()
    }

    fn import(&mut self) -> Parse {
        if !self.eat(TokenKind::Dot)? {
            self.eat(TokenKind::Name)?;
        }
        self.expect(TokenKind::String, "the path of a package")
    }

    /// `const`, `type` or `var`.
    pub(super) fn declaration(&mut self) -> Parse {
        let keyword = self.token.kind;
        self.advance()?;
        match keyword {
            TokenKind::Const => self.group(Self::constant),
            TokenKind::Type => self.group(Self::type_declaration),
            _ => self.group(Self::variable),
        }
    }

    fn names(&mut self) -> Parse {
        self.expect(TokenKind::Name, "a name")?;
        while self.eat(TokenKind::Comma)? {
            self.expect(TokenKind::Name, "a name")?;
        }
        Ok(())
    }

    /// "Constant declarations" asks the first of a group for a value, since the others repeat it.
    /// `go/parser` does not ask (it permits this "for more tolerant parsing"), so neither is it
    /// asked here.
    fn constant(&mut self) -> Parse {
        self.names()?;
        self.try_type()?;
        if self.eat(TokenKind::Assign)? { self.expressions().map(drop) } else { Ok(()) }
    }

    fn variable(&mut self) -> Parse {
        self.names()?;
        if !self.at(TokenKind::Assign) {
            self.type_()?;
        }
        if self.eat(TokenKind::Assign)? { self.expressions().map(drop) } else { Ok(()) }
    }

    fn type_declaration(&mut self) -> Parse {
        self.begin_declaration();
        self.expect(TokenKind::Name, "a type's name")?;
        if self.eat(TokenKind::OpenBracket)? {
            // "Type parameter declarations" names the ambiguity: `type T[P *C] …` declares a
            // parameter, `type T [P * C]E` an array, and only the text after the bracket decides. So
            // both are read.
            return self.try_both(Self::array_or_slice, |parser| {
                parser.type_parameters()?;
                // A generic alias, `type A[P any] = …`, since Go 1.24.
                parser.eat(TokenKind::Assign)?;
                parser.type_()
            });
        }
        self.eat(TokenKind::Assign)?;
        self.type_()
    }

    /// A function or method, with or without a body.
    fn function(&mut self) -> Parse {
        self.advance()?;
        if self.at(TokenKind::OpenParen) {
            self.parameters()?;
        }
        self.expect(TokenKind::Name, "the function's name")?;
        if self.eat(TokenKind::OpenBracket)? {
            self.type_parameters()?;
        }
        self.signature()?;
        // Without a body it is implemented outside Go, as in assembly.
        if self.at(TokenKind::OpenBrace) { self.block() } else { Ok(()) }
    }
}
