//! The step that makes a task finished.
//!
//! One file of the task exists at every instant. The final content is written beside the task file
//! and synced, then renamed over it: from here on the task file itself says that it is finished,
//! under a name that says otherwise. The second rename corrects the name. A crash in between loses
//! nothing, since the next command finds a finished content under an unfinished name and takes the
//! second step ([`finish_rename`]).
//!
//! The other order would be wrong: a name that says `complete` over a content that does not is a claim
//! that no verify proved. Writing the new name first and unlinking the old one would leave two files, and
//! two answers, after a crash. `sim::seal_tests` cuts the power at each step, and shows that these
//! variants are found.
//!
//! One sync of the directory at the end covers both renames. Before it, a power cut may undo the
//! second or both, and the next command goes on from either.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ftl_model::{Status, WorkspaceName};

use super::atomic::{leftover_of, parent_of, replace_unsynced, taken};
use super::error::StoreError;
use super::files::Files;

/// Bytes of a record at most.
pub const LARGEST_RECORD: u64 = 8 << 20;

/// Gives the task file its last content and the name of its new status, and returns the new path.
///
/// A name that is taken is left alone: the record becomes `NNN_slug-2_STATUS.xml`, `-3`, and so on.
/// The caller holds the task's lock. Where there are no locks, a task that another builder sealed in
/// the meantime is [`StoreError::Gone`].
pub fn seal(
    files: &dyn Files,
    active: &Path,
    status: Status,
    content: &[u8],
) -> Result<PathBuf, StoreError> {
    let name = name_of(active)?;
    if files.metadata(active)?.is_none() {
        return Err(StoreError::Gone { path: active.to_owned() });
    }
    // The caller does not hear of success before the sync at the end of the second step.
    replace_unsynced(files, active, content)?;
    rename_to_free(files, active, &name, status)
}

/// Makes a finished task active again, with new content, and returns the new path.
///
/// An active task of the same name is in the way ([`StoreError::Taken`]). The caller holds the
/// task's lock.
pub fn reopen(files: &dyn Files, finished: &Path, content: &[u8]) -> Result<PathBuf, StoreError> {
    let name = name_of(finished)?.with_status(Status::Active);
    let active = finished.with_file_name(name.to_string());
    if files.metadata(&active)?.is_some() {
        return Err(StoreError::Taken { path: active });
    }
    replace_unsynced(files, finished, content)?;
    reactivate(files, finished, &active)?;
    Ok(active)
}

/// The second step of [`reopen`]. The name is the task's own: under another it would be another task.
fn reactivate(files: &dyn Files, finished: &Path, active: &Path) -> Result<(), StoreError> {
    files.rename_new(finished, active).map_err(taken)?;
    Ok(files.sync_dir(parent_of(active))?)
}

/// Finishes what a crash left of [`seal`] or [`reopen`]: removes the temporary file and, when the
/// content already is that of another status than the name's, takes the second rename. Returns the
/// new path when there was one to take.
///
/// `judge` is given the content and says which status it was sealed with: `None` unless it was
/// written by a seal. The caller holds the task's lock.
pub fn finish_rename(
    files: &dyn Files,
    path: &Path,
    judge: impl FnOnce(&[u8]) -> Option<Status>,
) -> Result<Option<PathBuf>, StoreError> {
    let name = name_of(path)?;
    let leftover = leftover_of(path);
    if files.metadata(&leftover)?.is_some() {
        files.remove(&leftover)?;
    }
    // No seal writes so much.
    if files.metadata(path)?.is_some_and(|found| found.len > LARGEST_RECORD) {
        return Ok(None);
    }
    match judge(&files.read(path)?) {
        Some(Status::Active) if name.status.is_finished() => {
            let active = path.with_file_name(name.with_status(Status::Active).to_string());
            reactivate(files, path, &active)?;
            Ok(Some(active))
        }
        Some(status) if status != name.status => {
            rename_to_free(files, path, &name, status).map(Some)
        }
        Some(_) | None => Ok(None),
    }
}

/// Renames to the first free name. Trying is the check: a look beforehand could be out of date.
fn rename_to_free(
    files: &dyn Files,
    from: &Path,
    name: &WorkspaceName,
    status: Status,
) -> Result<PathBuf, StoreError> {
    let mut to = from.with_file_name(name.with_status(status).to_string());
    let mut copy = 1_u64;
    loop {
        match files.rename_new(from, &to) {
            Ok(()) => break,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                copy += 1;
                to = from.with_file_name(format!("{}-{copy}_{status}.xml", name.id));
            }
            Err(error) => return Err(error.into()),
        }
    }
    files.sync_dir(parent_of(&to))?;
    Ok(to)
}

pub(super) fn name_of(path: &Path) -> Result<WorkspaceName, StoreError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(name.parse()?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    use ftl_model::Status;
    use tempfile::TempDir;

    use super::{finish_rename, reopen, seal};
    use crate::{Files, OsFiles, StoreError};

    fn holding(names: &[&str]) -> TempDir {
        let temp = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(temp.path().join(name), *name).unwrap();
        }
        temp
    }

    fn names(temp: &TempDir) -> Vec<String> {
        let names = OsFiles.list(temp.path()).unwrap();
        names.into_iter().map(|name| name.into_string().unwrap()).collect()
    }

    fn active(temp: &TempDir) -> PathBuf {
        temp.path().join("001_a_active.xml")
    }

    #[test]
    fn a_sealed_task_has_one_file_with_the_new_content_and_the_old_permissions() {
        let temp = holding(&["001_a_active.xml"]);
        fs::set_permissions(active(&temp), fs::Permissions::from_mode(0o640)).unwrap();
        let record = seal(&OsFiles, &active(&temp), Status::Complete, b"done").unwrap();
        assert_eq!(names(&temp), ["001_a_complete.xml"]);
        assert_eq!(fs::read(&record).unwrap(), b"done");
        let mode = OsFiles.metadata(&record).unwrap().unwrap().mode;
        assert_eq!(mode, 0o640);
    }

    #[test]
    fn a_record_never_replaces_another() {
        let temp = holding(&["001_a_active.xml", "001_a_blocked.xml", "001_a-2_blocked.xml"]);
        let record = seal(&OsFiles, &active(&temp), Status::Blocked, b"new").unwrap();
        assert!(record.ends_with("001_a-3_blocked.xml"));
        for kept in ["001_a_blocked.xml", "001_a-2_blocked.xml"] {
            assert_eq!(fs::read_to_string(temp.path().join(kept)).unwrap(), kept);
        }
        assert_eq!(names(&temp).len(), 3);
    }

    #[test]
    fn an_unfinished_seal_is_finished_and_its_temporary_file_removed() {
        let temp = holding(&["001_a_active.xml", ".001_a_active.tmp"]);
        let judge = |content: &[u8]| {
            assert_eq!(content, b"001_a_active.xml");
            Some(Status::Complete)
        };
        let done = finish_rename(&OsFiles, &active(&temp), judge).unwrap();
        assert!(done.unwrap().ends_with("001_a_complete.xml"));
        assert_eq!(names(&temp), ["001_a_complete.xml"]);
    }

    #[test]
    fn a_file_without_an_unfinished_seal_is_left_alone() {
        for judgement in [None, Some(Status::Active)] {
            let temp = holding(&["001_a_active.xml"]);
            let done = finish_rename(&OsFiles, &active(&temp), |_| judgement).unwrap();
            assert_eq!(done, None);
            assert_eq!(names(&temp), ["001_a_active.xml"]);
        }
    }

    #[test]
    fn a_reopened_task_is_active_under_its_own_name() {
        let temp = holding(&["001_a-2_blocked.xml", "001_a_blocked.xml"]);
        let blocked = temp.path().join("001_a-2_blocked.xml");
        let path = reopen(&OsFiles, &blocked, b"again").unwrap();
        assert_eq!(names(&temp), ["001_a-2_active.xml", "001_a_blocked.xml"]);
        assert_eq!(fs::read(path).unwrap(), b"again");
    }

    #[test]
    fn a_task_whose_reopening_crashed_gets_its_name_or_stays() {
        let temp = holding(&["001_a_blocked.xml"]);
        let blocked = temp.path().join("001_a_blocked.xml");
        let done = finish_rename(&OsFiles, &blocked, |_| Some(Status::Active)).unwrap();
        assert_eq!(done, Some(active(&temp)));
        assert_eq!(names(&temp), ["001_a_active.xml"]);
        let temp = holding(&["001_a_active.xml", "001_a_blocked.xml"]);
        let blocked = temp.path().join("001_a_blocked.xml");
        let error = finish_rename(&OsFiles, &blocked, |_| Some(Status::Active)).unwrap_err();
        assert!(matches!(error, StoreError::Taken { .. }));
        assert_eq!(names(&temp), ["001_a_active.xml", "001_a_blocked.xml"]);
    }

    #[test]
    fn an_active_task_is_in_the_way_of_a_reopened_one() {
        let temp = holding(&["001_a_active.xml", "001_a_blocked.xml"]);
        let blocked = temp.path().join("001_a_blocked.xml");
        let error = reopen(&OsFiles, &blocked, b"again").unwrap_err();
        assert!(matches!(error, StoreError::Taken { .. }));
        assert_eq!(fs::read(blocked).unwrap(), b"001_a_blocked.xml");
    }

    #[test]
    fn a_task_is_never_sealed_twice() {
        let temp = holding(&["001_a_active.xml"]);
        seal(&OsFiles, &active(&temp), Status::Complete, b"done").unwrap();
        let error = seal(&OsFiles, &active(&temp), Status::Complete, b"again").unwrap_err();
        assert!(matches!(error, StoreError::Gone { .. }));
        assert_eq!(names(&temp), ["001_a_complete.xml"]);
        let record = temp.path().join("001_a_complete.xml");
        assert_eq!(fs::read(record).unwrap(), b"done");
    }

    #[test]
    fn a_name_without_a_status_is_refused_before_anything_is_written() {
        let temp = holding(&["001_a.xml"]);
        let path = temp.path().join("001_a.xml");
        let error = seal(&OsFiles, &path, Status::Complete, b"done").unwrap_err();
        assert!(matches!(error, StoreError::Name(_)));
        assert_eq!(names(&temp), ["001_a.xml"]);
    }
}
