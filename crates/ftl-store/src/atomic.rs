//! Files that appear whole or not at all, and stay.
//!
//! The pattern is the usual one: write a temporary file in the same directory, sync it, rename it over
//! the name, sync the directory. Each step has its reason. rename(2) replaces a name atomically, but
//! only within a file system, so the temporary file is beside its target. Without the first sync, the
//! new name can reach the disk before the bytes do, and a power cut leaves an empty file. And fsync(2)
//! of a file does not cover its name: "an explicit fsync() on a file descriptor for the directory is
//! also needed".
//!
//! Functions that end in `_unsynced` leave out the last step, for callers who make several names in
//! one directory and sync it once; those that end in `_later` leave out both syncs. Nothing here takes a
//! lock; who may write a file is said with each function.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::files::{FileError, FileKind, Files};
use ftl_model::Digest;

/// How the bytes of a new file come to the disk.
type Write = fn(&dyn Files, &Path, &[u8], Option<u32>) -> Result<(), FileError>;

/// They are there before the file has its name.
const SYNCED: Write = |files, path, bytes, mode| files.write_new(path, bytes, mode);
/// A power cut may leave an empty file, or zeros.
const UNSYNCED: Write = |files, path, bytes, mode| files.write_unsynced(path, bytes, mode);

/// Makes a directory and its missing parents, and syncs each name that it made. A directory that is
/// there already costs one `lstat`, and no sync.
pub fn ensure_dir(files: &dyn Files, dir: &Path) -> Result<(), FileError> {
    if files.metadata(dir)?.is_some() {
        return Ok(());
    }
    let parent = parent_of(dir);
    ensure_dir(files, parent)?;
    match files.create_dir(dir) {
        Ok(()) => files.sync_dir(parent),
        // Another process made it in between, and may not have synced its name yet.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => files.sync_dir(parent),
        Err(error) => Err(error),
    }
}

/// Permission bits of files that hold what was built, printed and asked: for their owner alone.
pub(super) const PRIVATE: u32 = 0o600;

/// [`ensure_dir`] for directories of runs: their owner alone may enter them.
pub fn ensure_private_dir(files: &dyn Files, dir: &Path) -> Result<(), FileError> {
    if files.metadata(dir)?.is_some() {
        return Ok(());
    }
    let parent = parent_of(dir);
    ensure_private_dir(files, parent)?;
    make_private_dir(files, dir)?;
    files.sync_dir(parent)
}

/// [`ensure_private_dir`], for a caller who syncs the names, or does not rely on them.
pub fn ensure_private_dir_unsynced(files: &dyn Files, dir: &Path) -> Result<(), FileError> {
    if files.metadata(dir)?.is_some() {
        return Ok(());
    }
    ensure_private_dir_unsynced(files, parent_of(dir))?;
    make_private_dir(files, dir)
}

fn make_private_dir(files: &dyn Files, dir: &Path) -> Result<(), FileError> {
    match files.create_private_dir(dir) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        done => done,
    }
}

/// Makes a directory and its missing parents. The caller that relies on them syncs their names.
pub(super) fn ensure_dir_unsynced(files: &dyn Files, dir: &Path) -> Result<(), FileError> {
    if files.metadata(dir)?.is_some() {
        return Ok(());
    }
    ensure_dir_unsynced(files, parent_of(dir))?;
    match files.create_dir(dir) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        done => done,
    }
}

/// Makes a file that was not there. After a crash it is there with all of its bytes, or not there.
///
/// Needs no lock: of several processes that make the same file one succeeds and the others find the
/// name [taken](StoreError::Taken).
pub fn create(files: &dyn Files, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    // The process id keeps the temporary files of several creators apart.
    let temporary = temporary_of(path, &format!("{}.tmp", std::process::id()));
    create_through(files, (SYNCED, &temporary), path, bytes, None)?;
    Ok(files.sync_dir(parent_of(path))?)
}

/// [`create`], without syncs and for a caller who holds the lock of what is in the directory: the
/// temporary file has a fixed name, so that the next caller overwrites what a crash leaves.
pub(super) fn create_later(
    files: &dyn Files,
    path: &Path,
    bytes: &[u8],
    mode: Option<u32>,
) -> Result<(), StoreError> {
    create_through(files, (UNSYNCED, &leftover_of(path)), path, bytes, mode)
}

fn create_through(
    files: &dyn Files,
    (write, temporary): (Write, &Path),
    path: &Path,
    bytes: &[u8],
    mode: Option<u32>,
) -> Result<(), StoreError> {
    write_temporary(files, (write, temporary), bytes, mode)?;
    files.rename_new(temporary, path).map_err(|error| {
        discard(files, temporary);
        taken(error)
    })
}

/// Gives a file new content. After a crash it has all of the old or all of the new bytes.
///
/// Two at once would use the same temporary file: the caller holds the lock that guards `path`.
pub fn replace(files: &dyn Files, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    replace_unsynced(files, path, bytes)?;
    Ok(files.sync_dir(parent_of(path))?)
}

/// [`replace`] without syncs: a power cut may leave the old bytes, the new ones, or a file that is empty or has zeros
/// in it.
pub fn replace_later(files: &dyn Files, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mode = regular_mode(files, path)?;
    Ok(replace_with(files, (UNSYNCED, path), bytes, mode)?)
}

/// [`replace`], for a caller who syncs the directory itself.
pub(super) fn replace_unsynced(
    files: &dyn Files,
    path: &Path,
    bytes: &[u8],
) -> Result<(), FileError> {
    let mode = regular_mode(files, path)?;
    replace_with(files, (SYNCED, path), bytes, mode)
}

/// [`replace`] of a file that its owner alone may read.
pub fn replace_private(files: &dyn Files, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    replace_private_unsynced(files, path, bytes)?;
    files.sync_dir(parent_of(path))
}

/// [`replace_private`], for a caller who syncs the directory itself.
pub fn replace_private_unsynced(
    files: &dyn Files,
    path: &Path,
    bytes: &[u8],
) -> Result<(), FileError> {
    replace_with(files, (SYNCED, path), bytes, Some(PRIVATE))
}

fn replace_with(
    files: &dyn Files,
    (write, path): (Write, &Path),
    bytes: &[u8],
    mode: Option<u32>,
) -> Result<(), FileError> {
    let temporary = leftover_of(path);
    write_temporary(files, (write, &temporary), bytes, mode)?;
    files.rename(&temporary, path).inspect_err(|_| discard(files, &temporary))
}

/// A file as [`write_out`] left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its path.
    pub path: PathBuf,
    /// Its digest.
    pub sha256: Digest,
    /// Its size in bytes.
    pub len: u64,
}

/// Keeps bytes in the directory of a run under `name`, for their owner alone. It may be taken: an effect that a crash
/// interrupted is performed again, under the same name.
pub fn write_out(
    files: &dyn Files,
    dir: &Path,
    name: &str,
    bytes: &[u8],
) -> Result<Stored, StoreError> {
    ensure_private_dir(files, dir)?;
    let stored = write_out_with(files, SYNCED, dir, name, bytes)?;
    files.sync_dir(dir)?;
    Ok(stored)
}

/// [`write_out`] without a sync: a kill loses nothing of it, a power cut may. Where a record will name the file, the
/// journal is to [rely on](super::Journal::rely_on) it.
pub fn write_out_later(
    files: &dyn Files,
    dir: &Path,
    name: &str,
    bytes: &[u8],
) -> Result<Stored, StoreError> {
    ensure_private_dir_unsynced(files, dir)?;
    write_out_with(files, UNSYNCED, dir, name, bytes)
}

fn write_out_with(
    files: &dyn Files,
    write: Write,
    dir: &Path,
    name: &str,
    bytes: &[u8],
) -> Result<Stored, StoreError> {
    let path = dir.join(name);
    replace_with(files, (write, &path), bytes, Some(PRIVATE))?;
    Ok(Stored { path, sha256: Digest::of(bytes), len: bytes.len() as u64 })
}

/// Where [`replace`] writes first, and what a crash of it leaves behind.
pub(super) fn leftover_of(path: &Path) -> PathBuf {
    temporary_of(path, "tmp")
}

/// Whether a file's name is one that [`replace`] writes to first.
pub(super) fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") && name.ends_with(b".tmp")
}

/// The directory that holds `path`.
pub(super) fn parent_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => path,
    }
}

/// A name that is taken has its own error.
pub(super) fn taken(error: FileError) -> StoreError {
    if error.kind() == ErrorKind::AlreadyExists {
        StoreError::Taken { path: error.path }
    } else {
        StoreError::File(error)
    }
}

/// In the same directory, so that it can be renamed over `path`; hidden, and never ending in `.xml`,
/// so that no command takes it for a task file.
fn temporary_of(path: &Path, extension: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_stem().unwrap_or_default());
    name.push(".");
    name.push(extension);
    path.with_file_name(name)
}

fn write_temporary(
    files: &dyn Files,
    (write, temporary): (Write, &Path),
    bytes: &[u8],
    mode: Option<u32>,
) -> Result<(), FileError> {
    // What a crash left is removed rather than overwritten: it may have another mode.
    if files.metadata(temporary)?.is_some() {
        files.remove(temporary)?;
    }
    write(files, temporary, bytes, mode).inspect_err(|_| discard(files, temporary))
}

/// Removes what a failed step left behind; its own failure would hide the first one's reason.
fn discard(files: &dyn Files, temporary: &Path) {
    let _ = files.remove(temporary);
}

/// The permissions that a replacement takes over. Those of a link are not its target's, and the link
/// itself is replaced: the new file has the default mode.
fn regular_mode(files: &dyn Files, path: &Path) -> Result<Option<u32>, FileError> {
    let found = files.metadata(path)?;
    Ok(found.and_then(|found| match found.kind {
        FileKind::File => Some(found.mode),
        FileKind::Dir | FileKind::Link | FileKind::Other => None,
    }))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{create, ensure_dir, replace, write_out};
    use crate::{Files, OsFiles, StoreError};

    #[test]
    fn an_output_is_kept_with_its_digest_and_may_be_written_again() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().join("a/outputs");
        write_out(&OsFiles, &dir, "verify.log", b"first try").unwrap();
        let stored = write_out(&OsFiles, &dir, "verify.log", b"abc").unwrap();
        assert_eq!(fs::read(&stored.path).unwrap(), b"abc");
        assert_eq!(stored.len, 3);
        assert_eq!(
            stored.sha256.to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(OsFiles.list(&dir).unwrap(), ["verify.log"]);
    }

    #[test]
    fn a_created_file_never_replaces_another() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("001_a_active.xml");
        create(&OsFiles, &path, b"first").unwrap();
        let error = create(&OsFiles, &path, b"second").unwrap_err();
        assert!(matches!(error, StoreError::Taken { path: taken } if taken == path));
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(OsFiles.list(temp.path()).unwrap(), ["001_a_active.xml"]);
    }

    #[test]
    fn a_leftover_of_a_crash_is_no_obstacle() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join(".a.tmp"), "half").unwrap();
        let path = temp.path().join("a.xml");
        replace(&OsFiles, &path, b"whole").unwrap();
        assert_eq!(OsFiles.list(temp.path()).unwrap(), ["a.xml"]);
    }

    #[test]
    fn a_failed_replacement_leaves_the_old_file_and_no_other() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a.xml");
        fs::create_dir(&path).unwrap();
        assert!(replace(&OsFiles, &path, b"new").is_err());
        assert_eq!(OsFiles.list(temp.path()).unwrap(), ["a.xml"]);
    }

    #[test]
    fn a_failure_names_the_step_and_the_path() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("missing/file");
        let error = OsFiles.sync_file(&path).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot sync `{}`", path.display()));
        fs::write(temp.path().join("file"), "").unwrap();
        let below = temp.path().join("file/below");
        assert!(ensure_dir(&OsFiles, &below).is_err());
    }
}
