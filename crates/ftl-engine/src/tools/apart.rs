//! What a command of the task leaves outside the delta is moved away again, so that a build does not take it
//! for the agent's work.

use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_tree::{Snapshot, Tree, TreeError};

use super::Refusal;
use crate::text::listed;

/// How long what a command left is kept.
const KEPT: Duration = Duration::from_hours(30 * 24);

/// The tree as it was before a command.
pub(super) struct Apart {
    snapshot: Snapshot,
    dir: PathBuf,
}

impl Apart {
    /// Captures the tree, in a new directory below `private`.
    pub(super) fn before(tree: &Tree, private: &Path) -> Result<Self, Refusal> {
        let dir = fresh(private).map_err(|error| {
            Refusal::new(format!("`{}` cannot be written: {error}", private.display()))
        })?;
        let snapshot = tree.snapshot(&dir.join("before")).map_err(refused)?;
        Ok(Self { snapshot, dir })
    }

    /// Moves away what was written since, and says so.
    pub(super) fn after(self, tree: &Tree) -> Result<Option<String>, Refusal> {
        let changes = tree.compare(&self.snapshot).map_err(refused)?;
        let strays: Vec<String> =
            changes.strays.iter().map(|stray| tree.shown(&stray.path)).collect();
        let kept = self.dir.join("kept");
        if !strays.is_empty() {
            tree.plan_put_back(&self.snapshot, &changes).map_err(refused)?;
            tree.quarantine(&self.snapshot, &kept).map_err(refused)?;
        }
        // Best effort: the caller, which ends a run's request, looks at nothing here.
        let _ = fs::remove_dir_all(self.dir.join("before"));
        if strays.is_empty() {
            let _ = fs::remove_dir_all(&self.dir);
            return Ok(None);
        }
        Ok(Some(format!(
            "\nIt changed files outside the task, which were put back: {}; what it wrote is in `{}`\n",
            listed(&strays),
            kept.display()
        )))
    }
}

fn refused(error: TreeError) -> Refusal {
    Refusal::new(ftl_text::with_causes(&error))
}

/// Makes the first directory of a number that is free, and removes those unchanged for a month.
fn fresh(private: &Path) -> std::io::Result<PathBuf> {
    DirBuilder::new().recursive(true).mode(0o700).create(private)?;
    for old in fs::read_dir(private)?.flatten() {
        let age = old.metadata().and_then(|found| found.modified());
        let age = age.ok().and_then(|then| then.elapsed().ok());
        if age.is_some_and(|age| age > KEPT) {
            // Best effort: the next command tries again.
            let _ = fs::remove_dir_all(old.path());
        }
    }
    for number in 1_u32.. {
        let dir = private.join(number.to_string());
        match DirBuilder::new().mode(0o700).create(&dir) {
            Ok(()) => return Ok(dir),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File, FileTimes};
    use std::time::SystemTime;

    use super::{KEPT, fresh};

    #[test]
    fn quarantined_files_of_commands_are_kept_for_a_month() {
        let home = tempfile::tempdir().unwrap();
        let private = home.path().join("tools");
        let made: Vec<_> = (0..3).map(|_| fresh(&private).unwrap()).collect();
        for (dir, days) in made.iter().zip([40, 20, 0]) {
            fs::write(dir.join("kept"), "x").unwrap();
            let then = SystemTime::now() - KEPT / 30 * days;
            let times = FileTimes::new().set_modified(then);
            File::open(dir).unwrap().set_times(times).unwrap();
        }
        // Its number is free again.
        assert_eq!(fresh(&private).unwrap(), made[0]);
        assert!(!made[0].join("kept").exists());
        assert!(made[1..].iter().all(|dir| dir.join("kept").exists()));
    }
}
