//! The help of the program: its commands in groups, and what a mistyped word may mean.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue};

use super::Cli;

/// The commands that the help lists, in groups.
const GROUPS: &[(&str, &[&str])] = &[
    ("Tasks", &["new", "plan", "build", "edit", "reopen", "take", "commit", "drop"]),
    ("Results", &["status", "show", "report", "check"]),
    ("Set-up", &["init", "doctor", "config", "agents", "completions", "man", "clean"]),
    ("Files", &["preflight", "workspace", "idioms", "knowledge"]),
    ("Agents and machines", &["mcp", "hook", "worker"]),
];

/// Words of other tools, and what they mean here.
const MEANT: &[(&str, &str)] = &[
    ("cancel", "ftl drop"),
    ("continue", "ftl build"),
    ("create", "ftl new"),
    ("delete", "ftl drop"),
    ("diff", "ftl show --diff"),
    ("graph", "ftl build --all --dry-run"),
    ("lint", "ftl preflight"),
    ("list", "ftl status"),
    ("logs", "ftl show --log"),
    ("retry", "ftl reopen"),
    ("rm", "ftl drop"),
    ("settings", "ftl config"),
    ("start", "ftl build"),
    ("test", "ftl check"),
    ("undo", "ftl reopen"),
    ("workers", "ftl worker list"),
];

/// Options of other tools, and what they mean here.
const OPTIONS: &[(&str, &str)] = &[
    ("-d", "--delta"),
    ("--json", "--format json"),
    ("--parallel", "--jobs"),
    ("--timeout", "--agent-timeout` or `--verify-timeout"),
    ("--debug", "--verbose"),
    ("--dir", "-C"),
    ("--directory", "-C"),
    ("--yes", "--format json` to read the result by a program; nothing is asked"),
];

const EXAMPLES: &str = "Examples:
  ftl new 'Take a discount' --delta prices.py --verify 'pytest -q'    write a task
  ftl build --agent claude                                            let an agent do it
  ftl build --all -j 4 --commit                                       all tasks, four at a time
  ftl status                                                          what is left
  ftl show 1 --diff                                                   what was done

`ftl COMMAND --help` explains a command.";

/// The command line.
pub(crate) fn command() -> clap::Command {
    let command = Cli::command().max_term_width(100).after_help(EXAMPLES);
    let groups = groups(&command);
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}"
    ))
}

/// A help text with colours: headings, and the names of commands and options. clap's own would bring six packages.
pub(crate) fn coloured(help: &str) -> String {
    let heading = |text: &str| format!("\u{1b}[1;32m{text}\u{1b}[0m");
    let literal = |text: &str| format!("\u{1b}[1;36m{text}\u{1b}[0m");
    let line = |line: &str| {
        let words = line.trim_start();
        let indent = &line[..line.len() - words.len()];
        if let Some(usage) = line.strip_prefix("Usage:") {
            return heading("Usage:") + usage;
        }
        if indent.is_empty() && line.ends_with(':') {
            return heading(line);
        }
        let name = words.split("  ").next().unwrap_or_default();
        let is_command = indent.len() == 2 && name.starts_with(|c: char| c.is_ascii_lowercase());
        if words.starts_with('-') || is_command && name.len() < words.len() {
            return format!("{indent}{}{}", literal(name), &words[name.len()..]);
        }
        line.to_owned()
    };
    help.lines().map(|text| line(text) + "\n").collect()
}

/// `ftl log …` is `ftl show --log …`.
pub(crate) fn with_log(mut words: Vec<OsString>) -> Vec<OsString> {
    let mut at = 1;
    while let Some(word) = words.get(at).and_then(|word| word.to_str()) {
        match word {
            "log" => {
                words.splice(at..=at, ["show".into(), "--log".into()]);
                break;
            }
            // Those of the options before a command that take a value.
            "-C" | "--root" | "--config" | "--color" => at += 2,
            word if word.starts_with('-') => at += 1,
            _ => break,
        }
    }
    words
}

fn groups(command: &clap::Command) -> String {
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "{title}:");
        for name in *names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name:<11}  {about}");
        }
        text.push('\n');
    }
    text
}

/// The command that a mistyped one may mean: one of another tool's name, one of this name below another, or one that clap
/// finds similar.
pub(super) fn meant(error: &clap::Error) -> Option<String> {
    let typed = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => vec![word.clone()],
        Some(ContextValue::Strings(words)) => words.clone(),
        _ => Vec::new(),
    };
    let mut ftl = Cli::command();
    ftl.build();
    let visible = |command: &&clap::Command| !command.is_hide_set();
    let words = typed(ContextKind::InvalidSubcommand);
    let known = MEANT.iter().find(|(word, _)| words.iter().any(|typed| typed == word));
    if let Some((_, meant)) = known {
        return Some(format!("did you mean `{meant}`?"));
    }
    let below = |word: &String| {
        let groups = ftl.get_subcommands().filter(visible);
        let of = |group: &clap::Command| {
            group.find_subcommand(word).map(|_| format!("{} {word}", group.get_name()))
        };
        groups.filter_map(of).collect::<Vec<String>>()
    };
    let named = words.iter().flat_map(below).collect::<Vec<_>>();
    let similar = typed(ContextKind::SuggestedSubcommand).into_iter();
    let is_visible = |name: &String| ftl.find_subcommand(name).as_ref().is_none_or(visible);
    let all = named.into_iter().map(|name| format!("`ftl {name}`"));
    let all: Vec<String> =
        all.chain(similar.filter(is_visible).map(|name| format!("`{name}`"))).collect();
    (!all.is_empty()).then(|| format!("a similar subcommand exists: {}", all.join(", ")))
}

/// The option that one of another tool may mean.
pub(super) fn meant_option(message: &str) -> Option<String> {
    let (_, meant) = OPTIONS.iter().find(|(word, _)| message.contains(&format!("`{word}`")))?;
    Some(format!("did you mean `{meant}`?"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{GROUPS, command};

    #[test]
    fn every_command_that_is_not_hidden_is_in_one_group() {
        let command = command();
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let visible = command.get_subcommands().filter(|it| !it.is_hide_set());
        let visible: BTreeSet<&str> = visible.map(clap::Command::get_name).collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), visible);
        assert_eq!(listed.len(), visible.len());
    }
}
