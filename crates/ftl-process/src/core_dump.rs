//! What the kernel keeps of a process that crashed.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Has the kernel keep nothing of this process when it crashes. This is for a binary to ask for
/// whose work is expected to end it now and then.
///
/// # Errors
/// When the system does not allow it.
pub fn forgo_core_dump() -> io::Result<()> {
    let maximum = getrlimit(Resource::Core).maximum;
    let none = Rlimit {
        current: Some(0),
        maximum,
    };
    Ok(setrlimit(Resource::Core, none)?)
}
