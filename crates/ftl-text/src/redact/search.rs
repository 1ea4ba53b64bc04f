//! Literals among gigabytes.
//!
//! Text without secrets passes through here and nowhere else, so this is what redaction costs. Of each
//! literal the search looks for the four bytes that text has most rarely, by Teddy, which looks at 16 bytes at a
//! time; where they stand, the whole literal is compared. Teddy stops wherever the bytes of several
//! literals, mixed, stand: it is the better the fewer literals it is given, and the rarer their bytes.

use aho_corasick::packed::{Builder, Config, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, Span};

/// Windows that one search takes.
const GROUP: usize = 60;

/// Bytes of a literal that the search looks for.
const WINDOW: usize = 4;

/// A literal that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub(super) at: usize,
    /// What it belongs to: the number that it was added with.
    pub(super) id: usize,
}

/// The literals of a search, each with a number.
#[derive(Debug, Default)]
pub(super) struct Search {
    groups: Vec<Group>,
    /// What a lone dot belongs to.
    dots: Vec<usize>,
    /// Bytes of the longest literal.
    pub(super) longest: usize,
}

/// Windows of one length, and the literals that they are of.
#[derive(Debug)]
struct Group {
    engine: Engine,
    /// For each window, its literals.
    literals: Vec<Vec<Literal>>,
}

#[derive(Debug)]
struct Literal {
    bytes: Vec<u8>,
    /// Where its window begins in it.
    window: usize,
    id: usize,
}

#[derive(Debug)]
enum Engine {
    Packed(Searcher),
    /// Where there are no vector instructions.
    Automaton(Box<AhoCorasick>),
}

/// Discord's tokens have nothing that is the same in all of them but two dots: bytes before the first,
/// and from one to the other.
const BEFORE_DOTS: usize = 23;
const DOTS_APART: usize = 7;

impl Search {
    /// Literals with their numbers; several may have the same literal. A dot alone is a wildcard for two of
    /// them among the characters of a token.
    pub(super) fn new(literals: impl IntoIterator<Item = (Vec<u8>, usize)>) -> Self {
        let mut search = Self::default();
        let mut literals: Vec<Literal> = literals
            .into_iter()
            .map(|(bytes, id)| Literal { window: rarest(&bytes), bytes, id })
            .collect();
        let lengths = literals.iter().map(|literal| literal.bytes.len());
        search.longest = lengths.max().unwrap_or_default();
        literals.retain(|literal| {
            let is_dot = literal.bytes == b".";
            search.dots.extend(is_dot.then_some(literal.id));
            !is_dot
        });
        if !search.dots.is_empty() {
            search.longest = search.longest.max(DOTS_APART + 1);
        }
        // Those with short windows by themselves: one length is searched for at a time. Sorted, windows that
        // begin alike share a search.
        literals.sort_by(|one, other| {
            let (one, other) = (one.needle(), other.needle());
            one.len().cmp(&other.len()).then_with(|| one.cmp(other))
        });
        let mut windows: Vec<Vec<Literal>> = Vec::new();
        for literal in literals {
            match windows.last_mut() {
                Some(same) if same[0].needle() == literal.needle() => same.push(literal),
                _ => windows.push(vec![literal]),
            }
        }
        while !windows.is_empty() {
            let length = windows[0][0].needle().len();
            let same = windows.iter();
            let same = same.take_while(|window| window[0].needle().len() == length);
            let same = same.count();
            // In parts of one size.
            let part = same.div_ceil(same.div_ceil(GROUP));
            let rest = windows.split_off(part);
            search.groups.push(Group::new(windows));
            windows = rest;
        }
        search
    }

    /// Adds what is found in `text[from..]`, unless it ends at or before `seen`, in order.
    pub(super) fn find(&self, text: &[u8], from: usize, seen: usize, hits: &mut Vec<Hit>) {
        let first = hits.len();
        for group in &self.groups {
            group.find(text, from, seen, hits);
        }
        if !self.dots.is_empty() {
            self.find_dots(text, from, seen, hits);
        }
        hits[first..].sort_unstable();
    }

    fn find_dots(&self, text: &[u8], from: usize, seen: usize, hits: &mut Vec<Hit>) {
        for at in memchr::memchr_iter(b'.', &text[from..]) {
            let at = from + at;
            let end = at + DOTS_APART + 1;
            if text.get(end - 1) == Some(&b'.') && end > seen && is_between_tokens(text, at) {
                hits.extend(self.dots.iter().map(|&id| Hit { at, id }));
            }
        }
    }
}

/// Whether only what a token may hold is between the dot and the next, and before it; a token may be
/// broken into lines.
fn is_between_tokens(text: &[u8], at: usize) -> bool {
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_\r\n".contains(byte);
    let before = &text[at.saturating_sub(BEFORE_DOTS)..at];
    before.iter().rev().all(is_token) && text[at + 1..at + DOTS_APART].iter().all(is_token)
}

impl Literal {
    /// The bytes that the search looks for.
    fn needle(&self) -> &[u8] {
        let end = self.bytes.len().min(self.window + WINDOW);
        &self.bytes[self.window..end]
    }
}

impl Group {
    fn new(literals: Vec<Vec<Literal>>) -> Self {
        let windows: Vec<&[u8]> = literals.iter().map(|window| window[0].needle()).collect();
        let mut builder: Builder = Config::new().match_kind(MatchKind::LeftmostFirst).builder();
        builder.extend(&windows);
        let engine = match builder.build() {
            Some(searcher) => Engine::Packed(searcher),
            None => {
                let automaton = AhoCorasick::new(&windows);
                Engine::Automaton(Box::new(automaton.expect("because there are few literals")))
            }
        };
        Self { engine, literals }
    }

    fn find(&self, text: &[u8], from: usize, seen: usize, hits: &mut Vec<Hit>) {
        let mut add = |at: usize, window: usize| {
            for literal in &self.literals[window] {
                let Some(start) = at.checked_sub(literal.window) else {
                    continue;
                };
                let is_new = start + literal.bytes.len() > seen;
                if is_new && text[start..].starts_with(&literal.bytes) {
                    hits.push(Hit { at: start, id: literal.id });
                }
            }
        };
        match &self.engine {
            Engine::Packed(searcher) => {
                let mut span = Span::from(from..text.len());
                while let Some(found) = searcher.find_in(text, span) {
                    add(found.start(), found.pattern().as_usize());
                    span.start = found.start() + 1;
                }
            }
            Engine::Automaton(automaton) => {
                for found in automaton.find_overlapping_iter(&text[from..]) {
                    add(from + found.start(), found.pattern().as_usize());
                }
            }
        }
    }
}

/// Where the four bytes of a literal begin that outputs have most rarely.
fn rarest(literal: &[u8]) -> usize {
    let windows = literal.windows(WINDOW).enumerate();
    let commonness = |window: &[u8]| window.iter().map(|&byte| commonness(byte)).product::<u32>();
    let rarest = windows.min_by_key(|(_, window)| commonness(window));
    rarest.map_or(0, |(at, _)| at)
}

/// How often outputs hold a byte, roughly, in tenths of a percent.
const fn commonness(byte: u8) -> u32 {
    match byte {
        b' ' => 60,
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 40,
        b'_' => 23,
        b'a'..=b'z' | b'0'..=b'9' | b'\n' => 16,
        b'.' | b'/' | b':' | b'-' | b'"' | b',' | b'=' => 12,
        b'A'..=b'Z' => 5,
        b'!'..=b'~' => 6,
        _ => 1,
    }
}
