//! COMPLETE and BLOCK, in the world: the record is made by splicing and sealed in one step.

use std::path::{Path, PathBuf};

use ftl_machine::event::{Edited, Sealed};
use ftl_machine::{Event, Outcome, Verdict};
use ftl_model::{Digest, Status, Utilized};
use ftl_store::{FileKind, Files, create, write_out};
use ftl_xml::Seal;

use crate::record::{self, RecordedRun};
use crate::result::{BuildResult, RunId};
use crate::run::commands::output;
use crate::run::journal::recorder::Recorder;
use crate::run::landing::committing;
use crate::run::recovery::own_run;
use crate::run::session::result;
use crate::run::site::files;
use crate::run::words::delivered::delivered;
use crate::run::words::tried::all_tried;
use crate::run::work::before::Before;
use crate::run::work::diff;
use crate::run::world::{Task, World};
use crate::run::{Fault, landing};
use crate::text::{now, now_exactly, to_the_second};

/// Writes the record, unless the landing is undone by what became of others that were verified with it. The time is read once, so that the document and its `run` element agree.
///
/// Of a task that is blocked before IMPLEMENT there is no world.
pub(in crate::run) fn seal(
    task: &Task<'_>,
    world: Option<&mut World<'_>>,
    verdict: &Verdict,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    let status = status_of(verdict);
    let utilized = verdict
        .log
        .utilized
        .iter()
        .map(|used| Utilized { name: Some(used.name.clone()), kind: used.kind.clone() });
    // Of the document itself every byte stays: only what ftl adds is redacted.
    let hide = |text: &str| task.site.secrets.hide(text);
    let before = world.as_ref().and_then(|world| world.before.as_ref());
    let diff = world.as_ref().map(|world| diff::keep_run(world, verdict)).transpose()?.flatten();
    if let Some(diff) = &diff {
        recorder.rely_on(&diff.path);
    }
    // A sealed record whose journal ends earlier could not be explained.
    recorder.settle_for_record()?;
    let at = now();
    let result = result_of(task, verdict)?;
    let settings = task.site.settings;
    let is_tree = settings.implementer.is_tree();
    let has_landed = status == Status::Complete && !is_tree;
    let run = RecordedRun {
        result: &result,
        began_at: to_the_second(&task.began),
        ended_at: &at,
        workspace: task.source.sha256,
        base: before.and_then(Before::commit),
        sealed_at: has_landed.then(now_exactly),
        is_checked: has_landed && settings.series.is_checked,
        tried: all_tried(&verdict.log.tried),
        diff: diff.map(|diff| (output::shown(&task.site, &diff.path), diff.sha256)),
        take_in: (settings.advice.take_in)(result.id.as_str()),
    };
    let content = ftl_xml::seal(
        &task.content.document,
        &Seal {
            status,
            at: at.clone(),
            delivered: hide(result.delivered.as_deref().unwrap_or_default()),
            utilized: if status == Status::Complete { utilized.collect() } else { Vec::new() },
            run: record::element(&run).map_texts(&hide),
        },
    );
    hold_against_edits(task, &content)?;
    let mut world = world;
    if let Some(world) = &mut world
        && !landing::agree(world, status == Status::Complete, recorder.reporter())?
    {
        let edited = Edited { paths: Vec::new(), delta: world.delta_state()? };
        return Ok(Event::Edited(Box::new(edited)));
    }
    // Before the record says that it is blocked: a blocked task has nothing in the project.
    if let (Outcome::Blocked(_), Some(world)) = (&verdict.outcome, &mut world) {
        landing::withdraw(world, recorder.reporter())?;
    }
    let path = write(task, verdict, &content, recorder)?;
    if let Some(world) = world {
        landing::finish(world);
    }
    Ok(Event::Sealed(Sealed { path: path.display().to_string(), sha256: Digest::of(&content) }))
}

/// Writes the record, and before it that a commit follows.
fn write(
    task: &Task<'_>,
    verdict: &Verdict,
    content: &[u8],
    recorder: &mut Recorder<'_>,
) -> Result<PathBuf, Fault> {
    let _turn = committing::turn(&task.site, recorder.reporter())?;
    committing::owe(task, verdict)?;
    Ok(ftl_store::seal(files(), &task.source.path, status_of(verdict), content)?)
}

fn status_of(verdict: &Verdict) -> Status {
    match verdict.outcome {
        Outcome::Complete | Outcome::Planned => Status::Complete,
        Outcome::Blocked(_) => Status::Blocked,
    }
}

/// The name of a record in its run's directory.
const RECORD: &str = "record.xml";

/// The run as its record has it: what is found out after the seal comes later.
fn result_of(task: &Task<'_>, verdict: &Verdict) -> Result<BuildResult, Fault> {
    let (path, settings) = (&task.source.path, task.site.settings);
    let run = RunId::new(crate::run::id_of(path)?, task.site.run.number());
    let made = result::of(verdict, run, path, settings, None);
    let delivered = Some(delivered(verdict, settings.advice));
    Ok(BuildResult { attempt: task.attempt.number, delivered, ..made })
}

/// A task file that is not what the run read is a person's by now, and is not overwritten: the record stays
/// with the run. One that is gone is written again: the person who removed it knows its content.
fn hold_against_edits(task: &Task<'_>, record: &[u8]) -> Result<(), Fault> {
    let path = &task.source.path;
    match files().metadata(path)?.map(|found| found.kind) {
        None => {
            own_run::make_dirs(path.parent().unwrap_or(Path::new(".")))?;
            Ok(create(files(), path, task.source.bytes)?)
        }
        // The task file itself may be a link.
        Some(FileKind::File | FileKind::Link) if files().read(path)? == task.source.bytes => Ok(()),
        Some(FileKind::File | FileKind::Link | FileKind::Dir | FileKind::Other) => {
            let kept = write_out(files(), task.site.run.dir(), RECORD, record)?;
            Err(Fault::TaskEdited { path: path.clone(), record: kept.path })
        }
    }
}
