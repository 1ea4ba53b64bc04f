//! The faults that are injected into a system call, and the options by which strace does it.
//!
//! Which calls are hit, `points` says.

use super::points::Point;

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
    /// Every fault that a point is struck with.
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

    /// Whether it is worth striking the call with. A close that fails has closed all the same, while
    /// strace would keep the call from being made: a leak that no system has.
    pub(super) fn fits(self, point: &Point) -> bool {
        match self {
            Self::Kill => point.changes,
            Self::Once(_) | Self::Always(_) | Self::Dead => point.name != "close",
        }
    }

    /// The options by which strace brings it about at `point`.
    pub(super) fn options(self, point: &Point) -> Vec<String> {
        let Point { name, number, .. } = point;
        match self {
            Self::Kill => inject(name, "signal=KILL", &number.to_string()),
            Self::Once(error) => inject(name, &format!("error={error}"), &number.to_string()),
            Self::Always(error) => inject(name, &format!("error={error}"), &format!("{number}+")),
            Self::Dead => point
                .next
                .iter()
                .filter(|(name, _)| *name != "close")
                .flat_map(|(name, next)| inject(name, "error=EIO", &format!("{next}+")))
                .collect(),
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

fn inject(name: &str, what: &str, when: &str) -> Vec<String> {
    let injected = format!("inject={name}:{what}:when={when}");
    vec!["-e".to_owned(), injected]
}
