//! `ftl completions`, and the hidden `ftl candidates`, which the scripts ask what may follow.
//!
//! The scripts of bash, zsh and fish know nothing of the options: the program does, and the project's tasks and
//! agents besides. Other shells get a script made from the options alone.

use std::ffi::OsString;

use clap_complete::Shell;
use clap_complete::engine::{CompletionCandidate, complete};

use crate::args::{AskedShell, CandidatesArgs, CompletionsArgs, command};
use crate::{CommandResult, output};

const BASH: &str = include_str!("completions/ftl.bash");
const ZSH: &str = include_str!("completions/ftl.zsh");
const FISH: &str = include_str!("completions/ftl.fish");

/// Prints the completion script of a shell.
pub(crate) fn run(args: &CompletionsArgs) -> CommandResult {
    let script = match args.shell {
        Shell::Bash => BASH.to_owned(),
        Shell::Zsh => ZSH.to_owned(),
        Shell::Fish => FISH.to_owned(),
        other => of_options(other),
    };
    output::result(&script).map(|()| 0)
}

fn of_options(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "ftl", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Prints what may stand in place of one of the words, a line each.
pub(crate) fn answer(args: &CandidatesArgs) -> CommandResult {
    let (words, index, cut) = match args.shell {
        AskedShell::Bash => joined(&args.words, args.index),
        AskedShell::Zsh | AskedShell::Fish => (args.words.clone(), args.index, String::new()),
    };
    let dir = std::env::current_dir().ok();
    // To a pressed key, errors are no answer.
    let found = complete(&mut command(), words, index, dir.as_deref()).unwrap_or_default();
    let is_option =
        |found: &CompletionCandidate| found.get_value().as_encoded_bytes().starts_with(b"-");
    // Options are offered where the user begins to type one, or where nothing else can follow.
    let only_options = found.iter().all(is_option);
    let typed = typed_word(args);
    let is_wanted = |found: &&CompletionCandidate| {
        !found.is_hide_set() && (only_options || typed.starts_with('-') || !is_option(found))
    };
    let lines = found.iter().filter(is_wanted);
    let lines = lines.filter_map(|found| line(args.shell, found, &cut));
    let text: String = lines.map(|line| line + "\n").collect();
    output::result(&text).map(|()| 0)
}

fn typed_word(args: &CandidatesArgs) -> String {
    let word = args.words.get(args.index);
    word.map_or_else(String::new, |word| word.to_string_lossy().into_owned())
}

/// Bash takes `=` for a separate word. The words as they were typed, which of them is meant, and how much of
/// it is no part of bash's word.
fn joined(words: &[OsString], index: usize) -> (Vec<OsString>, usize, String) {
    let mut typed: Vec<OsString> = Vec::new();
    let (mut meant, mut cut) = (0, String::new());
    let mut words = words.iter().enumerate().peekable();
    while let Some((at, word)) = words.next() {
        let mut word = word.clone();
        let is_option = word.to_string_lossy().starts_with("--");
        let mut here = at == index;
        if is_option && words.peek().is_some_and(|(_, next)| *next == "=") {
            word.push("=");
            let own = word.to_string_lossy().into_owned();
            here |= words.next().is_some_and(|(at, _)| at == index);
            if let Some((at, value)) = words.next() {
                word.push(value);
                here |= at == index;
            }
            if here {
                cut = own;
            }
        }
        if here {
            meant = typed.len();
        }
        typed.push(word);
    }
    (typed, meant, cut)
}

fn line(shell: AskedShell, found: &CompletionCandidate, cut: &str) -> Option<String> {
    let value = found.get_value().to_str()?;
    if value.chars().any(char::is_control) {
        return None;
    }
    let help = found.get_help().map(ToString::to_string);
    let help = help.as_deref().and_then(|help| help.lines().next());
    Some(match (shell, help) {
        (AskedShell::Bash, _) => value.strip_prefix(cut).unwrap_or(value).to_owned(),
        (AskedShell::Zsh, Some(help)) => format!("{}:{help}", value.replace(':', "\\:")),
        (AskedShell::Zsh, None) => value.replace(':', "\\:"),
        (AskedShell::Fish, Some(help)) => format!("{value}\t{help}"),
        (AskedShell::Fish, None) => value.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::joined;

    #[test]
    fn words_that_bash_splits_at_equals_signs_are_joined_again() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(Into::into).collect() };
        let (typed, index, cut) = joined(&words("ftl build --format = js 1"), 4);
        assert_eq!(typed, words("ftl build --format=js 1"));
        assert_eq!((index, cut.as_str()), (2, "--format="));
        let (typed, index, cut) = joined(&words("ftl build a = b"), 4);
        assert_eq!(typed, words("ftl build a = b"));
        assert_eq!((index, cut.as_str()), (4, ""));
        let (typed, index, _) = joined(&words("ftl build --format = js 1"), 5);
        assert_eq!((typed.len(), index), (4, 3));
    }
}
