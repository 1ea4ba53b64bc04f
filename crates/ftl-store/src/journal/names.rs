//! Which names a journal needs on the disk: its own, those of the directories above it, and those of files that the record
//! names.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::atomic::parent_of;
use crate::error::StoreError;
use crate::files::{FileError, FileKind, Files};

/// In a run's directory, the outputs of commands.
pub(crate) const OUTPUTS: &str = "outputs";
/// In a run's directory, the diffs of the delta.
pub(crate) const DIFFS: &str = "diffs";
/// In a run's directory, one for each request.
pub(crate) const REQUESTS: &str = "requests";

/// How many directories are synced for a journal's name: `N`, `ID`, `runs` and `.ftl`, each of which may
/// hold a name that was made for this run.
const LEVELS: usize = 4;

/// What is known of the names on the disk.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Whether the journal's name and those of the directories above it are there.
    is_placed: bool,
    /// Directories in the run's whose names are there too.
    placed: BTreeSet<PathBuf>,
}

impl Names {
    /// Of a journal that is on the disk.
    pub(super) fn on_disk() -> Self {
        Self { is_placed: true, placed: BTreeSet::new() }
    }

    /// Another program may have replaced directories in the run's.
    pub(super) fn distrust(&mut self) {
        self.placed.clear();
    }

    /// Brings these files of the run to the disk, and the names of them and of the journal.
    pub(super) fn place(
        &mut self,
        files: &dyn Files,
        journal: &Path,
        relied_on: &BTreeSet<PathBuf>,
    ) -> Result<(), FileError> {
        let run = parent_of(journal);
        let mut dirs: BTreeSet<&Path> = BTreeSet::new();
        for file in relied_on {
            // One that another program removed by now is not there to be kept.
            unless_gone(files.sync_file(file))?;
            let mut above = file.ancestors().skip(1);
            let above = above.by_ref().take_while(|dir| dir.starts_with(run) && *dir != run);
            let above: Vec<&Path> = above.collect();
            if !above.iter().any(|dir| self.placed.contains(*dir)) {
                dirs.insert(run);
            }
            dirs.extend(above);
        }
        if !self.is_placed {
            dirs.extend(run.ancestors().take(LEVELS));
            for dir in [OUTPUTS, DIFFS, REQUESTS].map(|name| run.join(name)) {
                let found = files.metadata(&dir)?;
                if found.is_some_and(|found| found.kind == FileKind::Dir) {
                    self.placed.insert(dir);
                }
            }
        }
        // From below, so that a name is there before what is named by it counts.
        for dir in dirs.into_iter().rev() {
            unless_gone(files.sync_dir(dir))?;
        }
        self.is_placed = true;
        Ok(())
    }
}

fn unless_gone(synced: Result<(), FileError>) -> Result<(), FileError> {
    match synced {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        synced => synced,
    }
}

/// Brings the names of a journal in this directory, and of those above, to the disk.
pub(super) fn sync_names(files: &dyn Files, dir: &Path) -> Result<(), StoreError> {
    for dir in dir.ancestors().take(LEVELS) {
        files.sync_dir(dir)?;
    }
    Ok(())
}
