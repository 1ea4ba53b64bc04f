//! What clap refuses, in the form of ftl's own diagnostics.

use clap::error::ErrorKind;

use super::help::{self, coloured};
use crate::failure::Failure;
use crate::{CommandResult, output};

/// Prints help and version as results. Everything else that clap refuses is a usage error.
pub(crate) fn refuse(error: &clap::Error) -> CommandResult {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = error.to_string();
            let is_coloured = output::colour(&std::io::stdout());
            let text = if is_coloured { coloured(&text) } else { text };
            output::result(&text).map(|()| 0)
        }
        _ => Err(usage(error)),
    }
}

/// A clap error in the form of ftl's own diagnostics.
pub(crate) fn usage(error: &clap::Error) -> Failure {
    let text = with_backticks(&error.to_string());
    let (message, help) = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let usage = text.find("Usage:").unwrap_or_default();
            ("a command is missing".to_owned(), text[usage..].to_owned())
        }
        ErrorKind::InvalidSubcommand => {
            let (message, help) = message_and_help(&text);
            let own = |line: &&str| !line.contains("similar subcommand");
            let meant = help::meant(error);
            let help = meant.into_iter().chain(help.lines().filter(own).map(str::to_owned));
            (message, help.collect::<Vec<String>>().join("\n"))
        }
        ErrorKind::UnknownArgument => {
            let (message, help) = message_and_help(&text);
            let (to_value, others): (Vec<&str>, Vec<&str>) =
                help.lines().partition(|line| line.starts_with("to pass `"));
            let meant = help::meant_option(&message);
            // A value that begins with a dash is rare, and an option that is mistyped is not.
            let first = meant
                .as_deref()
                .or(to_value.first().copied())
                .filter(|_| meant.is_some() || !others.iter().any(|line| line.contains("similar")));
            (message, first.into_iter().chain(others).collect::<Vec<&str>>().join("\n"))
        }
        _ => message_and_help(&text),
    };
    // `ftl new --delta FILE OBJECTIVE` makes a file of the objective.
    let is_swallowed = message.contains("<OBJECTIVE>") && !message.contains("--delta");
    let help = match is_swallowed {
        true => format!(
            "put OBJECTIVE first: `--delta` takes every word up to the next option as a file\n{help}"
        ),
        false => help,
    };
    let failure = Failure::usage("usage::arguments", message);
    if help.trim().is_empty() { failure } else { failure.help(help) }
}

/// Quotes in backticks; an apostrophe within a word stays.
fn with_backticks(text: &str) -> String {
    let mut said = String::new();
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_inner =
            before.is_alphanumeric() && chars.peek().is_some_and(|c| c.is_alphanumeric());
        said.push(if c == '\'' && !is_inner { '`' } else { c });
        before = c;
    }
    said
}

/// The first paragraph of a clap error as the message, and the others as the help.
fn message_and_help(text: &str) -> (String, String) {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let mut paragraphs = text.split("\n\n").map(str::trim);
    let message = paragraphs.next().unwrap_or_default();
    let message: Vec<&str> = message.lines().map(str::trim).collect();
    let help: Vec<&str> = paragraphs
        .map(|paragraph| paragraph.strip_prefix("tip: ").unwrap_or(paragraph))
        .filter(|paragraph| !paragraph.is_empty() && !paragraph.starts_with("For more"))
        .collect();
    (message.join(" "), help.join("\n"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::Cli;
    use super::usage;

    #[test]
    fn a_refusal_names_the_word_and_what_was_perhaps_meant() {
        let error = Cli::try_parse_from(["ftl", "build", "--fromat", "json", "1"]).unwrap_err();
        let failure = usage(&error);
        assert_eq!(failure.to_string(), "unexpected argument `--fromat` found");
        let help = failure.result().error.help.unwrap();
        assert!(help.contains("`--format`") && help.contains("Usage: ftl build"), "{help}");
    }

    #[test]
    fn a_mistyped_command_is_answered_with_commands_that_help_shows() {
        for (words, meant) in [
            (&["ftl", "validate"][..], Some("`ftl workspace validate`")),
            (&["ftl", "candidate"], None),
            (&["ftl", "biuld"], Some("`build`")),
            (&["ftl", "list"], Some("`ftl status`")),
            (&["ftl", "diff"], Some("`ftl show --diff`")),
            (&["ftl", "build", "--json"], Some("`--format json`")),
            (&["ftl", "idioms", "detct"], Some("`detect`")),
        ] {
            let help = usage(&Cli::try_parse_from(words).unwrap_err()).result().error.help.unwrap();
            match meant {
                Some(meant) => assert!(help.contains(meant), "{help}"),
                None => assert!(!help.contains("similar"), "{help}"),
            }
        }
    }

    #[test]
    fn a_refusal_keeps_apostrophes() {
        assert_eq!(super::with_backticks("the project's 'own'"), "the project's `own`");
    }
}
