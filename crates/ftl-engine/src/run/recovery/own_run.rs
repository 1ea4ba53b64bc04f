//! The run's own directory after a command of the project ran, which may have removed `.ftl`: the journal goes on.

use std::fs;
use std::path::Path;

use ftl_store::{JOURNAL, Operation};

use crate::run::Fault;
use crate::run::commands::output::shown;
use crate::run::journal::recorder::Recorder;
use crate::run::site::Site;

/// The directories that ftl makes in a run's.
const KEPT: [&str; 3] = ["diffs", "outputs", "requests"];

/// Makes the directory again where it is gone, and writes the journal from memory where a command changed it. Returns
/// a warning where it did.
pub(in crate::run) fn mend(
    site: &Site<'_>,
    recorder: &mut Recorder<'_>,
) -> Result<Option<String>, Fault> {
    let dir = site.run.dir();
    make_dirs(dir)?;
    if !recorder.mend_journal()? {
        return Ok(None);
    }
    for name in KEPT {
        make_dirs(&dir.join(name))?;
    }
    let journal = shown(site, &dir.join(JOURNAL));
    Ok(Some(format!("a command changed `{journal}`, which is written again")))
}

/// Makes a directory and those above it, where they are missing.
pub(in crate::run) fn make_dirs(dir: &Path) -> Result<(), Fault> {
    match dir.is_dir() {
        true => Ok(()),
        false => {
            Ok(fs::create_dir_all(dir).map_err(|error| Operation::CreateDir.failed(dir, error))?)
        }
    }
}
