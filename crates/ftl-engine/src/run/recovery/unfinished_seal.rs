//! What a crash between the two steps of a seal leaves: a record that lacks only its name.
//!
//! The second step itself is `ftl_store::finish_rename`; here the build gets the result that the crashed
//! one could not return. Nothing is verified or judged again.

use std::path::Path;

use ftl_machine::event::Sealed;
use ftl_machine::{Effect, Event, Next, State, Verdict};
use ftl_model::{Digest, WorkspaceId, WorkspaceName};
use ftl_store::{Files, Journal, LineKind, Run, Runs, StoreError};

use crate::result::{BuildResult, RunId};
use crate::run::journal::recorder::Opening;
use crate::run::session::result;
use crate::run::site::files;
use crate::run::{Fault, Settings};

/// The result of a run that was sealed, but crashed before it could say so. A manual record,
/// which no run made, has none: [`Fault::Finished`].
pub(in crate::run) fn result_of(
    runs: &Runs<'static>,
    id: &WorkspaceId,
    record: &Path,
    settings: &Settings,
) -> Result<BuildResult, Fault> {
    let sealed = match runs.unfinished()? {
        Some(run) => sealed_by(&run, record)?.map(|verdict| (run, verdict)),
        None => None,
    };
    // After the journal was read: an ended run is not looked for again.
    runs.finish_all()?;
    match sealed {
        Some((run, verdict)) => {
            let run = RunId::new(id.clone(), run.number());
            let mut result = result::of(&verdict, run, record, settings, None);
            settings.next.fill(&mut result);
            Ok(result)
        }
        None => {
            let name = record.file_name().unwrap_or_default().to_string_lossy();
            let name: WorkspaceName = name.parse().map_err(StoreError::Name)?;
            Err(Fault::Finished { path: record.to_owned(), status: name.status })
        }
    }
}

/// The verdict of a run that had come as far as its seal.
fn sealed_by(run: &Run, record: &Path) -> Result<Option<Verdict>, Fault> {
    let loaded = match Journal::open(files(), run.dir()) {
        Ok(loaded) => loaded,
        // The record is what counts; what led to it cannot be read any more.
        Err(StoreError::JournalDamaged { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let opening: Opening = loaded.header.decode()?;
    let mut state = State::new(opening.options);
    let events = loaded.entries.iter();
    for entry in events.filter(|entry| entry.kind == LineKind::Event) {
        state = state.apply(entry.decode()?)?;
    }
    // The crash came after the first rename and before the event of it was journalled.
    if let Next::Perform(Effect::Seal(_)) = state.next() {
        state = state.apply(Event::Sealed(Sealed {
            path: record.display().to_string(),
            sha256: Digest::of(&files().read(record)?),
        }))?;
    }
    Ok(match state.next() {
        Next::Finished(verdict) => Some(*verdict),
        Next::Perform(_) => None,
    })
}
