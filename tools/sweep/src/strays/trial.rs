//! One way in one project: a build whose agent strays, and what must hold after it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_testkit::Result;
use ftl_testkit::program::Program;
use serde_json::Value;

use super::ways::{Expected, Way};
use super::world::World;
use crate::isolation::Isolation;
use crate::listing::{self, Listing, Passed, ProjectPlace};
use crate::sandbox::Sandbox;
use crate::strays_tasks::DOCUMENT;

/// No build here takes longer, in seconds, however busy the machine is.
const LIMIT: &str = "240";

/// What a build makes for itself, and the delta with the directories on the way to it.
const OWN: [&str; 5] = ["src/a.py", "pkg", ".ftl/locks", ".ftl/runs/001_t", ".ftl/tmp"];

/// Who strays where.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    pub(super) ftl: &'a Path,
    /// What ftl writes to `.ftl/.gitignore`.
    pub(super) gitignore: &'a str,
    pub(super) way: &'a Way,
    pub(super) world: World,
    pub(super) isolation: Isolation,
}

/// What ftl writes to `.ftl/.gitignore` before anything else, so that it is there from the start.
pub(super) fn gitignore(ftl: &Path) -> Result<String> {
    let sandbox = Sandbox::new("strays")?;
    sandbox.write(".ftl/workspace/001_t_active.xml", DOCUMENT)?;
    sandbox.write("src/a.py", "a = 1\n")?;
    sandbox.program(ftl).args(["build", "001"]).output()?;
    sandbox.read(".ftl/.gitignore")
}

impl Trial<'_> {
    /// Builds, and says what is not as it must.
    pub(super) fn run(&self, sandbox: &Sandbox) -> Result<Vec<String>> {
        let expected =
            self.way.expected(self.world, self.isolation).ok_or("this way is not gone here")?;
        self.world.lay_out(sandbox, self.gitignore)?;
        for name in ["home", "out"] {
            drop(fs::remove_dir_all(sandbox.beside(name)));
            fs::create_dir(sandbox.beside(name))?;
        }
        let passed = self.passed(&expected);
        let before = self.listing(sandbox, &passed)?;
        let said = self.build(sandbox)?;
        if self.way.is_late {
            std::thread::sleep(Duration::from_millis(700));
        }
        let after = self.listing(sandbox, &passed)?;
        let mut broken = expected.broken_by(&said);
        broken.extend(listing::differences(&before, &after));
        if !matches!(expected, Expected::Refused) {
            broken.extend(self.record(sandbox)?);
        }
        if self.keeps_nothing(sandbox, &said)? {
            broken.push("what strayed is not kept with the run".to_owned());
        }
        if fs::read_dir(sandbox.beside("out"))?.next().is_some() && !self.way.writes_outside {
            broken.push("something was written outside of the project".to_owned());
        }
        broken.extend(sandbox.processes());
        sandbox.end_processes()?;
        if !broken.is_empty() {
            broken.push(shown(&said));
        }
        Ok(broken)
    }

    fn build(&self, sandbox: &Sandbox) -> Result<Value> {
        let script = sandbox.beside("way.sh");
        fs::write(&script, format!("set -e\n{}\n{}\n", super::ways::WORK, self.way.script))?;
        let root = self.world.root(sandbox);
        let common = self.world.git_dir(sandbox).unwrap_or_default();
        let output = ftl_testkit::program::Program::new("timeout", &root)
            .without_cargo()
            .env("HOME", sandbox.beside("home"))
            .env("XDG_STATE_HOME", sandbox.beside("state"))
            .env("TMPDIR", sandbox.beside("tmp"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "agent")
            .env("GIT_AUTHOR_EMAIL", "agent@localhost")
            .env("GIT_COMMITTER_NAME", "agent")
            .env("GIT_COMMITTER_EMAIL", "agent@localhost")
            .env("FTL_SWEEP", sandbox.mark())
            .env("WAY", &script)
            .env("OUT", sandbox.beside("out"))
            .env("G", common)
            .args(["--signal=KILL", LIMIT])
            .args([self.ftl])
            .args(["build", "001", "--format", "json", "--checker", "embedded"])
            .args(["--agent", "sh \"$WAY\""])
            .args(self.isolation.options(self.ftl)?)
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(serde_json::from_str(&text).unwrap_or_else(|_| {
            let said = String::from_utf8_lossy(&output.stderr);
            Value::String(format!("{}: {text}{said}", output.status))
        }))
    }

    fn listing(&self, sandbox: &Sandbox, passed: &Passed) -> Result<Listing> {
        let place = ProjectPlace {
            top: sandbox.root(),
            root: self.world.root(sandbox),
            git_dir: self.world.git_dir(sandbox),
        };
        let mut listing = listing::of(&place, passed)?;
        // The task's own file: what became of it is looked at apart.
        listing.retain(|path, _| !is_own_task(path));
        Ok(listing)
    }

    fn passed(&self, expected: &Expected) -> Passed {
        let mut paths: Vec<String> = OWN.iter().map(ToString::to_string).collect();
        if let Expected::Scratch(scratch) = expected {
            paths.extend(scratch.iter().map(ToString::to_string));
        }
        paths.extend(self.way.passed.iter().map(ToString::to_string));
        Passed { paths, git: self.way.git_gone }
    }

    /// That the task has one file, with one record in it.
    fn record(&self, sandbox: &Sandbox) -> Result<Option<String>> {
        let workspace = self.world.root(sandbox).join(".ftl/workspace");
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(&workspace).into_iter().flatten() {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with("001_t") {
                files.push(entry.path());
            }
        }
        let [file] = files.as_slice() else {
            return Ok(Some(format!("the task's files are {files:?}")));
        };
        let records = fs::read_to_string(file)?.matches("<run ").count();
        Ok((records != 1).then(|| format!("`{}` holds {records} records", file.display())))
    }

    /// Whether bytes that strayed are gone altogether.
    fn keeps_nothing(&self, sandbox: &Sandbox, said: &Value) -> Result<bool> {
        let strayed = said["strays"].as_array().is_some_and(|all| !all.is_empty());
        let wrote = self.way.script.contains("STRAY");
        let runs = self.world.root(sandbox).join(".ftl/runs/001_t");
        Ok(strayed && wrote && !holds(&runs, "STRAY")?)
    }
}

fn is_own_task(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    path.contains(".ftl/workspace/001_t") && name.starts_with("001_t")
}

/// Whether a file below has this text. Links are not followed, diffs do not count, and a path may be longer
/// than the system takes, which find(1) is made for.
fn holds(top: &Path, text: &str) -> Result<bool> {
    let found = Program::new("find", Path::new("/"))
        .args([top])
        .args(["-type", "f", "-size", "-16M", "!", "-name", "*.diff"])
        .args(["-execdir", "grep", "-lF", text, "{}", "+"])
        .output()?;
    Ok(!found.stdout.is_empty())
}

fn shown(said: &Value) -> String {
    let parts = ["outcome", "block", "strays", "warnings", "scratch", "error"];
    let parts = parts.iter().filter(|part| !said[*part].is_null());
    let text: String = match said {
        Value::String(text) => text.clone(),
        _ => parts.map(|part| format!("{part}: {} ", said[*part])).collect(),
    };
    text.chars().take(900).collect()
}
