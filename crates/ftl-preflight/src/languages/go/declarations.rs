//! A file and its declarations.

use super::parser::{Parse, Parser};
use super::token::Kind;

impl Parser<'_> {
    /// A whole file.
    pub(super) fn file(&mut self) -> Parse {
        self.advance()?;
        self.expect(Kind::Package, "`package`")?;
        self.expect(Kind::Name, "the package's name")?;
        self.end_of_statement()?;
        while self.at(Kind::Import) {
            self.advance()?;
            self.group(Self::import)?;
            self.end_of_statement()?;
        }
        while !self.at(Kind::End) {
            match self.token.kind {
                Kind::Const | Kind::Type | Kind::Var => self.declaration()?,
                Kind::Func => self.function()?,
                Kind::Import => return Err(self.refuse("imports come before other declarations")),
                _ => return Err(self.expected("a declaration")),
            }
            self.end_of_statement()?;
        }
        Ok(())
    }

    /// One item, or many in parentheses.
    fn group(&mut self, item: impl Fn(&mut Self) -> Parse) -> Parse {
        if !self.eat(Kind::OpenParen)? {
            return item(self);
        }
        while !self.at(Kind::CloseParen) {
            item(self)?;
            self.end_of_statement()?;
        }
        self.advance()
    }

    fn import(&mut self) -> Parse {
        if !self.eat(Kind::Dot)? {
            self.eat(Kind::Name)?;
        }
        self.expect(Kind::String, "the path of a package")
    }

    /// `const`, `type` or `var`.
    pub(super) fn declaration(&mut self) -> Parse {
        let keyword = self.token.kind;
        self.advance()?;
        match keyword {
            Kind::Const => self.group(Self::constant),
            Kind::Type => self.group(Self::type_declaration),
            _ => self.group(Self::variable),
        }
    }

    fn names(&mut self) -> Parse {
        self.expect(Kind::Name, "a name")?;
        while self.eat(Kind::Comma)? {
            self.expect(Kind::Name, "a name")?;
        }
        Ok(())
    }

    /// Values may be left out: that the first of a group has one is for the type checker.
    fn constant(&mut self) -> Parse {
        self.names()?;
        self.try_type()?;
        if self.eat(Kind::Assign)? {
            self.expressions().map(drop)
        } else {
            Ok(())
        }
    }

    fn variable(&mut self) -> Parse {
        self.names()?;
        if !self.at(Kind::Assign) {
            self.type_()?;
        }
        if self.eat(Kind::Assign)? {
            self.expressions().map(drop)
        } else {
            Ok(())
        }
    }

    fn type_declaration(&mut self) -> Parse {
        self.expect(Kind::Name, "a type's name")?;
        if self.eat(Kind::OpenBracket)? {
            // `[n]T` and `[P T]` may begin alike.
            return self.either(Self::array_or_slice, |parser| {
                parser.type_parameters()?;
                parser.eat(Kind::Assign)?;
                parser.type_()
            });
        }
        self.eat(Kind::Assign)?;
        self.type_()
    }

    /// A function or method, with or without a body.
    fn function(&mut self) -> Parse {
        self.advance()?;
        if self.at(Kind::OpenParen) {
            self.parameters()?;
        }
        self.expect(Kind::Name, "the function's name")?;
        if self.eat(Kind::OpenBracket)? {
            self.type_parameters()?;
        }
        self.signature()?;
        if self.at(Kind::OpenBrace) {
            self.block()
        } else {
            Ok(())
        }
    }
}
