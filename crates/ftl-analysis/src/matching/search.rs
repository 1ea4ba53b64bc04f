//! The search for a known failure, in three passes from the surest sign to the weakest: pattern, text,
//! similarity.
//!
//! The first fit with a fix is the match, and later passes do not replace it. They run nevertheless,
//! since failures that fit without a fix are reported, whichever way they fit. Similarity reads the
//! list by score, the others in the order of the file.
//!
//! Patterns are tried on the error lines before the whole output: of two failures, the one that the
//! error itself matches is meant, rather than one that a log line above it matches.

use std::collections::BTreeMap;

use ftl_model::Failure;

use super::failure::{has_fix, name_of, pattern_of, unusable};
use super::found::{ACCEPTED, ASKED, Candidate, MatchResult, Matched};
use super::mask::{folded, is_most_of, masked, occurs};
use super::similarity::{Error, Similarity};
use crate::diagnosis::{error_lines, plain_text};
use crate::pattern::{Deadline, GivenUp, Pattern};

/// How a runner begins a line that sums up a failure.
const SUMMARY: [&str; 4] = ["FAILED ", "ERROR ", "{", "thread '"];

/// Words of a rationale that are named.
const MAX_NAMED: usize = 6;

/// Looks for the error of `output` among `failures`; `lines` are its error lines.
pub fn match_failure(output: &str, lines: &[String], failures: &[Failure]) -> MatchResult {
    let mut search =
        Search { failures, found: MatchResult::default(), fits: vec![false; failures.len()] };
    search.by_pattern(lines, output);
    search.by_text(lines);
    search.by_similarity(lines);
    search.finish()
}

struct Search<'a> {
    failures: &'a [Failure],
    found: MatchResult,
    /// Which failures fit in any way.
    fits: Vec<bool>,
}

impl Search<'_> {
    /// Notes that a failure fits; the first one with a fix is the match.
    fn note_fit(&mut self, index: usize, reason: &str) {
        self.fits[index] = true;
        let failure = &self.failures[index];
        if self.found.matched.is_none() && has_fix(failure) {
            let name = name_of(failure).to_owned();
            self.found.matched =
                Some(Matched { index, rationale: format!("matched {name} by {reason}"), name });
        }
    }

    /// Tries the patterns on the error lines, then on the whole output. Those that a deadline cuts short
    /// are named once.
    fn by_pattern(&mut self, lines: &[String], output: &str) {
        let deadline = Deadline::of_a_phase();
        let mut given_up: BTreeMap<usize, GivenUp> = BTreeMap::new();
        let patterns = self.compiled(&deadline, &mut given_up);
        for (index, pattern) in &patterns {
            match any_line(pattern, lines, &deadline) {
                Ok(true) => self.note_fit(*index, &describe(pattern)),
                Ok(false) => {}
                Err(why) => drop(given_up.insert(*index, why)),
            }
        }
        let output = if patterns.is_empty() { "".into() } else { plain_text(output) };
        for (index, pattern) in &patterns {
            match pattern.is_match(&output, &deadline) {
                Ok(true) => self.note_fit(*index, &describe(pattern)),
                Ok(false) => {}
                Err(why) => drop(given_up.insert(*index, why)),
            }
        }
        let late = given_up.values().position(|why| *why == GivenUp::TooLate);
        for (at, (index, why)) in given_up.into_iter().enumerate() {
            if why == GivenUp::TooManySteps || Some(at) == late {
                self.warn(index, &why.to_string());
            }
        }
    }

    /// The patterns that can be used, with the places of their failures.
    fn compiled(
        &self,
        deadline: &Deadline,
        given_up: &mut BTreeMap<usize, GivenUp>,
    ) -> Vec<(usize, Pattern)> {
        let mut patterns = Vec::new();
        for (index, failure) in self.failures.iter().enumerate() {
            if let Err(late) = deadline.check() {
                given_up.insert(index, late);
                break;
            }
            if let Some(Ok(pattern)) = pattern_of(failure) {
                patterns.push((index, pattern));
            }
        }
        patterns
    }

    fn warn(&mut self, index: usize, why: &str) {
        let warning = unusable(&self.failures[index], why);
        self.found.warnings.push(warning);
    }

    fn by_text(&mut self, lines: &[String]) {
        let whole: Vec<String> = lines.iter().map(|line| folded(line)).collect();
        let lines: Vec<String> = lines.iter().map(|line| masked(line)).collect();
        for (index, failure) in self.failures.iter().enumerate() {
            let text = folded(&failure.trigger);
            let is_equal = whole.iter().any(|line| is_most_of(&text, line));
            if is_equal || occurs_in(&failure.trigger, &lines) {
                self.note_fit(index, "the text of its trigger");
            }
        }
    }

    fn by_similarity(&mut self, lines: &[String]) {
        let error = Error::new(lines);
        let mut scored: Vec<(usize, Similarity)> = self
            .failures
            .iter()
            .map(|failure| error.similarity(&failure.trigger))
            .enumerate()
            .collect();
        scored.sort_by(|(_, one), (_, other)| other.score.total_cmp(&one.score));
        for (index, similarity) in scored {
            if similarity.score >= ACCEPTED {
                self.note_fit(index, &wording(&similarity));
            } else if similarity.score >= ASKED && has_fix(&self.failures[index]) {
                self.found.candidates.push(Candidate {
                    index,
                    name: name_of(&self.failures[index]).to_owned(),
                    score: similarity.score,
                    rationale: wording(&similarity),
                });
            }
        }
    }

    fn finish(mut self) -> MatchResult {
        let fits = self.failures.iter().zip(&self.fits);
        self.found.without_fix = fits
            .filter(|(failure, fits)| **fits && !has_fix(failure))
            .map(|(failure, _)| name_of(failure).to_owned())
            .collect();
        if self.found.matched.is_some() {
            self.found.candidates.clear();
        }
        self.found
    }
}

fn any_line(pattern: &Pattern, lines: &[String], deadline: &Deadline) -> Result<bool, GivenUp> {
    for line in lines {
        if pattern.is_match(line, deadline)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether every line of a trigger occurs in some masked line. A trigger is read like an output: a
/// pasted report counts by its error lines.
fn occurs_in(trigger: &str, masked_lines: &[String]) -> bool {
    let is_report = trigger.trim().contains(['\n', '\r', '\u{1b}'])
        || SUMMARY.iter().any(|mark| trigger.trim_start().starts_with(mark));
    let wanted: Vec<String> = match is_report {
        true => error_lines(trigger).iter().map(|line| masked(line)).collect(),
        false => vec![masked(trigger)],
    };
    let has_line = |part: &String| masked_lines.iter().any(|line| occurs(part, line));
    !wanted.is_empty() && wanted.iter().all(has_line)
}

fn describe(pattern: &Pattern) -> String {
    let source = pattern.source().split_whitespace().collect::<Vec<_>>();
    format!("pattern `{}`", source.join(" "))
}

/// What a score rests on.
pub(super) fn wording(similarity: &Similarity) -> String {
    let mut words = format!("similarity {:.2}", similarity.score);
    let shared: Vec<&str> = similarity.shared.iter().map(String::as_str).take(MAX_NAMED).collect();
    if !shared.is_empty() {
        words.push_str(&format!(", sharing {}", shared.join(", ")));
    }
    let missing: Vec<&str> =
        similarity.missing.iter().map(String::as_str).take(MAX_NAMED).collect();
    if !missing.is_empty() {
        words.push_str(&format!(", without `{}`", missing.join("`, `")));
    }
    words
}
