//! Patterns of our own, which compile: a test of whatever uses one would fail otherwise.
//!
//! A command that reads output needs a hundred of them, once each, so what they cost is their compilation. Most
//! of that are the ranges beyond ASCII of classes such as `\w` and `[^:]`, while most lines of output are ASCII.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::{CaptureMatches, Captures, Match, Matches, Regex, RegexSet, Replacer};
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind, PatternSet, meta};
use regex_syntax::hir::{
    Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition,
};

const COMPILES: &str = "because the pattern is a constant";

/// A constant pattern, compiled for ASCII and for other texts apart, each when it is needed.
#[derive(Debug)]
pub(crate) struct ConstPattern {
    source: &'static str,
    ascii: OnceLock<Regex>,
    any: OnceLock<Regex>,
}

impl ConstPattern {
    /// Of a pattern that compiles.
    pub(crate) const fn new(source: &'static str) -> Self {
        Self { source, ascii: OnceLock::new(), any: OnceLock::new() }
    }

    /// The automaton that finds in a text what the pattern means.
    fn of(&self, text: &str) -> &Regex {
        if text.is_ascii() {
            self.ascii.get_or_init(|| {
                let source = ascii_only(self.source).to_string();
                Regex::new(&source).expect(COMPILES)
            })
        } else {
            self.any.get_or_init(|| Regex::new(self.source).expect(COMPILES))
        }
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.of(text).is_match(text)
    }

    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.of(text).find(text)
    }

    pub(crate) fn find_iter<'t>(&self, text: &'t str) -> Matches<'_, 't> {
        self.of(text).find_iter(text)
    }

    pub(crate) fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.of(text).captures(text)
    }

    pub(crate) fn captures_iter<'t>(&self, text: &'t str) -> CaptureMatches<'_, 't> {
        self.of(text).captures_iter(text)
    }

    pub(crate) fn replace_all<'t>(&self, text: &'t str, by: impl Replacer) -> Cow<'t, str> {
        self.of(text).replace_all(text, by)
    }
}

/// Constant patterns that are tried together, compiled as one of them is.
#[derive(Debug)]
pub(crate) struct ConstPatterns {
    sources: &'static [&'static str],
    ascii: OnceLock<meta::Regex>,
    any: OnceLock<RegexSet>,
    each: OnceLock<Vec<ConstPattern>>,
}

impl ConstPatterns {
    /// Of patterns that compile.
    pub(crate) const fn new(sources: &'static [&'static str]) -> Self {
        Self { sources, ascii: OnceLock::new(), any: OnceLock::new(), each: OnceLock::new() }
    }

    /// Of the rows of a table that begin with this word and a tab.
    pub(crate) fn of_rows(table: &'static str, kind: &str) -> Self {
        let pattern = |row: &'static str| row.strip_prefix(kind)?.strip_prefix('\t');
        Self::new(table.lines().filter_map(pattern).collect::<Vec<_>>().leak())
    }

    /// Whether any of the patterns matches.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        if text.is_ascii() { self.ascii().is_match(text) } else { self.any().is_match(text) }
    }

    /// The groups of each pattern that matches, in the order of the patterns.
    pub(crate) fn captures<'t>(&self, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
        let each = || self.sources.iter().map(|source| ConstPattern::new(source)).collect();
        let each = self.each.get_or_init(each);
        self.matches(text).into_iter().filter_map(|index| each[index].captures(text))
    }

    /// The indices of the patterns that match, in their order.
    fn matches(&self, text: &str) -> Vec<usize> {
        if !text.is_ascii() {
            return self.any().matches(text).iter().collect();
        }
        let mut found = PatternSet::new(self.sources.len());
        self.ascii().which_overlapping_matches(&Input::new(text), &mut found);
        found.iter().map(|pattern| pattern.as_usize()).collect()
    }

    /// To look for literals first saves nothing in lines, and takes a third of the compilation.
    fn ascii(&self) -> &meta::Regex {
        self.ascii.get_or_init(|| {
            let parsed: Vec<Hir> = self.sources.iter().map(|source| ascii_only(source)).collect();
            let options = meta::Config::new().match_kind(MatchKind::All).auto_prefilter(false);
            meta::Builder::new().configure(options).build_many_from_hir(&parsed).expect(COMPILES)
        })
    }

    fn any(&self) -> &RegexSet {
        self.any.get_or_init(|| RegexSet::new(self.sources).expect(COMPILES))
    }
}

/// The words of a list, in a table with a line for each behind its name and a colon.
pub(crate) fn listed_words(
    table: &'static str,
    list: &'static str,
) -> impl Iterator<Item = &'static str> {
    let lines = table.lines().filter_map(|line| line.split_once(": "));
    lines.filter(move |(name, _)| *name == list).flat_map(|(_, words)| words.split(' '))
}

fn ascii_only(source: &str) -> Hir {
    within_ascii(&syntax::parse(source).expect(COMPILES))
}

/// A pattern that matches the same ASCII texts, without what matches no such text.
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
        HirKind::Capture(Capture { index, name, sub }) => {
            let sub = Box::new(within_ascii(sub));
            Hir::capture(Capture { index: *index, name: name.clone(), sub })
        }
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(within_ascii).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(within_ascii).collect()),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(Class::Bytes(_)) => hir.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ConstPattern, ConstPatterns};
    use regex::Regex;

    const SOURCES: [&str; 8] = [
        r"^\w+ (?i:kelvin)\b",
        r"^[^:\s]+(?:é|→)?: \S",
        r"\B-\d{2,}",
        r"^─{2,}$",
        r"[─━]|^$",
        r"(?i-u)\bok\b",
        r"(?s)^.(?<x>.)$",
        r"(\w)\W+(?:(\d)|é)",
    ];

    const TEXTS: [&str; 16] = [
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
        "a 1 b é",
        "é 1 b 2",
    ];

    #[test]
    fn a_pattern_finds_in_ascii_and_other_texts_what_it_means() {
        for source in SOURCES {
            let (ours, plain) = (ConstPattern::new(source), Regex::new(source).unwrap());
            for text in TEXTS {
                let groups = |found: regex::Captures| -> Vec<Option<std::ops::Range<usize>>> {
                    found.iter().map(|group| group.map(|group| group.range())).collect()
                };
                let (found, meant) = (ours.captures_iter(text), plain.captures_iter(text));
                assert!(found.map(groups).eq(meant.map(groups)), "{source} in {text:?}");
                assert_eq!(ours.is_match(text), plain.is_match(text), "{source} in {text:?}");
            }
        }
    }

    #[test]
    fn a_set_finds_the_patterns_that_match_alone() {
        let all = ConstPatterns::new(&SOURCES);
        for text in TEXTS {
            let alone: Vec<usize> = (0..SOURCES.len())
                .filter(|index| Regex::new(SOURCES[*index]).unwrap().is_match(text))
                .collect();
            assert_eq!(all.matches(text), alone, "{text:?}");
            assert_eq!(all.is_match(text), !alone.is_empty(), "{text:?}");
        }
    }
}
