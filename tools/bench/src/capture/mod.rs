//! What it costs to know what an implementer changed: a build with an agent in trees of growing size,
//! compared before and after, and on an overlay.
//!
//! A build's events say when each of its steps was over: what the request takes is capturing and comparing, or the
//! overlay, and an agent that does next to nothing. Whole builds are timed beside it.

pub(crate) mod events;
mod page;

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::sample::Sample;

/// How often each build runs.
const ROUNDS: usize = 21;

/// Files in the trees.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Files in a directory.
const WIDTH: usize = 50;

const TASK: &str = "<workspace status=\"active\"><implementation><delta>limits.py</delta>\
    <verify>true</verify><budget>5</budget></implementation><delivered/></workspace>\n";

/// Who works, and how they are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BuildKind {
    /// An agent, without isolation.
    Off,
    /// An agent on an overlay.
    Overlay,
    /// No one: the edit was there before.
    Tree,
}

impl BuildKind {
    const ALL: [Self; 3] = [Self::Off, Self::Overlay, Self::Tree];
}

/// One kind of tree, and the builds in it.
#[derive(Debug)]
struct CaptureRow {
    files: usize,
    git: bool,
    /// By kind; none where the system does not allow an overlay.
    builds: [Option<Sample>; 3],
    /// The requests of these builds.
    requests: [Sample; 3],
}

/// What was measured.
#[derive(Debug)]
struct Figures {
    /// The build in a project of one file.
    rest: Sample,
    /// The same where no one is asked.
    rest_by_tree: Sample,
    rows: Vec<CaptureRow>,
}

/// Measures and renders.
pub(crate) fn part(ftl: &Path, scratch: &Path) -> Result<String> {
    page::render(&measure(ftl, scratch)?)
}

fn measure(ftl: &Path, scratch: &Path) -> Result<Figures> {
    let state = scratch.join("state");
    fs::create_dir_all(&state)?;
    let alone = Project::lay_out(scratch, 0, false)?;
    let overlay = alone.build(ftl, &state, BuildKind::Overlay)?.succeeds();
    let mut figures =
        Figures { rest: Sample::default(), rest_by_tree: Sample::default(), rows: Vec::new() };
    for git in [true, false] {
        for files in SIZES {
            let project = Project::lay_out(scratch, files, git)?;
            let mut builds = BuildKind::ALL
                .map(|kind| (kind != BuildKind::Overlay || overlay).then(Sample::default));
            let mut requests = BuildKind::ALL.map(|_| Sample::default());
            // In turn, so that a busy moment of the machine strikes all alike. The first build of a tree
            // pays for what the kernel has not read yet.
            for round in 0..=ROUNDS {
                for (kind, build) in BuildKind::ALL.into_iter().zip(&mut builds) {
                    let Some(sample) = build else { continue };
                    let mut warm = Sample::default();
                    let sample = if round == 0 { &mut warm } else { sample };
                    sample.program(project.build(ftl, &state, kind)?)?;
                    if round > 0 && kind != BuildKind::Tree {
                        requests[kind as usize].add(events::request(&project.events())?);
                    }
                }
                figures.rest.program(alone.build(ftl, &state, BuildKind::Off)?)?;
                figures.rest_by_tree.program(alone.build(ftl, &state, BuildKind::Tree)?)?;
            }
            figures.rows.push(CaptureRow { files, git, builds, requests });
            fs::remove_dir_all(&project.root)?;
        }
    }
    Ok(figures)
}

/// A tree with a task.
struct Project {
    root: PathBuf,
    git: bool,
}

impl Project {
    fn lay_out(scratch: &Path, files: usize, git: bool) -> Result<Self> {
        let root = scratch.join(format!("tree-{files}-{git}"));
        fs::create_dir_all(root.join(".ftl/workspace"))?;
        fs::write(root.join("limits.py"), "LIMIT = 20\n")?;
        for file in 0..files {
            let dir = root.join(format!("src/{}/{}", file / WIDTH / WIDTH, file / WIDTH));
            if file % WIDTH == 0 {
                fs::create_dir_all(&dir)?;
            }
            fs::write(dir.join(format!("m{file}.py")), format!("VALUE = {file}\n"))?;
        }
        let project = Self { root, git };
        if git {
            fs::write(project.root.join(".gitignore"), ".ftl/\n__pycache__/\n")?;
            for words in [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "before"]] {
                Program::git(&project.root).args(words).silent().run()?;
            }
        }
        Ok(project)
    }

    /// Where a build writes its events.
    fn events(&self) -> PathBuf {
        self.root.with_extension("events")
    }

    /// A build in the tree as it was at first.
    fn build(&self, ftl: &Path, state: &Path, kind: BuildKind) -> Result<Program> {
        for name in ["runs", "workspace"] {
            let dir = self.root.join(".ftl").join(name);
            if dir.exists() {
                fs::remove_dir_all(dir)?;
            }
        }
        fs::create_dir_all(self.root.join(".ftl/workspace"))?;
        fs::write(self.root.join(".ftl/workspace/001_a_active.xml"), TASK)?;
        fs::write(self.root.join("limits.py"), "LIMIT = 20\n")?;
        if self.git {
            Program::git(&self.root).args(["update-index", "-q", "--refresh"]).silent().run()?;
        }
        let build =
            Program::new(ftl, &self.root).env("XDG_STATE_HOME", state).args(["build", "001"]);
        let events = self.events();
        let build = build.args(["--events".into(), events.into_os_string()]);
        let agent = ["--agent", "echo 'MORE = 1' >> limits.py"];
        Ok(match kind {
            BuildKind::Off => build.args(["--isolate", "off"]).args(agent),
            BuildKind::Overlay => build.args(["--isolate", "overlay"]).args(agent),
            BuildKind::Tree => {
                fs::write(self.root.join("limits.py"), "LIMIT = 20\nMORE = 1\n")?;
                build.args(["--tree"])
            }
        })
    }
}
