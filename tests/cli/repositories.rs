//! What an implementer does to the repository in its workplace: it never reaches the project's.

use ftl_testkit::program::Program;

use super::project;
use crate::support::{Finished, Project};

const A: &str = "001_a_active.xml";

fn repository() -> Project {
    let project = project(&[A]);
    project.write("other.txt", "other\n");
    project.commit();
    project
}

fn script(project: &Project, agent: &str, script: &str) -> Finished {
    let shell = project.program("sh");
    let shell = ["AUTHOR", "COMMITTER"].iter().fold(shell, |shell, who| {
        shell.env(&format!("GIT_{who}_NAME"), "a").env(&format!("GIT_{who}_EMAIL"), "a@a")
    });
    Finished::of(shell.env("AGENT", agent).args(["-c", script]))
}

/// HEAD, and all references but those of ftl.
const STATE: &str = "git symbolic-ref HEAD; git for-each-ref --exclude=refs/ftl; git ls-files -s";

const BUILD: &str = "\"$FTL\" build 001 --isolate copy --agent \"$AGENT\" --format json";

#[test]
fn a_commit_of_an_agent_stays_in_the_workplace() {
    let project = repository();
    let before = script(&project, "", STATE).stdout;
    let agent = "echo work >>notes.txt; git checkout -q -b mine; git commit -qam theirs";
    let built = script(&project, agent, BUILD).ends(0);
    assert_eq!(script(&project, "", STATE).stdout, before, "{built:#?}");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
}

#[test]
fn a_repository_without_moves_is_not_mentioned_and_keeps_nothing() {
    let project = repository();
    let built = script(&project, "echo work >>notes.txt; git status >/dev/null", BUILD).ends(0);
    assert_eq!(built.warnings(), "[]", "{built:#?}");
    assert_eq!(script(&project, "", "git for-each-ref refs/ftl").stdout, "");
}

#[test]
fn after_a_kill_the_repository_is_as_it_was() {
    let project = repository();
    let before = script(&project, "", STATE).stdout;
    let agent = "if [ -e $OUT/again ]; then echo work >>notes.txt; else \
                 : >$OUT/again; git commit -q --allow-empty -m theirs; kill -9 $(cat $OUT/pid); sleep 9; fi";
    let build = format!("echo $$ >$OUT/pid; exec {BUILD}");
    assert_eq!(script(&project, agent, &build).code, None);
    assert_eq!(script(&project, "", STATE).stdout, before);
    script(&project, agent, &build).ends(0);
    assert_eq!(script(&project, "", STATE).stdout, before);
}

#[test]
fn a_lock_of_git_that_an_agent_leaves_does_not_lock_the_project() {
    let project = super::isolation::with_git();
    let git = |words: &[&str]| Program::git(project.path()).args(words).succeeds();
    let agent = "echo work >> notes.txt; touch .git/index.lock";
    let words = ["build", "001", "--isolate", "copy", "--format", "json", "--agent", agent];
    project.ftl(words).ends(0);
    assert!(git(&["add", "notes.txt"]));
}

#[test]
fn a_lock_of_git_that_was_held_before_stays() {
    let project = super::isolation::with_git();
    project.write(".git/index.lock", "");
    let agent = "echo work >> notes.txt";
    let words = ["build", "001", "--isolate", "copy", "--format", "json", "--agent", agent];
    project.ftl(words).ends(0);
    assert!(project.path().join(".git/index.lock").exists());
}
