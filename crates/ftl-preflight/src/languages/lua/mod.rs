//! Lua, by a recogniser of its grammar that builds no tree.
//!
//! A file is for one of three languages that differ in small things: Lua 5.4 (5.2 and 5.3 are parts of it
//! as far as programs use them), Lua 5.1 and LuaJIT. Nothing in a file says which, so one that any of them
//! accepts is valid, and the finding is the newest one's, unless another came lines further.
//!
//! The source is the manual of each version, and where the manual is silent, `luac`: it also refuses gotos
//! without a label, assignments to constants and more than 200 local variables, and so does this.
//!
//! The licence of full_moon (MPL-2.0) is not one that this project takes.

mod dialect;
mod expressions;
#[cfg(feature = "toolchain")]
mod luac;
mod parser;
mod scanner;
mod scope;
mod statements;

use self::dialect::Dialect;
#[cfg(feature = "toolchain")]
pub(crate) use self::luac::FRONT_END;
use self::parser::Parser;
use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};

/// A chunk.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    let mut furthest: Option<Finding> = None;
    for dialect in Dialect::ALL {
        let mut parser = Parser::new(text, dialect, setting.options.nesting);
        let Err(found) = parser.chunk() else { return Outcome::Valid };
        if parser.is_too_deep() {
            return Outcome::Unchecked(Reason::TooDeep);
        }
        let is_further = |other: &Finding| {
            let between = other.range.start.min(found.range.start)..found.range.start;
            text[between].contains('\n')
        };
        if furthest.as_ref().is_none_or(is_further) {
            furthest = Some(found);
        }
    }
    Outcome::of(furthest.into_iter().collect())
}
