//! Build products of dropped work: build tools that go by times take none of them for current.
//!
//! An agent strays and builds, and its work is dropped in each of several ways. Whatever is built next in the
//! project, the verify must fail as it does on a clean copy: it passes on products of the stray version alone.

use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::build_tools::{BuildTool, IGNORED, MAKE, OTHERS};
use ftl_testkit::program::Program;
use ftl_testkit::sweep::isolation::Isolation;
use ftl_testkit::sweep::sandbox::Sandbox;
use ftl_testkit::sweep::{Trial, TrialOutcome};

use super::world::World;

/// How the work of the agent comes to be dropped.
#[derive(Clone, Copy, Debug)]
pub(super) enum Drop {
    /// It strayed.
    Strayed,
    /// It strayed and failed.
    Failed,
    /// The build was interrupted.
    Interrupted,
    /// The build was killed.
    Killed,
}

impl Drop {
    pub(super) const ALL: [Self; 4] =
        [Self::Strayed, Self::Failed, Self::Interrupted, Self::Killed];

    /// What the agent does once it has built.
    const fn end(self) -> &'static str {
        match self {
            Self::Strayed => ":",
            Self::Failed => "exit 1",
            // The script that started ftl reads it.
            Self::Interrupted | Self::Killed => "echo > \"$MET\"; sleep 60",
        }
    }

    /// What the shell does that has started ftl.
    const fn signal(self) -> &'static str {
        match self {
            Self::Strayed | Self::Failed => "",
            Self::Interrupted => "read met < \"$MET\"; kill -TERM $ftl;",
            Self::Killed => "read met < \"$MET\"; kill -KILL $ftl;",
        }
    }
}

/// One build tool in one kind of project.
#[derive(Debug)]
pub(super) struct Product<'a> {
    pub(super) ftl: &'a Path,
    pub(super) gitignore: &'a str,
    pub(super) tool: &'static BuildTool,
    pub(super) drop: Drop,
    pub(super) world: World,
    pub(super) isolation: Isolation,
}

/// The tools that this machine has.
pub(super) fn tools() -> Vec<&'static BuildTool> {
    let is_there = |tool: &&BuildTool| {
        let there = Program::new("sh", Path::new(".")).args(["-c", tool.probe]).succeeds();
        if !there {
            println!("skipped: needs {}", tool.probe);
        }
        there
    };
    [&MAKE].into_iter().chain(OTHERS).filter(is_there).collect()
}

impl Trial for Product<'_> {
    fn row(&self) -> Vec<&'static str> {
        vec!["build products", self.isolation.name()]
    }

    fn describe(&self) -> String {
        let tool = self.tool.probe.split(' ').next().unwrap_or_default();
        let (world, isolation) = (self.world.name(), self.isolation.name());
        format!("products of {tool} ({:?}, {world}, {isolation})", self.drop)
    }

    /// Strays, goes on, and says what is not as it must be.
    fn run(&self, sandbox: &mut Sandbox) -> Result<TrialOutcome> {
        self.world.lay_out(sandbox, self.gitignore)?;
        self.lay_out(sandbox)?;
        // Asked again, it does its work alone.
        let agent = format!(
            "echo '# work' >> src/a.py; if mkdir \"$AGAIN\"; then {}; {}; {}; fi",
            self.tool.stray,
            self.tool.verify,
            self.drop.end()
        );
        self.build(sandbox, ("build 001", self.drop.signal()), &agent)?;
        sandbox.end_processes()?;
        let active = self.world.root(sandbox).join(".ftl/workspace/001_t_active.xml");
        let next = if active.exists() { "build 001" } else { "reopen 001 --build" };
        let said = self.build(sandbox, (next, ""), &agent)?;
        let is_blocked = said.contains("\"discovery_needed\"");
        let broken = (!is_blocked).then(|| said.chars().take(900).collect());
        Ok(TrialOutcome { counts: vec![1], broken: broken.into_iter().collect() })
    }
}

impl Product<'_> {
    /// Adds the tool's project, committed where there is git, and built once: without that, its caches would not
    /// pass through.
    fn lay_out(&self, sandbox: &Sandbox) -> Result {
        let root = self.world.root(sandbox);
        for (path, text) in self.tool.files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().ok_or("a file has no directory")?)?;
            std::fs::write(path, text)?;
        }
        let ignore = root.join(".gitignore");
        let rules = std::fs::read_to_string(&ignore)? + IGNORED;
        std::fs::write(ignore, rules)?;
        let verify = self.tool.verify.replace('&', "&amp;");
        let task = format!(
            "<workspace status=\"active\"><implementation><delta>src/a.py</delta><verify>{verify}</verify>\
             <budget>9</budget></implementation><delivered/></workspace>\n"
        );
        std::fs::write(root.join(".ftl/workspace/001_t_active.xml"), task)?;
        let commit = match self.world.git_dir(sandbox) {
            Some(_) => "git add -A -- . ':!.ftl' && git commit -qm tool",
            None => ":",
        };
        let script = format!("{commit}\n{} || :", self.tool.verify);
        sandbox.program_in(&root, "sh").args(["-c", &script]).text().map(drop)
    }

    /// Runs ftl, and `signal` while it runs.
    fn build(
        &self,
        sandbox: &Sandbox,
        (command, signal): (&str, &str),
        agent: &str,
    ) -> Result<String> {
        let script = format!(
            "rm -f \"$MET\"; mkfifo \"$MET\"; \"$0\" {command} --format json --checker embedded --agent \"$1\" {} & \
             ftl=$!; {signal} wait $ftl",
            self.isolation.options().join(" ")
        );
        let output = sandbox
            .program_in(&self.world.root(sandbox), "timeout")
            .env("MET", sandbox.beside("met"))
            .env("AGAIN", sandbox.beside("tmp/again"))
            .args(["--signal=KILL", "240", "sh", "-c", &script])
            .args([self.ftl])
            .args([agent])
            .output()?;
        let [out, said] = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(format!("{}: {out}{said}", output.status))
    }
}
