//! What is said of saved files, as it is stored.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use ftl_model::DeltaPath;
use ftl_store::{FileError, OsFiles};
use serde::{Deserialize, Serialize};

use super::SavedFile;
use super::pack::Pack;
use crate::TreeError;

pub(crate) const MANIFEST: &str = "manifest.json";
const VERSION: u32 = 4;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    version: u32,
    pub(crate) files: BTreeMap<DeltaPath, SavedFile>,
}

impl Manifest {
    pub(crate) fn new(files: BTreeMap<DeltaPath, SavedFile>) -> Self {
        Self { version: VERSION, files }
    }
}

/// Writes a manifest, for no other user to read. Few copies are behind it.
pub(crate) fn store(dir: &Path, manifest: &Manifest, pack: &Pack) -> Result<(), TreeError> {
    let bytes = serde_json::to_vec(manifest).map_err(|error| TreeError::Damaged {
        dir: dir.to_path_buf(),
        reason: error.to_string(),
    })?;
    Ok(write_few(&dir.join(MANIFEST), bytes, pack)?)
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

/// A manifest with few copies.
pub(crate) struct StoredManifest {
    pub(crate) manifest: Manifest,
    pub(crate) few: Option<Vec<u8>>,
}

/// The manifest in `dir`; `None` when none was finished.
pub(crate) fn read(dir: &Path) -> Result<Option<StoredManifest>, TreeError> {
    let path = dir.join(MANIFEST);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TreeError::io("read", path)(error)),
    };
    let (bytes, few) = parts(&bytes);
    let damaged = |reason: String| TreeError::Damaged { dir: dir.to_path_buf(), reason };
    let manifest: Manifest =
        serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
    if manifest.version != VERSION {
        return Err(damaged(format!("version {} is unknown", manifest.version)));
    }
    Ok(Some(StoredManifest { manifest, few: few.map(<[u8]>::to_vec) }))
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
