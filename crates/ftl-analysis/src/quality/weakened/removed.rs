//! Which test of after is which of before, and which are gone.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::coverage::Coverage;
use super::source_test::SourceTest;
use super::words::WordIndex;
use super::{FileTests, Pair, QUOTES};

/// How much of a test's assertions and of its names another must have to be the same under a new name.
const SHARED: f64 = 0.5;

/// A path, and a test in it.
type PlacedTest<'f> = (&'f str, &'f SourceTest);

/// Each test of before with what it is now.
pub(super) fn pairs<'f>(files: &'f [FileTests<'_>], coverage: &Coverage<'_>) -> Vec<Pair<'f>> {
    let mut pairs = Vec::new();
    let mut gone: Vec<PlacedTest<'f>> = Vec::new();
    let mut new: Vec<&'f SourceTest> = Vec::new();
    for file in files {
        let mut left: HashMap<&str, Vec<&'f SourceTest>> = HashMap::new();
        for test in file.after.iter().rev().filter(|test| !test.is_helper) {
            left.entry(&test.name).or_default().push(test);
        }
        // A function that asserts weakens what calls it; one that is gone is no lost test.
        for before in
            file.before.iter().filter(|test| test.is_helper && !test.assertions.is_empty())
        {
            let only = |tests: &'f [SourceTest]| {
                let mut same = tests.iter().filter(|it| it.is_helper && it.name == before.name);
                same.next().filter(|_| same.next().is_none())
            };
            if let (Some(before), Some(after)) = (only(&file.before), only(&file.after)) {
                pairs.push(Pair { path: file.path, before, after: Some(after) });
            }
        }
        for before in file.before.iter().filter(|test| !test.is_helper) {
            match left.get_mut(before.name.as_str()).and_then(Vec::pop) {
                Some(after) => {
                    pairs.push(Pair { path: file.path, before, after: Some(after) });
                }
                None => gone.push((file.path, before)),
            }
        }
        let rest: HashSet<*const SourceTest> =
            left.into_values().flatten().map(std::ptr::from_ref).collect();
        let is_new = |test: &&SourceTest| rest.contains(&std::ptr::from_ref(*test));
        new.extend(file.after.iter().filter(is_new));
    }
    let mut heirs = Heirs::of(new, coverage);
    // By the same text first, so that no test takes what is another's.
    let rules: [Rule<'f, '_>; 4] =
        [Heirs::same_text, Heirs::renamed, Heirs::same_name, Heirs::alike];
    for rule in rules {
        gone.retain(|&(path, before)| {
            let Some(at) = rule(&mut heirs, before) else {
                return true;
            };
            heirs.is_taken[at] = true;
            pairs.push(Pair { path, before, after: Some(heirs.tests[at]) });
            false
        });
    }
    pairs.extend(gone.into_iter().map(|(path, before)| Pair { path, before, after: None }));
    pairs
}

/// The new tests, by what the rules ask of them. Of several that are equally good, the last is taken.
struct Heirs<'f, 'c> {
    coverage: &'c Coverage<'c>,
    tests: Vec<&'f SourceTest>,
    is_taken: Vec<bool>,
    of_body: HashMap<Vec<&'f str>, Vec<usize>>,
    of_form: HashMap<Vec<&'f str>, Vec<usize>>,
    of_title: HashMap<&'f str, Vec<usize>>,
    of_name: WordIndex<'f>,
    shapes: Vec<HashSet<String>>,
    /// How much of one test each of them has.
    weights: Vec<f64>,
}

/// Which new test one of before is, if it is one.
type Rule<'f, 'c> = fn(&mut Heirs<'f, 'c>, &'f SourceTest) -> Option<usize>;

impl<'f, 'c> Heirs<'f, 'c> {
    fn of(tests: Vec<&'f SourceTest>, coverage: &'c Coverage<'c>) -> Self {
        let names = |test: &&'f SourceTest| coverage.names(&test.tokens).collect::<HashSet<_>>();
        Self {
            coverage,
            is_taken: vec![false; tests.len()],
            of_body: grouped(tests.iter().map(|test| body(test))),
            of_form: grouped(tests.iter().map(|test| form(test))),
            of_title: grouped(tests.iter().map(|test| test.title.as_str())),
            of_name: WordIndex::of(tests.iter().map(names)),
            shapes: tests.iter().map(|test| shapes(test).collect()).collect(),
            weights: vec![0.0; tests.len()],
            tests,
        }
    }

    fn last_free(&self, places: Option<&Vec<usize>>) -> Option<usize> {
        places?.iter().copied().rfind(|at| !self.is_taken[*at])
    }

    fn same_text(&mut self, before: &'f SourceTest) -> Option<usize> {
        self.last_free(self.of_body.get(&body(before)))
    }

    /// One with other names throughout: something that it tests has a new name.
    fn renamed(&mut self, before: &'f SourceTest) -> Option<usize> {
        let is_it = |at: &usize| !self.is_taken[*at] && is_renamed(before, self.tests[*at]);
        self.of_form.get(&form(before))?.iter().copied().rfind(is_it)
    }

    fn same_name(&mut self, before: &'f SourceTest) -> Option<usize> {
        self.last_free(self.of_title.get(before.title.as_str()))
    }

    /// One that has most of its names and asserts in the same way.
    fn alike(&mut self, before: &'f SourceTest) -> Option<usize> {
        let own = self.coverage.names(&before.tokens).filter(|word| *word != before.title);
        let own = self.coverage.weighed(own);
        let own_shapes: Vec<String> = shapes(before).collect();
        self.weights.fill(0.0);
        for (word, weight) in &own.words {
            for at in self.of_name.places(word) {
                self.weights[*at] += weight;
            }
        }
        let asserts = |at: &usize| {
            let is_shared = |it: &&String| self.shapes[*at].contains(*it);
            let shared = own_shapes.iter().filter(is_shared).count();
            shared > 0 && shared as f64 >= SHARED * own_shapes.len() as f64
        };
        let free = (0..self.tests.len()).filter(|at| !self.is_taken[*at]);
        let alike = free.filter(|at| own.part(self.weights[*at]) > SHARED).filter(asserts);
        alike.max_by(|a, b| self.weights[*a].total_cmp(&self.weights[*b]))
    }
}

/// Where each key is.
fn grouped<K: Hash + Eq>(keys: impl Iterator<Item = K>) -> HashMap<K, Vec<usize>> {
    let mut places: HashMap<K, Vec<usize>> = HashMap::new();
    for (at, key) in keys.enumerate() {
        places.entry(key).or_default().push(at);
    }
    places
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The tokens, with one for all names.
fn form(test: &SourceTest) -> Vec<&str> {
    let tokens = test.tokens.iter().map(|token| token.text.as_str());
    tokens.map(|text| if is_name(text) { "_" } else { text }).collect()
}

/// Whether `after` is `before` with each name replaced by one other.
fn is_renamed(before: &SourceTest, after: &SourceTest) -> bool {
    let mut names: HashMap<&str, &str> = HashMap::new();
    before.tokens.len() == after.tokens.len()
        && before.tokens.iter().zip(&after.tokens).all(|(old, new)| {
            let may_differ = is_name(&old.text) && is_name(&new.text) && !old.is_literal;
            let known = *names.entry(&old.text).or_insert(&new.text);
            known == new.text && (may_differ || old.text == new.text)
        })
}

/// The tokens without the test's name.
fn body(test: &SourceTest) -> Vec<&str> {
    let name = test.title.as_str();
    let is_name = |text: &str| text == name || text.trim_matches(QUOTES) == name;
    test.tokens.iter().map(|token| token.text.as_str()).filter(|text| !is_name(text)).collect()
}

/// The assertions of a test, without their values.
fn shapes(test: &SourceTest) -> impl Iterator<Item = String> {
    test.assertions.iter().map(|assertion| {
        let tokens = assertion.tokens.iter();
        let words = tokens.map(|token| if token.is_literal { "_" } else { token.text.as_str() });
        words.collect::<Vec<&str>>().join(" ")
    })
}
