//! Which processes are ours to end, and ending them after a command.
//!
//! The process group is not enough: setsid(2) takes a process out of it, and every daemon calls
//! that. What cannot be left is the chain of parents. With PR_SET_CHILD_SUBREAPER (prctl(2), Linux
//! 3.4) this process becomes the parent of every descendant whose own parent has ended, instead of
//! init. So after a command, each of our children that we did not start ourselves is something the
//! command left.
//!
//! Descendants whose parent still runs are not our children yet. Killing that parent hands them
//! over, so the sweep goes in rounds. It is bounded, for a chain of processes that fork and exit
//! could be faster than we are.
//!
//! Who reads a pipe or decides on a time limit is in `supervisor.rs`; without a subreaper (other
//! systems, or a caller that did not ask) only the group is known.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use crate::Leftover;
use crate::group::{leftover, living_members, signal_group, wait_for_all};
use crate::procfs::{self, Stat};

/// How long a sweep goes on against processes that multiply.
const SWEEP_LIMIT: Duration = Duration::from_secs(2);

/// How long a sweep waits for those that it has killed before it kills them once more.
const ROUND: Duration = Duration::from_millis(200);

/// How often a look at `/proc` is repeated that failed.
const ATTEMPTS: usize = 3;

/// Whose children are whose.
///
/// The lock is held while a child starts and while orphans are swept: a sweep in another thread would
/// otherwise see a child before it is registered, take it for an orphan, and kill it. This makes
/// starts wait for a sweep, which takes milliseconds unless processes resist.
#[derive(Debug)]
pub(crate) struct Registry {
    /// Whether this process is a subreaper.
    adopting: bool,
    /// Children that are no orphans: started here, or there before we adopted any.
    direct: BTreeSet<i32>,
    /// The leaders of the groups that are being watched.
    watched: BTreeSet<i32>,
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { adopting: false, direct: BTreeSet::new(), watched: BTreeSet::new() });

pub(crate) fn registry() -> MutexGuard<'static, Registry> {
    // A panic while it was held left at worst a child unregistered or registered for too long; no
    // invariant spans two fields.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes this process the parent of every orphan below it, so that daemons which left their
/// command's group are found and ended when the command has.
///
/// Call it once, in a binary whose children are all started by this crate: any other child would be
/// taken for a leftover, except those that exist already. With several commands at once, an orphan
/// that no group claims is ended when the last of them ends.
///
/// # Errors
/// When the system cannot do it: it is Linux's own. Orphans outside the group then stay.
pub fn adopt_orphans() -> io::Result<()> {
    let mut registry = registry();
    if !registry.adopting {
        become_subreaper()?;
        registry.adopting = true;
        // In this order: a child that another thread starts between the two is one that we must
        // not kill, and after the first, orphans may be among the children that are listed. Those are
        // left alone as well, which is the safe mistake.
        registry.direct.extend(procfs::own_children()?);
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn become_subreaper() -> io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

#[cfg(not(target_os = "linux"))]
fn become_subreaper() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Waits a moment for what a command left to end by itself: a process often closes its output just
/// before. Returns whether it left nothing.
pub(crate) fn await_orphans(group: Pid, until: Instant) -> bool {
    // The lock is held for the look alone and not for the wait: other commands may start while we wait.
    let left = registry().living(group);
    // What cannot be seen now is looked for once more when the command is closed.
    wait_for_all(left.as_deref().unwrap_or_default(), until);
    left.is_ok_and(|left| left.is_empty())
}

impl Registry {
    pub(crate) fn add_direct(&mut self, pid: Pid) {
        self.direct.insert(pid.as_raw_nonzero().get());
    }

    pub(crate) fn remove_direct(&mut self, pid: Pid) {
        self.direct.remove(&pid.as_raw_nonzero().get());
    }

    pub(crate) fn add_watched(&mut self, pid: Pid) {
        self.add_direct(pid);
        self.watched.insert(pid.as_raw_nonzero().get());
    }

    /// Kills the group of `child`, reaps `child`, and ends what it left outside of its group.
    ///
    /// The order is what makes this safe. What lives is listed first, while it can still be named.
    /// The group is killed before its leader is reaped: a process id is not given away while a
    /// zombie or a group bears it, but once the leader is reaped and the group empty, the same
    /// number may be another's. Only then come those outside of the group, for killing the group
    /// makes orphans. Where `left_nothing` is known, there is nothing to name.
    pub(crate) fn close(&mut self, pid: Pid, child: &mut Child, left_nothing: bool) -> Closed {
        let living = if left_nothing { Ok(Vec::new()) } else { with_retries(|| self.living(pid)) };
        let (living, unsettled) = match living {
            Ok(living) => (living, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let mut left: Vec<_> = living.iter().map(|stat| leftover(stat, pid)).collect();
        signal_group(pid, Signal::KILL);
        let status = child.wait();
        self.remove_direct(pid);
        self.watched.remove(&pid.as_raw_nonzero().get());
        let unsettled = self.sweep(pid, &mut left).err().or(unsettled);
        Closed { status, left, unsettled }
    }

    /// What a group whose leader has ended left, the leader, which is a zombie, not counted.
    fn living(&self, group: Pid) -> io::Result<Vec<Stat>> {
        let leader = group.as_raw_nonzero().get();
        let mut stats = if self.adopting { self.orphans(group)? } else { living_members(leader) };
        stats.retain(|stat| stat.living && stat.pid != leader);
        Ok(stats)
    }

    /// Our orphans, without those that another running command may still answer for.
    ///
    /// An orphan outside of every group says nothing about which command left it. With several
    /// commands at once it is left to the last of them.
    fn orphans(&self, group: Pid) -> io::Result<Vec<Stat>> {
        let group = group.as_raw_nonzero().get();
        let alone = self.watched.iter().all(|&leader| leader == group);
        let mut orphans = procfs::own_children()?;
        orphans.retain(|pid| !self.direct.contains(pid));
        let mut stats = Vec::new();
        for pid in orphans {
            stats.extend(Stat::read(pid)?);
        }
        stats.retain(|stat| alone || stat.group == group);
        Ok(stats)
    }

    /// Kills and reaps orphans until there are none: each that ends hands us its own children.
    ///
    /// # Errors
    /// `/proc` could not be read, or an orphan was still alive after two seconds.
    fn sweep(&self, group: Pid, left: &mut Vec<Leftover>) -> io::Result<()> {
        let until = Instant::now() + SWEEP_LIMIT;
        if !self.adopting {
            return Ok(());
        }
        loop {
            let orphans = with_retries(|| self.orphans(group))?;
            if orphans.is_empty() {
                return Ok(());
            }
            if Instant::now() >= until {
                return report_survivors(&orphans, left);
            }
            for orphan in &orphans {
                // No id is reused under our hands: an orphan is our child, and stays a zombie until
                // `reap`. One by one and not by group: a daemon may be in a group with another process
                // else's processes.
                if let Some(pid) = Pid::from_raw(orphan.pid) {
                    let _ = kill_process(pid, Signal::KILL);
                }
                // A zombie needs reaping but was not running, so it is none that was left.
                if orphan.living && left.iter().all(|known| known.pid != orphan.pid as u32) {
                    left.push(leftover(orphan, group));
                }
            }
            let soon = until.min(Instant::now() + ROUND);
            for orphan in &orphans {
                reap(orphan.pid, soon);
            }
        }
    }
}

/// Takes what still lives out of the list of what was ended, and reports it as an error.
fn report_survivors(orphans: &[Stat], left: &mut Vec<Leftover>) -> io::Result<()> {
    let living = orphans.iter().filter(|orphan| orphan.living);
    let pids: Vec<u32> = living.map(|orphan| orphan.pid as u32).collect();
    if pids.is_empty() {
        return Ok(());
    }
    left.retain(|known| !pids.contains(&known.pid));
    Err(io::Error::other(format!("{pids:?} will not end")))
}

/// A command that was closed.
pub(crate) struct Closed {
    pub(crate) status: io::Result<ExitStatus>,
    pub(crate) left: Vec<Leftover>,
    /// Why something may run still.
    pub(crate) unsettled: Option<io::Error>,
}

/// Repeats a look at `/proc` that failed. Descriptors may be short for a moment (EMFILE, ENFILE), and
/// giving up on the first failure would leave processes running.
fn with_retries<T>(look: impl Fn() -> io::Result<T>) -> io::Result<T> {
    let seen = (0..ATTEMPTS).find_map(|_| look().ok());
    seen.map_or_else(look, Ok)
}

/// Waits until an orphan that was killed has ended, and takes its exit status, so that no zombie
/// stays. Not for one that cannot die: waitpid(2) alone would block, so there is a descriptor with a
/// deadline and WNOHANG after it.
fn reap(pid: i32, until: Instant) {
    let Some(pid) = Pid::from_raw(pid) else {
        return;
    };
    if let Ok(watch) = crate::exit_watch::exit_watch(pid) {
        crate::supervisor::wait_readable(&watch, until);
    }
    let _ = waitpid(Some(pid), WaitOptions::NOHANG);
}
