//! The few programs that a scenario's children may start, and how they are run. Nothing else of the
//! machine reaches them.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Output;

use ftl_testkit::program::Program;

/// All that the children of a scenario find on their `PATH`: no language's own front end is among
/// it, so that a verdict on syntax is the same everywhere.
const NAMES: [&str; 7] = ["sh", "git", "mkdir", "rm", "ln", "chmod", "sleep"];

/// A directory of links to a few programs, which is the whole `PATH`.
pub(super) struct Programs {
    directory: tempfile::TempDir,
    has_git: bool,
}

impl Programs {
    pub(super) fn gather() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut has_git = false;
        for name in NAMES {
            match find(name) {
                Some(path) => {
                    symlink(path, directory.path().join(name)).unwrap();
                    has_git |= name == "git";
                }
                None => assert_eq!(name, "git", "`{name}` is needed"),
            }
        }
        Self { directory, has_git }
    }

    pub(super) fn has_git(&self) -> bool {
        self.has_git
    }

    /// Runs a program with nothing of our own environment.
    pub(super) fn run(
        &self,
        directory: &Path,
        variables: &[(&str, &str)],
        line: &[String],
    ) -> Output {
        let path = format!("PATH={}", self.directory.path().display());
        let home = format!("HOME={}", self.directory.path().display());
        let fixed = ["-i", &path, &home, "LC_ALL=C.UTF-8"].map(str::to_owned);
        let variables = variables.iter().map(|(name, value)| format!("{name}={value}"));
        Program::new("env", directory).args(fixed).args(variables).args(line).output().unwrap()
    }

    pub(super) fn git(&self, directory: &Path, arguments: &[&str]) {
        let identity = ["git", "-c", "user.name=oracle", "-c", "user.email=oracle@localhost"];
        let line: Vec<_> =
            identity.iter().chain(arguments).map(|argument| (*argument).to_owned()).collect();
        let output = self.run(directory, &[("GIT_CONFIG_NOSYSTEM", "1")], &line);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
}

fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}
