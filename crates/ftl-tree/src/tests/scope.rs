//! How much is looked at, and what counts as a change in it.

use super::world::{Project, World, strays};
use crate::{Changes, Extent, Settings, Tree};

fn snapshot(project: &Project, tree: &Tree) -> crate::Snapshot {
    tree.snapshot(&project.run_dir("snapshot")).unwrap()
}

/// What a script changes.
fn changes(project: &Project, script: &str) -> (Tree, Changes) {
    let tree = project.tree();
    let before = snapshot(project, &tree);
    project.sh(script);
    let changes = tree.compare(&before).unwrap();
    (tree, changes)
}

/// That these are the strays of a script, and that the tree is put back from them.
fn assert_put_back(project: &Project, script: &str, expected: &[&str]) {
    let before = project.picture();
    let (tree, changes) = changes(project, script);
    let mut found = strays(&tree, &changes);
    found.sort_by(|a, b| a[1..].cmp(&b[1..]));
    assert_eq!(found, expected, "{script}");
    let snapshot = tree.load(&project.run_dir("snapshot")).unwrap().unwrap();
    let done = tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
    assert!(done.lost.is_empty(), "{script}: {done:?}");
    assert_eq!(project.picture(), before, "{script}");
}

#[test]
fn paths_above_the_root_are_watched_and_put_back() {
    for world in [World::Below, World::BelowAttributes] {
        let project = Project::new(world);
        assert_put_back(
            &project,
            "echo x >>../lib/above.txt; echo x >../new.txt; chmod 700 ../lib ..; mkdir -p ../a/b",
            &["~..", "+../a", "+../a/b", "~../lib", "~../lib/above.txt", "+../new.txt"],
        );
        let kept = project.run_dir("quarantine").join("above-root/new.txt");
        assert_eq!(std::fs::read(kept).unwrap(), b"x\n");
    }
}

#[test]
fn the_root_alone_is_watched_where_that_is_asked_for() {
    for world in [World::Below, World::BelowAttributes] {
        let project = Project::new(world);
        let tree = project.tree_with(Settings { watch: Extent::Root, ..Settings::default() });
        assert_eq!(tree.top(), project.root);
        project.sh("echo '*.above' >../.gitignore");
        let before = snapshot(&project, &tree);
        project.sh("echo x >../new.txt; echo x >>src/b.py; echo x >x.above; echo x >x.log");
        let changes = tree.compare(&before).unwrap();
        assert_eq!(strays(&tree, &changes), ["~src/b.py"], "{world:?}");
    }
}

#[test]
fn the_top_is_that_of_the_repository() {
    for world in World::ALL {
        let project = Project::new(world);
        let top = if world.is_below() { project.root.parent().unwrap() } else { &project.root };
        assert_eq!(project.tree().top(), top, "{world:?}");
    }
}

/// A project that its repository ignores is not part of it.
#[test]
fn a_repository_that_ignores_the_root_is_not_its_own() {
    let project = Project::new(World::Plain);
    project.sh("cd ..; git init -q; echo top >.gitignore");
    assert!(!project.tree().has_git());
    assert_eq!(project.tree().top(), project.root);
}

#[test]
fn rules_of_the_user_that_come_later_hide_nothing() {
    let project = Project::new(World::Git);
    project
        .sh("git config core.excludesFile \"$OUTSIDE/ignore\"; echo '*.mine' >\"$OUTSIDE/ignore\"");
    let (tree, changes) =
        changes(&project, "echo x >a.mine; echo hidden >>\"$OUTSIDE/ignore\"; echo x >hidden");
    assert_eq!(strays(&tree, &changes), ["+hidden"]);
}

#[test]
fn rules_that_go_bring_nothing_to_light() {
    let project = Project::new(World::Git);
    let (tree, changes) = changes(&project, "rm .gitignore; echo x >>build/o; echo x >new.log");
    assert_eq!(strays(&tree, &changes), ["-.gitignore", "~build/o"]);
}

#[test]
fn scratch_is_listed_only_where_something_in_it_changed() {
    let project = Project::new(World::Git);
    project
        .sh("mkdir -p node_modules/deep/er .venv; echo 1 >node_modules/deep/er/x; echo 1 >.venv/y");
    for (script, expected) in [
        (":", &[][..]),
        ("cat build/o node_modules/deep/er/x >/dev/null; git status >/dev/null", &[]),
        ("echo 2 >node_modules/deep/er/x", &[("node_modules", 1)]),
        ("echo 2 >node_modules/deep/z; echo >build/new", &[("build/new", 1), ("node_modules", 2)]),
        ("chmod 600 .venv/y; rm build/new", &[(".venv", 1)]),
        (
            "mkdir -p src/__pycache__; touch src/__pycache__/a src/__pycache__/b",
            &[("src/__pycache__", 2)],
        ),
    ] {
        let (_, changes) = changes(&project, script);
        let found: Vec<_> =
            changes.scratch.iter().map(|one| (one.path.as_str(), one.files)).collect();
        assert_eq!(found, expected, "{script}");
    }
}

/// However large it is: a name that comes or goes near the top is noticed, and the look ends.
#[test]
fn a_look_at_scratch_has_an_end() {
    let project = Project::new(World::Git);
    project.sh("mkdir -p target/d; cd target/d; seq 1 3000 | xargs touch");
    let (_, changes) = changes(&project, "touch target/d/new; echo 1 >target/d/1");
    let found: Vec<_> = changes.scratch.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(found, ["target"]);
    assert!(changes.scratch[0].files <= 1000, "{changes:?}");
}

#[test]
fn an_ignored_file_that_was_there_is_put_back() {
    let project = Project::new(World::Git);
    project.sh("echo '.env*' >>.gitignore; echo S=1 >.env; echo S=1 >.env.b; mkdir -p build/d; \
         ln -s o build/l; echo 1 >build/d/deep");
    for (script, expected) in [
        ("echo S=2 >.env; echo 1 >>build/d/deep", &["~.env", "~build/d/deep"][..]),
        ("printf X | dd conv=notrunc of=.env 2>/dev/null; touch -d @0 .env", &["~.env"]),
        ("rm .env.b", &["-.env.b"]),
        ("rm -r build", &["-build", "-build/d", "-build/d/deep", "-build/l", "-build/o"]),
        (
            "rm -r build; echo >build",
            &["~build", "-build/d", "-build/d/deep", "-build/l", "-build/o"],
        ),
    ] {
        assert_put_back(&project, script, expected);
    }
}

#[test]
fn ignored_files_are_copied_up_to_a_bound_and_small_ones_first() {
    let project = Project::new(World::Git);
    project.sh("echo .env >>.gitignore; echo S=1 >.env; head -c 2000 /dev/zero >build/large");
    let tree = project.tree_with(Settings { max_backup: 1000, ..Settings::default() });
    let before = snapshot(&project, &tree);
    project.sh("echo >>build/large; echo S=2 >.env");
    let changes = tree.compare(&before).unwrap();
    assert_eq!(strays(&tree, &changes), ["~.env"]);
    let unprotected: Vec<String> = changes.ignored.iter().map(|path| tree.shown(path)).collect();
    assert_eq!(unprotected, ["build"]);
}

/// The delta is looked at for itself, wherever it is.
#[test]
fn a_delta_file_makes_no_scratch_of_the_directories_around_it() {
    let project = Project::new(World::Git);
    project.sh("echo pkg/ >>.gitignore; mkdir -p pkg/new; echo 1 >pkg/new/other");
    let (_, touched) = changes(&project, "echo 1 >pkg/new/mod.py");
    assert!(touched.touch_delta());
    assert_eq!(touched.scratch, []);
    let (tree, more) = changes(&project, "echo 2 >pkg/new/other; echo 1 >pkg/new/third");
    assert_eq!(strays(&tree, &more), ["~pkg/new/other"]);
    assert_eq!(more.scratch.len(), 1);
}

#[test]
fn allowed_files_stay_and_are_no_strays() {
    for world in World::ALL {
        let project = Project::new(world);
        let tree = project.tree_with(Settings {
            allow: ["*.lock", "snap/", "ftl.toml", "**/config", "linked"]
                .map(str::to_owned)
                .to_vec(),
            ..Settings::default()
        });
        let before = snapshot(&project, &tree);
        project.sh(
            "echo 1 >a.lock; mkdir -p x/snap/deep other; echo 1 >x/snap/deep/y; echo 1 >other/z; \
             echo 1 >other/b.lock; echo '[verify]' >ftl.toml; ln -s a.lock linked; \
             if [ -d ../lib ]; then echo 1 >../lib/c.lock; fi",
        );
        let changes = tree.compare(&before).unwrap();
        let mut allowed: Vec<String> =
            changes.allowed.iter().map(|path| tree.shown(path)).collect();
        allowed.sort();
        let above = if world.is_below() { &["../lib/c.lock"][..] } else { &[] };
        let expected = [above, &["a.lock", "other/b.lock", "x/snap/deep/y"]].concat();
        assert_eq!(allowed, expected, "{world:?}");
        let strayed = ["+ftl.toml", "+linked", "+other", "+other/z"];
        assert_eq!(strays(&tree, &changes), strayed, "{world:?}");
        tree.quarantine(&before, &project.run_dir("quarantine")).unwrap();
        for (path, stays) in [("a.lock", true), ("x/snap/deep/y", true), ("other/z", false)] {
            assert_eq!(project.root.join(path).exists(), stays, "{world:?}: {path}");
        }
        // An interrupted request is undone as a whole.
        tree.restore(&before, &project.run_dir("kept")).unwrap();
        assert!(!project.root.join("a.lock").exists());
    }
}

#[test]
fn hooks_of_submodules_and_of_repositories_within_are_watched() {
    let project = Project::new(World::Git);
    project.sh(
        "git init -q ../sub; cd ../sub; echo 1 >x; git add x; git commit -qm x; cd ../top; \
         git -c protocol.file.allow=always submodule --quiet add ../sub lib/sub; git commit -qm sub; \
         git init -q nested; echo 1 >nested/y",
    );
    assert_put_back(
        &project,
        "echo x >.git/modules/lib/sub/hooks/post-checkout; git -C lib/sub config a.b c; \
         echo x >nested/.git/hooks/pre-commit; git -C nested config a.b c; \
         echo '*' >>nested/.git/info/exclude; echo 1 >nested/hidden",
        &[
            "~.git/modules/lib/sub/config",
            "+.git/modules/lib/sub/hooks/post-checkout",
            "~nested/.git/config",
            "+nested/.git/hooks/pre-commit",
            "~nested/.git/info/exclude",
            "+nested/hidden",
        ],
    );
    // What git itself writes there is no stray.
    let (tree, changes) =
        changes(&project, "git -C nested add y; git -C nested commit -qm y; git -C lib/sub gc -q");
    assert_eq!(strays(&tree, &changes), [""; 0]);
}

#[test]
fn a_repository_that_is_too_large_to_be_held_is_not_made_again() {
    let project = Project::new(World::Git);
    project.sh("git init -q nested; echo 1 >nested/y; head -c 2000 /dev/zero >nested/.git/large");
    let tree = project.tree_with(Settings { max_backup: 1000, ..Settings::default() });
    let before = snapshot(&project, &tree);
    let warnings = before.warnings().join("");
    assert!(warnings.contains("the commits in `nested/.git` could not be put back"), "{warnings}");
    project.sh("rm -r nested/.git nested/y");
    let done = tree.quarantine(&before, &project.run_dir("quarantine")).unwrap();
    assert!(done.lost.iter().any(|path| tree.shown(path) == "nested/.git"));
    assert!(project.root.join("nested/y").exists());
    assert!(!project.root.join("nested/.git").exists());
}

#[test]
fn settings_of_a_linked_worktree_are_watched() {
    let project = Project::new(World::Linked);
    let (tree, changes) = changes(
        &project,
        "git config extensions.worktreeConfig true; git config --worktree core.editor x",
    );
    assert_eq!(strays(&tree, &changes), ["~.git/config", "+.git/worktrees/top/config.worktree"]);
}

#[test]
fn a_repository_that_is_planted_at_the_top_is_removed_whole() {
    let project = Project::new(World::Plain);
    assert_put_back(&project, "git init -q; git config core.fsmonitor evil", &["+.git"]);
    // Also by a process that finds it there.
    let tree = project.tree();
    let before = snapshot(&project, &tree);
    project.sh("git init -q; echo '*' >.gitignore; echo x >hidden");
    let again = project.tree_again("snapshot");
    let found = strays(&again, &again.compare(&before).unwrap());
    assert_eq!(found, ["+.git", "~.gitignore", "+hidden"]);
    // Above the root it is not in the tree, and does not move its top.
    project.sh("rm -r .git; cd ..; git init -q");
    let again = project.tree_again("snapshot");
    assert_eq!(again.top(), project.root);
    let found = strays(&again, &again.compare(&before).unwrap());
    assert_eq!(found, ["~.gitignore", "+hidden"]);
}

#[test]
fn a_worktrees_link_that_becomes_a_repository_is_put_back() {
    let project = Project::new(World::Linked);
    let before = project.picture();
    let snapshot = snapshot(&project, &project.tree());
    project.sh("rm .git; git init -q; echo x >>src/b.py");
    let again = project.tree_again("snapshot");
    let found = strays(&again, &again.compare(&snapshot).unwrap());
    assert_eq!(found, ["~.git", "~src/b.py"]);
    again.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
    assert_eq!(project.picture()["/.git"], before["/.git"]);
}

#[test]
fn a_large_file_is_found_by_its_change_time() {
    let project = Project::new(World::Git);
    project.write("big.bin", "0123456789");
    let tree = project.tree_with(Settings { max_backup: 9, ..Settings::default() });
    let before = snapshot(&project, &tree);
    project.sh("touch -r big.bin ref; printf X | dd conv=notrunc of=big.bin 2>/dev/null; touch -r ref big.bin; rm ref");
    let changes = tree.compare(&before).unwrap();
    assert_eq!(strays(&tree, &changes), ["~big.bin"]);
}

#[test]
fn the_configuration_is_watched_though_git_ignores_it() {
    let project = Project::new(World::Git);
    project.sh("echo ftl.toml >>.gitignore");
    assert_put_back(&project, "echo '[verify]' >ftl.toml", &["+ftl.toml"]);
    project.sh("echo '[scope]' >ftl.toml");
    assert_put_back(&project, "echo '[verify]' >ftl.toml", &["~ftl.toml"]);
}

#[test]
fn a_git_that_git_refuses_counts_as_none_with_a_warning() {
    let project = Project::new(World::Git);
    project.sh("rm .git/HEAD");
    let tree = project.tree();
    assert!(!tree.has_git());
    assert_eq!(tree.warnings().len(), 1, "{:?}", tree.warnings());
    let before = snapshot(&project, &tree);
    project.sh("echo x >>src/b.py; echo x >.git/hooks/pre-commit");
    let found = strays(&tree, &tree.compare(&before).unwrap());
    assert_eq!(found, ["+.git/hooks/pre-commit", "~src/b.py"]);
}

/// A file of rules that is none: a link that gives bytes for ever, a pipe without a writer.
#[test]
fn odd_files_of_rules_hide_nothing_and_never_block() {
    let project = Project::new(World::Git);
    project.sh("rm .gitignore; ln -s /dev/zero .gitignore; mkfifo src/.gitignore; \
         rm .git/info/exclude; ln -s /dev/zero .git/info/exclude");
    let (tree, changes) = changes(&project, "echo x >x.log");
    assert_eq!(strays(&tree, &changes), ["+x.log"]);
}
