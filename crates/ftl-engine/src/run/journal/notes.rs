//! Notes in a run's journal: hints for recovery, which the machine never sees.

use ftl_process::{Group, Trail};
use serde::{Deserialize, Serialize};

/// What recovery needs to know, and the machine does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub(in crate::run) enum Note {
    /// A request is about to be made, which writes in a workplace.
    Asked {
        /// The request's number in the run.
        request: u32,
    },
    /// A child is about to start: what it will be known by.
    Starts(#[serde(with = "TrailFields")] Trail),
    /// A child's process group.
    Started(#[serde(with = "GroupFields")] Group),
}

/// How a trail is spelt.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Trail")]
struct TrailFields {
    pipe: u64,
    since: u64,
    boot_id: String,
}

/// How a group is spelt.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Group")]
struct GroupFields {
    pid: u32,
    start_time: u64,
    boot_id: String,
}
