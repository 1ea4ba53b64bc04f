//! Compound commands: groups, conditionals, loops, `case` and functions.

use super::lexer::Token;
use super::parser::Parser;
use super::syntax::{Body, Script};

impl Parser<'_> {
    /// `( … )`, or `(( … ))`, which is arithmetic.
    pub(super) fn parenthesis(&mut self) -> Option<Body> {
        self.take()?;
        if self.operator()? == "(" {
            let end = self.end;
            if self.peek()?.is_some_and(|(_, start, _)| *start == end) {
                return self.skipped_arithmetic();
            }
        }
        let script = self.script()?;
        (self.take()? == Token::Operator(")")).then_some(Body::Subshell(script))
    }

    fn skipped_arithmetic(&mut self) -> Option<Body> {
        let mut open = 1_usize;
        while open > 0 {
            match self.take()? {
                Token::Operator("(") => open += 1,
                Token::Operator(")") => open -= 1,
                _ => {}
            }
        }
        Some(Body::Test)
    }

    pub(super) fn skipped(&mut self, end: &str) -> Option<Body> {
        loop {
            match self.take()? {
                Token::Word(word, _) if !word.is_quoted && word.text == end => {
                    return Some(Body::Test);
                }
                _ => {}
            }
        }
    }

    pub(super) fn conditional(&mut self) -> Option<Body> {
        self.take()?;
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.script()?;
            self.expect("then")?;
            branches.push((condition, self.script()?));
            match self.keyword()?.as_str() {
                "elif" => {
                    self.take()?;
                }
                "else" => {
                    self.take()?;
                    otherwise = Some(self.script()?);
                    break;
                }
                _ => break,
            }
        }
        self.expect("fi")?;
        Some(Body::If { branches, otherwise })
    }

    pub(super) fn loop_body(&mut self) -> Option<Script> {
        self.expect("do")?;
        let body = self.script()?;
        self.expect("done")?;
        Some(body)
    }

    pub(super) fn for_loop(&mut self) -> Option<Body> {
        self.take()?;
        let mut variable = String::new();
        if self.operator()? == "(" {
            self.take()?;
            self.skipped_arithmetic()?;
        } else {
            let name = self.word()?;
            variable = name.text;
        }
        loop {
            self.skip_lines()?;
            if self.keyword()? == "do" {
                break;
            }
            match self.take()? {
                Token::Word(..) | Token::Operator(";") => {}
                Token::Operator(_) => return None,
            }
        }
        Some(Body::For { variable, body: self.loop_body()? })
    }

    pub(super) fn case(&mut self) -> Option<Body> {
        self.take()?;
        self.take()?;
        self.expect("in")?;
        let mut arms = Vec::new();
        loop {
            self.skip_lines()?;
            if self.keyword()? == "esac" {
                self.take()?;
                return Some(Body::Case { arms });
            }
            while self.take()? != Token::Operator(")") {}
            arms.push(self.script()?);
            if matches!(self.operator()?, ";;" | ";&" | ";;&") {
                self.take()?;
            }
        }
    }

    pub(super) fn function(&mut self, name: String) -> Option<Body> {
        self.skip_lines()?;
        self.depth = self.depth.checked_sub(1)?;
        let body = self.command()?;
        self.depth += 1;
        Some(Body::Function { name, body: Box::new(body) })
    }
}
