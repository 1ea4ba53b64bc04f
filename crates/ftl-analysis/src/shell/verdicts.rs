//! Whose exit code is a verdict, and which programs behind a pipe notice a failure before it.

use super::program::{Program, program};
use super::syntax::{Body, Command, Script};
use super::tools::Role;

fn program_of(command: &Command) -> Option<Program<'_>> {
    program(command.words())
}

pub(super) fn is_tests(command: &Command) -> bool {
    program_of(command).is_some_and(|program| program.role() == Role::Tests)
}

pub(super) fn judges(command: &Command) -> bool {
    let script_judges = |script: &Script| script.simple_commands().into_iter().any(is_judge);
    match &command.body {
        Body::Simple { inner, .. } => {
            is_judge(command) || inner.as_ref().is_some_and(|it| script_judges(&it.script))
        }
        Body::Group(script) | Body::Subshell(script) => script_judges(script),
        _ => false,
    }
}

/// Whether the failure of a simple command is a verdict.
pub(crate) fn is_judge(command: &Command) -> bool {
    program_of(command).is_some_and(|it| it.is_judge() || it.lost().is_some_and(|it| it.is_judge()))
}

/// Whether the programs behind a pipe notice that the one before them failed: the last of them compares, or is not
/// known to succeed. A search finds its words in the output of failing tests as well.
pub(super) fn notices(failed: &Command, behind: &[Command]) -> bool {
    let Some(last) = behind.last() else { return false };
    if !last.redirects.is_empty() && last.words().is_empty() {
        return false;
    }
    match program_of(last) {
        Some(program) if program.filters() => false,
        Some(program) if program.role() == Role::Search => {
            !judges(failed)
                && !behind.iter().any(|it| program_of(it).is_some_and(|it| it.name == "tee"))
        }
        Some(program) => program.role() != Role::Formality,
        None => !matches!(last.body, Body::While { .. }),
    }
}
