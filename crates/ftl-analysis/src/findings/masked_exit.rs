//! Commands whose text hides an exit code: `pytest || true`, `pytest; echo done`, `pytest | tail -3`.
//!
//! By the last words of the command, and not by following its exit codes: whether it can fail, an experiment shows.
//! So a command that the shell's grammar does not cover counts as honest.

use std::ops::Range;

use super::runs_tests::in_command;
use super::{is_one, words};
use crate::shell::parse;
use crate::shell::program::program;
use crate::shell::syntax::{Body, Command, Joint, List, Pipeline, Script};

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
        format!("`{}` hides the exit code of `{}`", self.hidden_by, self.program)
    }
}

/// How `command` hides a failure of what it runs; `None` where it does not, or is not understood.
#[must_use]
pub fn masked_exit(command: &str) -> Option<MaskedExit> {
    let command = command.trim();
    let hiding = of_script(&parse(command)?, command.len())?;
    let text = |range: &Range<usize>| command.get(range.clone()).map(str::trim);
    let before = command.get(..hiding.part.start)?.trim_end().trim_end_matches([';', '\n']);
    let after = command.get(hiding.part.end..)?.trim_start_matches([' ', ';']);
    let hidden_by = match text(&hiding.part)?.trim_end_matches(';').trim() {
        "" => ";".to_owned(),
        part => part.to_owned(),
    };
    let instead = match hiding.is_joined {
        true => format!("{} && {}", before.trim_end(), after.trim_start()),
        false => format!("{}{after}", before.trim_end()),
    };
    Some(MaskedExit { hidden_by, program: hiding.program, instead })
}

/// Whether a command is more than programs that run one after the other while they succeed, so that it may pass
/// although something in it fails.
#[must_use]
pub fn may_hide_failure(command: &str) -> bool {
    const SIGNS: [&str; 9] = ["|", ";", "\n", "`", "$(", "<(", "!", "-c ", "-exec"];
    let command = command.trim().replace("&&", " ");
    let has_word = command
        .split_whitespace()
        .any(|word| words("hiding").any(|it| word == it || it.len() > 8 && word.contains(it)));
    has_word || command.contains('&') || SIGNS.iter().any(|sign| command.contains(sign))
}

/// What is hidden, and by what.
struct Hiding {
    program: String,
    part: Range<usize>,
    /// The parts around are to be joined by `&&`.
    is_joined: bool,
}

/// The exit code of a script is that of its last list.
fn of_script(script: &Script, end: usize) -> Option<Hiding> {
    let (last, earlier) = script.lists.split_last()?;
    let errexit = sets(script, 'e', "errexit");
    let pipefail = sets(script, 'o', "pipefail");
    if let Some(before) = earlier.last().filter(|_| !errexit && is_formal(last)) {
        let program = judge_of(earlier)?;
        return Some(Hiding { program, part: end_of(before)..end, is_joined: false });
    }
    if let Some(hiding) = of_list(last, pipefail, end) {
        return Some(hiding);
    }
    // Of several runs of tests only the last one counts.
    let hidden = earlier.iter().find(|list| !errexit && list_runs_tests(list))?;
    let has_code = |list: &List| list.pipelines().flat_map(|it| &it.commands).any(reads_code);
    let is_read = script.lists.iter().any(|list| has_code(list) || list.in_background);
    let part = end_of(hidden)..end_of(hidden) + 1;
    (!is_read && list_runs_tests(last)).then(|| Hiding {
        program: text_of(&hidden.first.commands[0]),
        part,
        is_joined: true,
    })
}

fn of_list(list: &List, pipefail: bool, end: usize) -> Option<Hiding> {
    let pipelines: Vec<&Pipeline> = list.pipelines().collect();
    let first = text_of(&list.first.commands[0]);
    if list.in_background {
        return Some(Hiding { program: first, part: end_of(list)..end, is_joined: false });
    }
    for (number, (joint, pipeline)) in list.rest.iter().enumerate() {
        let before = pipelines[number];
        if *joint == Joint::Or && pipeline.commands.iter().all(is_formality) && !asks(before) {
            let last = pipelines[number + 1].commands.last()?.span.end;
            let part = before.commands.last()?.span.end..last;
            return Some(Hiding { program: text_of(&before.commands[0]), part, is_joined: false });
        }
    }
    let last = pipelines.last()?;
    let command = last.commands.last()?;
    let first = &last.commands[0];
    if let [.., before, filter] = last.commands.as_slice()
        && !pipefail
        && passes(filter, first)
    {
        let part = before.span.end..filter.span.end;
        let part = if last.commands.len() > 2 { first.span.end..part.end } else { part };
        return Some(Hiding { program: text_of(first), part, is_joined: false });
    }
    match &command.body {
        Body::Group(script) | Body::Subshell(script) => of_script(script, command.span.end - 1),
        Body::Simple { .. } => {
            let words = command.words();
            let is_find = words.first().is_some_and(|word| word.text == "find");
            let at = words.iter().position(|word| word.text == "-exec").filter(|_| is_find)?;
            let is_each = words[at..].iter().any(|word| word.text == ";");
            let part = command.span.clone();
            is_each.then(|| Hiding { program: text_of(command), part, is_joined: false })
        }
        _ => None,
    }
}

/// Whether a program behind a pipe passes though the first one failed.
fn passes(filter: &Command, first: &Command) -> bool {
    let Some(program) = program(filter.words()) else { return false };
    let is_search = is_one("searches", program.name) && in_command(first);
    (is_one("filters", program.name) || is_search) && !is_question(first)
}

fn is_formal(list: &List) -> bool {
    let commands: Vec<&Command> = list.pipelines().flat_map(|it| &it.commands).collect();
    list.rest.is_empty() && commands.iter().all(|it| is_formality(it) && !reads_code(it))
}

fn is_formality(command: &Command) -> bool {
    match &command.body {
        Body::Group(script) | Body::Subshell(script) => {
            script.lists.last().is_some_and(is_formal) && script.exit().is_none_or(is_zero)
        }
        Body::Simple { .. } => {
            let words = command.words();
            match words.first().map(|word| word.text.as_str()) {
                Some("exit" | "return") => {
                    words.get(1).is_some_and(|code| code.text == "0") || words.len() == 1
                }
                Some(_) => program(words).is_some_and(|it| is_one("formalities", it.name)),
                None => false,
            }
        }
        _ => false,
    }
}

fn is_zero(code: Option<i32>) -> bool {
    code == Some(0)
}

/// Whether a command looks at an exit code, or ends with one.
fn reads_code(command: &Command) -> bool {
    let words = command.words();
    let is_exit = words.first().is_some_and(|word| matches!(word.text.as_str(), "exit" | "return"));
    let mentions = |text: &str| text.contains("$?") || text.contains("PIPESTATUS");
    let is_assigned = match &command.body {
        Body::Simple { assignments, .. } => assignments.iter().any(|word| mentions(&word.text)),
        _ => false,
    };
    is_assigned || is_exit && words.get(1).is_some_and(|code| code.text != "0")
}

/// Whether a failure is an answer: `which jest || true`.
fn asks(pipeline: &Pipeline) -> bool {
    pipeline.commands.first().is_some_and(is_question)
}

fn is_question(command: &Command) -> bool {
    let name = program(command.words()).map(|it| it.name);
    name.is_none_or(|name| {
        matches!(name, "[" | "[[" | "test" | "which" | "command" | "type" | "pgrep" | "ls" | "cd")
            || is_one("formalities", name)
            || is_one("filters", name)
    })
}

/// The program whose failure counts most: of tests, else the last one.
fn judge_of(lists: &[List]) -> Option<String> {
    let commands = lists.iter().flat_map(List::pipelines).flat_map(|it| &it.commands);
    let commands: Vec<&Command> = commands.filter(|it| !is_question(it)).collect();
    let is_read = lists.iter().any(|list| list.in_background);
    let judge = commands.iter().find(|it| in_command(it)).or(commands.last())?;
    (!is_read).then(|| text_of(judge))
}

fn text_of(command: &Command) -> String {
    command.texts().join(" ")
}

fn list_runs_tests(list: &List) -> bool {
    list.pipelines().flat_map(|it| &it.commands).any(in_command)
}

/// Whether the script sets an option of the shell.
fn sets(script: &Script, letter: char, name: &str) -> bool {
    script.simple_commands().iter().any(|command| {
        let words = command.texts();
        let is_set = words.first() == Some(&"set");
        let is_letter =
            |word: &&&str| word.starts_with('-') && letter == 'e' && word.contains(letter);
        is_set && (words.contains(&name) || words.iter().any(|word| is_letter(&word)))
    })
}

fn end_of(list: &List) -> usize {
    list.pipelines().last().and_then(|it| it.commands.last()).map_or(0, |it| it.span.end)
}

#[cfg(test)]
mod tests {
    use super::{masked_exit, may_hide_failure};

    #[test]
    fn the_part_that_hides_a_failure_is_named_and_removed() {
        for (command, hidden_by, instead) in [
            ("pytest -q || true", "|| true", "pytest -q"),
            ("cd app && pytest || true", "|| true", "cd app && pytest"),
            ("pytest; true", "; true", "pytest"),
            ("pytest\necho done", "echo done", "pytest"),
            ("cd app && pytest | tee log", "| tee log", "cd app && pytest"),
            ("pytest 2>&1 | tail -5", "| tail -5", "pytest 2>&1"),
            ("pytest &", "&", "pytest"),
            ("pytest; ruff check; pytest a", ";", "pytest && ruff check; pytest a"),
        ] {
            let found = masked_exit(command).unwrap_or_else(|| panic!("{command}"));
            assert_eq!(
                (found.hidden_by.as_str(), found.instead.as_str()),
                (hidden_by, instead),
                "{command}"
            );
        }
        let found = masked_exit("A=1 pytest -q || true").unwrap();
        assert_eq!(found.reason(), "`|| true` hides the exit code of `pytest -q`");
    }

    #[test]
    fn programs_in_a_row_hide_nothing() {
        for command in ["pytest -q", "cd app && make check", "cargo test --workspace"] {
            assert!(!may_hide_failure(command), "{command}");
        }
        for command in
            ["make -i test", "for d in a b; do (cd $d && go test ./...); done", "! pytest"]
        {
            assert!(may_hide_failure(command), "{command}");
        }
    }
}
