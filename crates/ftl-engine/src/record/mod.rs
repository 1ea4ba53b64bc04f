//! The `run` element of a record: written from a run's result, and read back into one.
//!
//! Where the element is spliced in, `ftl-xml` knows. It holds less than the result: a record stays small and is
//! read by people, and the journal has the rest. What is written here is read here, so that a round trip shows
//! what is left out.

mod evidence;
mod read;
mod verified;
mod write;

use ftl_model::Digest;

pub(crate) use read::account;
pub(crate) use verified::result as verify_result;
pub(crate) use write::element;

use crate::result::BuildResult;

/// A run as its record describes it.
#[derive(Debug)]
pub(crate) struct RecordedRun<'a> {
    /// How it ended. Of a block, `delivered` is the hand-off.
    pub(crate) result: &'a BuildResult,
    /// RFC 3339, in UTC.
    pub(crate) began_at: String,
    /// The same.
    pub(crate) ended_at: &'a str,
    /// Of the task as it was read.
    pub(crate) workspace: Digest,
    /// The commit that the delta is compared with, where it is one.
    pub(crate) base: Option<&'a str>,
    /// When it landed, to the millisecond; `None` where nothing landed.
    pub(crate) sealed_at: Option<String>,
    /// Its verify is to run once more, after the last task of the command.
    pub(crate) is_checked: bool,
    /// What was tried against the block, on one line.
    pub(crate) tried: String,
    /// The file with the diff of the whole run, and its digest.
    pub(crate) diff: Option<(String, Digest)>,
    /// The command that adds the strays to the task; empty where the caller has none.
    pub(crate) take_in: String,
}

#[cfg(test)]
mod tests;
