//! IMPLEMENT, repairs and fixes: snapshot, ask, compare, put back what strayed.
//!
//! The order is what makes a request safe. The snapshot is durable before anybody is asked, so that a
//! crash at any later point can be undone. What was touched is found by comparing, never from what the
//! implementer says. Strays go into quarantine before the delta is looked at, so that what is judged is
//! the tree that stays.
//!
//! How an agent or a patch is run is not here but in `implementer/`; whether the work is enough, the
//! machine decides.

use std::collections::BTreeSet;

use ftl_machine::event::{FixApplied, Work};
use ftl_machine::{Effect, Event, Next, Request, State};
use ftl_model::{BaseCommit, DeltaPath, Failure, Isolation, Remedy, Scratch, Used};
use ftl_tree::{Changes, Snapshot};

use super::before::{Before, today};
use super::held_task::HeldTask;
use super::implementer::{Answer, agent, patch};
use super::linked_store::{self, LinkedStore};
use super::recorder::{Note, Recorder};
use super::settings::{Implementer, Isolate};
use super::slots::landing;
use super::verifying::Baseline;
use super::world::World;
use super::{Fault, crash_backup, diff, isolation, preflighting, putting_back, verifying};
use crate::text::{brief, listed, one_line};

/// Scratch paths in an event: a build directory can have thousands, and the journal keeps them all.
const MAX_SCRATCH: usize = 100;

/// The first request. The tree is locked and opened for it and not before: READ and PLAN need neither, and a task
/// that they block makes no other build wait.
pub(super) fn implement(
    world: &mut World<'_>,
    request: &Request,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    // Before the request: afterwards it is unknown whether the verify had passed already.
    let baseline = match world.site.settings.baseline {
        true => verifying::baseline(world, &request.plan.verify, recorder)?,
        false => Baseline::default(),
    };
    let head = world.tree().head()?;
    let mut work = match &world.site.settings.implementer {
        Implementer::Tree { base } => current_delta(world, base.as_deref(), head.as_ref())?,
        Implementer::Agent(_) | Implementer::Patches(_) => {
            world.made.patches += 1;
            ask(world, request, None, recorder)?
        }
    };
    // What is odd about the tree comes first: it explains what follows.
    let warnings = world.tree().warnings().iter().cloned();
    work.warnings.splice(0..0, warnings);
    work.findings = baseline.findings;
    work.failed_before = baseline.failed_before;
    work.base = head.map(|head| BaseCommit {
        commit: match world.before.as_ref().and_then(Before::commit) {
            Some(commit) => commit.to_owned(),
            None => head.commit,
        },
        branch: head.branch,
    });
    work.warnings.extend(baseline.left.warning);
    work.scratch.extend(baseline.left.scratch);
    Ok(Event::Implemented(Box::new(work)))
}

/// Asks for a repair of what preflight found. It takes a separate patch, as any request does.
pub(super) fn mend(
    world: &mut World<'_>,
    request: &Request,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    world.made.patches += 1;
    let work = ask(world, request, None, recorder)?;
    Ok(Event::Mended(Box::new(work)))
}

/// Applies a fix and checks the syntax of everything touched by now, which is part of RETRY.
pub(super) fn apply_fix(
    world: &mut World<'_>,
    index: usize,
    request: &Request,
    touched: Vec<DeltaPath>,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    let failure = world.brief().workspace.failures().get(index);
    // The index comes from an event that was matched against this very document.
    let failure = failure.ok_or_else(|| Fault::Changed {
        what: "a known failure",
        run: world.site.run.number(),
        changes: Vec::new(),
    })?;
    // Others land while the fix is made.
    landing::return_to_copy(world, recorder.reporter())?;
    world.made.patches += u32::from(world.takes_a_patch(index));
    let work = ask(world, request, Some(failure), recorder)?;
    let now = work.delta.touched.iter().map(|file| file.path.clone());
    // Files of earlier requests as well: the verify that follows runs on all of them.
    let touched: BTreeSet<DeltaPath> = touched.into_iter().chain(now).collect();
    let mut checks = Vec::new();
    for path in request.plan.paths().filter(|path| touched.contains(path)) {
        checks.push(preflighting::file(world, path)?);
    }
    Ok(Event::FixApplied(Box::new(FixApplied { work, checks })))
}

/// The current delta, compared with its base. There is no snapshot: nothing is asked to write, so
/// there is nothing to put back, and strays are only reported.
fn current_delta(
    world: &mut World<'_>,
    base: Option<&str>,
    head: Option<&BaseCommit>,
) -> Result<Work, Fault> {
    let tree = world.tree();
    let today = match base {
        None if tree.has_git() => Some(tree.base_at(head)?),
        None => None,
        Some(_) => today(tree, base)?,
    };
    let before = Before::of_tree(world.site, world.source, tree, base, || Ok(today.clone()))?;
    let mut work = Work { delta: before.compare(tree)?, ..Work::default() };
    work.changed = !work.delta.touched.is_empty();
    // Strays are those of today, whatever the delta is measured by.
    if let Some(base) = today {
        let strays = super::deliveries::others(tree, &base, world.site.layout);
        if world.site.settings.strict_scope {
            work.strays = strays;
        } else if !strays.is_empty() {
            work.warnings.push(format!("outside the delta also changed: {}", listed(&strays)));
        }
    }
    if work.delta.touched.is_empty() {
        work.no_change = true;
        work.warnings
            .push("no file of the delta differs from the base: taken as `no_change`".into());
    }
    world.before = Some(before);
    Ok(work)
}

/// Lets an implementer write, isolated or not, and looks at the result.
fn ask(
    world: &mut World<'_>,
    request: &Request,
    failure: Option<&Failure>,
    recorder: &mut Recorder<'_>,
) -> Result<Work, Fault> {
    let patch = is_patch(world, failure);
    let is_performed = is_performed(world, failure);
    let means = if patch || is_performed { None } else { world.means()?.cloned() };
    let mut work = if means.is_some() || is_performed {
        isolation::ask(world, means.as_ref(), request, failure, recorder)?
    } else {
        ask_in_the_tree(world, request, failure, recorder)?
    };
    world.conversation.add(&work);
    let level = if patch { Isolation::Off } else { world.level.word() };
    work.isolation = work.isolation.or(Some(level));
    if patch && world.site.settings.requests.isolate == Some(Isolate::Overlay) {
        let reason = "a patch is applied by ftl itself, in the tree and not on an overlay";
        work.warnings.push(reason.to_owned());
    }
    work.warnings.extend(world.not_isolated.take());
    Ok(work)
}

/// Whether ftl applies a patch, and no implementer is asked.
fn is_patch(world: &World<'_>, failure: Option<&Failure>) -> bool {
    match failure.map(Failure::remedy) {
        Some(Remedy::Patch(_)) => true,
        Some(Remedy::Command(_) | Remedy::Rerun) => false,
        Some(Remedy::Prose(_)) | None => {
            matches!(world.site.settings.implementer, Implementer::Patches(_))
        }
    }
}

/// Whether another program performs a request: one to the agent, and no fix that is a patch or a command.
pub(super) fn is_performed(world: &World<'_>, failure: Option<&Failure>) -> bool {
    let settings = world.site.settings;
    let is_agent = matches!(settings.implementer, Implementer::Agent(_));
    let is_prose = matches!(failure.map(Failure::remedy), Some(Remedy::Prose(_)) | None);
    settings.requests.performer.is_some() && is_agent && is_prose
}

/// Takes a snapshot of the tree, lets an implementer write, and compares.
fn ask_in_the_tree(
    world: &mut World<'_>,
    request: &Request,
    failure: Option<&Failure>,
    recorder: &mut Recorder<'_>,
) -> Result<Work, Fault> {
    // After a crash the same number is used again, unless the user keeps what that request changed.
    let number = world.made.requests + 1;
    let store = world.site.hold_store_alone(world.root_tree().top())?;
    let snapshots = world.site.snapshots()?;
    let snapshot = world.tree().snapshot(&snapshots.make(number)?)?;
    recorder.note(&Note::Captured { request: number })?;
    crash_backup::keep(world.site.layout, &world.site.run, world.source, recorder)?;
    snapshots.settle(world.site.layout)?;
    world.made.requests = number;
    world.site.begin_request(number)?;
    let task = HeldTask::of(world)?;
    let linked = LinkedStore::of(world.site)?;
    let answer = match answer(world, request, failure, recorder) {
        Err(Fault::Interrupted(signal)) => {
            undo(world, &snapshot, number, recorder)?;
            linked_store::put_back(linked.as_ref(), &world.site.interrupted_dir(number))?;
            task.put_back()?;
            return Err(Fault::Interrupted(signal));
        }
        answer => answer?,
    };
    world.tree().check_place()?;
    let changes = world.tree().compare(&snapshot)?;
    if let Some(fault) = outage(world, &answer, &changes) {
        recorder.note(&Note::PutBack { request: number })?;
        linked_store::put_back(linked.as_ref(), &world.site.interrupted_dir(number))?;
        task.put_back()?;
        return Err(fault);
    }
    let mut work = judge(world, &snapshot, changes, answer, recorder)?;
    linked_store::settle(linked, world.site, number, &mut work)?;
    let written = task.put_back()?.filter(|path| !work.strays.contains(path));
    work.strays.extend(written);
    drop(store);
    work.warnings.extend(recorder.disturbance("the implementer"));
    world.keep_first(snapshot)?;
    work.delta = world.delta_state()?;
    Ok(work)
}

/// Puts back what an interrupted request left in the tree, at once. What it wrote stays with the run.
fn undo(
    world: &World<'_>,
    snapshot: &Snapshot,
    request: u32,
    recorder: &mut Recorder<'_>,
) -> Result<(), Fault> {
    let tree = world.tree();
    tree.plan_put_back(snapshot, &tree.compare(snapshot)?)?;
    recorder.note(&Note::PuttingBack { request })?;
    let dir = world.site.interrupted_dir(request);
    let done = tree.finish(snapshot, &dir)?;
    recorder.note(&Note::PutBack { request })?;
    if let Some(text) = putting_back::put_back_text(world.site, world.tree(), &done, &dir) {
        recorder.reporter().warning(&text);
    }
    Ok(())
}

/// Who answers: the known fix itself where it can be run or applied, else the implementer.
pub(super) fn answer(
    world: &World<'_>,
    request: &Request,
    failure: Option<&Failure>,
    recorder: &mut Recorder<'_>,
) -> Result<Answer, Fault> {
    match failure.map(Failure::remedy) {
        Some(Remedy::Rerun) => Ok(Answer::default()),
        Some(Remedy::Patch(diff)) => patch::apply_text(world, diff, "the fix", recorder),
        Some(Remedy::Command(command)) => agent::run_fix(world, command, recorder),
        Some(Remedy::Prose(_)) | None => match &world.site.settings.implementer {
            Implementer::Agent(agent) => agent::ask(world, request, agent, failure, recorder),
            Implementer::Patches(patches) => patch::next(world, patches, recorder),
            Implementer::Tree { .. } => {
                Ok(Answer::failed("the fix is prose, and this run has no agent to apply it"))
            }
        },
    }
}

/// The fault of an agent that could not reach a model, and left everything as it was.
pub(super) fn outage(world: &World<'_>, answer: &Answer, changes: &Changes) -> Option<Fault> {
    let outage = answer.outage.as_ref()?;
    let said_more = answer.no_change || !answer.needs.is_empty();
    if said_more || !changes.are_scratch() {
        return None;
    }
    let Implementer::Agent(agent) = &world.site.settings.implementer else {
        return None;
    };
    Some(Fault::Outage {
        name: agent.name.clone(),
        kind: outage.kind,
        said: one_line(&outage.said),
        setup: agent.preset().map(|preset| preset.setup.as_str()),
        log: answer.log.clone(),
        is_first: world.made.requests == 1,
    })
}

/// The work: what the comparison found, with what the implementer reports beside it.
fn judge(
    world: &World<'_>,
    snapshot: &Snapshot,
    changes: Changes,
    answer: Answer,
    recorder: &mut Recorder<'_>,
) -> Result<Work, Fault> {
    let mut work = work_of(world, snapshot, &changes, answer)?;
    // Kept first: should the quarantine fail, the run still holds what was written.
    let number = world.made.requests;
    let (site, tree) = (world.site, world.tree());
    diff::keep(site, tree, snapshot, number)?;
    putting_back::put_back(site, tree, number, snapshot, &changes, recorder, &mut work)?;
    let written = changes.delta.iter().filter(|(_, file)| file.change.is_some());
    tree.touch_delta(written.map(|(path, _)| path))?;
    Ok(work)
}

/// What was found and what was said, in one.
pub(super) fn work_of(
    world: &World<'_>,
    snapshot: &Snapshot,
    changes: &Changes,
    answer: Answer,
) -> Result<Work, Fault> {
    let tree = world.tree();
    // A delta file that has become a link or a pipe cannot be read safely by any later step.
    let odd = changes.delta.iter().find(|(_, change)| change.now.is_odd());
    let odd = odd.map(|(path, _)| format!("`{path}` is no longer a regular file"));
    let (strays, more_strays) = putting_back::strays_of(tree, changes);
    let changed = changes.touch_delta();
    let is_idle = !changed && !answer.no_change && answer.needs.is_empty();
    let mut work = Work {
        // Of one that did nothing, too: they may say why.
        last_lines: match answer.failure.is_some() || is_idle {
            true => answer.last_lines,
            false => Vec::new(),
        },
        log: answer.log,
        agent: answer.agent,
        failure: answer.failure.or(odd),
        changed,
        scratch: changes.scratch.iter().take(MAX_SCRATCH).cloned().collect::<Vec<Scratch>>(),
        strays,
        allowed: changes.allowed.iter().map(|path| tree.shown(path)).collect(),
        needs: answer.needs,
        no_change: answer.no_change,
        summary: answer.summary,
        warnings: snapshot.warnings().to_vec(),
        ..Work::default()
    };
    work.warnings.extend(putting_back::ignored_text(tree, changes));
    work.warnings.extend(answer.warnings);
    if more_strays > 0 {
        work.warnings.push(format!("at least {more_strays} more paths outside the delta changed"));
    }
    take_memories(world, &mut work, answer.utilized);
    work.warnings.extend(world.site.secrets.warning());
    Ok(work)
}

/// Keeps the reported memories that the workspace holds, and warns of the others: a record must not name
/// knowledge that cannot be looked up.
fn take_memories(world: &World<'_>, work: &mut Work, said: Vec<Used>) {
    let knowledge = world.brief().workspace.prior_knowledge.as_ref();
    let failures = knowledge.map_or(&[][..], |knowledge| &knowledge.failures);
    let patterns = knowledge.map_or(&[][..], |knowledge| &knowledge.patterns);
    let failures = failures.iter().filter_map(|failure| failure.name.as_deref());
    let patterns = patterns.iter().filter_map(|pattern| pattern.name.as_deref());
    let known: BTreeSet<&str> = failures.chain(patterns).collect();
    for used in said {
        if known.contains(used.name.as_str()) {
            work.utilized.push(used);
        } else {
            work.warnings.push(format!(
                "the implementer reports that it used `{}`, but the task has no such knowledge",
                brief(&used.name)
            ));
        }
    }
}

/// Whether an effect lets a program write, so that a crash in it leaves partial work. No catch-all
/// arm: a new effect has to be decided here.
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
            | Effect::Confirm { .. }
            | Effect::MatchFailure { .. }
            | Effect::Judge
            | Effect::Seal(_) => false,
        },
        Next::Finished(_) => false,
    }
}
