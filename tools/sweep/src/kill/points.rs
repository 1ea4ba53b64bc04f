//! The injection points: the system calls of an undisturbed build, from the program's own first one
//! on.
//!
//! What is done to them, `fault` says.

use std::collections::BTreeMap;

/// Calls that are counted and struck though the world stays as it is: a fault may come of them. Which
/// a program makes is the C library's choice.
const LOOKING: &[&str] = &[
    "access",
    "chdir",
    "close",
    "dup",
    "dup2",
    "dup3",
    "faccessat",
    "faccessat2",
    "fchdir",
    "fcntl",
    "fstat",
    "fstatfs",
    "futimesat",
    "getcwd",
    "getdents64",
    "ioctl",
    "lseek",
    "lstat",
    "newfstatat",
    "open",
    "openat",
    "openat2",
    "pidfd_open",
    "pipe",
    "pipe2",
    "prctl",
    "pread64",
    "read",
    "readlink",
    "readlinkat",
    "readv",
    "sendfile",
    "socketpair",
    "stat",
    "statfs",
    "statx",
];

/// Calls after which the world is another. A kill at any other call finds what one at the next of
/// these does.
const CHANGING: &[&str] = &[
    "chmod",
    "clone",
    "clone3",
    "copy_file_range",
    "fallocate",
    "fchmod",
    "fchmodat",
    "fdatasync",
    "flock",
    "fork",
    "fsync",
    "ftruncate",
    "kill",
    "link",
    "linkat",
    "mkdir",
    "mkdirat",
    "pidfd_send_signal",
    "poll",
    "ppoll",
    "pwrite64",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "symlink",
    "symlinkat",
    "truncate",
    "unlink",
    "unlinkat",
    "utimensat",
    "vfork",
    "wait4",
    "waitid",
    "write",
    "writev",
];

/// The first call of our own; what comes before is the loader's and the runtime's.
const FIRST: &str = "prctl";

/// One call of a build.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// The call.
    pub(crate) name: String,
    /// The how manyeth of its name, from 1.
    pub(crate) number: usize,
    /// The call as the trace shows it.
    pub(crate) shown: String,
    /// Whether the world is another after it.
    pub(crate) changes: bool,
    /// Of each name, the number of the first call from here on.
    pub(crate) next: BTreeMap<String, usize>,
}

/// What strace watches. A call that this machine does not have is passed over.
pub(crate) fn watched() -> String {
    let names = LOOKING.iter().chain(CHANGING);
    let names: Vec<String> = names.map(|name| format!("?{name}")).collect();
    format!("trace={}", names.join(","))
}

/// The points in a trace of one thread.
pub(crate) fn of_trace(trace: &str) -> Vec<Point> {
    let mut made: BTreeMap<String, usize> = BTreeMap::new();
    let mut points: Vec<Point> = Vec::new();
    for line in trace.lines() {
        let Some((name, _)) = line.split_once('(').filter(|(name, _)| is_name(name)) else {
            continue;
        };
        let number = made.entry(name.to_owned()).or_default();
        *number += 1;
        let number = *number;
        if points.is_empty() && name != FIRST {
            continue;
        }
        points.push(Point {
            name: name.to_owned(),
            number,
            shown: line.chars().take(160).collect(),
            changes: CHANGING.contains(&name)
                || line.contains("O_CREAT")
                || line.contains("O_TRUNC"),
            next: BTreeMap::new(),
        });
    }
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    for point in points.iter_mut().rev() {
        next.insert(point.name.clone(), point.number);
        point.next.clone_from(&next);
    }
    points
}

/// How many points two builds have in common from their beginning, as far as calls and paths tell.
pub(crate) fn in_common(points: &[Point], others: &[Point]) -> usize {
    let mut pairs = points.iter().zip(others);
    let differs = |(a, b): (&Point, &Point)| a.likeness() != b.likeness();
    let shorter = points.len().min(others.len());
    pairs.position(differs).unwrap_or(shorter)
}

impl Point {
    /// The call without what differs from run to run: numbers and results.
    fn likeness(&self) -> String {
        let arguments = self.shown.rsplit_once(" = ").map_or("", |(call, _)| call);
        let quoted = arguments.split('"').skip(1).step_by(2);
        let paths = quoted.filter(|text| text.contains('/')).collect::<String>();
        let plain = paths.chars().filter(|letter| !letter.is_ascii_digit());
        format!("{} {}", self.name, plain.collect::<String>())
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::of_trace;

    #[test]
    fn calls_are_numbered_by_name_from_our_own_first_one_on() {
        let trace = "openat(1) = 3\nprctl(PR) = 0\nopenat(2) = 3\n--- SIGCHLD {a(b)} ---\n\
                     read(3) = 1\nopenat(3) = ?\n+++ killed by SIGKILL +++\n";
        let points = of_trace(trace);
        let found: Vec<(&str, usize)> =
            points.iter().map(|point| (point.name.as_str(), point.number)).collect();
        assert_eq!(found, [("prctl", 1), ("openat", 2), ("read", 1), ("openat", 3)]);
        let next: Vec<(&str, usize)> =
            points[2].next.iter().map(|(name, next)| (name.as_str(), *next)).collect();
        assert_eq!(next, [("openat", 3), ("read", 1)]);
    }
}
