//! The real file system: one or two system calls for each step of [`Files`].
//!
//! Syncs follow the trait's promise and no more. New files and cut ones use fsync(2), since their size
//! is as important as their bytes. An append uses fdatasync(2), which leaves out times but writes the
//! size, as it is needed to read the data back. On macOS the standard library asks for `F_FULLFSYNC`,
//! without which the disk's own cache may still lose both.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{CWD, OFlags, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::files::{FileError, FileKind, Files, Metadata, Operation};
use super::regular::read_regular;

/// Largest file that is read whole, in bytes: a record has at most 8 MiB, and a journal a few.
const LARGEST: u64 = 64 << 20;

/// [`Files`] of the operating system. A step that a signal interrupts is taken again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OsFiles;

/// Takes a step until no signal interrupts it; names it when it fails.
fn step<T>(
    operation: Operation,
    path: &Path,
    mut take: impl FnMut() -> io::Result<T>,
) -> Result<T, FileError> {
    loop {
        match take() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done.map_err(|source| operation.failed(path, source)),
        }
    }
}

impl Files for OsFiles {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        step(Operation::Read, path, || {
            let bytes = read_regular(path, LARGEST)?;
            if bytes.len() as u64 > LARGEST {
                let message = format!("it is larger than {} MiB", LARGEST >> 20);
                return Err(io::Error::new(ErrorKind::FileTooLarge, message));
            }
            Ok(bytes)
        })
    }

    fn metadata(&self, path: &Path) -> Result<Option<Metadata>, FileError> {
        match step(Operation::Inspect, path, || fs::symlink_metadata(path)) {
            Ok(found) => Ok(Some(Metadata {
                kind: kind_of(found.file_type()),
                len: found.len(),
                mode: found.mode() & 0o7777,
            })),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn list(&self, dir: &Path) -> Result<Vec<OsString>, FileError> {
        let names = step(Operation::List, dir, || {
            fs::read_dir(dir)?
                .map(|entry| entry.map(|entry| entry.file_name()))
                .collect::<io::Result<Vec<_>>>()
        });
        match names {
            Ok(mut names) => {
                names.sort_unstable();
                Ok(names)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    fn create_dir(&self, dir: &Path) -> Result<(), FileError> {
        step(Operation::CreateDir, dir, || fs::create_dir(dir))
    }

    fn create_private_dir(&self, dir: &Path) -> Result<(), FileError> {
        step(Operation::CreateDir, dir, || DirBuilder::new().mode(0o700).create(dir))
    }

    fn make_private(&self, dir: &Path) -> Result<(), FileError> {
        step(Operation::Inspect, dir, || make_private(dir))
    }

    fn write_new(&self, path: &Path, bytes: &[u8], mode: Option<u32>) -> Result<(), FileError> {
        let file = new_file(path, bytes, mode)?;
        step(Operation::Sync, path, || file.sync_all())
    }

    fn write_unsynced(
        &self,
        path: &Path,
        bytes: &[u8],
        mode: Option<u32>,
    ) -> Result<(), FileError> {
        new_file(path, bytes, mode).map(drop)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        let mut file =
            step(Operation::Write, path, || no_link(OpenOptions::new().append(true)).open(path))?;
        write_whole(&mut file, path, bytes)
    }

    fn truncate(&self, path: &Path, len: u64) -> Result<(), FileError> {
        let file =
            step(Operation::Truncate, path, || no_link(OpenOptions::new().write(true)).open(path))?;
        step(Operation::Truncate, path, || file.set_len(len))?;
        step(Operation::Sync, path, || file.sync_all())
    }

    fn sync_file(&self, path: &Path) -> Result<(), FileError> {
        step(Operation::Sync, path, || File::open(path)?.sync_data())
    }

    fn sync_dir(&self, dir: &Path) -> Result<(), FileError> {
        step(Operation::Sync, dir, || File::open(dir)?.sync_all())
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), FileError> {
        step(Operation::Rename, to, || fs::rename(from, to))
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), FileError> {
        step(Operation::Rename, to, || {
            match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
                // `RENAME_NOREPLACE` needs support by the file system (NFS has none), and Linux 3.15.
                // Without it there is a moment between look and rename. Task files are guarded by
                // locks as well; only the creation of one relies on this alone.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => rename_after_look(from, to),
                done => done.map_err(io::Error::from),
            }
        })
    }

    fn remove(&self, path: &Path) -> Result<(), FileError> {
        step(Operation::Remove, path, || fs::remove_file(path))
    }
}

/// A file that was not there, with its bytes.
fn new_file(path: &Path, bytes: &[u8], mode: Option<u32>) -> Result<File, FileError> {
    let mut file = step(Operation::Write, path, || {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if let Some(mode) = mode {
            // From its first moment on; what the umask takes away is given below.
            options.mode(mode);
        }
        options.open(path)
    })?;
    if let Some(mode) = mode {
        let permissions = Permissions::from_mode(mode);
        step(Operation::Write, path, || file.set_permissions(permissions.clone()))?;
    }
    write_whole(&mut file, path, bytes)?;
    Ok(file)
}

/// A journal that is a link now was replaced by another process, and is not written through.
fn no_link(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
}

/// The directory first: from then on no other user reaches what is in it.
fn make_private(path: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        return Ok(());
    }
    if found.mode() & 0o077 != 0 {
        fs::set_permissions(path, Permissions::from_mode(found.mode() & 0o7700))?;
    }
    if found.is_dir() {
        for entry in fs::read_dir(path)? {
            match make_private(&entry?.path()) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                done => done?,
            }
        }
    }
    Ok(())
}

/// One write(2), unless the system takes fewer bytes than it was given. An interrupted write is taken
/// again for the bytes that are left, so it must not be repeated as a whole by `step`.
fn write_whole(file: &mut File, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    file.write_all(bytes).map_err(|source| Operation::Write.failed(path, source))
}

fn rename_after_look(from: &Path, to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == ErrorKind::NotFound => fs::rename(from, to),
        Err(error) => Err(error),
    }
}

fn kind_of(kind: fs::FileType) -> FileKind {
    if kind.is_file() {
        FileKind::File
    } else if kind.is_dir() {
        FileKind::Dir
    } else if kind.is_symlink() {
        FileKind::Link
    } else {
        FileKind::Other
    }
}

/// The result of a removal, where it is fine that there was nothing to remove.
///
/// # Errors
///
/// Any other error of the removal.
pub fn unless_missing(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
