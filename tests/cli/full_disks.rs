//! Agents on an overlay that write more than they may, or than the disk can take.

use ftl_testkit::scratch::Scratch;

use super::isolation::{RUN, build, possible, with_git};
use crate::support::has_tool;

#[test]
fn an_agent_that_writes_more_than_it_may_is_ended_and_the_task_is_blocked() {
    if !possible() {
        return;
    }
    let project = with_git();
    project.write("ftl.toml", "[scope]\nmax_written = 5000000\n");
    // It would never end.
    let agent = "echo work >> notes.txt; while :; do head -c 1000000 /dev/zero >> fill; done";
    let finished = build(&project, agent).ends(3);
    let block = &finished.json()["block"];
    assert_eq!(block["kind"], "implement_failed");
    let error = block["error"].to_string();
    assert!(error.contains("more than the 5000000 bytes of `scope.max_written`"), "{error}");
    assert!(!project.path().join("fill").exists());
}

#[test]
fn an_agent_that_writes_less_is_left_alone() {
    if !possible() {
        return;
    }
    let project = with_git();
    project.write("ftl.toml", "[scope]\nmax_written = 5000000\nscratch = ['fill']\n");
    build(&project, "echo work >> notes.txt; head -c 4000000 /dev/zero > fill").ends(0);
}

#[test]
fn a_full_disk_is_named_and_blocks_the_task() {
    let mount = ["--mount", "mount", "-t", "tmpfs", "none", "/tmp"];
    if !possible() || !has_tool("root that may mount", "unshare", &mount) {
        return;
    }
    let project = with_git();
    let state = Scratch::new("state").unwrap();
    project.write("agent.sh", "echo work >> notes.txt; head -c 9000000 /dev/zero > fill");
    // The state directory has four megabytes.
    let small = "mount -t tmpfs -o size=4m none $0 && XDG_STATE_HOME=$0 exec \"$FTL\" build 001 \
                 --isolate bind --format json --agent 'sh agent.sh'";
    project.write("build.sh", small);
    let build = format!("unshare --mount sh -c \"$(cat build.sh)\" {}", state.path().display());
    let finished = project.script(&build).ends(3);
    let error = finished.json()["block"]["error"].to_string();
    assert!(error.contains("ended with exit 1; the disk of"), "{error}");
    assert_eq!(project.workspaces(), ["001_a_blocked.xml"]);
    let kept = project.path().join(RUN).join("quarantine/1/fill");
    assert!(kept.exists() || finished.warnings().contains("fill"), "{finished:#?}");
}

#[test]
fn a_limit_of_the_size_of_files_is_an_error_and_ends_no_process_by_a_signal() {
    let project = with_git();
    let built = project.script("ulimit -f 0; \"$FTL\" build 001 --agent 'echo work >> notes.txt'");
    assert_eq!(built.code, Some(1), "{built:#?}");
    assert!(built.stderr.contains("File too large"), "{built:#?}");
    project.ftl(["build", "001", "--agent", "echo work >> notes.txt"]).ends(0);
}

#[test]
fn a_full_state_directory_is_reported_once() {
    let mount = ["--mount", "mount", "-t", "tmpfs", "none", "/tmp"];
    if !possible() || !has_tool("root that may mount", "unshare", &mount) {
        return;
    }
    let project = with_git();
    let state = Scratch::new("state").unwrap();
    project.write(
        "build.sh",
        "mount -t tmpfs -o size=1m none $0; cat /dev/zero > $0/fill 2> /dev/null\n\
         XDG_STATE_HOME=$0 exec \"$FTL\" build 001 --agent 'echo work >> notes.txt'",
    );
    let build = format!("unshare --mount sh -c \"$(cat build.sh)\" {}", state.path().display());
    let built = project.script(&build);
    assert_eq!(built.code, Some(1), "{built:#?}");
    assert_eq!(built.stderr.matches("there is no room").count(), 1, "{built:#?}");
}
