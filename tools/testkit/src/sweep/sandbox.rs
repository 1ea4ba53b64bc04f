//! Where a sweep's builds take place: a project in memory, and programs that can be distinguished from
//! those of others, so that none is left behind unseen.
//!
//! It confines no program: what runs in it may reach the whole machine.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Result;
use crate::program::Program;
use crate::scratch::Scratch;

/// Every program of a sweep inherits this variable, whose value is the sandbox's directory.
const MARK: &str = "FTL_SWEEP";

/// When projects are committed: records name the commit, which is to be the same each time.
const COMMITTED: &str = "2026-01-01T00:00:00Z";

/// What is beside the project: the user's home, temporary files, what `PATH` holds first, and a directory
/// into which nothing may be written.
const BESIDE: [&str; 4] = ["home", "tmp", "bin", "out"];

/// A project, and the directories of `BESIDE`.
#[derive(Debug)]
pub struct Sandbox {
    scratch: Scratch,
    /// For state that is not beside the project.
    other: Option<Scratch>,
    setting: Setting,
}

/// Where the project and ftl's state are: beside each other, or in a place that makes work for a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Beside each other.
    Plain,
    /// The project's name is no UTF-8, and means something to a shell.
    OddName,
    /// The state is on another file system, if the system has two.
    OtherDisk,
    /// Directories of the project can't be written, which matters to a plain user.
    ReadOnly,
}

impl Setting {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Plain, Self::OddName, Self::OtherDisk, Self::ReadOnly];

    /// What a description says of it, if it is not the plain one.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::OddName => ", a root with an odd name",
            Self::OtherDisk => ", the state on another file system",
            Self::ReadOnly => ", directories that are read-only",
        }
    }
}

impl Sandbox {
    /// An empty one.
    ///
    /// # Errors
    ///
    /// Directories could not be made; this holds of everything below that returns an error.
    pub fn new(purpose: &str) -> Result<Self> {
        let scratch = Scratch::in_memory(purpose)?;
        let mut sandbox = Self { scratch, other: None, setting: Setting::Plain };
        sandbox.clear(Setting::Plain)?;
        Ok(sandbox)
    }

    /// Makes everything empty again, in another place.
    ///
    /// # Errors
    ///
    /// Directories could not be removed or made.
    pub fn clear(&mut self, setting: Setting) -> Result {
        for dir in [self.root(), self.state()].into_iter().chain(self.directories()) {
            remove(&dir)?;
        }
        self.setting = setting;
        if setting == Setting::OtherDisk && self.other.is_none() {
            self.other = Some(Scratch::new("state")?);
        }
        for dir in self.directories().chain([self.root()]) {
            fs::create_dir(dir)?;
        }
        Ok(())
    }

    fn directories(&self) -> impl Iterator<Item = PathBuf> + use<> {
        let top = self.scratch.path().to_owned();
        BESIDE.into_iter().map(move |name| top.join(name))
    }

    /// The project's directory.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        let name: &[u8] = match self.setting {
            Setting::OddName => b"r\xffoot $(x)'s",
            Setting::Plain | Setting::OtherDisk | Setting::ReadOnly => b"root",
        };
        self.scratch.path().join(OsStr::from_bytes(name))
    }

    /// The user's state directory.
    fn state(&self) -> PathBuf {
        match (self.setting, &self.other) {
            (Setting::OtherDisk, Some(other)) => other.path().join("state"),
            _ => self.beside("state"),
        }
    }

    /// A name beside the project.
    #[must_use]
    pub fn beside(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Writes a file of the project, making its directories.
    ///
    /// # Errors
    ///
    /// It could not be written.
    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result {
        let path = self.root().join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        Ok(fs::write(path, bytes)?)
    }

    /// The names in a directory of the project, sorted.
    ///
    /// # Errors
    ///
    /// It could not be read.
    pub fn names(&self, directory: impl AsRef<Path>) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.root().join(directory))? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    /// The text of a file of the project.
    ///
    /// # Errors
    ///
    /// It could not be read.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<String> {
        let path = self.root().join(path);
        fs::read_to_string(&path).map_err(|error| format!("`{}`: {error}", path.display()).into())
    }

    /// Runs a script that makes the project. Git starts no housekeeping that would outlast it.
    ///
    /// # Errors
    ///
    /// It failed.
    pub fn lay_out(&self, script: &str) -> Result {
        let shell = self.program("sh").env("GIT_CONFIG_COUNT", "1");
        let shell = shell.env("GIT_CONFIG_KEY_0", "maintenance.auto");
        shell.env("GIT_CONFIG_VALUE_0", "false").args(["-c", script]).run()
    }

    /// A program that runs in the project.
    pub fn program(&self, name: impl AsRef<OsStr>) -> Program {
        self.program_in(&self.root(), name)
    }

    /// A program that runs in a directory, with the environment of this sandbox and without a user's
    /// configuration.
    pub fn program_in(&self, directory: &Path, name: impl AsRef<OsStr>) -> Program {
        self.inherit(Program::new(self.found(name.as_ref()), directory))
    }

    /// The path of a program in the sandbox's `PATH`, or its name. The standard library copies the whole process to
    /// start a bare name with another `PATH`, which costs a large sweep a fifth of its time.
    fn found(&self, name: &OsStr) -> PathBuf {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let is_bare = Path::new(name).components().count() == 1;
        let dirs = std::iter::once(self.beside("bin")).chain(std::env::split_paths(&path));
        let mut places = dirs.map(|dir| dir.join(name)).filter(|place| is_bare && place.is_file());
        places.next().unwrap_or_else(|| name.into())
    }

    /// A program with the environment of this sandbox.
    #[must_use]
    pub fn inherit(&self, program: Program) -> Program {
        let path = std::env::var("PATH").unwrap_or_default();
        let program = ["AUTHOR", "COMMITTER"].into_iter().fold(program, |program, who| {
            program
                .env(&format!("GIT_{who}_NAME"), "user")
                .env(&format!("GIT_{who}_EMAIL"), "user@localhost")
                .env(&format!("GIT_{who}_DATE"), COMMITTED)
        });
        program
            .without_cargo()
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("HOME", self.beside("home"))
            .env("NO_COLOR", "1")
            .env("OUT", self.beside("out"))
            .env("PATH", format!("{}:{path}", self.beside("bin").display()))
            .env("TMPDIR", self.beside("tmp"))
            .env("XDG_STATE_HOME", self.state())
            .env(MARK, self.scratch.path())
    }

    /// Whether a file below a directory of the project has this text. Links are not followed, and diffs
    /// do not count. A path may be longer than the system takes, which find(1) is made for.
    ///
    /// # Errors
    ///
    /// `find` could not be started.
    pub fn holds(&self, directory: &Path, text: &str) -> Result<bool> {
        let found = self
            .program("find")
            .args([directory])
            .args(["-type", "f", "-size", "-16M", "!", "-name", "*.diff"])
            .args(["-execdir", "grep", "-lF", text, "{}", "+"])
            .output()?;
        Ok(!found.stdout.is_empty())
    }

    /// Temporary files that are in the project or beside it.
    #[must_use]
    pub fn temporaries(&self) -> Vec<String> {
        let is_temporary = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.ends_with(".tmp") || name.ends_with(".part")
        };
        let files = below(self.root()).into_iter().filter(is_temporary);
        files.chain(below(self.beside("tmp"))).map(|path| format!("{path:?} is left")).collect()
    }

    /// The programs that still run.
    #[must_use]
    pub fn running(&self) -> Vec<String> {
        let processes = self.processes().into_iter();
        processes.map(|(number, command)| format!("{number} still runs: {command}")).collect()
    }

    /// Waits for a few seconds at most until nothing runs any more.
    pub fn wait_for_processes(&self) {
        let began = Instant::now();
        while !self.processes().is_empty() && began.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends what still runs here, so that it is not counted twice.
    ///
    /// # Errors
    ///
    /// `kill` could not be started.
    pub fn end_processes(&self) -> Result {
        for (number, _) in self.processes() {
            self.program_in(Path::new("/"), "kill")
                .args(["-KILL", &number.to_string()])
                .output()?;
        }
        Ok(())
    }

    /// The processes that still run here, with their commands. One that ends while it is looked at
    /// counts as ended.
    fn processes(&self) -> Vec<(u32, String)> {
        let mark = format!("{MARK}={}", self.scratch.path().display());
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let here = |number: &u32| {
            let environment = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
        };
        let with_command = |number| {
            let words = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            (number, String::from_utf8_lossy(&words).replace('\0', " "))
        };
        numbers.filter(here).map(with_command).collect()
    }
}

/// Removes a directory if it is there, also where a plain user may not enter one below: the kernel makes such
/// directories for each overlay of dependencies, and a killed program leaves them.
fn remove(dir: &Path) -> Result {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            Program::new("chmod", Path::new("/")).args(["-R", "u+rwx"]).args([dir]).run()?;
            Ok(fs::remove_dir_all(dir)?)
        }
        removed => Ok(removed?),
    }
}

/// Everything below a directory, as far as it can be read.
fn below(directory: PathBuf) -> Vec<PathBuf> {
    let mut found = vec![directory];
    let mut next = 0;
    while let Some(path) = found.get(next) {
        let entries =
            fs::symlink_metadata(path).is_ok_and(|it| it.is_dir()).then(|| fs::read_dir(path));
        let entries = entries.into_iter().flatten().flatten().flatten();
        let paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        found.extend(paths);
        next += 1;
    }
    found.split_off(1)
}

/// Makes directories of the project unwritable, where the setting says so.
pub(super) fn finish(sandbox: &Sandbox, directories: &[&str]) -> Result {
    if sandbox.setting == Setting::ReadOnly {
        for dir in directories {
            fs::set_permissions(sandbox.root().join(dir), fs::Permissions::from_mode(0o555))?;
        }
    }
    Ok(())
}
