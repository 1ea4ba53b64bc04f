//! What a snapshot says of every path, as it is stored.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use ftl_store::{FileError, Files, OsFiles};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::git::state::GitState;
use crate::snapshot::entry::{Original, SnapshotEntry};
use crate::snapshot::pack::Pack;
use crate::walk::rules::IgnoreRules;
use crate::walk::scratch::ScratchStamp;
use crate::{RelPath, TreeError};

pub(crate) const MANIFEST: &str = "manifest.json";
/// What is about to be put back, beside the manifest.
pub(crate) const PLAN: &str = "putting-back.json";
pub(crate) const VERSION: u32 = 3;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) version: u32,
    /// When the walk began, in nanoseconds since the epoch.
    pub(crate) taken: i64,
    /// Always copied, also where git holds the bytes: an implementer may commit, or break git.
    pub(crate) delta: BTreeMap<DeltaPath, Original>,
    #[serde(with = "pairs")]
    pub(crate) entries: BTreeMap<RelPath, SnapshotEntry>,
    #[serde(with = "pairs")]
    pub(crate) scratch: BTreeMap<RelPath, ScratchStamp>,
    /// What git ignored.
    pub(crate) rules: IgnoreRules,
    /// The root, from the top of what was watched.
    pub(crate) root: RelPath,
    pub(crate) owns_git_dir: bool,
    /// Where git's own directory was.
    pub(crate) git_dir: Option<RelPath>,
    /// HEAD, references, the stash and the index.
    pub(crate) git: Option<GitState>,
    /// Directories that could not be looked into.
    #[serde(default)]
    pub(crate) unreadable: BTreeSet<RelPath>,
    /// Git's directories of repositories within the tree that are held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) repositories: Vec<RelPath>,
    pub(crate) warnings: Vec<String>,
}

/// Writes a manifest, for no other user to read: it names every file of the tree. Few copies are behind it.
pub(crate) fn store(dir: &Path, manifest: &Manifest, pack: &Pack) -> Result<(), TreeError> {
    Ok(write_few(&dir.join(MANIFEST), bytes_of(dir, manifest)?, pack)?)
}

/// Writes what says which copies there are, durably and for its owner alone, with these where they are few.
pub(crate) fn write_few(path: &Path, mut bytes: Vec<u8>, pack: &Pack) -> Result<(), FileError> {
    if let Some(few) = pack.few() {
        bytes.push(b'\n');
        bytes.extend_from_slice(few);
    }
    ftl_store::replace_private(&OsFiles, path, &bytes)
}

/// The two parts of what [`write_few`] wrote: no line break is in the first.
pub(crate) fn parts(bytes: &[u8]) -> (&[u8], Option<&[u8]>) {
    match bytes.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&bytes[..end], Some(&bytes[end + 1..])),
        None => (bytes, None),
    }
}

/// [`store`] of a run that is over, without copies. After a power cut there may be none, or the one before it.
pub(crate) fn store_later(dir: &Path, manifest: &Manifest) -> Result<(), TreeError> {
    let path = dir.join(MANIFEST);
    Ok(ftl_store::replace_later(&OsFiles, &path, &bytes_of(dir, manifest)?)?)
}

fn bytes_of(dir: &Path, manifest: &Manifest) -> Result<Vec<u8>, TreeError> {
    serde_json::to_vec(manifest)
        .map_err(|error| TreeError::Damaged { dir: dir.to_path_buf(), reason: error.to_string() })
}

/// Whether the snapshots below the directory of a run have no copies any more.
pub fn holds_only_manifests(run: &Path) -> bool {
    let names = |dir: &Path| OsFiles.list(dir).unwrap_or_default();
    let has_copies = |path: &Path| std::fs::read(path).is_ok_and(|it| parts(&it).1.is_some());
    let is_retired =
        |dir: &Path| names(dir).iter().all(|name| name == MANIFEST && !has_copies(&dir.join(name)));
    names(run).iter().all(|request| is_retired(&run.join(request)))
}

pub(crate) fn set_private(path: &Path, mode: u32) -> Result<(), TreeError> {
    let mode = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(path, mode).map_err(TreeError::io("set the mode of", path))
}

/// A manifest of which only what stays of a run that has ended was read. The rest is most of it.
pub(crate) struct Head(pub(crate) Manifest);

impl<'de> Deserialize<'de> for Head {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        /// What is not named here is skipped.
        #[derive(Deserialize)]
        struct Kept {
            version: u32,
            taken: i64,
            delta: BTreeMap<DeltaPath, Original>,
            root: RelPath,
            owns_git_dir: bool,
            git_dir: Option<RelPath>,
            #[serde(default)]
            unreadable: BTreeSet<RelPath>,
            warnings: Vec<String>,
        }
        let kept = Kept::deserialize(from)?;
        Ok(Self(Manifest {
            version: kept.version,
            taken: kept.taken,
            delta: kept.delta,
            root: kept.root,
            owns_git_dir: kept.owns_git_dir,
            git_dir: kept.git_dir,
            unreadable: kept.unreadable,
            warnings: kept.warnings,
            ..Manifest::default()
        }))
    }
}

impl AsRef<Manifest> for Manifest {
    fn as_ref(&self) -> &Manifest {
        self
    }
}

impl AsRef<Manifest> for Head {
    fn as_ref(&self) -> &Manifest {
        &self.0
    }
}

/// A manifest, or as much of it as is asked for, with few copies.
pub(crate) struct StoredManifest<M> {
    pub(crate) manifest: M,
    pub(crate) few: Option<Vec<u8>>,
}

/// The manifest in `dir`; `None` when none was finished.
pub(crate) fn read<M>(dir: &Path) -> Result<Option<StoredManifest<M>>, TreeError>
where
    M: DeserializeOwned + AsRef<Manifest>,
{
    let path = dir.join(MANIFEST);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TreeError::io("read", path)(error)),
    };
    let (bytes, few) = parts(&bytes);
    // What a power cut left of one that was not synced.
    if bytes.is_empty() || bytes.contains(&0) {
        return Ok(None);
    }
    let damaged = |reason: String| TreeError::Damaged { dir: dir.to_path_buf(), reason };
    let manifest: M = serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
    let version = manifest.as_ref().version;
    if version != VERSION {
        return Err(damaged(format!("version {version} is unknown")));
    }
    Ok(Some(StoredManifest { manifest, few: few.map(<[u8]>::to_vec) }))
}

/// Where the root lay in what the snapshot in `dir` is of, and where git's own directory was.
pub(crate) fn places_of(dir: &Path) -> Result<Option<(RelPath, Option<PathBuf>)>, TreeError> {
    Ok(read(dir)?.map(|StoredManifest { manifest: Head(manifest), .. }| {
        let git_dir = manifest.git_dir.map(|dir| dir.as_path().to_path_buf());
        (manifest.root, git_dir)
    }))
}

/// Maps whose keys are no strings, as lists of pairs: JSON's objects have only strings for keys, and
/// a file name need not be UTF-8.
pub(crate) mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S, K, V>(map: &BTreeMap<K, V>, to: S) -> Result<S::Ok, S::Error>
    where
        S: Serializer,
        K: Serialize,
        V: Serialize,
    {
        to.collect_seq(map)
    }

    pub(crate) fn deserialize<'de, D, K, V>(from: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        D: Deserializer<'de>,
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
    {
        Ok(Vec::<(K, V)>::deserialize(from)?.into_iter().collect())
    }
}
