//! The runs of a task, and which of them can be resumed.
//!
//! A run's state is which names are in its directory: it has begun once there is a journal with its opening
//! line, and ended once there is a mark. Both appear in one step, so there is no state in between. No index
//! of runs is kept, since it could disagree with the directories.
//!
//! Old runs are never deleted here: their outputs and quarantined files are the user's.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ftl_model::WorkspaceId;

use super::atomic::{ensure_private_dir_unsynced, is_temporary};
use super::error::StoreError;
use super::files::{FileError, FileKind, Files};
use super::journal::{DIFFS, JOURNAL, OUTPUTS, REQUESTS, is_begun};
use super::layout::Layout;

/// Its presence says that a run has ended. It is a directory, since mkdir(2) makes one whole in one
/// step, and a second attempt finds it there.
const END_MARK: &str = "ended";

/// The diff of a whole run, among its diffs.
pub const RUN_DIFF: &str = "run.diff";

/// One run of a task: the directory `.ftl/runs/ID/N/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    number: u64,
    dir: PathBuf,
}

impl Run {
    /// The run's number, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The directory of the journal and of everything else of the run.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Makes the directories of what the record will name, before an implementer is asked: the journal's sync then serves
    /// their names too.
    pub fn make_places(&self, files: &dyn Files) -> Result<(), FileError> {
        ensure_private_dir_unsynced(files, &self.outputs())?;
        ensure_private_dir_unsynced(files, &self.diffs())
    }

    /// Where the output of commands is kept.
    pub fn outputs(&self) -> PathBuf {
        self.dir.join(OUTPUTS)
    }

    /// Where a request's own files are: its prompt, its reply, its log.
    pub fn request(&self, number: u32) -> PathBuf {
        self.dir.join(REQUESTS).join(number.to_string())
    }

    /// Where diffs of the delta are kept.
    pub fn diffs(&self) -> PathBuf {
        self.dir.join(DIFFS)
    }

    /// The diff of the whole run.
    pub fn diff(&self) -> PathBuf {
        self.diffs().join(RUN_DIFF)
    }

    /// Where snapshots of the delta are kept that say how it was before the task's first run.
    pub fn before(&self) -> PathBuf {
        self.dir.join("before")
    }

    /// Where strays are moved: files that the implementer changed outside the delta.
    pub fn quarantine(&self) -> PathBuf {
        self.dir.join("quarantine")
    }
}

/// All runs of one task. The caller holds the task's lock.
#[derive(Debug)]
pub struct Runs<'f> {
    files: &'f dyn Files,
    dir: PathBuf,
}

impl<'f> Runs<'f> {
    /// The runs of a task.
    pub fn new(files: &'f dyn Files, layout: &Layout, id: &WorkspaceId) -> Self {
        Self { files, dir: layout.run_dir(id) }
    }

    /// The next run, of which nothing need be there. What a crash left of one that had not begun is used
    /// again.
    pub fn next(&self) -> Result<Run, StoreError> {
        let last = self.numbers()?.last().map(|number| self.run(*number));
        Ok(match last {
            None => self.run(1),
            Some(last) if self.has_ended(&last)? || self.has_begun(&last)? => {
                self.run(last.number.saturating_add(1))
            }
            Some(bare) => bare,
        })
    }

    /// Makes the directory of the [`next`](Self::next) run; those in it are made by who needs them. It counts as a run
    /// once it has a journal, whose first sync also makes it last.
    pub fn begin(&self, run: &Run) -> Result<(), StoreError> {
        ensure_private_dir_unsynced(self.files, &run.dir)?;
        // What a power cut left of one that had not begun.
        let journal = run.dir.join(JOURNAL);
        if self.files.metadata(&journal)?.is_some() {
            self.files.remove(&journal)?;
        }
        Ok(())
    }

    /// Every run that there is a directory of, the latest first.
    pub fn all(&self) -> Result<Vec<Run>, StoreError> {
        let numbers = self.numbers()?;
        Ok(numbers.into_iter().rev().map(|n| self.run(n)).collect())
    }

    /// The latest run, when it has begun and has not ended.
    pub fn unfinished(&self) -> Result<Option<Run>, StoreError> {
        for number in self.numbers()?.into_iter().rev() {
            let run = self.run(number);
            if self.files.metadata(&run.dir.join(JOURNAL))?.is_none() {
                // A crash before the journal was there: nothing had happened yet.
                continue;
            }
            if self.has_ended(&run)? {
                return Ok(None);
            }
            if self.has_begun(&run)? {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// Marks a run as ended, once its task is sealed. The mark may be lost in a power cut: the seal
    /// is what counts, and the command that reopens the task calls [`finish_all`](Self::finish_all).
    pub fn finish(&self, run: &Run) -> Result<(), StoreError> {
        match self.files.create_private_dir(&run.dir.join(END_MARK)) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error.into()),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Forgets a run that came no further than reading its task: it has not begun.
    pub fn forget(&self, run: &Run) -> Result<(), StoreError> {
        Ok(self.files.remove(&run.dir.join(JOURNAL))?)
    }

    /// Marks every run as ended, for good: before a task is started again or reopened.
    pub fn finish_all(&self) -> Result<(), StoreError> {
        for number in self.numbers()? {
            let run = self.run(number);
            self.tidy(&run);
            self.finish(&run)?;
            self.files.sync_dir(&run.dir)?;
        }
        Ok(())
    }

    /// Removes what a crash left of files that were being written: a run that is given up, or that
    /// goes on with another request, never writes them again. What can't be removed does no harm.
    pub fn tidy(&self, run: &Run) {
        let requests = run.dir.join(REQUESTS);
        let numbers = self.entries(&requests);
        let mut dirs = vec![run.dir.clone(), run.outputs(), run.diffs(), run.quarantine()];
        dirs.extend(numbers.map(|number| requests.join(number)));
        dirs.extend(self.entries(&run.before()).map(|number| run.before().join(number)));
        for dir in dirs {
            for name in self.entries(&dir).filter(|name| is_temporary(name)) {
                let _ = self.files.remove(&dir.join(name));
            }
        }
    }

    /// The names in a directory; none in a link to one, which a program may have put there.
    fn entries(&self, dir: &Path) -> impl Iterator<Item = OsString> + use<> {
        let found = self.files.metadata(dir).ok().flatten();
        let is_dir = found.is_some_and(|found| found.kind == FileKind::Dir);
        let names = is_dir.then(|| self.files.list(dir).unwrap_or_default());
        names.unwrap_or_default().into_iter()
    }

    fn run(&self, number: u64) -> Run {
        Run { number, dir: self.dir.join(number.to_string()) }
    }

    fn has_begun(&self, run: &Run) -> Result<bool, StoreError> {
        let journal = run.dir.join(JOURNAL);
        if self.files.metadata(&journal)?.is_none() {
            return Ok(false);
        }
        Ok(is_begun(&self.files.read(&journal)?))
    }

    fn has_ended(&self, run: &Run) -> Result<bool, StoreError> {
        Ok(self.files.metadata(&run.dir.join(END_MARK))?.is_some())
    }

    fn numbers(&self) -> Result<Vec<u64>, StoreError> {
        let names = self.files.list(&self.dir)?;
        let mut numbers: Vec<u64> = names.iter().filter_map(|name| number_of(name)).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }
}

/// Only names that [`Runs::run`] makes: `7`, but neither `07` nor `+7`.
fn number_of(name: &OsStr) -> Option<u64> {
    let name = name.to_str()?;
    let number: u64 = name.parse().ok()?;
    (number.to_string() == name).then_some(number)
}

#[cfg(test)]
mod tests {
    use ftl_model::WorkspaceId;

    use super::{Run, Runs};
    use crate::{Files, Journal, Layout, OsFiles};

    const AT: &str = "2026-01-18T01:30:56Z";

    fn begun(runs: &Runs<'_>) -> Run {
        let run = runs.next().unwrap();
        runs.begin(&run).unwrap();
        run
    }

    #[test]
    fn the_latest_run_with_a_journal_is_gone_on_with_until_it_has_ended() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        layout.prepare(&OsFiles).unwrap();
        let runs = Runs::new(&OsFiles, &layout, &WorkspaceId::new("001", "a"));
        assert_eq!(runs.unfinished().unwrap(), None);

        let first = begun(&runs);
        assert_eq!(runs.unfinished().unwrap(), None, "it has no journal yet");
        Journal::create(&OsFiles, first.dir(), AT, &()).unwrap();
        assert_eq!(runs.unfinished().unwrap(), Some(first.clone()));
        let bare = begun(&runs);
        assert_eq!(runs.unfinished().unwrap(), Some(first.clone()));

        runs.finish(&first).unwrap();
        runs.finish(&first).unwrap();
        assert_eq!(runs.unfinished().unwrap(), None);
        assert_eq!(begun(&runs), bare, "nothing had happened in it");
        assert_eq!([first.number(), bare.number()], [1, 2]);
    }

    #[test]
    fn a_run_that_is_forgotten_has_not_begun() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        let runs = Runs::new(&OsFiles, &layout, &WorkspaceId::new("001", "a"));
        let run = begun(&runs);
        Journal::create(&OsFiles, run.dir(), AT, &()).unwrap();
        runs.forget(&run).unwrap();
        assert_eq!(runs.unfinished().unwrap(), None);
        assert_eq!(begun(&runs), run);
    }

    #[test]
    fn numbers_count_as_numbers_and_other_names_not_at_all() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        let id = WorkspaceId::new("001", "a");
        for name in ["2", "10", "011", "+12", "x"] {
            std::fs::create_dir_all(layout.run_dir(&id).join(name)).unwrap();
        }
        let run = begun(&Runs::new(&OsFiles, &layout, &id));
        assert_eq!(run.number(), 10, "nothing had begun in it");
    }

    #[test]
    fn temporary_files_go_when_a_run_is_given_up() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        let runs = Runs::new(&OsFiles, &layout, &WorkspaceId::new("001", "a"));
        let run = begun(&runs);
        let requests = run.request(2);
        let elsewhere = temp.path().join("elsewhere");
        let before = run.before().join("1");
        for dir in [&run.diffs(), &requests, &elsewhere, &before] {
            std::fs::create_dir_all(dir).unwrap();
        }
        std::os::unix::fs::symlink(&elsewhere, run.request(3)).unwrap();
        let gone = [
            run.dir().join(".journal.tmp"),
            run.diffs().join(".2.tmp"),
            requests.join(".prompt.tmp"),
            before.join(".manifest.tmp"),
        ];
        let kept = [requests.join("x.tmp"), elsewhere.join(".x.tmp")];
        for path in gone.iter().chain(&kept) {
            std::fs::write(path, "half").unwrap();
        }
        runs.finish_all().unwrap();
        assert!(gone.iter().all(|path| !path.exists()));
        assert!(kept.iter().all(|path| path.exists()));
    }

    #[test]
    fn giving_up_ends_every_run() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        let runs = Runs::new(&OsFiles, &layout, &WorkspaceId::new("001", "a"));
        runs.finish_all().unwrap();
        for _ in 0..3 {
            let run = begun(&runs);
            Journal::create(&OsFiles, run.dir(), AT, &()).unwrap();
        }
        runs.finish_all().unwrap();
        assert_eq!(runs.unfinished().unwrap(), None);
        let run = layout.run_dir(&WorkspaceId::new("001", "a")).join("3");
        let names = OsFiles.list(&run).unwrap();
        assert_eq!(names, ["ended", "journal.jsonl"]);
    }
}
