//! Files of the project as they were at one moment, with their bytes, stored durably.
//!
//! This is the one form in which the work of an implementer, what was there before it, and what a landing replaces
//! outlive a process. A directory holds `manifest.json`, which says of every path what it was and where its bytes
//! are, and `copies`, the bytes; few bytes are behind the manifest in the same file, which saves a sync.
//!
//! Order makes it safe: an older manifest is removed for good before the copies are overwritten, and the new one
//! is written, by rename, after they are synced. Where there is a manifest, everything that it names is there; a
//! directory without one is an attempt that a crash ended.

pub(crate) mod manifest;
pub(crate) mod pack;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use ftl_store::{Files, OsFiles};
use serde::{Deserialize, Serialize};

use crate::compare::delta::Opened;
use crate::openat::{Attributes, Beneath, Rights};
use crate::stamp::Ids;
use crate::{PathState, Tree, TreeError};

use manifest::{MANIFEST, Manifest, StoredManifest};
use pack::{Copied, DIFFERS, Pack, PackWriter};

/// The name of the file with the bytes.
const COPIES: &str = "copies";

/// A file as it was.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SavedFile {
    pub(crate) state: PathState,
    pub(crate) copy: Option<Copied>,
    ids: Ids,
    #[serde(default, skip_serializing_if = "Attributes::is_empty")]
    attributes: Attributes,
}

impl SavedFile {
    pub(crate) fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// What a file that is made from it gets.
    pub(crate) fn rights(&self, permissions: u32) -> Rights<'_> {
        Rights { permissions, ids: Some(self.ids), attributes: &self.attributes }
    }
}

/// States and bytes of files below the root.
#[derive(Debug)]
pub struct SavedFiles {
    dir: PathBuf,
    files: BTreeMap<DeltaPath, SavedFile>,
    pack: Pack,
}

/// Whether files were saved whole in a directory: the manifest comes last.
#[must_use]
pub fn is_saved(dir: &Path) -> bool {
    dir.join(MANIFEST).is_file()
}

impl SavedFiles {
    /// The state of every file.
    #[must_use]
    pub fn states(&self) -> BTreeMap<DeltaPath, PathState> {
        self.files.iter().map(|(path, file)| (path.clone(), file.state.clone())).collect()
    }

    /// The state of one file; nothing also where it is not known.
    #[must_use]
    pub fn state(&self, path: &DeltaPath) -> PathState {
        self.files.get(path).map(|file| file.state.clone()).unwrap_or_default()
    }

    /// The same without what `other` has in the same state.
    #[must_use]
    pub fn changed_in(mut self, other: &Self) -> Self {
        self.files
            .retain(|path, file| other.files.get(path).is_some_and(|it| it.state != file.state));
        self
    }

    /// Whether it is known how this file was.
    #[must_use]
    pub fn knows(&self, path: &DeltaPath) -> bool {
        self.files.contains_key(path)
    }

    /// How many bytes a file had; `None` when there was none.
    #[must_use]
    pub fn len(&self, path: &DeltaPath) -> Option<u64> {
        self.files.get(path)?.copy.as_ref().map(|copy| copy.len)
    }

    /// The bytes of a file; `None` when there were none.
    ///
    /// # Errors
    /// When the copy cannot be read, or is not what was stored.
    pub fn read(&self, path: &DeltaPath) -> Result<Option<Vec<u8>>, TreeError> {
        let Some(copy) = self.files.get(path).and_then(|file| file.copy.as_ref()) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        let copied = self.pack.copy_to(copy, &mut bytes);
        copied.map(|()| Some(bytes)).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => self.damaged(&error.to_string()),
            _ => TreeError::io("read", self.pack.path())(error),
        })
    }

    /// Writes the bytes of these files below a private directory, for people.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn copy_out(&self, paths: &[DeltaPath], dir: &Path) -> Result<(), TreeError> {
        for path in paths {
            let Some(bytes) = self.read(path)? else { continue };
            let to = dir.join(path);
            let made = Beneath::make(to.parent().unwrap_or(dir));
            made.and_then(|_| std::fs::write(&to, bytes)).map_err(TreeError::io("write", &to))?;
        }
        Ok(())
    }

    pub(crate) fn files(&self) -> &BTreeMap<DeltaPath, SavedFile> {
        &self.files
    }

    pub(crate) fn open(&self, copy: &Copied) -> io::Result<impl Read> {
        self.pack.open(copy)
    }

    /// Writes a copy, which is what was stored: anything else is an error.
    pub(crate) fn copy_to(&self, copy: &Copied, to: &mut dyn io::Write) -> io::Result<()> {
        self.pack.copy_to(copy, to)
    }

    fn damaged(&self, reason: &str) -> TreeError {
        TreeError::Damaged { dir: self.dir.clone(), reason: reason.to_owned() }
    }
}

impl Tree {
    /// Stores, in `dir` and durably, how files were as the first of `earlier` that knows them says, and how those
    /// of `added` are now that none of them knows.
    ///
    /// # Errors
    /// When a file cannot be read, or the directory cannot be written.
    pub fn save<'p>(
        &self,
        earlier: &[&SavedFiles],
        added: impl IntoIterator<Item = &'p DeltaPath>,
        dir: &Path,
    ) -> Result<SavedFiles, TreeError> {
        let mut pack = begin(dir)?;
        let mut files: BTreeMap<DeltaPath, SavedFile> = BTreeMap::new();
        for saved in earlier {
            for (path, file) in &saved.files {
                if !files.contains_key(path) {
                    files.insert(path.clone(), copied_again(saved, file, &mut pack)?);
                }
            }
        }
        for path in added {
            if !files.contains_key(path) {
                files.insert(path.clone(), self.copied(path, &mut pack)?);
            }
        }
        let pack = pack.close()?;
        pack.sync()?;
        let manifest = Manifest::new(files);
        manifest::store(dir, &manifest, &pack)?;
        Ok(SavedFiles { dir: dir.to_path_buf(), files: manifest.files, pack })
    }

    /// What an earlier process stored in `dir`; `None` when it had not finished.
    ///
    /// # Errors
    /// When it cannot be read, or cannot be what was written.
    pub fn load(&self, dir: &Path) -> Result<Option<SavedFiles>, TreeError> {
        let Some(StoredManifest { manifest, few }) = manifest::read(dir)? else {
            return Ok(None);
        };
        let pack = Pack::found(dir.join(COPIES), few);
        Ok(Some(SavedFiles { dir: dir.to_path_buf(), files: manifest.files, pack }))
    }

    /// A file as it is now, its bytes copied.
    fn copied(&self, path: &DeltaPath, pack: &mut PackWriter) -> Result<SavedFile, TreeError> {
        let (mut file, permissions) = match self.open_delta(path)? {
            Opened::Other(state) => return Ok(SavedFile { state, ..SavedFile::default() }),
            Opened::File(file, stamp) => (file, stamp.permissions()),
        };
        let copied = pack.add(&mut file).map_err(TreeError::io("copy", path.as_path()))?;
        let look = || Ok((Ids::of(&rustix::fs::fstat(&file)?), Attributes::of(&file)?));
        let (ids, attributes) = look().map_err(TreeError::io("look at", path.as_path()))?;
        let state = PathState::File { sha256: copied.sha256, permissions };
        Ok(SavedFile { state, copy: Some(copied), ids, attributes })
    }
}

/// Makes the directory, without what an earlier attempt left.
fn begin(dir: &Path) -> Result<PackWriter, TreeError> {
    ftl_store::ensure_private_dir(&OsFiles, dir)?;
    let manifest = dir.join(MANIFEST);
    if OsFiles.metadata(&manifest)?.is_some() {
        // Without the sync, a power cut could bring back a name whose copies are gone.
        OsFiles.remove(&manifest)?;
        OsFiles.sync_dir(dir)?;
    }
    PackWriter::create(&dir.join(COPIES))
}

fn copied_again(
    saved: &SavedFiles,
    file: &SavedFile,
    pack: &mut PackWriter,
) -> Result<SavedFile, TreeError> {
    let mut again = file.clone();
    if let Some(copy) = &mut again.copy {
        let content = saved.open(copy).and_then(|mut content| pack.add(&mut content));
        let added = content.map_err(TreeError::io("copy", &saved.dir))?;
        if added.sha256 != copy.sha256 {
            return Err(saved.damaged(DIFFERS));
        }
        *copy = added;
    }
    Ok(again)
}
