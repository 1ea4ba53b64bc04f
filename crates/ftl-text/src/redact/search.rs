//! Literals among gigabytes.
//!
//! Text without secrets passes through here and nowhere else, so this is what redaction costs. A set
//! of literals of some length is sought by Teddy, which looks at 32 bytes at a time; it takes at most
//! 64 of them, and is the better the longer the shortest one is, so they are sought in groups. A
//! single byte is sought by memchr.

use aho_corasick::packed::{Builder, Config, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, Span};

/// Literals that Teddy takes at once.
const GROUP: usize = 60;

/// A literal that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub(super) at: usize,
    /// What it belongs to: the number that it was added with.
    pub(super) id: usize,
}

/// Sought literals, each with a number.
#[derive(Debug, Default)]
pub(super) struct Search {
    groups: Vec<Group>,
    /// Bytes of the longest literal.
    pub(super) longest: usize,
}

#[derive(Debug)]
struct Group {
    engine: Engine,
    /// For each literal, the numbers that it was added with.
    ids: Vec<Vec<usize>>,
}

#[derive(Debug)]
enum Engine {
    Packed(Searcher),
    /// Where there are no vector instructions.
    Automaton(Box<AhoCorasick>),
    /// A dot that is followed by another one seven bytes later: Discord's tokens have nothing else
    /// that is the same in all of them.
    Dots,
}

/// Bytes from one dot to the next.
const DOTS_APART: usize = 7;

impl Search {
    /// Literals with their numbers; several may have the same literal.
    pub(super) fn new(literals: impl IntoIterator<Item = (Vec<u8>, usize)>) -> Self {
        let mut sets: Vec<(Vec<u8>, Vec<usize>)> = Vec::new();
        let mut search = Self::default();
        for (literal, id) in literals {
            search.longest = search.longest.max(literal.len()).max(DOTS_APART + 1);
            match sets.iter_mut().find(|(known, _)| *known == literal) {
                Some((_, ids)) => ids.push(id),
                None => sets.push((literal, vec![id])),
            }
        }
        let (dots, mut sets): (Vec<_>, Vec<_>) =
            sets.into_iter().partition(|(literal, _)| literal == b".");
        for (_, ids) in dots {
            let (engine, ids) = (Engine::Dots, vec![ids]);
            search.groups.push(Group { engine, ids });
        }
        // The short ones by themselves: they decide how many bytes of all others are looked at.
        let short = sets.iter().filter(|(literal, _)| literal.len() < 4).count();
        sets.sort_by_key(|(literal, _)| literal.len() >= 4);
        let long = sets.split_off(short);
        // Of two literals of which one begins with the other, one search finds but one.
        for sets in [sets, long] {
            let mut open = sets;
            while !open.is_empty() {
                let mut group: Vec<(Vec<u8>, Vec<usize>)> = Vec::new();
                let mut left = Vec::new();
                for set in open {
                    let clash = |(other, _): &(Vec<u8>, Vec<usize>)| {
                        other.starts_with(&set.0) || set.0.starts_with(other)
                    };
                    if group.len() < GROUP && !group.iter().any(clash) {
                        group.push(set);
                    } else {
                        left.push(set);
                    }
                }
                search.groups.push(Group::new(group));
                open = left;
            }
        }
        search
    }

    /// Adds what is found in `text[from..]`, unless it ends at or before `seen`, in order.
    pub(super) fn find(&self, text: &[u8], from: usize, seen: usize, hits: &mut Vec<Hit>) {
        let first = hits.len();
        for group in &self.groups {
            group.find(text, from, seen, hits);
        }
        hits[first..].sort_unstable();
    }
}

impl Group {
    fn new(sets: Vec<(Vec<u8>, Vec<usize>)>) -> Self {
        let (literals, ids): (Vec<_>, Vec<_>) = sets.into_iter().unzip();
        let mut builder: Builder = Config::new().match_kind(MatchKind::LeftmostFirst).builder();
        builder.extend(&literals);
        let engine = match builder.build() {
            Some(searcher) => Engine::Packed(searcher),
            None => {
                let automaton = AhoCorasick::new(&literals);
                Engine::Automaton(Box::new(automaton.expect("because there are few literals")))
            }
        };
        Self { engine, ids }
    }

    fn find(&self, text: &[u8], from: usize, seen: usize, hits: &mut Vec<Hit>) {
        let mut add = |at: usize, end: usize, literal: usize| {
            if end > seen {
                hits.extend(self.ids[literal].iter().map(|&id| Hit { at, id }));
            }
        };
        match &self.engine {
            Engine::Packed(searcher) => {
                let mut span = Span::from(from..text.len());
                while let Some(found) = searcher.find_in(text, span) {
                    add(found.start(), found.end(), found.pattern().as_usize());
                    span.start = found.start() + 1;
                }
            }
            Engine::Automaton(automaton) => {
                for found in automaton.find_overlapping_iter(&text[from..]) {
                    let (start, end) = (from + found.start(), from + found.end());
                    add(start, end, found.pattern().as_usize());
                }
            }
            Engine::Dots => {
                for at in memchr::memchr_iter(b'.', &text[from..]) {
                    let at = from + at;
                    if text.get(at + DOTS_APART) == Some(&b'.') {
                        add(at, at + DOTS_APART + 1, 0);
                    }
                }
            }
        }
    }
}
