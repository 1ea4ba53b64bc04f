//! `[[ … ]]`.

use super::parser::Parser;
use super::scanner::Read;
use super::word::WordPlace;

const BINARY: &[&str] =
    &["=", "==", "!=", "=~", "-nt", "-ot", "-ef", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl<'t> Parser<'t> {
    /// Behind `[[`.
    pub(super) fn condition(&mut self) -> Read {
        self.any_of()?;
        self.expect_reserved("]]")
    }

    fn any_of(&mut self) -> Read {
        self.scanner.down()?;
        loop {
            self.term()?;
            self.scanner.newlines();
            if !(self.scanner.take("&&") || self.scanner.take("||")) {
                break;
            }
        }
        self.scanner.up();
        Ok(())
    }

    fn term(&mut self) -> Read {
        self.scanner.newlines();
        while self.take_reserved("!") {
            self.scanner.newlines();
        }
        if self.scanner.take("(") {
            self.any_of()?;
            self.scanner.newlines();
            return self.expect(")");
        }
        let first = self.operand(WordPlace::Argument)?;
        let is_unary = first.len() == 2
            && first.starts_with('-')
            && first.ends_with(|it| "abcdefghknoprstuvwxzGLNORS".contains(it));
        if is_unary {
            self.scanner.blanks();
            self.operand(WordPlace::Argument)?;
            return Ok(());
        }
        self.scanner.newlines();
        let rest = self.scanner.rest();
        if rest.starts_with("&&")
            || rest.starts_with("||")
            || rest.starts_with(')')
            || self.reserved() == "]]"
        {
            return Ok(());
        }
        if self.scanner.take("<") || self.scanner.take(">") {
            self.scanner.blanks();
            return self.operand(WordPlace::Argument).map(drop);
        }
        let operator = self.reserved();
        if !BINARY.contains(&operator) {
            return Err(self.scanner.unexpected("a binary operator"));
        }
        self.scanner.at += operator.len();
        self.scanner.blanks();
        let place = match operator {
            "=" | "==" | "!=" => WordPlace::Pattern,
            "=~" => WordPlace::Expression,
            _ => WordPlace::Argument,
        };
        self.operand(place).map(drop)
    }

    fn operand(&mut self, place: WordPlace) -> Read<&'t str> {
        if self.reserved() == "]]" {
            return Err(self.scanner.unexpected("an operand"));
        }
        self.word(place)?.ok_or_else(|| self.scanner.unexpected("an operand"))
    }
}
