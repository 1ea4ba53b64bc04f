//! Commands that pass although what they run fails: `pytest || true`, `pytest; echo done`, `pytest | tail -3`.
//!
//! The exit codes of the command are simulated with one failing program after the other. Policy may block on this
//! finding, so a command that the shell's grammar does not cover counts as honest, and so does one in which an
//! unknown program may still decide.

use std::ops::Range;

use super::test_summary::test_summary;
use crate::shell::parse;
use crate::shell::program::{Program, program};
use crate::shell::simulate::{hides, ignores};
use crate::shell::syntax::{Body, Command, List, Script};
use crate::shell::tools::Role;
use crate::shell::verdicts::is_judge;

/// Rewritings of a command that are tried.
const MAX_ROUNDS: usize = 4;

/// How a command hides a failure, and how to write it so that it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskedExit {
    /// The part of the command that hides the failure, such as `|| true`.
    pub hidden_by: String,
    /// The program whose failure is hidden, as the command starts it.
    pub program: String,
    /// The command as it should be.
    pub instead: String,
}

impl MaskedExit {
    /// One sentence, such as ``"`|| true` hides the exit code of `pytest -q`"``.
    #[must_use]
    pub fn reason(&self) -> String {
        match self.hidden_by.as_str() {
            "" => format!("the command passes even if `{}` fails", self.program),
            part => format!("`{part}` hides the exit code of `{}`", self.program),
        }
    }
}

impl MaskedExit {
    /// Whether the summary of the hidden runner is in the output, and says that tests ran and none failed.
    ///
    /// It does not answer for a command that starts several checks or a loop of them, and neither does a summary
    /// from which a filter may have cut the line with the failures.
    pub(super) fn is_answered_by(&self, command: &str, output: &str) -> bool {
        let (Some(script), Some(summary)) = (parse(command), test_summary(output)) else {
            return false;
        };
        let commands = script.simple_commands();
        let programs: Vec<Program<'_>> =
            commands.iter().filter_map(|it| program(it.words())).collect();
        let checks = commands.iter().filter(|it| is_judge(it)).count();
        let is_linter = programs.iter().any(Program::is_linter);
        let cuts = programs.iter().any(Program::cuts_lines);
        let may_miss = cuts && (!summary.is_whole || summary.is_repeated);
        checks <= 1 && !is_linter && !script.has_loop() && !may_miss && summary.passed()
    }
}

/// How `command` hides a failure of what it runs; `None` where it does not, or is not understood.
#[must_use]
pub fn masked_exit(command: &str) -> Option<MaskedExit> {
    let script = parse(command)?;
    let target = hidden(&script)?;
    let program = command_text(target);
    if let Some(option) = pass_option(target) {
        let instead = command.replacen(&format!(" {option}"), "", 1);
        return Some(MaskedExit { hidden_by: option, program, instead });
    }
    let (hidden_by, instead) =
        repaired(command).unwrap_or_else(|| (String::new(), fallback(&script, &program)));
    Some(MaskedExit { hidden_by, program, instead })
}

/// The first simple command whose failure is lost.
///
/// Of runners and checkers, each has to count. Of other programs it is enough that one of them does: a command may
/// prepare what the next one checks.
fn hidden(script: &Script) -> Option<&Command> {
    let commands = script.simple_commands();
    let judges: Vec<&Command> = commands.iter().copied().filter(|it| is_judge(it)).collect();
    let is_lost = |command: &&Command| {
        pass_option(command).is_some()
            || program(command.words()).is_some_and(|it| it.lost().is_some())
            || hides(script, command) == Some(true)
    };
    if !judges.is_empty() {
        // A runner that is started again in the same way is tried again: `pytest || true; pytest`.
        let is_repeated = |command: &Command| {
            let equal = judges.iter().filter(|it| it.words() == command.words());
            equal.clone().count() > 1 && equal.into_iter().any(|it| !is_lost(it))
        };
        return judges.iter().copied().find(|command| is_lost(command) && !is_repeated(command));
    }
    if commands.iter().any(|command| fails_on_purpose(command)) {
        return None;
    }
    let others: Vec<&Command> = commands.into_iter().filter(|it| decides(it)).collect();
    let reached: Vec<(&Command, bool)> = others
        .into_iter()
        .filter_map(|command| Some((command, ignores(script, command)?)))
        .collect();
    let all_lost = reached.iter().all(|(_, is_lost)| *is_lost);
    reached.first().filter(|_| all_lost).map(|(command, _)| *command)
}

fn pass_option(command: &Command) -> Option<String> {
    program(command.words())?.pass_option().map(str::to_owned)
}

/// Whether a program that is no known runner may judge.
fn decides(command: &Command) -> bool {
    let Some(program) = program(command.words()) else { return false };
    let is_shell = matches!(&command.body, Body::Simple { inner: Some(_), .. });
    let is_builtin = matches!(
        program.name,
        "set" | "exit" | "return" | "trap" | "break" | "continue" | "read" | "source" | "."
    );
    let is_literal = |word: &&str| word.starts_with('-') || !word.contains(char::is_alphabetic);
    let is_constant = program.arguments.iter().all(is_literal);
    let decides = match program.role() {
        Role::Formality | Role::Filter => false,
        Role::Question => !is_constant,
        _ => true,
    };
    decides && !is_shell && !is_builtin
}

/// Whether the command is an `exit` that is not 0: the script asks for what it wants to know.
fn fails_on_purpose(command: &Command) -> bool {
    let words: Vec<&str> = command.words().iter().map(|word| word.text.as_str()).collect();
    matches!(words.as_slice(), ["exit" | "return", code] if *code != "0")
}

fn command_text(command: &Command) -> String {
    let words: Vec<&str> = command.words().iter().map(|word| word.text.as_str()).collect();
    words.join(" ")
}

/// The command without what hides the failure, and what that is. One part is removed after the other until the
/// failure counts.
fn repaired(command: &str) -> Option<(String, String)> {
    let mut current = command.trim().to_owned();
    let programs = verdicts(&parse(command)?);
    let mut removed = String::new();
    for _ in 0..MAX_ROUNDS {
        let script = parse(&current)?;
        let candidates = removals(&script, &current);
        let text = |range: &Range<usize>| {
            current[range.clone()].trim().trim_end_matches(';').trim().to_owned()
        };
        let without = |range: &Range<usize>| {
            format!("{}{}", current[..range.start].trim_end(), &current[range.end..])
                .trim()
                .to_owned()
        };
        let works = |range: &&Range<usize>| {
            parse(&without(range))
                .is_some_and(|it| hidden(&it).is_none() && verdicts(&it) == programs)
        };
        let best = candidates.iter().find(works);
        if let Some(range) = best {
            let part = if removed.is_empty() { text(range) } else { removed };
            return Some((part, without(range)));
        }
        if let Some(joined) =
            joined(&script, &current).filter(|it| parse(it).is_some_and(|it| hidden(&it).is_none()))
        {
            let part = if removed.is_empty() { ";".to_owned() } else { removed };
            return Some((part, joined));
        }
        let range = candidates
            .iter()
            .find(|range| parse(&without(range)).is_some_and(|it| !it.lists.is_empty()))?;
        if removed.is_empty() {
            removed = text(range);
        }
        current = without(range);
    }
    None
}

/// The number of programs in the script whose exit code is a verdict; of unknown ones at most one counts.
fn verdicts(script: &Script) -> usize {
    let commands = script.simple_commands();
    match commands.iter().filter(|it| is_judge(it)).count() {
        0 => usize::from(commands.iter().any(|it| decides(it))),
        judges => judges,
    }
}

/// The parts of a command that may hide a failure, those at the end first.
fn removals(script: &Script, source: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (number, list) in script.lists.iter().enumerate().rev() {
        let end = end_of(list);
        if list.in_background {
            let at = source[end..].find('&').map_or(end, |at| end + at);
            found.push(at..(at + 1).min(source.len()));
        }
        let pipelines: Vec<_> = list.pipelines().collect();
        for pair in pipelines.windows(2).rev() {
            let (Some(before), Some(after)) = (pair[0].commands.last(), pair[1].commands.last())
            else {
                continue;
            };
            found.push(before.span.end..after.span.end);
        }
        for pipeline in pipelines.iter().rev() {
            for pair in pipeline.commands.windows(2) {
                let last = pipeline.commands.last().map_or(end, |it| it.span.end);
                found.push(pair[0].span.end..last);
            }
        }
        if number > 0 && number + 1 == script.lists.len() {
            found.push(end_of(&script.lists[number - 1])..end);
        }
        if number + 1 < script.lists.len()
            && matches!(list.first.commands[0].words().first(), Some(word) if matches!(word.text.as_str(), "trap" | "set"))
        {
            found.push(list.first.commands[0].span.start..next_start(script, number, end));
        }
    }
    found
}

fn next_start(script: &Script, number: usize, end: usize) -> usize {
    script.lists.get(number + 1).map_or(end, |next| next.first.commands[0].span.start)
}

fn end_of(list: &List) -> usize {
    list.pipelines().last().and_then(|it| it.commands.last()).map_or(0, |it| it.span.end)
}

/// The lists of the script joined by `&&`.
fn joined(script: &Script, source: &str) -> Option<String> {
    let texts: Vec<&str> = script
        .lists
        .iter()
        .map(|list| source[list.first.commands[0].span.start..end_of(list)].trim())
        .collect();
    (texts.len() > 1).then(|| texts.join(" && "))
}

/// The hidden program alone, behind the changes of directory before it.
fn fallback(script: &Script, program: &str) -> String {
    let is_cd = |command: &&Command| command.words().first().is_some_and(|word| word.text == "cd");
    let commands = script.simple_commands();
    let moves = commands.iter().copied().filter(is_cd).map(command_text);
    let parts: Vec<String> = moves.chain([program.to_owned()]).collect();
    parts.join(" && ")
}

#[cfg(test)]
mod tests {
    use super::masked_exit;

    #[test]
    fn the_part_that_hides_a_failure_is_named_and_removed() {
        for (command, hidden_by, instead) in [
            ("pytest -q || true", "|| true", "pytest -q"),
            ("cd app && pytest || true", "|| true", "cd app && pytest"),
            ("pytest; true", "; true", "pytest"),
            ("cd app; pytest; exit 0;", "; exit 0", "cd app; pytest;"),
            ("pytest\necho done", "echo done", "pytest"),
            ("cd app && pytest | tee log", "| tee log", "cd app && pytest"),
            ("pytest 2>&1 | tail -5", "| tail -5", "pytest 2>&1"),
            ("pytest &", "&", "pytest"),
            ("trap 'exit 0' EXIT; pytest", "trap 'exit 0' EXIT", "pytest"),
            ("ruff check --exit-zero .", "--exit-zero", "ruff check ."),
            ("bash -c 'pytest || true'", "", "pytest"),
            ("(cd a && pytest || true)", "", "cd a && pytest"),
            ("pytest; ruff check", ";", "pytest && ruff check"),
        ] {
            let found = masked_exit(command).unwrap_or_else(|| panic!("{command}"));
            assert_eq!(
                (found.hidden_by.as_str(), found.instead.as_str()),
                (hidden_by, instead),
                "{command}"
            );
        }
    }

    #[test]
    fn a_reason_names_the_program() {
        let found = masked_exit("A=1 pytest -q || true").unwrap();
        assert_eq!(found.reason(), "`|| true` hides the exit code of `pytest -q`");
        let found = masked_exit("sh -c 'pytest; true'").unwrap();
        assert_eq!(found.reason(), "the command passes even if `pytest` fails");
    }
}
