//! Lua, by full_moon.
//!
//! A file is for one of three languages that differ in small things: Lua 5.4 (5.2 and 5.3 are parts of it
//! as far as programs use them), Lua 5.1 and LuaJIT. Nothing in a file says which, so one that any of them
//! accepts is valid, and the finding is the newest one's, unless another came lines further.
//!
//! `luac` also refuses jumps without an aim, assignments to constants, and `...` in functions without
//! it: see `tree_rules.rs`.

#[cfg(feature = "toolchain")]
mod luac;
mod tree_rules;

use full_moon::{LuaVersion, parse_fallible};

#[cfg(feature = "toolchain")]
pub(crate) use self::luac::FRONT_END;
use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};
use crate::nesting::plain::Plain;

const MEASURE: Plain =
    Plain { comments: &["--"], openers: &["do", "function", "if", "repeat"], by_line: true };

/// Its parser is made of small functions: one level takes the stack of several tokens elsewhere.
const LEVELS_PER_TOKEN: usize = 4;

/// A chunk.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    if MEASURE.exceeds(text, setting.options.nesting / LEVELS_PER_TOKEN) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    // The first line may name a program; whether it begins with `#!` is not asked.
    let hidden = if text.starts_with('#') { text.find('\n').unwrap_or(text.len()) } else { 0 };
    // No Lua has backticks, and the tokenizer panics at one.
    let text = &format!("{}{}", " ".repeat(hidden), text[hidden..].replace('`', "@"));
    let mut furthest: Option<Finding> = None;
    for version in [LuaVersion::lua54(), LuaVersion::lua51(), LuaVersion::luajit()] {
        let Some(found) = first(text, version) else { return Outcome::Valid };
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

/// Empty statements that are removed from one file: each costs a parse.
const MOST_EMPTY: usize = 32;

/// The first error in a version of the language.
fn first(text: &str, version: LuaVersion) -> Option<Finding> {
    let mut text = text.to_owned();
    for _ in 0..MOST_EMPTY {
        let parsed = parse_fallible(&text, version);
        // In the order of reports: the first one is where the parser stumbled.
        let Some(error) = parsed.errors().first() else {
            return tree_rules::check(&text, parsed.ast());
        };
        // What is not closed begins where the range does; what is there instead follows it.
        let (start, end) = error.range();
        let is_open = error.error_message().contains(" to close ");
        let at = if is_open { next_token(&text, end.bytes()) } else { start.bytes() };
        // Lua 5.2 has an empty statement, which the parser does not know.
        if !(version.has_lua52() || version.has_luajit())
            || !text[at.min(text.len())..].starts_with(';')
        {
            let at = text.floor_char_boundary(at.min(text.len()));
            return Some(Finding::at(&text, at, error.error_message()));
        }
        text.replace_range(at..=at, " ");
    }
    None
}

/// The offset behind blanks and comments of a line.
fn next_token(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default().trim_start();
        at = text.len() - rest.len();
        if !rest.starts_with("--") || rest.starts_with("--[") {
            return at;
        }
        at += rest.find('\n').unwrap_or(rest.len());
    }
}
