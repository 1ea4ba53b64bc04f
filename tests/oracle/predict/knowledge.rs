//! Which known failure an error is taken for.

use std::collections::BTreeSet;

use crate::oracle::scenario::{
    Ending, FOREIGN, Failure, Fix, PREAMBLE, Pattern, Trigger, Trouble, VerifyRun,
};

use super::{Predicted, Stop};

/// The place of the failure whose fix is to be applied.
///
/// A pattern that hits goes before a text that hits, whatever their order in the file.
pub(super) fn matched(failures: &[Failure], run: &VerifyRun) -> Predicted<Option<usize>> {
    let on_lines = hits(failures, |failure| pattern_finds_line(failure, run));
    let on_output = hits(failures, |failure| pattern_finds_preamble(failure, run));
    let by_text = hits(failures, |failure| trigger_occurs(failure, run));
    let by_pattern: BTreeSet<_> = on_lines.iter().chain(&on_output).copied().collect();
    let first_line = on_lines.first();
    if first_line.is_some() && by_pattern.first() != first_line {
        return Err(Stop::Unclear("whether all patterns try the error lines first"));
    }
    let chosen = by_pattern.first().or(by_text.first()).copied();
    let fixless = |place: usize| matches!(failures[place].fix, Fix::None(_));
    match chosen {
        Some(place) if !fixless(place) => Ok(Some(place)),
        Some(_) if by_pattern.iter().chain(&by_text).any(|place| !fixless(*place)) => {
            Err(Stop::Unclear("whether a failure without a fix hides a later one"))
        }
        Some(_) | None => no_likeness(failures, run).map(|()| None),
    }
}

fn hits(failures: &[Failure], hit: impl Fn(&Failure) -> bool) -> Vec<usize> {
    (0..failures.len()).filter(|place| hit(&failures[*place])).collect()
}

fn pattern_finds_line(failure: &Failure, run: &VerifyRun) -> bool {
    matches!(failure.pattern, Some(Pattern::Line(trouble)) if run.troubles.contains(&trouble))
}

fn pattern_finds_preamble(failure: &Failure, run: &VerifyRun) -> bool {
    failure.pattern == Some(Pattern::Preamble) && prints(run)
}

/// A run without troubles prints nothing, unless it hangs.
fn prints(run: &VerifyRun) -> bool {
    !run.troubles.is_empty() || run.ending == Ending::Hang
}

fn trigger_occurs(failure: &Failure, run: &VerifyRun) -> bool {
    matches!(failure.trigger, Trigger::Masked(trouble) if run.troubles.contains(&trouble))
}

/// Scores of likeness are the program's own: only texts without a common word are foretold.
fn no_likeness(failures: &[Failure], run: &VerifyRun) -> Predicted<()> {
    let mut printed: BTreeSet<_> = run.troubles.iter().flat_map(|it| words(it.line())).collect();
    if prints(run) {
        printed.extend(words(PREAMBLE));
    }
    if run.ending == Ending::Hang {
        printed.extend(words("error: time limit, timed out after a second"));
    }
    for failure in failures.iter().filter(|failure| !matches!(failure.fix, Fix::None(_))) {
        if trigger_words(failure.trigger).iter().any(|word| printed.contains(word)) {
            return Err(Stop::Unclear("how like two texts are"));
        }
    }
    Ok(())
}

fn trigger_words(trigger: Trigger) -> BTreeSet<String> {
    match trigger {
        Trigger::Empty => BTreeSet::new(),
        Trigger::Foreign(which) => words(FOREIGN[which]),
        Trigger::Masked(trouble) => words(Trouble::masked_twin(trouble)),
    }
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|letter: char| !letter.is_ascii_alphabetic())
        .flat_map(split_at_capitals)
        .filter(|word| word.len() > 1)
        .collect()
}

/// `TimeoutError` speaks of a timeout and of an error.
fn split_at_capitals(word: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for letter in word.chars() {
        if letter.is_ascii_uppercase() {
            parts.push(String::new());
        }
        let last = parts.last_mut().expect("because it begins with one");
        last.push(letter.to_ascii_lowercase());
    }
    parts
}
