//! A command's process group: naming it so that it can be found after a crash, and ending it.
//!
//! A process group is what kill(2) reaches with one call, and what a terminal interrupts. It is not a
//! container: a process can leave it, which `orphans.rs` and `trail.rs` are for.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::Leftover;
use crate::procfs::{self, Stat};

/// A started process group, with enough about its leader to know it again after a crash.
///
/// Process ids are used again; the start time distinguishes two bearers of one id, and the boot id
/// shows whether start times can be compared at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The id of the leader, which is also the group's.
    pub pid: u32,
    /// When the leader started, in clock ticks since the system did; 0 where that is unknown.
    pub start_time: u64,
    /// Which start of the system that was; empty where that is unknown.
    pub boot_id: String,
}

impl Group {
    /// The group that a child which has not been reaped yet leads.
    pub(crate) fn led_by(pid: Pid) -> Self {
        Self {
            pid: pid.as_raw_nonzero().get() as u32,
            // Read before the leader is reaped; afterwards there is no entry in `/proc` to read it
            // from.
            start_time: Stat::of(pid.as_raw_nonzero().get()).map_or(0, |stat| stat.start_time),
            boot_id: procfs::boot_id().unwrap_or_default().to_owned(),
        }
    }

    /// Whether any process of this group still lives. Always false where that cannot be known.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        !self.living_members().is_empty()
    }

    /// Ends what is left of the group: TERM, then after `grace` KILL. Returns who was there.
    ///
    /// For the group of a run that has died; a group that [`Command::run`](crate::Command::run)
    /// is still watching is that call's business.
    pub fn end(&self, grace: Duration) -> Vec<Leftover> {
        let members = self.living_members();
        let Some(pid) = Pid::from_raw(self.pid as i32).filter(|_| !members.is_empty()) else {
            return Vec::new();
        };
        // CONT after TERM: a stopped process does not get a signal until it is continued.
        signal_group(pid, Signal::TERM);
        signal_group(pid, Signal::CONT);
        wait_for_all(&members, Instant::now() + grace);
        // Asked again, by id and start time: if all have ended, the id may belong to another group.
        if self.is_alive() {
            signal_group(pid, Signal::KILL);
        }
        members.iter().map(|member| leftover(member, pid)).collect()
    }

    /// The living members, none when the group cannot be proved to be this one.
    ///
    /// The kernel does not give a process id away while a group bears it. So if the leader's id now
    /// belongs to a process that started at another time, the group is gone and the id was used
    /// again. If it belongs to no process, the leader was reaped and the members are this group's own,
    /// unless they are older than it was.
    fn living_members(&self) -> Vec<Stat> {
        let pid = self.pid as i32;
        if !procfs::is_this_boot(&self.boot_id) {
            return Vec::new();
        }
        if Stat::of(pid).is_some_and(|leader| leader.start_time != self.start_time) {
            return Vec::new();
        }
        let mut members = living_members(pid);
        members.retain(|member| member.start_time >= self.start_time);
        members
    }
}

/// The living processes of a group.
pub(crate) fn living_members(group: i32) -> Vec<Stat> {
    let mut members = procfs::all();
    members.retain(|stat| stat.group == group && stat.living);
    members
}

pub(crate) fn leftover(stat: &Stat, group: Pid) -> Leftover {
    Leftover {
        pid: stat.pid as u32,
        name: stat.name.clone(),
        in_group: stat.group == group.as_raw_nonzero().get(),
    }
}

/// Sends a signal to a group. That no process is left to get it (ESRCH), or that a member belongs to
/// another user (EPERM), is no error here: what is left is looked at afterwards.
pub(crate) fn signal_group(group: Pid, signal: Signal) {
    let _ = kill_process_group(group, signal);
}

/// Waits until all of these have ended, or the time is up.
///
/// They need not be our children, so wait(2) does not serve; a pidfd of any process becomes
/// readable when it ends (pidfd_open(2), Linux 5.3). Where one cannot be opened, the process is not
/// waited for.
#[cfg(target_os = "linux")]
pub(crate) fn wait_for_all(members: &[Stat], until: Instant) {
    use rustix::process::{PidfdFlags, pidfd_open};
    let open = |stat: &Stat| pidfd_open(Pid::from_raw(stat.pid)?, PidfdFlags::empty()).ok();
    let mut running: Vec<OwnedFd> = members.iter().filter_map(open).collect();
    while !running.is_empty() {
        let left = until.saturating_duration_since(Instant::now());
        let mut fds: Vec<_> = running.iter().map(|fd| PollFd::new(fd, PollFlags::IN)).collect();
        // An error of poll(2) ends the wait early, which costs a process its grace and nothing else.
        if left.is_zero() || poll(&mut fds, left.try_into().ok().as_ref()).is_err() {
            return;
        }
        let ended: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        let mut ended = ended.into_iter();
        running.retain(|_| ended.next() == Some(false));
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn wait_for_all(_members: &[Stat], _until: Instant) {}
