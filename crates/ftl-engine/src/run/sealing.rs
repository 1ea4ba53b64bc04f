//! COMPLETE and BLOCK, in the world: the record is made by splicing and sealed in one step.

use std::path::Path;

use ftl_machine::event::Sealed;
use ftl_machine::{Outcome, Verdict};
use ftl_model::{Digest, Status, Utilized};
use ftl_store::{FileKind, Files, create, write_out};
use ftl_xml::Seal;

use super::delivered::delivered;
use super::site::files;
use super::slots::landing;
use super::world::World;
use super::{Fault, committing, diff, own_run, record};
use crate::text::now;

/// Writes the record. The time is read once, so that the document and its `run` element agree.
pub(super) fn seal(world: &mut World<'_>, verdict: &Verdict) -> Result<Sealed, Fault> {
    let status = match verdict.outcome {
        Outcome::Complete | Outcome::Planned => Status::Complete,
        Outcome::Blocked(_) => Status::Blocked,
    };
    let utilized = verdict
        .log
        .utilized
        .iter()
        .map(|used| Utilized { name: Some(used.name.clone()), kind: used.kind.clone() });
    // Of the document itself every byte stays: only what ftl adds is redacted.
    let hide = |text: &str| world.site.secrets.hide(text);
    let diff = diff::keep_run(world, verdict)?;
    let at = now();
    let content = ftl_xml::seal(
        &world.content.document,
        &Seal {
            status,
            at: at.clone(),
            delivered: hide(&delivered(verdict, world.site.settings.advice)),
            utilized: if status == Status::Complete { utilized.collect() } else { Vec::new() },
            run: record::run_element(world, verdict, diff.as_ref(), &at).map_texts(&hide),
        },
    );
    hold_against_edits(world, &content)?;
    if let Outcome::Blocked(block) = &verdict.outcome {
        if let Some(before) = &world.before {
            before.keep(&world.site.run, world.root_tree()?)?;
        }
        landing::put_back(world, block)?;
    }
    committing::owe(world, verdict)?;
    let path = ftl_store::seal(files(), &world.source.path, status, &content)?;
    landing::finish(world)?;
    Ok(Sealed { path: path.display().to_string(), sha256: Digest::of(&content) })
}

/// The name of a record in its run's directory.
const RECORD: &str = "record.xml";

/// A task file that is not what the run read is a person's by now, and is not overwritten: the record stays
/// with the run. One that is gone is written again: the person who removed it knows its content.
fn hold_against_edits(world: &World<'_>, record: &[u8]) -> Result<(), Fault> {
    let path = &world.source.path;
    match files().metadata(path)?.map(|found| found.kind) {
        None => {
            own_run::make_dirs(path.parent().unwrap_or(Path::new(".")))?;
            Ok(create(files(), path, world.source.bytes)?)
        }
        // The task file itself may be a link.
        Some(FileKind::File | FileKind::Link) if files().read(path)? == world.source.bytes => {
            Ok(())
        }
        Some(FileKind::File | FileKind::Link | FileKind::Dir | FileKind::Other) => {
            let kept = write_out(files(), world.site.run.dir(), RECORD, record)?;
            Err(Fault::TaskEdited { path: path.clone(), record: kept.path })
        }
    }
}
