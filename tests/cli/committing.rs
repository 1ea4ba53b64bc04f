//! `ftl build --commit`: one commit a task, by the user's own git with the user's hooks.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::support::{Finished, Project, task};

const AGENT: &str = "for path; do echo agent >>$path; done";

fn add(project: &Project, number: u32, delta: &[&str], verify: &str) {
    let objective = format!("<objective>Write task {number} for the test</objective>");
    let task = task().delta(delta).verify(verify).budget(9).rest(&objective);
    project.add(&format!("00{number}_t"), task);
}

fn project() -> Project {
    let project = Project::empty();
    project.write("a.txt", "before\n");
    project.write("other.txt", "before\n");
    add(&project, 1, &["a.txt"], "true");
    project.write(".ftl/.gitignore", "/runs/\n/locks/\n");
    project.commit();
    for (key, value) in [("user.name", "U"), ("user.email", "u@example.org")] {
        project.git(&["config", key, value]);
    }
    project
}

fn build(project: &Project, words: &[&str]) -> Finished {
    project.ftl([&["build", "--agent", AGENT, "--commit", "--format", "json"], words].concat())
}

fn hook(project: &Project, name: &str, script: &str) {
    let path = format!(".git/hooks/{name}");
    project.write(&path, format!("#!/bin/sh\n{script}\n"));
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(project.path().join(path), executable).unwrap();
}

fn warning(said: &Value, of: &str) -> bool {
    let mut warnings = said["warnings"].as_array().unwrap().iter();
    warnings.any(|warning| warning.as_str().unwrap().contains(of))
}

#[test]
fn a_complete_task_is_committed_with_its_record_and_nothing_else() {
    let project = project();
    project.write("other.txt", "staged\n");
    project.git(&["add", "other.txt"]);
    project.write("other.txt", "staged, then edited\n");
    project.write("new.txt", "the user's\n");
    let built = build(&project, &[]);
    let said = built.json();
    assert_eq!(built.code, Some(0), "{said:#}");
    let head = project.git(&["rev-parse", "HEAD"]);
    assert_eq!(said["commit"]["id"], head.as_str(), "{said:#}");
    assert_eq!(project.git(&["log", "-1", "--format=%s|%an"]), "Write task 1 for the test|U");
    assert_eq!(
        project.git(&["log", "-1", "--format=%(trailers:key=Ftl-Task,valueonly)"]).trim(),
        "001_t"
    );
    let shown = project.git(&["show", "--name-status", "--no-renames", "--format="]);
    let expected =
        "D\t.ftl/workspace/001_t_active.xml\nA\t.ftl/workspace/001_t_complete.xml\nM\ta.txt";
    assert_eq!(shown, expected);
    assert_eq!(project.git(&["status", "--short"]), "MM other.txt\n?? new.txt");
}

#[test]
fn new_deleted_and_ignored_files_are_as_git_has_them() {
    let project = project();
    add(&project, 2, &["gone.txt", "made/new.txt", "kept.log"], "true");
    project.write("gone.txt", "before\n");
    project.write(".gitignore", "*.log\n");
    project.git(&["add", "."]);
    project.git(&["commit", "-qm", "more"]);
    let agent = "rm -f gone.txt; mkdir made; echo new >made/new.txt; echo log >kept.log";
    project.ftl(["build", "2", "--agent", agent, "--commit"]).ends(0);
    let shown =
        project.git(&["show", "--name-status", "--no-renames", "--format=", "--", ".", ":!.ftl"]);
    assert_eq!(shown, "D\tgone.txt\nA\tmade/new.txt");
    assert_eq!(project.git(&["status", "--short"]), "");
}

#[test]
fn staged_work_in_the_files_keeps_a_commit_from_being_made() {
    let project = project();
    project.write("a.txt", "staged\n");
    project.git(&["add", "a.txt"]);
    let head = project.git(&["rev-parse", "HEAD"]);
    let said = build(&project, &[]).json();
    assert_eq!(said["outcome"], "complete", "{said:#}");
    assert!(warning(&said, "no commit was made: there are staged changes in a.txt"), "{said:#}");
    assert_eq!(project.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(project.git(&["show", ":a.txt"]), "staged");
}

#[test]
fn hooks_run_without_a_terminal_and_one_that_fails_keeps_a_commit_from_being_made() {
    let project = project();
    hook(&project, "pre-commit", "exec </dev/tty || { echo no terminal >&2; exit 1; }");
    let head = project.git(&["rev-parse", "HEAD"]);
    let said = build(&project, &[]).json();
    assert_eq!(said["outcome"], "complete", "{said:#}");
    assert!(warning(&said, "no commit was made: the hook `pre-commit` failed: "), "{said:#}");
    assert_eq!(project.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(project.git(&["diff", "--cached", "--name-only"]), "");
    let refused = project.program("sh").env("FTL_REQUEST", "r").env("FTL_ROOT", project.path());
    let refused = Finished::of(refused.args(["-c", "\"$FTL\" commit"])).ends(2);
    assert!(refused.stderr.contains("usage::in_request"), "{refused:#?}");
    // It stays due.
    let again = build(&project, &[]);
    assert!(again.stderr.contains("no commit was made: the hook"), "{again:#?}");
    hook(&project, "pre-commit", "true");
    let made = project.ftl(["commit", "1"]).ends(0);
    let head = project.git(&["rev-parse", "HEAD"]);
    assert_eq!(made.stdout, format!("Committed: 001_t {head}\n"));
    assert!(project.ftl(["commit"]).ends(2).stderr.contains("no commit is due"));
    assert_eq!(project.git(&["status", "--short"]), "");
}

/// A hook may do what a person may, and neither loses a commit.
#[test]
fn commits_of_others_stay_whenever_they_come() {
    let bump = "echo 2 >VERSION; git add VERSION; git commit -qm bump";
    let bump = |done: &str| {
        format!("[ -e .git/{done} ] && exit 0; echo >.git/{done}; unset GIT_INDEX_FILE; {bump}")
    };
    for (name, log, index) in [
        ("post-commit", "bump\nWrite task 1 for the test\nfirst", ""),
        ("pre-commit", "Write task 1 for the test\nbump\nfirst", ""),
    ] {
        let project = project();
        project.git(&["commit", "--amend", "-qm", "first"]);
        hook(&project, name, &bump("done"));
        let built = build(&project, &[]);
        let said = built.json();
        assert!(said["commit"]["id"].is_string(), "{name}: {said:#}");
        assert_eq!(project.git(&["log", "--format=%s"]), log, "{name}");
        assert_eq!(project.git(&["status", "--short"]), index, "{name}");
        assert_eq!(project.git(&["show", "HEAD:VERSION"]), "2");
    }
}

#[test]
fn a_hook_that_adds_or_switches_branches_changes_one_commit() {
    let project = project();
    add(&project, 2, &["b.txt"], "true");
    project.git(&["add", "."]);
    project.git(&["commit", "-qm", "second"]);
    project.write("new.txt", "the user's\n");
    hook(&project, "pre-commit", "git add -A");
    let said = build(&project, &["--all"]).json();
    for result in said["results"].as_array().unwrap() {
        assert!(result["commit"]["id"].is_string(), "{said:#}");
    }
    assert_eq!(project.git(&["status", "--short"]), "");

    let project = self::project();
    let branch = project.git(&["branch", "--show-current"]);
    hook(&project, "post-commit", "git switch -qc elsewhere");
    let said = build(&project, &[]).json();
    let id = said["commit"]["id"].as_str().unwrap();
    assert_eq!(project.git(&["rev-parse", &branch]), id);
    assert_eq!(project.git(&["status", "--short"]), "");
}

#[test]
fn an_end_during_a_hook_leaves_the_commit_due() {
    for signal in ["INT", "TERM", "KILL"] {
        let project = project();
        hook(&project, "pre-commit", "[ -e .git/once ] && exit 0; echo >.git/once; exec sleep 3");
        let ended = project.script(&format!(
            "\"$FTL\" build --isolate copy --commit --agent '{AGENT}' & P=$!
             until [ -e .git/once ]; do sleep 0.05; done; kill -{signal} $P; wait $P"
        ));
        assert_ne!(ended.code, Some(0), "{signal}: {ended:#?}");
        let built = build(&project, &[]).ends(0);
        assert!(built.stderr.contains("001_t is committed: "), "{signal}: {built:#?}");
        project.script("sleep 3.2");
        let log = project.git(&["log", "--format=%s"]);
        assert_eq!(log.lines().count(), 2, "{signal}: {log}");
        assert_eq!(project.git(&["status", "--short"]), "", "{signal}");
    }
}

#[test]
fn an_index_that_is_held_and_a_configuration_in_the_environment_keep_nothing_from_a_commit() {
    let project = project();
    project.git(&["config", "--unset", "user.name"]);
    project.write("ftl.toml", "[build]\ncommit = true\ntrailers = [\"Reviewed-by: R\"]\n");
    let built = project.script(&format!(
        "echo >.git/index.lock; (sleep 1; rm .git/index.lock) & GIT_CONFIG_COUNT=1 \
         GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=Jo \"$FTL\" build --format json --agent '{AGENT}'"
    ));
    let said = built.json();
    assert_eq!(said["warnings"], serde_json::json!([]), "{said:#}");
    assert_eq!(project.git(&["log", "-1", "--format=%an"]), "Jo");
    let trailers = project.git(&["log", "-1", "--format=%(trailers)"]);
    assert_eq!(trailers.trim(), "Ftl-Task: 001_t\nReviewed-by: R");
    assert_eq!(project.git(&["status", "--short"]), "?? ftl.toml");
}

#[test]
fn files_of_a_submodule_are_committed_in_it() {
    let project = project();
    let other = self::project();
    let from = other.path().display().to_string();
    project.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", &from, "lib"]);
    project.git(&["commit", "-qm", "lib"]);
    for (key, value) in [("user.name", "U"), ("user.email", "u@example.org")] {
        project.git(&["-C", "lib", "config", key, value]);
    }
    add(&project, 2, &["lib/a.txt", "a.txt"], "true");
    let said = build(&project, &["2"]).json();
    assert!(said["commit"]["id"].is_string(), "{said:#}");
    assert_eq!(project.git(&["show", "HEAD:a.txt"]), "before\nagent");
    assert_eq!(project.git(&["-C", "lib", "show", "HEAD:a.txt"]), "before\nagent");
    let of_project = project.git(&["rev-parse", "HEAD:lib"]);
    assert_eq!(project.git(&["-C", "lib", "rev-parse", "HEAD"]), of_project);
    assert_eq!(project.git(&["status", "--short", "lib", "a.txt"]), "");
}

#[test]
fn bytes_that_a_hook_changes_make_the_verify_due_again() {
    let project = project();
    add(&project, 1, &["a.txt"], "! grep formatted a.txt");
    project.git(&["commit", "-qam", "verify"]);
    hook(&project, "pre-commit", "echo formatted >>a.txt; git add a.txt");
    let built = build(&project, &[]);
    let said = built.json();
    assert_eq!(built.code, Some(0), "{said:#}");
    assert!(warning(&said, "a hook of the commit changed a.txt after the verify"), "{said:#}");
    assert_eq!(project.git(&["show", "HEAD:a.txt"]), "before\nagent\nformatted");
    let listed = project.ftl(["status", "--format", "json"]).json();
    assert_eq!(listed["checks"][0]["tasks"][0], "001_t", "{listed:#}");
    let checked = build(&project, &[]);
    assert_eq!((checked.code, &checked.json()["outcome"]), (Some(3), &"broken".into()));
    project.write("a.txt", "clean\n");
    build(&project, &[]).ends(0);
    build(&project, &[]).ends(2);
}

#[test]
fn a_task_is_committed_only_on_the_branch_where_the_command_began() {
    let project = project();
    add(&project, 2, &["b.txt"], "true");
    project.git(&["add", "."]);
    project.git(&["commit", "-qm", "second"]);
    // The first verify switches branches, as a user might while it runs.
    add(&project, 1, &["a.txt"], "git switch -qc elsewhere");
    let built = build(&project, &["--all"]);
    let said = built.json();
    let results = said["results"].as_array().unwrap();
    for result in results {
        assert!(warning(result, "no commit was made: `elsewhere` is checked out"), "{said:#}");
    }
    assert_eq!(project.git(&["log", "-1", "--format=%s"]), "second");
}

#[test]
fn the_configuration_turns_commits_on_and_without_a_branch_they_are_refused() {
    let project = project();
    project.write("ftl.toml", "[build]\ncommit = true\n");
    let built = project.build(&["--agent", AGENT]);
    assert!(built.json()["commit"]["id"].is_string(), "{built:#?}");
    let bare = Project::empty();
    add(&bare, 1, &["a.txt"], "true");
    super::assert_refused(&build(&bare, &[]), 2, "usage::commit", "no branch is checked out");
    bare.write("ftl.toml", "[build]\ncommit = true\n");
    let warned = bare.ftl(["build", "--agent", AGENT]).ends(0);
    assert!(warned.stderr.contains("`[build] commit` does nothing here"), "{warned:#?}");
}

/// A build whose commit ends with the death of ftl, in this hook.
fn killed_in(hook_name: &str, then: &str) -> Project {
    let project = project();
    hook(
        &project,
        hook_name,
        &format!(
            "[ -e .git/killed ] || {{ echo > .git/killed; kill -9 $(cat .git/builder); {then}; }}"
        ),
    );
    let agent = format!("until [ -s .git/builder ]; do sleep 0.05; done; {AGENT}");
    let killed = project.script(&format!(
        "\"$FTL\" build --isolate copy --commit --agent '{agent}' & echo $! > .git/builder; wait $!"
    ));
    assert_eq!(killed.code, Some(128 + 9), "{killed:#?}");
    assert_eq!(project.workspaces(), ["001_t_complete.xml"]);
    project
}

#[test]
fn a_commit_that_a_kill_prevented_is_made_by_the_same_command() {
    let project = killed_in("pre-commit", "exit 1");
    assert_eq!(project.git(&["log", "--format=%s"]).lines().count(), 1);
    let built = build(&project, &[]);
    assert_eq!(built.code, Some(0), "{built:#?}");
    let head = project.git(&["rev-parse", "HEAD"]);
    assert!(built.stderr.contains(&format!("001_t is committed: {head} on ")), "{built:#?}");
    assert_eq!(project.git(&["log", "-1", "--format=%s"]), "Write task 1 for the test");
    assert_eq!(project.git(&["status", "--short"]), "");
    assert_eq!(build(&project, &[]).code, Some(2), "nothing is left");
}

#[test]
fn a_commit_that_was_made_before_a_kill_is_not_made_again() {
    let project = killed_in("post-commit", "true");
    let head = project.git(&["rev-parse", "HEAD"]);
    assert_eq!(project.git(&["log", "-1", "--format=%s"]), "Write task 1 for the test");
    assert_eq!(build(&project, &[]).code, Some(0));
    assert_eq!(project.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(project.git(&["status", "--short"]), "");
}

#[test]
fn edits_since_a_kill_in_a_hook_are_not_committed() {
    let project = killed_in("pre-commit", "exit 1");
    project.write("a.txt", "edited\n");
    let built = build(&project, &[]);
    assert_eq!(built.code, Some(0), "{built:#?}");
    let expected =
        "a hook of the commit, or a user, changed a.txt after the verify, which is due again";
    assert!(built.stderr.contains(expected), "{built:#?}");
    assert_eq!(project.git(&["log", "--format=%s"]).lines().count(), 2);
    assert_ne!(project.git(&["show", "HEAD:a.txt"]), "edited");
    assert_eq!(project.read("a.txt"), b"edited\n");
}
