//! Which of several tasks is next.
//!
//! A [`Schedule`] is asked after every change what to do now: start a task, skip one that can no longer be
//! reached, wait, or stop. It does no IO, reads no clock and knows no task file. Tasks are indices, in the order
//! in which they are preferred (that of their numbers, unless the user named another one); time is the time since
//! the command began, as an argument.
//!
//! # Why no two deltas under way share a file
//!
//! Every task lists the files that it may change: its delta. Two deltas overlap if a path of one equals a
//! path of the other, ignoring case (the file system may ignore it too), or is a directory above it. A task
//! starts only if it overlaps with no task under way, so two agents never write the same file, and what one
//! delivers needs no merge with what another one delivers. This is checked in every state of the
//! exploration in `explore`.
//!
//! A task also waits for an overlapping one that comes before it and is ready, or waits for another try.
//! Without this rule a task could starve, and the order in which two tasks change a file would depend on how
//! long the others take.
//!
//! # What can still conflict
//!
//! * *The user*, who edits the project while agents work. No schedule knows of that.
//! * *Allowed files* (`[scope] allow`), such as lock files: every task may change them along with its delta.
//! * *Meanings.* Two deltas without a common file can break each other's tests, which only the verify in the
//!   merged tree shows.
//!
//! The first two are found when a task's changes are taken over, file by file; the third by its verify.

mod ending;
#[cfg(test)]
mod explore;
mod graph;
mod limits;
mod most;
mod outages;
mod overlap;
mod schedule;
#[cfg(test)]
mod tries;

pub use ending::{Again, Ending, Started};
pub use limits::{Limit, Limits, Spent};
pub use outages::Outage;
pub use overlap::overlap;
pub use schedule::{Facts, Next, Schedule, Task, WaitsFor};
