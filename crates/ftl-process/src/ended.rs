//! How a command ended, and what was seen of it. Data alone; nothing here is an error.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use crate::Output;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// It exited with this code.
    Exit(i32),
    /// This signal ended it.
    Signal(i32),
}

impl How {
    /// Whether the process exited with code 0.
    #[must_use]
    pub fn success(self) -> bool {
        self == Self::Exit(0)
    }

    pub(crate) fn from_status(status: ExitStatus) -> Self {
        match status.code() {
            Some(code) => Self::Exit(code),
            // wait(2) reports one or the other of a process that has ended.
            None => Self::Signal(status.signal().unwrap_or_default()),
        }
    }
}

/// Everything known about a command that has ended.
#[derive(Debug)]
pub struct Ended {
    /// How the command itself ended, whatever its orphans did.
    pub how: How,
    /// Whether its time limit passed before it ended.
    pub timed_out: bool,
    /// What it had no room for, in a view.
    pub overfull: Option<Overfull>,
    /// The signal (SIGINT or SIGTERM) that reached us while it ran, and was passed on.
    pub interrupted: Option<i32>,
    /// From its start until it had ended and its output was closed or given up.
    pub duration: Duration,
    /// Standard output, and standard error with it unless that was kept apart.
    pub output: Output,
    /// Standard error, when [`Command::separate_stderr`](crate::Command::separate_stderr) asked
    /// for it.
    pub stderr: Option<Output>,
    /// Whether another process still held the output open 200 ms after the command had ended.
    pub pipe_held: bool,
    /// What the command left running, all of it sent SIGKILL. Processes below these are ended
    /// too, without being listed.
    pub left_behind: Vec<Leftover>,
    /// Why something that the command left may still run: `/proc` could not be read, or a process
    /// did not end when killed. `None` when nothing is left.
    pub unsettled: Option<io::Error>,
}

impl Ended {
    /// Whether the command exited with 0, within its limit and uninterrupted.
    #[must_use]
    pub fn success(&self) -> bool {
        let in_bounds = !self.timed_out && self.overfull.is_none();
        self.how.success() && in_bounds && self.interrupted.is_none()
    }
}

/// What a command had no room for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overfull {
    /// It wrote more than it may, and was ended.
    Bound {
        /// The bytes that it may write.
        bytes: u64,
        /// Where they are written.
        place: PathBuf,
    },
    /// It failed, and the disk is full.
    Disk {
        /// Where it wrote.
        place: PathBuf,
    },
}

/// A process that outlived the command that started it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// Its process id.
    pub pid: u32,
    /// The short name of its program, as the system gives it (at most 15 bytes).
    pub name: String,
    /// Whether it was still in the command's group. One outside of it may, when several commands
    /// run at once, have been left by another of them.
    pub in_group: bool,
}
