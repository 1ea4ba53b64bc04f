//! GraphQL, by a recogniser of its grammar that builds no tree.
//!
//! The source is the specification of September 2025, appendix C, whose grammar is the one of `graphql-js`.
//! Documents with operations and documents with a schema are one language: what a server would execute is
//! not asked here.
//!
//! apollo-parser 0.8.7 would add five packages; it refuses 4 of 3,615 real documents that `graphql-js` accepts, and
//! accepts 3 of 2,914 broken ones.

mod definitions;
mod parser;
mod scanner;
mod schema;
mod values;

use self::parser::Parser;
use crate::Reason;
use crate::finding::{Outcome, Setting};

/// A document.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    let mut parser = Parser::new(text, setting.options.nesting);
    match parser.document() {
        Ok(()) => Outcome::Valid,
        Err(_) if parser.is_too_deep() => Outcome::Unchecked(Reason::TooDeep),
        Err(found) => Outcome::Invalid(vec![found]),
    }
}
