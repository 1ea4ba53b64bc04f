//! Requests through workers, all on this machine: what one costs beside a request here, a thousand to 32 workers, and
//! the bytes that bases take.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ftl_testkit::Result;
use ftl_testkit::fleet::{Server, servers, worker};
use ftl_testkit::program::{Program, Running};

use crate::events;
use crate::page::reached;
use crate::sample::Sample;

/// Requests of each kind that are compared.
const ROUNDS: usize = 15;
/// Files of the tree.
const FILES: usize = 5_000;
/// Files that change between two bases.
const CHANGED: usize = 10;
const TASKS: usize = 1_000;
const WORKERS: usize = 32;
/// Requests under way at once.
const JOBS: usize = WORKERS;

const AGENT: &str = "[agent.script]\ncommand = '''for path; do echo agent >>$path; done'''\n";

/// Measures and renders.
pub(crate) fn part(ftl: &Path, scratch: &Path) -> Result<String> {
    let Some(program) = servers().pop() else {
        return Err("needs nats-server".into());
    };
    let mut page = String::from(
        "## Workers\n\n\
         The server, the workers and the build run on this machine; agents are shell commands that add a line. A request lasts from\n\
         the end of the plan to the event of the work. Memory is the proportional set size of all processes, the largest sum of\n\
         samples every 0.3 s.\n\n\
         | what | measured | target | met |\n|---|---:|---:|---|\n",
    );
    let bench = Bench { ftl: ftl.to_owned(), dir: scratch.to_owned() };
    let server = Server::start(&program, &scratch.join("server"), "")?;
    let one = vec![bench.worker(0, &server)?];
    bench.requests(&server, &mut page)?;
    bench.many(&server, one, &mut page)?;
    Ok(page)
}

struct Bench {
    ftl: PathBuf,
    dir: PathBuf,
}

impl Bench {
    fn worker(&self, number: usize, server: &Server) -> Result<Running> {
        let dir = self.dir.join(format!("worker-{number}"));
        fs::create_dir_all(&dir)?;
        fs::write(dir.join("ftl.toml"), AGENT)?;
        worker(Program::new(&self.ftl, &dir), &server.url(), &[], &dir)
    }

    /// A repository with tasks that each change a file.
    fn project(&self, name: &str, files: usize, tasks: usize) -> Result<PathBuf> {
        let root = self.dir.join(name);
        fs::create_dir_all(root.join(".ftl/workspace"))?;
        fs::write(root.join("ftl.toml"), AGENT)?;
        for file in 0..files {
            let dir = root.join(format!("src/{}", file / 50));
            fs::create_dir_all(&dir)?;
            // Text that compresses as source does.
            let lines =
                (0..40).map(|line| format!("let value_{line} = {file} * {};\n", line * file));
            fs::write(dir.join(format!("m{file}.rs")), lines.collect::<String>())?;
        }
        for task in 1..=tasks {
            fs::write(root.join(format!("f{task}.txt")), "before\n")?;
            let text = format!(
                "<workspace status=\"active\"><implementation><delta>f{task}.txt</delta><verify>true</verify>\
                 <budget>5</budget></implementation><delivered/></workspace>\n"
            );
            fs::write(root.join(format!(".ftl/workspace/{task:04}_t_active.xml")), text)?;
        }
        fs::write(root.join(".gitignore"), ".ftl/\n")?;
        for words in [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "before"]] {
            Program::git(&root).args(words).silent().run()?;
        }
        Ok(root)
    }

    fn build(&self, root: &Path, words: &[&str]) -> Program {
        let program = Program::new(&self.ftl, root).env("XDG_STATE_HOME", self.dir.join("state"));
        program.args(["build", "--agent", "script", "--check", "never"]).args(words)
    }

    /// One request at a time, and what the first two bases take.
    fn requests(&self, server: &Server, page: &mut String) -> Result {
        let root = self.project("one", FILES, 2 * ROUNDS + 2)?;
        let (mut here, mut there) = (Sample::default(), Sample::default());
        let mut sent = Vec::new();
        for task in 1..=2 * ROUNDS + 2 {
            let id = format!("{task:04}");
            let path = self.dir.join("events");
            let (events, url, before) = (path.display().to_string(), server.url(), bytes(server)?);
            // In turn, so that a busy moment of the machine strikes both alike.
            let goes_out = task <= 2 || task % 2 == 0;
            let words: &[&str] =
                if goes_out { &["--workers", &url] } else { &["--isolate", "bind"] };
            self.build(&root, &[&[&*id, "--events", &events], words].concat()).silent().run()?;
            if task > 2 {
                let sample = if goes_out { &mut there } else { &mut here };
                sample.add(events::request(&path)?);
                continue;
            }
            sent.push(bytes(server)? - before);
            for file in 0..CHANGED {
                let path = root.join(format!("src/0/m{file}.rs"));
                fs::write(&path, format!("{}// {task}\n", fs::read_to_string(&path)?))?;
            }
        }
        let (here, there) = (here.median(), there.median());
        let more = there - here;
        writeln!(
            page,
            "| a request here, tree of {FILES} files, median of {ROUNDS} | {here:.0} ms | | |"
        )?;
        writeln!(
            page,
            "| the same through a worker that knows the base | {there:.0} ms, {more:.0} more | ≤ 150 ms more | {} |",
            reached(more <= 150.0)
        )?;
        for (what, sent) in
            ["the first base".to_owned(), format!("the next, {CHANGED} files differ")]
                .iter()
                .zip(sent)
        {
            writeln!(
                page,
                "| bytes over the wire for a request with {what} | {} KB | | |",
                sent / 1000
            )?;
        }
        Ok(())
    }

    /// A thousand requests.
    fn many(&self, server: &Server, mut workers: Vec<Running>, page: &mut String) -> Result {
        let root = self.project("many", 0, TASKS)?;
        for number in workers.len()..WORKERS {
            workers.push(self.worker(number, server)?);
        }
        let (before, began, url) = (bytes(server)?, Instant::now(), server.url());
        let words = ["--all", "--jobs", &JOBS.to_string(), "--workers", &url];
        let mut build = self.build(&root, &words).start_into(&self.dir.join("log"))?;
        let (mut most, mut most_of_workers, mut most_of_one) = (0, 0, 0);
        let code = loop {
            if let Some(code) = build.try_wait()? {
                break code;
            }
            most = most.max(memory(&build)?);
            let each = workers.iter().map(memory).collect::<Result<Vec<u64>>>()?;
            most_of_workers = most_of_workers.max(each.iter().sum());
            most_of_one = most_of_one.max(each.into_iter().max().unwrap_or_default());
            sleep(Duration::from_millis(300));
        };
        let seconds = began.elapsed().as_secs_f64();
        if code != Some(0) {
            return Err(format!("the build ended with {code:?}: see {}", self.dir.display()).into());
        }
        let landed = (1..=TASKS).map(|task| fs::read_to_string(root.join(format!("f{task}.txt"))));
        let landed =
            landed.filter(|text| text.as_ref().is_ok_and(|text| text == "before\nagent\n")).count();
        let rate = TASKS as f64 / seconds;
        writeln!(
            page,
            "| {TASKS} requests to {WORKERS} workers, `--jobs {JOBS}`: landed exactly once | {landed} | {TASKS} | {} |",
            reached(landed == TASKS)
        )?;
        writeln!(page, "| the same, requests a second, each with its landing | {rate:.1} | | |")?;
        writeln!(
            page,
            "| the same, memory of the build | {} MiB | ≤ 128 MiB | {} |",
            most >> 20,
            reached(most <= 128 << 20)
        )?;
        writeln!(
            page,
            "| the same, memory of all workers with their agents; of the largest | {} MiB; {} MiB | | |",
            most_of_workers >> 20,
            most_of_one >> 20
        )?;
        let sent = (bytes(server)? - before) / TASKS as u64 / 1000;
        writeln!(page, "| the same, bytes over the wire for a request | {sent} KB | | |")?;
        Ok(())
    }
}

/// Bytes that the server has received and sent.
fn bytes(server: &Server) -> Result<u64> {
    let said = server.monitor("varz")?;
    let number = |name: &str| -> Result<u64> {
        let (_, rest) = said.split_once(&format!("\"{name}\": ")).ok_or("no such figure")?;
        Ok(rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default().parse()?)
    };
    Ok(number("in_bytes")? + number("out_bytes")?)
}

/// The memory of a process and of those below it, in bytes; what they share is divided among them.
fn memory(of: &Running) -> Result<u64> {
    let pages = |id: &u32| {
        let text = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok()
    };
    Ok(of.tree()?.iter().filter_map(pages).sum::<u64>() << 10)
}
