//! Go, by a recogniser of its grammar that builds no tree.
//!
//! All that is asked is a verdict and the first place that is wrong, so nothing is kept of what was
//! read: no nodes to allocate, and no precedence, which decides only the shape of a tree. What
//! little later code must know of earlier code (was this operand a call, can a literal follow this
//! type?) is returned by value.
//!
//! The source is *The Go Programming Language Specification*, cited below by section. It follows
//! the specification where that is strict, and the standard library's `go/parser`, which `gofmt`
//! uses, where that is lenient on purpose and leaves a rule to the type checker: a constant without
//! a value, two `default` clauses, an unused label. Errors that only a type checker
//! finds are accepted here.
//!
//! Three places of the grammar are ambiguous, and each is marked where it is handled: a brace after
//! a name in the header of a statement ([`parser`]), brackets after a name ([`types`],
//! [`declarations`]), and parameters, of which only the whole list distinguishes names from types
//! ([`types`]).

mod declarations;
mod error;
mod expressions;
#[cfg(feature = "toolchain")]
mod gofmt;
mod literals;
mod parser;
mod scanner;
mod statements;
mod token;
mod types;

#[cfg(feature = "toolchain")]
pub(crate) use self::gofmt::FRONT_END;
use self::parser::Parser;
use crate::Reason;
use crate::finding::{Outcome, Setting};

/// A file of a package.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    let mut parser = Parser::new(text, setting.options.nesting);
    match parser.file() {
        Ok(()) => Outcome::Valid,
        Err(_) if parser.is_too_deep() => Outcome::Unchecked(Reason::TooDeep),
        Err(error) => Outcome::syntax(error.message, error.range),
    }
}
