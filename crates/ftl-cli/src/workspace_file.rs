//! Finding and reading task files that somebody named.

use std::path::{Path, PathBuf};
use std::{env, fs};

use ftl_engine::project::read_workspace_file;
use ftl_model::{Status, WorkspaceName};
use ftl_store::{FileKind, Files, Layout, OsFiles};
use ftl_xml::{Document, ReadError};

use crate::failure::Failure;

const NAMING: &str = "task files are named `NNN_slug_active.xml` and lie in `.ftl/workspace`";

/// An active task.
#[derive(Clone, Debug)]
pub(crate) struct WorkspaceFile {
    /// The path as it was given, or the one that was found.
    pub(crate) path: PathBuf,
    pub(crate) name: WorkspaceName,
    /// The project that it belongs to.
    pub(crate) layout: Layout,
}

impl WorkspaceFile {
    /// The active task that `argument` names: by its path, its ID (`001-slug`, `001_slug`) or its
    /// number.
    pub(crate) fn find(argument: &Path, root: Option<&Path>) -> Result<Self, Failure> {
        match argument.to_str().filter(|word| !is_path(word)) {
            Some(word) => Self::of_word(word, layout(root, None)?),
            None => Self::of_path(argument, root),
        }
    }

    /// The active task at a path.
    pub(crate) fn of_path(path: &Path, root: Option<&Path>) -> Result<Self, Failure> {
        let layout = layout(root, Some(path))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let shown = path.display();
        let name: WorkspaceName = file.parse().map_err(|error| {
            Failure::usage("usage::workspace_name", format!("`{shown}`: {error}")).help(NAMING)
        })?;
        let found = OsFiles.metadata(path)?.map(|found| found.kind);
        match (found, name.status) {
            (Some(FileKind::File | FileKind::Link), Status::Active) if path.exists() => Ok(Self {
                path: path.to_owned(),
                name,
                layout,
            }),
            (Some(FileKind::File | FileKind::Link), Status::Complete | Status::Blocked) => {
                Err(finished(path, name.status))
            }
            (Some(FileKind::Dir | FileKind::Other), _) => Err(Failure::usage(
                "usage::workspace_not_a_file",
                format!("`{shown}` is not a file"),
            )
            .help(NAMING)),
            (Some(FileKind::File | FileKind::Link) | None, _) => Err(missing(path, &name)),
        }
    }

    fn of_word(word: &str, layout: Layout) -> Result<Self, Failure> {
        let dir = shown(&layout.workspace_dir());
        let id = word.replacen('-', "_", 1);
        let is_meant = |name: &&WorkspaceName| {
            name.id.as_str() == word || name.id.as_str() == id || name.id.seq() == word
        };
        let mut names = names(&layout)?;
        if !names.iter().any(|name| is_meant(&name)) {
            // A file that is renamed while its directory is listed may be seen under neither name.
            names = self::names(&layout)?;
        }
        let meant: Vec<&WorkspaceName> = names.iter().filter(is_meant).collect();
        let active: Vec<&&WorkspaceName> = meant
            .iter()
            .filter(|name| !name.status.is_finished())
            .collect();
        match (active.as_slice(), meant.first()) {
            ([name], _) => Ok(Self {
                path: dir.join(name.to_string()),
                name: (**name).clone(),
                layout,
            }),
            ([], Some(name)) => Err(finished(&dir.join(name.to_string()), name.status)),
            ([], None) => Err(unknown(word, &dir, &names)),
            (several, _) => {
                let ids: Vec<String> = several
                    .iter()
                    .map(|name| format!("`{}`", name.id))
                    .collect();
                let message = format!("`{word}` could be any of {}", ids.join(", "));
                Err(Failure::usage("usage::workspace_ambiguous", message)
                    .help("name one of them by its ID"))
            }
        }
    }

    /// The path that tells whether two are the same file.
    pub(crate) fn real_path(&self) -> PathBuf {
        fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone())
    }

    /// The task's ID, `NNN_slug`.
    pub(crate) fn id(&self) -> &str {
        self.name.id.as_str()
    }
}

/// Where things lie for a task, or for the current directory.
pub(crate) fn layout(root: Option<&Path>, task: Option<&Path>) -> Result<Layout, Failure> {
    let cwd = env::current_dir().map_err(|error| {
        Failure::failed(
            "store::current_directory",
            format!("there is no current directory: {error}"),
        )
    })?;
    let layout = Layout::find(&OsFiles, root, task, &cwd)?;
    if layout.root().is_dir() {
        Ok(layout)
    } else {
        let message = format!("the root `{}` is not a directory", layout.root().display());
        Err(Failure::usage("usage::root", message))
    }
}

/// A path as short as it can be said from the current directory.
pub(crate) fn shown(path: &Path) -> PathBuf {
    let cwd = env::current_dir().ok();
    let below = cwd.and_then(|cwd| path.strip_prefix(cwd).map(Path::to_owned).ok());
    below.unwrap_or_else(|| path.to_owned())
}

/// The names of all task files of a project, sorted.
pub(crate) fn names(layout: &Layout) -> Result<Vec<WorkspaceName>, Failure> {
    let files = OsFiles.list(&layout.workspace_dir())?;
    Ok(files
        .iter()
        .filter_map(|name| name.to_str()?.parse().ok())
        .collect())
}

/// The bytes of a task file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    if OsFiles.metadata(path)?.is_none() {
        let message = format!("`{}` does not exist", path.display());
        return Err(Failure::usage("usage::workspace_missing", message).help(NAMING));
    }
    read_workspace_file(path).map_err(|error| {
        Failure::failed("store::file", crate::failure::chain(&error))
            .help("the file must be one that can be read")
    })
}

/// What a task file's bytes say, or every reason why they say nothing.
pub(crate) fn document<'b>(path: &Path, bytes: &'b [u8]) -> Result<Document<'b>, Failure> {
    ftl_xml::read(bytes).map_err(|error| unreadable(path, bytes, &error))
}

/// A place in a task file that cannot be read.
pub(crate) fn unreadable(path: &Path, bytes: &[u8], error: &ReadError) -> Failure {
    let failure = Failure::failed(error.code(), error.to_string()).help(error.help());
    match std::str::from_utf8(bytes) {
        Ok(text) => failure.at(path, text, error.place),
        // Byte offsets would point elsewhere in a text that had to be mended first.
        Err(_) => Failure::failed(
            error.code(),
            format!("`{}` line {}: {error}", path.display(), error.place.line),
        )
        .help(error.help()),
    }
}

/// Words that name a place rather than a task: with a separator, or the ending of task files.
fn is_path(word: &str) -> bool {
    let extension = Path::new(word).extension();
    word.contains('/') || extension.is_some_and(|extension| extension == "xml")
}

fn finished(path: &Path, status: Status) -> Failure {
    let message = format!("`{}` is already {status}", path.display());
    Failure::usage("usage::workspace_finished", message)
        .help("nothing was changed; write a new task with `ftl new`")
}

fn missing(path: &Path, name: &WorkspaceName) -> Failure {
    let records = [Status::Complete, Status::Blocked].map(|status| name.with_status(status));
    let record = records
        .iter()
        .map(|record| (path.with_file_name(record.to_string()), record.status))
        .find(|(record, _)| record.exists());
    match record {
        Some((record, status)) => finished(&record, status),
        None => {
            let message = format!("`{}` does not exist", path.display());
            Failure::usage("usage::workspace_missing", message).help(NAMING)
        }
    }
}

fn unknown(word: &str, dir: &Path, names: &[WorkspaceName]) -> Failure {
    let message = format!("no task `{word}` in `{}`", dir.display());
    let active: Vec<&str> = names
        .iter()
        .filter(|name| !name.status.is_finished())
        .map(|name| name.id.as_str())
        .collect();
    let help = if active.is_empty() {
        "there are no active tasks: write one with `ftl new`, or name another project with `--root`"
            .to_owned()
    } else {
        format!("active tasks: {}", active.join(", "))
    };
    Failure::usage("usage::workspace_missing", message).help(help)
}
