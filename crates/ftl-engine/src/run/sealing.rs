//! COMPLETE and BLOCK, in the world: the record is made by splicing and sealed in one step.

use ftl_machine::event::Sealed;
use ftl_machine::{Outcome, Verdict};
use ftl_model::{Digest, Status, Utilized};
use ftl_xml::Seal;

use super::site::files;
use super::world::World;
use super::{Fault, record};
use crate::text::now;

/// Writes the record. The time is read once, so that the document and its `run` element agree.
pub(super) fn seal(world: &World<'_>, verdict: &Verdict) -> Result<Sealed, Fault> {
    let status = match verdict.outcome {
        Outcome::Complete | Outcome::Planned => Status::Complete,
        Outcome::Blocked(_) => Status::Blocked,
    };
    let utilized = verdict.log.utilized.iter().map(|used| Utilized {
        name: Some(used.name.clone()),
        kind: used.kind.clone(),
    });
    let at = now();
    let content = ftl_xml::seal(
        &world.content.document,
        &Seal {
            status,
            at: at.clone(),
            delivered: record::delivered(verdict, world.site.settings.advice),
            utilized: if status == Status::Complete {
                utilized.collect()
            } else {
                Vec::new()
            },
            run: record::run_element(world, verdict, &at),
        },
    );
    let path = ftl_store::seal(files(), &world.source.path, status, &content)?;
    Ok(Sealed {
        path: path.display().to_string(),
        sha256: Digest::of(&content),
    })
}
