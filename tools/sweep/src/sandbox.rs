//! Where a sweep's builds take place: a project in memory, and programs that can be distinguished from
//! everybody else's, so that none is left behind unseen.
//!
//! It confines no program: what runs in it may reach the whole machine.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use ftl_testkit::Result;
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

/// Every program of a sweep inherits this variable, whose value is the sandbox's directory.
const MARK: &str = "FTL_SWEEP";

/// When the project was committed.
const COMMITTED: &str = "2026-01-01T00:00:00Z";

/// A project, and a directory for temporary files beside it.
#[derive(Debug)]
pub(super) struct Sandbox {
    scratch: Scratch,
    /// For state that is not beside it.
    other: OnceLock<Scratch>,
    setup: Mutex<Setup>,
}

/// Where the project and ftl's state are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Setup {
    /// Beside each other.
    #[default]
    Plain,
    /// The project has a name that is no UTF-8.
    OddName,
    /// The state is on another file system, if the system has two.
    OtherDisk,
}

/// The files of a tree outside ftl's own directory and git's, with modes and contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree(BTreeMap<PathBuf, (u32, Vec<u8>)>);

impl Tree {
    /// What differs in another tree.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        let paths = self.0.keys().chain(other.0.keys());
        let mut differing = paths.filter(|path| self.0.get(*path) != other.0.get(*path));
        let path = differing.next()?;
        Some(format!(
            "`{}` is {:?}, not {:?}",
            path.display(),
            other.0.get(path).map(shown),
            self.0.get(path).map(shown)
        ))
    }
}

/// Removes a directory, also where a plain user may not enter one below: the kernel makes such directories for each
/// overlay, and a killed program leaves them.
fn remove(dir: &Path) -> Result {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            Program::new("chmod", Path::new("/")).args(["-R", "u+rwx"]).args([dir]).run()?;
            Ok(fs::remove_dir_all(dir)?)
        }
        removed => Ok(removed?),
    }
}

fn shown((mode, bytes): &(u32, Vec<u8>)) -> String {
    format!("{mode:o} {}", String::from_utf8_lossy(bytes))
}

impl Tree {
    /// Without a directory of this name at the top, and what is in it.
    pub(super) fn without(mut self, name: &str) -> Self {
        self.0.retain(|path, _| !path.starts_with(name));
        self
    }
}

impl Sandbox {
    /// An empty one.
    pub(super) fn new(purpose: &str) -> Result<Self> {
        let scratch = Scratch::in_memory(purpose)?;
        fs::create_dir(scratch.path().join("root"))?;
        fs::create_dir(scratch.path().join("tmp"))?;
        Ok(Self { scratch, other: OnceLock::new(), setup: Mutex::default() })
    }

    /// The project's directory.
    pub(super) fn root(&self) -> PathBuf {
        let name: &[u8] = match self.setup() {
            Setup::OddName => b"r\xffoot $(x)'s",
            Setup::Plain | Setup::OtherDisk => b"root",
        };
        self.scratch.path().join(OsStr::from_bytes(name))
    }

    /// The user's state directory.
    pub(super) fn state(&self) -> PathBuf {
        match (self.setup(), self.other.get()) {
            (Setup::OtherDisk, Some(other)) => other.path().join("state"),
            _ => self.beside("state"),
        }
    }

    fn setup(&self) -> Setup {
        self.setup.lock().map_or_else(|error| *error.into_inner(), |setup| *setup)
    }

    /// Moves the project and the state, both empty, to other places.
    pub(super) fn set_up(&self, setup: Setup) -> Result {
        self.clear()?;
        if setup == Setup::OtherDisk && self.other.get().is_none() {
            drop(self.other.set(Scratch::new("state")?));
        }
        let old = self.root();
        *self.setup.lock().map_err(|error| error.to_string())? = setup;
        Ok(fs::rename(old, self.root())?)
    }

    /// A name beside the project.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Makes the project an empty directory again.
    pub(super) fn clear(&self) -> Result {
        remove(&self.root())?;
        if self.state().exists() {
            remove(&self.state())?;
        }
        Ok(fs::create_dir(self.root())?)
    }

    /// Writes a file of the project, making its directories.
    pub(super) fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result {
        let path = self.root().join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        Ok(fs::write(path, bytes)?)
    }

    /// Makes the project a git repository whose first commit holds everything but `.ftl`.
    pub(super) fn commit(&self) -> Result {
        let root = self.root();
        Program::git(&root).args(["init", "--quiet"]).run()?;
        Program::git(&root).args(["add", "--", ":!.ftl"]).run()?;
        Program::git(&root)
            .args(["commit", "--quiet", "-m", "before"])
            // Records name the commit, which is to be the same each time.
            .env("GIT_AUTHOR_DATE", COMMITTED)
            .env("GIT_COMMITTER_DATE", COMMITTED)
            .run()
    }

    /// The names in a directory of the project, sorted.
    pub(super) fn names(&self, directory: impl AsRef<Path>) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.root().join(directory))? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    /// The text of a file of the project.
    pub(super) fn read(&self, path: impl AsRef<Path>) -> Result<String> {
        let path = self.root().join(path);
        fs::read_to_string(&path).map_err(|error| format!("`{}`: {error}", path.display()).into())
    }

    /// The tree as its owner sees it.
    pub(super) fn tree(&self) -> Result<Tree> {
        let mut tree = BTreeMap::new();
        for entry in fs::read_dir(self.root())? {
            let entry = entry?;
            if entry.file_name() != ".ftl" && entry.file_name() != ".git" {
                take_in(&entry.path(), &mut tree)?;
            }
        }
        // Sandboxes differ in their names only.
        let root = self.root();
        let below = |path: PathBuf| path.strip_prefix(&root).map(Path::to_owned).unwrap_or(path);
        let tree = tree.into_iter().map(|(path, found)| (below(path), found));
        Ok(Tree(tree.collect()))
    }

    /// Whether a file with these bytes is somewhere below a directory of the project.
    pub(super) fn keeps(&self, directory: &str, bytes: &[u8]) -> Result<bool> {
        let mut tree = BTreeMap::new();
        take_in(&self.root().join(directory), &mut tree)?;
        Ok(tree.values().any(|(_, content)| content == bytes))
    }

    /// A program that runs in the project, without a user's configuration.
    pub(super) fn program(&self, name: impl AsRef<std::ffi::OsStr>) -> Program {
        self.inherit(Program::new(name, &self.root()))
    }

    /// A program with the environment of this sandbox.
    pub(super) fn inherit(&self, program: Program) -> Program {
        program
            .without_cargo()
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("NO_COLOR", "1")
            .env("TMPDIR", self.beside("tmp"))
            .env("XDG_STATE_HOME", self.state())
            .env(MARK, self.scratch.path())
    }

    /// What marks a program of this sandbox, in its environment.
    pub(super) fn mark(&self) -> &Path {
        self.scratch.path()
    }

    /// Temporary files in the project or beside it.
    pub(super) fn temporaries(&self) -> Result<Option<String>> {
        let mut all = BTreeMap::new();
        take_in(&self.root(), &mut all)?;
        all.retain(|path, _| is_temporary(path));
        take_in(&self.beside("tmp"), &mut all)?;
        all.retain(|path, _| *path != self.beside("tmp"));
        let files: Vec<&PathBuf> = all.keys().collect();
        Ok((!files.is_empty()).then(|| format!("temporary files are left: {files:?}")))
    }

    /// Processes that still run.
    pub(super) fn processes(&self) -> Option<String> {
        let processes = self.running();
        (!processes.is_empty()).then(|| format!("processes are left: {processes:?}"))
    }

    /// Ends what still runs here, so that it is not counted twice.
    pub(super) fn end_processes(&self) -> Result {
        for process in self.running() {
            let number = process.split(' ').next().unwrap_or_default();
            self.program("kill").args(["-KILL", number]).output()?;
        }
        Ok(())
    }

    /// The processes that still run here. One that ends while it is looked at counts as ended.
    fn running(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.scratch.path().display());
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let here = |number: &u32| {
            let environment = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
            let mut variables = environment.split(|byte| *byte == 0);
            variables.any(|variable| variable == mark.as_bytes())
        };
        numbers
            .filter(here)
            .map(|number| {
                let words = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
                let words = String::from_utf8_lossy(&words).replace('\0', " ");
                format!("{number} {}", words.trim_end())
            })
            .collect()
    }
}

fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".tmp") || name.ends_with(".part")
}

/// Adds what is at `path` and below; of a link its target, of a directory its mode alone.
fn take_in(path: &Path, tree: &mut BTreeMap<PathBuf, (u32, Vec<u8>)>) -> Result {
    let metadata = fs::symlink_metadata(path)?;
    let bytes = if metadata.is_symlink() {
        fs::read_link(path)?.into_os_string().into_encoded_bytes()
    } else if metadata.is_dir() {
        for entry in fs::read_dir(path)? {
            take_in(&entry?.path(), tree)?;
        }
        Vec::new()
    } else {
        fs::read(path)?
    };
    tree.insert(path.to_owned(), (metadata.permissions().mode(), bytes));
    Ok(())
}
