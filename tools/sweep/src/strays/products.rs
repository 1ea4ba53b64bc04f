//! Build products of dropped work: build tools that go by times take none of them for current.
//!
//! An agent strays and builds, and its work is dropped in each of several ways. Whatever is built next in the
//! project, the verify must fail as it does on a clean copy: it passes on products of the stray version alone.

use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::build_tools::{BuildTool, IGNORED, MAKE, OTHERS};
use ftl_testkit::program::Program;

use super::world::World;
use crate::isolation::Isolation;
use crate::sandbox::Sandbox;

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
            // The script that started ftl hears it.
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
pub(super) struct Product {
    pub(super) tool: &'static BuildTool,
    pub(super) drop: Drop,
    pub(super) world: World,
    pub(super) isolation: Isolation,
}

impl Product {
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

    pub(super) fn name(&self) -> &'static str {
        self.tool.probe.split(' ').next().unwrap_or_default()
    }

    /// Strays, goes on, and says what is not as it must be.
    pub(super) fn run(
        &self,
        sandbox: &Sandbox,
        ftl: &Path,
        gitignore: &str,
    ) -> Result<Vec<String>> {
        self.world.lay_out(sandbox, gitignore)?;
        self.lay_out(sandbox)?;
        drop(std::fs::remove_dir(sandbox.beside("again")));
        // Asked again, it does its work alone.
        let agent = format!(
            "echo '# work' >> src/a.py; if mkdir \"$AGAIN\"; then {}; {}; {}; fi",
            self.tool.stray,
            self.tool.verify,
            self.drop.end()
        );
        self.build(sandbox, ftl, ("build 001", self.drop.signal()), &agent)?;
        sandbox.end_processes()?;
        let active = self.world.root(sandbox).join(".ftl/workspace/001_t_active.xml");
        let next = if active.exists() { "build 001 --put-back" } else { "reopen 001 --build" };
        let said = self.build(sandbox, ftl, (next, ""), &agent)?;
        let is_blocked = said.contains("\"discovery_needed\"");
        sandbox.end_processes()?;
        Ok((!is_blocked).then(|| said.chars().take(900).collect()).into_iter().collect())
    }

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
        self.world.shell(sandbox, &root, &script).map(drop)
    }

    /// Runs ftl, and `signal` while it runs.
    fn build(
        &self,
        sandbox: &Sandbox,
        ftl: &Path,
        (command, signal): (&str, &str),
        agent: &str,
    ) -> Result<String> {
        let root = self.world.root(sandbox);
        let script = format!(
            "rm -f \"$MET\"; mkfifo \"$MET\"; \"$0\" {command} --format json --checker embedded --agent \"$1\" {} & \
             ftl=$!; {signal} wait $ftl",
            self.isolation.options(ftl)?.join(" ")
        );
        let program = Program::new("timeout", &root).args(["--signal=KILL", "240", "sh", "-c"]);
        let program = sandbox.inherit(program.args([script.as_str()]).args([ftl]).args([agent]));
        let program = program.env("HOME", sandbox.beside("home")).env("MET", sandbox.beside("met"));
        let program = program.env("AGAIN", sandbox.beside("again"));
        let output = program.output()?;
        let [out, said] = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(format!("{}: {out}{said}", output.status))
    }
}
