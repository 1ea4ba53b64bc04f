use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::Leftover;
use crate::procfs::{self, Stat};

/// A started process group, with enough about its leader to know it again after a crash.
///
/// Process ids are used again; the start time tells two bearers of one id apart, and the boot id
/// tells whether start times can be compared at all.
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
        signal_group(pid, Signal::TERM);
        signal_group(pid, Signal::CONT);
        wait_for_all(&members, Instant::now() + grace);
        if self.is_alive() {
            signal_group(pid, Signal::KILL);
        }
        members.iter().map(|member| leftover(member, pid)).collect()
    }

    /// A process id is not given away while a group bears it, so members are this group's own
    /// unless somebody else has become a process of that id since.
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

/// Sends a signal to a group. That nobody is left to get it, or that a member belongs to another
/// user, is no error here: what is left is looked at afterwards.
pub(crate) fn signal_group(group: Pid, signal: Signal) {
    let _ = kill_process_group(group, signal);
}

/// Waits until all of these have ended, or the time is up.
#[cfg(target_os = "linux")]
pub(crate) fn wait_for_all(members: &[Stat], until: Instant) {
    use rustix::process::{PidfdFlags, pidfd_open};
    let open = |stat: &Stat| pidfd_open(Pid::from_raw(stat.pid)?, PidfdFlags::empty()).ok();
    let mut running: Vec<OwnedFd> = members.iter().filter_map(open).collect();
    while !running.is_empty() {
        let left = until.saturating_duration_since(Instant::now());
        let mut fds: Vec<_> = running
            .iter()
            .map(|fd| PollFd::new(fd, PollFlags::IN))
            .collect();
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
