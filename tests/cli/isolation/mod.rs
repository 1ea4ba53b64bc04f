//! Agents in a workplace that is mounted at the project's path: what lands, what does not, and whose work it is.

mod levels;
mod stopped;

use std::fs;
use std::os::unix::fs::MetadataExt;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

use super::project;
use crate::support::task;
use crate::support::{Finished, Project, has_tool};

const A: &str = "001_a_active.xml";

pub(super) const RUN: &str = ".ftl/runs/001_a/1";

/// What a kernel must allow, asked without ftl: the namespaces, a mount at another path, and an overlay.
const POSSIBLE: &str = "d=$(mktemp -d) && mkdir $d/l $d/u $d/w && \
    if [ $(id -u) = 0 ]; then set --; else set -- --user --map-current-user --keep-caps; fi && \
    unshare \"$@\" --mount --pid --fork --kill-child sh -c \
    'mount -t overlay o -o lowerdir=$0/l,upperdir=$0/u,workdir=$0/w,userxattr $0/l && \
     mount -t proc p /proc' $d && rm -rf $d";

pub(super) fn possible() -> bool {
    has_tool("binds in namespaces", "sh", &["-c", POSSIBLE])
}

pub(super) fn build(project: &Project, agent: &str) -> Finished {
    let words = ["build", "001", "--isolate", "bind", "--format", "json"];
    project.ftl(words.into_iter().chain(["--agent", agent]))
}

/// A project in git with a file besides the delta.
pub(super) fn with_git() -> Project {
    let project = project(&[A]);
    project.write("other.txt", "other\n");
    project.write(".gitignore", "*.log\nbuild/\n.env\n");
    project.commit();
    project
}

pub(super) fn log(project: &Project) -> String {
    let log = project.read(format!("{RUN}/requests/1/agent.log"));
    String::from_utf8(log).unwrap()
}

#[test]
fn an_isolated_agents_work_comes_into_the_tree() {
    if !possible() {
        return;
    }
    let project = with_git();
    let agent = "test \"$PWD\" = \"$FTL_ROOT\" && echo work >> notes.txt && chmod 755 notes.txt && \
             git status --short && echo '{\"summary\": \"said\"}' > \"$FTL_REPLY\"";
    let finished = build(&project, agent).ends(0);
    let said = finished.json();
    assert_eq!(said["isolation"], "bind");
    assert_eq!(said["delivered"], "said");
    assert_eq!(said["files"][0]["change"], "modified");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    let mode = fs::metadata(project.path().join("notes.txt")).unwrap().mode();
    assert_eq!(mode & 0o777, 0o755);
    let record = project.text(".ftl/workspace/001_a_complete.xml");
    assert!(record.contains("isolation=\"bind\""), "{record}");
}

#[test]
fn files_are_made_and_deleted_as_without_isolation() {
    if !possible() {
        return;
    }
    let project = project(&[]);
    project.add("001_a", task().delta(&["new/deep/a.txt", "gone.txt"]));
    project.write("gone.txt", "here\n");
    build(&project, "mkdir -p new/deep; echo a > new/deep/a.txt; rm gone.txt").ends(0);
    assert_eq!(project.read("new/deep/a.txt"), b"a\n");
    assert!(!project.path().join("gone.txt").exists());
}

#[test]
fn strays_never_come_into_the_tree() {
    if !possible() {
        return;
    }
    let project = with_git();
    let agent = "echo work >> notes.txt; echo s > stray.txt; rm other.txt; mkdir d; echo y > d/y; \
                 echo '#!/bin/sh' > .git/hooks/pre-commit; echo > .ftl/workspace/002_x_active.xml";
    let finished = build(&project, agent).ends(0);
    let said = finished.json();
    let strays = said["strays"].to_string();
    for stray in
        ["\"stray.txt\"", "\"other.txt\"", "\"d/y\"", "\".ftl/workspace/002_x_active.xml\""]
    {
        assert!(strays.contains(stray), "{stray}: {strays}");
    }
    assert_eq!(project.read("other.txt"), b"other\n");
    for path in ["stray.txt", "d", ".git/hooks/pre-commit"] {
        assert!(!project.path().join(path).exists(), "{path}");
    }
    assert_eq!(project.workspaces(), ["001_a_complete.xml"]);
    assert_eq!(project.read(format!("{RUN}/quarantine/1/d/y")), b"y\n");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
}

#[test]
fn a_verify_that_needs_a_dropped_stray_says_so() {
    if !possible() {
        return;
    }
    let project = project(&[]);
    project.add("001_a", task().verify("test -e stray.txt"));
    let finished = build(&project, "echo work >> notes.txt; echo s > stray.txt").ends(3);
    let said = finished.json();
    assert_eq!(said["block"]["kind"], "delta_insufficient", "{said:#}");
    assert!(said["block"]["unknown"].to_string().contains("stray.txt"), "{said:#}");
    let next = said["next"].to_string();
    assert!(next.contains("--take stray.txt"), "{next}");
    assert_eq!(project.read("notes.txt"), b"before\n");
}

#[test]
fn where_strays_block_nothing_lands() {
    if !possible() {
        return;
    }
    let project = with_git();
    project.write("ftl.toml", "[scope]\nstrays = 'block'\n");
    let finished = build(&project, "echo work >> notes.txt; echo s > stray.txt").ends(3);
    assert_eq!(finished.json()["block"]["kind"], "delta_insufficient");
    assert_eq!(project.read("notes.txt"), b"before\n");
    assert!(!project.path().join("stray.txt").exists());
}

/// What a build writes stays in the workplace, and the next task of the same number finds it there.
#[test]
fn caches_and_dependencies_stay_in_the_workplace() {
    if !possible() {
        return;
    }
    let project = with_git();
    project.write("node_modules/old", "1");
    project.write("target/old", "1");
    project.add("002_b", task());
    let agent = "cat node_modules/old target/old; echo work >> notes.txt; echo 2 > node_modules/old; \
                 echo 2 > target/old; mkdir -p target/deep; echo t > target/deep/t";
    let finished = build(&project, agent).ends(0);
    assert_eq!(project.read("node_modules/old"), b"1");
    assert_eq!(project.read("target/old"), b"1");
    assert!(!project.path().join("target/deep").exists(), "{finished:#?}");
    assert_eq!(log(&project), "11");
    let agent = "cat node_modules/old target/deep/t >> notes.txt";
    let words = ["build", "002", "--isolate", "bind", "--agent", agent];
    project.ftl(words).ends(0);
    assert_eq!(project.read("notes.txt"), b"before\nwork\n1t\n");
}

#[test]
fn a_delta_file_that_becomes_another_thing_is_a_failure_and_not_followed() {
    if !possible() {
        return;
    }
    for agent in [
        "ln -sf ../outside notes.txt; echo x > ../outside 2>/dev/null; true",
        "rm notes.txt; mkdir notes.txt",
        "rm notes.txt; mkfifo notes.txt",
    ] {
        let project = with_git();
        let finished = build(&project, agent).ends(3);
        let said = finished.json();
        assert_eq!(said["block"]["kind"], "implement_failed", "{agent}");
        assert_eq!(said["budget"]["used"], 2, "{agent}");
    }
}

/// A project, and a place outside of it with the pipes `started` and `go`.
pub(super) fn with_pipes() -> (Project, Scratch) {
    let outside = Scratch::new("pipes").unwrap();
    let pipes = Program::new("mkfifo", outside.path());
    pipes.args(["started", "go"]).run().unwrap();
    (with_git(), outside)
}

#[test]
fn a_persons_edits_during_a_request_are_theirs() {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    let dir = outside.path().display();
    let agent = format!("echo work >> notes.txt; echo > {dir}/started; read go < {dir}/go");
    let both = format!(
        "\"$FTL\" build 001 --isolate bind --agent '{agent}' --format json & \
         read line < {dir}/started; echo mine > mine.txt; echo mine >> other.txt; echo > {dir}/go; wait $!"
    );
    let finished = project.script(&both).ends(0);
    assert_eq!(finished.json()["strays"].to_string(), "[]");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    assert_eq!(project.read("mine.txt"), b"mine\n");
    assert_eq!(project.read("other.txt"), b"other\nmine\n");
}

#[test]
fn a_delta_file_that_both_wrote_is_not_overwritten() {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    let dir = outside.path().display();
    let agent = format!("echo work >> notes.txt; echo > {dir}/started; read go < {dir}/go");
    let both = format!(
        "\"$FTL\" build 001 --isolate bind --agent '{agent}' --format json & \
         read line < {dir}/started; echo mine > notes.txt; echo > {dir}/go; wait $!"
    );
    let finished = project.script(&both).ends(3);
    let block = finished.json()["block"].clone();
    assert_eq!(block["kind"], "land_conflict");
    let said = block.to_string();
    assert!(said.contains(&format!("{RUN}/conflicts")), "{said}");
    assert_eq!(project.read("notes.txt"), b"mine\n");
    let kept = project.read(format!("{RUN}/conflicts/notes.txt"));
    assert_eq!(kept, b"before\nwork\n");
}

#[test]
fn fixes_that_are_commands_are_isolated_too() {
    if !possible() {
        return;
    }
    let project = project(&[]);
    let verify = "grep -q good a.py || { echo 'Error: it is bad'; exit 1; }";
    let known = "<prior_knowledge><failure name=\"bad\"><trigger>it is bad</trigger>\
                 <fix kind=\"command\">echo good = 1 >> a.py; echo s > stray.txt</fix></failure></prior_knowledge>";
    project.add("001_a", task().delta(&["a.py"]).verify(verify).budget(9).rest(known));
    let agent = "case $FTL_PHASE in implement) echo 'a = (' > a.py;; *) echo 'a = 1' > a.py;; esac";
    let finished = build(&project, agent).ends(0);
    let said = finished.json();
    assert_eq!(said["strays"].to_string(), "[\"stray.txt\"]");
    assert!(!project.path().join("stray.txt").exists());
    assert_eq!(project.read("a.py"), b"a = 1\ngood = 1\n");
}
