//! HEAD, references, the stash and the index belong to the user. An implementer changes its copies alone. What it
//! committed can be had.

use std::path::Path;

use ftl_process::probe;

use super::workplaces::Placed;
use super::world::{Project, World, strays};
use crate::{Settings, Tree};

/// What git says of a repository, and what the index holds.
fn state(root: &Path) -> Vec<String> {
    let asked: [&[&str]; 7] = [
        &["symbolic-ref", "-q", "HEAD"],
        &["rev-parse", "-q", "--verify", "HEAD"],
        &["for-each-ref", "--exclude=refs/ftl"],
        &["stash", "list", "--format=%H %gd"],
        &["ls-files", "-s", "-v"],
        &["diff", "--cached", "--stat"],
        &["fsck", "--connectivity-only", "--no-dangling"],
    ];
    let root = root.to_str().unwrap();
    let ask = |args: &&[&str]| {
        let args = [&["-C", root], &args[..]].concat();
        let answer = probe("git", args).unwrap();
        String::from_utf8_lossy(&answer.stdout).into_owned()
    };
    let mut state: Vec<String> = asked.iter().map(ask).collect();
    let merge = std::path::Path::new(root).join(".git").join("MERGE_HEAD");
    state.push(std::fs::read_to_string(merge).unwrap_or_default());
    state
}

/// Work of the user in every place where git keeps some.
const WORK: &str = "git checkout -q -b own; git commit -q --allow-empty -m own; git checkout -q -
    git branch feature; git tag v1; git tag -a v2 -m two; echo s1 >dirty.txt
    git stash -q; echo s2 >dirty.txt; git stash -q; echo staged >staged.txt
    echo half >>docs/guide.md; git add staged.txt docs/guide.md; echo other >>docs/guide.md; ";

/// Takes out of reach whatever nothing leads to.
const PRUNE: &str = "; git reflog expire --expire=now --all; git gc -q --prune=now";

/// What is done, how, and whether it moves references.
const HAVOC: [(&str, &str, bool); 24] = [
    ("a commit", "echo x >>src/a.py; git commit -qam agent", true),
    ("an amended commit", "git commit -q --amend -m amended", true),
    ("a reset", "git reset -q --hard; git checkout -q -b x; git branch -D master main || :", true),
    ("another branch", "git checkout -q -f feature", true),
    ("a new branch", "git checkout -q -b fresh; git commit -qam fresh", true),
    ("a detached HEAD", "git checkout -q -f --detach; git commit -q --allow-empty -m d", true),
    ("a renamed branch", "git branch -m renamed", true),
    ("a name within a name", "git branch -D feature; git branch feature/x", true),
    ("a deleted branch", "git branch -D own feature; git tag -d v1 v2", true),
    ("packed references", "git pack-refs --all; git branch -D own", true),
    ("a popped stash", "git checkout -q -f .; git stash pop -q || :", true),
    ("dropped stashes", "git stash clear", true),
    ("one more stash", "git stash -q -u", true),
    ("a cleared index", "git rm -rfq --cached .", false),
    ("a filled index", "echo n >n; git add -A", false),
    ("no index", "rm .git/index", false),
    ("a lock left behind", "git add -A; touch .git/index.lock", false),
    ("no HEAD", "rm .git/HEAD", true),
    ("a HEAD that names nothing", "echo garbage >.git/HEAD", true),
    ("a HEAD beyond refs", "echo 'ref: config' >.git/HEAD", true),
    ("a HEAD led out", "ln -sf ../../outside .git/HEAD", true),
    ("a directory for HEAD", "rm .git/HEAD; mkdir .git/HEAD", true),
    ("no references", "rm -r .git/refs .git/packed-refs || :", true),
    (
        "a merge",
        "git checkout -q -f own; git merge -q --no-ff --no-commit feature || :; echo 0 >.git/MERGE_HEAD",
        true,
    ),
];

#[test]
fn git_state_that_an_implementer_moves_is_the_copys_alone() {
    let project = Project::new(World::Git);
    project.sh(WORK);
    let before = state(&project.root);
    let mut at = Placed::ready(project, Settings::default());
    assert_eq!(state(at.copy().root()), before);
    for (name, havoc, moves) in HAVOC {
        // Git does not run in a repository without a frame.
        let no_frame = name.starts_with("no ") || havoc.contains(".git/HEAD");
        let prune = if no_frame || name == "a merge" { "" } else { PRUNE };
        for prune in [Some(""), Some(prune).filter(|prune| !prune.is_empty())].into_iter().flatten()
        {
            at.work(&format!("{havoc}{prune}"));
            let moved = at.changes().has_moved_references;
            assert_eq!(moved, moves || !prune.is_empty(), "{name}{prune}");
            assert_eq!(state(&at.project.root), before, "{name}{prune}");
            at.refresh();
            assert!(at.changes().are_none(), "{name}{prune}: {:?}", at.changes());
            let copy = state(at.copy().root());
            assert_eq!(copy, before, "{name}{prune}");
        }
    }
}

#[test]
fn a_write_of_git_itself_is_no_change() {
    let project = Project::new(World::Git);
    project.sh(WORK);
    let at = Placed::ready(project, Settings::default());
    at.work("touch src/b.py; git status >/dev/null; git log >/dev/null; git diff >/dev/null; git commit-graph write");
    assert!(at.changes().are_none(), "{:?}", at.changes());
}

#[test]
fn the_commits_of_an_implementer_come_below_a_reference_of_ftls_own() {
    for world in [World::Git, World::Below, World::Linked] {
        let project = Project::new(world);
        project.sh("git branch seen");
        let before = state(&project.root);
        let at = Placed::ready(project, Settings::default());
        assert_eq!(at.place.keep_commits(&at.tree, "refs/ftl/run").unwrap(), [""; 0], "{world:?}");
        at.work(
            "echo x >>src/a.py; git commit -qam theirs; git branch side; echo y >>src/a.py; git stash -q
             git branch -D seen",
        );
        assert!(at.changes().has_moved_references, "{world:?}");
        let kept = at.place.keep_commits(&at.tree, "refs/ftl/run").unwrap();
        assert!(kept.contains(&"heads/side".to_owned()), "{world:?}: {kept:?}");
        assert!(kept.contains(&"HEAD".to_owned()), "{world:?}: {kept:?}");
        assert!(kept.iter().any(|name| name.contains("stash")), "{world:?}: {kept:?}");
        // No branch of the project moved.
        assert_eq!(state(&at.project.root), before, "{world:?}");
        at.project.sh("git reflog expire --expire=now --all; git gc -q --prune=now
             git log --format=%s --glob=refs/ftl/run --not --branches >log
             grep -qx theirs log; grep -q WIP log; git fsck --no-dangling");
        let again = at.place.keep_commits(&at.tree, "refs/ftl/run").unwrap();
        assert_eq!(again, [""; 0], "{world:?}");
    }
}

#[test]
fn a_repository_without_commits_has_a_copy_too() {
    let project = Project::new(World::Plain);
    project.sh("git init -q; echo staged >staged.txt; git add staged.txt; echo more >staged.txt");
    let before = state(&project.root);
    let mut at = Placed::ready(project, Settings::default());
    at.work("git add -A; git commit -qm first; git rm -rfq --cached .; git gc -q --prune=now");
    assert!(at.changes().has_moved_references);
    let kept = at.place.keep_commits(&at.tree, "refs/ftl/run").unwrap();
    assert!(kept.contains(&"HEAD".to_owned()), "{kept:?}");
    assert_eq!(state(&at.project.root), before);
    at.refresh();
    assert_eq!(state(at.copy().root()), before);
}

#[test]
fn a_linked_worktree_has_a_separate_head_and_index() {
    let mut at = Placed::ready(Project::new(World::Linked), Settings::default());
    let main = at.project.root.parent().unwrap().join("main");
    let states = || [&at.project.root, &main].map(|root| state(root));
    let before = states();
    at.work(
        "echo s >s; git add s; git commit -qm agent; git checkout -q --detach; git branch mine",
    );
    assert_eq!(states(), before);
    at.refresh();
    at.work(
        "test $(git symbolic-ref HEAD) = refs/heads/other; test -z \"$(git branch --list mine)\"",
    );
}

/// The index of a large repository may be in two files.
#[test]
fn a_split_index_is_copied() {
    let project = Project::new(World::Git);
    project.sh("git update-index --split-index; echo s >s; git add s");
    let before = state(&project.root);
    let mut at = Placed::ready(project, Settings::default());
    assert_eq!(state(at.copy().root()), before);
    at.work("git add -A; git update-index --no-split-index; rm -f .git/sharedindex.*");
    at.refresh();
    assert_eq!(state(at.copy().root()), before);
}

#[test]
fn a_repository_within_the_tree_is_made_again_with_its_commits() {
    for world in [World::Git, World::Plain] {
        let project = Project::new(world);
        project
            .sh("git init -q -b main vendor/lib; cd vendor/lib; echo one >code.py; git add -A\n\
             git commit -qm one; git gc -q; echo two >code.py; git branch side");
        let mut at = Placed::ready(project, Settings::default());
        let inner = |tree: &Tree| state(&tree.root().join("vendor/lib"));
        let before = inner(&at.tree);
        at.work("test \"$(cat vendor/lib/code.py)\" = two; git -C vendor/lib commit -qam agent");
        assert_eq!(strays(&at.tree, &at.changes()), [""; 0], "{world:?}");
        at.work("rm -rf vendor");
        let found = strays(&at.tree, &at.changes());
        assert_eq!(found, ["-vendor", "-vendor/lib", "-vendor/lib/code.py"], "{world:?}");
        at.refresh();
        assert_eq!([inner(&at.tree), inner(&at.copy())], [before.clone(), before], "{world:?}");
        at.is_equal("made again");
    }
}
