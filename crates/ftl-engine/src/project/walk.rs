//! The files below a directory that ignore files do not name.
//!
//! Ignore files come with the project that is looked at, so they are read here rather than by the
//! walker: as regular files, with a bound. What else has their name, a pipe for one, would be waited
//! for. Which file takes precedence is as git and ripgrep have it.

use std::collections::HashMap;
use std::error::Error;
use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, io, vec};

use ftl_store::read_regular;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

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

/// A directory that cannot be read.
#[derive(Debug)]
pub struct WalkError {
    directory: PathBuf,
    source: io::Error,
}

impl fmt::Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.directory.display(), self.source)
    }
}

impl Error for WalkError {}

/// The known files below a directory, without hidden ones and those that an ignore file names,
/// in a repository or not.
///
/// # Errors
///
/// A directory cannot be read.
pub fn walk(directory: &Path, is_known: &dyn Fn(&Path) -> bool) -> Result<FoundFiles, WalkError> {
    let mut walk = Walk::new(directory, Rules::with_users(), false);
    let mut found = FoundFiles::default();
    for file in walk.by_ref() {
        let file = file?;
        if is_known(&file) {
            found.files.push(file);
        }
    }
    found.warnings = walk.rules.warnings();
    Ok(found)
}

/// The files below a directory as [`walk()`] finds them, whatever the user has git ignore everywhere: what a project
/// uses does not depend on that, and it is slow to read. Directories that cannot be read are passed over.
pub fn files_of_project(directory: &Path) -> impl Iterator<Item = PathBuf> {
    Walk::new(directory, Rules::new(Gitignore::empty()), false).flatten()
}

/// The files below a directory as [`walk()`] finds them, and hidden ones. Directories that cannot be read are passed
/// over. A file is itself.
pub(crate) fn with_hidden(directory: &Path) -> impl Iterator<Item = PathBuf> {
    Walk::new(directory, Rules::with_users(), true).flatten()
}

/// Regular files below a directory, sorted within each directory.
struct Walk {
    rules: Rules,
    with_hidden: bool,
    /// What is left of the directories on the way to the last file.
    open: Vec<vec::IntoIter<Result<WalkedEntry, WalkError>>>,
}

struct WalkedEntry {
    path: PathBuf,
    kind: FileType,
}

impl Walk {
    fn new(directory: &Path, rules: Rules, with_hidden: bool) -> Self {
        let mut walk = Self { rules, with_hidden, open: Vec::new() };
        let first = match directory.metadata() {
            Ok(found) if found.is_dir() => walk.list(directory),
            Ok(found) => {
                vec![Ok(WalkedEntry { path: directory.to_owned(), kind: found.file_type() })]
            }
            Err(source) => vec![Err(WalkError { directory: directory.to_owned(), source })],
        };
        walk.open.push(first.into_iter());
        walk
    }

    /// The entries of a directory that are not passed over.
    fn list(&self, directory: &Path) -> Vec<Result<WalkedEntry, WalkError>> {
        let failed = |source| WalkError { directory: directory.to_owned(), source };
        let listed = match fs::read_dir(directory) {
            Ok(listed) => listed,
            Err(error) => return vec![Err(failed(error))],
        };
        let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
        let mut entries: Vec<_> = listed
            .filter(|entry| {
                let hides = |entry: &fs::DirEntry| is_hidden(&entry.file_name());
                self.with_hidden || !entry.as_ref().is_ok_and(hides)
            })
            .map(|entry| {
                let entry = entry.map_err(failed)?;
                Ok(WalkedEntry { path: entry.path(), kind: entry.file_type().map_err(failed)? })
            })
            .filter(|entry: &Result<WalkedEntry, WalkError>| {
                let ignores =
                    |entry: &WalkedEntry| self.rules.ignores(&entry.path, entry.kind.is_dir());
                !entry.as_ref().is_ok_and(ignores)
            })
            .collect();
        entries.sort_by(|one, other| name_of(one).cmp(&name_of(other)));
        entries
    }
}

fn name_of(entry: &Result<WalkedEntry, WalkError>) -> Option<&OsStr> {
    entry.as_ref().ok()?.path.file_name()
}

impl Iterator for Walk {
    type Item = Result<PathBuf, WalkError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(entry) = self.open.last_mut()?.next() else {
                self.open.pop();
                continue;
            };
            match entry {
                Ok(entry) if entry.kind.is_dir() => {
                    let entries = self.list(&entry.path).into_iter();
                    self.open.push(entries);
                }
                Ok(entry) if entry.kind.is_file() => return Some(Ok(entry.path)),
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
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
const EXCLUDE: &str = ".git/info/exclude";
const NAMES: [&str; KINDS] = [".ignore", ".gitignore", EXCLUDE];

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
        let is_top = directory.join(".git").exists();
        let rules = NAMES.map(|name| match name {
            EXCLUDE if !is_top => Gitignore::empty(),
            _ => self.read(directory, name),
        });
        let level = Arc::new(Level { rules, is_top, above });
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
