//! What a user saves while an isolated implementer works is never replaced, whatever kind of file it is.

use ftl_testkit::program::Program;

use super::isolation::{possible, with_git, with_pipes};
use crate::support::task;
use crate::support::{FTL, Finished, Project, has_tool};

const RUN: &str = ".ftl/runs/001_a/1";

/// Builds with `words` while a user runs `script`: the agent has done its work by then, and has not ended.
fn build_while(words: &str, configuration: &str, agent: &str, user: &str) -> (Project, Finished) {
    let (project, outside) = with_pipes();
    project.write("ftl.toml", configuration);
    project.commit();
    project.write(".env", "KEY=1\n");
    let dir = outside.path().display();
    let finished = project.script(&format!(
            "\"$FTL\" build {words} --isolate bind --format json --agent '{agent}; \
             [ -e {dir}/again ] || {{ echo > {dir}/again; echo > {dir}/started; read go < {dir}/go; }}' & \
             read line < {dir}/started; {user}; echo > {dir}/go; wait $!"
        ),
    );
    (project, finished)
}

#[track_caller]
fn assert_both_kept(project: &Project, finished: &Finished, paths: &[&str]) {
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    let block = finished.json()["block"].clone();
    assert_eq!(block["kind"], "land_conflict", "{block:#}");
    assert_eq!(finished.json()["attempt"], 1, "{finished:#?}");
    for path in paths {
        assert_eq!(project.read(path), b"user\n", "{path}");
        let kept = project.read(format!("{RUN}/conflicts/{path}"));
        assert_eq!(kept, b"agent\n", "{path}");
        let error = block["error"].as_str().unwrap();
        let begin = "changed in the project while the implementer worked: ";
        assert!(error.starts_with(begin) && error.contains(path), "{error}");
        let unknown = block["unknown"].as_str().unwrap();
        assert!(
            unknown.contains(path) && unknown.contains(&format!("{RUN}/conflicts")),
            "{unknown}"
        );
    }
}

#[test]
fn an_allowed_file_that_both_changed_is_not_replaced() {
    if !possible() {
        return;
    }
    for (agent, path) in
        [("echo agent > other.txt", "other.txt"), ("echo agent > new.lock", "new.lock")]
    {
        let agent = format!("echo work >> notes.txt; {agent}");
        let (project, finished) = build_while(
            "001",
            "[scope]\nallow = [\"other.txt\", \"*.lock\"]\n",
            &agent,
            &format!("echo user > {path}"),
        );
        assert_both_kept(&project, &finished, &[path]);
        assert_eq!(project.read("notes.txt"), b"before\n", "nothing lands of a conflict");
    }
}

#[test]
fn an_ignored_file_that_both_made_stays_the_users() {
    if !possible() {
        return;
    }
    for path in [".env", "new.log"] {
        let agent = format!("echo work >> notes.txt; echo agent > {path}");
        let (project, finished) = build_while("001", "", &agent, &format!("echo user > {path}"));
        assert_eq!(finished.code, Some(0), "{path}: {finished:#?}");
        assert_eq!(project.read(path), b"user\n", "{path}");
    }
}

/// What the implementer only wrote again does not meet the user's version.
#[test]
fn a_file_written_again_unchanged_does_not_count() {
    if !possible() {
        return;
    }
    let agent = "echo work >> notes.txt; echo x > other.txt; echo other > other.txt";
    let (project, finished) = build_while("001", "", agent, "echo user > other.txt");
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(project.read("other.txt"), b"user\n");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
}

#[test]
fn a_delta_file_written_again_unchanged_is_no_conflict() {
    if !possible() {
        return;
    }
    let agent = "echo x > notes.txt; echo before > notes.txt";
    let (project, finished) = build_while("001", "", agent, "echo user > notes.txt");
    assert_eq!(project.read("notes.txt"), b"user\n");
    let kind = finished.json()["block"]["kind"].clone();
    assert_eq!(kind, "implement_failed", "there is no work: {finished:#?}");
    assert!(!project.path().join(RUN).join("conflicts").exists());
}

/// Builds with an agent that runs one script of `sed` in a Python file, while the user runs another there.
fn build_merging(agent: &str, user: &str) -> (Project, Finished) {
    let (project, outside) = with_pipes();
    project.write("a.py", "a = 1\n\n\n\n\n\n\n\n# end\n");
    project.add("001_a", task().delta(&["a.py"]));
    project.commit();
    let dir = outside.path().display();
    let finished = project.script(&format!(
        "\"$FTL\" build 001 --isolate bind --format json --agent 'sed -i \"{agent}\" a.py; \
             echo > {dir}/started; read go < {dir}/go' & \
             read line < {dir}/started; sed -i '{user}' a.py; echo > {dir}/go; wait $!"
    ));
    (project, finished)
}

#[test]
fn changes_at_different_places_of_a_delta_file_are_merged() {
    if !possible() {
        return;
    }
    let (project, finished) = build_merging("1s/.*/a = 2/", "9s/.*/# the end/");
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(project.read("a.py"), b"a = 2\n\n\n\n\n\n\n\n# the end\n");
    let warnings = finished.warnings();
    assert!(warnings.contains("merged") && warnings.contains("a.py"), "{warnings}");
}

/// Each version parses, and both together do not.
#[test]
fn a_merge_that_does_not_parse_is_not_taken() {
    if !possible() {
        return;
    }
    let (project, finished) = build_merging("1s/.*/a = [1,/; 9s/.*/2]/", "5s/.*/b = 2/");
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    let block = finished.json()["block"].clone();
    assert_eq!(block["kind"], "land_conflict", "{finished:#?}");
    assert_eq!(project.read("a.py"), b"a = 1\n\n\n\nb = 2\n\n\n\n# end\n");
    let kept = project.read(format!("{RUN}/conflicts/a.py"));
    assert_eq!(kept, b"a = [1,\n\n\n\n\n\n\n\n2]\n");
}

#[test]
fn a_conflict_ends_the_attempts() {
    if !possible() {
        return;
    }
    let (project, finished) =
        build_while("001 --attempts 3", "", "echo agent > notes.txt", "echo user > notes.txt");
    assert_both_kept(&project, &finished, &["notes.txt"]);
    assert!(!finished.json()["next"].to_string().contains("--attempts"), "{finished:#?}");
}

#[test]
fn the_version_of_the_user_stays_when_another_task_follows() {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    project.add("002_b", task().delta(&["second.txt"]));
    let dir = outside.path().display();
    let agent = format!(
        "case $1 in notes.txt) echo agent > notes.txt; echo > {dir}/started; read go < {dir}/go;; \
         *) echo work > second.txt;; esac"
    );
    let finished = project
        .script(&format!(
            "\"$FTL\" build --all --isolate bind --agent '{agent}' & \
             read line < {dir}/started; echo user > notes.txt; echo > {dir}/go; wait $!"
        ))
        .ends(3);
    assert_eq!(project.read("notes.txt"), b"user\n");
    assert_eq!(project.read("second.txt"), b"work\n");
    assert_eq!(project.read(format!("{RUN}/conflicts/notes.txt")), b"agent\n");
    assert!(finished.stdout.contains("the project changed in the same places"), "{finished:#?}");
    assert_eq!(project.workspaces(), ["001_a_blocked.xml", "002_b_complete.xml"]);
}

/// Each rename of ftl is slowed down, so that the save comes between its look and its rename.
#[test]
fn a_save_during_the_take_over_is_not_lost() {
    let works = ["-qq", "-o", "/dev/null", "-e", "inject=rename:delay_enter=1", "true"];
    if !possible() || !has_tool("strace", "strace", &works) {
        return;
    }
    let project = with_git();
    let calls = "rename,renameat,renameat2";
    let user = "i=0; while [ $i -lt 3000 ] && [ ! -e .notes.txt.ftl-new ]; do sleep 0.002; i=$((i + 1)); done; \
                echo user > .mine; mv .mine notes.txt";
    let build = format!(
        "({user}) & strace -f -qq -o /dev/null -e trace={calls} -e inject={calls}:delay_enter=300000 \
         \"$FTL\" build 001 --isolate bind --format json --agent 'echo agent > notes.txt'; code=$?; \
         wait; exit $code"
    );
    let finished = Finished::of(
        Program::new("sh", project.path()).without_cargo().env("FTL", FTL).args(["-c", &build]),
    );
    assert_both_kept(&project, &finished, &["notes.txt"]);
    let left = project.path().read_dir().unwrap().flatten().map(|entry| entry.file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains(".ftl-")).collect();
    assert!(left.is_empty(), "{left:?}");
}
