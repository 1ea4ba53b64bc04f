//! Which of many tests have a word. A change may have thousands of tests, so that not each can be compared with each: one
//! that must have all of some words is among those that have the rarest of them.

use std::collections::HashMap;

/// Where each word is: the numbers of sets of words, ascending.
pub(super) struct WordIndex<'t> {
    places: HashMap<&'t str, Vec<usize>>,
}

impl<'t> WordIndex<'t> {
    /// Each set has a word once.
    pub(super) fn of(sets: impl Iterator<Item = impl IntoIterator<Item = &'t str>>) -> Self {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, set) in sets.enumerate() {
            for word in set {
                places.entry(word).or_default().push(number);
            }
        }
        Self { places }
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.places.contains_key(word)
    }

    pub(super) fn places(&self, word: &str) -> &[usize] {
        self.places.get(word).map_or(&[], Vec::as_slice)
    }
}

/// Different words with what each counts, in their order.
pub(super) struct Weighed<'s> {
    pub(super) words: Vec<(&'s str, f64)>,
    all: f64,
}

/// A word that counts less, beside all, is needed by none: more than what rounding takes from a whole.
const NEEDED: f64 = 0.002;

impl<'s> Weighed<'s> {
    pub(super) fn of(words: impl Iterator<Item = &'s str>, weight: impl Fn(&str) -> f64) -> Self {
        let mut words: Vec<&str> = words.collect();
        words.sort_unstable();
        words.dedup();
        let words: Vec<(&str, f64)> = words.into_iter().map(|word| (word, weight(word))).collect();
        let all = words.iter().map(|(_, weight)| weight).sum();
        Self { words, all }
    }

    /// The share of the words that `known` accepts, by weight.
    pub(super) fn share(&self, known: impl Fn(&str) -> bool) -> f64 {
        let known = self.words.iter().filter(|(word, _)| known(word));
        self.part(known.map(|(_, weight)| weight).sum())
    }

    /// How much of all a weight is.
    pub(super) fn part(&self, weight: f64) -> f64 {
        if self.all > 0.0 { weight / self.all } else { 0.0 }
    }

    /// The sets that may have all of the words but those `beside`: `None` if that may be any.
    pub(super) fn with_all<'i>(
        &self,
        index: &'i WordIndex<'_>,
        beside: impl Fn(&str) -> bool,
    ) -> Option<&'i [usize]> {
        let needed = self.words.iter().filter(|(_, weight)| *weight > NEEDED * self.all);
        let needed = needed.filter(|(word, _)| !beside(word));
        needed.map(|(word, _)| index.places(word)).min_by_key(|places| places.len())
    }
}
