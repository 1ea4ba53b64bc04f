//! Extended attributes: what people and programs attach to files, and access control lists.
//!
//! Kept are the attributes of the user, access control lists and capabilities. Labels of security modules
//! follow from policy and place, digests of integrity modules from content, and those of file systems are
//! their own: none of them is anybody's work.
//!
//! Linux has no call that takes a directory's descriptor and a name, but a path in `/proc` that begins at
//! the descriptor is the same: nothing above can be swapped, and the `l` calls do not follow the name.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use rustix::fs::XattrFlags;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::{At, is_gone};

/// The kernel takes no longer list and no longer value.
const LONGEST: usize = 1 << 16;

/// What overlayfs calls its own attributes with `userxattr`.
const OVERLAY: &[u8] = b"user.overlay.";

/// Names and values, of one path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attributes(Vec<(Vec<u8>, Vec<u8>)>);

/// What attributes can be read from and written to.
enum AttributesOf<'a> {
    Open(BorrowedFd<'a>),
    /// In `/proc`; its last name is not followed.
    Named(Vec<u8>),
}

impl Attributes {
    /// No attributes, as most files have.
    pub(crate) const NONE: &'static Self = &Self(Vec::new());

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Of an open file or directory.
    pub(crate) fn of(open: &impl AsFd) -> io::Result<Self> {
        AttributesOf::Open(open.as_fd()).read()
    }

    /// Of what has a name in a directory, and is no link.
    pub(crate) fn of_name(dir: BorrowedFd<'_>, name: &[u8]) -> io::Result<Self> {
        AttributesOf::named(dir, name).read()
    }

    /// Gives them to an open file, and takes away what else it has. What this file system or this user may
    /// not set is left out: a file without its attribute is better than none.
    pub(crate) fn give(&self, open: &impl AsFd) -> io::Result<()> {
        AttributesOf::Open(open.as_fd()).write(self)
    }
}

impl At<'_> {
    /// Of what is at a path and is no link; none where nothing is.
    pub(crate) fn attributes(&self) -> io::Result<Attributes> {
        if self.path.is_top() {
            return Attributes::of(&self.beneath.base);
        }
        match self.parent() {
            Ok(parent) => Attributes::of_name(parent.as_fd(), self.name()),
            Err(error) if is_gone(&error) => Ok(Attributes::default()),
            Err(error) => Err(error),
        }
    }
}

impl<'a> AttributesOf<'a> {
    fn named(dir: BorrowedFd<'a>, name: &[u8]) -> Self {
        let dir = format!("/proc/self/fd/{}/", dir.as_raw_fd());
        Self::Named([dir.as_bytes(), name].concat())
    }

    fn read(&self) -> io::Result<Attributes> {
        let mut found = BTreeMap::new();
        for name in self.names()? {
            if let Some(value) = self.get(&name)? {
                found.insert(name, value);
            }
        }
        Ok(Attributes(found.into_iter().collect()))
    }

    fn write(&self, wanted: &Attributes) -> io::Result<()> {
        let now = self.read()?;
        if now == *wanted {
            return Ok(());
        }
        for (name, _) in &now.0 {
            if !wanted.0.iter().any(|(kept, _)| kept == name) {
                tolerate(self.remove(name))?;
            }
        }
        for pair @ (name, value) in &wanted.0 {
            if !now.0.contains(pair) {
                tolerate(self.set(name, value))?;
            }
        }
        Ok(())
    }

    fn names(&self) -> io::Result<Vec<Vec<u8>>> {
        // Most files have none, so that one call is enough.
        let mut short = [0; 256];
        match self.list(&mut short) {
            Ok(length) => Ok(kept(&short[..length])),
            Err(Errno::RANGE) => {
                let mut list = vec![0; LONGEST];
                match self.list(&mut list) {
                    Ok(length) => Ok(kept(&list[..length])),
                    Err(error) => no_attributes(error).map(|()| Vec::new()),
                }
            }
            Err(error) => no_attributes(error).map(|()| Vec::new()),
        }
    }

    fn list(&self, list: &mut [u8]) -> rustix::io::Result<usize> {
        match self {
            Self::Open(open) => rustix::fs::flistxattr(open, list),
            Self::Named(path) => rustix::fs::llistxattr(path.as_slice(), list),
        }
    }

    fn get(&self, name: &[u8]) -> io::Result<Option<Vec<u8>>> {
        let mut value = vec![0; LONGEST];
        let length = match self {
            Self::Open(open) => rustix::fs::fgetxattr(open, name, value.as_mut_slice()),
            Self::Named(path) => rustix::fs::lgetxattr(path.as_slice(), name, value.as_mut_slice()),
        };
        match length {
            Ok(length) => {
                value.truncate(length);
                value.shrink_to_fit();
                Ok(Some(value))
            }
            Err(error) => no_attributes(error).map(|()| None),
        }
    }

    fn set(&self, name: &[u8], value: &[u8]) -> rustix::io::Result<()> {
        let flags = XattrFlags::empty();
        match self {
            Self::Open(open) => rustix::fs::fsetxattr(open, name, value, flags),
            Self::Named(path) => rustix::fs::lsetxattr(path.as_slice(), name, value, flags),
        }
    }

    fn remove(&self, name: &[u8]) -> rustix::io::Result<()> {
        match self {
            Self::Open(open) => rustix::fs::fremovexattr(open, name),
            Self::Named(path) => rustix::fs::lremovexattr(path.as_slice(), name),
        }
    }
}

/// The names in a list, each of which ends in a zero byte.
fn kept(list: &[u8]) -> Vec<Vec<u8>> {
    let names = list.split(|&byte| byte == 0);
    names.filter(|name| is_kept(name)).map(<[u8]>::to_vec).collect()
}

fn is_kept(name: &[u8]) -> bool {
    let kinds: [&[u8]; 3] = [b"user.", b"system.posix_acl_", b"security.capability"];
    kinds.iter().any(|kind| name.starts_with(kind)) && !name.starts_with(OVERLAY)
}

/// Errors that mean that there are none, or none that we may see.
fn no_attributes(error: Errno) -> io::Result<()> {
    match error {
        Errno::OPNOTSUPP | Errno::NODATA | Errno::ACCESS | Errno::PERM | Errno::NOENT => Ok(()),
        // The list or the value grew between two looks: the change time has changed with it.
        Errno::RANGE => Ok(()),
        error => Err(error.into()),
    }
}

fn tolerate(done: rustix::io::Result<()>) -> io::Result<()> {
    match done {
        Err(Errno::NOTSUP | Errno::PERM | Errno::ACCESS | Errno::NODATA | Errno::INVAL) => Ok(()),
        done => Ok(done?),
    }
}
