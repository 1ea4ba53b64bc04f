//! The system calls of a build: how strace shows them, and makes them go wrong.

use std::collections::BTreeMap;

/// Calls that are counted and struck though the outside world stays as it is: a fault may come of them.
/// Which a program makes is the C library's choice.
const LOOKING: &str = "access chdir close dup dup2 dup3 faccessat faccessat2 fchdir fcntl fstat fstatfs \
    futimesat getcwd getdents64 ioctl lseek lstat newfstatat open openat openat2 pidfd_open pipe pipe2 \
    prctl pread64 read readlink readlinkat readv sendfile socketpair stat statfs statx";

/// Calls that change the outside world. A kill at any other call finds what one at the next of these does.
const CHANGING: &str = "chmod clone clone3 copy_file_range fallocate fchmod fchmodat fdatasync flock fork \
    fsync ftruncate kill link linkat mkdir mkdirat pidfd_send_signal poll ppoll pwrite64 rename renameat \
    renameat2 rmdir symlink symlinkat truncate unlink unlinkat utimensat vfork wait4 waitid write writev";

/// The first call of our own; what comes before is the loader's and the runtime's.
const FIRST: &str = "prctl";

/// Where a trace is, from the project.
pub(crate) const TRACE: &str = "../trace";

/// One call of a build.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// Its name.
    pub(crate) name: String,
    /// The how manyeth of its name, from 1.
    pub(crate) number: usize,
    /// The call as the trace shows it.
    pub(crate) shown: String,
    /// Whether it changes the outside world.
    pub(crate) changes: bool,
    /// Of each name, the number of the first call from here on.
    pub(crate) next: BTreeMap<String, usize>,
}

/// The words that trace a program, in one thread: children and helping threads are not followed.
/// `injected` is what goes wrong, as [`inject`] writes it.
pub(crate) fn words<'a>(watched: &'a str, injected: &'a [String]) -> Vec<&'a str> {
    let mut words = vec!["strace", "-qq", "-o", TRACE, "-e", watched];
    if !injected.iter().any(|what| what.contains("signal=STOP")) {
        words.extend(["-e", "signal=none"]);
    }
    words.extend(injected.iter().flat_map(|what| ["-e", what]));
    words
}

/// What strace watches. A call that this machine does not have is passed over.
pub(crate) fn watched() -> String {
    let names = LOOKING.split_whitespace().chain(CHANGING.split_whitespace());
    let names: Vec<String> = names.map(|name| format!("?{name}")).collect();
    format!("trace={}", names.join(","))
}

/// `what` at the `when`th call of a name.
pub(crate) fn inject(name: &str, what: &str, when: impl std::fmt::Display) -> String {
    format!("inject={name}:{what}:when={when}")
}

/// The calls in a trace.
pub(crate) fn calls(trace: &str) -> Vec<Call> {
    let mut made: BTreeMap<String, usize> = BTreeMap::new();
    let mut calls: Vec<Call> = Vec::new();
    for line in trace.lines() {
        let Some((name, _)) = line.split_once('(').filter(|(name, _)| is_name(name)) else {
            continue;
        };
        let number = made.entry(name.to_owned()).or_default();
        *number += 1;
        let number = *number;
        if calls.is_empty() && name != FIRST {
            continue;
        }
        calls.push(Call {
            name: name.to_owned(),
            number,
            shown: line.chars().take(160).collect(),
            changes: CHANGING.split_whitespace().any(|changing| changing == name)
                || ["O_CREAT", "O_TRUNC", "O_TMPFILE"].iter().any(|flag| line.contains(flag)),
            next: BTreeMap::new(),
        });
    }
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    for call in calls.iter_mut().rev() {
        next.insert(call.name.clone(), call.number);
        call.next.clone_from(&next);
    }
    calls
}

/// How many calls two builds have in common from their beginning, as far as names and paths tell.
pub(crate) fn in_common(calls: &[Call], others: &[Call]) -> usize {
    let mut pairs = calls.iter().zip(others);
    let differs = |(a, b): (&Call, &Call)| a.likeness() != b.likeness();
    pairs.position(differs).unwrap_or(calls.len().min(others.len()))
}

impl Call {
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
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !text.is_empty() && text.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::calls;

    #[test]
    fn calls_are_numbered_by_name_from_our_own_first_one_on() {
        let trace = "openat(1) = 3\nprctl(PR) = 0\nopenat(2) = 3\n--- SIGCHLD {a(b)} ---\n\
                     read(3) = 1\nopenat(3) = ?\n+++ killed by SIGKILL +++\n";
        let calls = calls(trace);
        let found: Vec<(&str, usize)> =
            calls.iter().map(|call| (call.name.as_str(), call.number)).collect();
        assert_eq!(found, [("prctl", 1), ("openat", 2), ("read", 1), ("openat", 3)]);
        let next: Vec<(&str, usize)> =
            calls[2].next.iter().map(|(name, next)| (name.as_str(), *next)).collect();
        assert_eq!(next, [("openat", 3), ("read", 1)]);
    }
}
