//! Supervised child processes: own group, time limit, bounded output, nothing left running.
//!
//! A [`Command`] describes a program that is not trusted to behave: an agent, a test suite, a
//! compiler. [`Command::run`] starts it in a separate process group and stays in one loop of
//! `poll` until it has ended, so that none of these can hang or swamp the caller:
//!
//! * a child that never ends: the time limit sends TERM to the whole group, then KILL;
//! * a grandchild that stays, or keeps the output pipe open: it is ended 200 ms after the child;
//! * endless output: head and tail are kept in memory, the rest goes to a capped file or is
//!   counted;
//! * a child that does not read its input, or closes its output early.
//!
//! Daemons that leave the group are found only by a process that adopts orphans, which is a
//! decision about the whole process: see [`adopt_orphans`]. Interruption by SIGINT and SIGTERM is
//! one too: see [`catch_interrupts`].
//!
//! ```
//! use ftl_process::{Command, How};
//!
//! let ended = Command::shell("echo hello; exit 3", []).run(|_| Ok(()))?;
//! assert_eq!(ended.how, How::Exit(3));
//! assert_eq!(ended.output.whole().as_deref(), Some(&b"hello\n"[..]));
//! # Ok::<(), ftl_process::StartError>(())
//! ```
//!
//! After a crash of the caller, another process can still find what a command started: an
//! [`Observer`] gets the [`Trail`] before the start and the [`Group`] after it, and either can be
//! ended from any process of the same user.
//!
//! # Small, trusted programs
//!
//! [`probe`] runs small and trusted programs (`git`, `tool --version`) for their answers: all of their output is kept,
//! nothing looks for what they leave behind, and a process that holds their output is waited for up to the limit.
//!
//! # Nothing process-wide unasked
//!
//! This crate installs no signal handler and adopts no orphans until the binary calls
//! [`catch_interrupts`] or [`adopt_orphans`], once. Programs are found by their names anywhere on the
//! `PATH` until the caller calls [`refuse_programs_below`].
//!
//! Limits: a child shares our terminal session, so one that reads `/dev/tty` is stopped by the
//! terminal until its time limit; a process in uninterruptible sleep is waited for; orphans and
//! orphans are known by name on Linux only.

mod capture;
mod command;
mod companion;
mod core_dump;
mod ended;
mod environment;
mod error;
mod exit_watch;
mod feed;
mod filtering;
mod group;
mod interrupt;
mod observer;
mod orphans;
mod pager;
mod probe;
mod procfs;
mod programs;
mod room;
mod supervisor;
mod trail;
mod view;

pub use capture::{Capture, Output, Spilled};
pub use command::{Command, DEFAULT_GRACE};
pub use companion::{Companion, end_with_parent};
pub use core_dump::forgo_core_dump;
pub use ended::{Ended, How, Leftover, Overfull};
pub use environment::Environment;
pub use error::StartError;
pub use filtering::{Filter, Filters};
pub use group::Group;
pub use interrupt::{catch_interrupts, interrupted};
pub use observer::{EndWhenSet, Observer};
pub use orphans::adopt_orphans;
pub use pager::{edit, page};
pub use probe::{Probe, ProbeOutput, probe};
pub use procfs::boot_id;
pub use programs::{find_program, refuse_programs_below, trusted_path};
pub use room::{WriteRoom, bytes_below};
pub use trail::Trail;
pub use view::{Layer, View};
