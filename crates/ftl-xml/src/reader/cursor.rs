//! Reading names, white space and attributes inside one piece of markup.
//!
//! It stops at the end of its piece even where the text goes on, for a quote or a name that is cut
//! short must not reach into what follows.

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::reference;
use crate::Fault;
use crate::chars::{is_space, name_len};
use crate::span::{Checked, SpannedFault};

/// A walk over one piece of markup, from `at` to `end`; offsets are those of the whole text.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

/// Name and value of an attribute, the value without its quotes.
pub(super) struct Pair {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(text: &'a str, range: Range<usize>) -> Self {
        Self { text, at: range.start, end: range.end }
    }

    pub(super) const fn is_done(&self) -> bool {
        self.at >= self.end
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    fn byte(&self) -> Option<u8> {
        (!self.is_done()).then(|| self.text.as_bytes()[self.at])
    }

    /// Passes over white space; whether there was any.
    pub(super) fn skip_space(&mut self) -> bool {
        let start = self.at;
        while self.byte().is_some_and(is_space) {
            self.at += 1;
        }
        self.at > start
    }

    /// Takes the name that begins here; `owner` says in the fault what needs it.
    pub(super) fn name(&mut self, owner: &'static str) -> Checked<Range<usize>> {
        let start = self.at;
        let length = name_len(&self.text[start..self.end.max(start)]);
        if length == 0 {
            return Err(SpannedFault::new(Fault::Name(owner), self.here()));
        }
        self.at = start + length;
        Ok(start..self.at)
    }

    /// Takes ` = "value"` behind a name, and checks the value as an attribute's.
    pub(super) fn attribute(&mut self) -> Checked<Pair> {
        let name = self.name("an attribute")?;
        self.skip_space();
        if self.byte() != Some(b'=') {
            return Err(self.malformed("`=` is missing"));
        }
        self.at += 1;
        self.skip_space();
        let quote = match self.byte() {
            Some(quote @ (b'"' | b'\'')) => quote,
            Some(_) | None => return Err(self.malformed("the value has no quotes")),
        };
        let start = self.at + 1;
        let rest = &self.text.as_bytes()[start..self.end];
        // The other kind of quote may stand in the value ([10] AttValue).
        let length = memchr(quote, rest).ok_or_else(|| self.malformed("the value does not end"))?;
        let value = start..start + length;
        self.at = value.end + 1;
        self.check_value(value.clone())?;
        Ok(Pair { name, value })
    }

    fn check_value(&self, value: Range<usize>) -> Checked {
        let bytes = self.text.as_bytes();
        let mut at = value.start;
        while let Some(found) = memchr2(b'<', b'&', &bytes[at..value.end]) {
            at += found;
            // Well-formedness constraint "No < in Attribute Values". A `<` that is meant is `&lt;`.
            if bytes[at] == b'<' {
                let fault = Fault::Attribute("`<` is not allowed in a value");
                return Err(SpannedFault::new(fault, at..at + 1));
            }
            at = reference::check(self.text, at..value.end)?;
        }
        Ok(())
    }

    fn malformed(&self, why: &'static str) -> SpannedFault {
        SpannedFault::new(Fault::Attribute(why), self.here())
    }

    /// The character here, or nothing at the end.
    pub(super) fn here(&self) -> Range<usize> {
        let width = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        self.at..self.at + width
    }
}
