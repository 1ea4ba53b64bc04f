//! A place in a document, and the smallest productions.

use crate::finding::Finding;

pub(super) type Read<T = ()> = Result<T, Finding>;

/// Reads a text from its beginning to its end.
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        // The mark of UTF-16 is left in the decoded text.
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, at }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.rest().starts_with(word)
    }

    pub(super) fn take(&mut self, word: &str) -> bool {
        let is_there = self.is(word);
        if is_there {
            self.at += word.len();
        }
        is_there
    }

    pub(super) fn expect(&mut self, word: &str) -> Read {
        if self.take(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// White space (3); whether there was any.
    pub(super) fn space(&mut self) -> bool {
        let rest = self.rest();
        let after = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.at += rest.len() - after.len();
        rest.len() != after.len()
    }

    pub(super) fn expect_space(&mut self) -> Read {
        if self.space() { Ok(()) } else { Err(self.unexpected("white space")) }
    }

    /// A name (5).
    pub(super) fn name(&mut self) -> Read<&'t str> {
        if !self.rest().starts_with(is_name_start) {
            return Err(self.unexpected("a name"));
        }
        Ok(self.name_token())
    }

    /// A name without a rule for its first character (7); may be empty.
    pub(super) fn name_token(&mut self) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|it| !is_name(it)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// What is between quotes, without a look at it.
    pub(super) fn quoted(&mut self) -> Read<&'t str> {
        let quote = self.rest().chars().next().filter(|it| matches!(it, '"' | '\''));
        let Some(quote) = quote else { return Err(self.unexpected("a text in quotes")) };
        let start = self.at;
        self.at += 1;
        match self.rest().find(quote) {
            Some(length) => {
                let found = &self.rest()[..length];
                self.characters(length)?;
                self.at += 1;
                Ok(found)
            }
            None => Err(Finding::at(self.text, start, "the text in quotes has no end")),
        }
    }

    /// Passes this many bytes, all of which must be characters of XML (2).
    pub(super) fn characters(&mut self, length: usize) -> Read {
        let passed = &self.rest()[..length];
        match passed.find(|it| !is_character(it)) {
            None => {
                self.at += length;
                Ok(())
            }
            Some(at) => Err(self.error(self.at + at, "a character that XML does not allow")),
        }
    }

    /// Passes everything up to a word and the word.
    pub(super) fn until(&mut self, word: &str, what: &str) -> Read {
        match self.rest().find(word) {
            Some(length) => {
                self.characters(length)?;
                self.at += word.len();
                Ok(())
            }
            None => Err(self.error(self.at, &format!("{what} has no end"))),
        }
    }

    /// A comment (15), whose first sign is read.
    pub(super) fn comment(&mut self) -> Read {
        self.until("--", "the comment")?;
        if self.take(">") { Ok(()) } else { Err(self.error(self.at - 2, "`--` in a comment")) }
    }

    /// A processing instruction (16), whose first sign is read.
    pub(super) fn instruction(&mut self) -> Read {
        let start = self.at;
        if self.name()?.eq_ignore_ascii_case("xml") {
            return Err(self.error(start, "an XML declaration is allowed at the beginning only"));
        }
        if !self.is("?>") {
            self.expect_space()?;
        }
        self.until("?>", "the processing instruction")
    }

    /// A reference to a character (66), behind `&#`.
    pub(super) fn character_reference(&mut self) -> Read {
        let start = self.at;
        let radix = if self.take("x") { 16 } else { 10 };
        let rest = self.rest();
        let length = rest.find(|it: char| !it.is_digit(radix)).unwrap_or(rest.len());
        let number = u32::from_str_radix(&rest[..length], radix).ok();
        self.at += length;
        self.expect(";")?;
        match number.and_then(char::from_u32).filter(|&it| is_character(it)) {
            Some(_) => Ok(()),
            None => Err(self.error(start, "a reference to a character that XML does not allow")),
        }
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Finding {
        let found = match self.rest().chars().next() {
            Some(it) => format!("`{}`", it.escape_debug()),
            None => "the end of the file".to_owned(),
        };
        self.error(self.at, &format!("expected {wanted}, found {found}"))
    }

    pub(super) fn error(&self, at: usize, message: &str) -> Finding {
        Finding::at(self.text, at, message)
    }
}

fn is_character(it: char) -> bool {
    matches!(it, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

fn is_name_start(it: char) -> bool {
    matches!(it,
        ':' | 'A'..='Z' | '_' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
        | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
        | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
        | '\u{10000}'..='\u{effff}')
}

fn is_name(it: char) -> bool {
    is_name_start(it)
        || matches!(it,
            '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}
