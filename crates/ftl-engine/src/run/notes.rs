//! Notes in a run's journal: hints for recovery, which the machine never sees.

use std::path::PathBuf;

use ftl_process::{Group, Trail};
use ftl_store::path_text;
use serde::{Deserialize, Serialize};

/// What recovery needs to know, and the machine does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub(super) enum Note {
    /// The tree was captured before this request.
    Captured {
        /// The request's number in the run.
        request: u32,
    },
    /// The delta was captured before this request, which works on an overlay.
    Isolated {
        /// The request's number in the run.
        request: u32,
        /// Where its layers lie.
        #[serde(with = "path_text")]
        place: PathBuf,
    },
    /// What it wrote is being taken over into the tree: unless an event follows, it must be undone.
    TakingOver {
        /// The request's number in the run.
        request: u32,
    },
    /// What this request left in the tree is being put back: it must be finished in any case.
    PuttingBack {
        /// The request's number in the run.
        request: u32,
    },
    /// It is put back. What differs from the snapshot later is another program's work.
    PutBack {
        /// The request's number in the run.
        request: u32,
    },
    /// The user says that what differs is theirs: it stays, and the request is not asked for again.
    Kept {
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
