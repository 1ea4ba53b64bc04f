//! Lists, pipelines and simple commands.

use std::collections::HashMap;

use super::scanner::{Read, Scanner};
use super::word::{WordPlace, is_assignable, is_name};

/// Commands whose arguments may be assignments of arrays.
const DECLARES: &[&str] =
    &["alias", "declare", "eval", "export", "let", "local", "readonly", "typeset"];

/// What ends a list, as the first word of a command.
const CLOSERS: &[&str] = &["then", "else", "elif", "fi", "do", "done", "esac", "}"];

/// Operators of redirections, the longest first.
const REDIRECTIONS: &[&str] =
    &["<<<", "<<-", "<<", "<>", "<&", "<", "&>>", "&>", ">>", ">|", ">&", ">"];

pub(super) struct Parser<'t> {
    pub(super) scanner: Scanner<'t>,
    /// Whether words have the patterns of `shopt -s extglob`.
    pub(super) has_patterns: bool,
    /// Whether the script is for a shell that keeps to POSIX.
    pub(super) is_posix: bool,
    /// Where round brackets that were looked through close, by where they open: so that nested ones are
    /// looked through once.
    pub(super) closed: HashMap<usize, usize>,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, is_posix: bool, limit: usize) -> Self {
        let scanner = Scanner::new(text, limit);
        let has_patterns = text.contains("extglob");
        Self { scanner, has_patterns, is_posix, closed: HashMap::new() }
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.scanner.is_too_deep()
    }

    pub(super) fn script(&mut self) -> Read {
        self.scanner.newlines();
        if !self.scanner.is_end() {
            self.compound_list()?;
        }
        if self.scanner.is_end() { Ok(()) } else { Err(self.scanner.unexpected("a command")) }
    }

    /// Commands apart by newlines, `;` and `&`, at least one.
    pub(super) fn compound_list(&mut self) -> Read {
        self.scanner.newlines();
        self.and_or()?;
        loop {
            self.scanner.blanks();
            let is_separated = match self.scanner.byte() {
                b'\n' => true,
                b';' if !matches!(self.scanner.byte_after(1), b';' | b'&') => {
                    self.scanner.at += 1;
                    true
                }
                b'&' if self.scanner.byte_after(1) != b'&' => {
                    self.scanner.at += 1;
                    true
                }
                _ => false,
            };
            self.scanner.newlines();
            if !is_separated || self.is_list_end() {
                return Ok(());
            }
            self.and_or()?;
        }
    }

    /// Whether what is next can begin no command, but may end the list.
    fn is_list_end(&self) -> bool {
        self.scanner.is_end()
            || matches!(self.scanner.byte(), b')' | b';')
            || CLOSERS.contains(&self.reserved())
    }

    fn and_or(&mut self) -> Read {
        loop {
            self.pipeline()?;
            self.scanner.blanks();
            if !(self.scanner.take("&&") || self.scanner.take("||")) {
                return Ok(());
            }
            self.scanner.newlines();
        }
    }

    fn pipeline(&mut self) -> Read {
        self.scanner.blanks();
        let mut is_prefixed = false;
        loop {
            let word = self.reserved();
            if word != "!" && word != "time" {
                break;
            }
            self.scanner.at += word.len();
            self.scanner.blanks();
            if word == "time" && self.reserved() == "-p" {
                self.scanner.at += 2;
                self.scanner.blanks();
            }
            is_prefixed = true;
        }
        if is_prefixed && (self.scanner.is_end() || matches!(self.scanner.byte(), b'\n' | b';')) {
            return Ok(());
        }
        loop {
            self.command()?;
            self.scanner.blanks();
            if self.scanner.rest().starts_with("||") || !self.scanner.take("|") {
                return Ok(());
            }
            self.scanner.take("&");
            self.scanner.newlines();
        }
    }

    pub(super) fn command(&mut self) -> Read {
        self.scanner.blanks();
        if self.compound()? {
            self.redirections()
        } else if CLOSERS.contains(&self.reserved()) || self.reserved() == "!" {
            Err(self.scanner.unexpected("a command"))
        } else {
            self.simple_command()
        }
    }

    fn simple_command(&mut self) -> Read {
        let start = self.scanner.at;
        let mut place = WordPlace::Assignable;
        let mut words = 0;
        loop {
            self.scanner.blanks();
            if self.redirection()? {
                words += 1;
                continue;
            }
            let Some(word) = self.word(place)? else { break };
            words += 1;
            let is_assignment = word.split_once('=').is_some_and(|(name, _)| is_assignable(name));
            if place == WordPlace::Assignable && !is_assignment {
                place = if DECLARES.contains(&word) {
                    WordPlace::Declared
                } else {
                    WordPlace::Argument
                };
            }
            if words == 1 && !is_assignment {
                self.scanner.blanks();
                if self.scanner.take("(") {
                    self.scanner.blanks();
                    self.expect(")")?;
                    return self.function_body();
                }
            }
        }
        if self.scanner.at == start || words == 0 {
            return Err(self.scanner.unexpected("a command"));
        }
        if self.scanner.byte() == b'(' {
            return Err(self.scanner.unexpected("an argument"));
        }
        Ok(())
    }

    /// A compound command, and where it reads and writes.
    pub(super) fn function_body(&mut self) -> Read {
        self.scanner.newlines();
        if !self.compound()? {
            return Err(self.scanner.unexpected("the body of a function"));
        }
        self.redirections()
    }

    pub(super) fn redirections(&mut self) -> Read {
        loop {
            self.scanner.blanks();
            if !self.redirection()? {
                return Ok(());
            }
        }
    }

    /// A redirection, if one is next, with its number or variable.
    fn redirection(&mut self) -> Read<bool> {
        let rest = self.scanner.rest();
        let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let name = rest.strip_prefix('{').unwrap_or_default();
        let length = name.find(|it| !is_word(it)).unwrap_or_default();
        let is_variable = is_name(&name[..length]) && name[length..].starts_with('}');
        let prefix = if is_variable { length + 2 } else { digits };
        let operators = &rest[prefix..];
        let Some(operator) = REDIRECTIONS.iter().find(|it| operators.starts_with(**it)) else {
            return Ok(false);
        };
        if (operator.starts_with('&') && prefix > 0)
            || operators.starts_with("<(")
            || operators.starts_with(">(")
        {
            return Ok(false);
        }
        self.scanner.at += prefix + operator.len();
        self.scanner.blanks();
        let Some(word) = self.word(WordPlace::Argument)? else {
            return Err(self.scanner.unexpected("a word"));
        };
        if operator.starts_with("<<") && *operator != "<<<" {
            self.scanner.expect_body(word, *operator == "<<-");
        }
        Ok(true)
    }

    /// The characters up to the next blank or sign: a reserved word, if it is one of them.
    pub(super) fn reserved(&self) -> &'t str {
        let rest = self.scanner.rest();
        let end = rest.find(|it: char| " \t\n;&|()<>".contains(it)).unwrap_or(rest.len());
        // The line goes on, but not the word.
        let is_continued = rest[end..].starts_with("\n ") || rest[end..].starts_with("\n\t");
        let word = &rest[..end];
        if is_continued { word.strip_suffix('\\').unwrap_or(word) } else { word }
    }

    /// Past a reserved word, if it is next.
    pub(super) fn take_reserved(&mut self, word: &str) -> bool {
        let is_next = self.reserved() == word;
        self.scanner.at += if is_next { word.len() } else { 0 };
        is_next
    }

    pub(super) fn expect_reserved(&mut self, word: &str) -> Read {
        if self.take_reserved(word) {
            Ok(())
        } else {
            Err(self.scanner.unexpected(&format!("`{word}`")))
        }
    }

    pub(super) fn expect(&mut self, sign: &str) -> Read {
        if self.scanner.take(sign) {
            Ok(())
        } else {
            Err(self.scanner.unexpected(&format!("`{sign}`")))
        }
    }
}
