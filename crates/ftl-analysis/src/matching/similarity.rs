//! How alike a trigger and an error are: a score between 0 and 1 that depends on nothing else.
//!
//! Weights are constants, where a search engine would count how rare a word is among all failures. Such
//! a score changes with every failure that is added, so that an error that was retried yesterday would
//! be handed off today. Common words weigh less by a fixed list instead (`words`).
//!
//! Most of the score is the best single line, since an error is one line as a rule and others are its
//! context. Words that only the line has cost little: triggers are short, and errors hold paths and
//! values. Naming another kind of error, or a quoted name that is absent, costs much: the same sentence
//! about another module is another error.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::words::{tokens, weight};

/// Share of the best single line in the score; the rest is the share of all lines together.
const LINE_SHARE: f64 = 0.7;
/// Weight of a word that only the line has.
const EXTRA_WORD: f64 = 0.15;
/// Factor when both name kinds of error and have none in common.
const OTHER_KIND: f64 = 0.6;
/// What is lost when no quoted name of the trigger is in the error.
const MISSING_NAMES: f64 = 0.5;

static KIND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b[A-Z]\w*(?:Error|Exception|Found)\b|\bE0\d{3}\b|\bpanic\b")
        .expect("because the pattern is a constant")
});
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"['"`‘]([\w./:@<>=-]{2,60})['"`’]"#).expect("because the pattern is a constant")
});

type Tokens = BTreeSet<String>;

/// An error, taken apart once for many comparisons.
pub(super) struct Error {
    lines: Vec<Tokens>,
    all: Tokens,
    kinds: BTreeSet<String>,
    text: String,
}

/// A score and what it rests on.
#[derive(Clone, Debug, PartialEq)]
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
        let lines: Vec<Tokens> = error_lines.iter().map(|line| tokens(line)).collect();
        Self {
            all: lines.iter().flatten().cloned().collect(),
            lines,
            kinds: kinds(&text),
            text: text.to_lowercase(),
        }
    }

    /// How alike the error and `trigger` are.
    pub(super) fn similarity(&self, trigger: &str) -> Similarity {
        let words = tokens(trigger);
        let names = names(trigger);
        let missing: Vec<String> = names
            .iter()
            .filter(|name| !self.holds(name))
            .cloned()
            .collect();
        let best_line = self
            .lines
            .iter()
            .map(|line| containment_in(line, &words))
            .fold(0.0, f64::max);
        let in_all = share(mass(words.intersection(&self.all)), mass(words.iter()));
        let mut score = LINE_SHARE * best_line + (1.0 - LINE_SHARE) * in_all;
        if is_other_kind(&kinds(trigger), &self.kinds) {
            score *= OTHER_KIND;
        }
        if !names.is_empty() {
            score *= 1.0 - MISSING_NAMES * missing.len() as f64 / names.len() as f64;
        }
        let telling = words
            .intersection(&self.all)
            .filter(|word| weight(word) >= 1.0);
        Similarity {
            score,
            shared: telling.cloned().collect(),
            missing,
        }
    }

    /// Whether `name` occurs as a whole.
    fn holds(&self, name: &str) -> bool {
        let in_word = |side: Option<char>| side.is_some_and(|c| c.is_alphanumeric() || c == '_');
        self.text.match_indices(name).any(|(at, _)| {
            let before = self.text[..at].chars().next_back();
            let after = self.text[at + name.len()..].chars().next();
            !in_word(before) && !in_word(after)
        })
    }
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

fn is_other_kind(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    !one.is_empty() && !other.is_empty() && one.is_disjoint(other)
}

fn kinds(text: &str) -> BTreeSet<String> {
    KIND.find_iter(text)
        .map(|hit| hit.as_str().to_owned())
        .collect()
}

fn names(text: &str) -> BTreeSet<String> {
    NAME.captures_iter(text)
        .map(|parts| parts[1].to_lowercase())
        .collect()
}
