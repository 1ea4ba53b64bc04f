//! Tasks whose files are in a submodule, and projects that are one.

use super::isolation::possible;
use crate::support::task;
use crate::support::{Finished, Project};

/// Git's settings for the scripts and the agents.
const SETTINGS: &str = "export GIT_CONFIG_COUNT=3 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always \
    GIT_CONFIG_KEY_1=user.name GIT_CONFIG_VALUE_1=a GIT_CONFIG_KEY_2=user.email GIT_CONFIG_VALUE_2=a@a";

/// A repository `top` with the submodule `top/sub`, and a task in both for a file of it.
fn project() -> Project {
    let project = Project::empty();
    run(
        &project,
        "git init -q lib && cd lib && echo before > notes.txt && echo other > other.txt && git add -A && \
         git commit -qm lib && cd .. && git init -q top && cd top && git submodule --quiet add ../lib sub && \
         git commit -qm sub",
    ).ends(0);
    let above = task().delta(&["sub/notes.txt"]).verify("grep -q work sub/notes.txt");
    project.write("top/.ftl/workspace/001_a_active.xml", above.active());
    let below = task().verify("grep -q work notes.txt");
    project.write("top/sub/.ftl/workspace/001_a_active.xml", below.active());
    project
}

fn run(project: &Project, words: &str) -> Finished {
    project.script(&format!("{SETTINGS}\n{words}"))
}

fn levels() -> Vec<&'static str> {
    if possible() { vec!["bind", "copy"] } else { vec!["copy"] }
}

fn build(project: &Project, root: &str, level: &str, agent: &str) -> Finished {
    let build = format!("cd {root} && \"$FTL\" build 001 --isolate {level} --format json");
    run(project, &format!("{build} --agent '{agent}'"))
}

#[test]
fn a_file_of_a_submodule_lands_and_a_stray_in_it_does_not() {
    for level in levels() {
        let project = project();
        let agent = "echo work >> sub/notes.txt; echo stray >> sub/other.txt";
        let state = "cd top/sub && git rev-parse HEAD && git ls-files -s";
        let before = run(&project, state).stdout;
        let strayed = build(&project, "top", level, agent).ends(0);
        assert_eq!(strayed.json()["strays"], serde_json::json!(["sub/other.txt"]), "{level}");
        assert_eq!(project.read("top/sub/other.txt"), b"other\n");
        assert_eq!(project.read("top/sub/notes.txt"), b"before\nwork\n");
        let kept = project.read("top/.ftl/runs/001_a/1/quarantine/1/sub/other.txt");
        assert_eq!(kept, b"other\nstray\n", "{level}");
        let agent = "echo work > sub/notes.txt; cd sub; git commit -qam theirs";
        run(&project, "cd top && \"$FTL\" reopen 001").ends(0);
        build(&project, "top", level, agent).ends(0);
        assert_eq!(project.read("top/sub/notes.txt"), b"work\n");
        assert_eq!(run(&project, state).stdout, before, "{level}");
    }
}

#[test]
fn a_project_that_is_a_submodule_keeps_its_branch_and_index() {
    // At another path git does not find the repository's directory, which is above the root.
    for level in levels().into_iter().filter(|level| *level == "bind") {
        let project = project();
        let state = "cd top/sub && git rev-parse HEAD && git ls-files -s";
        let before = run(&project, state).stdout;
        let agent = "echo work > notes.txt; git add -A; git commit -qm theirs";
        let built = build(&project, "top/sub", level, agent).ends(0);
        assert_eq!(project.read("top/sub/notes.txt"), b"work\n");
        assert_eq!(run(&project, state).stdout, before, "{level}");
        let warnings = built.warnings();
        assert!(warnings.contains("git log --oneline --glob=refs/ftl/001_a/1/1"), "{warnings}");
    }
}
