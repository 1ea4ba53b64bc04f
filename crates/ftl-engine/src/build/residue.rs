//! What a crash between the two steps of a seal leaves: a record that lacks only its name.

use std::path::Path;

use ftl_model::{Status, WorkspaceId, WorkspaceName};

use super::Fault;
use super::chronicle::Opening;
use super::report::{Report, report};
use super::world::World;
use crate::digest::sha256;
use crate::machine::event::Sealed;
use crate::machine::{Effect, Event, Next, State, Verdict};
use crate::store::{Files, Journal, Kind, Run, Runs, StoreError};

/// The report of a run that was sealed, but crashed before it could say so. A record that no run
/// has made, but somebody by hand, has none: [`Fault::Finished`].
pub(super) fn report_of(
    runs: &Runs<'static>,
    id: &WorkspaceId,
    record: &Path,
) -> Result<Report, Fault> {
    let sealed = match runs.unfinished()? {
        Some(run) => sealed_by(&run, record)?.map(|verdict| (run, verdict)),
        None => None,
    };
    runs.finish_all()?;
    match sealed {
        Some((run, verdict)) => {
            let name = format!("{id}/{}", run.number());
            let shown = record.display().to_string();
            Ok(report(&verdict, &name, id.as_str(), &shown))
        }
        None => Err(Fault::Finished {
            path: record.to_owned(),
            status: status_of(record)?,
        }),
    }
}

/// The verdict of a run that had come as far as its seal.
fn sealed_by(run: &Run, record: &Path) -> Result<Option<Verdict>, Fault> {
    let loaded = match Journal::open(World::files(), run.dir()) {
        Ok(loaded) => loaded,
        // The record is what counts; what led to it cannot be told any more.
        Err(StoreError::JournalDamaged { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let opening: Opening = loaded.header.decode()?;
    let mut state = State::new(opening.options);
    for entry in loaded
        .entries
        .iter()
        .filter(|entry| entry.kind == Kind::Event)
    {
        state = state.apply(entry.decode()?)?;
    }
    if let Next::Perform(Effect::Seal(_)) = state.next() {
        state = state.apply(Event::Sealed(Sealed {
            path: record.display().to_string(),
            sha256: sha256(&World::files().read(record)?),
        }))?;
    }
    Ok(match state.next() {
        Next::Finished(verdict) => Some(*verdict),
        Next::Perform(_) => None,
    })
}

fn status_of(record: &Path) -> Result<Status, Fault> {
    let name = record.file_name().unwrap_or_default().to_string_lossy();
    let name: WorkspaceName = name.parse().map_err(StoreError::Name)?;
    Ok(name.status)
}
