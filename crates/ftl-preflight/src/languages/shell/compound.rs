//! Compound commands and functions.

use super::parser::Parser;
use super::scanner::Read;
use super::word::WordPlace;

impl Parser<'_> {
    /// A compound command, if one is next.
    pub(super) fn compound(&mut self) -> Read<bool> {
        let known =
            ["if", "while", "until", "for", "select", "case", "{", "[[", "function", "coproc"];
        let word = self.reserved();
        if self.scanner.byte() != b'(' && !known.contains(&word) {
            return Ok(false);
        }
        self.scanner.down()?;
        self.scanner.at += word.len();
        match word {
            "" => self.arithmetic_or_subshell()?,
            "if" => self.conditional()?,
            "while" | "until" => {
                self.compound_list()?;
                self.body()?;
            }
            "for" | "select" => self.for_loop()?,
            "case" => self.case()?,
            "{" => {
                self.compound_list()?;
                self.expect_reserved("}")?;
            }
            "[[" => self.condition()?,
            "function" => self.function()?,
            _ => self.coprocess()?,
        }
        self.scanner.up();
        Ok(true)
    }

    fn arithmetic_or_subshell(&mut self) -> Read {
        if self.arithmetic()? {
            return Ok(());
        }
        self.scanner.at += 1;
        self.compound_list()?;
        self.expect(")")
    }

    /// `((…))`, unless the brackets turn out to be those of subshells.
    fn arithmetic(&mut self) -> Read<bool> {
        let start = self.scanner.at;
        if self.scanner.byte_after(1) != b'(' {
            return Ok(false);
        }
        if let Some(&close) = self.closed.get(&(start + 1)) {
            self.scanner.at = close + 1;
        } else {
            self.scanner.at += 1;
            self.pair(b'(', b')')?;
        }
        let is_arithmetic = self.scanner.take(")");
        if !is_arithmetic {
            self.scanner.at = start;
        }
        Ok(is_arithmetic)
    }

    fn conditional(&mut self) -> Read {
        loop {
            self.compound_list()?;
            self.expect_reserved("then")?;
            self.compound_list()?;
            if self.take_reserved("elif") {
                continue;
            }
            if self.take_reserved("else") {
                self.compound_list()?;
            }
            return self.expect_reserved("fi");
        }
    }

    fn body(&mut self) -> Read {
        self.expect_reserved("do")?;
        self.compound_list()?;
        self.expect_reserved("done")
    }

    /// `do … done` or `{ … }`, as `for` and `select` allow.
    fn body_or_braces(&mut self) -> Read {
        if self.take_reserved("{") {
            self.compound_list()?;
            return self.expect_reserved("}");
        }
        self.body()
    }

    fn for_loop(&mut self) -> Read {
        self.scanner.blanks();
        if self.scanner.rest().starts_with("((") {
            self.three_expressions()?;
        } else {
            self.names_and_values()?;
        }
        self.body_or_braces()
    }

    fn three_expressions(&mut self) -> Read {
        let start = self.scanner.at;
        let is_closed = self.arithmetic()?;
        if !is_closed || self.since(start).matches(';').count() != 2 {
            self.scanner.at = start;
            return Err(self.scanner.error("expected three expressions between `((` and `))`"));
        }
        self.scanner.blanks();
        self.scanner.take(";");
        self.scanner.newlines();
        Ok(())
    }

    fn names_and_values(&mut self) -> Read {
        if self.word(WordPlace::Argument)?.is_none() {
            return Err(self.scanner.unexpected("a name"));
        }
        self.scanner.blanks();
        if self.scanner.take(";") {
            self.scanner.newlines();
            return Ok(());
        }
        self.scanner.newlines();
        if self.take_reserved("in") {
            self.scanner.blanks();
            while self.word(WordPlace::Argument)?.is_some() {
                self.scanner.blanks();
            }
            if !self.scanner.take(";") && self.scanner.byte() != b'\n' {
                return Err(self.scanner.unexpected("`;`"));
            }
            self.scanner.newlines();
        }
        Ok(())
    }

    fn case(&mut self) -> Read {
        self.scanner.blanks();
        if self.word(WordPlace::Argument)?.is_none() {
            return Err(self.scanner.unexpected("a word"));
        }
        self.scanner.newlines();
        self.expect_reserved("in")?;
        loop {
            self.scanner.newlines();
            if self.take_reserved("esac") {
                return Ok(());
            }
            self.scanner.take("(");
            loop {
                self.scanner.blanks();
                if self.word(WordPlace::Argument)?.is_none() {
                    return Err(self.scanner.unexpected("a pattern"));
                }
                self.scanner.blanks();
                if !self.scanner.take("|") {
                    break;
                }
            }
            self.expect(")")?;
            self.scanner.newlines();
            let is_empty = self.scanner.byte() == b';' || self.reserved() == "esac";
            if !is_empty {
                self.compound_list()?;
            }
            self.scanner.newlines();
            if !(self.scanner.take(";;&") || self.scanner.take(";;") || self.scanner.take(";&")) {
                return self.expect_reserved("esac");
            }
        }
    }

    fn function(&mut self) -> Read {
        self.scanner.blanks();
        if self.word(WordPlace::Argument)?.is_none() {
            return Err(self.scanner.unexpected("a name"));
        }
        self.scanner.blanks();
        if self.scanner.rest().starts_with("()") || self.scanner.rest().starts_with("( ") {
            self.scanner.at += 1;
            self.scanner.blanks();
            self.expect(")")?;
        }
        self.function_body()
    }

    /// A compound command with or without a name, or a simple command.
    fn coprocess(&mut self) -> Read {
        self.scanner.blanks();
        if self.compound()? {
            return Ok(());
        }
        let start = self.scanner.at;
        self.word(WordPlace::Argument)?;
        self.scanner.blanks();
        if !self.compound()? {
            self.scanner.at = start;
            self.command()?;
        }
        Ok(())
    }
}
