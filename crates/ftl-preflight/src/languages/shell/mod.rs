//! Shell: what bash accepts as a script, by a recogniser of its grammar that builds no tree.
//!
//! bash accepts nearly everything that a POSIX shell does; the front end of a script for `sh` may also be dash.
//! The source is bash's manual, and where the manual is silent, `bash -n`. zsh and ksh differ too much: their
//! scripts are unchecked. The one parser with a free licence, brush-parser, would add seventy packages.

#[cfg(feature = "toolchain")]
mod bash;
mod compound;
mod condition;
mod parser;
mod quoting;
mod scanner;
mod word;

#[cfg(feature = "toolchain")]
pub(crate) use self::bash::FRONT_END;
use self::parser::Parser;
use crate::Reason;
use crate::finding::{Outcome, Setting};
use crate::language::interpreter;

/// A script, or a file that another one reads.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    let program = interpreter(text.as_bytes());
    if program.is_some_and(|it| !matches!(it, "bash" | "sh" | "dash" | "ash")) {
        return Outcome::Unchecked(Reason::UnknownLanguage);
    }
    let is_posix = program.is_some_and(|it| it != "bash");
    let mut parser = Parser::new(text, is_posix, setting.options.nesting);
    match parser.script() {
        Ok(()) => Outcome::Valid,
        Err(_) if parser.is_too_deep() => Outcome::Unchecked(Reason::TooDeep),
        Err(found) if is_about_line_ends(text, is_posix, setting) => {
            let message =
                "lines end with a carriage return, which the shell reads as part of a word";
            Outcome::syntax(message, found.range)
        }
        Err(found) => Outcome::Invalid(vec![found]),
    }
}

/// Whether a script is accepted once its lines end with a line feed alone.
fn is_about_line_ends(text: &str, is_posix: bool, setting: &Setting<'_>) -> bool {
    let without = || text.replace("\r\n", "\n");
    text.contains("\r\n")
        && Parser::new(&without(), is_posix, setting.options.nesting).script().is_ok()
}
