//! A project as planners see it: its sources, its task files, what was explored of it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ftl_model::{DeltaPath, Idioms};
use ftl_xml::limits::MAX_BYTES;
use ftl_xml::plan::{Project, Source};

use crate::build::obstacle;
use crate::quality::framework_idioms;
use crate::store::{FileError, Layout, Operation};

/// The bytes of a task file; of one larger than any document so many that its reader says so.
///
/// # Errors
///
/// It cannot be read, or is no regular file.
pub fn read_task_file(path: &Path) -> Result<Vec<u8>, FileError> {
    read_regular(path, MAX_BYTES as u64).map_err(|error| Operation::Read.failed(path, error))
}

/// The bytes of a regular file; of one larger than `limit` a byte more than that.
pub(crate) fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe would wait for whoever writes to it.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let file = File::open(path)?;
    let expected = usize::try_from(metadata.len().min(limit)).unwrap_or_default();
    let mut bytes = Vec::with_capacity(expected + 1);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The files of a project, read when they are asked for.
#[derive(Clone, Debug)]
pub struct ProjectFiles {
    layout: Layout,
}

impl ProjectFiles {
    /// The project of a layout.
    pub const fn new(layout: Layout) -> Self {
        Self { layout }
    }

    fn record_path(&self, name: &str) -> PathBuf {
        self.layout.workspace_dir().join(name)
    }
}

impl Project for ProjectFiles {
    fn source(&self, path: &str) -> Source {
        let Ok(path) = DeltaPath::parse(path) else {
            return Source::Missing;
        };
        let file = self.layout.root().join(&path);
        let Ok(metadata) = fs::symlink_metadata(&file) else {
            return Source::Missing;
        };
        if obstacle(self.layout.root(), &path).is_some() {
            return Source::Missing;
        }
        // A file that no document could hold is none to be shown.
        if metadata.len() > MAX_BYTES as u64 {
            return Source::NotText;
        }
        match fs::read(file).map(String::from_utf8) {
            Ok(Ok(text)) => Source::Text(text),
            Ok(Err(_)) => Source::NotText,
            Err(_) => Source::Missing,
        }
    }

    fn records(&self) -> Vec<String> {
        let entries = fs::read_dir(self.layout.workspace_dir());
        let entries = entries.into_iter().flatten().flatten();
        entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect()
    }

    fn record(&self, name: &str) -> Option<Vec<u8>> {
        read_task_file(&self.record_path(name)).ok()
    }

    fn exploration(&self) -> Option<String> {
        fs::read_to_string(self.layout.ftl_dir().join("exploration.json")).ok()
    }

    fn registry(&self, framework: &str) -> Option<Idioms> {
        framework_idioms(framework)
    }
}
