//! A project's files as they are read: workspace files, sources, tests, each with a bound.
//!
//! Nothing here waits for a pipe or takes a device for a file, and nothing writes.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use ftl_analysis::quality::framework_idioms;
use ftl_model::{DeltaPath, Idioms, Status};
use ftl_store::{FileError, Layout, Operation, read_regular};
use ftl_tree::read_beneath;
use ftl_xml::limits::{MAX_BYTES, MAX_RECORD_BYTES};
use ftl_xml::plan::{Project, Source};

use crate::text::one_line;

/// Bytes of a test file that is shown to the implementer: more would crowd out the task in its context.
const MAX_TESTS: u64 = 1 << 20;

/// Bytes of `exploration.json`, of which one number is used.
const MAX_EXPLORATION: u64 = 4 << 20;

/// The bytes of a workspace file; of one larger than any document so many that its reader says so.
///
/// # Errors
///
/// It cannot be read, or is no regular file.
pub fn read_workspace_file(path: &Path) -> Result<Vec<u8>, FileError> {
    read_regular(path, MAX_RECORD_BYTES as u64).map_err(|error| Operation::Read.failed(path, error))
}

/// What on the disk keeps `path` from being a file of the project, as the end of a sentence. A link on the
/// way is one, wherever it leads: it may lead elsewhere tomorrow.
pub(crate) fn obstacle(root: &Path, path: &DeltaPath) -> Option<&'static str> {
    let parts: Vec<Component<'_>> = path.as_path().components().collect();
    let mut at = root.to_owned();
    for (index, part) in parts.iter().enumerate() {
        at.push(part);
        let last = index + 1 == parts.len();
        // What does not exist can be created, and so can everything below it.
        let Ok(metadata) = fs::symlink_metadata(&at) else {
            return None;
        };
        let kind = metadata.file_type();
        match () {
            () if kind.is_symlink() => return Some("leads through a symbolic link"),
            () if last && kind.is_dir() => return Some("is a directory"),
            () if last && !kind.is_file() => return Some("is a device, pipe or socket"),
            () if !last && !kind.is_dir() => return Some("has a parent that is not a directory"),
            () => {}
        }
    }
    None
}

/// A path without `./` and doubled slashes.
pub(crate) fn normalised(text: &str) -> String {
    let parts = text.split('/').enumerate();
    let kept = parts.filter(|(index, part)| !(*part == "." || part.is_empty() && *index > 0));
    kept.map(|(_, part)| part).collect::<Vec<_>>().join("/")
}

/// The status that a task file's content has ahead of its name, where a crash came between the two steps of
/// a seal or of reopening. Only what ftl wrote holds a `run` element.
pub(crate) fn status_ahead(name: Status, bytes: &[u8]) -> Option<Status> {
    let document = ftl_xml::read(bytes).ok()?;
    let root = document.root();
    let last = root.children_named("run").last()?;
    let status = Status::named(&document.workspace().ok()?.status?)?;
    match name {
        Status::Active => status.is_finished().then_some(status),
        Status::Blocked | Status::Complete | Status::Dropped => {
            let ended = last.attribute("outcome");
            let is_ahead = match status {
                Status::Active => ended.as_deref() == Some(name.as_str()),
                Status::Dropped => {
                    name != status && ended.as_deref() == Some(Status::Dropped.as_str())
                }
                Status::Blocked | Status::Complete => false,
            };
            is_ahead.then_some(status)
        }
    }
}

/// The test file's path, normalised, where it can be read; a warning where it can't.
pub(crate) fn tests(verify_source: &str, root: &Path) -> Result<Option<String>, String> {
    let text = verify_source.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let path = normalised(text);
    match read_tests(&path, root) {
        Ok(_) => Ok(Some(path)),
        Err(why) => Err(format!("the verify source `{}` is not read: {why}", one_line(text))),
    }
}

/// The text of a test file below the root; the reason why it can't be read, to follow a colon.
pub(crate) fn read_tests(path: &str, root: &Path) -> Result<String, String> {
    read_below(path, root, MAX_TESTS)
}

/// The text of a file below the root, of so many bytes at most.
///
/// # Errors
///
/// The reason why it can't be read, to follow a colon.
pub fn read_below(path: &str, root: &Path, most: u64) -> Result<String, String> {
    let real = match root.join(path).canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err("there is no such file".into());
        }
        Err(error) => return Err(error.to_string()),
    };
    // Links are resolved first: a test may be one, as long as it stays below the root. What is read then is
    // reached without any, so that no process can put one in between.
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let below = real.strip_prefix(&real_root).ok();
    let below = below.filter(|_| !Path::new(path).is_absolute());
    let below = below.ok_or("it leaves the root")?;
    let bytes = read_beneath(&real_root, below, most).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > most {
        return Err(format!("it is larger than {} MiB", most >> 20));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".into())
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

    /// The text of a file below the root; `None` of one that is missing, or no text.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        match self.source(path) {
            Source::Text(text) => Some(text),
            Source::NotText | Source::Missing => None,
        }
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
        match read_beneath(self.layout.root(), path.as_path(), MAX_BYTES as u64) {
            // A file that no document could hold is none to be shown.
            Ok(bytes) if bytes.len() > MAX_BYTES => Source::NotText,
            Ok(bytes) => String::from_utf8(bytes).map_or(Source::NotText, Source::Text),
            Err(_) => Source::Missing,
        }
    }

    fn records(&self) -> Vec<String> {
        let entries = fs::read_dir(self.layout.workspace_dir());
        let entries = entries.into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }

    fn record(&self, name: &str) -> Option<Vec<u8>> {
        read_workspace_file(&self.record_path(name)).ok()
    }

    fn exploration(&self) -> Option<String> {
        let path = self.layout.ftl_dir().join("exploration.json");
        // One that was cut off is unreadable JSON, which is what it would be for its size.
        String::from_utf8(read_regular(&path, MAX_EXPLORATION).ok()?).ok()
    }

    fn registry(&self, framework: &str) -> Option<Idioms> {
        framework_idioms(framework)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use ftl_store::Layout;
    use ftl_xml::plan::{Project, Source};

    use super::{ProjectFiles, normalised, read_tests};

    #[test]
    fn files_outside_the_root_are_not_read_while_directories_change_places() {
        let temp = tempfile::tempdir().unwrap();
        let (root, outside) = (temp.path().join("root"), temp.path().join("outside"));
        for (dir, text) in [(root.join("t"), "inside"), (outside.clone(), "OUTSIDE")] {
            fs::create_dir_all(&dir).unwrap();
            fs::write(dir.join("t.py"), text).unwrap();
        }
        symlink(&outside, root.join("link")).unwrap();
        let project = ProjectFiles::new(Layout::new(&root));
        let source = || match project.source("t/t.py") {
            Source::Text(text) => Some(text),
            Source::NotText | Source::Missing => None,
        };
        let done = AtomicBool::new(false);
        let names = ["t", "link", "aside"].map(|name| root.join(name));
        let read: Vec<_> = thread::scope(|scope| {
            scope.spawn(|| {
                let [at, link, aside] = &names;
                while !done.load(Ordering::Relaxed) {
                    for (from, to) in [(at, aside), (link, at), (at, link), (aside, at)] {
                        fs::rename(from, to).unwrap();
                    }
                }
            });
            let reads = (0..20_000).map(|_| [read_tests("t/t.py", &root).ok(), source()]);
            let read = reads.collect();
            done.store(true, Ordering::Relaxed);
            read
        });
        for which in [0, 1] {
            let of = |text: Option<&str>| {
                let those = read.iter().filter(|both| both[which].as_deref() == text);
                those.count()
            };
            let (inside, refused) = (of(Some("inside")), of(None));
            assert!(inside > 0 && refused > 0, "{inside} read, {refused} refused");
            assert_eq!(inside + refused, read.len(), "read outside");
        }
    }

    #[test]
    fn paths_lose_what_says_nothing() {
        for (text, path) in [("./a//b", "a/b"), ("a/./b/", "a/b"), ("/abs//x", "/abs/x")] {
            assert_eq!(normalised(text), path);
        }
    }
}
