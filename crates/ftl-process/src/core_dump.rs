//! Keeping the kernel from writing a core file of a process that is expected to crash.
//!
//! setrlimit(2) with RLIMIT_CORE. Where cores are piped to a program (core(5)), the kernel starts
//! that program whatever the limit is.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Turns core files off for this process. For a binary that is expected to crash now and then, such
/// as one that parses hostile files.
///
/// # Errors
/// When the system does not allow it.
pub fn forgo_core_dump() -> io::Result<()> {
    let maximum = getrlimit(Resource::Core).maximum;
    // The hard limit stays, so that a child may raise its own again.
    let none = Rlimit { current: Some(0), maximum };
    Ok(setrlimit(Resource::Core, none)?)
}
