//! Projects in directories that vanish, and ftl at work in them.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::scratch::{Scratch, copy};
use serde_json::Value;

/// The snapshots of all tests; each project has a separate directory there.
pub(crate) const STATE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/state");

/// The ftl under test.
pub(crate) const FTL: &str = env!("CARGO_BIN_EXE_ftl");

/// A directory with a test's files.
#[derive(Debug)]
pub(crate) struct Project {
    scratch: Scratch,
}

impl Project {
    /// An empty one.
    pub(crate) fn empty() -> Self {
        let scratch = Scratch::new("test").expect("because the temporary directory is writable");
        Self { scratch }
    }

    /// A copy of a directory of this repository.
    pub(crate) fn copy_of(directory: &str) -> Self {
        let project = Self::empty();
        copy(&ftl_testkit::root().join(directory), project.path())
            .expect("because both are readable");
        project
    }

    pub(crate) fn path(&self) -> &Path {
        self.scratch.path()
    }

    /// Writes a file, making its directories.
    pub(crate) fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, path: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.path().join(path)).unwrap()
    }

    /// Commits everything to a new git repository.
    pub(crate) fn commit(&self) {
        for words in [
            &["init", "--quiet"] as &[&str],
            &["add", "--all"],
            &["commit", "--quiet", "--message", "before"],
        ] {
            Program::git(self.path()).args(words).run().unwrap();
        }
    }

    /// Runs ftl here and waits for it.
    pub(crate) fn ftl<S: AsRef<std::ffi::OsStr>>(
        &self,
        words: impl IntoIterator<Item = S>,
    ) -> Finished {
        Finished::of(Program::new(FTL, self.path()).without_cargo().args(words))
    }

    /// Names in the workspace directory, sorted.
    pub(crate) fn workspaces(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path().join(".ftl/workspace")).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A run of ftl that ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// None: a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    /// Runs a program without the user's configuration and without colour, and waits for it.
    pub(crate) fn of(program: Program) -> Self {
        Self::of_in(program, Path::new(STATE))
    }

    /// The same with another state directory.
    pub(crate) fn of_in(program: Program, state: &Path) -> Self {
        let output = program
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("NO_COLOR", "1")
            .env("XDG_STATE_HOME", state)
            .output()
            .unwrap();
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Its standard output, which must be one JSON document.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in the output of {self:#?}"))
    }
}

/// Whether a program starts and succeeds; says by `name` what is skipped when it does not.
pub(crate) fn has_tool(name: &str, program: &str, words: &[&str]) -> bool {
    let there = Program::new(program, Path::new(".")).args(words).succeeds();
    if !there {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: needs {name}");
        }
    }
    there
}

/// The files and directories directly below a directory of this repository, sorted.
pub(crate) fn entries(directory: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(ftl_testkit::root().join(directory))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
}
