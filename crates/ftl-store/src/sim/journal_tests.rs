//! Power cuts, kills and failures at every step of a journalled run.
//!
//! The promise is about what was relied on: after any crash, the lines on which an effect was begun are
//! read back as they were appended. Lines beyond may be lost. Recovery is cut too, since a machine that
//! lost power once may lose it again while it starts.

use std::cell::RefCell;
use std::collections::BTreeSet;

use ftl_model::WorkspaceId;

use super::{Bug, Disk, Limit, Names, SimFs};
use crate::{Journal, Layout, Runs, StoreError};

const AT: &str = "2026-01-18T01:30:56Z";

/// Lines after the opening one.
const LINES: usize = 4;

/// What must never be seen after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Violation {
    /// An effect was begun on the strength of a line that is no longer there.
    Forgotten,
    /// A line does not say what was appended.
    Altered,
    /// The journal cannot be opened.
    Refused,
}

/// A run over a file system, which notes how many lines the world has seen the effects of.
struct Run {
    files: SimFs,
    /// The number of steps taken, and of lines that from then on must never be lost.
    relied_on: RefCell<Vec<(usize, usize)>>,
}

impl Run {
    fn new(disk: &Disk, bug: Option<Bug>, relied_on: usize) -> Self {
        Self { files: SimFs::new(disk, bug), relied_on: RefCell::new(vec![(0, relied_on)]) }
    }

    /// In place of an effect: from here on the world differs.
    fn rely_on(&self, lines: usize) {
        self.relied_on.borrow_mut().push((self.files.steps(), lines));
    }

    fn relied_on_after(&self, steps: usize) -> usize {
        let relied_on = self.relied_on.borrow();
        let past = relied_on.iter().filter(|(at, _)| *at <= steps);
        past.map(|(_, lines)| *lines).max().unwrap_or(0)
    }

    /// Begins the run or goes on with it, up to its end.
    fn go_on(&self) -> Result<(), StoreError> {
        let layout = Layout::new("/p");
        layout.prepare(&self.files)?;
        let runs = Runs::new(&self.files, &layout, &WorkspaceId::new("001", "a"));
        let (mut journal, mut done) = match runs.unfinished()? {
            Some(run) => {
                let loaded = Journal::open(&self.files, run.dir())?;
                self.rely_on(loaded.entries.len() + 1);
                (loaded.journal, loaded.entries.len())
            }
            None => {
                let run = runs.next()?;
                runs.begin(&run)?;
                (Journal::create(&self.files, run.dir(), AT, &"header")?, 0)
            }
        };
        while done < LINES {
            journal.append_event(AT, &done)?;
            done += 1;
            if done == 2 {
                journal.append_note(AT, &done)?;
                done += 1;
            }
            // The opening line waits for the first event, and that of a note for the note.
            journal.sync()?;
            self.rely_on(done + 1);
        }
        Ok(())
    }

    /// Cuts the power at every moment that matters: the disks, with the number of lines that they
    /// must hold.
    fn cut(&self, names: Names) -> impl Iterator<Item = (Disk, usize)> {
        let mut moments = self.files.worst_moments();
        moments.extend(self.relied_on.borrow().iter().map(|(at, _)| at));
        moments.into_iter().flat_map(move |steps| {
            let lines = self.relied_on_after(steps);
            let disks = self.files.after_power_cut(steps, names);
            disks.into_iter().map(move |disk| (disk, lines))
        })
    }

    fn cut_in_every_way(&self) -> BTreeSet<(Disk, usize)> {
        Names::ALL.into_iter().flat_map(|names| self.cut(names)).collect()
    }
}

/// With what [`Layout::prepare`] makes beside runs, which would only add names.
fn blank() -> Disk {
    let dirs = ["/p", "/p/.ftl", "/p/.ftl/locks", "/p/.ftl/workspace"];
    let gitignore = ("/p/.ftl/.gitignore".into(), Some(b"runs".to_vec()));
    dirs.map(|dir| (dir.into(), None)).into_iter().chain([gitignore]).collect()
}

fn check(disk: &Disk, relied_on: usize) -> Result<(), Violation> {
    let files = SimFs::new(disk, None);
    let runs = Runs::new(&files, &Layout::new("/p"), &WorkspaceId::new("001", "a"));
    let Some(run) = runs.unfinished().map_err(|_| Violation::Refused)? else {
        return if relied_on == 0 { Ok(()) } else { Err(Violation::Forgotten) };
    };
    let loaded = Journal::open(&files, run.dir()).map_err(|_| Violation::Refused)?;
    if loaded.entries.len() + 1 < relied_on {
        return Err(Violation::Forgotten);
    }
    let altered = |(at, entry): (usize, &crate::JournalEntry)| {
        entry.decode::<usize>().ok() != Some(at) || entry.at != AT
    };
    if loaded.entries.iter().enumerate().any(altered) {
        return Err(Violation::Altered);
    }
    Ok(())
}

fn violations<'d>(disks: impl IntoIterator<Item = &'d (Disk, usize)>) -> BTreeSet<Violation> {
    let check = |(disk, lines): &(Disk, usize)| check(disk, *lines).err();
    disks.into_iter().filter_map(check).collect()
}

/// What is wrong with any disk after a kill or a failure at any step, a second attempt, and a power
/// cut during it.
fn after_kills(bug: Option<Bug>) -> impl Iterator<Item = Violation> {
    let whole = Run::new(&blank(), bug, 0);
    whole.go_on().unwrap();
    assert!(whole.files.steps() > 15, "a run takes many steps");
    let limits = (0..whole.files.steps()).flat_map(|step| [Limit::From(step), Limit::Once(step)]);
    limits.flat_map(move |limit| {
        let run = Run::new(&blank(), bug, 0);
        run.files.set_limit(limit);
        run.go_on().unwrap_err();
        run.files.set_limit(Limit::None);
        run.go_on().unwrap();
        let mut disks = run.cut_in_every_way();
        disks.insert((run.files.seen(), LINES + 1));
        violations(&disks)
    })
}

#[test]
fn no_power_cut_loses_a_line_that_was_relied_on_not_even_a_second_one() {
    let run = Run::new(&blank(), None, 0);
    run.go_on().unwrap();
    let first = run.cut_in_every_way();
    assert_eq!(violations(&first), BTreeSet::new());

    let mut second = BTreeSet::new();
    for (disk, relied_on) in &first {
        let run = Run::new(disk, None, *relied_on);
        run.go_on().unwrap();
        second.extend(run.cut_in_every_way());
    }
    assert_eq!(violations(&second), BTreeSet::new());
    assert!(
        first.len() > 100 && second.len() > 900,
        "too little was tried: {} and {}",
        first.len(),
        second.len()
    );
}

#[test]
fn no_kill_or_failure_loses_a_line_that_was_relied_on_even_if_the_power_is_cut_later() {
    assert_eq!(after_kills(None).next(), None);
}

#[test]
fn a_journal_that_syncs_too_little_would_be_found() {
    for (bug, expected) in
        [(Bug::AppendUnsynced, Violation::Forgotten), (Bug::NamesUnsynced, Violation::Forgotten)]
    {
        let run = Run::new(&blank(), Some(bug), 0);
        run.go_on().unwrap();
        let mut found =
            run.cut(Names::Ordered).filter_map(|(disk, lines)| check(&disk, lines).err());
        assert!(found.any(|violation| violation == expected), "{bug:?}");
    }
    let mut found = after_kills(Some(Bug::ReopenUnsynced));
    assert!(found.any(|violation| violation == Violation::Forgotten));
}
