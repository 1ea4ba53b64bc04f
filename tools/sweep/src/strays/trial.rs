//! One way in one project: a build whose agent strays, and what must hold after it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use ftl_testkit::Result;
use ftl_testkit::sweep::isolation::Isolation;
use ftl_testkit::sweep::listing::{self, Listing, ProjectPlace};
use ftl_testkit::sweep::sandbox::Sandbox;
use ftl_testkit::sweep::{Trial, TrialOutcome};
use serde_json::Value;

use super::ways::{Expected, Way};
use super::world::{DOCUMENT, World};
use crate::record;

/// No build here takes longer, in seconds, however busy the machine is.
const LIMIT: &str = "240";

/// What a build makes for itself, and the delta with the directories on the way to it.
const OWN: [&str; 5] = ["src/a.py", "pkg", ".ftl/locks", ".ftl/runs/001_t", ".ftl/tmp"];

/// Who strays where.
#[derive(Debug)]
pub(super) struct StrayTrial<'a> {
    pub(super) ftl: &'a Path,
    /// What ftl writes to `.ftl/.gitignore`.
    pub(super) gitignore: &'a str,
    pub(super) way: &'a Way,
    pub(super) expected: &'a Expected,
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

impl Trial for StrayTrial<'_> {
    fn row(&self) -> Vec<&'static str> {
        vec![self.world.name(), self.isolation.name()]
    }

    fn describe(&self) -> String {
        format!("{} ({}, {})", self.way.name, self.world.name(), self.isolation.name())
    }

    /// Builds, and says what is not as it must.
    fn run(&self, sandbox: &mut Sandbox) -> Result<TrialOutcome> {
        self.world.lay_out(sandbox, self.gitignore)?;
        let before = self.listing(sandbox)?;
        let said = self.build(sandbox)?;
        if self.way.is_late {
            std::thread::sleep(Duration::from_millis(700));
        }
        let mut broken = self.expected.broken_by(&said);
        broken.extend(listing::differences(&before, &self.listing(sandbox)?));
        let root = self.world.root(sandbox);
        broken.extend(record::read(&root.join(".ftl/workspace"), "001_", 1..=1)?.err());
        let strayed = said["strays"].as_array().is_some_and(|all| !all.is_empty());
        if strayed && self.way.script.contains("STRAY") {
            let is_kept = sandbox.holds(&root.join(".ftl/runs/001_t"), "STRAY")?;
            broken.extend((!is_kept).then(|| "what strayed is not kept with the run".to_owned()));
        }
        if fs::read_dir(sandbox.beside("out"))?.next().is_some() && !self.way.writes_outside {
            broken.push("something was written outside of the project".to_owned());
        }
        broken.extend(sandbox.running());
        if !broken.is_empty() {
            broken.push(shown(&said));
        }
        Ok(TrialOutcome { counts: vec![1], broken })
    }
}

impl StrayTrial<'_> {
    fn build(&self, sandbox: &Sandbox) -> Result<Value> {
        let script = sandbox.beside("way.sh");
        fs::write(&script, format!("set -e\n{}\n{}\n", super::ways::WORK, self.way.script))?;
        let output = sandbox
            .program_in(&self.world.root(sandbox), "timeout")
            .env("WAY", &script)
            .args(["--signal=KILL", LIMIT])
            .args([self.ftl])
            .args(["build", "001", "--format", "json", "--checker", "embedded"])
            .args(["--agent", "sh \"$WAY\""])
            .args(self.isolation.options())
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(serde_json::from_str(&text).unwrap_or_else(|_| {
            let said = String::from_utf8_lossy(&output.stderr);
            Value::String(format!("{}: {text}{said}", output.status))
        }))
    }

    fn listing(&self, sandbox: &Sandbox) -> Result<Listing> {
        let place = ProjectPlace {
            top: sandbox.root(),
            root: self.world.root(sandbox),
            git_dir: self.world.git_dir(sandbox),
        };
        let mut listing = listing::of(&place, &OWN)?;
        // The task's own file: its record is looked at apart.
        listing.retain(|path, _| !is_own_task(path));
        Ok(listing)
    }
}

fn is_own_task(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    path.contains(".ftl/workspace/001_t") && name.starts_with("001_t")
}

fn shown(said: &Value) -> String {
    let parts = ["outcome", "block", "strays", "warnings", "error"];
    let parts = parts.iter().filter(|part| !said[*part].is_null());
    let text: String = match said {
        Value::String(text) => text.clone(),
        _ => parts.map(|part| format!("{part}: {} ", said[*part])).collect(),
    };
    text.chars().take(900).collect()
}
