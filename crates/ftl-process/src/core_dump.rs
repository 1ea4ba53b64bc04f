//! Keeping the kernel from writing a core file of a process that is expected to crash.
//!
//! setrlimit(2) with RLIMIT_CORE. Where cores are piped to a program (core(5)), the kernel starts that
//! program whatever the limit is.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Has the kernel keep nothing of this process when it crashes. This is for a binary to ask for
/// whose work is expected to end it now and then.
///
/// # Errors
/// When the system does not allow it.
pub fn forgo_core_dump() -> io::Result<()> {
    let maximum = getrlimit(Resource::Core).maximum;
    // The hard limit stays, so that a child may raise its own again.
    let none = Rlimit {
        current: Some(0),
        maximum,
    };
    Ok(setrlimit(Resource::Core, none)?)
}
