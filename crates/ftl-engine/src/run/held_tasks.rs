//! Task files that are kept in memory, or in the store's register, while somebody else writes: no task is
//! lost, whatever becomes of the files and of their copies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ftl_model::{Digest, Status, WorkspaceName};
use ftl_store::{FileKind, Files, Register, Still, Wrote, replace};

use super::output::shown;
use super::site::{Site, files};
use super::world::World;
use super::{Fault, own_run};
use crate::text::one_line;

/// The directory of task files in a `.ftl`.
const TASKS: &str = "workspace";

/// The task's own file as it was before a request, and those that other commands of ftl write during it.
pub(super) struct HeldTasks<'w> {
    site: &'w Site<'w>,
    path: PathBuf,
    bytes: Option<Vec<u8>>,
    register: Option<Register>,
    since: i64,
}

impl<'w> HeldTasks<'w> {
    /// Reads the task's file. `since` is when the snapshot before the request was taken.
    pub(super) fn of(world: &'w World<'_>, since: i64) -> Result<Self, Fault> {
        let path = world.source.path.clone();
        let is_file = kind(&path)? == Some(FileKind::File);
        Ok(Self {
            bytes: is_file.then(|| files().read(&path)).transpose()?,
            path,
            site: &world.site,
            register: Register::of(world.site.layout),
            since,
        })
    }

    /// Keeps other commands of ftl from writing into `.ftl`, from the look at it until it is put back.
    pub(super) fn still(&self) -> Option<Still> {
        self.register.as_ref().map(Register::still)
    }

    /// Writes anew what is not what it was, after everything else was put back, and says which files.
    pub(super) fn put_back(&self) -> Result<Vec<String>, Fault> {
        let mut written = Vec::new();
        if let Some(bytes) = &self.bytes
            && write_anew(&self.path, bytes)?
        {
            written.push(self.path.clone());
        }
        for (path, text) in self.made_meanwhile() {
            if write_anew(&path, text.as_bytes())? {
                written.push(path);
            }
        }
        let name = |path: &PathBuf| one_line(&shown(self.site, path));
        Ok(written.iter().map(name).collect())
    }

    /// The task files that other commands wrote since, as they wrote them last.
    fn made_meanwhile(&self) -> BTreeMap<PathBuf, String> {
        let told = self.register.as_ref().map(Register::read);
        let since = told.into_iter().flatten();
        let mut last = BTreeMap::new();
        for told in since.filter(|told| told.at >= self.since) {
            match told.wrote {
                Wrote::File { path, text, .. } if Path::new(&path).starts_with(TASKS) => {
                    last.insert(path, text);
                }
                Wrote::Gone { path } => {
                    last.remove(&path);
                }
                Wrote::File { .. } | Wrote::Run { .. } => {}
            }
        }
        let store = self.site.layout.ftl_dir();
        last.into_iter()
            .filter_map(|(path, text)| Some((store.join(path), text?)))
            .filter(|(path, _)| !is_still_active(path))
            .collect()
    }
}

/// Whether a record's task is there as if it had never been sealed: whoever told of the record was killed
/// before they wrote it.
fn is_still_active(record: &Path) -> bool {
    let name = record.file_name().unwrap_or_default().to_string_lossy();
    let name: Option<WorkspaceName> = name.parse().ok();
    name.filter(|name| name.status != Status::Active).is_some_and(|name| {
        let active = name.with_status(Status::Active).to_string();
        record.with_file_name(active).exists()
    })
}

fn kind(path: &Path) -> Result<Option<FileKind>, Fault> {
    Ok(files().metadata(path)?.map(|found| found.kind))
}

/// Writes a file unless it is there with these bytes; whether it was written.
fn write_anew(path: &Path, bytes: &[u8]) -> Result<bool, Fault> {
    let dir = path.parent().unwrap_or(Path::new("."));
    own_run::make_dirs(dir)?;
    let is_it = kind(path)? == Some(FileKind::File)
        && Digest::of(&files().read(path)?) == Digest::of(bytes);
    if is_it {
        return Ok(false);
    }
    replace(files(), path, bytes)?;
    Ok(true)
}
