//! The files below a directory that ignore files do not name.
//!
//! Ignore files come with the project that is looked at, so they are read here rather than by the
//! walker: as regular files, with a bound. What else has their name, a pipe for one, would be waited
//! for. Which file takes precedence is as git and ripgrep have it.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ftl_store::read_regular;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, Match, WalkBuilder};

/// Largest ignore file, in bytes.
const LARGEST: u64 = 256 << 10;

/// What a walk has found.
#[derive(Debug, Default)]
pub struct FoundFiles {
    /// Known files, sorted within each directory.
    pub files: Vec<PathBuf>,
    /// Why ignore files were passed over.
    pub warnings: Vec<String>,
}

/// The known files below a directory, without hidden ones and those that an ignore file names,
/// in a repository or not.
///
/// # Errors
///
/// A directory cannot be read.
pub fn walk(
    directory: &Path,
    is_known: &dyn Fn(&Path) -> bool,
) -> Result<FoundFiles, ignore::Error> {
    let rules = Arc::new(Rules::with_users());
    let mut found = FoundFiles::default();
    for entry in builder(directory, &rules).sort_by_file_name(Ord::cmp).build() {
        let entry = entry?;
        if is_file(&entry) && is_known(entry.path()) {
            found.files.push(entry.into_path());
        }
    }
    found.warnings = rules.warnings();
    Ok(found)
}

/// The files below a directory as [`walk()`] finds them, whatever the user has git ignore everywhere: what a project
/// uses does not depend on that, and it is slow to read.
pub fn files_of_project(directory: &Path) -> impl Iterator<Item = PathBuf> {
    files(&builder(directory, &Arc::new(Rules::new(Gitignore::empty()))))
}

/// The files below a directory as [`walk()`] finds them, and hidden ones, sorted within each directory. Directories
/// that cannot be read are passed over.
pub(crate) fn with_hidden(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let rules = Arc::new(Rules::with_users());
    files(builder(directory, &rules).hidden(false).sort_by_file_name(Ord::cmp))
}

fn files(builder: &WalkBuilder) -> impl Iterator<Item = PathBuf> + use<> {
    builder.build().flatten().filter(is_file).map(DirEntry::into_path)
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

fn builder(directory: &Path, rules: &Arc<Rules>) -> WalkBuilder {
    let rules = Arc::clone(rules);
    let mut builder = WalkBuilder::new(directory);
    builder.standard_filters(false).hidden(true).filter_entry(move |entry| {
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        !rules.ignores(entry.path(), is_dir)
    });
    builder
}

/// The ignore files of the directories that were looked at.
#[derive(Debug)]
struct Rules {
    global: Gitignore,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    directories: HashMap<PathBuf, Arc<Level>>,
    warnings: Vec<String>,
}

/// What one directory says, and the directory above it.
#[derive(Debug)]
struct Level {
    /// `.ignore`, `.gitignore` and, at the top of a repository, `.git/info/exclude`, in the order of
    /// their precedence.
    rules: [Gitignore; KINDS],
    /// Whether git's rules end here.
    is_top: bool,
    above: Option<Arc<Level>>,
}

const KINDS: usize = 3;
const NAMES: [&str; KINDS] = [".ignore", ".gitignore", ".git/info/exclude"];

impl Rules {
    fn new(global: Gitignore) -> Self {
        Self { global, known: Mutex::default() }
    }

    /// With the user's own file, which no project chooses.
    fn with_users() -> Self {
        Self::new(Gitignore::global().0)
    }

    fn ignores(&self, path: &Path, is_dir: bool) -> bool {
        let Ok(path) = std::path::absolute(path) else {
            return false;
        };
        let Some(level) = path.parent().and_then(|directory| self.level(directory)) else {
            return false;
        };
        let said = (0..KINDS).find_map(|kind| level.says(kind, &path, is_dir));
        said.unwrap_or_else(|| self.global.matched(&path, is_dir).is_ignore())
    }

    /// What a directory and those above it say.
    fn level(&self, directory: &Path) -> Option<Arc<Level>> {
        if let Some(level) = self.lock().directories.get(directory) {
            return Some(Arc::clone(level));
        }
        let above = directory.parent().and_then(|above| self.level(above));
        let level = Arc::new(Level {
            rules: NAMES.map(|name| self.read(directory, name)),
            is_top: directory.join(".git").exists(),
            above,
        });
        let mut known = self.lock();
        known.directories.insert(directory.to_owned(), Arc::clone(&level));
        Some(level)
    }

    /// The rules of an ignore file; none where it is not there, or is not to be read.
    fn read(&self, directory: &Path, name: &str) -> Gitignore {
        read(directory, name).unwrap_or_else(|why| {
            let path = directory.join(name);
            self.lock().warnings.push(format!("`{}` is not read: {why}", path.display()));
            Gitignore::empty()
        })
    }

    fn warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().warnings)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Level {
    /// Whether a file of this kind ignores the path; the nearest one that names it decides.
    fn says(&self, kind: usize, path: &Path, is_dir: bool) -> Option<bool> {
        let mut level = Some(self);
        while let Some(at) = level {
            match at.rules[kind].matched(path, is_dir) {
                Match::Ignore(_) => return Some(true),
                Match::Whitelist(_) => return Some(false),
                Match::None => {}
            }
            // Above a repository only `.ignore` counts.
            level = at.above.as_deref().filter(|_| kind == 0 || !at.is_top);
        }
        None
    }
}

/// The rules of a directory's own `.gitignore`, if it is to be read.
pub(crate) fn git_ignored(directory: &Path) -> Gitignore {
    read(directory, ".gitignore").unwrap_or_else(|_| Gitignore::empty())
}

/// The rules of an ignore file, none where it is missing; why it is not read otherwise.
fn read(directory: &Path, name: &str) -> Result<Gitignore, String> {
    match read_regular(&directory.join(name), LARGEST) {
        Ok(bytes) if bytes.len() as u64 <= LARGEST => Ok(rules(directory, &bytes)),
        Ok(_) => Err("it is larger than 256 KiB".to_owned()),
        Err(error) if is_absent(&error) => Ok(Gitignore::empty()),
        Err(error) => Err(error.to_string()),
    }
}

fn rules(directory: &Path, bytes: &[u8]) -> Gitignore {
    let mut builder = GitignoreBuilder::new(directory);
    let text = String::from_utf8_lossy(bytes);
    for line in text.strip_prefix('\u{FEFF}').unwrap_or(&text).lines() {
        // Git passes over a line that it cannot read, too.
        drop(builder.add_line(None, line));
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// `.git` may be a file, or missing.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
