//! Go, by a recogniser of its grammar that builds no tree.
//!
//! It follows the language's specification where that is strict and the standard library's
//! parser where that is lenient: what only a type checker refuses is accepted.

mod declarations;
mod expressions;
mod literals;
mod parser;
mod scanner;
mod statements;
mod token;
mod types;

use self::parser::Parser;
use super::{Finding, Outcome, Setting};
use crate::Reason;

/// A file of a package.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    let mut parser = Parser::new(text, setting.options.nesting);
    match parser.file() {
        Ok(()) => Outcome::Valid,
        Err(_) if parser.is_too_deep() => Outcome::Unchecked(Reason::TooDeep),
        Err(error) => Outcome::Invalid(vec![Finding::syntax(error.message, error.range)]),
    }
}
