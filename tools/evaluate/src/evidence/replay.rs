//! A real repository at a commit, and a change that is built in it as an agent's work.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;
use serde::Deserialize;

/// A clone of a repository, made for this replay.
pub(super) struct Replay {
    scratch: Scratch,
    pub(super) root: PathBuf,
    ftl: PathBuf,
}

/// Of the result of a build what is judged here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Built {
    pub(super) outcome: String,
    pub(super) block: Option<Block>,
    pub(super) evidence: Evidence,
    pub(super) verify: Vec<Verify>,
    pub(super) duration_ms: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Block {
    pub(super) kind: String,
    pub(super) error: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Evidence {
    pub(super) before: Option<String>,
    pub(super) old_tests: Option<String>,
    pub(super) broken: Option<String>,
    pub(super) failures: Vec<Failure>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Failure {
    pub(super) test: Option<String>,
    pub(super) path: Option<String>,
    pub(super) message: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Verify {
    pub(super) exit: Option<i32>,
    pub(super) findings: Vec<String>,
}

impl Replay {
    /// Clones `directory/OWNER/NAME`. What the project needs to run is linked in, where it is beside that.
    pub(super) fn of(directory: &Path, name: &str, ftl: &Path) -> Result<Self> {
        let repository = directory.join(name);
        let scratch = Scratch::new("evidence")?;
        let root = scratch.path().join("project");
        let clone = Program::git(scratch.path()).args(["clone", "-q", "-s", "--no-checkout"]);
        clone.args([&repository, &root]).run()?;
        let modules = directory.join(format!("{name}.node_modules"));
        if modules.is_dir() {
            symlink(modules, root.join("node_modules"))?;
            fs::write(root.join(".git/info/exclude"), "node_modules\n")?;
        }
        Ok(Self { scratch, root, ftl: ftl.to_path_buf() })
    }

    /// Makes the tree that of a commit, with nothing beside it.
    pub(super) fn check_out(&self, commit: &str) -> Result {
        let git = || Program::git(&self.root);
        git().args(["checkout", "-qf", "--detach", commit]).run()?;
        git().args(["clean", "-ffdxq", "-e", "node_modules"]).run()
    }

    /// Runs git in the clone, and returns the lines that it prints.
    pub(super) fn git_lines(&self, words: &[&str]) -> Result<Vec<String>> {
        let text = Program::git(&self.root).args(words).text()?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// A file beside the clone.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// The program, in the clone.
    pub(super) fn ftl(&self) -> Program {
        Program::new(&self.ftl, &self.root)
            .env("XDG_STATE_HOME", self.beside("state"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
    }

    /// Whether a command passes in the clone.
    pub(super) fn passes(&self, command: &str) -> Result<bool> {
        let shell = Program::new("sh", &self.root).args(["-c", command]);
        Ok(shell.env("PYTHONDONTWRITEBYTECODE", "1").output()?.status.success())
    }

    /// Builds a task in the clone by an agent, and returns the result with what was printed beside it.
    pub(super) fn build(
        &self,
        delta: &[String],
        verify: &str,
        agent: &str,
        options: &[&str],
    ) -> Result<(Built, String)> {
        let budget = (delta.len() + 5).to_string();
        let agent = format!("cat >/dev/null; {agent}");
        let new = self
            .ftl()
            .args(["new", "Work", "--allow-removed", "*", "--delta"])
            .args(delta)
            .args(["--verify", verify, "--budget", &budget, "--build"])
            .args(["--format", "json", "--attempts", "1", "--agent", &agent])
            .args(options);
        let output = new.output()?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let warned = String::from_utf8_lossy(&output.stderr).into_owned();
        let built = serde_json::from_str(&printed)
            .map_err(|error| format!("{error}: {printed}{warned}"))?;
        Ok((built, printed + &warned))
    }
}
