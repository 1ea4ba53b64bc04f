//! The first process of a view's pid namespace: makes the view, starts the command, and stays until
//! that has ended. When this process ends, the kernel kills every other one of the namespace.
//!
//! It watches three things. Its own standard output is a pipe that our caller reads: when no process
//! reads it any more, the caller is gone, killed perhaps, and so goes everything here. Children that end
//! are reaped, for orphans of the namespace are given to its first process. And signals are only noted:
//! the command is in the same group and has them too, and what becomes of it decides.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{WaitOptions, waitpid};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level::pipe};

use super::mounts;
use super::report::Report;
use super::words::Inside;
use crate::procfs::{self, Stat};
use crate::{How, Leftover};

/// How long what the command left may take to end by itself, as without a view.
const LEAK_LIMIT: Duration = Duration::from_millis(200);

/// How often one looks whether it has.
const ROUND: Duration = Duration::from_millis(10);

pub(super) fn run(words: Vec<OsString>) -> u8 {
    let Some((inside, command)) = Inside::parse(words) else {
        return 2;
    };
    let report = watch(&inside, &command).unwrap_or_else(Report::Refused);
    let code = match report {
        Report::Ended { how: How::Exit(code), .. } => u8::try_from(code).unwrap_or(1),
        Report::Ended { how: How::Signal(_), .. } | Report::Refused(_) => 1,
    };
    // Without a report the caller takes it that the view could not be made, which is no false success.
    let _ = report.write(&inside.report);
    code
}

fn watch(inside: &Inside, command: &[OsString]) -> Result<Report, String> {
    let watch_failure = |error: io::Error| format!("cannot watch the command: {error}");
    mounts::make(inside)?;
    mounts::drop_capabilities()?;
    let mut signals = Signals::new(inside.hangs_up).map_err(watch_failure)?;
    if is_unread() {
        return Err("no process reads what it prints".to_owned());
    }
    let child = start(inside, command)?;
    let how = signals.await_end(&child).map_err(watch_failure)?;
    let left = signals.await_orphans();
    Ok(Report::Ended { how, left })
}

fn start(inside: &Inside, command: &[OsString]) -> Result<Child, String> {
    let (program, args) = command.split_first().expect("because `parse` checked it");
    let mut child = crate::programs::new_command(program);
    // By its path: our own directory is the one below the copy.
    child.args(args).current_dir(&inside.dir);
    child
        .spawn()
        .map_err(|source| crate::StartError::of(program, Some(&inside.dir), source).to_string())
}

/// Signals to this process, which only ever note that they came.
struct Signals {
    children: File,
    interrupted: Arc<AtomicBool>,
}

impl Signals {
    /// The command gets none of these handlers: a program that is executed begins with the defaults.
    fn new(hangs_up: bool) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        rustix::io::ioctl_fionbio(&reader, true)?;
        pipe::register(SIGCHLD, OwnedFd::from(writer))?;
        let interrupted = Arc::new(AtomicBool::new(false));
        let hang_up = hangs_up.then_some(SIGHUP);
        for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up) {
            flag::register(signal, Arc::clone(&interrupted))?;
        }
        Ok(Self { children: File::from(OwnedFd::from(reader)), interrupted })
    }

    /// Until the child has ended, or no reader of the result is left.
    fn await_end(&mut self, child: &Child) -> io::Result<How> {
        loop {
            if let Some(how) = reap(child.id())? {
                return Ok(how);
            }
            self.wait(None);
            if is_unread() {
                // With our end everything here ends.
                std::process::exit(1);
            }
        }
    }

    /// What the command left and what did not end by itself. After a signal it has all the time that the
    /// caller gives it, which kills us when it is over.
    fn await_orphans(&mut self) -> Vec<Leftover> {
        let until = Instant::now() + LEAK_LIMIT;
        loop {
            let left = others();
            let patient = self.interrupted.load(Ordering::SeqCst) && !is_unread();
            if left.is_empty() || (!patient && Instant::now() >= until) {
                return left;
            }
            self.wait(Some(ROUND));
            let _ = reap(0);
        }
    }

    /// For a child to end, or for our output to lose its reader.
    fn wait(&mut self, limit: Option<Duration>) {
        let stdout = io::stdout();
        let mut fds =
            [PollFd::new(&self.children, PollFlags::IN), PollFd::new(&stdout, PollFlags::empty())];
        let limit = limit.and_then(|limit| limit.try_into().ok());
        // A signal that interrupts the wait is a reason to look again, like any other.
        let _ = poll(&mut fds, limit.as_ref());
        let _ = self.children.read(&mut [0; 64]);
    }
}

/// Whether our output has no reader any more: a pipe's writing end reports that as an error (poll(2)).
fn is_unread() -> bool {
    let stdout = io::stdout();
    let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Some(Duration::ZERO).and_then(|zero| zero.try_into().ok());
    let _ = poll(&mut fds, now.as_ref());
    fds[0].revents().contains(PollFlags::ERR)
}

/// Takes the exit status of every child that has ended; that of `child` is how it ended.
fn reap(child: u32) -> io::Result<Option<How>> {
    let mut how = None;
    loop {
        match waitpid(None, WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid.as_raw_nonzero().get().unsigned_abs() == child => {
                let status = ExitStatus::from_raw(status.as_raw());
                how = Some(How::from_status(status));
            }
            Ok(Some(_)) => {}
            Ok(None) | Err(rustix::io::Errno::CHILD) => return Ok(how),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Every other living process of the namespace.
fn others() -> Vec<Leftover> {
    let own = std::process::id() as i32;
    let group = Stat::of(own).map_or(0, |stat| stat.group);
    let others = procfs::all().into_iter();
    let others = others.filter(|stat| stat.living && stat.pid != own);
    others
        .map(|stat| Leftover {
            pid: stat.pid as u32,
            in_group: stat.group == group,
            name: stat.name,
        })
        .collect()
}
