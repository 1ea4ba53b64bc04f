//! What is done to the fleet, and how often it was.

use std::collections::BTreeMap;
use std::fmt;

/// What is done to the fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// A worker is killed, and started again.
    KillWorker,
    /// A worker is stopped for longer than its lease.
    StopWorker,
    /// A worker is asked to end, and started again.
    EndWorker,
    /// The server is killed, and started again.
    KillServer,
    /// All processes of the build are killed, and the command is run again.
    KillBuild,
}

impl Fault {
    /// As often as they are to come.
    pub(super) const PATIENT: [Self; 8] = [
        Self::KillWorker,
        Self::KillWorker,
        Self::KillWorker,
        Self::StopWorker,
        Self::StopWorker,
        Self::KillServer,
        Self::KillBuild,
        Self::EndWorker,
    ];
    pub(super) const QUICK: [Self; 3] = [Self::KillServer, Self::KillBuild, Self::EndWorker];
}

#[derive(Default)]
pub(super) struct Counts {
    pub(super) builds: u32,
    pub(super) faults: BTreeMap<Fault, u32>,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} builds", self.builds)?;
        self.faults.iter().try_for_each(|(fault, count)| write!(f, ", {count} {fault:?}"))
    }
}
