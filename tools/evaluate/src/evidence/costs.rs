//! What the experiments cost: runs of the verify command, and time, with them and without.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use ftl_testkit::page::table;
use ftl_testkit::{Result, build};

use super::replay::Replay;

/// Repository, commit, and how the paths of its tests begin.
const PROJECTS: [(&str, &str, &str); 3] = [
    ("kayak/pypika", "5e800d83a0f0ae14210410c02fd97e51e2e3f1d5", "pypika/tests/test_"),
    ("andialbrecht/sqlparse", "60cdc649726bf1bc4f1b336050560b336da715ec", "tests/test_"),
    ("python-validators/validators", "9bc7e82f7bf0fb3990eb287e11323fb6ca1c87cf", "tests/test_"),
];
/// Tasks that are built by one command.
const TASKS: [usize; 2] = [1, 8];

/// Builds tasks in each project, and writes the part of docs/evaluation.md.
pub(super) fn run(directory: &str) -> Result {
    let ftl = build::named_or_release()?;
    let mut rows = Vec::new();
    for (name, commit, tests) in PROJECTS {
        for tasks in TASKS {
            let measure =
                |evidence| measured(directory, name, commit, tests, tasks, evidence, &ftl);
            let (none, auto) = (measure("none")?, measure("auto")?);
            let ratio = auto.1.as_secs_f64() / none.1.as_secs_f64();
            let runs = format!("{} and {}", none.0, auto.0);
            let row = [name.to_owned(), tasks.to_string(), runs, format!("{ratio:.2}")];
            println!("{} | {:.1?} and {:.1?}", row.join(" | "), none.1, auto.1);
            rows.push(row.to_vec());
        }
    }
    let heads = ["project", "tasks", "runs without and with", "time with, over without"];
    crate::page::replace("costs", &format!("{METHOD}{}", table(&heads, rows)))
}

/// The runs of verify commands of a build, and how long it took.
fn measured(
    directory: &str,
    name: &str,
    commit: &str,
    tests: &str,
    tasks: usize,
    evidence: &str,
    ftl: &Path,
) -> Result<(usize, Duration)> {
    let replay = Replay::of(Path::new(directory), name, ftl)?;
    replay.check_out(commit)?;
    let listed = replay.git_lines(&["ls-files", &format!("{tests}*.py")])?;
    for (number, test) in listed.iter().take(tasks).enumerate() {
        let source = format!("task_{number}.py");
        let verify = format!("PYTHONPATH=src:. python -m pytest -q {test}");
        let new = replay.ftl().args(["new", "Work", "--delta", test, &source]);
        new.args(["--verify", &verify, "--budget", "5"]).silent().run()?;
    }
    let agent = "sleep 2; for file in \"$@\"; do echo '# more' >>\"$file\"; done";
    let jobs = tasks.to_string();
    let words = ["build", "--all", "--check", "never", "--attempts", "1", "--jobs", &jobs];
    let build = replay.ftl().args(words).args(["--evidence", evidence, "--agent", agent]);
    let began = Instant::now();
    build.silent().run()?;
    let took = began.elapsed();
    let mut runs = 0;
    for task in fs::read_dir(replay.root.join(".ftl/runs"))? {
        let outputs = task?.path().join("1/outputs");
        let names = fs::read_dir(outputs).into_iter().flatten().flatten();
        let is_run = |name: &str| {
            ["verify", "baseline", "old-tests", "broken"].iter().any(|it| name.starts_with(it))
        };
        runs += names.filter(|it| is_run(&it.file_name().to_string_lossy())).count();
    }
    Ok((runs, took))
}

const METHOD: &str = "\
## What experiments cost

`cargo xtask evaluate evidence costs DIRECTORY` builds one task, and eight side by side, in real projects, without experiments and with them. Each task changes a
test file and adds a source, by an agent that takes two seconds; its verify command runs that test file.

";
