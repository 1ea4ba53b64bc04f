//! IMPLEMENT, mends and fixes, in the world: capture, ask, compare, put back what strayed.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ftl_model::{DeltaPath, Failure};

use super::before::Before;
use super::chronicle::{Chronicle, Note};
use super::implementer::{Answer, agent, patch};
use super::settings::Implementer;
use super::world::World;
use super::{Fault, checking, diff, verifying};
use crate::machine::event::{FixApplied, Scratch, Used, Work};
use crate::machine::{Effect, Event, Next, Request, State};
use crate::scope::{Capture, Changes};

/// So many scratch paths are listed.
const MAX_SCRATCH: usize = 100;

pub(super) fn implement(
    world: &mut World<'_>,
    request: &Request,
    state: &State,
    chronicle: &mut Chronicle<'_>,
) -> Result<Event, Fault> {
    world.lock_root(chronicle.listener())?;
    let delta: Vec<DeltaPath> = state.plan().paths().cloned().collect();
    world.open_scope(&delta)?;
    let findings = if world.settings.baseline {
        verifying::baseline(world, chronicle)?
    } else {
        Vec::new()
    };
    let mut work = match &world.settings.implementer {
        Implementer::Tree { base } => tree(world, base.clone().as_deref())?,
        Implementer::Agent { .. } | Implementer::Patches(_) => {
            world.patches += 1;
            ask(world, request, &state.plan().tests, None, chronicle)?
        }
    };
    work.warnings
        .splice(0..0, world.scope().warnings().iter().cloned());
    work.findings = findings;
    Ok(Event::Implemented(Box::new(work)))
}

pub(super) fn mend(
    world: &mut World<'_>,
    request: &Request,
    state: &State,
    chronicle: &mut Chronicle<'_>,
) -> Result<Event, Fault> {
    world.lock_root(chronicle.listener())?;
    world.patches += 1;
    let work = ask(world, request, &state.plan().tests, None, chronicle)?;
    Ok(Event::Mended(Box::new(work)))
}

pub(super) fn apply_fix(
    world: &mut World<'_>,
    failure: usize,
    request: &Request,
    state: &State,
    chronicle: &mut Chronicle<'_>,
) -> Result<Event, Fault> {
    world.lock_root(chronicle.listener())?;
    let index = failure;
    let failure = world
        .workspace
        .failures()
        .get(index)
        .cloned()
        .unwrap_or_default();
    world.patches += u32::from(world.takes_a_patch(Some(index)));
    let work = ask(
        world,
        request,
        &state.plan().tests,
        Some(&failure),
        chronicle,
    )?;
    let touched: BTreeSet<DeltaPath> = touched_by_now(state, &work);
    let mut checks = Vec::new();
    for path in state.plan().paths().filter(|path| touched.contains(path)) {
        checks.push(checking::file(world, path, state)?);
    }
    Ok(Event::FixApplied(Box::new(FixApplied { work, checks })))
}

fn touched_by_now(state: &State, work: &Work) -> BTreeSet<DeltaPath> {
    let now = work.delta.touched.iter().map(|file| file.path.clone());
    state.touched().into_iter().chain(now).collect()
}

/// The delta as it stands, compared with its base.
fn tree(world: &mut World<'_>, base: Option<&str>) -> Result<Work, Fault> {
    let scope = world.scope();
    let before = if scope.has_git() {
        Before::Revision(Box::new(scope.base(base)?))
    } else {
        Before::Unknown
    };
    let mut work = Work {
        delta: before.compare(scope)?,
        ..Work::default()
    };
    work.changed = !work.delta.touched.is_empty();
    if let Before::Revision(base) = &before {
        let strays: Vec<String> = base.strays.iter().map(ToString::to_string).collect();
        if world.settings.strict_scope {
            work.strays = strays;
        } else if !strays.is_empty() {
            work.warnings.push(format!(
                "outside the delta also changed: {}",
                listed(&strays)
            ));
        }
    }
    if work.delta.touched.is_empty() {
        work.no_change = true;
        work.warnings
            .push("nothing in the delta differs from its base: taken as `no_change`".into());
    }
    world.before = Some(before);
    Ok(work)
}

fn listed(paths: &[String]) -> String {
    const SHOWN: usize = 10;
    let shown = paths[..paths.len().min(SHOWN)].join(", ");
    match paths.len().checked_sub(SHOWN) {
        None | Some(0) => shown,
        Some(more) => format!("{shown} and {more} more"),
    }
}

/// Captures the tree, lets somebody write, and looks at what came of it.
fn ask(
    world: &mut World<'_>,
    request: &Request,
    tests: &Option<String>,
    failure: Option<&Failure>,
    chronicle: &mut Chronicle<'_>,
) -> Result<Work, Fault> {
    let number = world.requests + 1;
    let capture = world.scope().capture(&capture_dir(world, number))?;
    chronicle.note(&Note::Captured { request: number })?;
    world.requests = number;
    let answer = answer(world, request, number, tests, failure, chronicle)?;
    let changes = world.scope().compare(&capture)?;
    let mut work = judge(world, &capture, changes, answer, number)?;
    if world.before.is_none() {
        world.before = Some(Before::Captured(Box::new(capture)));
    }
    work.delta = world.before().compare(world.scope())?;
    Ok(work)
}

/// Who answers: a fix that needs nobody, or the implementer.
fn answer(
    world: &World<'_>,
    request: &Request,
    number: u32,
    tests: &Option<String>,
    failure: Option<&Failure>,
    chronicle: &mut Chronicle<'_>,
) -> Result<Answer, Fault> {
    let kind = failure
        .and_then(|failure| failure.fix_kind.as_deref())
        .map(str::trim);
    match (failure, kind) {
        (Some(_), Some("rerun")) => Ok(Answer::default()),
        (Some(failure), Some("patch")) => {
            patch::apply(world, number, failure.fix.as_bytes(), "the fix", chronicle)
        }
        (Some(failure), Some("command")) => {
            agent::run_fix(world, number, failure.fix.trim(), chronicle)
        }
        (Some(_) | None, _) => match &world.settings.implementer {
            Implementer::Agent { command } => {
                agent::ask(world, request, number, command, tests, failure, chronicle)
            }
            Implementer::Patches(patches) => patch::next(world, number, patches, chronicle),
            Implementer::Tree { .. } => Ok(Answer::failed(
                "the fix is prose, and with the tree as it stands there is nobody to apply it",
            )),
        },
    }
}

/// What the comparison and the answer together come to.
fn judge(
    world: &World<'_>,
    capture: &Capture,
    changes: Changes,
    answer: Answer,
    number: u32,
) -> Result<Work, Fault> {
    let odd = changes.delta.iter().find(|(_, change)| change.now.is_odd());
    let odd = odd.map(|(path, _)| format!("`{path}` is no longer a regular file"));
    let strays: Vec<String> = changes
        .strays
        .iter()
        .map(|at| at.path.to_string())
        .collect();
    let mut work = Work {
        failure: answer.failure.or(odd),
        changed: changes.touch_delta(),
        scratch: changes
            .scratch
            .into_iter()
            .take(MAX_SCRATCH)
            .collect::<Vec<Scratch>>(),
        strays,
        needs: answer.needs,
        no_change: answer.no_change,
        summary: answer.summary,
        warnings: capture.warnings().to_vec(),
        ..Work::default()
    };
    work.warnings.extend(answer.warnings);
    take_memories(world, &mut work, answer.utilized);
    diff::keep(world, capture, number)?;
    if !work.strays.is_empty() {
        let dir = world.run().quarantine().join(number.to_string());
        let done = world.scope().quarantine(capture, &dir)?;
        let lost: Vec<String> = done.lost.iter().map(ToString::to_string).collect();
        if !lost.is_empty() {
            work.warnings
                .push(format!("could not be put back: {}", listed(&lost)));
        }
    }
    Ok(work)
}

/// Only memories that the workspace holds can have been of use.
fn take_memories(world: &World<'_>, work: &mut Work, said: Vec<Used>) {
    let knowledge = world.workspace.prior_knowledge.clone().unwrap_or_default();
    let failures = knowledge
        .failures
        .iter()
        .filter_map(|failure| failure.name.as_deref());
    let patterns = knowledge
        .patterns
        .iter()
        .filter_map(|pattern| pattern.name.as_deref());
    let known: BTreeSet<&str> = failures.chain(patterns).collect();
    for used in said {
        if known.contains(used.name.as_str()) {
            work.utilized.push(used);
        } else {
            work.warnings.push(format!(
                "`{}` was said to be of use, but is not known",
                used.name
            ));
        }
    }
}

/// Where the capture before a request lies.
pub(super) fn capture_dir(world: &World<'_>, request: u32) -> PathBuf {
    world.run().dir().join("captures").join(request.to_string())
}

/// Whether an effect asks somebody to write, so that a crash in it leaves partial work.
pub(super) fn writes(state: &State) -> bool {
    match state.next() {
        Next::Perform(effect) => match effect {
            Effect::Implement(_) | Effect::Mend(_) | Effect::ApplyFix { .. } => true,
            Effect::ReadWorkspace
            | Effect::CheckPlan
            | Effect::ReadTests(_)
            | Effect::CheckFile(_)
            | Effect::RunPreflight { .. }
            | Effect::Verify { .. }
            | Effect::MatchFailure { .. }
            | Effect::Judge
            | Effect::Seal(_) => false,
        },
        Next::Finished(_) => false,
    }
}
