//! A descriptor that reports a child's end, so that poll(2) can wait for it beside pipes.
//!
//! wait(2) cannot take part in a poll, and a handler of SIGCHLD would be process-wide, which this
//! crate does not install unasked.

use std::io;
use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// A descriptor that becomes readable (or hangs up) when the child ends.
///
/// The child is not reaped by it, so its process id, and with it the id of its group, can not be
/// given to anybody else until the caller does.
pub(crate) fn exit_watch(pid: Pid) -> io::Result<OwnedFd> {
    // Linux 5.3 and later; an older kernel, or a seccomp filter that refuses the call, takes the
    // thread.
    #[cfg(target_os = "linux")]
    if let Ok(watch) = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()) {
        return Ok(watch);
    }
    exit_watch_by_thread(pid)
}

/// For systems without pidfd: a thread waits, and closes its end of a pipe.
fn exit_watch_by_thread(pid: Pid) -> io::Result<OwnedFd> {
    let (reader, writer) = io::pipe()?;
    std::thread::Builder::new().spawn(move || {
        // WNOWAIT leaves the child waitable (waitid(2)): the caller alone reaps it.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(pid), options), Err(Errno::INTR)) {}
        // The end of file is the message.
        drop(writer);
    })?;
    Ok(reader.into())
}
