//! Ruby, by lib-ruby-parser, whose grammar is the one of Ruby 3.1. Newer syntax is for the front end.

#[cfg(feature = "toolchain")]
mod command;

use lib_ruby_parser::source::{Decoder, DecoderResult};
use lib_ruby_parser::{Parser, ParserOptions};

#[cfg(feature = "toolchain")]
pub(crate) use self::command::FRONT_END;
use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};
use crate::nesting::plain::Plain;

/// The parser does not recurse, but what frees its tree does.
const MEASURE: Plain = Plain {
    comments: &["#"],
    openers: &[
        "begin", "case", "class", "def", "do", "for", "if", "module", "unless", "until", "while",
    ],
    by_line: true,
};

/// A program, or a file that another one loads.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    if MEASURE.exceeds(text, setting.options.nesting) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    let options = ParserOptions {
        buffer_name: String::new(),
        // The text is decoded already, whatever its first lines say.
        decoder: Some(Decoder::new(Box::new(|_, bytes| DecoderResult::Ok(bytes)))),
        record_tokens: false,
    };
    let result = Parser::new(without_lone_returns(text), options).do_parse();
    let errors = result.diagnostics.iter().filter(|found| found.is_error());
    let findings = errors.map(|found| {
        let start = text.floor_char_boundary(found.loc.begin.min(text.len()));
        let end = text.ceil_char_boundary(found.loc.end.clamp(start, text.len()));
        Finding::syntax(found.render_message(), start..end)
    });
    Outcome::of(findings.collect())
}

/// A carriage return within a line is a space to Ruby. The parser warns about each, and the time for it grows with the
/// square of their number.
fn without_lone_returns(text: &str) -> String {
    let mut pieces = text.split('\r');
    let mut kept = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        kept.push(if piece.starts_with('\n') { '\r' } else { ' ' });
        kept.push_str(piece);
    }
    kept
}
