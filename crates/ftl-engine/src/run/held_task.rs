//! The task file, kept in memory while an implementer works, so that the task is not lost with the file and its
//! copies.

use std::path::{Path, PathBuf};

use ftl_store::{FileKind, Files, replace};

use super::output::shown;
use super::site::{Site, files};
use super::world::World;
use super::{Fault, own_run};
use crate::text::one_line;

/// The task's own file as it was before a request.
pub(super) struct HeldTask<'w> {
    site: &'w Site<'w>,
    path: PathBuf,
    bytes: Option<Vec<u8>>,
}

impl<'w> HeldTask<'w> {
    /// Reads the task's file.
    pub(super) fn of(world: &'w World<'_>) -> Result<Self, Fault> {
        let path = world.source.path.clone();
        Ok(Self { bytes: bytes_of(&path)?, path, site: world.site })
    }

    /// Writes the file again if it is not what it was, after everything else was put back. Returns its path
    /// then.
    pub(super) fn put_back(&self) -> Result<Option<String>, Fault> {
        let Some(bytes) = &self.bytes else {
            return Ok(None);
        };
        own_run::make_dirs(self.path.parent().unwrap_or(Path::new(".")))?;
        if bytes_of(&self.path)?.as_ref() == Some(bytes) {
            return Ok(None);
        }
        replace(files(), &self.path, bytes)?;
        Ok(Some(one_line(&shown(self.site, &self.path))))
    }
}

/// What a regular file holds.
fn bytes_of(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    let is_file = files().metadata(path)?.is_some_and(|found| found.kind == FileKind::File);
    Ok(is_file.then(|| files().read(path)).transpose()?)
}
