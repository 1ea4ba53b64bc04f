//! Peak memory of a program and its children, as the kernel counts it (`ru_maxrss`).
//!
//! Python starts the program, since the standard library does not give the figure away.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use crate::Result;
use crate::program::Program;

/// Runs a program in a separate process group and prints the most memory that it or a child of it
/// ever held, in KiB, and how it ended. After the limit the group is killed, and the end is `late`.
const SCRIPT: &str = r"
import os, signal, sys
limit, words = float(sys.argv[1]), sys.argv[2:]
null = os.open(os.devnull, os.O_RDWR)
to_null = [(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)]
child = os.posix_spawnp(words[0], words, os.environ, file_actions=to_null, setpgroup=0)
late = False
def kill(number, frame):
    global late
    late = True
    os.killpg(child, signal.SIGKILL)
signal.signal(signal.SIGALRM, kill)
signal.setitimer(signal.ITIMER_REAL, limit)
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss, 'late' if late else os.waitstatus_to_exitcode(status))
";

/// One run's memory and end.
#[derive(Clone, Copy, Debug)]
pub struct Peak {
    /// In KiB; never less than what the Python that starts it holds at that moment.
    pub kib: u64,
    /// How it ended.
    pub end: End,
}

/// How a measured program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself: its exit code, or the number of a signal below zero.
    Code(i32),
    /// It ran for longer than it may.
    Late,
}

/// Runs a program in a directory, for at most ten minutes, and watches its memory.
///
/// # Errors
///
/// Python or the program could not be started.
pub fn of<S: AsRef<OsStr>>(directory: &Path, words: impl IntoIterator<Item = S>) -> Result<Peak> {
    parse(&program(directory, Duration::from_mins(10), words).text()?)
}

/// A program that runs `words` in a directory and prints what [`parse`] reads. It may take as long as
/// `limit`, is then killed, and so is what it started in its process group.
pub fn program<S: AsRef<OsStr>>(
    directory: &Path,
    limit: Duration,
    words: impl IntoIterator<Item = S>,
) -> Program {
    Program::new("python3", directory)
        .args(["-S", "-E", "-c", SCRIPT])
        .args([limit.as_secs_f64().to_string()])
        .args(words)
}

/// The figures that a [`program`] printed.
///
/// # Errors
///
/// Python could not start the program.
pub fn parse(text: &str) -> Result<Peak> {
    let figures = text.trim().split_once(' ');
    let (kib, end) = figures.ok_or("python3 printed no figures")?;
    let end = match end {
        "late" => End::Late,
        code => End::Code(code.parse()?),
    };
    Ok(Peak { kib: kib.parse()?, end })
}
