//! How a build's project is laid out and run.
//!
//! Both programs get the same project at the same path with the same environment, so that only
//! what they do can differ.

use std::fs;
use std::path::{Path, PathBuf};

use super::build::{Build, Format, Output};
use ftl_testkit::Result;
use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

const TASK: &str = ".ftl/workspace/001_task_active.xml";

/// A build that hangs is a difference, not the end of the sweep.
const LIMIT: &str = "60";

/// Dates and identities that a commit's hash depends on, and the rest of what programs look at.
const ENVIRONMENT: &[&str] = &[
    "LC_ALL=C",
    "TZ=UTC",
    "NO_COLOR=1",
    "GIT_CONFIG_GLOBAL=/dev/null",
    "GIT_CONFIG_NOSYSTEM=1",
    "GIT_AUTHOR_NAME=author",
    "GIT_AUTHOR_EMAIL=author@localhost",
    "GIT_AUTHOR_DATE=2001-02-03T04:05:06Z",
    "GIT_COMMITTER_NAME=author",
    "GIT_COMMITTER_EMAIL=author@localhost",
    "GIT_COMMITTER_DATE=2001-02-03T04:05:06Z",
    "PYTHONDONTWRITEBYTECODE=1",
    // Makes bytecode depend on the source alone, not on its time.
    "SOURCE_DATE_EPOCH=981173106",
];

impl Build {
    /// Lays the project out again in `ground` and runs `ftl` there.
    ///
    /// # Errors
    ///
    /// The project could not be laid out.
    pub(super) fn run(
        &self,
        ftl: &Path,
        ground: &Scratch,
        format: Format,
    ) -> Result<std::process::Output> {
        self.lay_out(ground.path())?;
        let program = shell(ground.path(), self.script, &[format!("FTL={}", ftl.display())]);
        let words = self.words.iter().chain(self.options).copied();
        let words = words.map(str::to_owned).chain(self.actors());
        program.args(words).args(self.said(format)).output()
    }

    fn said(&self, format: Format) -> Vec<&'static str> {
        let mut words = Vec::new();
        if self.output == Output::Build {
            words.extend(["--events", "../events"]);
        }
        if format == Format::Json {
            words.extend(["--format", "json"]);
        }
        words
    }

    /// The options that name who writes.
    fn actors(&self) -> Vec<String> {
        let mut words = Vec::new();
        if !self.agent.is_empty() {
            words.extend(["--agent".into(), "sh ../agent.sh \"$@\"".into()]);
        }
        for number in 1..=self.patches.len() {
            words.extend(["--patch".into(), format!("../{number}.diff")]);
        }
        words
    }

    fn lay_out(&self, ground: &Path) -> Result {
        empty(ground)?;
        let root = ground.join("root");
        for directory in ["root", "home", "tmp"] {
            fs::create_dir(ground.join(directory))?;
        }
        write(&root, "calc.py", "LIMIT = 10\n")?;
        write(&root, TASK, &self.text())?;
        for (path, text) in self.files {
            write(&root, path, text)?;
        }
        write(ground, "agent.sh", self.agent)?;
        for (patch, number) in self.patches.iter().zip(1..) {
            write(ground, &format!("{number}.diff"), patch)?;
        }
        if self.git {
            let commit = "git init -q -b main && git add -- . ':!.ftl' && git commit -q -m before";
            insist(ground, commit)?;
        }
        if self.world.is_empty() {
            return Ok(());
        }
        insist(ground, self.world)
    }

    fn text(&self) -> String {
        if !self.document.is_empty() {
            return self.document.to_owned();
        }
        let known = match self.fix {
            "" => String::new(),
            fix => format!(
                "<prior_knowledge><failure name=\"limit\" cost=\"1\">\
                 <trigger>AssertionError: limit is not 20</trigger>{fix}</failure></prior_knowledge>\n"
            ),
        };
        let budget = match self.budget {
            "" => String::new(),
            calls => format!("<budget>{calls}</budget>"),
        };
        format!(
            "<workspace id=\"001-task\" status=\"active\">\n<objective>a limit</objective>\n\
             <implementation>{}{budget}</implementation>\n{}\n{known}<delivered/>\n</workspace>\n",
            self.task, self.more
        )
    }
}

fn write(directory: &Path, path: &str, text: &str) -> Result {
    let path = directory.join(path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(fs::write(path, text)?)
}

fn empty(directory: &Path) -> Result {
    for entry in fs::read_dir(directory)? {
        let path: PathBuf = entry?.path();
        if path.is_dir() {
            fs::remove_dir_all(path)?;
        } else {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn insist(ground: &Path, script: &str) -> Result {
    let output = shell(ground, script, &[]).output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{script}` ended with {}: {said}", output.status).into())
}

/// `sh` in the project, with a separate environment.
fn shell(ground: &Path, script: &str, variables: &[String]) -> Program {
    let path = std::env::var("PATH").unwrap_or_default();
    let below = |name: &str| ground.join(name).display().to_string();
    let places = [
        format!("PATH={path}"),
        format!("HOME={}", below("home")),
        format!("XDG_CONFIG_HOME={}", below("home/config")),
        format!("XDG_CACHE_HOME={}", below("home/cache")),
        format!("XDG_DATA_HOME={}", below("home/data")),
        format!("XDG_STATE_HOME={}", below("home/state")),
        format!("XDG_RUNTIME_DIR={}", below("tmp")),
        format!("TMPDIR={}", below("tmp")),
    ];
    Program::new("env", &ground.join("root"))
        .args(["-i"])
        .args(places)
        .args(ENVIRONMENT)
        .args(variables)
        .args(["timeout", LIMIT, "sh", "-c"])
        .args([format!("umask 022\n{script}")])
        .args(["sh"])
}
