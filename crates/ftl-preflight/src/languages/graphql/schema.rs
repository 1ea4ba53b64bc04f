//! Definitions and extensions of types (section 3).

use super::parser::{Parser, Read};
use super::scanner::TokenKind;

/// Where a directive may be used (section 3.13).
const LOCATIONS: &[&str] = &[
    "QUERY",
    "MUTATION",
    "SUBSCRIPTION",
    "FIELD",
    "FRAGMENT_DEFINITION",
    "FRAGMENT_SPREAD",
    "INLINE_FRAGMENT",
    "VARIABLE_DEFINITION",
    "SCHEMA",
    "SCALAR",
    "OBJECT",
    "FIELD_DEFINITION",
    "ARGUMENT_DEFINITION",
    "INTERFACE",
    "UNION",
    "ENUM",
    "ENUM_VALUE",
    "INPUT_OBJECT",
    "INPUT_FIELD_DEFINITION",
];

impl Parser<'_> {
    pub(super) fn type_system(&mut self) -> Read {
        if self.kind() != TokenKind::Name {
            return Err(self.unexpected("a definition"));
        }
        if self.take("directive")? {
            return self.directive();
        }
        if self.take("schema")? {
            self.constant_directives()?;
            return self.items("{", "}", Self::root);
        }
        let word = self.word();
        self.parts(word, "a definition").map(drop)
    }

    /// An extension adds at least one part to what it extends.
    pub(super) fn extension(&mut self) -> Read {
        self.advance()?;
        let word = self.word();
        if self.parts(word, "a definition to extend")? {
            Ok(())
        } else {
            Err(self.unexpected("a part of the extension"))
        }
    }

    /// What follows the keyword of a definition; whether there is more than a name.
    fn parts(&mut self, word: &str, wanted: &str) -> Read<bool> {
        match word {
            "schema" => {
                self.advance()?;
                let has_directives = self.constant_directives()?;
                Ok(self.optional_items("{", "}", Self::root)? || has_directives)
            }
            "scalar" => {
                self.advance()?;
                self.name()?;
                self.constant_directives()
            }
            "type" | "interface" => {
                self.advance()?;
                self.name()?;
                let implements = self.interfaces()?;
                let has_directives = self.constant_directives()?;
                Ok(self.optional_items("{", "}", Self::field_definition)?
                    || implements
                    || has_directives)
            }
            "union" => {
                self.advance()?;
                self.name()?;
                let has_directives = self.constant_directives()?;
                Ok(self.members()? || has_directives)
            }
            "enum" => {
                self.advance()?;
                self.name()?;
                let has_directives = self.constant_directives()?;
                Ok(self.optional_items("{", "}", Self::enum_value)? || has_directives)
            }
            "input" => {
                self.advance()?;
                self.name()?;
                let has_directives = self.constant_directives()?;
                Ok(self.optional_items("{", "}", Self::input_value)? || has_directives)
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    fn root(&mut self) -> Read {
        if !["query", "mutation", "subscription"].contains(&self.word()) {
            return Err(self.unexpected("`query`, `mutation` or `subscription`"));
        }
        self.advance()?;
        self.expect(":")?;
        self.name().map(drop)
    }

    fn interfaces(&mut self) -> Read<bool> {
        let is_there = self.take("implements")?;
        if is_there {
            self.take("&")?;
            self.name()?;
            while self.take("&")? {
                self.name()?;
            }
        }
        Ok(is_there)
    }

    fn members(&mut self) -> Read<bool> {
        let is_there = self.take("=")?;
        if is_there {
            self.take("|")?;
            self.name()?;
            while self.take("|")? {
                self.name()?;
            }
        }
        Ok(is_there)
    }

    fn field_definition(&mut self) -> Read {
        self.description()?;
        self.name()?;
        self.optional_items("(", ")", Self::input_value)?;
        self.expect(":")?;
        self.type_reference()?;
        self.constant_directives().map(drop)
    }

    fn input_value(&mut self) -> Read {
        self.description()?;
        self.name()?;
        self.expect(":")?;
        self.type_reference()?;
        self.default_value()?;
        self.constant_directives().map(drop)
    }

    fn enum_value(&mut self) -> Read {
        self.description()?;
        if ["true", "false", "null"].contains(&self.word()) {
            return Err(self.unexpected("the name of a value"));
        }
        self.name()?;
        self.constant_directives().map(drop)
    }

    fn directive(&mut self) -> Read {
        self.expect("@")?;
        self.name()?;
        self.optional_items("(", ")", Self::input_value)?;
        self.take("repeatable")?;
        self.expect("on")?;
        self.take("|")?;
        loop {
            if !LOCATIONS.contains(&self.word()) {
                return Err(self.unexpected("a place of directives"));
            }
            self.advance()?;
            if !self.take("|")? {
                return Ok(());
            }
        }
    }
}
