//! Tasks that workers build while workers, the server and the coordinator are killed, workers are stopped for longer
//! than their lease, and one worker forges results; then tasks whose every value on the server is spoilt.

mod damage;
mod faults;
mod forger;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;
use ftl_testkit::fleet::{Server, servers, worker};
use ftl_testkit::program::{Program, Running};
use ftl_testkit::random::{Draw, Rng};
use ftl_testkit::scratch::Scratch;

use faults::{Counts, Fault};
use forger::{FORGERIES, Forgery, OUTSIDE};
use ftl_testkit::sweep::Size;

const TOKEN: &str = "of-the-sweep";
const SEED: u64 = 20_261_125;
/// Longer than a request is a worker's without a word from it.
const STOPPED: Duration = Duration::from_secs(75);
/// Parts of the errors that builds print: of a forged version, of five forged results of one task, of files outside
/// the delta, and of the kills.
const EXPECTED: [&str; 4] =
    ["of version 999", "none had a result: forger", "outside the delta", "interrupted by"];
/// How long a build may take whose values are spoilt, however busy the machine is.
const SPOILT: Duration = Duration::from_secs(900);
/// Runs of the command until every task must have ended.
const MOST_BUILDS: u32 = 60;

/// How much is built, by how many.
#[derive(Clone, Copy)]
struct Scale {
    tasks: usize,
    workers: usize,
    /// Seconds that an agent takes at most.
    seconds: u32,
    /// Bytes of each objective.
    objective: usize,
    /// Between two faults.
    pause: Duration,
    /// Whether workers are killed and stopped, which costs a minute each.
    is_patient: bool,
}

/// Runs the sweep.
///
/// # Errors
///
/// A task did not end as it must, or the fleet could not be started.
pub(super) fn run(size: Size) -> Result {
    let scale = match size {
        Size::Sample => Scale {
            tasks: 24,
            workers: 4,
            seconds: 1,
            objective: 0,
            pause: Duration::from_secs(3),
            is_patient: false,
        },
        Size::Full => Scale {
            tasks: 100,
            workers: 8,
            seconds: 8,
            objective: 0,
            pause: Duration::from_secs(5),
            is_patient: true,
        },
    };
    let all = servers();
    if all.is_empty() {
        println!("skipped: needs nats-server");
    }
    all.iter().try_for_each(|program| {
        run_spoilt(program)?;
        run_with(program, scale)
    })
}

/// Builds while values on the server are spoilt. Every build must end, and every task be complete after a few.
fn run_spoilt(program: &Path) -> Result {
    let scratch = Scratch::new("spoilt")?;
    let cases = damage::cases();
    let scale = Scale {
        tasks: cases.len(),
        workers: 4,
        seconds: 0,
        objective: 300_000,
        pause: Duration::ZERO,
        is_patient: false,
    };
    let arena = Arena { dir: scratch.path().to_owned(), ftl: named_or_release()?, scale };
    arena.lay()?;
    let config = format!("authorization {{ token: {TOKEN:?} }}");
    let server = Server::start(program, &arena.dir.join("server"), &config)?;
    let url = server.url();
    let began = Instant::now();
    let (spoilt, is_over) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let builds = std::thread::scope(|scope| -> std::result::Result<u32, String> {
        let words = arena.dir.join("list");
        let listed = arena.program(&arena.dir).args(["worker", "list", "--connect", &url]);
        let listed = listed.args(["--creds", &arena.dir.join("token").display().to_string()]);
        let listed = listed.start_into(&words).and_then(|mut it| it.wait());
        listed.map_err(|error| error.to_string())?;
        let spoiling = scope.spawn(|| {
            damage::spoil((&url, TOKEN), &spoilt, &is_over).map_err(|error| error.to_string())
        });
        let built = arena.build_spoilt(&url).map_err(|error| error.to_string());
        is_over.store(true, Ordering::Relaxed);
        spoiling.join().map_err(|_| "what spoils panicked".to_owned())??;
        built
    })?;
    let misses = arena.misses(&BTreeMap::new())?;
    for miss in &misses {
        println!("MISS {miss}");
    }
    let spoilt = spoilt.into_inner()?;
    println!(
        "{} of {} values spoilt in {} s: {builds} builds; {:?}; {} not as they must",
        spoilt.len(),
        cases.len(),
        began.elapsed().as_secs(),
        damage::counted(&spoilt),
        misses.len()
    );
    let untried: Vec<_> = (0..cases.len()).filter(|it| !spoilt.contains(it)).collect();
    if !untried.is_empty() {
        return Err(format!(
            "never spoilt: {:?}",
            untried.iter().map(|it| cases[*it]).collect::<Vec<_>>()
        )
        .into());
    }
    if misses.is_empty() { Ok(()) } else { Err("tasks ended otherwise than they must".into()) }
}

fn run_with(program: &Path, scale: Scale) -> Result {
    let scratch = Scratch::new("workers")?;
    let arena = Arena { dir: scratch.path().to_owned(), ftl: named_or_release()?, scale };
    arena.lay()?;
    let began = Instant::now();
    let config = format!("authorization {{ token: {TOKEN:?} }}");
    let mut server = Server::start(program, &arena.dir.join("server"), &config)?;
    let url = server.url();
    let (stored, is_over) = (Mutex::new(BTreeMap::new()), AtomicBool::new(false));
    let over = || is_over.load(Ordering::Relaxed);
    let mut counts = Counts::default();
    let ended = std::thread::scope(|scope| -> std::result::Result<(), String> {
        let forging = scope
            .spawn(|| forger::work((&url, TOKEN), &stored, &over).map_err(|it| it.to_string()));
        let built = arena.build_all(&url, &mut server, &mut counts);
        is_over.store(true, Ordering::Relaxed);
        forging.join().map_err(|_| "the forger panicked".to_owned())??;
        built.map_err(|error| error.to_string())
    });
    ended?;
    let stored = stored.into_inner()?;
    let misses = arena.misses(&stored)?;
    for miss in &misses {
        println!("MISS {miss}");
    }
    let performed = fs::read_to_string(arena.dir.join("began"))?.lines().count();
    let (forgeries, seconds) = (stored.values().flatten().count(), began.elapsed().as_secs());
    println!(
        "{}: {} tasks with {} workers in {seconds} s: {performed} agents started; {counts}; {forgeries} of {} forgeries; {} not as they must",
        Program::new(program, Path::new("/")).args(["--version"]).text()?.trim(),
        scale.tasks,
        scale.workers,
        FORGERIES.len(),
        misses.len()
    );
    if misses.is_empty() { Ok(()) } else { Err("tasks ended otherwise than they must".into()) }
}

struct Arena {
    dir: PathBuf,
    ftl: PathBuf,
    scale: Scale,
}

impl Arena {
    fn project(&self) -> PathBuf {
        self.dir.join("project")
    }

    fn name(number: usize) -> String {
        format!("{number:03}_t")
    }

    fn lay(&self) -> Result {
        let project = self.project();
        fs::create_dir_all(project.join(".ftl/workspace"))?;
        let began = self.dir.join("began");
        let agent = format!(
            "[agent.script]\ncommand = '''echo x >>{}; sleep $(($$ % {})); echo \"done ${{1%.txt}}\" >>$1'''\n",
            began.display(),
            self.scale.seconds + 1
        );
        fs::write(project.join("ftl.toml"), &agent)?;
        fs::write(self.dir.join("token"), TOKEN)?;
        fs::write(began, "")?;
        for number in 1..=self.scale.tasks {
            let name = Self::name(number);
            fs::write(project.join(format!("{name}.txt")), "before\n")?;
            // A prompt that travels as an object.
            let objective = "words ".repeat(self.scale.objective / 6);
            let task = format!(
                "<workspace status=\"active\"><objective>{objective}</objective><implementation><delta>{name}.txt</delta><verify>grep -q done {name}.txt\
                 </verify></implementation><delivered/></workspace>\n"
            );
            fs::write(project.join(format!(".ftl/workspace/{name}_active.xml")), task)?;
        }
        for words in [
            &["init", "--quiet"] as &[&str],
            &["add", "--all"],
            &["commit", "--quiet", "--message", "before"],
        ] {
            Program::git(&project).args(words).run()?;
        }
        Ok(())
    }

    fn program(&self, dir: &Path) -> Program {
        Program::new(&self.ftl, dir).without_cargo().env("XDG_STATE_HOME", self.dir.join("state"))
    }

    fn worker(&self, number: usize, url: &str) -> Result<Running> {
        let dir = self.dir.join(format!("worker-{number}"));
        fs::create_dir_all(&dir)?;
        fs::copy(self.project().join("ftl.toml"), dir.join("ftl.toml"))?;
        let creds = self.dir.join("token").display().to_string();
        worker(self.program(&dir), url, &["--creds", &creds], &dir)
    }

    fn build(&self, url: &str) -> Result<Running> {
        let jobs = (2 * self.scale.workers).to_string();
        let creds = self.dir.join("token").display().to_string();
        let words = ["build", "--all", "--jobs", &jobs, "--check", "never", "--agent", "script"];
        let program = self.program(&self.project()).args(words);
        program.args(["--workers", url, "--creds", &creds]).start_into(&self.dir.join("build.log"))
    }

    /// Runs the command until no task is active, with a fault every now and then.
    fn build_all(&self, url: &str, server: &mut Server, counts: &mut Counts) -> Result {
        let mut random = Rng::with_seed(SEED);
        let mut workers: Vec<Running> = (0..self.scale.workers)
            .map(|number| self.worker(number, url))
            .collect::<Result<_>>()?;
        let mut stopped: BTreeMap<usize, Instant> = BTreeMap::new();
        let faults: &[Fault] = if self.scale.is_patient { &Fault::PATIENT } else { &Fault::QUICK };
        let mut turn = 0;
        let mut next = Instant::now() + self.scale.pause;
        while self.is_active()? {
            counts.builds += 1;
            if counts.builds > MOST_BUILDS {
                return Err(format!(
                    "tasks are active after {MOST_BUILDS} builds: see {}",
                    self.dir.display()
                )
                .into());
            }
            let mut build = self.build(url)?;
            while build.try_wait()?.is_none() {
                sleep(Duration::from_millis(100));
                let over: Vec<usize> = stopped
                    .iter()
                    .filter(|(_, since)| since.elapsed() > STOPPED)
                    .map(|it| *it.0)
                    .collect();
                for number in over {
                    stopped.remove(&number);
                    workers[number].signal("CONT")?;
                }
                if Instant::now() < next {
                    continue;
                }
                next = Instant::now() + self.scale.pause;
                let fault = faults[turn % faults.len()];
                turn += 1;
                let number = random.below(workers.len());
                *counts.faults.entry(fault).or_default() += 1;
                match fault {
                    Fault::StopWorker if stopped.len() < self.scale.workers / 2 => {
                        stopped.entry(number).or_insert_with(Instant::now);
                        workers[number].signal("STOP")?;
                    }
                    Fault::KillWorker | Fault::EndWorker if !stopped.contains_key(&number) => {
                        let signal = if fault == Fault::KillWorker { "KILL" } else { "TERM" };
                        workers[number].signal(signal)?;
                        workers[number].wait()?;
                        workers[number] = self.worker(number, url)?;
                    }
                    Fault::KillServer => {
                        server.kill();
                        sleep(Duration::from_secs(1));
                        server.go_on()?;
                    }
                    Fault::KillBuild => build.kill_tree()?,
                    _ => *counts.faults.entry(fault).or_default() -= 1,
                }
            }
        }
        Ok(())
    }

    /// Runs the command until no task is active; how often.
    fn build_spoilt(&self, url: &str) -> Result<u32> {
        let workers = (0..self.scale.workers).map(|number| self.worker(number, url));
        let _workers: Vec<Running> = workers.collect::<Result<_>>()?;
        for count in 1..=MOST_BUILDS / 10 {
            let (mut build, began) = (self.build(url)?, Instant::now());
            while build.try_wait()?.is_none() {
                if began.elapsed() > SPOILT {
                    let left = self.workspaces()?;
                    return Err(format!("a build did not end: {left:?}").into());
                }
                sleep(Duration::from_millis(100));
            }
            if !self.is_active()? {
                return Ok(count);
            }
        }
        Err(format!("tasks are active: {:?}", self.workspaces()?).into())
    }

    fn workspaces(&self) -> Result<Vec<String>> {
        let entries = fs::read_dir(self.project().join(".ftl/workspace"))?;
        Ok(entries
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect())
    }

    fn is_active(&self) -> Result<bool> {
        Ok(self.workspaces()?.iter().any(|name| name.ends_with("_active.xml")))
    }

    /// What is not as it must be.
    fn misses(&self, stored: &BTreeMap<String, Vec<Forgery>>) -> Result<Vec<String>> {
        let (mut misses, workspaces) = (Vec::new(), self.workspaces()?);
        for number in 1..=self.scale.tasks {
            let name = Self::name(number);
            let forgeries = stored.get(&name).cloned().unwrap_or_default();
            let own: Vec<&String> = workspaces.iter().filter(|it| it.starts_with(&name)).collect();
            // What a forger stored goes with a build that is killed, and then an honest worker performs the request.
            let is_blocked = own == [&format!("{name}_blocked.xml")];
            let (status, text) = match forgeries.contains(&Forgery::Outside) && is_blocked {
                true => ("blocked", "before\n".to_owned()),
                false => ("complete", format!("before\ndone {name}\n")),
            };
            let mut miss = |what: String| misses.push(format!("{name} {forgeries:?}: {what}"));
            if own != [&format!("{name}_{status}.xml")] {
                miss(format!("its files are {own:?}"));
                continue;
            }
            let record = fs::read_to_string(self.project().join(".ftl/workspace").join(own[0]))?;
            if record.matches("<run ").count() != 1 {
                miss(format!("it has {} runs", record.matches("<run ").count()));
            }
            let found = fs::read_to_string(self.project().join(format!("{name}.txt")))?;
            if found != text {
                miss(format!("its file holds {found:?}"));
            }
            if status == "blocked" && !OUTSIDE.iter().all(|path| record.contains(path)) {
                miss("its record does not name what is outside".to_owned());
            }
        }
        let log = fs::read_to_string(self.dir.join("build.log"))?;
        let is_known = |line: &&str| EXPECTED.iter().any(|part| line.contains(part));
        let errors = log.lines().filter(|line| line.contains("  error  "));
        misses.extend(errors.filter(|line| !is_known(line)).map(str::to_owned));
        let outside = OUTSIDE.iter().map(|path| self.project().join(path));
        misses.extend(
            outside.filter(|path| path.exists()).map(|path| format!("{} exists", path.display())),
        );
        let status = Program::git(&self.project()).args(["status", "--porcelain"]).text()?;
        let is_known = |line: &&str| line.ends_with(".txt") || line.contains(" .ftl/");
        misses.extend(
            status.lines().filter(|line| !is_known(line)).map(|line| format!("git status: {line}")),
        );
        Ok(misses)
    }
}
