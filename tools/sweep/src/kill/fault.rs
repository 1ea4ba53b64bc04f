//! The faults that are injected into a system call, and the options by which strace does it.
//!
//! Which calls are struck, `strace` says.

use crate::strace::{Call, inject};

/// A way for a call to go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// The program is killed before the call is made.
    Kill,
    /// This call fails, and no other.
    Once(&'static str),
    /// This call fails, and every later one of its name.
    Always(&'static str),
    /// From this call on, none that touches the world succeeds.
    Dead,
}

impl Fault {
    /// Every fault that a call is struck with.
    pub(super) const ALL: [Self; 11] = [
        Self::Kill,
        Self::Once("EIO"),
        Self::Once("ENOSPC"),
        Self::Once("EACCES"),
        Self::Once("EMFILE"),
        Self::Once("EINTR"),
        Self::Always("EIO"),
        Self::Always("ENOSPC"),
        Self::Always("EACCES"),
        Self::Always("EMFILE"),
        Self::Dead,
    ];

    /// Whether it is worth striking a call with. A close that fails has closed all the same, while
    /// strace would keep the call from being made: a leak that no system has.
    pub(super) fn fits(self, call: &Call) -> bool {
        match self {
            Self::Kill => call.changes,
            Self::Once(_) | Self::Always(_) | Self::Dead => call.name != "close",
        }
    }

    /// What strace injects to bring it about at a call.
    pub(super) fn injected(self, call: &Call) -> Vec<String> {
        let Call { name, number, .. } = call;
        match self {
            Self::Kill => vec![inject(name, "signal=KILL", number)],
            Self::Once(error) => vec![inject(name, &format!("error={error}"), number)],
            Self::Always(error) => {
                vec![inject(name, &format!("error={error}"), format_args!("{number}+"))]
            }
            Self::Dead => {
                let next = call.next.iter().filter(|(name, _)| *name != "close");
                next.map(|(name, next)| inject(name, "error=EIO", format_args!("{next}+")))
                    .collect()
            }
        }
    }

    /// Its name in tables.
    pub(super) fn name(self) -> String {
        match self {
            Self::Kill => "kill".to_owned(),
            Self::Once(error) => format!("{error} once"),
            Self::Always(error) => format!("{error} from then on"),
            Self::Dead => "all EIO from then on".to_owned(),
        }
    }
}
