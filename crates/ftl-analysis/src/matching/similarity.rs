//! How alike a trigger and an error are: a score between 0 and 1 that depends on nothing else.
//!
//! Weights are constants, where a search engine would count how rare a word is among all failures. Such
//! a score changes with every failure that is added, so that an error that was retried yesterday would
//! be handed off today. Common words weigh less by a fixed list instead (`words`).
//!
//! Most of the score is the best single line, since an error is one line as a rule and others are its
//! context. Words that only the line has cost little: triggers are short, and errors hold paths and
//! values. The same sentence about another module is another error, however alike the two are: where
//! the error lacks a name that the trigger quotes, or the kind of error, the score stays below what is
//! taken for a match.

use std::collections::BTreeSet;

use super::found::{ACCEPTED, ASKED};
use super::mask::{message, without_directories};
use super::words::{VOLATILE, has_own, tokens, weight};
use crate::constants::ConstPattern;

/// Share of the best single line in the score; the rest is the share of all lines together.
const LINE_SHARE: f64 = 0.7;
/// Weight of a word that only the line has.
const EXTRA_WORD: f64 = 0.15;
static KIND: ConstPattern = ConstPattern::new(concat!(
    r"\b[A-Z]\w*(?:Error|Exception|Found|Warning|Exceeded|Exist)\b|\bpanic\b",
    r"|\b(?:TS|E|F|W|C|R|SC|CS|B|DL)\d{3,5}\b|\bE[A-Z]{4,}\b",
));
static QUOTED: ConstPattern = ConstPattern::new(r#"(?:^|[^\w])['"`‘]([^'"`‘’\n]{1,80})['"`’]"#);
/// Names that stand without quotes: paths, files, dotted names, and the last word behind a colon.
static BARE: ConstPattern = ConstPattern::new(concat!(
    r"(?:[A-Za-z_@~][\w@~-]*)?(?:[/.:]+[\w@~-]*[A-Za-z_][\w@~-]*)+",
    r"|(?:[:–]|--) ([A-Za-z_][\w.:/-]*[\w])\)?$",
));

/// The most that a pair scores that differs in a name or in the kind of error.
const OTHER: f64 = ACCEPTED - 0.01;

type Tokens = BTreeSet<String>;

/// An error, taken apart once for many comparisons.
pub(super) struct Error {
    lines: Vec<Tokens>,
    all: Tokens,
    kinds: BTreeSet<String>,
    text: String,
}

/// A score and what it rests on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Similarity {
    /// Between 0 and 1.
    pub(super) score: f64,
    /// Telling words that both have.
    pub(super) shared: Vec<String>,
    /// Quoted names of the trigger that the error lacks.
    pub(super) missing: Vec<String>,
}

impl Error {
    pub(super) fn new(error_lines: &[String]) -> Self {
        let text = error_lines.join("\n");
        let lines: Vec<Tokens> = error_lines.iter().map(|line| tokens(message(line))).collect();
        Self {
            all: lines.iter().flatten().cloned().collect(),
            lines,
            kinds: kinds(&text),
            text: without_directories(&text).to_lowercase(),
        }
    }

    /// How alike the error and `trigger` are.
    pub(super) fn similarity(&self, trigger: &str) -> Similarity {
        let trigger = message(trigger);
        let words = tokens(trigger);
        let best_line =
            self.lines.iter().map(|line| containment_in(line, &words)).fold(0.0, f64::max);
        let in_all = share(mass(words.intersection(&self.all)), mass(words.iter()));
        let score = LINE_SHARE * best_line + (1.0 - LINE_SHARE) * in_all;
        if score < ASKED {
            return Similarity::default();
        }
        let names = names(trigger);
        let unquoted = QUOTED.replace_all(trigger, " ").to_lowercase();
        let has_words = !names.is_empty() || has_own(&unquoted);
        let missing: Vec<String> = names.into_iter().filter(|name| !self.holds(name)).collect();
        let is_other = !missing.is_empty() || !kinds(trigger).is_subset(&self.kinds) || !has_words;
        let telling = words.intersection(&self.all).filter(|word| weight(word) >= 1.0);
        Similarity {
            score: if is_other { score.min(OTHER) } else { score },
            shared: telling.cloned().collect(),
            missing,
        }
    }

    /// Whether `name` occurs as a whole; `...` and `…` in it stand for anything on a line.
    fn holds(&self, name: &str) -> bool {
        let parts: Vec<&str> = name.split("...").flat_map(|part| part.split('…')).collect();
        match parts.as_slice() {
            [whole] => occurrences(&self.text, whole).next().is_some(),
            parts => self.text.lines().any(|line| in_order(line, parts)),
        }
    }
}

/// Where `name` is in `text` without being a part of a longer name.
fn occurrences<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> {
    let in_word = |side: Option<char>| side.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let joins = |side: Option<char>| side.is_some_and(|c| matches!(c, '.' | '/' | '-' | ':'));
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let mut before = text[..*at].chars().rev();
        let mut after = text[at + name.len()..].chars();
        let (one, two) = (before.next(), before.next());
        let (next, second) = (after.next(), after.next());
        !(in_word(one)
            || joins(one) && in_word(two)
            || in_word(next)
            || joins(next) && in_word(second))
    })
}

fn in_order(line: &str, parts: &[&str]) -> bool {
    let mut rest = line;
    parts.iter().all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

fn containment_in(line: &Tokens, words: &Tokens) -> f64 {
    let common = mass(words.intersection(line));
    let absent = mass(words.difference(line));
    let extra = mass(line.difference(words));
    share(common, common + absent + EXTRA_WORD * extra)
}

fn mass<'a>(words: impl Iterator<Item = &'a String>) -> f64 {
    words.map(|word| weight(word)).sum()
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn kinds(text: &str) -> BTreeSet<String> {
    KIND.find_iter(text).map(|hit| hit.as_str().to_owned()).collect()
}

/// The names in a trigger: what is quoted, and what is a path, a file or the thing behind a colon.
/// Where an absolute path leads to does not count.
fn names(text: &str) -> BTreeSet<String> {
    // A quoted sentence is no name: its numbers count as little as elsewhere.
    let quoted = QUOTED.captures_iter(text).map(|parts| match parts[1].contains(' ') {
        true => VOLATILE.replace_all(&parts[1], "…").into_owned(),
        false => parts[1].to_owned(),
    });
    let unquoted = QUOTED.replace_all(text, " ");
    let unquoted = VOLATILE.replace_all(&unquoted, " ");
    let bare = BARE.captures_iter(&unquoted).map(|parts| {
        let name = parts.get(1).or(parts.get(0)).map_or("", |name| name.as_str());
        name.trim_matches(|c| matches!(c, '.' | ':' | ')')).to_owned()
    });
    let bare: Vec<String> = bare.filter(|name| !KIND.is_match(name)).collect();
    let all = quoted.chain(bare).filter(|name| name.chars().any(char::is_alphanumeric));
    all.map(|name| match name.starts_with(['/', '~']) {
        true => name.rsplit('/').next().unwrap_or_default().to_lowercase(),
        false => name.to_lowercase(),
    })
    .collect()
}
