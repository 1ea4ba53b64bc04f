//! COMPLETE and BLOCK, in the world: the record is made by splicing and sealed in one step.

use ftl_model::{Status, Utilized};
use ftl_xml::Seal;

use super::chronicle::now;
use super::world::World;
use super::{Fault, record};
use crate::digest::sha256;
use crate::machine::event::Sealed;
use crate::machine::{Outcome, Verdict};
use crate::store;

pub(super) fn seal(world: &mut World<'_>, verdict: &Verdict) -> Result<Sealed, Fault> {
    let status = match verdict.outcome {
        Outcome::Complete | Outcome::Planned => Status::Complete,
        Outcome::Blocked(_) => Status::Blocked,
    };
    let document = ftl_xml::read(&world.bytes).expect("because READ read the same bytes");
    let utilized = verdict.log.utilized.iter().map(|used| Utilized {
        name: Some(used.name.clone()),
        kind: used.kind.clone(),
    });
    let at = now();
    let content = ftl_xml::seal(
        &document,
        &Seal {
            status,
            at: at.clone(),
            delivered: record::delivered(verdict),
            utilized: if status == Status::Complete {
                utilized.collect()
            } else {
                Vec::new()
            },
            run: record::run_element(world, verdict, &at),
        },
    );
    let path = store::seal(World::files(), &world.path, status, &content)?;
    Ok(Sealed {
        path: path.display().to_string(),
        sha256: sha256(&content),
    })
}
