//! Reading a single file of a tree that another process may be writing.

use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use crate::RelPath;
use crate::openat::Beneath;
use crate::stamp::EntryType;

/// The bytes of a regular file below `root`; of one larger than `limit` bytes so many that the caller sees
/// it: one more than that. No link is followed below the root, a pipe is not waited for, and what is read
/// is the very file that was looked at.
///
/// # Errors
/// The file cannot be read or is no regular one, or the path leads elsewhere.
pub fn read_beneath(root: &Path, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.as_bytes()),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(io::Error::other("it leaves the root"));
            }
        }
    }
    let path = RelPath::new(parts.join(&b'/'));
    let beneath = Beneath::open(root)?;
    let at = beneath.at(&path);
    // To open a device may do something to it; asked again on the descriptor, since names can be given away.
    match at.look()?.map(|stamp| stamp.kind()) {
        None => return Err(io::ErrorKind::NotFound.into()),
        Some(EntryType::File) => {}
        Some(EntryType::Dir | EntryType::Link | EntryType::Special) => return Err(no_file()),
    }
    let file = at.file().map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => no_file(),
        _ => error,
    })?;
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn no_file() -> io::Error {
    io::Error::other("it is not a regular file")
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::read_beneath;

    #[test]
    fn reading_refuses_all_but_a_regular_file_beneath_the_root() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("root");
        fs::create_dir_all(root.join("d")).unwrap();
        fs::write(root.join("d/f"), "inside").unwrap();
        fs::write(temp.path().join("secret"), "outside").unwrap();
        symlink("d", root.join("dir-link")).unwrap();
        symlink("d/f", root.join("link")).unwrap();
        symlink("/dev/zero", root.join("zeros")).unwrap();
        let pipe = root.join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();

        let read = |path: &str| read_beneath(&root, Path::new(path), 10);
        assert_eq!(read("./d//f").unwrap(), b"inside");
        let said = |path: &str| read(path).unwrap_err().to_string();
        for path in ["", "d", "link", "zeros", "pipe"] {
            assert_eq!(said(path), "it is not a regular file", "{path}");
        }
        let outside = temp.path().join("secret");
        for path in ["../secret", "d/../../secret", outside.to_str().unwrap()] {
            assert_eq!(said(path), "it leaves the root", "{path}");
        }
        for path in ["dir-link/f", "d/f/x", "none", "none/none"] {
            read(path).unwrap_err();
        }
    }

    #[test]
    fn a_file_over_the_bound_is_cut_one_byte_after_it() {
        let temp = tempfile::tempdir().unwrap();
        let file = File::create(temp.path().join("sparse")).unwrap();
        for (length, read) in [(10, 10), (11, 11), (5 << 30, 11)] {
            file.set_len(length).unwrap();
            let bytes = read_beneath(temp.path(), Path::new("sparse"), 10).unwrap();
            assert_eq!(bytes.len(), read);
        }
    }
}
