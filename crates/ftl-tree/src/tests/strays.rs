//! What shell commands do to a tree, found and put back: each case in every kind of tree.
//!
//! A case is a script, so that the tree is changed by real programs (`mv`, `chmod`, `git stash`) and
//! not by the code under test.

use std::collections::BTreeSet;

use super::world::{Project, World, delta, strays};
use crate::{Paths, Settings, Strays};
use ftl_model::Change;

struct Case {
    script: &'static str,
    /// As [`strays`] writes them.
    strays: &'static [&'static str],
    needs_git: bool,
}

const fn case(script: &'static str, strays: &'static [&'static str]) -> Case {
    Case { script, strays, needs_git: false }
}

const fn git(script: &'static str, strays: &'static [&'static str]) -> Case {
    Case { script, strays, needs_git: true }
}

const CASES: &[Case] = &[
    case(":", &[]),
    case("echo x >>src/a.py; mkdir -p pkg/new; echo 1 >pkg/new/mod.py", &[]),
    case("touch src/b.py link docs", &[]),
    case("cp -p src/b.py t; mv t src/b.py", &[]),
    case("chmod 600 src/b.py; chmod 644 src/b.py", &[]),
    case("mkdir -p target src/__pycache__ node_modules/m; echo 1 >target/x", &[]),
    case("echo x >new.txt", &["+new.txt"]),
    case("mkdir -p x/y; echo 1 >x/y/z", &["+x", "+x/y", "+x/y/z"]),
    case("mkdir empty", &["+empty"]),
    case("mkdir -p scratch/target scratch/d/target; echo 1 >scratch/target/y", &[]),
    case(
        "mkdir -p pkg/new; echo 1 >pkg/new/other.py; echo 1 >pkg/q",
        &["+pkg/new/other.py", "+pkg/q"],
    ),
    case("echo x >>src/b.py", &["~src/b.py"]),
    case(
        "cp -p src/b.py /tmp/$$; printf B | dd conv=notrunc of=src/b.py 2>/dev/null; touch -r /tmp/$$ src/b.py; rm /tmp/$$",
        &["~src/b.py"],
    ),
    case("echo x >>dirty.txt; echo x >>untracked.txt", &["~dirty.txt", "~untracked.txt"]),
    case("rm docs/guide.md", &["-docs/guide.md"]),
    case("rm -r docs notes", &["-docs", "-docs/guide.md", "-notes", "-notes/n"]),
    case("rm dirty.txt untracked.txt link", &["-dirty.txt", "-link", "-untracked.txt"]),
    case("chmod +x src/b.py; chmod -x run.sh", &["~run.sh", "~src/b.py"]),
    case("chmod 700 docs", &["~docs"]),
    case("chmod 000 docs dirty.txt", &["~dirty.txt", "~docs"]),
    case("mv src/b.py src/c.py", &["-src/b.py", "+src/c.py"]),
    case("mv docs manual", &["-docs", "-docs/guide.md", "+manual", "+manual/guide.md"]),
    case("ln -sfn src/b.py link", &["~link"]),
    case("ln -s /etc passwords", &["+passwords"]),
    case("ln src/b.py twin; echo x >>twin", &["~src/b.py", "+twin"]),
    case("rm src/b.py; ln -s /etc/passwd src/b.py", &["~src/b.py"]),
    case(
        "rm src/b.py; mkdir -p src/b.py/d; echo 1 >src/b.py/d/x",
        &["~src/b.py", "+src/b.py/d", "+src/b.py/d/x"],
    ),
    case("rm -r docs; echo 1 >docs", &["~docs", "-docs/guide.md"]),
    case("rm link; mkdir link; echo 1 >link/x", &["~link", "+link/x"]),
    case(
        "rm -r docs; ln -s \"$OUTSIDE\" docs; echo 1 >docs/guide.md",
        &["~docs", "-docs/guide.md"],
    ),
    case("mkfifo pipe", &["+pipe"]),
    case("chmod 700 .", &["~."]),
    case(
        "mkdir -p src/.git/hooks; echo x >src/.git/config; echo x >src/.git/hooks/pre-commit",
        &["+src/.git"],
    ),
    case(
        "git init -q docs; git init -q vendor/lib; echo 1 >vendor/lib/x",
        &["+docs/.git", "+vendor", "+vendor/lib", "+vendor/lib/.git", "+vendor/lib/x"],
    ),
    case(
        "echo x >>.ftl/workspace/002_o_active.xml; echo x >.ftl/workspace/003_p_active.xml",
        &["~.ftl/workspace/002_o_active.xml", "+.ftl/workspace/003_p_active.xml"],
    ),
    case(
        "mv .ftl/workspace/002_o_active.xml .ftl/workspace/002_o_complete.xml; rm -r .ftl/locks",
        &[
            "-.ftl/locks",
            "-.ftl/locks/root",
            "-.ftl/workspace/002_o_active.xml",
            "+.ftl/workspace/002_o_complete.xml",
        ],
    ),
    case(
        "chmod 644 .ftl/workspace/002_o_active.xml; echo x >.ftl/.gitignore; mkdir .ftl/target",
        &["~.ftl/.gitignore", "+.ftl/target", "~.ftl/workspace/002_o_active.xml"],
    ),
    case(
        "mkdir -p in/.ftl/target; echo '*' >in/.ftl/.gitignore; echo 1 >in/.ftl/target/x",
        &["+in", "+in/.ftl", "+in/.ftl/.gitignore", "+in/.ftl/target", "+in/.ftl/target/x"],
    ),
    case("printf 1 >\"$(printf 'we\\nird')\"; printf 1 >'a \"b\"'", &["+a \"b\"", "+we\nird"]),
    case(
        "rm -r src/b.py run.sh; mkdir -p deep/er; echo 1 >deep/er/x; chmod 500 deep/er",
        &["+deep", "+deep/er", "+deep/er/x", "-run.sh", "-src/b.py"],
    ),
    git("echo 1 >build/x; mkdir -p docs/build; echo 1 >docs/build/x; echo 1 >x.log", &[]),
    git("echo 1 >$(git rev-parse --git-path hooks)/pre-commit", &["+.git/hooks/pre-commit"]),
    git(
        "rm -r $(git rev-parse --git-path hooks); git config alias.x y",
        &["~.git/config", "-.git/hooks"],
    ),
    git("echo x >>src/b.py; git add -A; git commit -qm second", &["~src/b.py"]),
    git("git update-index --assume-unchanged src/b.py; echo x >>src/b.py", &["~src/b.py"]),
    git("git checkout -q -- dirty.txt", &["~dirty.txt"]),
    git("git stash -q -u", &["~dirty.txt", "-notes", "-notes/n", "-untracked.txt"]),
    git(
        "git clean -fdxq .ftl/workspace .ftl/locks",
        &["-.ftl/locks", "-.ftl/locks/root", "-.ftl/workspace", "-.ftl/workspace/002_o_active.xml"],
    ),
    git("git rm -qf docs/guide.md", &["-docs", "-docs/guide.md"]),
    git("echo hidden >>.gitignore; echo 1 >hidden", &["~.gitignore", "+hidden"]),
    git("echo '*' >src/.gitignore; echo 1 >src/hidden", &["+src/.gitignore", "+src/hidden"]),
    git(
        "echo hidden >>$(git rev-parse --git-path info/exclude); echo 1 >hidden",
        &["~.git/info/exclude", "+hidden"],
    ),
    git("git update-server-info; git gc -q", &[]),
    git(
        "rm -r $(git rev-parse --git-path refs) $(git rev-parse --git-path hooks); echo x >>untracked.txt",
        &["-.git/hooks", "~untracked.txt"],
    ),
    git(
        "mkdir -p own/lib; echo '*' >own/.gitignore; echo 1 >own/lib/x",
        &["+own", "+own/.gitignore", "+own/lib", "+own/lib/x"],
    ),
    git("rm .gitignore", &["-.gitignore"]),
];

#[test]
fn strays_without_git_are_found_and_put_back() {
    find_and_put_back_all(World::Plain);
}

#[test]
fn strays_in_a_repository_are_found_and_put_back() {
    find_and_put_back_all(World::Git);
}

#[test]
fn strays_in_a_part_of_a_repository_are_found_and_put_back() {
    find_and_put_back_all(World::Below);
}

#[test]
fn strays_where_git_converts_files_are_found_and_put_back() {
    find_and_put_back_all(World::Attributes);
}

#[test]
fn strays_in_a_part_where_git_converts_files_are_found_and_put_back() {
    find_and_put_back_all(World::BelowAttributes);
}

#[test]
fn strays_in_a_linked_worktree_are_found_and_put_back() {
    find_and_put_back_all(World::Linked);
}

/// Byte and mode.
fn find_and_put_back_all(world: World) {
    for case in CASES.iter().filter(|case| world.has_git() || !case.needs_git) {
        let name = format!("{world:?}: {}", case.script);
        let project = Project::new(world);
        let picture = project.picture();
        let snapshot = project.tree().snapshot(&project.run_dir("snapshot")).unwrap();
        assert_eq!(snapshot.warnings(), [""; 0], "{name}");
        project.sh(case.script);

        let tree = project.tree_again("snapshot");
        let changes = tree.compare(&snapshot).unwrap();
        let found: Vec<_> = strays(&tree, &changes)
            .into_iter()
            .filter(|stray| !is_sample(stray))
            // Below a repository's top that is where its own directory is.
            .map(|stray| stray.replace("../.git/", ".git/"))
            .collect();
        let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
        found.sort_by_key(|stray| &stray[1..]);
        assert_eq!(found, case.strays, "{name}");

        let snapshot = tree.load(&project.run_dir("snapshot")).unwrap().unwrap();
        let done = tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
        assert!(done.lost.is_empty(), "{name}: {done:?}");
        let after = tree.compare(&snapshot).unwrap();
        assert_eq!(strays(&tree, &after), [""; 0], "{name}");
        assert_eq!(after.delta, changes.delta, "{name}");

        tree.restore(&snapshot, &project.run_dir("kept")).unwrap();
        let mut now = project.picture();
        now.retain(|path, _| picture.contains_key(path) || !is_scratch(path));
        assert_eq!(now, picture, "{name}");
    }
}

fn is_sample(stray: &str) -> bool {
    stray.ends_with(".sample")
}

fn is_scratch(path: &str) -> bool {
    let scratch = ["/scratch", "/target", "__pycache__", "/node_modules", "/build", ".log"];
    scratch.iter().any(|part| path.contains(part))
}

#[test]
fn putting_back_writes_nothing_through_a_link_that_leads_out() {
    for world in World::ALL {
        let project = Project::new(world);
        let tree = project.tree();
        let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
        project.sh("rm -r docs src; ln -s \"$OUTSIDE\" docs; ln -s \"$OUTSIDE\" src");
        std::fs::write(project.outside().join("guide.md"), "not ours").unwrap();
        let changes = tree.compare(&snapshot).unwrap();
        let lost = &changes.delta[&delta()[0]];
        assert!(lost.now.is_odd());
        assert!(tree.write(&delta()[0], b"x", None).is_err());
        tree.restore(&snapshot, &project.run_dir("kept")).unwrap();
        let outside = std::fs::read_dir(project.outside()).unwrap().count();
        assert_eq!(outside, 1, "{world:?}");
        assert_eq!(std::fs::read(project.outside().join("guide.md")).unwrap(), b"not ours");
        assert_eq!(std::fs::read(project.root.join("src/a.py")).unwrap(), b"a = 1\n");
    }
}

#[test]
fn files_that_were_moved_away_are_kept_as_they_were() {
    let project = Project::new(World::Git);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    let quarantine = project.run_dir("quarantine");
    for content in ["one", "two"] {
        project.write("x/stray.txt", content);
        project.write("src/b.py", content);
        tree.quarantine(&snapshot, &quarantine).unwrap();
    }
    let kept = |path: &str| std::fs::read_to_string(quarantine.join(path)).unwrap();
    assert_eq!(kept("x/stray.txt"), "one");
    assert_eq!(kept("src/b.py"), "one");
    assert_eq!(kept("again-2/x/stray.txt"), "two");
    assert_eq!(kept("again-2/src/b.py"), "two");
}

#[test]
fn strays_stay_where_they_are_when_they_are_only_reported() {
    let project = Project::new(World::Git);
    let tree = project.tree_with(Settings { strays: Strays::Report, ..Settings::default() });
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project.sh("echo x >stray.txt; echo x >>src/b.py; echo x >>src/a.py");
    let changes = tree.compare(&snapshot).unwrap();
    assert_eq!(strays(&tree, &changes), ["~src/b.py", "+stray.txt"]);
    let picture = project.picture();
    tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
    assert_eq!(project.picture(), picture);
}

/// The setting is about strays of an implementer who finished. One who was interrupted had no chance
/// to clean up, and the request is repeated on the tree that it was made for.
#[test]
fn an_interrupted_request_is_undone_even_where_strays_are_only_reported() {
    let project = Project::new(World::Git);
    let before = project.picture();
    let tree = project.tree_with(Settings { strays: Strays::Report, ..Settings::default() });
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project.sh("echo x >stray.txt; echo x >>src/b.py; echo x >>src/a.py; rm docs/guide.md");
    let kept = project.run_dir("kept");
    let done = tree.restore(&snapshot, &kept).unwrap();
    assert!(done.lost.is_empty(), "{done:?}");
    assert_eq!(strays(&tree, &tree.compare(&snapshot).unwrap()), [""; 0]);
    assert!(project.picture() == before, "the delta is put back too");
    assert_eq!(std::fs::read_to_string(kept.join("stray.txt")).unwrap(), "x\n");
}

#[test]
fn a_large_file_is_watched_and_said_to_be_beyond_repair() {
    let project = Project::new(World::Git);
    project.write("big.bin", "0123456789");
    let tree = project.tree_with(Settings { max_backup: 9, ..Settings::default() });
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    let about: Vec<_> =
        snapshot.warnings().iter().filter(|text| text.contains("`big.bin`")).collect();
    assert_eq!(about.len(), 1, "{:?}", snapshot.warnings());
    project.sh("echo x >>big.bin; echo x >>docs/guide.md");
    assert_eq!(strays(&tree, &tree.compare(&snapshot).unwrap()), ["~big.bin", "~docs/guide.md"]);
    let done = tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
    let paths =
        |paths: &Paths| -> Vec<String> { paths.iter().map(|path| tree.shown(path)).collect() };
    assert_eq!(paths(&done.lost), ["big.bin"]);
    assert_eq!(paths(&done.restored), ["docs/guide.md"]);
    assert_eq!(std::fs::read(project.root.join("big.bin")).unwrap(), b"0123456789x\n");
}

#[test]
fn the_delta_is_compared_with_its_former_state() {
    for (script, expected) in [
        (":", None),
        ("touch src/a.py", None),
        ("echo x >>src/a.py", Some(Change::Modified)),
        ("chmod +x src/a.py", Some(Change::Modified)),
        ("rm src/a.py", Some(Change::Deleted)),
        ("rm -r src/a.py; mkdir src/a.py", Some(Change::Modified)),
        ("ln -sf b.py src/a.py", Some(Change::Modified)),
    ] {
        let project = Project::new(World::Plain);
        let tree = project.tree();
        let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
        project.sh(script);
        let changes = tree.compare(&snapshot).unwrap();
        assert_eq!(changes.delta[&delta()[0]].change, expected, "{script}");
        assert_eq!(changes.delta[&delta()[1]].change, None, "{script}");
        assert_eq!(changes.touch_delta(), expected.is_some(), "{script}");
        assert_eq!(snapshot.read(&delta()[0]).unwrap().unwrap(), b"a = 1\n");
        tree.restore(&snapshot, &project.run_dir("kept")).unwrap();
        let again = tree.compare(&snapshot).unwrap();
        assert!(!again.touch_delta(), "{script}");
    }
}

#[test]
fn scratch_is_listed_topmost_and_new_ones_first() {
    let project = Project::new(World::Git);
    project.write(".coverage", "once\n");
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project.sh(
        "mkdir -p zoo/node_modules/a zoo/node_modules/b; rm -r zoo/node_modules/b; echo 1 >z.log",
    );
    project.sh("mkdir -p src/__pycache__; echo 1 >src/__pycache__/a; echo 1 >src/__pycache__/b");
    project.sh("echo 1 >zoo/node_modules/a/x; echo more >>.coverage");
    let scratch = tree.compare(&snapshot).unwrap().scratch;
    let listed: Vec<_> = scratch.iter().map(|one| (one.path.as_str(), one.files)).collect();
    assert_eq!(listed, [("src/__pycache__", 2), ("z.log", 1), ("zoo", 1), (".coverage", 1)]);
}

#[test]
fn configured_scratch_is_no_stray() {
    let project = Project::new(World::Plain);
    let settings =
        Settings { scratch: vec![".agent/".to_owned(), "*.tmp".to_owned()], ..Settings::default() };
    let tree = project.tree_with(settings);
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project
        .sh("mkdir -p docs/.agent; echo 1 >docs/.agent/log; echo 1 >src/x.tmp; echo 1 >src/x.tmpl");
    assert_eq!(strays(&tree, &tree.compare(&snapshot).unwrap()), ["+src/x.tmpl"]);
}

#[test]
fn in_a_tree_of_others_too_only_the_own_delta_is_put_back() {
    for theirs in [BTreeSet::new(), BTreeSet::from([delta()[0].clone()])] {
        let project = Project::new(World::Plain);
        let tree = project.tree();
        let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
        project.sh("echo 2 >src/a.py; echo other >>src/b.py; echo new >made.txt");
        let to = project.run_dir("interrupted");
        tree.restore_delta(&snapshot, &to, &theirs).unwrap();
        let own = if theirs.is_empty() { "a = 1\n" } else { "2\n" };
        assert_eq!(std::fs::read_to_string(project.root.join("src/a.py")).unwrap(), own);
        let found = strays(&tree, &tree.compare(&snapshot).unwrap());
        assert_eq!(found, ["+made.txt", "~src/b.py"]);
    }
}
