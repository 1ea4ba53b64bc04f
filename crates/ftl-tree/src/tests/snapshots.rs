//! Snapshots as files: unfinished, damaged, replaced; and the repositories that they meet.

use super::world::{Project, World, delta, open, strays};
use crate::{Settings, TreeError};

#[test]
fn an_unfinished_snapshot_is_none_and_is_replaced() {
    let project = Project::new(World::Git);
    let tree = project.tree();
    let dir = project.run_dir("snapshot");
    assert!(tree.load(&dir).unwrap().is_none());
    tree.snapshot(&dir).unwrap();
    std::fs::remove_file(dir.join("manifest.json")).unwrap();
    assert!(tree.load(&dir).unwrap().is_none());
    tree.snapshot(&dir).unwrap();
    assert!(tree.load(&dir).unwrap().is_some());
}

#[test]
fn a_snapshot_that_is_broken_off_leaves_no_manifest_of_copies_that_are_gone() {
    let project = Project::new(World::Plain);
    let tree = project.tree();
    let dir = project.run_dir("snapshot");
    tree.snapshot(&dir).unwrap();
    std::fs::create_dir(dir.join("copies")).unwrap();
    assert!(tree.snapshot(&dir).is_err(), "the copies cannot be written");
    assert!(tree.load(&dir).unwrap().is_none());
}

#[test]
fn of_two_snapshots_the_later_one_is_known() {
    let project = Project::new(World::Plain);
    let tree = project.tree();
    let (dir, other) = (project.run_dir("snapshot"), project.run_dir("other"));
    let first = tree.snapshot(&dir).unwrap();
    let second = tree.snapshot(&other).unwrap();
    assert!(tree.load_later(&other, &first).unwrap().is_some());
    assert!(tree.load_later(&dir, &second).unwrap().is_none());
    assert!(tree.load_later(&dir.join("none"), &first).unwrap().is_none());
}

#[test]
fn a_damaged_snapshot_is_refused() {
    let project = Project::new(World::Plain);
    let tree = project.tree();
    let dir = project.run_dir("snapshot");
    let much = "head -c 300000 /dev/zero >large";
    for (setup, pack) in [(":", "manifest.json"), (much, "copies"), ("rm large", "manifest.json")] {
        project.sh(setup);
        tree.snapshot(&dir).unwrap();
        assert_eq!(dir.join("copies").exists(), pack == "copies", "{setup}");
        let whole = tree.load(&dir).unwrap().unwrap();
        assert_eq!(whole.read(&delta()[0]).unwrap().unwrap(), b"a = 1\n");

        let mut bytes = std::fs::read(dir.join(pack)).unwrap();
        let at = bytes.windows(6).position(|at| at == b"a = 1\n").unwrap();
        bytes[at] = b'X';
        std::fs::write(dir.join(pack), bytes).unwrap();
        let spoilt = tree.load(&dir).unwrap().unwrap();
        assert!(matches!(spoilt.read(&delta()[0]), Err(TreeError::Damaged { .. })), "{setup}");
    }
    std::fs::write(dir.join("manifest.json"), "{").unwrap();
    assert!(matches!(tree.load(&dir), Err(TreeError::Damaged { .. })));
}

#[test]
fn a_git_that_refuses_counts_as_none_and_says_why() {
    let project = Project::new(World::Plain);
    project.sh("mkdir .git; echo junk >.git/HEAD");
    let tree = project.tree();
    assert!(!tree.has_git());
    assert_eq!(tree.warnings().len(), 1, "{:?}", tree.warnings());
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project
        .sh("mkdir .git/hooks; echo x >.git/hooks/pre-commit; echo x >>src/b.py; echo 1 >.git/x");
    let found = strays(&tree, &tree.compare(&snapshot).unwrap());
    assert_eq!(found, ["+.git/hooks", "+.git/hooks/pre-commit", "~src/b.py"]);
}

#[test]
fn a_project_that_an_outer_repository_ignores_is_watched_without_git() {
    let project = Project::new(World::Below);
    project.sh("git rm -rq --cached .; echo '/inner project' >../.gitignore");
    let tree = project.tree();
    assert!(!tree.has_git());
    assert_eq!(tree.warnings(), [""; 0]);
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project.sh("echo x >>src/b.py");
    assert_eq!(strays(&tree, &tree.compare(&snapshot).unwrap()), ["~src/b.py"]);
}

#[test]
fn a_linked_worktree_is_watched_with_the_hooks_of_its_repository() {
    let project = Project::new(World::Git);
    project.sh("git worktree add -q ../linked HEAD");
    let root = project.root.parent().unwrap().join("linked");
    std::fs::create_dir_all(root.join(".ftl/runs")).unwrap();
    let tree = open(&root, Settings::default());
    assert!(tree.has_git());
    let snapshot = tree.snapshot(&root.join(".ftl/runs/snapshot")).unwrap();
    project.sh(
        "echo x >.git/hooks/pre-commit; cd ../linked; echo x >>src/b.py; echo 'gitdir: /' >.git",
    );
    let found = strays(&tree, &tree.compare(&snapshot).unwrap());
    assert_eq!(found, ["~.git", "+.git/hooks/pre-commit", "~src/b.py"]);
    let done = tree.quarantine(&snapshot, &root.join(".ftl/runs/quarantine")).unwrap();
    assert!(done.lost.is_empty(), "{done:?}");
    assert!(!project.root.join(".git/hooks/pre-commit").exists());
    assert_eq!(std::fs::read(root.join("src/b.py")).unwrap(), b"b = 1\n");
}

#[test]
fn a_repository_within_the_repository_is_watched_by_copies() {
    let project = Project::new(World::Git);
    project
        .sh("mkdir vendor; cd vendor; git init -q; echo 1 >tracked; git add .; git commit -qm v; \
         cd ..; git add vendor 2>/dev/null; git commit -qm vendored; echo 2 >vendor/untracked");
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project.sh(
        "echo x >>vendor/tracked; rm vendor/untracked; echo 3 >vendor/new; git -C vendor branch b",
    );
    let found = strays(&tree, &tree.compare(&snapshot).unwrap());
    assert_eq!(found, ["+vendor/new", "~vendor/tracked", "-vendor/untracked"]);
    tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
    assert_eq!(strays(&tree, &tree.compare(&snapshot).unwrap()), [""; 0]);
}

#[test]
fn no_program_of_the_repository_runs() {
    let project = Project::new(World::Git);
    project.sh(
        "printf '#!/bin/sh\\ntouch \"$OUTSIDE/ran\" '\"'$OUTSIDE/ran'\"'\\ncat\\n' >evil; chmod +x evil; \
         git config core.fsmonitor \"$PWD/evil\"; git config filter.evil.clean \"$PWD/evil\"; \
         git config filter.evil.process \"$PWD/evil\"; git config filter.evil.required true; \
         git config filter.do.ts.clean \"$PWD/evil\"; git config core.hooksPath \"$PWD\"; \
         git config diff.external \"$PWD/evil\"; \
         echo '* filter=evil' >.gitattributes; echo 'dirty.txt filter=do.ts' >>.gitattributes; \
         touch src/b.py docs/guide.md",
    );
    let ran = project.outside().join("ran");
    // Plain git fails, since the program speaks no filter protocol, but it has run it.
    project.sh("git status >/dev/null 2>&1 || true");
    std::fs::remove_file(&ran).expect("plain git runs them");
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    assert!(!ran.exists(), "while the snapshot was taken");
    project.sh("printf 'b = 2\n' >src/b.py; echo 1 >stray");
    tree.compare(&snapshot).unwrap();
    tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
    tree.base(None).unwrap();
    tree.watch().unwrap();
    assert!(!ran.exists());
    assert_eq!(std::fs::read(project.root.join("src/b.py")).unwrap(), b"b = 1\n");
}

#[test]
fn a_name_that_is_no_text_survives_the_manifest() {
    let project = Project::new(World::Plain);
    project.sh("printf 1 >\"$(printf 'x\\377y')\"");
    let tree = project.tree();
    tree.snapshot(&project.run_dir("snapshot")).unwrap();
    let snapshot = tree.load(&project.run_dir("snapshot")).unwrap().unwrap();
    assert_eq!(strays(&tree, &tree.compare(&snapshot).unwrap()), [""; 0]);
    project.sh("rm x*y");
    tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
    assert_eq!(strays(&tree, &tree.compare(&snapshot).unwrap()), [""; 0]);
}

#[test]
fn a_delta_file_is_written_whole_or_not_at_all() {
    let project = Project::new(World::Plain);
    let tree = project.tree();
    let [old, new] = <[_; 2]>::try_from(delta()).unwrap();
    project.sh("chmod 755 src/a.py; mkdir -p src/d");
    tree.write(&old, b"a = 2\n", None).unwrap();
    tree.write(&new, b"m = 1\n", Some(0o600)).unwrap();
    let states = tree.delta().unwrap();
    assert_eq!(states[&old].permissions(), Some(0o755));
    assert_eq!(states[&new].permissions(), Some(0o600));
    assert_eq!(tree.read(&old).unwrap().unwrap(), b"a = 2\n");
    project.sh("rm src/a.py; mkdir src/a.py");
    assert!(tree.write(&old, b"x", None).is_err());
}
