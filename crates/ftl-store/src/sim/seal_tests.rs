//! Power cuts, kills and failures at every step of a seal.
//!
//! After each, there is one file of the task, it is whole, its name claims no more than its content, and
//! the next command finishes what was begun.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ftl_model::{Status, WorkspaceName};

use super::{Bug, Disk, Limit, Names, SimFs};
use crate::{StoreError, finish_rename, reopen, seal};

const DIR: &str = "/p/workspace";

/// What must never be seen after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Violation {
    /// No file of the task is there.
    Lost,
    /// Its file holds neither the old nor the new content.
    Torn,
    /// It has more than one file.
    TwoFiles,
    /// Its name says more than its content.
    Ahead,
    /// The seal had been reported as done, and is not.
    Forgotten,
}

/// A step from one status to another.
#[derive(Clone, Copy)]
struct Change {
    from: Status,
    to: Status,
}

const CHANGES: [Change; 6] = [
    Change { from: Status::Active, to: Status::Complete },
    Change { from: Status::Active, to: Status::Blocked },
    Change { from: Status::Active, to: Status::Dropped },
    Change { from: Status::Blocked, to: Status::Dropped },
    Change { from: Status::Blocked, to: Status::Active },
    Change { from: Status::Complete, to: Status::Active },
];

impl Change {
    fn content(status: Status) -> Vec<u8> {
        format!("{status} ").repeat(20).into_bytes()
    }

    fn name(status: Status) -> String {
        format!("{DIR}/001_a_{status}.xml")
    }

    fn path(status: Status) -> PathBuf {
        Self::name(status).into()
    }

    fn disk(self) -> Disk {
        let dirs = ["/p", DIR].map(|dir| (dir.into(), None));
        let file = (Self::name(self.from), Some(Self::content(self.from)));
        dirs.into_iter().chain([file]).collect()
    }

    fn take(self, files: &SimFs) -> Result<PathBuf, StoreError> {
        let (path, content) = (Self::path(self.from), Self::content(self.to));
        match self.to {
            Status::Active => reopen(files, &path, &content),
            Status::Complete | Status::Blocked | Status::Dropped => {
                seal(files, &path, self.to, &content)
            }
        }
    }

    /// What the next command does: finish the rename, or take the whole change. Gives whether there
    /// was anything to do.
    fn recover(self, files: &SimFs) -> Result<bool, StoreError> {
        if !files.seen().contains_key(&Self::name(self.from)) {
            return Ok(false);
        }
        let judge = |content: &[u8]| {
            let all = [self.from, self.to];
            all.into_iter().find(|status| content == Self::content(*status))
        };
        if finish_rename(files, &Self::path(self.from), judge)?.is_none() {
            self.take(files)?;
        }
        Ok(true)
    }

    fn violations(self, disk: &Disk, done: bool) -> BTreeSet<Violation> {
        let tasks: Vec<(WorkspaceName, &[u8])> = disk
            .iter()
            .filter_map(|(path, content)| {
                let name = path.rsplit('/').next()?.parse().ok()?;
                Some((name, content.as_deref()?))
            })
            .collect();
        let mut found = BTreeSet::new();
        match tasks.len() {
            0 => found.insert(Violation::Lost),
            1 => false,
            _ => found.insert(Violation::TwoFiles),
        };
        for (name, content) in &tasks {
            let new = *content == Self::content(self.to);
            if !new && *content != Self::content(self.from) {
                found.insert(Violation::Torn);
            }
            if !new && name.status == self.to {
                found.insert(Violation::Ahead);
            }
            if done && !(new && name.status == self.to) {
                found.insert(Violation::Forgotten);
            }
        }
        found
    }

    /// Cuts the power at every moment of `files`' log that matters; gives the disks and what is wrong with any.
    fn cut(self, files: &SimFs, done: bool) -> (BTreeSet<Disk>, BTreeSet<Violation>) {
        let (mut disks, mut found) = (BTreeSet::new(), BTreeSet::new());
        let end = files.steps();
        for names in Names::ALL {
            for steps in files.worst_moments() {
                let after = files.after_power_cut(steps, names);
                for disk in &after {
                    found.extend(self.violations(disk, done && steps == end));
                }
                disks.extend(after);
            }
        }
        (disks, found)
    }
}

fn found_with(bug: Bug) -> BTreeSet<Violation> {
    let mut all = BTreeSet::new();
    for change in CHANGES {
        let files = SimFs::new(&change.disk(), Some(bug));
        change.take(&files).unwrap();
        all.extend(change.cut(&files, true).1);
    }
    all
}

#[test]
fn a_power_cut_at_any_step_leaves_one_whole_file_and_the_next_command_ends_it() {
    for change in CHANGES {
        let files = SimFs::new(&change.disk(), None);
        change.take(&files).unwrap();
        let (disks, found) = change.cut(&files, true);
        assert_eq!(found, BTreeSet::new());
        assert!(disks.len() > 10, "only {} disks", disks.len());

        for disk in disks {
            let files = SimFs::new(&disk, None);
            change.recover(&files).unwrap();
            assert_eq!(change.violations(&files.seen(), true), BTreeSet::new());
            let (_, found) = change.cut(&files, true);
            assert_eq!(found, BTreeSet::new(), "a second cut, while recovering");
        }
    }
}

#[test]
fn a_kill_or_a_failure_at_any_step_is_recovered_from_even_if_the_power_is_cut_later() {
    for change in CHANGES {
        let whole = SimFs::new(&change.disk(), None);
        change.take(&whole).unwrap();
        assert!(whole.steps() > 4, "a seal takes several steps");
        for step in 0..whole.steps() {
            for limit in [Limit::From(step), Limit::Once(step)] {
                let files = SimFs::new(&change.disk(), None);
                files.set_limit(limit);
                change.take(&files).unwrap_err();
                assert_eq!(change.violations(&files.seen(), false), BTreeSet::new());
                files.set_limit(Limit::None);
                let reported = change.recover(&files).unwrap();
                assert_eq!(change.violations(&files.seen(), true), BTreeSet::new());
                let (_, found) = change.cut(&files, reported);
                assert_eq!(found, BTreeSet::new(), "{limit:?}");
            }
        }
    }
}

#[test]
fn a_seal_that_syncs_too_little_or_unlinks_would_be_found() {
    let cases: [(Bug, &[Violation]); 3] = [
        (Bug::NewFileUnsynced, &[Violation::Torn]),
        (Bug::NamesUnsynced, &[Violation::Forgotten]),
        (Bug::UnlinkInsteadOfRename, &[Violation::TwoFiles]),
    ];
    for (bug, expected) in cases {
        let found = found_with(bug);
        for violation in expected {
            assert!(found.contains(violation), "{bug:?} gave {found:?}");
        }
    }
}
