//! Servers, workers and coordinators that end, and requests that are no longer wanted.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use ftl_testkit::fleet::wait_for;
use ftl_testkit::program::{Program, Running};

use super::{AGENT, Fleet, outcomes, project};
use crate::cli::agents::sessions::{IN_STEPS, in_steps};
use crate::support::Project;

/// A build whose agent, at a worker, says that it began, and waits for a file of this name.
fn begun(gate: &str) -> Option<(Fleet, Project, Running)> {
    let mut fleet = Fleet::start("", 0)?;
    let dir = fleet.scratch.path().display().to_string();
    let agent = format!(
        "[agent.script]\ncommand = '''echo x >>{dir}/began; trap 'touch {dir}/ended; exit 1' TERM; \
         until [ -e {dir}/{gate} ]; do sleep 0.05; done; echo agent >>$1'''\n"
    );
    fleet.add(&agent, &[]);
    let project = project("a");
    let build = fleet.begin(&project, &[]);
    wait(&fleet, "began");
    Some((fleet, project, build))
}

fn wait(fleet: &Fleet, name: &str) {
    let path = fleet.scratch.path().join(name);
    wait_for(name, || path.exists().then_some(())).unwrap();
}

#[test]
fn a_server_that_is_gone_until_the_deadline_is_a_limit() {
    let Some(mut fleet) = Fleet::start(AGENT, 0) else {
        return;
    };
    let project = project("ab");
    fleet.server.kill();
    let built = fleet.build(&project, &["--deadline", "2s"]);
    let said = built.json();
    assert_eq!((built.code, outcomes(&said)), (Some(4), vec!["waiting".to_owned(); 2]), "{said:#}");
    assert!(built.stderr.contains("cannot reach the server"), "{built:#?}");
    assert_eq!(project.workspaces().len(), 2);
}

#[test]
fn an_interrupt_removes_the_request_and_ends_the_agent() {
    let Some((mut fleet, project, mut build)) = begun("never") else {
        return;
    };
    build.signal("INT").unwrap();
    assert_eq!(build.wait().unwrap(), Some(130));
    assert_eq!(fleet.stored("FTL").0, 0);
    // The worker looks with its next sign of life.
    wait(&fleet, "ended");
    assert_eq!(project.read("a.txt"), b"before\n");
    // The cancelled request is asked for again by the same command.
    fleet.workers.clear();
    fleet.add(AGENT, &[]);
    let built = fleet.build(&project, &[]);
    assert_eq!(built.code, Some(0), "{built:#?}");
}

#[test]
fn a_coordinator_that_is_killed_takes_up_the_result_that_came_in_between() {
    let Some((fleet, project, build)) = begun("gate") else {
        return;
    };
    drop(build);
    fs::write(fleet.scratch.path().join("gate"), "").unwrap();
    // Its children end with it; the request stays until its result is stored.
    wait_for("the result", || (fleet.stored("FTL").0 == 0).then_some(())).unwrap();
    let built = fleet.build(&project, &[]);
    assert_eq!(built.code, Some(0), "{built:#?}");
    let began = fs::read_to_string(fleet.scratch.path().join("began")).unwrap();
    assert_eq!(began.lines().count(), 1);
}

#[test]
fn a_server_that_is_killed_in_a_request_and_lost_everything_costs_time_alone() {
    let Some((mut fleet, project, mut build)) = begun("gate") else {
        return;
    };
    fleet.server.kill();
    fleet.server.forget().unwrap();
    fs::write(fleet.scratch.path().join("gate"), "").unwrap();
    fleet.server.go_on().unwrap();
    assert_eq!(build.wait().unwrap(), Some(0));
    assert_eq!(project.read("a.txt"), b"before\nagent\n");
}

#[test]
fn a_worker_that_ends_gives_its_request_back() {
    let Some((mut fleet, _project, mut build)) = begun("never") else {
        return;
    };
    fleet.add(AGENT, &[]);
    fleet.workers[0].signal("TERM").unwrap();
    assert_eq!(build.wait().unwrap(), Some(0));
    assert!(fleet.scratch.path().join("ended").exists());
}

#[test]
fn a_request_that_five_times_has_no_result_is_withdrawn_with_the_reasons() {
    let config = format!("{AGENT}[setup]\nrun = 'echo no room here; exit 7'\nwhen = ['*']\n");
    let Some(mut fleet) = Fleet::start(&config, 1) else {
        return;
    };
    let project = project("a");
    let built = fleet.build(&project, &[]);
    let said = built.json();
    assert_eq!(built.code, Some(1), "{built:#?}");
    let error = said["results"][0]["error"]["message"].as_str().unwrap();
    let reason = "(the setup command ended with exit 7: no room here)";
    assert_eq!(error.matches(reason).count(), 5, "{error}");
    assert_eq!(project.workspaces(), ["001_a_active.xml"]);
    assert_eq!(fleet.stored("FTL").0, 0);
    // Nothing of it is in the way of the same command.
    fleet.workers.clear();
    fleet.add(AGENT, &[]);
    let built = fleet.build(&project, &[]);
    assert_eq!(built.code, Some(0), "{built:#?}");
}

/// A project and two workers with an agent that takes sessions, each with the agent in another place.
fn with_sessions(slots: &str) -> Option<(Project, Fleet)> {
    let mut fleet = Fleet::start("", 0)?;
    for worker in 0..2 {
        let bin = fleet.dir(worker).join("bin");
        fs::create_dir_all(&bin).unwrap();
        let codex = bin.join("codex");
        fs::write(&codex, format!("#!/bin/sh\npwd >>\"$0.pwd\"\n{IN_STEPS}\n")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&codex, mode).unwrap();
        let path = format!("{}:/usr/bin:/bin", bin.display());
        fleet.add(
            &format!("[agent.codex]\nenv = {{ set = {{ PATH = '{path}' }} }}\n"),
            &["--agents", "codex", "--slots", slots],
        );
    }
    Some((in_steps(IN_STEPS), fleet))
}

#[test]
fn repairs_and_fixes_go_to_the_worker_and_the_directory_of_the_conversation() {
    let Some((project, fleet)) = with_sessions("3") else {
        return;
    };
    let words = ["build", "001", "--agent", "codex", "--format", "json"].map(str::to_owned);
    let built = project.ftl(words.into_iter().chain(fleet.reached("--workers")));
    assert_eq!(built.code, Some(0), "{built:#?}");
    let read = |worker: usize, name: &str| {
        fs::read_to_string(fleet.dir(worker).join("bin").join(name)).unwrap_or_default()
    };
    let [first, second] = [0, 1].map(|worker| read(worker, "codex.args"));
    let calls = format!("{first}{second}");
    assert!(first.is_empty() || second.is_empty(), "{first} and {second}");
    assert_eq!(calls.lines().count(), 3, "{calls}");
    assert!(calls.lines().skip(1).all(|call| call.starts_with("exec resume ")), "{calls}");
    let places = format!("{}{}", read(0, "codex.pwd"), read(1, "codex.pwd"));
    let places: std::collections::BTreeSet<&str> = places.lines().collect();
    assert_eq!(places.len(), 1, "{places:?}");
    let used = &built.json()["implementer"];
    assert_eq!(
        (&used["tokens"]["input"], &used["said"]),
        (&300.into(), &"Step 3".into()),
        "{used}"
    );
}

/// A worker that is asked to end, and what the server does then.
fn ends_after(with_server: impl FnOnce(&mut Fleet)) {
    let Some(mut fleet) = Fleet::start(AGENT, 1) else {
        return;
    };
    with_server(&mut fleet);
    let began = Instant::now();
    fleet.workers[0].signal("TERM").unwrap();
    fleet.workers[0].wait().unwrap();
    let took = began.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
}

fn signal(fleet: &Fleet, name: &str) {
    let id = fleet.server.id().unwrap().to_string();
    Program::new("kill", Path::new("/")).args([&format!("-{name}"), &id]).run().unwrap();
}

#[test]
fn a_worker_ends_though_the_server_is_gone() {
    ends_after(|fleet| fleet.server.kill());
}

#[test]
fn a_worker_ends_though_the_server_is_frozen() {
    ends_after(|fleet| signal(fleet, "STOP"));
}

#[test]
fn a_worker_ends_its_agent_though_the_server_is_frozen() {
    let Some((mut fleet, _project, build)) = begun("never") else {
        return;
    };
    signal(&fleet, "STOP");
    let began = Instant::now();
    fleet.workers[0].signal("TERM").unwrap();
    fleet.workers[0].wait().unwrap();
    let took = began.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert!(fleet.scratch.path().join("ended").exists());
    drop(build);
}
