//! What an isolated agent does to a repository: the user's references stay, and its commits stay in reach.

use std::fs;

use ftl_testkit::program::Program;

use super::isolation::{RUN, build, log, possible, with_git, with_pipes};
use crate::support::{FTL, Finished};

#[test]
fn commits_of_an_isolated_agent_are_dropped_and_kept_apart() {
    if !possible() {
        return;
    }
    let project = with_git();
    let head = || Program::git(project.path()).args(["rev-parse", "HEAD"]).text();
    let before = head().unwrap();
    let agent = "echo work >> notes.txt; git -c user.name=a -c user.email=a@b commit -qam mine; \
                 git checkout -qb theirs; git rev-parse HEAD";
    let finished = build(&project, agent).ends(0);
    assert_eq!(head().unwrap(), before);
    let branches = Program::git(project.path()).args(["branch"]).text();
    assert_eq!(branches.unwrap(), "* main\n");
    let warned = finished.warnings();
    let moved = "moves no branch of the project (HEAD, heads/main, heads/theirs)";
    assert!(warned.contains(moved), "{warned}");
    let commit = log(&project).lines().last().unwrap().to_owned();
    let git = |words: &[&str]| Program::git(project.path()).args(words).text().unwrap();
    let kept = git(&["rev-parse", "refs/ftl/001_a/1/1/heads/theirs"]);
    assert_eq!(kept.trim_end(), commit);
    assert_eq!(git(&["show", "--format=%s", "--no-patch", &commit]), "mine\n");
    git(&["fsck", "--strict"]);
    let command = "git log --oneline --glob=refs/ftl/001_a/1/1 --not --branches";
    assert!(warned.contains(command), "{warned}");
    let shown = project.script(command).stdout;
    assert!(shown.ends_with(" mine\n") && shown.lines().count() == 1, "{shown}");
}

/// An agent's stashes, and its commit on no branch.
const STASHES: &str = "git config user.name a; git config user.email a@b; \
    echo one >> other.txt; git stash -q; echo two >> other.txt; git stash -q; \
    git checkout -q --detach; git commit -q --allow-empty -m detached; echo work >> notes.txt";

#[test]
fn stashes_and_detached_commits_of_an_isolated_agent_stay_in_reach() {
    if !possible() {
        return;
    }
    for (end, code) in [("true", 0), ("exit 1", 3)] {
        let project = with_git();
        let git = |words: &[&str]| Program::git(project.path()).args(words).text().unwrap();
        let finished = build(&project, &format!("{STASHES}; {end}")).ends(code);
        let kept = git(&["for-each-ref", "--format=%(refname)", "refs/ftl"]);
        let own = "refs/ftl/001_a/1/1";
        assert_eq!(kept, format!("{own}/HEAD\n{own}/stash\n{own}/stashes/0\n{own}/stashes/1\n"));
        let warned = finished.warnings();
        assert!(warned.contains("--glob=refs/ftl/001_a/1/1"), "{warned}");
        assert!(warned.contains("(HEAD, stash, stashes/0, stashes/1)"), "{warned}");
        let subject = git(&["show", "--format=%s", "--no-patch", &format!("{own}/HEAD")]);
        assert_eq!(subject, "detached\n");
        assert!(git(&["diff", "main", &format!("{own}/stashes/0")]).contains("+one"));
        assert_eq!(git(&["stash", "list"]), "");
        assert_eq!(git(&["symbolic-ref", "HEAD"]), "refs/heads/main\n");
        git(&["fsck", "--strict"]);
    }
}

/// Its files are kept, and its commits are not.
#[test]
fn a_request_that_was_interrupted_moves_no_reference_and_leaves_none() {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    let git = |words: &[&str]| Program::git(project.path()).args(words).text().unwrap();
    let before = git(&["for-each-ref"]);
    let dir = outside.path().display();
    let agent = format!("{STASHES}; echo >{dir}/started; read go <{dir}/go");
    let build = format!("\"$FTL\" build 001 --isolate bind --agent '{agent}'");
    let script = format!("{build} & read line <{dir}/started; kill -INT $!; wait $!");
    project.script(&script).ends(130);
    assert_eq!(git(&["for-each-ref"]), before);
    assert_eq!(git(&["symbolic-ref", "HEAD"]), "refs/heads/main\n");
    assert_eq!(git(&["stash", "list"]), "");
    git(&["fsck", "--strict"]);
    assert_eq!(project.read("notes.txt"), b"before\n");
    let kept = project.read(format!("{RUN}/interrupted/1/notes.txt"));
    assert_eq!(kept, b"before\nwork\n");
}

#[test]
fn a_linked_worktree_keeps_its_branch_too() {
    if !possible() {
        return;
    }
    let project = with_git();
    let tree = project.path().join("build/tree");
    let path = tree.to_str().unwrap();
    let git = |words: &[&str]| Program::git(project.path()).args(words).text().unwrap();
    git(&["worktree", "add", "-q", path]);
    let before = git(&["rev-parse", "tree"]);
    let agent = "echo work >> notes.txt; git -c user.name=a -c user.email=a@b commit -qam mine";
    let words = ["build", "001", "--isolate", "bind", "--agent", agent];
    let finished = Finished::of(Program::new(FTL, &tree).without_cargo().args(words)).ends(0);
    let moved = "moves no branch of the project (HEAD, heads/tree)";
    assert!(finished.stderr.contains(moved), "{finished:#?}");
    assert_eq!(git(&["rev-parse", "tree"]), before);
    assert_eq!(fs::read(tree.join("notes.txt")).unwrap(), b"before\nwork\n");
}

/// With so many objects that git packs them by itself, and at the agent's word.
#[test]
fn housekeeping_by_git_in_a_view_is_no_stray_and_moves_no_reference() {
    if !possible() {
        return;
    }
    // With whether it makes commits.
    let agents = [
        ("git gc -q", false),
        ("git pack-refs --all", false),
        (
            "git -c gc.auto=1 -c gc.autoDetach=false -c user.name=a -c user.email=a@b commit -qam w",
            true,
        ),
        ("git gc -q; git branch -qf kept HEAD~", false),
        ("git pack-refs --all; git branch -qD kept", false),
    ];
    for (number, (agent, commits)) in agents.into_iter().enumerate() {
        let project = with_git();
        let git = |words: &[&str]| Program::git(project.path()).args(words).text().unwrap();
        project.write("other.txt", "second\n");
        git(&["commit", "-qam", "second"]);
        git(&["branch", "kept"]);
        git(&["pack-refs", "--all"]);
        for blob in 0..(if number == 2 { 900 } else { 1 }) {
            project.write("blob", format!("{blob}\n"));
            git(&["hash-object", "-w", "blob"]);
        }
        fs::remove_file(project.path().join("blob")).unwrap();
        let before = git(&["for-each-ref"]);
        let finished = build(&project, &format!("echo work >> notes.txt; {agent}")).ends(0);
        let said = finished.json();
        assert_eq!(said["strays"].to_string(), "[]", "{agent}: {said:#}");
        let warned = finished.warnings();
        assert_eq!(warned.contains("the implementer committed"), commits, "{agent}: {warned}");
        assert_eq!(warned == "[]", !commits, "{agent}: {warned}");
        assert_eq!(git(&["for-each-ref", "refs/heads"]), before, "{agent}");
        assert_eq!(git(&["for-each-ref", "refs/ftl"]).is_empty(), !commits, "{agent}");
    }
}
