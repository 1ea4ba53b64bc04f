//! What outlives a process: task files, runs and their journals, locks.
//!
//! Everything that must survive a crash or a power cut goes through one trait, [`Files`], whose
//! methods are the steps of the protocols here; tests run the same protocols over a file system that
//! loses whatever was not synced. The promises:
//!
//! * a task has exactly one file at every instant, whole ([`seal`]);
//! * an appended journal line is on the disk before anything is built on it, and what is read back is
//!   what was written, or an error ([`Journal`]);
//! * of several builders one works on a task, and one in a tree ([`Lock`]).
//!
//! Nothing here reads a clock: times are given. Nor does the store know what a journal's lines mean or
//! what a task file says, except for its name: bytes and JSON go in and come out.
//!
//! [`Files`], [`OsFiles`] and the functions over them ([`replace`], [`create`], [`write_out`], …) are here,
//! and not in a separate crate, because they are the protocols' own steps: the simulator proves
//! them together with the journal and the seal. `ftl-tree` depends on this crate for those durable
//! file functions alone.

mod atomic;
mod building;
mod error;
mod files;
pub mod gate;
mod journal;
mod layout;
mod lock;
mod lock_file;
mod lock_warning;
mod network;
mod os;
pub mod path_text;
mod regular;
mod runs;
mod seal;
mod tree_lock;
mod turn;

#[cfg(test)]
mod model;
#[cfg(test)]
mod race;
#[cfg(any(test, feature = "simulator"))]
pub mod sim;

pub use atomic::{
    Stored, create, ensure_dir, ensure_private_dir, ensure_private_dir_unsynced, replace,
    replace_later, replace_private, replace_private_unsynced, write_out, write_out_later,
};
pub use error::StoreError;
pub use files::{FileError, FileKind, Files, Metadata, Operation};
pub use journal::{JOURNAL, Journal, JournalEntry, LineKind, Loaded};
pub use layout::{GITIGNORE_NAME, Layout, private_dir};
pub use lock::{Lock, lock_name};
pub use lock_file::{Waiting, is_alive};
pub use lock_warning::LockWarning;
pub use network::NetworkFileSystem;
pub use os::{OsFiles, unless_missing};
pub use regular::read_regular;
pub use runs::{RUN_DIFF, Run, Runs};
pub use seal::{LARGEST_RECORD, finish_rename, reopen, seal};
pub use turn::Turn;
