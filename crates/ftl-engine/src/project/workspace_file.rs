//! The active task file that a person means by a path, an ID or a number.
//!
//! What the file says is not looked at here: a task is active when its name says so.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_model::{Status, WorkspaceId, WorkspaceName};
use ftl_store::{FileKind, Files, Layout, OsFiles};

use super::{LookupError, display_path, find, names, read_workspace_file};

/// An active task's file.
#[derive(Clone, Debug)]
pub struct WorkspaceFile {
    /// The path as it was given, or the one that was found.
    pub path: PathBuf,
    /// Its name.
    pub name: WorkspaceName,
    /// The project that it belongs to.
    pub layout: Layout,
}

impl WorkspaceFile {
    /// The active task that `argument` names: by its path, its ID (`001-slug`, `001_slug`) or its
    /// number.
    ///
    /// # Errors
    ///
    /// [`LookupError`] where that is not exactly one active task.
    pub fn find(argument: &Path, root: Option<&Path>) -> Result<Self, LookupError> {
        match argument.to_str().filter(|word| !is_path(word)) {
            Some(word) => Self::of_word(word, find(root, None)?),
            None => Self::of_path(argument, root),
        }
    }

    /// The task that `argument` names, by its path, its ID or its number, where its status is among `wanted`; of
    /// several the one whose status comes first there.
    ///
    /// # Errors
    ///
    /// [`LookupError`] where that is not exactly one task.
    pub fn find_of(
        argument: &Path,
        root: Option<&Path>,
        wanted: &[Status],
    ) -> Result<Self, LookupError> {
        match argument.to_str().filter(|word| !is_path(word)) {
            Some(word) => Self::of_word_and_status(word, find(root, None)?, wanted),
            None => Self::of_path_and_status(argument, root, wanted),
        }
    }

    fn of_path_and_status(
        path: &Path,
        root: Option<&Path>,
        wanted: &[Status],
    ) -> Result<Self, LookupError> {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let name: WorkspaceName =
            file.parse().map_err(|source| LookupError::Name { path: path.to_owned(), source })?;
        if !wanted.contains(&name.status) && path.exists() {
            return Err(finished(path, name.status));
        }
        // The task may have had the typed name before.
        let own = wanted.contains(&name.status).then_some(name.status);
        for status in own.into_iter().chain(wanted.iter().copied()) {
            let name = name.with_status(status);
            let path = path.with_file_name(name.to_string());
            let kind = OsFiles.metadata(&path)?.map(|found| found.kind);
            match kind {
                Some(FileKind::File | FileKind::Link) if path.exists() => {
                    let layout = find(root, Some(&path))?;
                    return Ok(Self { path, name, layout });
                }
                Some(FileKind::Dir | FileKind::Other) => {
                    return Err(LookupError::NotAFile { path });
                }
                Some(FileKind::File | FileKind::Link) | None => {}
            }
        }
        Err(missing(path, &name))
    }

    fn of_word_and_status(
        word: &str,
        layout: Layout,
        wanted: &[Status],
    ) -> Result<Self, LookupError> {
        let directory = display_path(&layout.workspace_dir());
        let id = word.replacen('-', "_", 1);
        let all = names(&layout)?;
        let exact = |name: &&&WorkspaceName| name.id.as_str() == word || name.id.as_str() == id;
        let mut meant: Vec<&WorkspaceName> = all.iter().collect();
        if meant.iter().any(|name| exact(&name)) {
            meant.retain(|name| exact(&name));
        } else {
            meant.retain(|name| is_number(name, word));
        }
        for status in wanted {
            let of_status: Vec<&WorkspaceName> =
                meant.iter().copied().filter(|name| name.status == *status).collect();
            return match of_status.as_slice() {
                [] => continue,
                [name] => Ok(Self {
                    path: directory.join(name.to_string()),
                    name: (*name).clone(),
                    layout,
                }),
                several => Err(LookupError::Ambiguous {
                    word: word.to_owned(),
                    ids: ids(several.iter().copied()),
                }),
            };
        }
        if let Some(record) = meant.first() {
            return Err(finished(&directory.join(record.to_string()), record.status));
        }
        Err(LookupError::Unknown {
            word: word.to_owned(),
            directory,
            active: ids(all.iter().filter(|name| is_active(name))),
        })
    }

    /// The task that `argument` names, whatever its state, by its path, its ID or its number.
    ///
    /// # Errors
    ///
    /// [`LookupError`] where that is not exactly one task.
    pub fn find_any(argument: &Path, root: Option<&Path>) -> Result<Self, LookupError> {
        let Some(word) = argument.to_str().filter(|word| !is_path(word)) else {
            return Self::any_of_path(argument, root);
        };
        let layout = find(root, None)?;
        let all = Self::all(&layout)?;
        let id = word.replacen('-', "_", 1);
        let is_exact =
            |task: &&Self| task.id().as_str() == word || task.id().as_str() == id.as_str();
        let mut meant: Vec<&Self> = all.iter().filter(is_exact).collect();
        if meant.is_empty() {
            let by_number = all.iter().filter(|task| is_number(&task.name, word));
            meant = by_number.collect();
        }
        match meant.as_slice() {
            [task] => Ok((*task).clone()),
            [] => Err(LookupError::Unknown {
                word: word.to_owned(),
                directory: display_path(&layout.workspace_dir()),
                active: ids(all.iter().map(|task| &task.name).filter(|name| is_active(name))),
            }),
            several => Err(LookupError::Ambiguous {
                word: word.to_owned(),
                ids: ids(several.iter().map(|task| &task.name)),
            }),
        }
    }

    /// A path that the user types may have a name that the task had before.
    fn any_of_path(path: &Path, root: Option<&Path>) -> Result<Self, LookupError> {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let name: WorkspaceName =
            file.parse().map_err(|source| LookupError::Name { path: path.to_owned(), source })?;
        let statuses = std::iter::once(name.status).chain(Status::ALL);
        for name in statuses.map(|status| name.with_status(status)) {
            let path = path.with_file_name(name.to_string());
            if path.is_file() {
                let layout = find(root, Some(&path))?;
                return Ok(Self { path, name, layout });
            }
        }
        Err(missing(path, &name))
    }

    /// Every task of a project, in the order of the names.
    ///
    /// # Errors
    ///
    /// [`LookupError::File`] where the tasks cannot be listed.
    pub fn all(layout: &Layout) -> Result<Vec<Self>, LookupError> {
        let directory = display_path(&layout.workspace_dir());
        let all = names(layout)?.into_iter();
        Ok(all
            .map(|name| Self {
                path: directory.join(name.to_string()),
                name,
                layout: layout.clone(),
            })
            .collect())
    }

    /// Every active task of a project, in the order of the names.
    ///
    /// # Errors
    ///
    /// [`LookupError::File`] where the tasks cannot be listed.
    pub fn all_active(layout: &Layout) -> Result<Vec<Self>, LookupError> {
        let directory = display_path(&layout.workspace_dir());
        let active = names(layout)?.into_iter().filter(is_active);
        Ok(active
            .map(|name| Self {
                path: directory.join(name.to_string()),
                name,
                layout: layout.clone(),
            })
            .collect())
    }

    /// The active task at a path.
    ///
    /// # Errors
    ///
    /// [`LookupError`] where the path is not an active task.
    pub fn of_path(path: &Path, root: Option<&Path>) -> Result<Self, LookupError> {
        let layout = find(root, Some(path))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let name: WorkspaceName =
            file.parse().map_err(|source| LookupError::Name { path: path.to_owned(), source })?;
        let found = OsFiles.metadata(path)?.map(|found| found.kind);
        match (found, name.status) {
            // A link may lead to nothing: `exists` follows it.
            (Some(FileKind::File | FileKind::Link), Status::Active) if path.exists() => {
                Ok(Self { path: path.to_owned(), name, layout })
            }
            (
                Some(FileKind::File | FileKind::Link),
                Status::Complete | Status::Blocked | Status::Dropped,
            ) => Err(finished(path, name.status)),
            (Some(FileKind::Dir | FileKind::Other), _) => {
                Err(LookupError::NotAFile { path: path.to_owned() })
            }
            (Some(FileKind::File | FileKind::Link) | None, _) => Err(missing(path, &name)),
        }
    }

    fn of_word(word: &str, layout: Layout) -> Result<Self, LookupError> {
        let directory = display_path(&layout.workspace_dir());
        let is_meant = |name: &&WorkspaceName| is_meant(name, word);
        let mut all = names(&layout)?;
        if !all.iter().any(|name| is_meant(&name)) {
            // A file that is renamed while its directory is listed may be seen under neither name.
            all = names(&layout)?;
        }
        let meant: Vec<&WorkspaceName> = all.iter().filter(is_meant).collect();
        let (active, records): (Vec<&WorkspaceName>, _) =
            meant.into_iter().partition(|name| is_active(name));
        match (active.as_slice(), records.as_slice()) {
            ([name], _) => {
                Ok(Self { path: directory.join(name.to_string()), name: (*name).clone(), layout })
            }
            ([], [record, ..]) => Err(finished(&directory.join(record.to_string()), record.status)),
            ([], []) => Err(LookupError::Unknown {
                word: word.to_owned(),
                directory,
                active: ids(all.iter().filter(|name| is_active(name))),
            }),
            (several, _) => Err(LookupError::Ambiguous {
                word: word.to_owned(),
                ids: ids(several.iter().copied()),
            }),
        }
    }

    /// The path by which two are compared: equal paths are the same file.
    pub fn real_path(&self) -> PathBuf {
        fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone())
    }

    /// The task's ID, `NNN_slug`.
    pub fn id(&self) -> &WorkspaceId {
        &self.name.id
    }
}

/// The bytes of the task file at a path, of whatever status.
///
/// # Errors
///
/// [`LookupError::Missing`], and [`LookupError::Unreadable`] for what is no regular file or refuses.
pub fn read(path: &Path) -> Result<Vec<u8>, LookupError> {
    if OsFiles.metadata(path)?.is_none() {
        let path = path.to_owned();
        return Err(LookupError::Missing { path });
    }
    read_workspace_file(path).map_err(LookupError::Unreadable)
}

/// Words that name a place rather than a task: with a separator, or the ending of task files.
fn is_path(word: &str) -> bool {
    let extension = Path::new(word).extension();
    word.contains('/') || extension.is_some_and(|extension| extension == "xml")
}

/// Whether a word means this task: its number, or its ID in either spelling.
pub(crate) fn is_meant(name: &WorkspaceName, word: &str) -> bool {
    let id = word.replacen('-', "_", 1);
    name.id.as_str() == word || name.id.as_str() == id || is_number(name, word)
}

/// `1` and `001` are the number of `001_a`.
fn is_number(name: &WorkspaceName, word: &str) -> bool {
    let plain = |number: &str| number.trim_start_matches('0').to_owned();
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    name.id.seq() == word || (is_number && plain(name.id.seq()) == plain(word))
}

fn is_active(name: &WorkspaceName) -> bool {
    !name.status.is_finished()
}

fn ids<'n>(names: impl Iterator<Item = &'n WorkspaceName>) -> Vec<WorkspaceId> {
    names.map(|name| name.id.clone()).collect()
}

fn finished(path: &Path, status: Status) -> LookupError {
    let path = path.to_owned();
    LookupError::Finished { path, status }
}

/// Of a file that is not there: its record, where the task was finished since.
fn missing(path: &Path, name: &WorkspaceName) -> LookupError {
    let records = [Status::Complete, Status::Blocked, Status::Dropped];
    let records = records.map(|status| name.with_status(status));
    let record = records
        .iter()
        .map(|record| (path.with_file_name(record.to_string()), record.status))
        .find(|(record, _)| record.exists());
    match record {
        Some((record, status)) => finished(&record, status),
        None => LookupError::Missing { path: path.to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use tempfile::TempDir;

    use super::{LookupError, WorkspaceFile};

    fn project(names: &[&str]) -> TempDir {
        let temp = tempfile::tempdir().unwrap();
        let directory = temp.path().join(".ftl/workspace");
        fs::create_dir_all(&directory).unwrap();
        for name in names {
            fs::write(directory.join(name), "").unwrap();
        }
        temp
    }

    fn found(word: &str, project: &TempDir) -> Result<String, LookupError> {
        let file = WorkspaceFile::find(Path::new(word), Some(project.path()))?;
        Ok(file.name.to_string())
    }

    #[test]
    fn a_task_is_named_by_its_id_or_its_number() {
        let project = project(&["001_a-b_active.xml", "001_old_blocked.xml", "notes.txt"]);
        for word in ["001", "001_a-b", "001-a-b"] {
            assert_eq!(found(word, &project).unwrap(), "001_a-b_active.xml");
        }
    }

    #[test]
    fn a_word_that_names_no_active_task_differs_from_one_that_names_several() {
        let names = ["001_a_active.xml", "001_b_active.xml", "002_c_complete.xml"];
        let project = project(&names);
        let ids = |ids: &[ftl_model::WorkspaceId]| ids.len();
        let several = found("001", &project).unwrap_err();
        assert!(matches!(&several, LookupError::Ambiguous { ids: all, .. } if ids(all) == 2));
        let record = found("002", &project).unwrap_err();
        assert!(matches!(record, LookupError::Finished { .. }), "{record}");
        let nothing = found("003", &project).unwrap_err();
        assert!(matches!(&nothing, LookupError::Unknown { active, .. } if ids(active) == 2));
    }
}
