//! Files as they are read: regular ones, up to a bound.
//!
//! A repository may hold a link to a device or a named pipe where a source or a manifest is expected.
//! Reading one would never end, so it is refused before the first byte.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Largest file that is parsed, in bytes. Parsers need many times the memory of their text, and no
/// source that people write comes near.
pub const LARGEST: u64 = 64 << 20;

/// Largest `package.json` or `Cargo.toml` that is read, in bytes.
#[cfg(any(feature = "javascript", feature = "rust"))]
pub(crate) const LARGEST_MANIFEST: u64 = 1 << 20;

/// The bytes of a source file, as [`check`](crate::check) and a [`Checker`](crate::Checker) read them
/// when they are given a path.
///
/// # Errors
///
/// The file cannot be read, is a device, pipe, socket or directory, or is larger than 64 MiB
/// ([`io::ErrorKind::FileTooLarge`]).
pub fn read_source(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    regular(path.as_ref(), LARGEST)
}

/// The bytes of a regular file of at most `limit` bytes.
pub(crate) fn regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (file, metadata) = open_regular(path)?;
    // Asked first: of a sparse file of terabytes not a byte has to be read.
    if metadata.len() > limit {
        return Err(too_large(limit));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    // It may grow while it is read.
    if file.take(limit + 1).read_to_end(&mut bytes)? as u64 > limit {
        return Err(too_large(limit));
    }
    Ok(bytes)
}

/// The first bytes of a regular file, `limit` at most.
pub(crate) fn start(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.0.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn open_regular(path: &Path) -> io::Result<(File, Metadata)> {
    // To open a device may do something to it; checked again below, since another file may get the
    // name in between.
    refuse_others(&fs::metadata(path)?)?;
    let file = open(path)?;
    let metadata = file.metadata()?;
    refuse_others(&metadata)?;
    Ok((file, metadata))
}

fn refuse_others(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::other("it is not a regular file"))
}

fn too_large(limit: u64) -> io::Error {
    let message = format!("it is larger than {} MiB", limit >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// Opens a file without waiting for the writer of a pipe, and without making a terminal the
/// controlling one.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, File};
    use std::io::ErrorKind;
    use std::os::unix::fs::symlink;

    use super::{LARGEST, read_source};

    #[test]
    fn a_path_to_no_regular_file_is_refused_without_waiting() {
        let scratch = tempfile::tempdir().unwrap();
        let (pipe, zeros) = (scratch.path().join("pipe"), scratch.path().join("zeros"));
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        symlink("/dev/zero", &zeros).unwrap();

        for path in [pipe.as_path(), &zeros, scratch.path()] {
            let error = read_source(path).unwrap_err();
            assert_eq!(error.to_string(), "it is not a regular file", "{path:?}");
        }
    }

    #[test]
    fn the_bound_is_checked_before_and_the_last_byte_fits() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("sparse.py");
        File::create(&path).unwrap().set_len(LARGEST + 1).unwrap();
        assert_eq!(read_source(&path).unwrap_err().kind(), ErrorKind::FileTooLarge);

        fs::write(&path, "x = 1\n").unwrap();
        assert_eq!(read_source(&path).unwrap(), b"x = 1\n");
    }
}
