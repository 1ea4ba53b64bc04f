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

/// A task file's text. It is complete once it is built, unless a test says otherwise: `notes.txt` is its
/// delta, and `true` verifies it.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    attributes: String,
    delta: String,
    verify: String,
    elements: String,
    rest: String,
}

pub(crate) fn task() -> Task {
    let [attributes, elements, rest] = [const { String::new() }; 3];
    let verify = "<verify>true</verify>".to_owned();
    Task { attributes, delta: delta(&["notes.txt"]), verify, elements, rest }
}

fn delta(paths: &[&str]) -> String {
    paths.iter().map(|path| format!("<delta>{path}</delta>")).collect()
}

impl Task {
    /// Attributes of the root, besides its status.
    pub(crate) fn attributes(self, attributes: impl Into<String>) -> Self {
        Self { attributes: attributes.into(), ..self }
    }

    pub(crate) fn delta(self, paths: &[&str]) -> Self {
        Self { delta: delta(paths), ..self }
    }

    /// The command, as XML has it.
    pub(crate) fn verify(self, command: &str) -> Self {
        Self { verify: format!("<verify>{command}</verify>"), ..self }
    }

    pub(crate) fn without_verify(self) -> Self {
        Self { verify: String::new(), ..self }
    }

    pub(crate) fn budget(self, calls: i64) -> Self {
        self.elements(&format!("<budget>{calls}</budget>"))
    }

    /// More elements of `implementation`.
    pub(crate) fn elements(self, elements: &str) -> Self {
        Self { elements: self.elements + elements, ..self }
    }

    /// More elements of the root.
    pub(crate) fn rest(self, elements: &str) -> Self {
        Self { rest: self.rest + elements, ..self }
    }

    /// The text of an active one.
    pub(crate) fn active(&self) -> String {
        self.text("active")
    }

    /// The text with another status.
    pub(crate) fn text(&self, status: &str) -> String {
        let Self { attributes, delta, verify, elements, rest } = self;
        format!(
            "<workspace {attributes} status=\"{status}\"><implementation>{delta}{verify}{elements}\
             </implementation>{rest}<delivered/></workspace>\n"
        )
    }
}

/// A directory with a test's files.
#[derive(Debug)]
pub(crate) struct Project {
    scratch: Scratch,
    /// Pipes and marks that a test and an implementer share: `$OUT`, in no tree.
    outside: Scratch,
}

impl Project {
    /// An empty one.
    pub(crate) fn empty() -> Self {
        let [scratch, outside] = ["test", "outside"]
            .map(|name| Scratch::new(name).expect("because the temporary directory is writable"));
        Self { scratch, outside }
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

    /// The same with this file.
    pub(crate) fn file(self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Self {
        self.write(path, bytes);
        self
    }

    /// The same with this active task; `name` is its number and its slug.
    pub(crate) fn task(self, name: &str, task: Task) -> Self {
        self.add(name, task);
        self
    }

    /// Writes an active task; `name` is its number and its slug.
    pub(crate) fn add(&self, name: &str, task: Task) {
        self.write(format!(".ftl/workspace/{name}_active.xml"), task.text("active"));
    }

    /// The same with named pipes.
    pub(crate) fn pipes(self, names: &[&str]) -> Self {
        for name in names {
            fs::create_dir_all(self.path().join(name).parent().unwrap()).unwrap();
        }
        Program::new("mkfifo", self.path()).args(names).run().unwrap();
        self
    }

    /// The same with named pipes in `$OUT`.
    pub(crate) fn outside_pipes(self, names: &[&str]) -> Self {
        Program::new("mkfifo", self.outside.path()).args(names).run().unwrap();
        self
    }

    /// Makes an empty file in `$OUT`, for which an implementer can look.
    pub(crate) fn mark(&self, name: &str) {
        fs::write(self.outside.path().join(name), "").unwrap();
    }

    /// The path of a file in `$OUT`.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.outside.path().join(name)
    }

    /// A program that is started here, and knows `$FTL` and `$OUT`.
    pub(crate) fn program(&self, name: &str) -> Program {
        let program = Program::new(name, self.path()).without_cargo();
        program.env("FTL", FTL).env("OUT", self.outside.path())
    }

    /// The same, with everything committed to a new git repository.
    pub(crate) fn committed(self) -> Self {
        self.commit();
        self
    }

    /// The text of a file.
    pub(crate) fn text(&self, path: impl AsRef<Path>) -> String {
        String::from_utf8(self.read(path)).unwrap()
    }

    /// Runs git here, which must succeed, and returns what it prints without the last line end.
    pub(crate) fn git(&self, words: &[&str]) -> String {
        Program::git(self.path()).args(words).text().unwrap().trim_end().to_owned()
    }

    /// Runs a shell script in which `$FTL` is the program and `$OUT` a directory of no tree.
    pub(crate) fn script(&self, script: &str) -> Finished {
        Finished::of(self.program("sh").args(["-c", script]))
    }

    /// Builds with JSON as its output.
    pub(crate) fn build(&self, words: &[&str]) -> Finished {
        self.ftl([&["build", "--format", "json"], words].concat())
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
        Finished::of(self.program(FTL).args(words))
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

    /// The same, once it has ended with this exit code.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// The outcomes of several tasks, in their order.
    pub(crate) fn outcomes(&self) -> Vec<String> {
        let said = self.json();
        let results = said["results"].as_array().unwrap().iter();
        results.map(|result| result["outcome"].as_str().unwrap().to_owned()).collect()
    }

    /// The warnings of a build, as one text.
    pub(crate) fn warnings(&self) -> String {
        self.json()["warnings"].to_string()
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
