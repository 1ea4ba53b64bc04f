//! One build as data, and how its project is laid out and run.
//!
//! Both programs get the same project at the same path with the same environment, so that only
//! what they do can differ.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::program::Program;
use crate::scratch::Scratch;

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

/// What of the output can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// `--format` and `--events`, as `ftl build` has them.
    Build,
    /// `--format` alone.
    Format,
    /// Neither.
    Fixed,
}

/// The two runs of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Without `--format`.
    Human,
    /// `--format json`.
    Json,
}

/// A project, and what is run in it. `calc.py` and the task 001 are there unless replaced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build {
    pub(super) name: &'static str,
    /// The elements of `implementation`.
    task: &'static str,
    /// The tool calls allowed, where the elements do not say so.
    budget: &'static str,
    /// The elements after it.
    more: &'static str,
    /// The fix of the one known failure, where there is one.
    fix: &'static str,
    /// The whole document in place of all of these.
    document: &'static str,
    files: &'static [(&'static str, &'static str)],
    agent: &'static str,
    patches: &'static [&'static str],
    git: bool,
    /// Run in the project once it is laid out and committed.
    world: &'static str,
    /// Runs `$FTL` with the words in `"$@"`.
    script: &'static str,
    words: &'static [&'static str],
    options: &'static [&'static str],
    output: Output,
}

/// The build of a task that its tree fulfils already.
pub(super) const fn build(name: &'static str) -> Build {
    Build {
        name,
        task: "<delta>calc.py</delta><verify>grep -q LIMIT calc.py</verify><budget>9</budget>",
        budget: "",
        more: "",
        fix: "",
        document: "",
        files: &[],
        agent: "",
        patches: &[],
        git: false,
        world: "",
        script: "\"$FTL\" \"$@\"",
        words: &["build", "001"],
        options: &[],
        output: Output::Build,
    }
}

/// Another command than `ftl build`.
pub(super) const fn command(name: &'static str, words: &'static [&'static str]) -> Build {
    let mut build = build(name);
    build.words = words;
    build.output = Output::Format;
    build
}

/// Each sets what its name says.
impl Build {
    pub(super) const fn task(mut self, elements: &'static str) -> Self {
        self.task = elements;
        self
    }

    /// A budget besides these elements.
    pub(super) const fn budget(mut self, calls: &'static str) -> Self {
        self.budget = calls;
        self
    }

    pub(super) const fn more(mut self, elements: &'static str) -> Self {
        self.more = elements;
        self
    }

    /// The verify fails with a known error until the limit is 20, which `fix` is known for.
    pub(super) const fn wants_twenty(mut self, fix: &'static str) -> Self {
        self.task = "<delta>calc.py</delta><budget>9</budget><verify>grep -q 'LIMIT = 20' calc.py \
                     || { echo 'AssertionError: limit is not 20'; exit 1; }</verify>";
        self.fix = fix;
        self
    }

    /// What is known to help against `AssertionError: limit is not 20`.
    pub(super) const fn fix(mut self, element: &'static str) -> Self {
        self.fix = element;
        self
    }

    pub(super) const fn document(mut self, text: &'static str) -> Self {
        self.document = text;
        self
    }

    pub(super) const fn files(mut self, files: &'static [(&'static str, &'static str)]) -> Self {
        self.files = files;
        self
    }

    pub(super) const fn agent(mut self, script: &'static str) -> Self {
        self.agent = script;
        self
    }

    pub(super) const fn patches(mut self, patches: &'static [&'static str]) -> Self {
        self.patches = patches;
        self
    }

    pub(super) const fn git(mut self) -> Self {
        self.git = true;
        self
    }

    pub(super) const fn world(mut self, script: &'static str) -> Self {
        self.world = script;
        self
    }

    pub(super) const fn script(mut self, script: &'static str) -> Self {
        self.script = script;
        self
    }

    pub(super) const fn words(mut self, words: &'static [&'static str]) -> Self {
        self.words = words;
        self
    }

    pub(super) const fn options(mut self, options: &'static [&'static str]) -> Self {
        self.options = options;
        self
    }

    pub(super) const fn fixed(mut self) -> Self {
        self.output = Output::Fixed;
        self
    }
}

impl Build {
    /// The runs that show all of what it can say.
    pub(super) const fn formats(&self) -> &'static [Format] {
        match self.output {
            Output::Build | Output::Format => &[Format::Human, Format::Json],
            Output::Fixed => &[Format::Human],
        }
    }

    /// Lays the project out anew in `ground` and runs `ftl` there.
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
        let program = shell(
            ground.path(),
            self.script,
            &[format!("FTL={}", ftl.display())],
        );
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

/// `sh` in the project, with an environment of its own.
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
