//! VERIFY, in the world: the command runs, and a failure is compared with what is known.

use ftl_process::{Ended, How};

use super::chronicle::Chronicle;
use super::output::{self, Captured};
use super::planning::normalised;
use super::reading::one_line;
use super::world::World;
use super::{Fault, checking};
use crate::errors::{error_lines, first_error_line};
use crate::findings::{Finding, changed_tests, doubts_of_run};
use crate::machine::State;
use crate::machine::event::{Event, FailureMatched, Standing, Verification};
use crate::matching::{TimeLimit, find, max_retries};

/// Runs the verify command.
pub(super) fn verify(
    world: &mut World<'_>,
    state: &State,
    chronicle: &mut Chronicle<'_>,
) -> Result<Event, Fault> {
    let command = state.plan().verify.clone();
    let log = output::next_log(world, "verify")?;
    chronicle
        .listener()
        .begins(&format!("verify: {}", one_line(&command)));
    let watch = world.scope().watch()?;
    let ended = world.run_child(&checking::shell(world, &command, &log), chronicle)?;
    let captured = Captured::keep(world, &ended, log)?;
    let mut verification = verification(world, &command, &ended, captured);
    verification.delta = world.before().compare(world.scope())?;
    verification
        .findings
        .extend(tests_changed(world, &verification.delta));
    let written = world.scope().written_since(&watch)?;
    verification.scratch = written.into_iter().take(100).collect();
    Ok(Event::Verified(Box::new(verification)))
}

fn verification(
    world: &World<'_>,
    command: &str,
    ended: &Ended,
    captured: Captured,
) -> Verification {
    let passed = ended.success();
    let error = (!passed).then(|| {
        let otherwise = format!(
            "the verify failed: {}",
            output::how_it_ended(ended, world.settings.verify_limit)
        );
        if ended.timed_out {
            otherwise
        } else {
            first_error_line(&captured.text, &otherwise)
        }
    });
    let (exit, signal) = match ended.how {
        How::Exit(code) => (Some(code), None),
        How::Signal(signal) => (None, Some(signal)),
    };
    let doubts = doubts_of_run(command, &captured.text);
    let mut warnings = captured.warnings;
    warnings.extend(doubts.iter().map(|doubt| doubt.reason.clone()));
    let findings = doubts
        .iter()
        .map(|doubt| doubt.finding.as_str().to_owned())
        .collect();
    warnings.extend(output::left_behind("the verify", ended));
    Verification {
        command: command.to_owned(),
        passed,
        exit,
        signal,
        timed_out: ended.timed_out,
        duration_ms: u64::try_from(ended.duration.as_millis()).unwrap_or(u64::MAX),
        error: error.map(|line| one_line(&line)),
        output: captured.excerpt,
        log: captured.log,
        findings,
        warnings,
        ..Verification::default()
    }
}

/// Whether the implementer changed what decides: the named test, or how tests are run.
fn tests_changed(world: &World<'_>, delta: &Standing) -> Option<String> {
    let source = normalised(world.workspace.verify_source.trim());
    let source = Some(source.as_str()).filter(|source| !source.is_empty());
    let touched = delta.touched.iter().map(|file| file.path.as_str());
    let changed = !changed_tests(source, touched).is_empty();
    changed.then(|| Finding::TestsChanged.as_str().to_owned())
}

/// Runs the verify before anybody writes, at no charge: did it pass already?
pub(super) fn baseline(
    world: &World<'_>,
    chronicle: &mut Chronicle<'_>,
) -> Result<Vec<String>, Fault> {
    let command = world.workspace.verify.trim();
    let log = output::next_log(world, "baseline")?;
    chronicle
        .listener()
        .begins("verify, before anything is written");
    let ended = world.run_child(&checking::shell(world, command, &log), chronicle)?;
    let finding = Finding::PassedBefore.as_str().to_owned();
    Ok(if ended.success() {
        vec![finding]
    } else {
        Vec::new()
    })
}

/// Classifies a failed verify and looks for it among the known failures.
pub(super) fn match_failure(
    world: &World<'_>,
    verification: &Verification,
    earlier_time_limits: u32,
) -> Event {
    let kept = verification
        .log
        .as_ref()
        .and_then(|log| output::text(&world.root().join(log)));
    let text = kept.unwrap_or_else(|| verification.output.clone());
    let lines = error_lines(&text);
    let failures = world.workspace.failures();
    let found = find(&text, &lines, failures);
    let classification = world.settings.families.classify(&lines);
    let time_limit = match (verification.timed_out, earlier_time_limits) {
        (false, _) => TimeLimit::Kept,
        (true, 0) => TimeLimit::FirstExceeded,
        (true, _) => TimeLimit::ExceededAgain,
    };
    let known = found
        .matched
        .as_ref()
        .and_then(|matched| failures.get(matched.index));
    Event::FailureMatched(Box::new(FailureMatched {
        known: found.matched.as_ref().map(|matched| {
            let mut known = matched.known(failures);
            known.name = one_line(&known.name);
            known.fix = one_line(&known.fix);
            known.rationale = one_line(&known.rationale);
            known
        }),
        max: max_retries(&classification, known, time_limit),
        without_fix: found
            .without_fix
            .iter()
            .map(|name| one_line(name))
            .collect(),
        warnings: found.warnings,
    }))
}
