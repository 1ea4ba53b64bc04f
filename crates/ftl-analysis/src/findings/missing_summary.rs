//! Runners that passed without the summary that they always print: a test that ends the process early, as
//! `os._exit(0)` does, ends the runner too.

use super::words;
use crate::constants::ConstPattern;
use crate::diagnosis::plain_text;
use crate::shell::parse;
use crate::shell::program::program;
use crate::shell::syntax::{Body, Command, Joint, List, Pipeline, Redirect, Script};

/// A runner, the words that start it, and the patterns of which its output always holds one, once for each run at least.
struct Customary {
    runner: &'static str,
    starts: &'static str,
    summary: Vec<&'static str>,
}

/// The table, a line for each runner.
fn customs() -> impl Iterator<Item = Customary> {
    let rows = include_str!("summaries.tsv").lines().map(|row| row.split('\t'));
    rows.filter_map(|mut row| {
        Some(Customary { runner: row.next()?, starts: row.next()?, summary: row.collect() })
    })
}

/// What npm and its like print of a script before they run it.
const SCRIPT: &str = r"(?m)^(?:> \S+ \S+.*\n> |\$ )(?<command>.+)$";

/// What each test binary of cargo prints before its tests.
const BINARY: &str = r"(?m)^running \d+ tests?$";

/// The runner in `command`, or in a script that it runs, whose summary is not in `output` as often as it ran, although
/// nothing redirects what it prints.
#[must_use]
pub fn missing_summary(command: &str, output: &str) -> Option<&'static str> {
    let text = plain_text(output);
    let scripts = ConstPattern::new(SCRIPT);
    let scripts = scripts.captures_iter(&text).filter_map(|it| Some(it.name("command")?.as_str()));
    let found = std::iter::once(command).chain(scripts).find_map(|it| without_summary(it, &text));
    let summaries = |pattern: &'static str| ConstPattern::new(pattern).find_iter(&text).count();
    let is_cut = || summaries(BINARY) > summaries(r"(?m)^test result: ");
    found.or_else(|| is_cut().then_some("cargo test"))
}

fn without_summary(command: &str, text: &str) -> Option<&'static str> {
    let script = parse(command)?;
    let ran: Vec<Customary> = shown_commands(&script).into_iter().filter_map(customary).collect();
    let count = |pattern: &&'static str| ConstPattern::new(pattern).find_iter(text).count();
    let missing = |it: &&Customary| {
        let runs = ran.iter().filter(|other| other.runner == it.runner).count();
        it.summary.iter().map(count).max() < Some(runs)
    };
    ran.iter().find(missing).map(|it| it.runner)
}

fn customary(command: &Command) -> Option<Customary> {
    let program = program(command.words())?;
    let changes_form = |argument: &&str| {
        argument.starts_with('-') && words("forms").any(|option| argument.contains(option))
            || *argument == "-R"
    };
    let counts_q = program.arguments.iter().filter(|it| **it == "-q").count();
    if program.arguments.iter().any(changes_form) || counts_q > 1 {
        return None;
    }
    let started = format!("{} {} ", program.name, program.arguments.join(" "));
    let is_it = |start: &str| started.strip_prefix(start).is_some_and(|it| it.starts_with(' '));
    customs().find(|it| it.starts.split(", ").any(is_it))
}

/// The simple commands that certainly run when the script passes, and whose output nothing takes.
fn shown_commands(script: &Script) -> Vec<&Command> {
    script.lists.iter().flat_map(certain).flat_map(shown).collect()
}

/// The pipelines of a list that run when it passes.
fn certain(list: &List) -> impl Iterator<Item = &Pipeline> {
    let more = list.rest.iter().take_while(|(joint, _)| *joint == Joint::And);
    std::iter::once(&list.first).chain(more.map(|(_, pipeline)| pipeline))
}

fn shown(pipeline: &Pipeline) -> Vec<&Command> {
    let is_kept = |it: &Redirect| matches!(it.target.text.as_str(), "1" | "2");
    match pipeline.commands.as_slice() {
        [command] if command.redirects.iter().all(is_kept) => match &command.body {
            Body::Simple { inner: Some(inner), .. } => shown_commands(&inner.script),
            Body::Simple { .. } => vec![command],
            Body::Group(script) | Body::Subshell(script) => shown_commands(script),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
