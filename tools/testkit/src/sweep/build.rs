//! One build as data: what is in the project, who writes, and how it ends if nothing disturbs it.
//!
//! All builds have one project, with a user's work in it that no commit holds (`BEFORE`). Agents append, so
//! that work done twice or undone would show.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

use super::isolation::Isolation;
use super::listing::{self, Listing, ProjectPlace};
use super::sandbox::{self, Sandbox, Setting};
use super::scenario::Scenario;
use crate::Result;
use crate::program::Program;

/// The task file of every build.
pub const TASK: &str = ".ftl/workspace/001_task_active.xml";

/// No command here takes longer, in seconds, however busy the machine is.
const LIMIT: &str = "600";

/// So many builds may come after a disturbance. One that is refused and one that restarts are enough.
const BUILDS: usize = 5;

/// Waits at the place that `$STEP` names, once, until it is ended or gets the word to go on.
const STEP: &str = "step() { [ \"$STEP\" = \"$1\" ] && mkdir \"$OUT/../met\" 2>/dev/null || return 0\n\
    echo met > \"$OUT/../at\"; read go < \"$OUT/../go\"; }\n";

/// What the agents of tasks do that are built beside the first one.
const BESIDE_AGENT: &str = "case \"$1 $FTL_PHASE\" in calc.py*) ;;\n\
    *apply-fix) echo LIMIT = 20 >> $1; exit ;;\n*) echo beside >> $1; exit ;; esac\n";

/// How an agent is started, from wherever its workplace is.
const AGENT: &str = "sh \"$OUT/../agent.sh\" \"$@\"";

/// The task that is built beside those that go on.
const MORE: &str = ".ftl/workspace/005_more_active.xml";

/// The workplace of a task that is built as one of several: none that the others have.
const SLOT: &str = "7";

/// Branches, a stash, and the commits below them.
const HISTORY: &str =
    "git init -q .; git add -A; git commit -qm first; git branch spare; git branch other
    echo first >> user.txt; git commit -qam second
    git checkout -q other; echo other >> user.txt; git commit -qam other; git checkout -q -
    echo BEFORE >> notes/keep.txt; git stash -q";

/// What the user has there, not committed.
const BEFORE: &str = "echo BEFORE >> user.txt; echo BEFORE > loose.txt; echo BEFORE > staged.txt; mkfifo ../at ../go";

/// A scenario in a project, by a program.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// The program.
    pub ftl: &'a Path,
    /// What is built.
    pub scenario: &'static Scenario,
    /// Whether the project is git's.
    pub git: bool,
    /// Where the project is.
    pub setting: Setting,
    /// Where the implementer writes.
    pub isolation: Isolation,
}

/// How builds went on.
#[derive(Debug, Default)]
pub struct BuiltAgain {
    /// How many it took.
    pub builds: usize,
    /// Whether `--restart` was the way out.
    pub restarted: bool,
    /// What ftl printed last, if there is no record.
    pub no_record: Option<String>,
}

impl Build<'_> {
    /// The row of a table in which it counts.
    #[must_use]
    pub fn row(&self) -> Vec<&'static str> {
        let project = if self.git { "git" } else { "plain" };
        vec![self.scenario.name, project, self.isolation.name()]
    }

    /// The heads of these rows.
    pub const ROW: &'static [&'static str] = &["build", "project", "`--isolate`"];

    /// What it is, in one line.
    #[must_use]
    pub fn describe(&self) -> String {
        self.row().join(", ") + self.setting.name()
    }

    /// The exit code that belongs to its end.
    #[must_use]
    pub fn code(&self) -> i32 {
        if self.scenario.end == "complete" { 0 } else { 3 }
    }

    /// The name of its record.
    #[must_use]
    pub fn record_name(&self) -> String {
        format!("001_task_{}.xml", self.scenario.end)
    }

    /// Makes the project again, and the files beside it.
    ///
    /// # Errors
    ///
    /// The project could not be made.
    pub fn lay_out(&self, sandbox: &mut Sandbox) -> Result {
        sandbox.clear(self.setting)?;
        std::os::unix::fs::symlink(self.ftl, sandbox.beside("bin/ftl"))?;
        for (path, content) in [
            ("calc.py", "LIMIT = 10\n"),
            ("user.txt", "mine\n"),
            ("notes/keep.txt", "mine too\n"),
            ("conf.ini", "conf\n"),
            ("gone.txt", "mine\n"),
            ("test_calc.py", "import calc\n"),
            ("ftl.toml", self.scenario.configuration),
            (".gitignore", ".env\nbuild/\n"),
            (".env", "BEFORE\n"),
            ("build/o", "o\n"),
        ] {
            sandbox.write(path, content)?;
        }
        let beside = if self.scenario.beside.is_empty() { "" } else { BESIDE_AGENT };
        sandbox.write("../agent.sh", format!("{beside}{STEP}{}", self.scenario.agent))?;
        for (patch, number) in self.scenario.patches.iter().zip(1..) {
            sandbox.write(format!("../{number}.diff"), patch)?;
        }
        let (history, staged) =
            if self.git { (self.history(), "git add staged.txt") } else { (":".into(), ":") };
        let script = format!("set -e\nrm -rf ../met ../at ../go\n{history}\n{BEFORE}\n{staged}\n");
        sandbox.lay_out(&script)?;
        if self.scenario.commits() {
            // A record has its own times, and so would each commit of it.
            sandbox.write(".git/info/exclude", ".ftl/\n")?;
        }
        for (name, script) in self.scenario.hooks {
            let path = format!(".git/hooks/{name}");
            sandbox.write(&path, format!("#!/bin/sh\n{script}\n"))?;
            fs::set_permissions(sandbox.root().join(path), Permissions::from_mode(0o755))?;
        }
        sandbox.write(TASK, self.scenario.document(self.scenario.task))?;
        for (name, implementation) in self.scenario.beside {
            let path = format!(".ftl/workspace/{name}_active.xml");
            sandbox.write(path, self.scenario.document(implementation))?;
        }
        if self.scenario.reopened.is_some() {
            let output = self.run(sandbox, &[])?;
            insist(&output, 3)?;
        }
        sandbox::finish(sandbox, &["notes", "build"])
    }

    /// What makes the project git's: its history, made once for each scenario, and copied from then on.
    fn history(&self) -> String {
        let made = format!("'../history of {}'", self.scenario.name);
        format!(
            "if [ -d {made} ]; then cp -a {made}/. .; git update-index -q --refresh\nelse {HISTORY}; cp -a . {made}; fi"
        )
    }

    /// `ftl build`, or the command that goes on from a block, behind other words.
    #[must_use]
    pub fn program(&self, sandbox: &Sandbox, prefix: &[&str], options: &[&str]) -> Program {
        let words = match self.scenario.reopened {
            Some(changes) if self.is_blocked(sandbox) => {
                [&["reopen", "001"], changes, &["--build"]].concat()
            }
            None if !self.scenario.beside.is_empty() => {
                vec!["build", "--all", "--jobs", "4", "--check", "never"]
            }
            None if self.scenario.commits() => vec!["build", "--all"],
            Some(_) | None => vec!["build", TASK],
        };
        self.program_of(sandbox, prefix, words, options)
    }

    /// The process that a fault strikes, behind other words: the build, or of several tasks that of the first one, as
    /// the command that builds them starts it. The others are built at the same time.
    #[must_use]
    pub fn struck(&self, sandbox: &Sandbox, prefix: &[&str], options: &[&str]) -> Program {
        if self.scenario.beside.is_empty() {
            return self.program(sandbox, prefix, options);
        }
        let words = ["build", TASK, "--check", "never", "--attempt", "1", "--attempts", "1"];
        let words = [&words[..], &["--slot", SLOT]].concat();
        let others: String =
            self.scenario.beside.iter().map(|task| format!(" {}", task.0)).collect();
        let script = format!(
            "ftl build{others} --jobs 3 --check never --checker embedded --isolate bind --agent '{AGENT}' \
             > ../beside.log 2>&1 & \"$@\"; code=$?; wait; exit $code"
        );
        let prefix = [&["sh", "-c", &script, "sh"][..], prefix].concat();
        self.program_of(sandbox, &prefix, words, options)
    }

    fn program_of(
        &self,
        sandbox: &Sandbox,
        prefix: &[&str],
        words: Vec<&str>,
        options: &[&str],
    ) -> Program {
        let agent = ["--agent", AGENT];
        let agent = agent.iter().filter(|_| !self.scenario.agent.is_empty());
        let patches =
            (1..=self.scenario.patches.len()).map(|number| format!("--patch=../{number}.diff"));
        sandbox
            .program("timeout")
            .args(["--signal=KILL", LIMIT])
            .args(prefix)
            .args([self.ftl])
            .args(words)
            .args(self.scenario.options)
            .args(agent)
            .args(patches)
            .args(self.isolation.options())
            .args(options)
    }

    /// Builds with options.
    ///
    /// # Errors
    ///
    /// The program could not be started.
    pub fn run(&self, sandbox: &Sandbox, options: &[&str]) -> Result<Output> {
        self.program(sandbox, &[], options).output()
    }

    /// Makes the project and builds by [`program`](Self::program) or [`struck`](Self::struck), without any disturbance.
    ///
    /// # Errors
    ///
    /// It did not end as the scenario says.
    pub fn undisturbed(
        &self,
        sandbox: &mut Sandbox,
        build: impl FnOnce(&Self, &Sandbox) -> Program,
    ) -> Result {
        self.lay_out(sandbox)?;
        let output = build(self, sandbox).output()?;
        // Of several tasks the exit code says how they all ended.
        let is_as_said = self.is_over(sandbox)?
            && sandbox.root().join(".ftl/workspace").join(self.record_name()).exists();
        if !self.scenario.beside.is_empty() && is_as_said {
            return Ok(());
        }
        insist(&output, self.code()).map_err(|error| format!("{}: {error}", self.describe()).into())
    }

    /// Builds until the task has its record, and its commit if it is to have one, with options at first, as a user would who reads the messages. `build`
    /// runs a build with options.
    ///
    /// # Errors
    ///
    /// The program could not be started.
    pub fn go_on(
        &self,
        sandbox: &Sandbox,
        first: &[&str],
        mut build: impl FnMut(&[&str]) -> Result<Output>,
    ) -> Result<BuiltAgain> {
        if !self.scenario.beside.is_empty() {
            // A task that is left alone would not be built side by side.
            sandbox.write(
                MORE,
                self.scenario.document("<delta>five.txt</delta><verify>true</verify>"),
            )?;
        }
        let mut again = BuiltAgain::default();
        let mut options: &[&str] = first;
        let mut said = String::new();
        let is_again = |builds| builds == 0 && self.scenario.commits();
        while !self.is_over(sandbox)? || !self.is_committed(sandbox)? || is_again(again.builds) {
            if self.scenario.commits() {
                // Hooks outlive a build that is killed.
                sandbox.wait_for_processes();
            }
            if again.builds == BUILDS {
                again.no_record = Some(said);
                break;
            }
            said = String::from_utf8_lossy(&build(options)?.stderr).into_owned();
            again.builds += 1;
            if said.contains("`--restart`") {
                again.restarted = true;
                options = &["--restart"];
            }
        }
        Ok(again)
    }

    /// The project outside ftl's own directory, and what git says of it.
    ///
    /// # Errors
    ///
    /// The project could not be listed.
    pub fn listing(&self, sandbox: &Sandbox) -> Result<Listing> {
        let root = sandbox.root();
        let git_dir = self.git.then(|| root.join(".git"));
        listing::of(&ProjectPlace { top: root.clone(), root, git_dir }, &[".ftl"])
    }

    /// Whether the task has come to its end.
    ///
    /// # Errors
    ///
    /// The directory of tasks could not be read.
    pub fn is_over(&self, sandbox: &Sandbox) -> Result<bool> {
        let names = sandbox.names(".ftl/workspace")?;
        let is_open = self.scenario.reopened.is_some() && self.is_blocked(sandbox);
        Ok(!is_open && !names.iter().any(|name| name.ends_with("_active.xml")))
    }

    /// Whether the first task has its commit, where it is to have one.
    fn is_committed(&self, sandbox: &Sandbox) -> Result<bool> {
        let log = sandbox.program("git").args(["log", "--format=%s"]);
        Ok(!self.scenario.commits() || log.text()?.lines().any(|subject| subject == "001_task"))
    }

    fn is_blocked(&self, sandbox: &Sandbox) -> bool {
        sandbox.root().join(".ftl/workspace/001_task_blocked.xml").exists()
    }
}

fn insist(output: &Output, code: i32) -> Result {
    if output.status.code() == Some(code) {
        return Ok(());
    }
    Err(format!("ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr)).into())
}
