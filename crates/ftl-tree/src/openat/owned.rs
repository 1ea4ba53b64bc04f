//! Opening what its own mode keeps its owner from.
//!
//! An implementer may take the rights to what it wrote from everybody, and its work is judged, moved or
//! removed all the same. A refusal alone is no reason to change a mode: a security module or a network file
//! system refuses in the same words. So a mode is changed only where it is what refuses, of what is to be opened: never
//! of a file that is asked for as a directory.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Mode, OFlags};

use super::at::open_file;
use super::making::set_mode;
use super::{At, open_dir, stamp_of};
use crate::stamp::{EntryType, Stamp};

/// What an owner needs to read a file.
const READ: (EntryType, u32) = (EntryType::File, 0o400);
/// What an owner needs to list, enter and empty a directory.
const ENTER: (EntryType, u32) = (EntryType::Dir, 0o700);

impl At<'_> {
    /// Opens a regular file to read it, also against its mode, which it keeps.
    pub(crate) fn owned_file(&self) -> io::Result<File> {
        owned_file(&*self.parent()?, self.name())
    }
}

pub(crate) fn owned_file(dir: &OwnedFd, name: &[u8]) -> io::Result<File> {
    match open_file(dir, name, OFlags::RDONLY) {
        Err(refused) => {
            let mode = grant(dir, name, READ, refused)?;
            let file = open_file(dir, name, OFlags::RDONLY);
            set_mode(dir, name, mode)?;
            file
        }
        file => file,
    }
}

pub(super) fn owned_dir(dir: &OwnedFd, name: &[u8]) -> io::Result<OwnedFd> {
    match open_dir(dir, name) {
        Err(refused) => {
            grant(dir, name, ENTER, refused)?;
            open_dir(dir, name)
        }
        opened => opened,
    }
}

/// Opens a directory by its name, as [`At::writable_dir`] does.
pub(crate) fn writable_dir(dir: &OwnedFd, name: &[u8]) -> io::Result<OwnedFd> {
    let opened = owned_dir(dir, name)?;
    make_writable(&opened)?;
    Ok(opened)
}

/// Lets the owner change an open directory. What the file system refuses here, it refuses again in the next step,
/// which reports it.
fn make_writable(dir: &OwnedFd) -> io::Result<()> {
    let mode = stamp_of(dir)?.permissions();
    let (_, rights) = ENTER;
    if !gives(mode, rights) {
        let _ = rustix::fs::fchmod(dir, Mode::from_raw_mode((mode | rights) as _));
    }
    Ok(())
}

/// Gives the owner rights that the mode keeps from it, and returns that mode. Where the mode gives them already, or
/// the entry is of another type, something else `refused`.
fn grant(
    dir: &OwnedFd,
    name: &[u8],
    (wanted, rights): (EntryType, u32),
    refused: io::Error,
) -> io::Result<u32> {
    if refused.kind() != io::ErrorKind::PermissionDenied {
        return Err(refused);
    }
    let stamp = Stamp::of(&rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?);
    let mode = stamp.permissions();
    if stamp.kind() != wanted || gives(mode, rights) {
        return Err(refused);
    }
    set_mode(dir, name, mode | rights)?;
    Ok(mode)
}

/// Whether a mode gives its owner these rights.
fn gives(mode: u32, rights: u32) -> bool {
    mode & rights == rights
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::ErrorKind;
    use std::os::unix::fs::PermissionsExt;

    use super::{ENTER, READ, grant};

    #[test]
    fn rights_are_given_to_what_is_to_be_opened_and_to_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let dir = std::os::fd::OwnedFd::from(fs::File::open(root.path()).unwrap());
        fs::write(root.path().join("file"), "").unwrap();
        fs::create_dir(root.path().join("dir")).unwrap();
        for (name, rights, before, after) in [
            ("file", READ, 0o200, 0o600),
            ("file", READ, 0o644, 0o644),
            ("file", ENTER, 0o644, 0o644),
            ("dir", ENTER, 0o100, 0o700),
            ("dir", READ, 0o100, 0o100),
        ] {
            let path = root.path().join(name);
            fs::set_permissions(&path, fs::Permissions::from_mode(before)).unwrap();
            let granted = grant(&dir, name.as_bytes(), rights, ErrorKind::PermissionDenied.into());
            assert_eq!(granted.ok(), (before != after).then_some(before), "{name} {before:o}");
            let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, after, "{name} {before:o}");
        }
    }
}
