//! Documents, operations and fragments (sections 2.2 to 2.8 and 2.10).

use super::parser::{Parser, Read};
use super::scanner::TokenKind;

impl Parser<'_> {
    /// One definition or more.
    pub(super) fn document(&mut self) -> Read {
        self.advance()?;
        loop {
            self.definition()?;
            if self.kind() == TokenKind::End {
                return Ok(());
            }
        }
    }

    fn definition(&mut self) -> Read {
        if self.is("{") {
            return self.selections();
        }
        let is_described = self.description()?;
        match self.word() {
            "query" | "mutation" | "subscription" if self.kind() == TokenKind::Name => {
                self.operation()
            }
            "fragment" => self.fragment(),
            "extend" if !is_described => self.extension(),
            _ => self.type_system(),
        }
    }

    /// A string before a definition; whether it is there.
    pub(super) fn description(&mut self) -> Read<bool> {
        let is_there = self.kind() == TokenKind::Text;
        if is_there {
            self.advance()?;
        }
        Ok(is_there)
    }

    fn operation(&mut self) -> Read {
        self.advance()?;
        if self.kind() == TokenKind::Name {
            self.advance()?;
        }
        self.optional_items("(", ")", Self::variable)?;
        self.directives()?;
        self.selections()
    }

    fn variable(&mut self) -> Read {
        self.description()?;
        self.expect("$")?;
        self.name()?;
        self.expect(":")?;
        self.type_reference()?;
        self.default_value()?;
        self.constant_directives().map(drop)
    }

    fn fragment(&mut self) -> Read {
        self.advance()?;
        if self.is("on") {
            return Err(self.unexpected("the name of the fragment"));
        }
        self.name()?;
        self.expect("on")?;
        self.name()?;
        self.directives()?;
        self.selections()
    }

    fn selections(&mut self) -> Read {
        self.items("{", "}", Self::selection)
    }

    fn selection(&mut self) -> Read {
        if !self.take("...")? {
            return self.field();
        }
        let is_typed = self.take("on")?;
        if self.kind() == TokenKind::Name {
            self.advance()?;
            if !is_typed {
                return self.directives();
            }
        } else if is_typed {
            return Err(self.unexpected("a name"));
        }
        self.directives()?;
        self.selections()
    }

    fn field(&mut self) -> Read {
        self.name()?;
        if self.take(":")? {
            self.name()?;
        }
        self.optional_items("(", ")", Self::argument)?;
        self.directives()?;
        if self.is("{") { self.selections() } else { Ok(()) }
    }
}
