//! HEAD, references, the stash and the index belong to the user: whatever an implementer does to them.

use ftl_process::probe;

use super::world::{Project, World};
use crate::{GitPutBack, Snapshot, Tree};

/// What git says of a repository, and what the index holds.
fn state(project: &Project) -> Vec<String> {
    let asked: [&[&str]; 7] = [
        &["symbolic-ref", "-q", "HEAD"],
        &["rev-parse", "-q", "--verify", "HEAD"],
        &["for-each-ref", "--exclude=refs/ftl"],
        &["stash", "list", "--format=%H %gd"],
        &["ls-files", "-s", "-v"],
        &["diff", "--cached", "--stat"],
        &["fsck", "--connectivity-only", "--no-dangling"],
    ];
    let root = project.root.to_str().unwrap().to_owned();
    let ask = |args: &&[&str]| {
        let args = [&["-C", &root], &args[..]].concat();
        let answer = probe("git", args).unwrap();
        String::from_utf8_lossy(&answer.stdout).into_owned()
    };
    let mut state: Vec<String> = asked.iter().map(ask).collect();
    let merge = project.root.join(".git/MERGE_HEAD");
    state.push(std::fs::read_to_string(merge).unwrap_or_default());
    state
}

fn put_back(project: &Project, tree: &Tree, snapshot: &Snapshot) -> GitPutBack {
    let quarantine = project.run_dir("quarantine");
    tree.quarantine(snapshot, &quarantine).unwrap();
    let changes = tree.compare(snapshot).unwrap().git;
    let done = tree.put_back_git(snapshot, &changes, &quarantine).unwrap();
    let left = tree.compare(snapshot).unwrap().git;
    assert!(left.is_empty(), "{left:?} of {changes:?}, {done:?}");
    done
}

/// Work of the user in every place where git keeps some.
const WORK: &str = "git checkout -q -b own; git commit -q --allow-empty -m own; git checkout -q -; git branch feature; git tag v1; git tag -a v2 -m two; echo s1 >dirty.txt; \
                    git stash -q; echo s2 >dirty.txt; git stash -q; echo staged >staged.txt; \
                    echo half >>docs/guide.md; git add staged.txt docs/guide.md; \
                    echo other >>docs/guide.md; ";

/// What people do in a repository while putting back is cut off.
const PERSONS: [(&str, &str); 8] = [
    ("nothing", ":"),
    ("an edit", "echo person >>dirty.txt; echo new >person.txt"),
    ("an amended commit", "git commit -q --amend -m person"),
    ("a commit", "git commit -q -m person -- staged.txt"),
    ("another branch", "git stash -q; git checkout -q feature; echo person >>dirty.txt"),
    ("a stash", "git stash -q"),
    ("a tag", "git tag person; git branch -D own"),
    ("staged work", "echo person >>docs/guide.md; git add docs/guide.md"),
];

#[test]
fn changes_by_a_person_after_putting_back_was_cut_off_are_left() {
    for (name, act) in PERSONS {
        let project = Project::new(World::Git);
        project.sh(WORK);
        let tree = project.tree();
        let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
        project.sh("echo agent >stray.txt; git tag agent; git branch agent");
        let changes = tree.compare(&snapshot).unwrap();
        tree.plan_put_back(&snapshot, &changes).unwrap();
        // Half of it is done.
        project.sh("git tag -d agent >/dev/null");
        project.sh(act);
        let expected = {
            let mut picture = project.picture();
            assert!(picture.remove("/stray.txt").is_some(), "{name}");
            picture.retain(|path, _| !path.contains(".git"));
            picture
        };
        let mut state_then = state(&project);
        state_then[2] = without(&state_then[2], "refs/heads/agent");
        let done = tree.finish(&snapshot, &project.run_dir("quarantine"));
        let done = done.unwrap();
        let mut picture = project.picture();
        picture.retain(|path, _| !path.contains(".git"));
        assert_eq!(picture, expected, "{name}: {done:?}");
        assert_eq!(state(&project), state_then, "{name}: {done:?}");
        let left = !done.left.is_empty() || !done.git.left.is_empty();
        assert_eq!(left, name != "nothing", "{name}: {done:?}");
        assert!(done.lost.is_empty() && done.git.lost.is_empty(), "{done:?}");
    }
}

fn without(lines: &str, what: &str) -> String {
    let lines = lines.split_inclusive('\n');
    lines.filter(|line| !line.contains(what)).collect()
}

/// Takes out of reach whatever nothing leads to.
const PRUNE: &str = "; git reflog expire --expire=now --all; git gc -q --prune=now";

#[test]
fn git_state_that_an_implementer_moves_is_put_back() {
    for (name, havoc) in [
        ("a commit", "echo x >>src/a.py; git commit -qam agent"),
        ("an amended commit", "git commit -q --amend -m amended"),
        ("a reset", "git reset -q --hard; git checkout -q -b x; git branch -D master main || :"),
        ("another branch", "git checkout -q -f feature"),
        ("a new branch", "git checkout -q -b fresh; git commit -qam fresh"),
        ("a detached HEAD", "git checkout -q -f --detach; git commit -q --allow-empty -m d"),
        ("a renamed branch", "git branch -m renamed"),
        ("a name within a name", "git branch -D feature; git branch feature/x"),
        ("a deleted branch", "git branch -D own feature; git tag -d v1 v2"),
        ("packed references", "git pack-refs --all; git branch -D own"),
        ("a popped stash", "git checkout -q -f .; git stash pop -q || :"),
        ("dropped stashes", "git stash clear"),
        ("one more stash", "git stash -q -u"),
        ("a cleared index", "git rm -rfq --cached ."),
        ("a filled index", "echo n >n; git add -A"),
        ("no index", "rm .git/index"),
        ("a lock left behind", "git add -A; touch .git/index.lock"),
        ("no HEAD", "rm .git/HEAD"),
        ("a HEAD that names nothing", "echo garbage >.git/HEAD"),
        ("a HEAD beyond refs", "echo 'ref: config' >.git/HEAD"),
        ("a HEAD led out", "ln -sf ../../outside .git/HEAD"),
        ("a directory for HEAD", "rm .git/HEAD; mkdir .git/HEAD"),
        ("no references", "rm -r .git/refs .git/packed-refs || :"),
        (
            "a merge",
            "git checkout -q -f own; git merge -q --no-ff --no-commit feature || :; echo 0 >.git/MERGE_HEAD",
        ),
    ] {
        for prune in ["", PRUNE] {
            // Git does not run in a repository without a frame.
            let no_frame = name.starts_with("no ") || havoc.contains(".git/HEAD");
            if prune == PRUNE && (no_frame || name == "a merge" || havoc.contains("tag -d")) {
                continue;
            }
            let project = Project::new(World::Git);
            project.sh(WORK);
            let before = state(&project);
            let tree = project.tree();
            let snapshot = tree.snapshot(&project.run_dir("1")).unwrap();
            assert_eq!(snapshot.warnings(), [""; 0], "{name}");
            assert!(tree.compare(&snapshot).unwrap().git.is_empty(), "{name}");
            project.sh(&format!("{havoc}{prune}"));
            assert!(!tree.compare(&snapshot).unwrap().git.is_empty(), "{name}");
            let done = put_back(&project, &tree, &snapshot);
            assert_eq!(done.lost, [""; 0], "{name}");
            assert_eq!(state(&project), before, "{name}{prune}: {done:?}");
        }
    }
}

#[test]
fn changes_that_git_makes_by_itself_are_none() {
    let project = Project::new(World::Git);
    project.sh(WORK);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("1")).unwrap();
    project.sh(
        "touch src/b.py; git status >/dev/null; git pack-refs --all; git gc -q; git log >/dev/null",
    );
    let changes = tree.compare(&snapshot).unwrap().git;
    assert!(changes.is_empty(), "{changes:?}");
}

#[test]
fn the_commits_of_an_implementer_stay_in_reach() {
    let project = Project::new(World::Git);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("1")).unwrap();
    project.sh("echo x >>src/a.py; git commit -qam theirs; echo y >>src/a.py; git stash -q");
    let done = put_back(&project, &tree, &snapshot);
    let kept = done.kept.unwrap();
    assert!(kept.starts_with("refs/ftl/"), "{kept}");
    project.sh("git reflog expire --expire=now --all; git gc -q --prune=now");
    project.sh(&format!(
        "git log --format=%s --glob={kept} --not --branches >log; grep -qx theirs log; grep -q WIP log"
    ));
}

#[test]
fn a_repository_without_moves_keeps_nothing_of_ftl() {
    let project = Project::new(World::Git);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("1")).unwrap();
    project.sh("test -n \"$(git for-each-ref refs/ftl)\"");
    tree.let_go(&snapshot).unwrap();
    project.sh("test -z \"$(git for-each-ref refs/ftl)\"");
}

#[test]
fn a_repository_without_commits_is_put_back_too() {
    let project = Project::new(World::Plain);
    project.sh("git init -q; echo staged >staged.txt; git add staged.txt; echo more >staged.txt");
    let before = state(&project);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("1")).unwrap();
    project.sh("git add -A; git commit -qm first; git rm -rfq --cached .; git gc -q --prune=now");
    put_back(&project, &tree, &snapshot);
    assert_eq!(state(&project), before);
}

#[test]
fn a_linked_worktree_has_a_separate_head_and_index() {
    let project = Project::new(World::Git);
    project.sh("git worktree add -q ../linked -b linked; cd ../linked; echo s >s; git add s");
    let root = project.root.parent().unwrap().join("linked");
    let tree = Tree::open(&root, &super::world::delta(), crate::Settings::default()).unwrap();
    let snapshot = tree.snapshot(&project.run_dir("1")).unwrap();
    let before = state(&project);
    project.sh("cd ../linked; git commit -qm agent; git checkout -q --detach; git add -A");
    let quarantine = project.run_dir("quarantine");
    tree.quarantine(&snapshot, &quarantine).unwrap();
    let changes = tree.compare(&snapshot).unwrap().git;
    tree.put_back_git(&snapshot, &changes, &quarantine).unwrap();
    assert!(tree.compare(&snapshot).unwrap().git.is_empty());
    assert_eq!(state(&project), before);
    project.sh("cd ../linked; test $(git symbolic-ref HEAD) = refs/heads/linked; git ls-files | grep -qx s");
}

/// The index of a large repository may be in two files.
#[test]
fn a_split_index_is_put_back() {
    let project = Project::new(World::Git);
    project.sh("git update-index --split-index; echo s >s; git add s");
    let before = state(&project);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("1")).unwrap();
    project.sh("git add -A; git update-index --no-split-index; rm -f .git/sharedindex.*");
    put_back(&project, &tree, &snapshot);
    assert_eq!(state(&project), before);
}

#[test]
fn a_repository_within_the_tree_comes_back_with_its_commits() {
    for world in [World::Git, World::Plain] {
        let project = Project::new(world);
        project.sh(
            "git init -q -b main vendor/lib; cd vendor/lib; echo one >code.py; git add -A\n\
             git -c user.name=u -c user.email=u@example.org commit -qm one\n\
             git gc -q; echo two >code.py; git stash list; git branch side",
        );
        let log =
            "git -C vendor/lib log --oneline --all >log.txt; git -C vendor/lib fsck --no-dangling";
        let tree = project.tree();
        project.sh(log);
        let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
        assert_eq!(snapshot.warnings(), [""; 0], "{world:?}");
        let before = project.picture();
        project.sh("rm -rf vendor");
        let done = tree.quarantine(&snapshot, &project.run_dir("quarantine"));
        let done = done.unwrap();
        assert!(done.lost.is_empty(), "{world:?}: {done:?}");
        project.sh(log);
        assert_eq!(project.picture(), before, "{world:?}");
        // It is no use beyond the run.
        crate::retire_all(project.run_dir("snapshot").parent().unwrap()).unwrap();
        assert!(!project.run_dir("snapshot").join("repositories").exists());
    }
}
