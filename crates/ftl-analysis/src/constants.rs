//! Patterns of our own, which compile: a test of whatever uses one would fail otherwise.
//!
//! A command that reads output needs a hundred of them, once each, so what they cost is their compilation. Most
//! of that are the ranges beyond ASCII of classes such as `\w` and `[^:]`, while most lines of output are ASCII.

use std::ops::Deref;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind, PatternSet, meta};
use regex_syntax::hir::{
    Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition,
};

/// Compiles a constant pattern.
pub(crate) fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("because the pattern is a constant")
}

/// A constant pattern that is compiled when it is used for the first time.
#[derive(Debug)]
pub(crate) struct LazyPattern(LazyLock<Regex, Box<dyn FnOnce() -> Regex + Send>>);

/// A constant pattern that many runs don't need.
pub(crate) fn lazy(source: &'static str) -> LazyPattern {
    LazyPattern(LazyLock::new(Box::new(|| pattern(source))))
}

impl Deref for LazyPattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        &self.0
    }
}

/// Constant patterns that are tried together: once for lines that are ASCII, and once for all others, both
/// compiled when they are needed.
#[derive(Debug)]
pub(crate) struct Patterns {
    sources: Vec<&'static str>,
    ascii: LazyLock<meta::Regex, Box<dyn FnOnce() -> meta::Regex + Send>>,
    any: LazyLock<RegexSet, Box<dyn FnOnce() -> RegexSet + Send>>,
}

/// Compiles constant patterns into one automaton for each kind of line, when they are used.
pub(crate) fn set(sources: &[&'static str]) -> Patterns {
    let (sources, for_ascii, for_any) = (sources.to_vec(), sources.to_vec(), sources.to_vec());
    Patterns {
        sources,
        ascii: LazyLock::new(Box::new(move || compile_for_ascii(&for_ascii))),
        any: LazyLock::new(Box::new(move || {
            RegexSet::new(for_any).expect("because the patterns are constants")
        })),
    }
}

impl Patterns {
    /// Whether any of the patterns matches.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        if text.is_ascii() { self.ascii.is_match(text) } else { self.any.is_match(text) }
    }

    /// The indices of the patterns that match, in their order.
    pub(crate) fn matches(&self, text: &str) -> Vec<usize> {
        if !text.is_ascii() {
            return self.any.matches(text).iter().collect();
        }
        let mut found = PatternSet::new(self.sources.len());
        self.ascii.which_overlapping_matches(&Input::new(text), &mut found);
        found.iter().map(|pattern| pattern.as_usize()).collect()
    }
}

fn compile_for_ascii(sources: &[&str]) -> meta::Regex {
    let parsed = sources.iter().map(|source| {
        let hir = syntax::parse(source).expect("because the patterns are constants");
        within_ascii(&hir)
    });
    let options = meta::Config::new().match_kind(MatchKind::All);
    meta::Builder::new()
        .configure(options)
        .build_many_from_hir(&parsed.collect::<Vec<_>>())
        .expect("because the patterns are constants")
}

/// A pattern that matches the same ASCII texts, without what matches no such text. Groups are left out.
fn within_ascii(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            let mut class = class.clone();
            class.intersect(&ClassUnicode::new([ClassUnicodeRange::new('\0', '\x7f')]));
            Hir::class(Class::Unicode(class))
        }
        HirKind::Look(look) => Hir::look(match look {
            Look::WordUnicode => Look::WordAscii,
            Look::WordUnicodeNegate => Look::WordAsciiNegate,
            other => *other,
        }),
        HirKind::Repetition(Repetition { min, max, greedy, sub }) => {
            let sub = Box::new(within_ascii(sub));
            Hir::repetition(Repetition { min: *min, max: *max, greedy: *greedy, sub })
        }
        HirKind::Capture(Capture { sub, .. }) => within_ascii(sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(within_ascii).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(within_ascii).collect()),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(Class::Bytes(_)) => hir.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{pattern, set};

    const SOURCES: [&str; 7] = [
        r"^\w+ (?i:kelvin)\b",
        r"^[^:\s]+(?:é|→)?: \S",
        r"\B-\d{2,}",
        r"^─{2,}$",
        r"[─━]|^$",
        r"(?i-u)\bok\b",
        r"(?s)^.(?<x>.)$",
    ];

    #[test]
    fn a_set_finds_the_patterns_that_match_alone_in_ascii_and_other_text() {
        let all = set(&SOURCES);
        for text in [
            "",
            "--",
            "ab",
            "é→",
            "w KELVIN",
            "w \u{212a}elvin",
            "a: b",
            "é: b",
            "aé: b",
            "──",
            "OK",
            " -12",
            "x-12",
            "\n\n",
        ] {
            let alone: Vec<usize> = (0..SOURCES.len())
                .filter(|index| pattern(SOURCES[*index]).is_match(text))
                .collect();
            assert_eq!(all.matches(text), alone, "{text:?}");
            assert_eq!(all.is_match(text), !alone.is_empty(), "{text:?}");
        }
    }
}
