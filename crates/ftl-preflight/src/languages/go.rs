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
use crate::nesting::{self, Dialect};

/// A file of a package.
pub(crate) fn check(text: &str, _: &Setting<'_>) -> Outcome {
    if nesting::is_too_deep(text, Dialect::Go) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    match Parser::new(text).file() {
        Ok(()) => Outcome::Valid,
        Err(error) => Outcome::Invalid(vec![Finding::syntax(error.message, error.range)]),
    }
}
