//! `ftl build --workers`: requests that workers perform, by way of a real server.

mod access;
mod faults;
mod records;
mod trees;

use std::fs;
use std::path::Path;

use ftl_testkit::build_tools;
use ftl_testkit::fleet::{self, Server, servers, wait_for};
use ftl_testkit::program::{Program, Running};
use ftl_testkit::scratch::Scratch;
use serde_json::Value;

use super::jobs::{add, of, outcomes};
use super::stale_products;
use crate::support::{FTL, Finished, Project, STATE, has_tool};

/// The credential that the server asks for.
const TOKEN: &str = "a-token-of-these-tests";

/// Adds a line to each delta file.
const AGENT: &str = "[agent.script]\ncommand = '''for path; do echo agent >>$path; done'''\n";

/// A server with workers, each with a directory for its configuration and what it keeps.
struct Fleet {
    scratch: Scratch,
    server: Server,
    workers: Vec<Running>,
}

impl Fleet {
    /// `None` where there is no server to test with.
    fn start(configuration: &str, workers: usize) -> Option<Self> {
        let Some(program) = servers().into_iter().next_back() else {
            skip();
            return None;
        };
        Some(Self::start_with(&program, configuration, workers))
    }

    fn start_with(program: &Path, configuration: &str, workers: usize) -> Self {
        let scratch = Scratch::new("fleet").unwrap();
        let own = format!("authorization {{ token: {TOKEN:?} }}");
        let server = Server::start(program, &scratch.path().join("server"), &own).unwrap();
        fs::write(scratch.path().join("token"), TOKEN).unwrap();
        let mut fleet = Self { scratch, server, workers: Vec::new() };
        for _ in 0..workers {
            fleet.add(configuration, &[]);
        }
        fleet
    }

    /// Starts a worker.
    fn add(&mut self, configuration: &str, words: &[&str]) {
        let dir = self.dir(self.workers.len());
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("ftl.toml"), configuration).unwrap();
        let program = Program::new(FTL, &dir).without_cargo().env("NO_COLOR", "1");
        let creds = self.creds();
        let words = [&["--creds", &creds], words].concat();
        let worker = fleet::worker(program, &self.server.url(), &words, &dir).unwrap();
        self.workers.push(worker);
    }

    /// The directory of a worker.
    fn dir(&self, worker: usize) -> std::path::PathBuf {
        self.scratch.path().join(format!("worker-{worker}"))
    }

    fn creds(&self) -> String {
        self.scratch.path().join("token").display().to_string()
    }

    /// The arguments by which a command uses the server.
    fn reached(&self, option: &str) -> Vec<String> {
        [option, &self.server.url(), "--creds", &self.creds()].map(str::to_owned).to_vec()
    }

    fn build(&self, project: &Project, words: &[&str]) -> Finished {
        let own = ["build", "--all", "--jobs", "4", "--agent", "script", "--format", "json"];
        let all = own.iter().chain(words).map(|word| (*word).to_owned());
        project.ftl(all.chain(self.reached("--workers")))
    }

    /// Starts a build that is to be disturbed.
    fn begin(&self, project: &Project, words: &[&str]) -> Running {
        let own = ["build", "--all", "--jobs", "4", "--agent", "script"];
        let all = own.iter().chain(words).map(|word| (*word).to_owned());
        let program = Program::new(FTL, project.path()).without_cargo().env("NO_COLOR", "1");
        let program =
            program.env("XDG_STATE_HOME", STATE).args(all.chain(self.reached("--workers")));
        program.start_into(&self.scratch.path().join("build.log")).unwrap()
    }

    /// Messages and bytes of a stream.
    fn stored(&self, stream: &str) -> (u64, u64) {
        let said: Value =
            serde_json::from_str(&self.server.monitor("jsz?streams=true").unwrap()).unwrap();
        let streams = said["account_details"][0]["stream_detail"].as_array().unwrap();
        let found = streams.iter().find(|at| at["name"] == stream).unwrap();
        let number = |name: &str| found["state"][name].as_u64().unwrap();
        (number("messages"), number("bytes"))
    }
}

fn skip() {
    #[expect(clippy::print_stderr, reason = "a skipped test says so")]
    {
        eprintln!("skipped: needs nats-server");
    }
}

/// A repository with one committed file for each letter, and a task for each.
fn project(letters: &str) -> Project {
    let project = Project::empty();
    for (number, letter) in (1..).zip(letters.chars()) {
        let file = format!("{letter}.txt");
        project.write(&file, "before\n");
        add(&project, number, letter, &of(&[&file], &format!("grep -q agent {file}")));
    }
    project.write("ftl.toml", AGENT);
    project.commit();
    project
}

#[test]
fn workers_of_every_server_perform_the_requests_and_leave_nothing_there() {
    let all = servers();
    if all.is_empty() {
        return skip();
    }
    for program in all {
        // Each result is too large for a message.
        let agent = "[agent.script]\ncommand = '''for path; do echo agent >>$path; head -c 900000 /dev/urandom >>$path; done'''\n";
        let fleet = Fleet::start_with(&program, agent, 2);
        let project = project("abcd");
        let built = fleet.build(&project, &[]);
        let said = built.json();
        let complete = vec!["complete".to_owned(); 4];
        assert_eq!((built.code, outcomes(&said)), (Some(0), complete), "{built:#?}");
        for letter in "abcd".chars() {
            assert!(project.read(format!("{letter}.txt")).starts_with(b"before\nagent\n"));
        }
        let changed = Program::git(project.path()).args(["status", "--porcelain"]).text().unwrap();
        assert!(!changed.contains("project-id"), "{changed}");
        assert_eq!(fleet.stored("FTL").0, 0);
        // What was deleted leaves some hundred bytes each.
        let (_, bytes) = fleet.stored("OBJ_ftl-objects");
        assert!(bytes < 40_000, "{bytes}");
    }
}

#[test]
fn a_file_that_comes_from_a_worker_is_newer_than_the_products_of_the_landing_before_it() {
    for tool in build_tools::OTHERS.iter().chain([&build_tools::MAKE]) {
        for is_right in [true, false] {
            let Some(mut fleet) = Fleet::start("", 0) else {
                return;
            };
            if !has_tool(tool.probe, "sh", &["-c", tool.probe]) {
                continue;
            }
            let dir = fleet.scratch.path().to_owned();
            stale_products::beside(tool, is_right, &dir, |config| {
                fleet.add(config, &["--slots", "2"]);
                fleet.reached("--workers").join(" ")
            });
        }
    }
}

#[test]
fn workers_that_are_alive_are_listed_with_their_agents_and_work() {
    let Some(mut fleet) = Fleet::start("", 0) else {
        return;
    };
    let project = project("a");
    let list = |fleet: &Fleet, format: &[&str]| {
        let words =
            ["worker".to_owned(), "list".to_owned()].into_iter().chain(fleet.reached("--connect"));
        project.ftl(words.chain(format.iter().map(|word| (*word).to_owned())))
    };
    assert_eq!(list(&fleet, &[]).stdout, "no workers\n");
    let gate = fleet.scratch.path().join("gate").display().to_string();
    let slow = format!(
        "[agent.script]\ncommand = '''until [ -e {gate} ]; do sleep 0.05; done; echo agent >>a.txt'''\n"
    );
    fleet.add(&slow, &["--slots", "3"]);
    let mut build = fleet.begin(&project, &[]);
    wait_for("the request", || {
        let said = list(&fleet, &["--format", "json"]).json();
        let worker = said["workers"][0].clone();
        (worker["doing"][0]["task"] == "001_a" && worker["slots"] == 3).then_some(())
    })
    .unwrap();
    let text = list(&fleet, &[]).stdout;
    for part in ["agents script", "1 of 3 busy", "001_a with script since 20"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    fs::write(&gate, "").unwrap();
    assert_eq!(build.wait().unwrap(), Some(0));
}

#[test]
fn a_local_trial_prints_the_command_that_builds_with_it() {
    if servers().is_empty() {
        return skip();
    }
    let project = project("ab");
    let state = Scratch::new("state").unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let program = Program::new(FTL, project.path()).without_cargo();
    let program =
        program.env("XDG_STATE_HOME", state.path()).env("PATH", format!("{path}:/usr/sbin"));
    let log = project.path().join(".ftl/trial.log");
    let mut trial = program.args(["worker", "local"]).start_into(&log).unwrap();
    let command = wait_for("the command", || {
        let text = fs::read_to_string(&log).ok()?;
        let line = text.lines().find(|line| line.trim_start().starts_with("ftl build"))?;
        Some(line.trim().to_owned())
    })
    .unwrap();
    assert!(command.contains("--agent script"), "{command}");
    let words = command.split(' ').skip(1).chain(["--format", "json"]);
    let built = project.ftl(words);
    assert_eq!(built.code, Some(0), "{built:#?}");
    trial.signal("INT").unwrap();
    assert_eq!(trial.wait().unwrap(), Some(0));
}
