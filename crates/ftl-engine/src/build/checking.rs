//! PREFLIGHT, in the world: the syntax of touched files, and the extra commands.

use ftl_model::DeltaPath;
use ftl_preflight::{Checker, Options, Reason, Report, Source, Status};
use ftl_process::{Capture, Command};

use super::Fault;
use super::chronicle::Chronicle;
use super::implementer::agent::without_variables;
use super::output::{self, Captured};
use super::reading::one_line;
use super::world::World;
use crate::digest::sha256;
use crate::errors::first_error_line;
use crate::machine::State;
use crate::machine::event::{Check, CheckStatus, CommandChecked, Diagnostic, Event};

/// Checks one delta file, and remembers the very bytes that were checked.
pub(super) fn file(world: &mut World<'_>, path: &DeltaPath, state: &State) -> Result<Check, Fault> {
    let delta: Vec<DeltaPath> = state.plan().paths().cloned().collect();
    let bytes = world.open_scope(&delta)?.read(path)?;
    let Some(bytes) = bytes else {
        return Ok(unchecked(path, "the file is deleted"));
    };
    let full = world.root().join(path);
    let settings = world.settings;
    let checker = world.checker.get_or_insert_with(|| {
        let options = Options::default().with_checker(settings.checker);
        Checker::new(match &settings.scout {
            Some(program) => options.with_scout(program, ["scout"]),
            None => options,
        })
    });
    let report = checker.check_source(Source::new(&full, &bytes));
    // To go on without a look would be a verdict that the file never got.
    if let Status::Unchecked {
        reason: Reason::NoThread(why),
    } = &report.status
    {
        return Err(Fault::Checking {
            path: full,
            why: why.clone(),
        });
    }
    Ok(check(path, &report, &bytes))
}

fn unchecked(path: &DeltaPath, reason: &str) -> Check {
    Check {
        path: path.clone(),
        checker: "none".into(),
        status: CheckStatus::Unchecked,
        reason: Some(reason.into()),
        diagnostics: Vec::new(),
        sha256: None,
    }
}

fn check(path: &DeltaPath, report: &Report, bytes: &[u8]) -> Check {
    let (status, reason) = match &report.status {
        Status::Valid => (CheckStatus::Valid, None),
        Status::Invalid(_) => (CheckStatus::Invalid, None),
        Status::Unchecked { reason } => (CheckStatus::Unchecked, Some(reason.to_string())),
        // The crate may learn new verdicts; what is not known to be valid is not valid.
        other => (
            CheckStatus::Unchecked,
            Some(format!("unknown verdict `{}`", other.as_str())),
        ),
    };
    Check {
        path: path.clone(),
        checker: report.checker.to_string(),
        status,
        reason: reason.map(|reason| one_line(&reason)),
        diagnostics: report.diagnostics().iter().map(diagnostic).collect(),
        sha256: Some(sha256(bytes)),
    }
}

pub(crate) fn diagnostic(found: &ftl_preflight::Diagnostic) -> Diagnostic {
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    Diagnostic {
        severity: match found.severity {
            ftl_preflight::Severity::Warning => "warning".into(),
            _ => "error".into(),
        },
        message: one_line(&found.message),
        line: count(found.line),
        column: count(found.column),
        end_line: count(found.end_line),
        end_column: count(found.end_column),
        start: count(found.start),
        end: count(found.end),
        code: found.code.clone(),
        checker: found.checker.to_string(),
    }
}

/// Runs one extra command, under verify's limit and environment.
pub(super) fn command(
    world: &World<'_>,
    index: usize,
    command: &str,
    chronicle: &mut Chronicle<'_>,
) -> Result<Event, Fault> {
    let log = output::next_log(world, "preflight")?;
    chronicle
        .listener()
        .begins(&format!("preflight: {}", one_line(command)));
    let ended = world.run_child(&shell(world, command, &log), chronicle)?;
    let captured = Captured::keep(world, &ended, log)?;
    let error = (!ended.success()).then(|| {
        let otherwise = output::how_it_ended(&ended, world.settings.verify_limit);
        one_line(&first_error_line(&captured.text, &otherwise))
    });
    Ok(Event::CommandChecked(CommandChecked {
        index,
        passed: ended.success(),
        error,
        output: captured.excerpt,
        log: captured.log,
        delta: world.before().compare(world.scope())?,
    }))
}

/// A command of the workspace, in the root, told nothing of agents.
pub(super) fn shell(world: &World<'_>, command: &str, log: &std::path::Path) -> Command {
    Command::shell(command, [])
        .dir(world.root())
        .env(without_variables(world.settings.verify_env.clone()))
        .time_limit(Some(world.settings.verify_limit))
        .grace(world.settings.grace)
        .capture(Capture::default().spill(log))
}
