//! PREFLIGHT, in the world: the syntax of touched files, and the extra commands.
//!
//! One file or command is one event, so that a crash repeats no more than one. How often one may fail, the
//! machine counts.

use std::path::Path;

use ftl_analysis::diagnosis::first_error_line;
use ftl_machine::Event;
use ftl_machine::event::CommandChecked;
use ftl_model::{Check, CheckStatus, DeltaPath, Digest};
use ftl_preflight::{Checker, LARGEST, Language, Reason, Report, Source, Status};
use ftl_tree::DeltaContent;

use super::implementer::without_variables;
use crate::parsing::options;
use crate::result::Doing;
use crate::result::diagnostic;
use crate::run::Fault;
use crate::run::commands::output::{self, Captured};
use crate::run::commands::task_commands;
use crate::run::journal::recorder::Recorder;
use crate::run::settings::Settings;
use crate::run::work::written;
use crate::run::world::World;
use crate::text::one_line;

/// Checks one delta file, and remembers the very bytes that were checked.
pub(in crate::run) fn file(world: &mut World<'_>, path: &DeltaPath) -> Result<Check, Fault> {
    let tree = world.tree();
    let bytes = match tree.read_up_to(path, LARGEST)? {
        Some(DeltaContent::Bytes(bytes)) => bytes,
        Some(DeltaContent::TooLarge(len)) => {
            let reason = Reason::TooLarge(len).to_string();
            let sha256 = tree.state(path)?.digest();
            return Ok(Check { sha256, ..unchecked(path, &reason) });
        }
        None => return Ok(unchecked(path, "the file is deleted")),
    };
    let full = world.site.root().join(path);
    let settings = world.site.settings;
    let checker = world.checker.get_or_insert_with(|| Checker::new(options(settings)));
    let report = checker.check_source(Source::new(&full, &bytes));
    // To go on without a look would be a verdict that the file never got.
    if let Status::Unchecked { reason: Reason::NoThread(why) } = &report.status {
        return Err(Fault::Checking { path: full, why: why.clone() });
    }
    Ok(check(path, &report, &bytes))
}

/// The files in a language whose syntax can be checked.
pub(in crate::run) fn checkable(paths: &[DeltaPath]) -> Vec<DeltaPath> {
    let is_known = |path: &&DeltaPath| Language::of_path(path.as_ref()).is_some();
    paths.iter().filter(is_known).cloned().collect()
}

/// Whether nothing speaks against the syntax of a file that is not in the tree.
pub(in crate::run) fn parses(settings: &Settings, full: &Path, bytes: &[u8]) -> bool {
    match Checker::new(options(settings)).check_source(Source::new(full, bytes)).status {
        Status::Valid => true,
        Status::Unchecked { reason } => !matches!(reason, Reason::NoThread(_)),
        _ => false,
    }
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
        other => (CheckStatus::Unchecked, Some(format!("unknown verdict `{}`", other.as_str()))),
    };
    Check {
        path: path.clone(),
        checker: report.checker.to_string(),
        status,
        reason: reason.map(|reason| one_line(&reason)),
        diagnostics: report.diagnostics().iter().map(diagnostic).collect(),
        sha256: Some(Digest::of(bytes)),
    }
}

/// Runs one extra command, under verify's limit and environment.
pub(in crate::run) fn command(
    world: &mut World<'_>,
    index: usize,
    command: &str,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    let log = output::next_log(world.site, "preflight")?;
    recorder.begins(Doing::Preflight, command);
    let who = written::preflight_command(world, command);
    let env = without_variables(world.site.settings.commands.env.clone());
    let (ended, left) = task_commands::run(world, command, &log, &who, env, recorder)?;
    if let Some(place) = world.workplace.as_mut().filter(|_| world.locked.is_none()) {
        place.has_run_command = true;
    }
    let captured = Captured::keep(world.site, &ended, log, recorder)?;
    let error = (!ended.success()).then(|| {
        let otherwise = output::how_it_ended(&ended, world.site.settings.commands.limit);
        one_line(&first_error_line(&captured.text, &otherwise))
    });
    let mut warnings = captured.warnings;
    warnings.extend(output::left_behind(&who, &ended));
    warnings.extend(left.warning);
    warnings.extend(world.site.secrets.warning());
    Ok(Event::CommandChecked(CommandChecked {
        index,
        passed: ended.success(),
        error,
        output: captured.excerpt,
        log: captured.log,
        delta: world.delta_state()?,
        findings: left.finding.into_iter().collect(),
        written: left.written,
        scratch: left.scratch,
        warnings,
    }))
}
