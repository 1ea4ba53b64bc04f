//! Requests that end before their time: by a limit, a signal or a kill. The project is as it was.

use std::fs;
use std::path::Path;

use super::{RUN, build, log, possible, with_git, with_pipes};
use crate::support::{Finished, Project};

#[test]
fn time_limits_and_left_processes_are_as_without_isolation() {
    if !possible() {
        return;
    }
    let project = with_git();
    let agent = "echo work >> notes.txt; sleep 1234 > /dev/null 2>&1 & setsid sleep 1235 & true";
    let finished = build(&project, agent).ends(0);
    let reported = finished.warnings();
    assert!(
        reported.contains("had left") || reported.contains("left running: sleep"),
        "{reported}"
    );

    let project = with_git();
    let limited = "\"$FTL\" build 001 --isolate bind --agent-timeout 1 --format json --agent \
                   'trap \"echo ended; exit 0\" TERM; echo work >> notes.txt; sleep 1236 & wait'";
    let finished = project.script(limited).ends(3);
    let error = finished.json()["block"]["error"].to_string();
    assert!(error.contains("did not end within 1 s"), "{error}");
    assert_eq!(log(&project), "ended\n");
    assert!(!has_process("sleep\u{0}123"));
}

/// Whether a process has a command line that begins like this.
fn has_process(command: &str) -> bool {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| line.starts_with(command.as_bytes()))
}

/// Writes the delta and a stray, says so, and waits; the second time it only works.
fn waiting(outside: &Path) -> String {
    let outside = outside.display();
    format!(
        "echo work >> notes.txt; [ -e {outside}/again ] || {{ echo stray > stray.txt; rm other.txt; \
         echo > {outside}/started; read go < {outside}/go; }}"
    )
}

fn stopped_by(project: &Project, outside: &Path, signal: &str) -> Finished {
    let agent = waiting(outside);
    let started = outside.join("started");
    let finished = project.script(&format!(
        "\"$FTL\" build 001 --isolate bind --agent '{agent}' --format json & \
             read line < {}; kill -{signal} $!; wait $!",
        started.display()
    ));
    fs::write(outside.join("again"), "").unwrap();
    finished
}

#[test]
fn an_interrupt_or_a_kill_leaves_the_tree_alone_and_asks_nothing() {
    if !possible() {
        return;
    }
    for (signal, exit) in
        [("INT", Some(130)), ("TERM", Some(143)), ("HUP", Some(129)), ("KILL", Some(137))]
    {
        let (project, outside) = with_pipes();
        let stopped = stopped_by(&project, outside.path(), signal);
        assert_eq!(stopped.code, exit, "{stopped:#?}");
        assert_eq!(project.read("notes.txt"), b"before\n", "{signal}");
        assert_eq!(project.read("other.txt"), b"other\n", "{signal}");
        assert!(!project.path().join("stray.txt").exists(), "{signal}");
        assert!(!is_mounted(project.path()), "{signal}");
        // What a person does now is theirs, whatever it is.
        project.write("mine.txt", "mine\n");
        project.write("other.txt", "mine\n");
        let again = build(&project, &waiting(outside.path())).ends(0);
        assert_eq!(project.read("notes.txt"), b"before\nwork\n");
        assert_eq!(project.read("mine.txt"), b"mine\n");
        assert_eq!(project.read("other.txt"), b"mine\n");
        let kept = |name: &str| project.read(format!("{RUN}/interrupted/1/{name}"));
        assert_eq!(kept("notes.txt"), b"before\nwork\n", "{signal}");
        assert_eq!(kept("stray.txt"), b"stray\n", "{signal}");
        let reported = format!("{}{}", stopped.stderr, again.stderr);
        assert!(reported.contains("interrupted/1"), "{signal}: {reported}");
        let ours = outside.path().display().to_string();
        assert!(!has_process_with(&ours), "{signal}");
    }
}

fn has_process_with(word: &str) -> bool {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(word))
}

fn is_mounted(path: &Path) -> bool {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    mounts.contains(&path.display().to_string())
}
