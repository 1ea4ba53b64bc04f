//! Reading a file that any program may have put there.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

/// The bytes of a regular file; of one larger than `limit` bytes so many that the caller sees it: one
/// more than that. A link is followed, a pipe is not waited for, and of a device nothing is read.
///
/// # Errors
///
/// The file cannot be read, or is no regular file.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // To open a device may do something to it; asked again below, since names can be given away.
    refuse_others(&fs::metadata(path)?)?;
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let metadata = file.metadata()?;
    refuse_others(&metadata)?;
    let expected = usize::try_from(metadata.len().min(limit)).unwrap_or_default();
    let mut bytes = Vec::with_capacity(expected + 1);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn refuse_others(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::other("it is not a regular file"))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::read_regular;

    #[test]
    fn pipes_and_directories_are_refused_without_waiting() {
        let scratch = tempfile::tempdir().unwrap();
        let (pipe, zeros) = (scratch.path().join("pipe"), scratch.path().join("zeros"));
        mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        symlink("/dev/zero", &zeros).unwrap();

        for path in [pipe.as_path(), &zeros, scratch.path()] {
            let error = read_regular(path, 10).unwrap_err();
            assert_eq!(error.to_string(), "it is not a regular file", "{path:?}");
        }
    }

    #[test]
    fn a_file_over_the_bound_is_cut_one_byte_after_it() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("sparse");
        for (length, read) in [(10, 10), (11, 11), (5 << 30, 11)] {
            File::create(&path).unwrap().set_len(length).unwrap();
            assert_eq!(read_regular(&path, 10).unwrap().len(), read);
        }
    }
}
