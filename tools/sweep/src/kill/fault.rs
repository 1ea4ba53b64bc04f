//! The faults that are injected into a system call, and the options by which strace does it.
//!
//! Which calls are struck, `strace` says.

use crate::strace::{Call, inject};

/// A way for a call to go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// The program is killed before the call is made.
    Kill,
    /// This call fails, and no other.
    Once(&'static str),
    /// This call fails, and every later one of its name.
    Always(&'static str),
    /// From this call on, none that touches the world succeeds.
    Dead,
}

impl Fault {
    /// Every fault that a call is struck with.
    pub(super) const ALL: [Self; 11] = [
        Self::Kill,
        Self::Once("EIO"),
        Self::Once("ENOSPC"),
        Self::Once("EACCES"),
        Self::Once("EMFILE"),
        Self::Once("EINTR"),
        Self::Always("EIO"),
        Self::Always("ENOSPC"),
        Self::Always("EACCES"),
        Self::Always("EMFILE"),
        Self::Dead,
    ];

    /// Whether the call can go wrong in this way, and a kill finds anything new at it. A close that fails has
    /// closed all the same, while strace would keep the call from being made: a leak that no system has.
    pub(super) fn fits(self, call: &Call) -> bool {
        match self {
            Self::Kill => call.changes,
            Self::Once(error) | Self::Always(error) => errors(call).contains(&error),
            Self::Dead => call.name != "close",
        }
    }

    /// What strace injects to bring it about at a call.
    pub(super) fn injected(self, call: &Call) -> Vec<String> {
        let Call { name, number, .. } = call;
        match self {
            Self::Kill => vec![inject(name, "signal=KILL", number)],
            Self::Once(error) => vec![inject(name, &format!("error={error}"), number)],
            Self::Always(error) => {
                vec![inject(name, &format!("error={error}"), format_args!("{number}+"))]
            }
            Self::Dead => {
                let next = call.next.iter().filter(|(name, _)| *name != "close");
                next.map(|(name, next)| inject(name, "error=EIO", format_args!("{next}+")))
                    .collect()
            }
        }
    }

    /// Its name in tables.
    pub(super) fn name(self) -> String {
        match self {
            Self::Kill => "kill".to_owned(),
            Self::Once(error) => format!("{error} once"),
            Self::Always(error) => format!("{error} from then on"),
            Self::Dead => "all EIO from then on".to_owned(),
        }
    }
}

/// Which of the errors a call can give, as its manual page says. A process fails to start
/// with other errors, for which EIO is injected.
fn errors(call: &Call) -> &'static [&'static str] {
    match call.name.as_str() {
        "close" => &[],
        "open" | "openat" | "openat2" if call.changes => {
            &["EIO", "ENOSPC", "EACCES", "EMFILE", "EINTR"]
        }
        "open" | "openat" | "openat2" => &["EIO", "EACCES", "EMFILE", "EINTR"],
        "dup" | "dup2" | "dup3" | "pidfd_open" | "pipe" | "pipe2" | "socketpair" => &["EMFILE"],
        "fcntl" if call.shown.contains("F_DUPFD") => &["EMFILE"],
        "copy_file_range" | "fallocate" | "fdatasync" | "fsync" | "ftruncate" | "pwrite64"
        | "sendfile" | "truncate" | "write" | "writev" => &["EIO", "ENOSPC", "EINTR"],
        "link" | "linkat" | "mkdir" | "mkdirat" | "rename" | "renameat" | "renameat2"
        | "symlink" | "symlinkat" => &["EIO", "ENOSPC", "EACCES"],
        "access" | "chdir" | "chmod" | "faccessat" | "faccessat2" | "fchmod" | "fchmodat"
        | "futimesat" | "kill" | "lstat" | "newfstatat" | "pidfd_send_signal" | "readlink"
        | "readlinkat" | "rmdir" | "stat" | "statfs" | "statx" | "unlink" | "unlinkat"
        | "utimensat" => &["EIO", "EACCES"],
        "flock" | "read" | "readv" => &["EIO", "EINTR"],
        "poll" | "ppoll" | "wait4" | "waitid" => &["EINTR"],
        _ => &["EIO"],
    }
}
