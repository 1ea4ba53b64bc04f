//! Who learns of a command's start and of what it prints.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// Ends the command once a flag is set.
#[derive(Debug)]
pub struct EndWhenSet<'a> {
    flag: &'a AtomicBool,
    grace: Duration,
    group: Option<Group>,
}

impl<'a> EndWhenSet<'a> {
    /// How often the flag is looked at.
    const TURN: Duration = Duration::from_millis(250);

    /// TERM, then KILL after `grace`.
    #[must_use]
    pub const fn new(flag: &'a AtomicBool, grace: Duration) -> Self {
        Self { flag, grace, group: None }
    }
}

impl Observer for EndWhenSet<'_> {
    fn starts(&mut self, _: &Trail) -> io::Result<()> {
        Ok(())
    }

    fn started(&mut self, group: &Group) -> io::Result<()> {
        self.group = Some(group.clone());
        Ok(())
    }

    fn printed(&mut self) -> Option<Duration> {
        if self.flag.load(Ordering::Relaxed)
            && let Some(group) = self.group.take()
        {
            group.end(self.grace);
        }
        Some(Self::TURN)
    }
}
