//! Finding a command's processes by the pipe that takes their output.
//!
//! A [`Group`](crate::Group) can be noted only after the start, and misses what left it. The pipe
//! exists before the start, and a process that inherits it is named by `/proc/PID/fd` (proc_pid_fd(5)) as
//! `pipe:[INODE]`. This is for another process, after a crash; a run that is alive knows its
//! children better: see `orphans.rs`.
//!
//! A process that has closed or redirected both outputs is not found this way. Nor is one of
//! another user: reading its descriptors takes the right to trace it (ptrace(2)).

use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Leftover;
use crate::group::{leftover, signal_group, wait_for_all};
use crate::procfs::{self, Stat};

/// How long [`Trail::end`] goes on against processes that multiply: each round kills those that were
/// seen, and what they have forked since holds the pipe too.
const LIMIT: Duration = Duration::from_secs(2);

/// What a command's processes can be known by before there are any: the pipe that takes their
/// output.
///
/// Recorded before the start, it closes the gap in which a process runs whose
/// [`Group`](crate::Group) is not recorded yet, and it finds daemons that left the group, as long
/// as they hold the pipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trail {
    /// The pipe's inode number; 0 where that is unknown. The kernel may use it again once no process
    /// holds the pipe, which is what the other two fields are for.
    pub pipe: u64,
    /// When the process that made the pipe started, in clock ticks since the system did.
    pub since: u64,
    /// Which start of the system that was; empty where that is unknown.
    pub boot_id: String,
}

impl Trail {
    /// The trail of a command whose output goes to this pipe.
    ///
    /// # Errors
    /// Part of it could not be read, so that the processes could not be found afterwards. A system
    /// without `/proc` is no error.
    pub(crate) fn of(pipe: impl AsFd) -> io::Result<Self> {
        let own = Stat::read(std::process::id() as i32)?;
        Ok(Self {
            pipe: rustix::fs::fstat(pipe)?.st_ino,
            since: own.map_or(0, |stat| stat.start_time),
            boot_id: procfs::boot_id()?.to_owned(),
        })
    }

    /// Ends every other process that holds the pipe: TERM, then after `grace` KILL. Returns who was
    /// there.
    ///
    /// For the trail of a run that has died: while it lives, the pipe's reader is one that holds it.
    pub fn end(&self, grace: Duration) -> Vec<Leftover> {
        let found = self.holders();
        // CONT after TERM: a stopped process does not get a signal until it is continued.
        for (stat, signal) in
            found.iter().flat_map(|stat| [Signal::TERM, Signal::CONT].map(|signal| (stat, signal)))
        {
            send(stat, signal);
        }
        wait_for_all(&found, Instant::now() + grace);
        // Looked up again in every round, and never from the first list: an id in that list may have
        // been given to another process since.
        let until = Instant::now() + LIMIT;
        loop {
            let holders = self.holders();
            if holders.is_empty() || Instant::now() >= until {
                break;
            }
            holders.iter().for_each(|stat| send(stat, Signal::KILL));
            wait_for_all(&holders, until);
        }
        let group = |stat: &Stat| Pid::from_raw(stat.group);
        found.iter().filter_map(|stat| Some(leftover(stat, group(stat)?))).collect()
    }

    /// The living processes that hold the pipe. None where that cannot be known.
    fn holders(&self) -> Vec<Stat> {
        if self.pipe == 0 || !procfs::is_this_boot(&self.boot_id) {
            return Vec::new();
        }
        let name = format!("pipe:[{}]", self.pipe);
        let own = std::process::id() as i32;
        let mut all = procfs::all();
        all.retain(|stat| {
            // A holder that started before the run did cannot have inherited the pipe from it: it has
            // another pipe of the same number.
            stat.pid != own
                && stat.living
                && stat.start_time >= self.since
                && holds(stat.pid, &name)
        });
        all
    }
}

/// To the whole group where the process leads one: its members may have closed the pipe.
fn send(stat: &Stat, signal: Signal) {
    let Some(pid) = Pid::from_raw(stat.pid) else {
        return;
    };
    if stat.group == stat.pid {
        signal_group(pid, signal);
    } else {
        // It may have ended in between, which is what is wanted.
        let _ = kill_process(pid, signal);
    }
}

fn holds(pid: i32, name: &str) -> bool {
    let open = fs::read_dir(format!("/proc/{pid}/fd"));
    let mut links = open.into_iter().flatten().flatten();
    links.any(|link| fs::read_link(link.path()).is_ok_and(|to| to.as_os_str() == name))
}
