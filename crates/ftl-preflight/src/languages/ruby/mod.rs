//! Ruby, by lib-ruby-parser, whose grammar is the one of Ruby 3.1. Of newer syntax, anonymous arguments
//! (3.2) and lines that begin with an operator (4.0) are rewritten for it, and what it leaves to Ruby's
//! compiler is in `tree_rules.rs`.

#[cfg(feature = "toolchain")]
mod command;
mod regexp;
mod tree_rules;

use lib_ruby_parser::source::{Decoder, DecoderResult};
use lib_ruby_parser::{Parser, ParserOptions};

#[cfg(feature = "toolchain")]
pub(crate) use self::command::FRONT_END;
use crate::Reason;
use crate::decode::{self, DecodeError, Text};
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
    let mut changed = without_lone_returns(text);
    // Where a name was inserted: the places behind it are shifted.
    let mut inserted: Vec<usize> = Vec::new();
    for _ in 0..MOST_CHANGES {
        let result = Parser::new(changed.as_bytes(), options()).do_parse();
        let errors = result.diagnostics.iter().filter(|found| found.is_error());
        let mut findings: Vec<_> = errors
            .map(|found| Finding::syntax(found.render_message(), found.loc.begin..found.loc.end))
            .collect();
        match (findings.iter().map(|it| it.range.start).min(), result.ast) {
            (Some(at), _) if rewrite(&mut changed, at, &mut inserted) => continue,
            (None, Some(tree)) => findings = tree_rules::check(&changed, &tree),
            _ => {}
        }
        let original = |at: usize| {
            let before = inserted.iter().filter(|&&it| it < at).count();
            (at - before * NAME.len()).min(text.len())
        };
        for finding in &mut findings {
            let start = text.floor_char_boundary(original(finding.range.start));
            let end = original(finding.range.end).max(start);
            finding.range = start..text.ceil_char_boundary(end);
        }
        return Outcome::of(findings);
    }
    Outcome::Unchecked(Reason::Newer("so many anonymous arguments"))
}

/// Changes of one file for newer syntax: each costs a parse.
const MOST_CHANGES: usize = 64;

/// The name that an anonymous argument gets, which begins as no other name that a file has.
const NAME: &str = "ftl_anonymous";

/// Rewrites newer syntax where the parser refuses it.
fn rewrite(text: &mut String, at: usize, inserted: &mut Vec<usize>) -> bool {
    let at = text.floor_char_boundary(at.min(text.len()));
    let (before, rest) = text.split_at(at);
    let line = before.rfind('\n').map_or(0, |it| it + 1);
    let kept = before.trim_end();
    if rest.starts_with([')', ']', ',', '}']) && kept.ends_with('*') && has_anonymous(kept) {
        let at = kept.len();
        text.insert_str(at, NAME);
        inserted.push(at);
        return true;
    }
    // Ruby 4.0: an operator goes on with the line before.
    let begins_line = line > 0 && before[line..].trim().is_empty();
    let is_operator = ["&&", "||", "and ", "or "].iter().any(|it| rest.starts_with(it));
    if begins_line && is_operator && !before[..line].trim_end().ends_with(['\\', '#']) {
        text.replace_range(line - 1..line, " ");
        return true;
    }
    false
}

/// Whether the method that a place is in has an anonymous argument to pass on.
fn has_anonymous(before: &str) -> bool {
    let header = before.rfind("def ").map_or("", |at| &before[at..]);
    let stars = header.match_indices('*').map(|(at, _)| header[at + 1..].trim_start());
    let mut stars = stars.filter(|rest| rest.starts_with([')', ',', '\n']));
    header.len() > 4 && stars.next().is_some()
}

fn options() -> ParserOptions {
    ParserOptions {
        buffer_name: String::new(),
        // The text is decoded already, whatever its first lines say.
        decoder: Some(Decoder::new(Box::new(|_, bytes| DecoderResult::Ok(bytes)))),
        record_tokens: false,
    }
}

/// The text of a program: UTF-8 unless a comment in one of its first two lines says otherwise. In
/// comments, and behind `__END__`, Ruby takes any bytes.
pub(crate) fn decode(bytes: &[u8]) -> Result<Text<'_>, DecodeError> {
    let error = match decode::utf8(bytes) {
        Err(DecodeError::Invalid(error)) => error,
        decoded => return decoded,
    };
    let head: Vec<_> = bytes.splitn(3, |&byte| byte == b'\n').take(2).collect();
    let before = String::from_utf8_lossy(&bytes[..error.at]);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_ignored = line.contains('#')
        || before.contains("\n__END__")
        || before.matches("\n=begin").count() > before.matches("\n=end").count();
    if is_ignored || head.iter().any(|line| line.windows(6).any(|it| it == b"coding")) {
        return decode::lossy(bytes);
    }
    Err(DecodeError::Invalid(error))
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
