//! The record of a task that a person finished without a run.
//!
//! The document is spliced and renamed like a run's, in the order that survives a crash; only the account
//! of the run names a person as the builder, and nothing is verified.

use std::path::PathBuf;

use ftl_model::{Digest, SourcePosition, Status, Utilized};
use ftl_store::{Lock, LockWarning, OsFiles, Runs, StoreError, Waiting};
use ftl_xml::{Document, Element, ElementRef, HANDOFF, Seal};
use thiserror::Error;

use super::{Malformed, document};
use crate::project::{LookupError, WorkspaceFile, read};
use crate::store::finish_rename;
use crate::text::now;

/// The builder that a record names for a task without a run.
const MANUAL: &str = "hand";

/// How the task ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It is done.
    Complete {
        /// What was delivered.
        delivered: String,
        /// Knowledge that turned out useful.
        utilized: Vec<Utilized>,
    },
    /// Its owner gives it up.
    Dropped,
    /// It cannot go on.
    Blocked {
        /// Why, as given.
        reason: String,
    },
}

impl Ending {
    const fn status(&self) -> Status {
        match self {
            Self::Complete { .. } => Status::Complete,
            Self::Blocked { .. } => Status::Blocked,
            Self::Dropped => Status::Dropped,
        }
    }
}

/// A task that has its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The record.
    pub record: PathBuf,
    /// Why another builder may have worked on the task at the same time.
    pub warning: Option<LockWarning>,
}

/// Why the task is not sealed. Its file is what it was, but for [`SealError::AlreadySealed`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SealError {
    /// A crash cut an earlier seal short; it has been finished instead.
    #[error("`{}` was already sealed: it is `{}` now", path.display(), record.display())]
    AlreadySealed {
        /// Where the task was.
        path: PathBuf,
        /// Where it is.
        record: PathBuf,
    },
    /// The document says that it is finished, under the name of an active one.
    #[error("the status is `{status}`, not `{expected}`")]
    OtherStatus {
        /// The status that the name has.
        expected: Status,
        /// The task file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// The status that the document has.
        status: String,
        /// Where it has it.
        place: SourcePosition,
    },
    /// The file, or the record that would be made of it, cannot be read as a document.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The file has gone, or cannot be opened.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// Another process holds the task, or the file system refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes the task file a record. An unfinished run of the task ends with it.
///
/// # Errors
///
/// [`SealError`]; see there what becomes of the file.
pub fn seal(workspace: &WorkspaceFile, ending: Ending) -> Result<Sealed, SealError> {
    let path = &workspace.path;
    workspace.layout.prepare(&OsFiles)?;
    let lock = Lock::task(&OsFiles, &workspace.layout, path, Waiting::Refuse)?;
    if let Some(record) = finish_rename(path)? {
        let path = path.clone();
        return Err(SealError::AlreadySealed { path, record });
    }
    // Read only now: until the lock is ours, a run may be writing its own record.
    let bytes = read(path)?;
    let document = document(path, &bytes)?;
    refuse_other_status(workspace, &document, &bytes)?;
    let status = ending.status();
    let delivered = document.root().child("delivered").and_then(ElementRef::text);
    let content = ftl_xml::seal(&document, &contents(ending, &bytes, delivered.as_deref()));
    super::document(path, &content)?;
    let record = ftl_store::seal(&OsFiles, path, status, &content)?;
    // Last: a run that is over while its task is active would be begun again.
    Runs::new(&OsFiles, &workspace.layout, workspace.id()).finish_all()?;
    Ok(Sealed { record, warning: lock.warning().cloned() })
}

/// Which of the two is right, the name or the document, only the file's owner knows.
fn refuse_other_status(
    workspace: &WorkspaceFile,
    document: &Document<'_>,
    bytes: &[u8],
) -> Result<(), SealError> {
    let root = document.root();
    let status = root.attribute("status");
    match (status.as_deref(), std::str::from_utf8(bytes)) {
        (Some(status), Ok(text)) if status != workspace.name.status.as_str() => {
            let place = root.attribute_place("status");
            Err(SealError::OtherStatus {
                expected: workspace.name.status,
                path: workspace.path.clone(),
                text: text.to_owned(),
                status: status.to_owned(),
                place: place.unwrap_or_else(|| root.tag_place()),
            })
        }
        (Some(_) | None, _) => Ok(()),
    }
}

/// What is spliced into the document that `bytes` hold.
fn contents(ending: Ending, bytes: &[u8], known: Option<&str>) -> Seal {
    let status = ending.status();
    let at = now();
    let run = Element::new("run")
        .attribute("version", env!("CARGO_PKG_VERSION"))
        .attribute("by", MANUAL)
        .attribute("outcome", status)
        .attribute("ended_at", &at)
        .attribute("workspace_sha256", Digest::of(bytes));
    let (delivered, utilized) = match ending {
        Ending::Complete { delivered, utilized } => (delivered, utilized),
        Ending::Blocked { reason } => (format!("BLOCKED: {reason}"), Vec::new()),
        Ending::Dropped => (known.unwrap_or_default().to_owned(), Vec::new()),
    };
    let run = match status {
        // The text goes when the task is reopened; the run keeps what it said.
        Status::Blocked => run.child(Element::new(HANDOFF).text(&delivered)),
        Status::Active | Status::Complete | Status::Dropped => run,
    };
    Seal { status, at, delivered, utilized, run }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::{Ending, SealError, seal};
    use crate::project::WorkspaceFile;

    fn workspace(text: &str) -> (TempDir, WorkspaceFile) {
        let temp = tempfile::tempdir().unwrap();
        let directory = temp.path().join(".ftl/workspace");
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("001_a_active.xml");
        fs::write(&path, text).unwrap();
        let file = WorkspaceFile::of_path(&path, Some(temp.path())).unwrap();
        (temp, file)
    }

    fn blocked() -> Ending {
        let reason = "no keys".into();
        Ending::Blocked { reason }
    }

    #[test]
    fn a_sealed_task_is_the_spliced_document_under_its_new_name() {
        let (_temp, file) = workspace("<workspace status='active'><!-- kept --></workspace>");
        let sealed = seal(&file, blocked()).unwrap();
        assert!(sealed.record.ends_with("001_a_blocked.xml"));
        assert!(!file.path.exists());
        let record = fs::read_to_string(&sealed.record).unwrap();
        let by = format!("by=\"{}\"", super::MANUAL);
        for part in ["<!-- kept -->", "BLOCKED: no keys", &by] {
            assert!(record.contains(part), "{part}: {record}");
        }
    }

    #[test]
    fn a_document_of_another_status_is_left_alone() {
        let text = "<workspace status='complete'/>";
        let (_temp, file) = workspace(text);
        let refused = seal(&file, blocked()).unwrap_err();
        assert!(matches!(refused, SealError::OtherStatus { .. }), "{refused}");
        assert_eq!(fs::read_to_string(&file.path).unwrap(), text);
    }

    #[test]
    fn a_seal_that_a_crash_interrupted_is_finished_and_not_repeated() {
        let (_temp, file) = workspace("<workspace status='active'/>");
        let record = seal(&file, blocked()).unwrap().record;
        fs::rename(&record, &file.path).unwrap();
        let refused = seal(&file, blocked()).unwrap_err();
        assert!(
            matches!(&refused, SealError::AlreadySealed { record: at, .. } if *at == record),
            "{refused}"
        );
    }
}
