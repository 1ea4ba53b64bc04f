//! `ftl doctor`: what this machine and project have for building tasks, and what to do about the rest.
//!
//! Each check tries the real thing where a build would use it: git is asked, an overlay is mounted, the
//! state directory is written to. What is looked at in the project is in `project.rs`, programs are in
//! `programs.rs`, what an agent needs beside its program is in `agent.rs`.

mod agent;
mod programs;
mod project;

use std::fmt::Write as _;

use ftl_engine::project::find;
use ftl_engine::result::{Check, CheckState, Examination};
use ftl_text::one_line;

use crate::args::{DoctorArgs, Format};
use crate::config::Config;
use crate::exit::FAILED;
use crate::failure::Failure;
use crate::{CommandResult, globals, output};

/// Columns of the topic.
const TOPIC: usize = 14;

/// Looks at everything, and lists it.
pub(crate) fn run(args: &DoctorArgs) -> CommandResult {
    let layout = find(globals::root(), None)?;
    let loaded = Config::load(globals::config(), layout.root());
    let (place, _) = Config::place(globals::config(), layout.root());
    let mut checks = vec![project::root(&layout), project::configuration(&loaded, &place)];
    let config = loaded.unwrap_or_default();
    checks.push(project::state(&layout));
    checks.extend(project::old_runs(&layout));
    checks.extend(project::git(&layout));
    checks.push(project::isolation(&layout, &config));
    checks.extend(project::tasks(&layout));
    checks.extend(programs::agents(&config));
    checks.extend(agent::checks(args.agent.as_deref(), &config, layout.root())?);
    checks.extend(programs::front_ends());
    let is_sound = checks.iter().all(|check| check.state != CheckState::Problem);
    match args.format {
        Format::Human => output::result(&table(&checks))?,
        Format::Json => output::json(&Examination { checks })?,
    }
    Ok(if is_sound { 0 } else { FAILED })
}

/// A line for each check, what to do below it, and a last line with totals.
fn table(checks: &[Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let mark = match check.state {
            CheckState::Good => "ok",
            CheckState::Note => "note",
            CheckState::Problem => "problem",
        };
        let (topic, found) = (check.topic, one_line(&check.found));
        let _ = writeln!(text, "{mark:8} {topic:TOPIC$} {found}");
        if let Some(help) = &check.help {
            let _ = writeln!(text, "{:8} {:TOPIC$} to fix it: {}", "", "", one_line(help));
        }
    }
    let count = |state| checks.iter().filter(|check| check.state == state).count();
    let problems = count(CheckState::Problem);
    let notes = count(CheckState::Note);
    let _ = match problems {
        0 => writeln!(text, "tasks can be built ({notes} notes)"),
        1 => writeln!(text, "1 problem prevents builds"),
        _ => writeln!(text, "{problems} problems prevent builds"),
    };
    text
}

fn good(topic: &'static str, found: impl Into<String>) -> Check {
    Check { topic, state: CheckState::Good, found: found.into(), help: None }
}

fn note(topic: &'static str, found: impl Into<String>, help: impl Into<String>) -> Check {
    Check { state: CheckState::Note, help: Some(help.into()), ..good(topic, found) }
}

fn problem(topic: &'static str, found: impl Into<String>, help: impl Into<String>) -> Check {
    Check { state: CheckState::Problem, help: Some(help.into()), ..good(topic, found) }
}

/// A failure of another command, as a problem of this topic.
fn failed(topic: &'static str, failure: &Failure) -> Check {
    let help = failure.result().error.help;
    Check { state: CheckState::Problem, help, ..good(topic, failure.to_string()) }
}
