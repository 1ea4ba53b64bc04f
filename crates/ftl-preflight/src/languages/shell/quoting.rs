//! Words, and what pairs up within them: quotes, expansions, substitutions.
//!
//! What an expansion holds is not looked at before it is made: `${!!}` is no error of syntax. A command
//! substitution in `$(…)` is parsed with the script, one in backquotes is not.

use super::parser::Parser;
use super::scanner::Read;
use super::word::{WordPlace, is_assignable, is_name};
use crate::finding::Finding;

impl<'t> Parser<'t> {
    /// A word, if one is next.
    pub(super) fn word(&mut self, place: WordPlace) -> Read<Option<&'t str>> {
        let start = self.scanner.at;
        loop {
            match self.scanner.byte() {
                0 if self.scanner.is_end() => break,
                b' ' | b'\t' | b'\n' | b';' | b'&' | b')' => break,
                b'|' if place != WordPlace::Expression => break,
                b'(' if place == WordPlace::Expression => self.pair(b'(', b')')?,
                b'(' => break,
                b'<' | b'>' if self.scanner.byte_after(1) == b'(' => {
                    self.scanner.at += 1;
                    self.substitution()?;
                }
                b'<' | b'>' => break,
                b'\\' => self.escaped(),
                b'\'' | b'"' | b'`' => self.quoted()?,
                b'$' => self.dollar(false)?,
                b'?' | b'*' | b'+' | b'@' | b'!'
                    if self.scanner.byte_after(1) == b'('
                        && (place == WordPlace::Pattern || self.has_patterns) =>
                {
                    self.scanner.at += 1;
                    self.pair(b'(', b')')?;
                }
                b'[' if place == WordPlace::Assignable && is_name(self.since(start)) => {
                    self.pair(b'[', b']')?
                }
                b'=' if matches!(place, WordPlace::Assignable | WordPlace::Declared)
                    && self.scanner.byte_after(1) == b'('
                    && is_assignable(self.since(start)) =>
                {
                    self.scanner.at += 1;
                    self.array()?;
                }
                _ => self.step(),
            }
        }
        let word = self.since(start);
        Ok((!word.is_empty()).then_some(word))
    }

    pub(super) fn since(&self, start: usize) -> &'t str {
        &self.scanner.text[start..self.scanner.at]
    }

    /// Past one character.
    fn step(&mut self) {
        let character = self.scanner.rest().chars().next();
        self.scanner.at += character.map_or(0, char::len_utf8);
    }

    fn escaped(&mut self) {
        self.scanner.at += 1;
        self.step();
    }

    /// Past a quoted text, at its quote.
    fn quoted(&mut self) -> Read {
        match self.scanner.byte() {
            b'"' => self.pair(b'"', b'"'),
            quote => self.raw(quote, quote == b'`'),
        }
    }

    /// Past the next such quote. A backslash may escape one.
    fn raw(&mut self, quote: u8, has_escapes: bool) -> Read {
        let start = self.scanner.at;
        self.scanner.at += 1;
        while !self.scanner.is_end() {
            match self.scanner.byte() {
                b'\\' if has_escapes => self.escaped(),
                it if it == quote => {
                    self.scanner.at += 1;
                    return Ok(());
                }
                _ => self.step(),
            }
        }
        Err(self.unclosed(start, quote))
    }

    fn unclosed(&mut self, start: usize, close: u8) -> Finding {
        self.scanner.at = start;
        self.scanner.error(format!("no matching `{}`", char::from(close)))
    }

    /// Past an expansion or a substitution, at its `$`.
    fn dollar(&mut self, is_in_quotes: bool) -> Read {
        self.scanner.at += 1;
        match self.scanner.byte() {
            b'(' => self.substitution(),
            b'{' => self.braces(is_in_quotes),
            b'[' => self.pair(b'[', b']'),
            b'\'' if !is_in_quotes => self.raw(b'\'', true),
            b'$' => {
                self.scanner.at += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Past a command substitution, at its bracket; or arithmetic, in which only brackets pair up.
    fn substitution(&mut self) -> Read {
        if self.scanner.byte_after(1) == b'(' {
            return self.pair(b'(', b')');
        }
        let start = self.scanner.at;
        self.scanner.at += 1;
        self.scanner.down()?;
        self.scanner.substitutions += 1;
        self.scanner.newlines();
        if self.scanner.byte() != b')' {
            self.compound_list()?;
        }
        self.scanner.substitutions -= 1;
        self.scanner.up();
        if self.scanner.is_end() {
            return Err(self.unclosed(start, b')'));
        }
        self.expect(")")
    }

    /// Past `{…}` of an expansion: brackets within do not count.
    fn braces(&mut self, is_in_quotes: bool) -> Read {
        let start = self.scanner.at;
        self.scanner.at += 1;
        self.scanner.down()?;
        while !self.scanner.is_end() {
            match self.scanner.byte() {
                b'}' => {
                    self.scanner.at += 1;
                    self.scanner.up();
                    return Ok(());
                }
                b'\\' => self.escaped(),
                b'\'' if self.is_posix && is_in_quotes && !trims(self.since(start)) => self.step(),
                b'\'' | b'"' | b'`' => self.quoted()?,
                b'$' => self.dollar(is_in_quotes)?,
                b'<' | b'>' if self.scanner.byte_after(1) == b'(' => {
                    self.scanner.at += 1;
                    self.substitution()?;
                }
                _ => self.step(),
            }
        }
        Err(self.unclosed(start, b'}'))
    }

    /// Past the closing bracket or quote that belongs to the one here.
    pub(super) fn pair(&mut self, open: u8, close: u8) -> Read {
        let start = self.scanner.at;
        self.scanner.at += 1;
        self.scanner.down()?;
        let mut opened = vec![start];
        while !self.scanner.is_end() {
            let byte = self.scanner.byte();
            match byte {
                b'\\' => self.escaped(),
                b'$' => self.dollar(open == b'"')?,
                _ if byte == close => {
                    let opener = opened.pop().unwrap_or(start);
                    if open == b'(' {
                        self.closed.insert(opener, self.scanner.at);
                    }
                    self.scanner.at += 1;
                    if opened.is_empty() {
                        self.scanner.up();
                        return Ok(());
                    }
                }
                _ if byte == open => {
                    opened.push(self.scanner.at);
                    self.scanner.at += 1;
                }
                b'`' => self.quoted()?,
                b'\'' | b'"' if open != b'"' => self.quoted()?,
                _ => self.step(),
            }
        }
        Err(self.unclosed(start, close))
    }

    /// Past `(…)` of an assignment to an array.
    fn array(&mut self) -> Read {
        let start = self.scanner.at;
        self.scanner.at += 1;
        loop {
            self.scanner.newlines();
            if self.scanner.take(")") {
                return Ok(());
            }
            if self.scanner.is_end() {
                return Err(self.unclosed(start, b')'));
            }
            if self.word(WordPlace::Argument)?.is_none() {
                return Err(self.scanner.unexpected("a value"));
            }
        }
    }
}

/// Whether the beginning of an expansion has an operator behind which POSIX lets quotes be quotes.
fn trims(expansion: &str) -> bool {
    expansion.get(2..).is_some_and(|rest| rest.contains(['%', '#']))
}
