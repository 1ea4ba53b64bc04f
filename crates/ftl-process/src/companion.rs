//! A child that minds its own children: another copy of this program that works beside us.
//!
//! It is no [`Command`](crate::Command): nothing limits it, the caller reads its output, and a sweep
//! for orphans leaves it alone. It has a separate process group, so that an interrupt at the terminal comes to us
//! alone, and we pass it on once.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::orphans::registry;
use crate::programs::new_command;
use crate::{How, StartError};

/// A child that minds its own children.
#[derive(Debug)]
pub struct Companion {
    child: Child,
    pid: Pid,
}

impl Companion {
    /// Starts a program. What it writes to standard output is read from what is returned beside it; its standard
    /// error is ours.
    ///
    /// # Errors
    /// When it could not be started.
    pub fn start(
        program: &Path,
        args: impl IntoIterator<Item = OsString>,
    ) -> Result<(Self, ChildStdout), StartError> {
        let mut command = new_command(program.as_os_str());
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0);
        // The lock spans start and registration: see `Registry` in `orphans.rs`.
        let mut registry = registry();
        let started = command.spawn();
        let mut child =
            started.map_err(|source| StartError::of(program.as_os_str(), None, source))?;
        let pid = Pid::from_child(&child);
        registry.add_direct(pid);
        let output = child.stdout.take().expect("because it is piped");
        Ok((Self { child, pid }, output))
    }

    /// Sends it a signal; one that has ended gets none.
    pub fn signal(&self, signal: i32) {
        if let Some(signal) = Signal::from_named_raw(signal) {
            let _ = kill_process(self.pid, signal);
        }
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it has ended.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn wait(mut self) -> io::Result<How> {
        let status = self.child.wait();
        registry().remove_direct(self.pid);
        status.map(How::from_status)
    }
}

/// From now on this process gets SIGTERM when the thread ends that started it: a companion does not outlive the
/// program that it works for.
///
/// # Errors
/// When the system refuses.
pub fn end_with_parent() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::TERM))?;
    Ok(())
}
