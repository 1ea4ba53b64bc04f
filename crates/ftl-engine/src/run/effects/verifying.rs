//! VERIFY, in the world: the command runs, and a failure is compared with what is known.
//!
//! A failing command is an event like a passing one. Whether findings make a pass worthless, and whether a
//! known fix is applied, the machine decides.

use std::fs;
use std::path::PathBuf;

use ftl_analysis::diagnosis::{error_lines, first_error_line};
use ftl_analysis::findings::{
    TestSummary, doubts_of_run, masked_exit, may_hide_failure, runs_tests, test_summary,
};
use ftl_analysis::matching::{
    Candidate, TimeLimit, fits_passing, match_failure as search, max_retries,
};
use ftl_machine::Event;
use ftl_machine::event::{FailureMatched, Verification};
use ftl_model::{Digest, Finding};
use ftl_process::{Command, Ended, How};
use ftl_store::Operation;

use super::{match_judge, planner};
use crate::result::Doing;
use crate::run::Fault;
use crate::run::commands::failed::{Failed, failed};
use crate::run::commands::output::{self, Captured};
use crate::run::commands::reports::Reports;
use crate::run::commands::setup;
use crate::run::commands::task_commands;
use crate::run::journal::recorder::Recorder;
use crate::run::landing::{self, Outcome};
use crate::run::site::Site;
use crate::run::work::{last_pass, written};
use crate::run::world::World;
use crate::text::{brief, one_line};

/// Lands the work and runs the verify command.
pub(in crate::run) fn verify(
    world: &mut World<'_>,
    command: &str,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    loop {
        let (merged, warnings) = match landing::land(world, recorder)? {
            Outcome::Landed { merged, warnings } => (merged, warnings),
            Outcome::Passed(verification) => return followed(world, *verification, recorder),
            Outcome::Conflict(conflicts) => {
                return Ok(Event::LandingConflicted(Box::new(conflicts)));
            }
        };
        let mut verification = run(world, command, recorder)?;
        if landing::is_shared(world) && !verification.passed {
            // The work of which task is at fault is seen when each has landed by itself.
            landing::return_to_workplace(world, recorder.reporter())?;
            world.lands_alone = true;
            continue;
        }
        if verification.passed {
            verification.with = landing::tell(world, &verification);
            last_pass::keep(world.site, world.tree(), &verification);
        }
        verification.merged = merged;
        verification.is_apart = !verification.passed && world.is_apart();
        verification.warnings.extend(warnings);
        return of_task(world, verification);
    }
}

/// Runs the command in the project, and says what is the same for each task whose work is there.
fn run(
    world: &mut World<'_>,
    command: &str,
    recorder: &mut Recorder<'_>,
) -> Result<Verification, Fault> {
    let log = output::next_log(world.site, "verify")?;
    recorder.begins(Doing::Verify, command);
    // Taken as late as possible: what the watch sees must be the command's own doing.
    let watch = landing::watch(world)?;
    let site = world.site;
    let (ran, no_setup) = match set_up(world, recorder)? {
        Some((ran, why)) => (ran, Some(why)),
        None => (Ran::in_project(site, command, log, recorder)?, None),
    };
    let world = &*world;
    let mut verification = ran.verification(site, command);
    verification.warnings.extend(no_setup);
    verification.warnings.extend(site.secrets.warning());
    let left = written::since(world, &watch, "the verify")?;
    verification.findings.extend(left.finding);
    verification.warnings.extend(left.warning);
    verification.written = left.written;
    verification.scratch = left.scratch;
    Ok(verification)
}

/// A run of the command that is another task's too, which made it.
fn followed(
    world: &World<'_>,
    mut verification: Verification,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    if let Some(log) = &verification.log {
        let (from, own) = (world.site.root().join(log), output::next_log(world.site, "verify")?);
        let linked = fs::hard_link(&from, &own).or_else(|_| fs::copy(&from, &own).map(drop));
        linked.map_err(|error| Operation::Write.failed(&own, error))?;
        recorder.rely_on(&own);
        verification.log = Some(output::shown(world.site, &own));
    }
    of_task(world, verification)
}

/// Adds what the run says of the task's own work.
fn of_task(world: &World<'_>, mut verification: Verification) -> Result<Event, Fault> {
    verification.warnings.extend(too_wide(world, &verification));
    verification.delta = world.delta_state()?;
    match verify_source(world) {
        Ok(digest) => verification.verify_source = digest,
        Err(why) => verification.warnings.push(why),
    }
    Ok(Event::Verified(Box::new(verification)))
}

/// Makes dependencies equal to manifests that landed. Returns the command's run if it failed, and what follows.
pub(in crate::run) fn set_up(
    world: &mut World<'_>,
    recorder: &mut Recorder<'_>,
) -> Result<Option<(Ran, String)>, Fault> {
    let (Some(setup), site) = (world.setup.take(), world.site) else {
        return Ok(None);
    };
    setup::begin(site)?;
    let log = output::next_log(site, "setup")?;
    let ran = Ran::in_project(site, &setup.command, log, recorder)?;
    let why = format!("{}, so that the verify did not run", setup::failed(setup));
    Ok((!ran.ended.success()).then_some((ran, why)))
}

/// Runs the verify command that failed in the project once more, in the workplace.
pub(in crate::run) fn confirm(
    world: &mut World<'_>,
    command: &str,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    landing::return_to_workplace(world, recorder.reporter())?;
    let site = world.site;
    let log = output::next_log(site, "confirm")?;
    recorder.begins(Doing::Verify, command);
    let by = "the verify in the workplace";
    let reports = Reports::ask(site, command);
    let env = reports.environment(site);
    let (ended, _) = task_commands::run(world, command, &log, by, env, recorder)?;
    let captured = Captured::keep(site, &ended, log, recorder)?;
    let ran = Ran { ended, captured, reports };
    Ok(Event::Confirmed(Box::new(ran.verification(site, command))))
}

/// A warning for each pattern by which an error was matched before, and that the output of a passing
/// verify fits as well: it would take any other error for its own.
fn too_wide(world: &World<'_>, verification: &Verification) -> Vec<String> {
    if !verification.passed || world.matched.is_empty() {
        return Vec::new();
    }
    let output = text_of(world, verification);
    let failures = world.brief().workspace.failures();
    let used = world.matched.iter().filter_map(|index| failures.get(*index));
    used.filter_map(|failure| fits_passing(failure, &output)).collect()
}

/// What a run printed, as it is kept.
fn text_of(world: &World<'_>, verification: &Verification) -> String {
    let log = verification.log.as_ref().map(|log| world.site.root().join(log));
    let kept = log.and_then(|log| output::text_as_captured(&log, verification.log_sha256));
    kept.unwrap_or_else(|| verification.output.clone())
}

/// The digest of the test file as it is now, where the task names one; a warning where it cannot be read any more.
pub(in crate::run) fn verify_source(world: &World<'_>) -> Result<Option<Digest>, String> {
    let path = world.brief().verify_source.as_deref();
    path.map(|path| planner::digest_of_tests(path, world.site.root())).transpose()
}

/// A run of a verify command.
pub(in crate::run) struct Ran {
    ended: Ended,
    captured: Captured,
    reports: Reports,
}

impl Ran {
    /// Runs it in the project.
    pub(in crate::run) fn in_project(
        site: &Site<'_>,
        command: &str,
        log: PathBuf,
        recorder: &mut Recorder<'_>,
    ) -> Result<Self, Fault> {
        Self::placed(site, command, log, recorder, |child| child)
    }

    /// Runs it where `place` puts it.
    pub(in crate::run) fn placed(
        site: &Site<'_>,
        command: &str,
        log: PathBuf,
        recorder: &mut Recorder<'_>,
        place: impl FnOnce(Command) -> Command,
    ) -> Result<Self, Fault> {
        let reports = Reports::ask(site, command);
        let child = place(site.shell(command, &log).env(reports.environment(site)));
        let ended = site.run_child(&child, recorder)?;
        let captured = Captured::keep(site, &ended, log, recorder)?;
        Ok(Self { ended, captured, reports })
    }

    /// What it says, by itself.
    pub(in crate::run) fn verification(self, site: &Site<'_>, command: &str) -> Verification {
        verification(site, command, &self.ended, self.captured, &self.reports)
    }
}

fn verification(
    site: &Site<'_>,
    command: &str,
    ended: &Ended,
    captured: Captured,
    reports: &Reports,
) -> Verification {
    let passed = ended.success();
    let error = (!passed).then(|| error_of(site, ended, &captured.text));
    let (exit, signal) = match ended.how {
        How::Exit(code) => (Some(code), None),
        How::Signal(signal) => (None, Some(signal)),
    };
    let doubts = doubts_of_run(command, passed, &captured.text);
    let has_failed = !passed || doubts.iter().any(|doubt| doubt.finding == Finding::FailedAnyway);
    let failed = match has_failed {
        true => failed(site, command, &captured.text, reports, error.as_deref()),
        false => Failed::default(),
    };
    let summary = test_summary(&captured.text);
    let ran = summary.as_ref().and_then(|summary| summary.ran);
    let hides_exit = passed && hides_exit(command, summary.as_ref());
    let summary = summary.map(|summary| summary.line);
    let mut warnings = captured.warnings;
    warnings.extend(doubts.iter().map(|doubt| one_line(&doubt.reason)));
    let findings = doubts.iter().map(|doubt| doubt.finding).collect();
    warnings.extend(output::left_behind("the verify", ended));
    Verification {
        command: command.to_owned(),
        passed,
        exit,
        signal,
        timed_out: ended.timed_out,
        duration_ms: u64::try_from(ended.duration.as_millis()).unwrap_or(u64::MAX),
        error,
        summary: summary.or_else(|| last_line(&captured.text)).map(|line| brief(&one_line(&line))),
        output: captured.excerpt,
        log: captured.log,
        log_sha256: captured.sha256,
        ran,
        failures: failed.failures,
        more_failures: failed.more,
        excerpt: failed.excerpt,
        rerun: failed.rerun,
        hides_exit,
        may_hide: passed && (may_hide_failure(command) || runs_tests(command) && ran.is_none()),
        findings,
        warnings,
        ..Verification::default()
    }
}

/// Whether the text of a command shows that it hides an exit code; not that of a runner whose own summary says that tests ran
/// and none failed.
fn hides_exit(command: &str, summary: Option<&TestSummary>) -> bool {
    let answers = |it: &TestSummary| it.is_whole && !it.is_repeated && it.passed();
    let is_answered = summary.is_some_and(answers);
    masked_exit(command).is_some_and(|masked| !(is_answered && runs_tests(&masked.program)))
}

/// The last line of an output that is not blank.
fn last_line(output: &str) -> Option<String> {
    output.lines().rev().find(|line| !line.trim().is_empty()).map(|line| line.trim().to_owned())
}

/// The line that a person would quote of a run that failed.
pub(in crate::run) fn error_of(site: &Site<'_>, ended: &Ended, output: &str) -> String {
    let how = output::how_it_ended(ended, site.settings.commands.limit);
    let otherwise = format!("the verify failed: {how}");
    let error = if ended.timed_out { otherwise } else { first_error_line(output, &otherwise) };
    one_line(&error)
}

/// Classifies a failed verify and looks for it among the known failures.
pub(in crate::run) fn match_failure(
    world: &mut World<'_>,
    verification: &Verification,
    earlier_time_limits: u32,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    let text = text_of(world, verification);
    let lines = error_lines(&text);
    let failures = world.brief().workspace.failures();
    let mut found = search(&text, &lines, failures);
    let opinion = match_judge::ask(world, verification, &lines, &found, recorder)?;
    found.matched = found.matched.or(opinion.matched);
    found.warnings.extend(opinion.warnings);
    world.matched.extend(found.matched.iter().map(|matched| matched.index));
    let classification = world.site.settings.failures.families.classify(&lines);
    let time_limit = match (verification.timed_out, earlier_time_limits) {
        (false, _) => TimeLimit::Kept,
        (true, 0) => TimeLimit::FirstExceeded,
        (true, _) => TimeLimit::ExceededAgain,
    };
    let known = found.matched.as_ref().and_then(|matched| failures.get(matched.index));
    Ok(Event::FailureMatched(Box::new(FailureMatched {
        known: found.matched.as_ref().map(|matched| {
            let mut known = matched.known(failures);
            known.name = one_line(&known.name);
            known.fix = one_line(&known.fix);
            known.rationale = one_line(&known.rationale);
            known
        }),
        max: max_retries(&classification, known, time_limit),
        without_fix: found.without_fix.iter().map(|name| one_line(name)).collect(),
        judge: opinion.verdict,
        near: found.candidates.iter().take(3).map(near).collect(),
        warnings: found.warnings,
    })))
}

/// A failure that came near, and why it is not taken for the error.
fn near(candidate: &Candidate) -> String {
    let (name, why) = (&candidate.name, &candidate.rationale);
    one_line(&format!("`{name}` came near ({why}), below what is taken"))
}
