//! A `.ftl` that is a link, while an implementer works: task files and records are out of the tree then, so
//! that no comparison finds a change in them, and no overlay takes it.
//!
//! They are kept in memory: the directory of task files, and the files beside it. Runs of other tasks are not;
//! their journals have checksums.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_machine::event::Work;
use ftl_store::{Operation, ensure_private_dir, read_regular, replace};
use ftl_tree::Strays;

use super::Fault;
use super::output::shown;
use super::site::{Site, files};
use crate::text::one_line;

/// Bytes of a file that is kept: no task file or record is larger.
const LARGEST: u64 = 8 << 20;

/// The directories of the store whose files are kept.
const KEPT: [&str; 2] = ["", "workspace"];

/// The files by their paths in the store.
type Content = BTreeMap<PathBuf, Vec<u8>>;

/// The files of the store before a request.
pub(super) struct LinkedStore<'s> {
    site: &'s Site<'s>,
    before: Content,
}

impl<'s> LinkedStore<'s> {
    /// Reads the files, where the store or its directory of task files is reached through a link.
    pub(super) fn of(site: &'s Site<'s>) -> Result<Option<Self>, Fault> {
        if !is_linked(site) {
            return Ok(None);
        }
        let store = site.layout.ftl_dir();
        Ok(Some(Self { site, before: content(&store)? }))
    }

    /// Puts back what differs, and moves the implementer's versions to `dir`. With [`Strays::Report`] nothing is moved. Returns the paths.
    pub(super) fn put_back(&self, dir: &Path) -> Result<Vec<String>, Fault> {
        let store = self.site.layout.ftl_dir();
        let now = content(&store)?;
        let mut strays = Vec::new();
        let paths =
            self.before.keys().chain(now.keys().filter(|path| !self.before.contains_key(*path)));
        for path in paths {
            let (then, found) = (self.before.get(path), now.get(path));
            if then == found {
                continue;
            }
            if self.site.settings.tree.strays == Strays::Quarantine {
                restore(&store.join(path), then, found, &dir.join(".ftl").join(path))?;
            }
            strays.push(one_line(&shown(self.site, &store.join(path))));
        }
        Ok(strays)
    }
}

/// Whether task files are out of the tree. Then no isolation applies to them.
pub(super) fn is_linked(site: &Site<'_>) -> bool {
    let store = site.layout.ftl_dir();
    store.is_symlink() || store.join("workspace").is_symlink()
}

/// Puts back what is kept, where anything is.
pub(super) fn put_back(linked: Option<&LinkedStore<'_>>, dir: &Path) -> Result<Vec<String>, Fault> {
    linked.map_or_else(|| Ok(Vec::new()), |linked| linked.put_back(dir))
}

/// Puts back what a finished request changed: as strays, in its quarantine.
pub(super) fn settle(
    linked: Option<LinkedStore<'_>>,
    site: &Site<'_>,
    request: u32,
    work: &mut Work,
) -> Result<(), Fault> {
    let dir = site.run.quarantine().join(request.to_string());
    for path in put_back(linked.as_ref(), &dir)? {
        work.quarantine = dir.is_dir().then(|| shown(site, &dir));
        if !work.strays.contains(&path) {
            work.strays.push(path);
        }
    }
    Ok(())
}

fn content(store: &Path) -> Result<Content, Fault> {
    let mut content = Content::new();
    for dir in KEPT {
        let full = store.join(dir);
        let failed = |error| Operation::List.failed(&full, error);
        let entries = match fs::read_dir(&full) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            entries => entries.map_err(failed)?,
        };
        for entry in entries {
            let entry = entry.map_err(failed)?;
            if !entry.file_type().map_err(failed)?.is_file() {
                continue;
            }
            let path = entry.path();
            match read_regular(&path, LARGEST) {
                Ok(bytes) => drop(content.insert(Path::new(dir).join(entry.file_name()), bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(Operation::Read.failed(&path, error).into()),
            }
        }
    }
    // A larger one cannot be written again.
    content.retain(|_, bytes| bytes.len() as u64 <= LARGEST);
    Ok(content)
}

/// Keeps what is there at `kept`, and writes what was there.
fn restore(
    path: &Path,
    then: Option<&Vec<u8>>,
    found: Option<&Vec<u8>>,
    kept: &Path,
) -> Result<(), Fault> {
    if let Some(bytes) = found {
        ensure_private_dir(files(), kept.parent().unwrap_or(kept))?;
        replace(files(), kept, bytes)?;
    }
    match then {
        Some(bytes) => Ok(replace(files(), path, bytes)?),
        None => {
            let removed = fs::remove_file(path);
            Ok(removed.map_err(|error| Operation::Remove.failed(path, error))?)
        }
    }
}
