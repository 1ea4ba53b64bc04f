//! What an implementer does to the repository and beyond the disk's room: put back, and reported.

use ftl_testkit::program::Program;

use super::{assert_refused, project};
use crate::support::{FTL, Finished, Project};

const A: &str = "001_a_active.xml";

fn repository() -> Project {
    let project = project(&[A]);
    project.write("other.txt", "other\n");
    project.commit();
    project
}

fn script(project: &Project, agent: &str, script: &str) -> Finished {
    let shell = Program::new("sh", project.path()).without_cargo();
    let shell = ["AUTHOR", "COMMITTER"].iter().fold(shell, |shell, who| {
        shell.env(&format!("GIT_{who}_NAME"), "a").env(&format!("GIT_{who}_EMAIL"), "a@a")
    });
    Finished::of(shell.env("FTL", FTL).env("AGENT", agent).args(["-c", script]))
}

/// HEAD, and all references but those of ftl.
const STATE: &str = "git symbolic-ref HEAD; git for-each-ref --exclude=refs/ftl; git ls-files -s";

const BUILD: &str = "\"$FTL\" build 001 --isolate copy --agent \"$AGENT\" --format json";

#[test]
fn a_commit_of_an_agent_is_taken_back_and_stays_in_reach() {
    let project = repository();
    let before = script(&project, "", STATE).stdout;
    let agent = "echo work >>notes.txt; git checkout -q -b mine; git commit -qam theirs";
    let built = script(&project, agent, BUILD).ends(0);
    assert_eq!(script(&project, "", STATE).stdout, before);
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    let warnings = built.warnings();
    assert!(warnings.contains("HEAD") && warnings.contains("`mine`"), "{warnings}");
    let command = warnings.split('`').find(|part| part.starts_with("git log"));
    let log = script(&project, "", command.unwrap());
    assert!(log.stdout.contains("theirs"), "{log:#?}");
}

#[test]
fn a_repository_without_moves_is_not_mentioned_and_keeps_nothing() {
    let project = repository();
    let built = script(&project, "echo work >>notes.txt; git status >/dev/null", BUILD).ends(0);
    assert_eq!(built.warnings(), "[]", "{built:#?}");
    assert_eq!(script(&project, "", "git for-each-ref refs/ftl").stdout, "");
}

#[test]
fn after_a_kill_a_moved_head_is_not_guessed_about() {
    let project = repository();
    let before = script(&project, "", STATE).stdout;
    let agent = "if [ -e .git/again ]; then echo work >>notes.txt; else \
                 : >.git/again; git commit -q --allow-empty -m theirs; kill -9 $PPID; sleep 9; fi";
    script(&project, agent, BUILD);
    let asked = script(&project, agent, BUILD);
    assert_refused(&asked, 1, "build::whose_work", "the branch");
    assert_ne!(script(&project, "", STATE).stdout, before, "it is left alone");
    script(&project, agent, &format!("{BUILD} --put-back")).ends(0);
    assert_eq!(script(&project, "", STATE).stdout, before);
}

/// One file is too large for the room that is left; it comes back when there is some.
#[test]
fn a_file_that_finds_no_room_keeps_no_other_from_being_put_back() {
    let project = project(&[A]);
    project.write("big.bin", vec![0; 1 << 20]);
    project.write("a.txt", "a\n");
    project.write("z.txt", "z\n");
    project.commit();
    let agent = "rm big.bin a.txt z.txt; echo work >>notes.txt";
    let bounded = format!("trap '' XFSZ; ulimit -f 1000; {BUILD}");
    let first = script(&project, agent, &bounded);
    assert_refused(&first, 1, "build::scope", "big.bin");
    assert_eq!(project.read("a.txt"), b"a\n");
    assert_eq!(project.read("z.txt"), b"z\n");
    let again = script(&project, agent, BUILD);
    assert_eq!(project.read("big.bin").len(), 1 << 20);
    assert_eq!(again.code, Some(3), "it strays again: {again:#?}");
}

#[test]
fn a_lock_of_git_that_an_agent_leaves_is_removed_and_named() {
    let project = super::isolation::with_git();
    let git = |words: &[&str]| Program::git(project.path()).args(words).succeeds();
    let agent = "echo work >> notes.txt; touch .git/index.lock";
    let words = ["build", "001", "--isolate", "copy", "--format", "json", "--agent", agent];
    let finished = project.ftl(words).ends(0);
    assert!(finished.warnings().contains(".git/index.lock"), "{finished:#?}");
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
