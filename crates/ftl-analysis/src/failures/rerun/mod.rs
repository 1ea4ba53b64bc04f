//! The command that runs only the tests that failed.
//!
//! It is the command itself, with names in place of the paths or filters that it has; every other option stays as it
//! is. Where that is not known to run just these tests (a script, `make test`, two runners) there is none.

mod options;
mod runners;

use std::collections::HashMap;

use super::FoundFailure;
use crate::shell;
use crate::shell::program::program_in;
use crate::shell::syntax::{Body, Command, Joint, Word};

/// Tests that a command names at most: more are run as a whole.
const MAX_TESTS: usize = 30;

/// `command` changed so that it runs only the tests of `failures`; `None` where that can't be said. What failed
/// without a test is left out, unless nothing else did; a test whose name the output does not have is not.
#[must_use]
pub fn rerun(command: &str, failures: &[FoundFailure]) -> Option<String> {
    let named: Vec<&FoundFailure> =
        failures.iter().filter(|it| it.failure.test.is_some()).collect();
    let is_hidden = |it: &FoundFailure| it.runner == Some("testdox") && it.failure.test.is_none();
    if named.is_empty() || named.len() > MAX_TESTS || failures.iter().any(is_hidden) {
        return None;
    }
    let script = shell::parse(command)?;
    let mut narrowed = Vec::new();
    for list in &script.lists {
        let rest = list.rest.iter();
        if list.in_background || rest.clone().any(|(joint, _)| *joint == Joint::Or) {
            return None;
        }
        for pipeline in std::iter::once(&list.first).chain(rest.map(|(_, pipeline)| pipeline)) {
            let [only] = pipeline.commands.as_slice() else { return None };
            narrowed.extend(narrow(only, &named).map(|text| (only.span.clone(), text)));
        }
    }
    let [(span, texts)] = narrowed.as_slice() else { return None };
    let (before, after) = (command.get(..span.start)?, command.get(span.end..)?);
    match (texts.as_slice(), after.trim()) {
        ([text], _) => Some(format!("{before}{text}{after}")),
        // Each of them fails, so the last one's exit code is as good as any.
        (several, "") => Some(format!("{before}{}", several.join("; "))),
        _ => None,
    }
}

/// The simple commands that run only these tests.
fn narrow(command: &Command, failures: &[&FoundFailure]) -> Option<Vec<String>> {
    let Body::Simple { assignments, words, .. } = &command.body else { return None };
    if !command.redirects.is_empty() {
        return None;
    }
    let written = words.iter().map(|word| Some((word.text.as_str(), written(word)?)));
    let written: HashMap<&str, String> = written.collect::<Option<_>>()?;
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let program = program_in(&texts)?;
    let several = runners::several(&program, failures)?;
    let assignments = assignments.iter().map(|it| {
        let (name, value) = it.text.split_once('=')?;
        Some(format!("{name}={}", written_as(value, it.is_quoted)?))
    });
    let assignments = assignments.collect::<Option<Vec<String>>>()?;
    let before = texts[..program.words].iter().map(|word| (*word).to_owned());
    let text = |arguments: Vec<String>| {
        let words = before.clone().chain(arguments).map(|word| match written.get(word.as_str()) {
            Some(written) => written.clone(),
            None => quoted(&word),
        });
        assignments.iter().cloned().chain(words).collect::<Vec<_>>().join(" ")
    };
    Some(several.into_iter().map(text).collect())
}

/// A word as it has to be written again; `None` where that is not known.
fn written(word: &Word) -> Option<String> {
    match word.substitutions.is_empty() {
        true => written_as(&word.text, word.is_quoted),
        false => None,
    }
}

/// What the shell replaces (`$x`, `*`) is kept where no quotes were around it. Which quotes a word had is not known.
fn written_as(text: &str, is_quoted: bool) -> Option<String> {
    let expands = text
        .split('$')
        .skip(1)
        .any(|it| it.starts_with(|c: char| c.is_ascii_alphanumeric() || "_{(@*#?".contains(c)));
    let is_word = |c: char| is_plain(c) || "$*?[]~{}".contains(c);
    match is_quoted {
        true => (!expands).then(|| quoted(text)),
        false => text.chars().all(is_word).then(|| text.to_owned()),
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c)
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use ftl_model::RunFailure;

    use super::rerun;
    use crate::failures::FoundFailure;

    fn found(test: &str, origin: Option<&str>) -> FoundFailure {
        let failure = RunFailure { test: Some(test.to_owned()), ..RunFailure::default() };
        FoundFailure { failure, origin: origin.map(str::to_owned), ..FoundFailure::default() }
    }

    /// Command, name, file or package, what runs it again.
    const NARROWED: &str = include_str!("cases.tsv");

    #[test]
    fn a_runner_is_given_the_names_in_place_of_its_paths_and_keeps_its_options() {
        for row in NARROWED.lines() {
            let columns: Vec<&str> = row.split('\t').collect();
            let [command, test, origin, expected] = columns.as_slice() else { panic!("{row}") };
            let origin = Some(*origin).filter(|it| *it != "-");
            let again = rerun(command, &[found(test, origin)]);
            assert_eq!(again.as_deref().unwrap_or("-"), *expected, "{command}");
        }
    }

    #[test]
    fn failures_without_a_test_are_left_out_unless_there_are_no_others() {
        let unnamed = FoundFailure::default();
        let all = [unnamed.clone(), found("t.py::test_b", None)];
        assert_eq!(rerun("pytest", &all).as_deref(), Some("pytest t.py::test_b"));
        assert_eq!(rerun("pytest", &[unnamed]), None);
        assert_eq!(rerun("pytest", &[]), None);
    }
}
