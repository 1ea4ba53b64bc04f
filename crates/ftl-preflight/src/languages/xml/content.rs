//! The document, its elements and what is in them.

use std::collections::HashSet;

use super::cursor::{Cursor, Read};
use super::declarations::Declarations;

/// Entities that need no declaration (4.6).
const PREDEFINED: &[&str] = &["amp", "apos", "gt", "lt", "quot"];

/// A document that is read.
pub(super) struct Document<'t> {
    cursor: Cursor<'t>,
    declarations: Declarations<'t>,
    is_standalone: bool,
}

impl<'t> Document<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            cursor: Cursor::new(text),
            declarations: Declarations::default(),
            is_standalone: false,
        }
    }

    /// The whole of it (1).
    pub(super) fn check(&mut self) -> Read {
        // A target may begin with the same letters: `<?xml-stylesheet`.
        if self.cursor.is("<?xml")
            && !self.cursor.rest()[5..]
                .starts_with(|it: char| it.is_alphanumeric() || "-_.:".contains(it))
        {
            self.declaration()?;
        }
        self.between()?;
        if self.cursor.take("<!DOCTYPE") {
            self.declarations = Declarations::read(&mut self.cursor)?;
            self.between()?;
        }
        self.elements()?;
        self.between()?;
        if self.cursor.is_at_end() {
            Ok(())
        } else {
            Err(self.cursor.unexpected("the end of the file"))
        }
    }

    /// `<?xml version … ?>` (23).
    fn declaration(&mut self) -> Read {
        let cursor = &mut self.cursor;
        cursor.expect("<?xml")?;
        cursor.expect_space()?;
        cursor.expect("version")?;
        let start = cursor.at();
        let version = Self::value(cursor)?;
        let is_known = version
            .strip_prefix("1.")
            .is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()));
        if !is_known {
            return Err(cursor.error(start, "not a version of XML 1"));
        }
        let mut has_space = cursor.space();
        if has_space && cursor.take("encoding") {
            let start = cursor.at();
            let name = Self::value(cursor)?;
            let is_part = |it: u8| it.is_ascii_alphanumeric() || b"._-".contains(&it);
            if !name.starts_with(|it: char| it.is_ascii_alphabetic()) || !name.bytes().all(is_part)
            {
                return Err(cursor.error(start, "not the name of an encoding"));
            }
            has_space = cursor.space();
        }
        if has_space && cursor.take("standalone") {
            let start = cursor.at();
            match Self::value(cursor)? {
                "yes" => self.is_standalone = true,
                "no" => {}
                _ => return Err(cursor.error(start, "`standalone` is `yes` or `no`")),
            }
            cursor.space();
        }
        cursor.expect("?>")
    }

    /// `= "VALUE"`.
    fn value(cursor: &mut Cursor<'t>) -> Read<&'t str> {
        cursor.space();
        cursor.expect("=")?;
        cursor.space();
        cursor.quoted()
    }

    /// Comments, processing instructions and white space (27).
    fn between(&mut self) -> Read {
        loop {
            self.cursor.space();
            if self.cursor.take("<!--") {
                self.cursor.comment()?;
            } else if self.cursor.take("<?") {
                self.cursor.instruction()?;
            } else {
                return Ok(());
            }
        }
    }

    /// The root element (39), with all that is in it.
    fn elements(&mut self) -> Read {
        if !self.cursor.is("<") {
            return Err(self.cursor.unexpected("an element"));
        }
        let mut open: Vec<(&str, usize)> = Vec::new();
        loop {
            self.text()?;
            let start = self.cursor.at();
            if self.cursor.take("<!--") {
                self.cursor.comment()?;
            } else if self.cursor.take("<![CDATA[") {
                self.cursor.until("]]>", "the CDATA section")?;
            } else if self.cursor.take("<?") {
                self.cursor.instruction()?;
            } else if self.cursor.take("</") {
                self.end_tag(open.pop(), start)?;
            } else if self.cursor.take("<") {
                let (name, is_empty) = self.start_tag()?;
                if !is_empty {
                    open.push((name, start));
                }
            } else {
                let (name, _) = open.last().copied().unwrap_or_default();
                return Err(self.cursor.unexpected(&format!("`</{name}>`")));
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    fn end_tag(&mut self, open: Option<(&str, usize)>, start: usize) -> Read {
        let name = self.cursor.name()?;
        self.cursor.space();
        self.cursor.expect(">")?;
        match open {
            Some((wanted, _)) if wanted == name => Ok(()),
            Some((wanted, _)) => {
                Err(self.cursor.error(start, &format!("expected `</{wanted}>`, found `</{name}>`")))
            }
            None => Err(self.cursor.error(start, "the end of an element that has not begun")),
        }
    }

    /// A start tag (40) or that of an empty element (44), behind its first sign.
    fn start_tag(&mut self) -> Read<(&'t str, bool)> {
        let name = self.cursor.name()?;
        let mut names: HashSet<&str> = HashSet::new();
        loop {
            let has_space = self.cursor.space();
            if self.cursor.take("/>") {
                return Ok((name, true));
            }
            if self.cursor.take(">") {
                return Ok((name, false));
            }
            if !has_space {
                return Err(self.cursor.unexpected("white space, `/>` or `>`"));
            }
            let start = self.cursor.at();
            let attribute = self.cursor.name()?;
            if !names.insert(attribute) {
                return Err(self.cursor.error(start, &format!("`{attribute}` is there twice")));
            }
            self.cursor.space();
            self.cursor.expect("=")?;
            self.cursor.space();
            self.attribute_value()?;
        }
    }

    /// A value of an attribute (10).
    fn attribute_value(&mut self) -> Read {
        let quote = self.cursor.rest().chars().next().filter(|it| matches!(it, '"' | '\''));
        let Some(quote) = quote else { return Err(self.cursor.unexpected("a value in quotes")) };
        self.cursor.characters(1)?;
        loop {
            let rest = self.cursor.rest();
            let Some(length) = rest.find([quote, '<', '&']) else {
                return Err(self.cursor.error(self.cursor.at(), "the value has no end"));
            };
            self.cursor.characters(length)?;
            match rest[length..].chars().next() {
                Some('&') => self.reference()?,
                Some('<') => return Err(self.cursor.error(self.cursor.at(), "`<` in a value")),
                _ => return self.cursor.characters(1),
            }
        }
    }

    /// Text and references up to the next `<` (14).
    fn text(&mut self) -> Read {
        loop {
            let rest = self.cursor.rest();
            let length = rest.find(['<', '&']).unwrap_or(rest.len());
            if let Some(at) = rest[..length].find("]]>") {
                return Err(self.cursor.error(self.cursor.at() + at, "`]]>` in text"));
            }
            self.cursor.characters(length)?;
            if !self.cursor.is("&") {
                return Ok(());
            }
            self.reference()?;
        }
    }

    /// A reference (67).
    fn reference(&mut self) -> Read {
        let start = self.cursor.at();
        self.cursor.expect("&")?;
        if self.cursor.take("#") {
            return self.cursor.character_reference();
        }
        let name = self.cursor.name()?;
        self.cursor.expect(";")?;
        let is_declared = PREDEFINED.contains(&name) || self.declarations.has_entity(name);
        let may_be_elsewhere = self.declarations.are_incomplete() && !self.is_standalone;
        if is_declared || may_be_elsewhere {
            return Ok(());
        }
        Err(self.cursor.error(start, &format!("the entity `{name}` is not declared")))
    }
}
