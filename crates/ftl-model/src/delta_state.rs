//! How the files of a delta stand, compared with how they were before anybody wrote them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DeltaPath, Digest, words};

words! {
    /// How a path differs from before.
    pub enum Change {
        /// It was not there.
        Created = "created",
        /// Its bytes or mode are others.
        Modified = "modified",
        /// It is gone.
        Deleted = "deleted",
    }
}

/// A delta file that differs from before.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Touched {
    /// Where it is.
    pub path: DeltaPath,
    /// How it differs.
    pub change: Change,
}

/// The delta as it is in the tree, with no regard to its author.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Standing")]
pub struct DeltaState {
    /// Every file that differs from before, in the order of paths.
    pub touched: Vec<Touched>,
    /// The digest of every file; `None` where there is no regular file.
    pub bytes: BTreeMap<DeltaPath, Option<Digest>>,
}

/// Lines that came and went in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Lines")]
pub struct LineCounts {
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
}

/// A path outside the delta that a task may write as it likes: a cache, or what git ignores.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Scratch {
    /// The topmost path.
    pub path: String,
    /// Files in it, where they were counted.
    pub files: u64,
}
