//! Failed tests and compiler errors of real outputs: `cases/failures/corpus/RUNNER.NAME.txt`, the command on the first line.
//!
//! `labels.tsv` says what a reader finds in each: a test and a place, `-` for none, several acceptable
//! places parted by `|`; `errors/NAME` is an output of that folder. The outputs in `held.txt` are measured apart from
//! the others: a reader that is fitted to single outputs shows as a difference between the two.

use std::collections::{BTreeMap, BTreeSet};

use ftl_analysis::failures::{FoundFailure, failures};

use crate::cases::{read_case, texts};

/// A test and its acceptable places.
struct Label {
    test: Option<String>,
    places: Vec<String>,
}

#[derive(Default)]
struct Score {
    outputs: usize,
    names: (usize, usize),
    places: (usize, usize),
    invented: usize,
    misses: Vec<String>,
}

fn labels() -> BTreeMap<String, Vec<Label>> {
    let mut labels: BTreeMap<String, Vec<Label>> = BTreeMap::new();
    let known = |text: &str| (text != "-").then(|| text.to_owned());
    for row in read_case("failures/labels.tsv").lines() {
        let mut columns = row.split('\t');
        let of_output = labels.entry(columns.next().unwrap().to_owned()).or_default();
        let test = columns.next().and_then(known);
        let places = columns.next().and_then(known).unwrap_or_default();
        let places = places.split('|').filter(|it| !it.is_empty()).map(str::to_owned).collect();
        of_output.push(Label { test, places });
    }
    labels
}

fn output_of(name: &str) -> (String, String) {
    match name.strip_prefix("errors/") {
        Some(error) => (String::new(), read_case(&format!("errors/{error}.txt"))),
        None => {
            let text = read_case(&format!("failures/corpus/{name}.txt"));
            let (command, output) = text.split_once('\n').unwrap();
            (command.trim_start_matches("$ ").to_owned(), output.to_owned())
        }
    }
}

fn place_of(found: &FoundFailure) -> Option<String> {
    let path = found.failure.path.as_ref()?;
    Some(found.failure.line.map_or_else(|| path.clone(), |line| format!("{path}:{line}")))
}

/// Absolute paths are those of the machine on which the output was made.
fn is_same_place(place: &str, label: &str) -> bool {
    place == label
        || place
            .strip_suffix(label)
            .is_some_and(|before| before.starts_with('/') && before.ends_with('/'))
}

impl Score {
    fn add(&mut self, name: &str, labels: &[Label]) {
        let (command, output) = output_of(name);
        let found = failures(&output, &command);
        self.outputs += 1;
        let mut miss = |what: String| self.misses.push(format!("{name}: {what}"));
        let mut used = BTreeSet::new();
        for label in labels {
            let is_it = |at: &usize| {
                !used.contains(at)
                    && match &label.test {
                        Some(test) => found[*at].failure.test.as_ref() == Some(test),
                        None => found[*at].failure.test.is_none(),
                    }
            };
            let has_place = |at: &usize| {
                let place = place_of(&found[*at]);
                place.is_some_and(|place| label.places.iter().any(|it| is_same_place(&place, it)))
            };
            let all: Vec<usize> = (0..found.len()).filter(is_it).collect();
            let hit = all.iter().find(|at| has_place(at)).or(all.first()).copied();
            used.extend(hit);
            if label.test.is_some() {
                self.names.1 += 1;
                self.names.0 += usize::from(hit.is_some());
            }
            if !label.places.is_empty() {
                self.places.1 += 1;
                self.places.0 += usize::from(hit.is_some_and(|at| has_place(&at)));
            }
            let is_right = hit.is_some_and(|at| label.places.is_empty() || has_place(&at));
            if !is_right {
                miss(format!("missed {:?} at {:?}", label.test, label.places));
            }
        }
        for (at, each) in found.iter().enumerate() {
            let place = place_of(each);
            let is_known = used.contains(&at) || each.failure.test.is_none() && place.is_none();
            let is_label = |label: &Label| label.test.is_none() && label.places.is_empty();
            let is_placed_by_guess =
                used.contains(&at) && place.is_some() && labels.iter().all(is_label);
            if !is_known || is_placed_by_guess {
                self.invented += 1;
                miss(format!(
                    "invented {:?}\t{:?}\t{:?}",
                    each.failure.test, place, each.failure.message
                ));
            }
        }
    }
}

fn score(names: impl Iterator<Item = String>, labels: &BTreeMap<String, Vec<Label>>) -> Score {
    let mut score = Score::default();
    for name in names {
        score.add(&name, &labels[&name]);
    }
    score
}

/// The share in thousandths.
fn share((right, all): (usize, usize)) -> usize {
    right * 1000 / all.max(1)
}

#[test]
fn tests_and_places_of_real_outputs_are_found_and_none_is_invented() {
    let labels = labels();
    let held: BTreeSet<String> =
        read_case("failures/held.txt").lines().map(str::to_owned).collect();
    let (held_out, seen): (Vec<String>, Vec<String>) =
        labels.keys().cloned().partition(|name| held.contains(name));
    for (half, names) in [("seen", seen), ("held out", held_out)] {
        let score = score(names.into_iter(), &labels);
        for miss in &score.misses {
            println!("{miss}");
        }
        println!(
            "{half}: {} outputs, names {}/{}, places {}/{}, invented {}",
            score.outputs,
            score.names.0,
            score.names.1,
            score.places.0,
            score.places.1,
            score.invented
        );
        assert!(
            score.outputs >= 100 && share(score.names) >= 950 && share(score.places) >= 900,
            "{half}"
        );
        assert_eq!(score.invented, 0, "{half}");
    }
}

#[test]
fn every_output_is_labelled_and_every_excerpt_is_a_part_of_its_output() {
    let labels = labels();
    for (name, text) in texts("failures/corpus", "txt") {
        assert!(labels.contains_key(&name), "{name} has no label");
        let (command, output) = text.split_once('\n').unwrap();
        for found in failures(output, command) {
            let excerpt = output.get(found.excerpt.clone());
            assert!(
                excerpt
                    .is_some_and(|it| it.is_empty() || it.ends_with('\n') || output.ends_with(it)),
                "{name}"
            );
            assert!(!found.failure.message.trim().is_empty(), "{name}");
        }
    }
}
