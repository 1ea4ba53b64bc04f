//! Sixteen builders at the same tasks, some of them killed: each task is done exactly once.
//!
//! Kills fall at random times here; `kill` puts one at every system call.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;
use ftl_testkit::parallel;
use ftl_testkit::random::{Draw as _, Rng, seed};
use ftl_testkit::sweep::Size;
use ftl_testkit::sweep::sandbox::Sandbox;
use ftl_testkit::sweep::tally::{Column, TrialTally};

const BUILDERS: u64 = 16;

/// One in so many builds is killed.
const KILLED: usize = 6;

/// A build is killed within so many microseconds of its start.
const WITHIN: u64 = 60_000;

/// A builder that goes over the tasks more often than this has found one that cannot be done.
const ROUNDS: usize = 400;

/// Appends, so that work done twice would show, and prints how often it was asked.
const AGENT: &str = "echo asked >> \"$OUT/../root/asked/$1\"; sleep 0.01; echo done >> \"$1\"";

/// How the builders share the work.
#[derive(Clone, Copy, Debug)]
struct Sharing {
    name: &'static str,
    /// Into so many projects the tasks are divided.
    roots: usize,
}

const SHARINGS: &[Sharing] =
    &[Sharing { name: "one root", roots: 1 }, Sharing { name: "16 roots", roots: 16 }];

/// What is counted: an end for each of the first four.
const COLUMNS: [Column; 6] = [
    Column::Sum("complete"),
    Column::Sum("killed"),
    Column::Sum("refused"),
    Column::Sum("too late"),
    Column::Sum("tasks"),
    Column::Sum("asked again"),
];

/// Builds 60 tasks, or 1,000, in each way of sharing.
pub(super) fn run(size: Size) -> Result {
    let ftl = named_or_release()?;
    let seed = seed()?;
    println!("seed {seed}");
    let tally = Mutex::new(TrialTally::new(&["shared"], &COLUMNS));
    for sharing in SHARINGS {
        let projects = Projects::lay_out(*sharing, size.pick(60, 1_000))?;
        projects.build(&ftl, seed, |end| {
            let mut counts = [0; 4];
            counts[end as usize] = 1;
            let mut tally = tally.lock().expect("because no builder panics");
            tally.add(&[sharing.name], &counts, false);
        })?;
        let counts = [0, 0, 0, 0, projects.tasks.len(), projects.check()?];
        tally.lock().expect("because no builder panics").add(&[sharing.name], &counts, false);
    }
    tally.into_inner()?.verdict()
}

/// The projects with their tasks.
struct Projects {
    sandbox: Sandbox,
    /// Of each task the project and the number.
    tasks: Vec<(PathBuf, String)>,
}

/// How a build ended, as far as it matters here, in the order of the columns.
#[derive(Clone, Copy)]
enum BuildEnd {
    Complete,
    Killed,
    /// Another builder was at it.
    Refused,
    /// Another builder had done it.
    Late,
}

impl Projects {
    fn lay_out(sharing: Sharing, count: usize) -> Result<Self> {
        let sandbox = Sandbox::new("builders")?;
        let mut tasks = Vec::new();
        for number in 0..count {
            let root = PathBuf::from(format!("project-{}", number % sharing.roots));
            let id = format!("{number:04}");
            let task = format!(
                "<workspace id=\"{id}-t\" status=\"active\"><implementation>\
                 <delta>{id}.txt</delta><verify>test \"$(wc -l &lt; {id}.txt)\" = 1</verify>\
                 <budget>5</budget></implementation><delivered/></workspace>\n"
            );
            sandbox.write(root.join(format!(".ftl/workspace/{id}_t_active.xml")), task)?;
            tasks.push((root, id));
        }
        fs::create_dir(sandbox.root().join("asked"))?;
        Ok(Self { sandbox, tasks })
    }

    /// All builders at once, each in a different order.
    fn build(&self, ftl: &Path, seed: u64, count: impl Fn(BuildEnd) + Sync) -> Result {
        let builders: Vec<u64> = (0..BUILDERS).collect();
        parallel::map(
            builders.len(),
            &builders,
            || Ok(()),
            |(), builder| {
                self.builder(ftl, Rng::with_seed(seed + builder), builder % 2 == 0, &count)
            },
        )?;
        Ok(())
    }

    /// Goes over the tasks until none is left. Half of the builders wait for locks, the other half
    /// goes on to the next task.
    fn builder(
        &self,
        ftl: &Path,
        mut random: Rng,
        waits: bool,
        count: impl Fn(BuildEnd),
    ) -> Result {
        for _ in 0..ROUNDS {
            let mut left: Vec<&(PathBuf, String)> = self.tasks.iter().collect();
            left.retain(|task| self.is_active(task));
            if left.is_empty() {
                return Ok(());
            }
            random.shuffle(&mut left);
            for task in left {
                if self.is_active(task) {
                    count(self.attempt(ftl, task, &mut random, waits)?);
                }
            }
        }
        Err("some task is never done".into())
    }

    fn attempt(
        &self,
        ftl: &Path,
        (root, id): &(PathBuf, String),
        random: &mut Rng,
        waits: bool,
    ) -> Result<BuildEnd> {
        let program = self.sandbox.program(ftl).args(["build", id, "--root"]);
        let program = program
            .args([root])
            .args(["--agent", AGENT])
            .args(std::env::var("FTL_ISOLATE").map(|level| format!("--isolate={level}")))
            .args(waits.then_some("--wait"));
        let after = random.one_in(KILLED).then(|| random.u64(..WITHIN));
        let output = program.output_killed_after(after.map(Duration::from_micros))?;
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => Ok(BuildEnd::Complete),
            None => Ok(BuildEnd::Killed),
            Some(1) if said.contains("lock_held") => Ok(BuildEnd::Refused),
            Some(1) if said.contains("task_gone") => Ok(BuildEnd::Late),
            Some(2) if said.contains("workspace_finished") => Ok(BuildEnd::Late),
            code => {
                let result = String::from_utf8_lossy(&output.stdout);
                Err(format!("task {id} ended with {code:?}: {result}{said}").into())
            }
        }
    }

    fn is_active(&self, (root, id): &(PathBuf, String)) -> bool {
        let active = format!(".ftl/workspace/{id}_t_active.xml");
        self.sandbox.root().join(root).join(active).exists()
    }

    /// One record a task, each effect once, and nothing else left. Returns how often an agent was
    /// asked once more, since its first answer was interrupted.
    fn check(&self) -> Result<usize> {
        let mut expected: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
        let mut again = 0;
        for (root, id) in &self.tasks {
            let names = expected.entry(root.clone()).or_default();
            names.push(format!("{id}_t_complete.xml"));
            let record = root.join(format!(".ftl/workspace/{id}_t_complete.xml"));
            let record = self.sandbox.read(record)?;
            let runs = record.matches("<run ").count();
            let written = self.sandbox.read(root.join(format!("{id}.txt")))?;
            if runs != 1 || written != "done\n" {
                return Err(format!("task {id}: {runs} runs, wrote {written:?}").into());
            }
            let asked = self.sandbox.read(format!("asked/{id}.txt"))?.lines().count();
            again += asked.saturating_sub(1);
        }
        for (root, names) in expected {
            let found = self.sandbox.names(root.join(".ftl/workspace"))?;
            if found != names {
                return Err(format!("files in {}: {found:?}", root.display()).into());
            }
        }
        match [self.sandbox.temporaries(), self.sandbox.running()].concat().as_slice() {
            [] => Ok(again),
            left => Err(left.join("\n").into()),
        }
    }
}
