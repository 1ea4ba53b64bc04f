//! Where a project and ftl's state are: beside each other, or in a place that makes work for a build.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ftl_testkit::Result;

use crate::sandbox::{Sandbox, Setup};

/// Where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    Plain,
    /// The root's name is no UTF-8, and means something to a shell.
    OddName,
    /// The state directory is on another file system than the project.
    OtherDisk,
    /// Directories of the project can't be written, which matters to a plain user.
    ReadOnly,
}

impl Setting {
    pub(super) const ALL: [Self; 4] = [Self::Plain, Self::OddName, Self::OtherDisk, Self::ReadOnly];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::OddName => ", a root with an odd name",
            Self::OtherDisk => ", the state on another file system",
            Self::ReadOnly => ", directories that are read-only",
        }
    }

    /// Before the project is laid out.
    pub(super) fn prepare(self, sandbox: &Sandbox) -> Result {
        open_up(&sandbox.root())?;
        open_up(&sandbox.state())?;
        sandbox.set_up(match self {
            Self::Plain | Self::ReadOnly => Setup::Plain,
            Self::OddName => Setup::OddName,
            Self::OtherDisk => Setup::OtherDisk,
        })
    }

    /// Once it is laid out.
    pub(super) fn finish(self, sandbox: &Sandbox) -> Result {
        if self == Self::ReadOnly {
            for dir in ["notes", "build"] {
                let dir = sandbox.root().join(dir);
                fs::set_permissions(dir, fs::Permissions::from_mode(0o555))?;
            }
        }
        Ok(())
    }
}

/// Gives the owner all rights to directories, so that a project can be removed.
fn open_up(dir: &Path) -> Result {
    if !dir.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return Ok(());
    }
    fs::set_permissions(dir, fs::Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(dir)? {
        open_up(&entry?.path())?;
    }
    Ok(())
}
