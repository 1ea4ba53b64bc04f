//! Who learns of a command's start and of what it prints.

use std::io;
use std::time::Duration;

use crate::{Group, Trail};

/// Records a start, so that the command's processes can be found again after a crash.
pub trait Observer {
    /// The command is about to start, and its processes will hold this pipe.
    ///
    /// # Errors
    /// The start could not be recorded; the command is not started.
    fn starts(&mut self, trail: &Trail) -> io::Result<()>;

    /// The command runs, as the leader of this group.
    ///
    /// # Errors
    /// The group could not be recorded; the command is killed.
    fn started(&mut self, group: &Group) -> io::Result<()>;

    /// Whether [`hear`](Self::hear) is to be called.
    fn listens(&self) -> bool {
        false
    }

    /// More of what the command prints, as it is kept: filtered, and in order. Of a command that prints nothing
    /// for a while it is not called; of one whose standard error is separate only its output counts.
    fn hear(&mut self, bytes: &[u8]) {
        let _ = bytes;
    }

    /// Called while the command runs, after it printed something and when the time has passed that this gave
    /// last: after which it wants to be called again though nothing is printed.
    fn printed(&mut self) -> Option<Duration> {
        None
    }
}
