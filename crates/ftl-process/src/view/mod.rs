//! Running a command in a view: with private copies mounted over some directories.
//!
//! A [`View`] names directories, and for each the one that the command sees at its path, in a separate mount namespace.
//! Over directories that are read where they are, such as dependencies, an overlay takes what is written (overlayfs,
//! `Documentation/filesystems/overlayfs.rst` of the kernel). Nothing needs root: a plain user gets a user namespace in
//! which it stays the same user. It has no capabilities when the command starts; root has the one that nested
//! sandboxes need.
//!
//! Three programs make it, one inside the other: `sh`, which ignores what interrupts us, since
//! unshare(1) would die of it before the command could tidy up; unshare(1), for the system call is not
//! to be had without `unsafe`; and this program again ([`View::enter`]), which is the first process of a pid
//! namespace. It mounts, starts the command, and when that has ended or we have, it ends, and with it
//! everything in the namespace: the kernel leaves no process and no mount behind, whichever process was killed.
//!
//! How the command ended is written to a file, [`View::report`]: unshare(1) has only an exit code for it.

#[cfg(target_os = "linux")]
mod first;
#[cfg(target_os = "linux")]
mod mounts;
mod report;
mod words;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use rustix::process::{Signal, geteuid};

use crate::{Ended, How, StartError, procfs};
use report::Report;
pub(crate) use report::said;

/// A directory that a command sees through an overlay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// The directory: absolute, without links.
    pub over: PathBuf,
    /// Takes what is written, on a file system that can be an upper layer.
    pub upper: PathBuf,
    /// For overlayfs alone: empty, on the same file system.
    pub work: PathBuf,
}

/// What a command sees at some paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// unshare(1).
    pub unshare: PathBuf,
    /// A program that calls [`View::enter`] with what follows the next words.
    pub program: PathBuf,
    /// The words before.
    pub words: Vec<OsString>,
    /// Whether a user namespace is needed, as for everybody but root.
    pub user_namespace: bool,
    /// Directories, each with the path at which the command sees it.
    pub binds: Vec<(PathBuf, PathBuf)>,
    /// Directories that the command reads where they are, also where a mount covers them.
    pub layers: Vec<Layer>,
    /// Directories that can also be read at a second path: the first may be covered.
    pub shared: Vec<(PathBuf, PathBuf)>,
    /// Files and directories that are read where they are, and cannot be written.
    pub readable: Vec<PathBuf>,
    /// What is to be the real one: pipes, sockets.
    pub pass: Vec<PathBuf>,
    /// A file that is created, at a path that nothing covers.
    pub report: PathBuf,
}

/// What keeps the interrupting signals from unshare(1) and hands over.
const IGNORING: &str = "trap '' INT TERM HUP; exec \"$@\"";

impl View {
    /// Whether user namespaces are what this user needs.
    #[must_use]
    pub fn needs_user_namespace() -> bool {
        !geteuid().is_root()
    }

    /// The first process of a view: mounts it, runs the command, and comes back with an exit code. For
    /// a program that was started by a [`Command::within`](crate::Command::within), early in its `main`.
    #[must_use]
    pub fn enter(words: Vec<OsString>) -> u8 {
        #[cfg(target_os = "linux")]
        {
            first::run(words)
        }
        #[cfg(not(target_os = "linux"))]
        {
            drop(words);
            1
        }
    }

    /// The command that runs `program` within.
    pub(crate) fn wrap(&self, program: &OsStr, args: &[OsString], dir: &Path) -> Vec<OsString> {
        let mut all: Vec<OsString> = ["-c", IGNORING, "sh"].map(OsString::from).into();
        all.push(self.unshare.clone().into());
        if self.user_namespace {
            all.extend(["--user", "--map-current-user", "--keep-caps"].map(OsString::from));
        }
        all.extend(
            ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child"]
                .map(OsString::from),
        );
        all.push("--".into());
        all.push(self.program.clone().into());
        all.extend(self.words.iter().cloned());
        let inside = words::Inside {
            report: self.report.clone(),
            dir: dir.to_path_buf(),
            // A user who runs us under nohup(1) wants the command to outlive the terminal too.
            hangs_up: !procfs::ignores(Signal::HUP.as_raw()),
            binds: self.binds.clone(),
            layers: self.layers.clone(),
            shared: self.shared.clone(),
            readable: self.readable.clone(),
            pass: self.pass.clone(),
        };
        all.extend(inside.into_words());
        all.push(program.to_owned());
        all.extend(args.iter().cloned());
        all
    }

    /// Takes room for the report: the disk may have none in the end. An older one goes, which must not be taken for this
    /// command's.
    pub(crate) fn reserve(&self) {
        let _ = crate::room::fill(&self.report, report::ROOM);
    }

    /// What is true of the command itself, whose wrapping `ended` describes.
    pub(crate) fn settle(&self, mut ended: Ended) -> Result<Ended, StartError> {
        match Report::read(&self.report) {
            Some(Report::Ended { how, left }) => {
                ended.how = how;
                ended.left_behind.extend(left);
                Ok(ended)
            }
            Some(Report::Refused(reason)) => Err(StartError::View { reason }),
            // Ended from outside, with everything in it.
            None if ended.timed_out || ended.interrupted.is_some() => Ok(ended),
            None if ended.overfull.is_some() => Ok(ended),
            None => match ended.how {
                How::Signal(_) => Ok(ended),
                How::Exit(_) => Err(StartError::View { reason: report::said(&ended) }),
            },
        }
    }
}
