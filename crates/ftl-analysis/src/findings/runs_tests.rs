//! Which commands run tests, so that one more run of them is nothing unusual.

use super::is_one;
use crate::shell::parse;
use crate::shell::program::program;
use crate::shell::syntax::{Body, Command, List, Script};

/// Whether a command runs a known test runner, or a target that is named for tests.
#[must_use]
pub fn runs_tests(command: &str) -> bool {
    parse(command).is_some_and(|script| in_script(&script))
}

fn in_script(script: &Script) -> bool {
    let pipelines = script.lists.iter().flat_map(List::pipelines);
    pipelines.flat_map(|pipeline| &pipeline.commands).any(in_command)
}

pub(super) fn in_command(command: &Command) -> bool {
    match &command.body {
        Body::Simple { inner: Some(inner), .. } => in_script(&inner.script),
        Body::Group(script) | Body::Subshell(script) => in_script(script),
        _ => program(command.words()).is_some_and(|program| {
            let words = program.arguments.iter();
            let is_named = |word: &str| {
                let word = word.trim_start_matches('-');
                let mut parts = word.split([':', '-', '_', '.', '/']);
                let is_target = program.name != "cargo";
                parts.any(|part| {
                    matches!(part, "test" | "tests" | "spec" | "nextest")
                        || is_target && part == "check"
                })
            };
            let is_django = program.arguments.starts_with(&["manage.py", "test"]);
            is_one("runners", program.name)
                || is_django
                || is_one("by word", program.name) && words.take(3).any(|word| is_named(word))
        }),
    }
}
