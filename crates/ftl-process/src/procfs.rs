//! What `/proc` says about processes; nothing where there is no `/proc`.
//!
//! Everything read here may be out of date when it is returned: callers check the start time before
//! they trust a process id, and look again afterwards. A process that is gone is no error,
//! everything else that keeps from reading (EMFILE, EACCES) is.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

use rustix::io::Errno;
use rustix::process::{WaitId, WaitIdOptions, waitid};

/// `PF_EXITING` of the kernel's `include/linux/sched.h`: set in a process that has begun to exit,
/// whose state may still read `R` for a moment.
const EXITING: u64 = 0x4;

/// Bytes that the kernel gives of such a file at a time.
const PAGE: usize = 4096;

/// A line of `/proc/PID/stat` (proc_pid_stat(5)), as far as it is used here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) pid: i32,
    pub(crate) name: String,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    /// In clock ticks since the system started.
    pub(crate) start_time: u64,
    /// Neither a zombie nor on its way out.
    pub(crate) living: bool,
}

impl Stat {
    pub(crate) fn of(pid: i32) -> Option<Self> {
        Self::read(pid).ok().flatten()
    }

    /// `None` when there is no such process any more.
    pub(crate) fn read(pid: i32) -> io::Result<Option<Self>> {
        match contents(format!("/proc/{pid}/stat")) {
            Ok(line) => Ok(Self::parse(&line)),
            Err(error) if has_ended(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Splits at the last `)`: the name is in parentheses, and a process may choose one with
    /// parentheses and blanks in it (prctl(2), PR_SET_NAME).
    fn parse(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line);
        let (pid, rest) = line.split_once(" (")?;
        let (name, rest) = rest.rsplit_once(") ")?;
        // From the third field of the manual page on: state is 0 here, ppid 1, pgrp 2, flags 6,
        // starttime 19.
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let flags: u64 = fields.get(6)?.parse().ok()?;
        Some(Self {
            pid: pid.parse().ok()?,
            name: name.to_owned(),
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            start_time: fields.get(19)?.parse().ok()?,
            living: !matches!(*fields.first()?, "Z" | "X") && flags & EXITING == 0,
        })
    }
}

/// Whether this process was started with `signal` ignored (`SigIgn` of proc_pid_status(5)); no where
/// there is no `/proc`.
pub(crate) fn ignores(signal: i32) -> bool {
    let status = contents("/proc/self/status").unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

/// Every process that can be seen.
pub(crate) fn all() -> Vec<Stat> {
    numbers_in(Path::new("/proc")).filter_map(Stat::of).collect()
}

/// The children of this process, those included that it inherited as a subreaper.
///
/// The list is kept per thread (proc_tid_children(5)), so every thread is asked. It is not reliable
/// while children exit: one may be missed, which is why the sweep asks until none is left.
pub(crate) fn own_children() -> io::Result<Vec<i32>> {
    if has_no_children() {
        return Ok(Vec::new());
    }
    let own = std::process::id() as i32;
    let mut children = Vec::new();
    for task in fs::read_dir("/proc/self/task")? {
        let task = task?.path();
        match contents(task.join("children")) {
            Ok(list) => children.extend(
                String::from_utf8_lossy(&list)
                    .split_ascii_whitespace()
                    .filter_map(|pid| pid.parse::<i32>().ok()),
            ),
            Err(error) if !has_ended(&error) => return Err(error),
            // A kernel built without CONFIG_PROC_CHILDREN has no such file in any thread. The main
            // thread, whose id is the process's, exists as long as the process, so its file answers that.
            Err(_) if task.ends_with(own.to_string()) => {
                let ours = all().into_iter().filter(|stat| stat.parent == own);
                return Ok(ours.map(|stat| stat.pid).collect());
            }
            // A thread that just ended.
            Err(_) => {}
        }
    }
    Ok(children)
}

/// Whether this process has no child, not even one that has ended: waitid(2) says so for all threads at once, and
/// leaves a child that has ended as it is.
fn has_no_children() -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::All, look).err() == Some(Errno::CHILD)
}

/// All of a file of `/proc`, whose size its metadata do not say: in one read, and another for the end.
fn contents(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut contents = Vec::with_capacity(PAGE);
    File::open(path)?.take(u64::MAX).read_to_end(&mut contents)?;
    Ok(contents)
}

/// Whether a file of `/proc` is not there: its process or thread is gone, or there is no `/proc`.
fn has_ended(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
        || error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error())
}

/// A name for the time since the last start of the system; empty where there is none.
///
/// # Errors
///
/// `/proc` cannot be read.
pub fn boot_id() -> io::Result<&'static str> {
    static BOOT_ID: OnceLock<String> = OnceLock::new();
    if let Some(id) = BOOT_ID.get() {
        return Ok(id);
    }
    let id = match contents("/proc/sys/kernel/random/boot_id") {
        Ok(id) => String::from_utf8_lossy(&id).trim_end().to_owned(),
        Err(error) if has_ended(&error) => String::new(),
        Err(error) => return Err(error),
    };
    Ok(BOOT_ID.get_or_init(|| id))
}

/// Whether the system was not started again since it had this name.
pub(crate) fn is_this_boot(id: &str) -> bool {
    !id.is_empty() && boot_id().is_ok_and(|now| now == id)
}

fn numbers_in(dir: &Path) -> impl Iterator<Item = i32> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_and_blanks_does_not_shift_the_fields() {
        let line = b"42 (a) R (b) S 7 40 9 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 12345 0";
        let stat = Stat::parse(line).unwrap();
        assert_eq!((stat.pid, stat.name.as_str()), (42, "a) R (b"));
        assert_eq!((stat.parent, stat.group, stat.start_time), (7, 40, 12345));
        assert!(stat.living);
    }

    #[test]
    fn zombies_and_exiting_processes_are_not_living() {
        for line in [
            "1 (x) Z 7 40 9 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 12345 0",
            "1 (x) R 7 40 9 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 12345 0",
        ] {
            assert!(!Stat::parse(line.as_bytes()).unwrap().living, "{line}");
        }
    }
}
