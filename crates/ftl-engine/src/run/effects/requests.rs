//! IMPLEMENT, repairs and fixes: ask, compare the workplace with its base, keep the work.
//!
//! How an agent or a patch is run is not here but in `implementer/`; whether the work is enough, the
//! machine decides.

use std::collections::BTreeSet;

use ftl_machine::event::{FixApplied, Work};
use ftl_machine::{Event, Phase, Request};
use ftl_model::{BaseCommit, DeltaPath, DeltaState, Failure, Remedy, Used};
use ftl_tree::Changes;

use super::implementer::{Answer, agent, patch};
use super::{beforehand, old_tests, preflighting, setting_up};
use crate::run::commands::output;
use crate::run::journal::recorder::{Note, Recorder};
use crate::run::settings::Implementer;
use crate::run::site::files;
use crate::run::work::before::Before;
use crate::run::work::work_files::WorkFiles;
use crate::run::work::{current_tree, diff, workplace};
use crate::run::world::{World, takes_a_patch};
use crate::run::{Fault, landing};
use crate::text::{brief, listed, one_line};

/// Strays in an event, and their bytes.
const MAX_STRAYS: (usize, usize) = (1000, 1 << 16);

/// The first request. The workplace is made for it and not before: READ and PLAN need none, and a task that they block
/// makes no other build wait.
pub(in crate::run) fn implement(
    world: &mut World<'_>,
    request: &Request,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    let head = world.root_tree().head()?;
    let verify = &request.plan.verify;
    let mut work = beforehand::beside(world, verify, recorder, |world, recorder| {
        match &world.site.settings.implementer {
            Implementer::Tree { base } => {
                current_tree::delta(world, base.as_deref(), head.as_ref())
            }
            Implementer::Agent(_) | Implementer::Patches(_) => {
                world.made.patches += 1;
                ask(world, request, None, recorder)
            }
        }
    })?;
    // What is odd about the tree comes first: it explains what follows.
    let warnings = world.root_tree().warnings().iter().cloned();
    work.warnings.splice(0..0, warnings);
    work.base = head.map(|head| BaseCommit {
        commit: match world.before.as_ref().and_then(Before::commit) {
            Some(commit) => commit.to_owned(),
            None => head.commit,
        },
        branch: head.branch,
    });
    Ok(Event::Implemented(Box::new(work)))
}

/// Asks for a repair of what preflight found. It takes a separate patch, as any request does.
pub(in crate::run) fn mend(
    world: &mut World<'_>,
    request: &Request,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    world.made.patches += 1;
    let work = ask(world, request, None, recorder)?;
    Ok(Event::Mended(Box::new(work)))
}

/// Applies a fix and checks the syntax of everything touched by now, which is part of RETRY.
pub(in crate::run) fn apply_fix(
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
    landing::return_to_workplace(world, recorder.reporter())?;
    if world.workplace.is_none() {
        world.make_workplace(recorder.reporter())?;
    }
    world.made.patches += u32::from(takes_a_patch(world.brief(), index));
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

/// Lets an implementer write in the workplace, and keeps what it did.
fn ask(
    world: &mut World<'_>,
    request: &Request,
    failure: Option<&Failure>,
    recorder: &mut Recorder<'_>,
) -> Result<Work, Fault> {
    let site = world.site;
    // After a crash the same number is used again: what the earlier request wrote is kept with the run by now.
    world.made.requests += 1;
    let number = world.made.requests;
    site.run.make_places(files())?;
    let is_patch = is_patch(world, failure);
    let is_performed = is_performed(world, failure);
    world.view = match (&world.workplace, is_patch || is_performed) {
        (Some(place), false) => place.view(&world.placed)?,
        _ => None,
    };
    let was = match world.before {
        Some(_) => world.delta_state()?,
        None => DeltaState::default(),
    };
    setting_up::in_workplace(world, recorder)?;
    if let Some(place) = &mut world.workplace {
        place.excuse_commands()?;
    }
    recorder.note(&Note::Asked { request: number })?;
    // From here on a crash leaves partial work in the workplace, and nothing in the project: the same command keeps it
    // with the run and asks again.
    let answer = match answer(world, request, failure, recorder) {
        Err(Fault::Interrupted(signal)) => {
            keep_partial(world, number, recorder)?;
            return Err(Fault::Interrupted(signal));
        }
        answer => answer?,
    };
    world.view = None;
    let worker_strays = match &answer.performed {
        Some(done) => agent::lay_in(world, done)?,
        None => Vec::new(),
    };
    let done = answer.performed.clone();
    let leaves = leaves(world);
    let place = world.workplace.as_mut().ok_or(Fault::NoWork { run: site.run.number() })?;
    let changes = place.changes(&leaves)?;
    if let Some(fault) = outage(world, &answer, &changes) {
        return Err(fault);
    }
    let mut work = work_of(world, &changes, answer)?;
    if let Some(done) = &done {
        agent::add_to(&mut work, done, worker_strays);
    }
    keep(world, number, &changes, &mut work)?;
    world.conversation.add(&work);
    work.delta = world.delta_state()?;
    work.changed = work.delta != was;
    if work.isolation.is_none() && !is_patch {
        work.isolation = Some(world.placed.word());
        let why = world.placed.why_not.take();
        work.warnings.extend(why.map(|reason| {
            format!(
                "the implementer worked at the path of its copy, not at the project's: {reason}"
            )
        }));
    }
    Ok(work)
}

/// Keeps the work durably, before the event that reports it; what strayed, for people; and commits.
fn keep(
    world: &mut World<'_>,
    number: u32,
    changes: &Changes,
    work: &mut Work,
) -> Result<(), Fault> {
    let (site, delta): (_, Vec<DeltaPath>) = (world.site, world.brief().paths().cloned().collect());
    let saved = WorkFiles::of(&site.run);
    let place = world.workplace.as_mut().ok_or(Fault::NoWork { run: site.run.number() })?;
    // What a file was before is known as long as the project has it so.
    let originals = place.place.originals(&place.root, changes);
    if let Some(base) = saved.extend_base(&place.root, &place.base, &originals)? {
        place.base = base;
    }
    // Build tools take what they built before the work for older, however old the implementer made its files.
    place.copy.touch_delta(changes.work())?;
    let kept = saved.keep(&place.copy, &[], delta.iter().chain(&changes.allowed), number)?;
    work.changed_tests = old_tests::changed(site, &world.content.brief, &place.base, &kept)?;
    work.new_configuration = old_tests::new_configuration(&place.base, &kept);
    let quarantine = site.run.quarantine().join(number.to_string());
    if !changes.strays.is_empty() {
        let kept = place.place.copy_strays(&place.root, &changes.strays, &quarantine)?;
        if !kept.copied.is_empty() {
            work.quarantine = Some(output::shown(site, &quarantine));
        }
        if !kept.dropped.is_empty() {
            let dropped = listed(&kept.dropped);
            work.warnings.push(format!("not kept, since the disk has no room for it: {dropped}"));
        }
    }
    if !work.strays.is_empty() && site.settings.tree.strays == ftl_tree::Strays::Drop {
        let strays = listed(&work.strays);
        work.warnings.push(format!("outside the delta, and left out of the project: {strays}"));
    }
    if !changes.dependencies.is_empty() {
        work.dependencies.clone_from(&changes.dependencies);
        let dirs = listed(&changes.dependencies);
        work.warnings.push(format!(
            "the implementer wrote into dependencies, which are left as they are in the project: {dirs}"
        ));
    }
    if changes.has_moved_references {
        let name = workplace::name_of(site.layout, &site.run);
        let own = format!("refs/ftl/{name}/{number}");
        match place.place.keep_commits(&place.root, &own) {
            Ok(kept) if kept.is_empty() => {}
            Ok(kept) => work.warnings.push(format!(
                "the implementer committed, which moves no branch of the project ({}); `git log --oneline \
                 --glob={own} --not --branches` shows the commits",
                listed(&kept)
            )),
            Err(error) => work.warnings.push(format!(
                "what the implementer did to its copy of the repository cannot be read: {error}"
            )),
        }
    }
    diff::keep(world, number)
}

/// Empty directories that a known agent leaves.
fn leaves(world: &World<'_>) -> Vec<String> {
    match &world.site.settings.implementer {
        Implementer::Agent(agent) => {
            agent.preset().map(|preset| preset.leaves.clone()).unwrap_or_default()
        }
        Implementer::Patches(_) | Implementer::Tree { .. } => Vec::new(),
    }
}

/// Keeps what an interrupted request wrote.
fn keep_partial(
    world: &mut World<'_>,
    number: u32,
    recorder: &mut Recorder<'_>,
) -> Result<(), Fault> {
    let leaves = leaves(world);
    let Some(place) = &mut world.workplace else {
        return Ok(());
    };
    let changes = place.changes(&leaves)?;
    let dir = workplace::interrupted_dir(world.site.run.dir(), number);
    let text = workplace::keep_partial(world.site, &place.place, &place.root, &changes, &dir)?;
    if let Some(text) = text {
        recorder.reporter().warning(&text);
    }
    workplace::forget_owner_of(world.site, place.number)
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
fn is_performed(world: &World<'_>, failure: Option<&Failure>) -> bool {
    let settings = world.site.settings;
    let is_agent = matches!(settings.implementer, Implementer::Agent(_));
    let is_prose = matches!(failure.map(Failure::remedy), Some(Remedy::Prose(_)) | None);
    settings.requests.performer.is_some() && is_agent && is_prose
}

/// Whether the work of the run before is taken as it is, and no agent is asked.
fn reuses_work(world: &World<'_>, request: &Request) -> bool {
    let settings = world.site.settings;
    let is_first = request.phase == Phase::Implement && settings.series.attempt.number == 1;
    is_first && settings.start.reuses_work && world.has_last_work
}

/// Who answers: the known fix itself where it can be run or applied, else the implementer.
fn answer(
    world: &World<'_>,
    request: &Request,
    failure: Option<&Failure>,
    recorder: &mut Recorder<'_>,
) -> Result<Answer, Fault> {
    match failure.map(Failure::remedy) {
        Some(Remedy::Rerun) => Ok(Answer::default()),
        None if reuses_work(world, request) => Ok(Answer::default()),
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
fn outage(world: &World<'_>, answer: &Answer, changes: &Changes) -> Option<Fault> {
    let outage = answer.outage.as_ref()?;
    let said_more = answer.no_change || !answer.needs.is_empty();
    if said_more || !changes.are_none() {
        return None;
    }
    let Implementer::Agent(agent) = &world.site.settings.implementer else {
        return None;
    };
    Some(Fault::Outage {
        name: agent.name.clone(),
        kind: outage.kind,
        said: one_line(&outage.said),
        resets: outage.resets,
        setup: agent.preset().map(|preset| preset.setup.as_str()),
        log: answer.log.clone(),
        is_first: world.made.requests == 1,
    })
}

/// What was found and what was said, in one.
fn work_of(world: &World<'_>, changes: &Changes, answer: Answer) -> Result<Work, Fault> {
    // A delta file that has become a link or a pipe cannot be read safely by any later step.
    let odd = changes.delta.iter().find(|(_, change)| change.now.is_odd());
    let odd = odd.map(|(path, _)| format!("`{path}` is no longer a regular file"));
    let (strays, more_strays) = strays_of(world, changes);
    let is_idle = !changes.touch_delta() && !answer.no_change && answer.needs.is_empty();
    let mut work = Work {
        // Of one that did nothing, too: they may say why.
        last_lines: match answer.failure.is_some() || is_idle {
            true => answer.last_lines,
            false => Vec::new(),
        },
        log: answer.log,
        agent: answer.agent,
        failure: answer.failure.or(odd),
        strays,
        allowed: changes.allowed.iter().map(ToString::to_string).collect(),
        allowed_sources: preflighting::checkable(&changes.allowed),
        needs: answer.needs,
        no_change: answer.no_change,
        summary: answer.summary,
        warnings: answer.warnings,
        ..Work::default()
    };
    if more_strays > 0 {
        work.warnings.push(format!("at least {more_strays} more paths outside the delta changed"));
    }
    take_memories(world, &mut work, answer.utilized);
    work.warnings.extend(world.site.secrets.warning());
    Ok(work)
}

/// The strays that an event names, and how many others there are.
fn strays_of(world: &World<'_>, changes: &Changes) -> (Vec<String>, u64) {
    let mut bytes = 0;
    let paths = changes.strays.iter().map(|at| world.root_tree().shown(&at.path));
    let named: Vec<String> = paths
        .take(MAX_STRAYS.0)
        .take_while(|path| {
            bytes += path.len();
            bytes <= MAX_STRAYS.1 || bytes == path.len()
        })
        .collect();
    let more = (changes.strays.len() - named.len()) as u64 + changes.more_strays;
    (named, more)
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
