//! Values, types and directives (sections 2.9 to 2.12).

use super::parser::{Parser, Read};
use super::scanner::TokenKind;

impl Parser<'_> {
    pub(super) fn value(&mut self) -> Read {
        self.any_value(false)
    }

    /// A value without variables.
    pub(super) fn constant(&mut self) -> Read {
        self.any_value(true)
    }

    fn any_value(&mut self, is_constant: bool) -> Read {
        match (self.kind(), self.word()) {
            (TokenKind::Name | TokenKind::Number | TokenKind::Text, _) => self.advance(),
            (TokenKind::Sign, "$") if !is_constant => {
                self.advance()?;
                self.name().map(drop)
            }
            (TokenKind::Sign, "[") => {
                self.advance()?;
                self.down()?;
                while !self.take("]")? {
                    self.any_value(is_constant)?;
                }
                self.up();
                Ok(())
            }
            (TokenKind::Sign, "{") => {
                self.advance()?;
                self.down()?;
                while !self.take("}")? {
                    self.name()?;
                    self.expect(":")?;
                    self.any_value(is_constant)?;
                }
                self.up();
                Ok(())
            }
            _ => Err(self.unexpected("a value")),
        }
    }

    pub(super) fn type_reference(&mut self) -> Read {
        self.down()?;
        if self.take("[")? {
            self.type_reference()?;
            self.expect("]")?;
        } else {
            self.name()?;
        }
        self.take("!")?;
        self.up();
        Ok(())
    }

    pub(super) fn argument(&mut self) -> Read {
        self.name()?;
        self.expect(":")?;
        self.value()
    }

    fn constant_argument(&mut self) -> Read {
        self.name()?;
        self.expect(":")?;
        self.constant()
    }

    pub(super) fn directives(&mut self) -> Read {
        self.any_directives(Self::argument).map(drop)
    }

    /// Directives without variables; whether there were any.
    pub(super) fn constant_directives(&mut self) -> Read<bool> {
        self.any_directives(Self::constant_argument)
    }

    fn any_directives(&mut self, argument: fn(&mut Self) -> Read) -> Read<bool> {
        let is_there = self.is("@");
        while self.take("@")? {
            self.name()?;
            self.optional_items("(", ")", argument)?;
        }
        Ok(is_there)
    }

    /// `= VALUE`, if it is there.
    pub(super) fn default_value(&mut self) -> Read {
        if self.take("=")? { self.constant() } else { Ok(()) }
    }
}
