//! Regular expressions as the tasks of other tools write them: Python's syntax, over a linear-time
//! engine where that will do and a bounded backtracking one where it will not.
//!
//! Workspaces are written for a tool in Python as well, and a pattern must mean the same to both. The
//! `regex` crate covers most of it, in time linear in the text. Look-around and back-references need
//! backtracking, which can take exponential time on a text from another program: there the steps
//! are limited, and long text is searched in stretches. A search that is given up is reported and counts
//! as neither found nor absent.

use std::fmt;

mod deadline;
mod python;

pub use deadline::Deadline;

use python::{Translated, translate};

/// Bytes that a compiled pattern may take.
const SIZE_LIMIT: usize = 1 << 20;

/// Steps back that the engine for look-around may take on one stretch of text.
const BACKTRACK_LIMIT: usize = 1_000_000;

/// Bytes of text that the engine for look-around is given at once: the limit of steps holds for each
/// search, so a shorter text makes it less likely that an innocent pattern reaches it.
const STRETCH_BYTES: usize = 64 * 1024;

/// Stretches that it is given: the last ones, since errors come at the end of an output.
const MAX_STRETCHES: usize = 64;

/// Matches in one text that are still worth listing.
const MAX_MATCHES: usize = 20_000;

/// Outputs that have nothing in common: what passes, what fails, and what says nothing.
const ANYTHING: [&str; 4] =
    ["all 7 tests passed in 0.3 s", "[==========] Running\nBUILD SUCCESS", "KeyError: 'x'", "zq"];

/// How a pattern is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Python's `re`, searched as `re.search` does: `^` and `$` are the ends of the text.
    Python,
    /// The same syntax, but `^` and `$` are the ends of a line.
    PythonLines,
}

/// A pattern, ready to be searched for within bounds of time and memory.
///
/// What needs neither look-around nor back-references runs in time linear in the text. The rest is
/// given long text in stretches of whole lines, and gives up after too many steps.
#[derive(Clone)]
pub struct Pattern {
    source: String,
    engine: Engine,
}

#[derive(Clone)]
enum Engine {
    Linear(regex::Regex),
    Backtracking(Box<fancy_regex::Regex>),
}

/// Why a search was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GivenUp {
    /// The pattern by itself.
    #[error("the search took too many steps")]
    TooManySteps,
    /// All patterns of the phase together.
    #[error("the patterns of this task took too long together")]
    TooLate,
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.source).finish()
    }
}

impl Pattern {
    /// Compiles `source`.
    ///
    /// # Errors
    ///
    /// In one line, why it cannot be used: Python would refuse it, or it would grow too large.
    pub fn compile(source: &str, dialect: Dialect) -> Result<Self, String> {
        let translated = match dialect {
            Dialect::Python => translate(source)?,
            Dialect::PythonLines => translate(&format!("(?m){source}"))?,
        };
        Ok(Self { source: source.to_owned(), engine: Engine::compile(&translated)? })
    }

    /// Whether it fits whatever it is given: outputs that have nothing in common.
    ///
    /// # Errors
    ///
    /// [`GivenUp`] when the engine gave up, or the deadline passed.
    pub fn fits_anything(&self, deadline: &Deadline) -> Result<bool, GivenUp> {
        for text in ANYTHING {
            if !self.is_match(text, deadline)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The pattern as it was written.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Whether it is found in `text`.
    ///
    /// # Errors
    ///
    /// [`GivenUp`] when the engine gave up, or the deadline passed.
    pub fn is_match(&self, text: &str, deadline: &Deadline) -> Result<bool, GivenUp> {
        deadline.check()?;
        match &self.engine {
            Engine::Linear(regex) => Ok(regex.is_match(text)),
            Engine::Backtracking(regex) => {
                for (_, stretch) in stretches(text) {
                    deadline.check()?;
                    if regex.is_match(stretch).map_err(|_| GivenUp::TooManySteps)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Byte ranges of all its matches in `text` that do not overlap; empty matches are left out.
    ///
    /// # Errors
    ///
    /// [`GivenUp`] when the engine gave up, the deadline passed, or there are over 20,000.
    pub(crate) fn find_all(
        &self,
        text: &str,
        deadline: &Deadline,
    ) -> Result<Vec<(usize, usize)>, GivenUp> {
        let mut found = Vec::new();
        match &self.engine {
            // A search is linear in the text, but each match may be searched for up to the end.
            Engine::Linear(regex) => {
                for hit in regex.find_iter(text).take(MAX_MATCHES + 1) {
                    deadline.check()?;
                    found.push((hit.start(), hit.end()));
                }
            }
            Engine::Backtracking(regex) => {
                for (offset, stretch) in stretches(text) {
                    for hit in regex.find_iter(stretch).take(MAX_MATCHES + 1) {
                        deadline.check()?;
                        let hit = hit.map_err(|_| GivenUp::TooManySteps)?;
                        found.push((offset + hit.start(), offset + hit.end()));
                    }
                    deadline.check()?;
                }
            }
        }
        found.retain(|(start, end)| start < end);
        match found.len() <= MAX_MATCHES {
            true => Ok(found),
            false => Err(GivenUp::TooManySteps),
        }
    }
}

impl Engine {
    fn compile(translated: &Translated) -> Result<Self, String> {
        if !translated.is_possessive {
            let linear =
                regex::RegexBuilder::new(&translated.pattern).size_limit(SIZE_LIMIT).build();
            match linear {
                Ok(regex) => return Ok(Self::Linear(regex)),
                Err(regex::Error::CompiledTooBig(_)) => return Err("it is too large".to_owned()),
                // What this engine cannot parse may be look-around; if it is a mistake, the other
                // engine says so.
                Err(_) => {}
            }
        }
        fancy_regex::RegexBuilder::new(&translated.pattern)
            .backtrack_limit(BACKTRACK_LIMIT)
            .delegate_size_limit(SIZE_LIMIT)
            .build()
            .map(|regex| Self::Backtracking(Box::new(regex)))
            .map_err(|error| reason(&error.to_string()))
    }
}

/// What is wrong, without the position: it would be that in the pattern as rewritten.
fn reason(message: &str) -> String {
    let last = message.lines().next_back().unwrap_or(message).trim();
    let words = match last.strip_prefix("Parsing error at position ") {
        Some(rest) => rest.split_once(": ").map_or(rest, |(_, words)| words),
        None => last.strip_prefix("error: ").unwrap_or(last),
    };
    let mut characters = words.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// `text` in stretches of whole lines, each with its offset; a longer line is a separate stretch,
/// cut. Of very long text only the last stretches.
fn stretches(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let limit = text.floor_char_boundary(start + STRETCH_BYTES);
        let end = match limit == text.len() {
            true => limit,
            false => text[start..limit].rfind('\n').map_or(limit, |at| start + at + 1),
        };
        parts.push((start, &text[start..end]));
        start = end;
    }
    if parts.is_empty() {
        parts.push((0, text));
    }
    parts.split_off(parts.len().saturating_sub(MAX_STRETCHES))
}

#[cfg(test)]
mod tests {
    use super::{Deadline, Dialect, GivenUp, Pattern, STRETCH_BYTES, stretches};

    fn soon() -> Deadline {
        Deadline::of_a_phase()
    }

    fn python(source: &str) -> Pattern {
        Pattern::compile(source, Dialect::Python).unwrap_or_else(|why| panic!("{source}: {why}"))
    }

    #[test]
    fn a_runaway_pattern_gives_up() {
        let pattern = python(r"(?=x)x(\w+\s?)*\1$");
        let text = format!("x{}!", "a".repeat(5000));
        assert_eq!(pattern.is_match(&text, &soon()), Err(GivenUp::TooManySteps));
        assert_eq!(pattern.find_all(&text, &soon()), Err(GivenUp::TooManySteps));
    }

    #[test]
    fn a_digit_that_is_no_octal_one_is_no_escape_in_a_class() {
        for (source, is_one) in
            [(r"[\8]", false), (r"[\9a]", false), (r"[\18]", true), (r"(a)\1[\08]", true)]
        {
            let compiled = Pattern::compile(source, Dialect::Python);
            assert_eq!(compiled.is_ok(), is_one, "{source}");
        }
    }

    #[test]
    fn a_pattern_that_would_grow_too_large_is_refused() {
        for source in [r"(?:\w{1000}){1000}", r"(?=(?:\w{1000}){1000})a"] {
            assert!(Pattern::compile(source, Dialect::Python).is_err(), "{source}");
        }
    }

    #[test]
    fn long_text_is_searched_in_whole_lines() {
        let line = "a line of some length\n";
        let text = format!("{}needle here\n", line.repeat(3 * STRETCH_BYTES / line.len()));
        let parts = stretches(&text);
        assert!(parts.len() > 3);
        let whole: String = parts.iter().map(|(_, part)| *part).collect();
        assert_eq!(whole, text);
        assert!(parts.iter().all(|(_, part)| part.ends_with('\n')));
        let pattern = python(r"needle(?= here)");
        let at = text.find("needle").unwrap();
        assert_eq!(pattern.find_all(&text, &soon()), Ok(vec![(at, at + 6)]));
        assert_eq!(pattern.is_match(&text, &soon()), Ok(true));
    }

    #[test]
    fn a_line_without_end_is_cut_between_characters() {
        let text = "ü".repeat(STRETCH_BYTES);
        let whole: String = stretches(&text).iter().map(|(_, part)| *part).collect();
        assert_eq!(whole, text);
    }

    #[test]
    fn anchors_mean_lines_where_asked_for() {
        let text = "import os\nprint(1)\n";
        let lines = Pattern::compile("^print", Dialect::PythonLines).unwrap();
        assert_eq!(lines.find_all(text, &soon()), Ok(vec![(10, 15)]));
        assert_eq!(python("^print").is_match(text, &soon()), Ok(false));
    }
}
