//! Peak memory of a program and its children, as the kernel counts it (`ru_maxrss`).
//!
//! Python starts the program, since the standard library does not give the figure away.

use std::ffi::OsStr;
use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

/// Runs a program and prints the most memory that it or a child of it ever held, in KiB, and how
/// it ended.
const SCRIPT: &str = r"
import os, sys
null = os.open(os.devnull, os.O_RDWR)
to_null = [(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)]
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=to_null)
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss, status)
";

/// One run's memory and end.
pub(crate) struct Peak {
    /// In KiB; never less than what the Python that starts it holds at that moment.
    pub(crate) kib: u64,
    /// Whether it exited with 0.
    pub(crate) success: bool,
}

/// Runs a program in a directory and watches its memory, by means of Python.
pub(crate) fn of<S: AsRef<OsStr>>(
    directory: &Path,
    words: impl IntoIterator<Item = S>,
) -> Result<Peak> {
    let text = Program::new("python3", directory)
        .args(["-S", "-E", "-c", SCRIPT])
        .args(words)
        .text()?;
    let (kib, status) = text
        .trim()
        .split_once(' ')
        .ok_or("python3 printed no figures")?;
    Ok(Peak {
        kib: kib.parse()?,
        success: status == "0",
    })
}
