//! Work in a workplace: what it gets of the project, and what is found of what is done there.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::workplaces::{DEPENDENCIES, Placed, picture};
use super::world::{Project, World, strays};
use crate::workplace::{Placement, Workplace};
use crate::{RelPath, Settings};

#[test]
fn dependencies_are_those_of_the_tree_and_build_outputs_belong_to_the_workplace() {
    for placement in [Placement::Layered, Placement::Bound, Placement::OwnPath] {
        let project = Project::new(World::Git);
        project.sh(DEPENDENCIES);
        let mut at = Placed::with(project, Settings::default(), placement);
        at.refresh();
        assert_eq!(std::fs::read(at.in_copy(".env")).unwrap(), b"secret\n");
        assert_eq!(at.changes().dependencies, [""; 0], "{placement:?}");
        assert!(at.changes().are_none(), "{placement:?}: {:?}", at.changes());
        let mounts = at.place.mounts(&at.tree).unwrap();
        let layered: Vec<_> = mounts.layers.iter().map(|layer| layer.over.clone()).collect();
        let names = [".venv", "node_modules", "vendor"];
        let expected: Vec<PathBuf> = match placement {
            Placement::Layered => names.map(|name| at.tree.root().join(name)).into(),
            Placement::Bound | Placement::OwnPath => Vec::new(),
        };
        assert_eq!(layered, expected, "{placement:?}");
        let expected = match placement {
            Placement::Layered => {
                std::fs::write(mounts.layers[1].upper.join("new"), "").unwrap();
                "node_modules/new"
            }
            Placement::Bound | Placement::OwnPath => {
                at.work("echo mine > node_modules/x/i");
                assert_eq!(at.changes().dependencies, ["node_modules"], "{placement:?}");
                at.work("mkdir -p node_modules/x/sub; echo > node_modules/x/sub/new");
                "node_modules/x/sub"
            }
        };
        assert_eq!(at.changes().dependencies, [expected], "{placement:?}");
        at.work("cat dist/d; echo mine > target/debug/t; echo n > target/new; rm -r dist; mkdir dist; echo e > dist/e");
        assert_eq!(at.changes().strays, [], "{placement:?}");
        at.project.sh(
            "test \"$(cat node_modules/x/i)\" = x; test \"$(cat target/debug/t)\" = t
             test -e dist/d; test ! -e target/new; echo root > target/debug/t; echo b = 3 > src/b.py",
        );
        at.refresh();
        at.work(
            "test \"$(cat target/debug/t)\" = mine; test -e target/new -a -e dist/e -a ! -e dist/d
             test \"$(cat src/b.py)\" = 'b = 3'",
        );
        assert_eq!(at.changes().dependencies, [""; 0], "{placement:?}");
        if placement != Placement::Layered {
            at.work("test \"$(cat node_modules/x/i)\" = x");
        }
    }
}

#[test]
fn a_directory_of_dependencies_that_is_too_large_to_be_copied_is_the_projects_own() {
    let project = Project::new(World::Git);
    project.sh(DEPENDENCIES);
    let settings = Settings { max_outputs: 3, ..Settings::default() };
    let at = Placed::ready(project, settings);
    for name in ["node_modules", "vendor", ".venv"] {
        assert!(!at.in_copy(name).is_symlink(), "{name}");
    }
    let project = Project::new(World::Git);
    project.sh(DEPENDENCIES);
    let mut at = Placed::ready(project, Settings { max_outputs: 1, ..Settings::default() });
    for name in ["node_modules", "vendor", ".venv"] {
        assert_eq!(std::fs::read_link(at.in_copy(name)).unwrap(), at.tree.root().join(name));
    }
    assert_eq!(at.changes().dependencies, [""; 0]);
    at.work("echo mine > node_modules/x/i");
    assert_eq!(at.changes().dependencies, ["node_modules"]);
    at.refresh();
    assert_eq!(at.changes().dependencies, [""; 0]);
}

/// What was built from a version that was dropped must not pass for current.
#[test]
fn a_path_whose_version_was_dropped_is_newer_than_what_was_built_from_it() {
    let project = Project::new(World::Git);
    project.sh(DEPENDENCIES);
    let mut at = Placed::ready(project, Settings::default());
    at.work("echo b = 5 > src/b.py; rm docs/guide.md; chmod 700 run.sh; echo built > target/b");
    at.refresh();
    at.work(
        "test src/b.py -nt target/b; test docs/guide.md -nt target/b; test run.sh -nt target/b
         test target/b -nt src/a.py; test \"$(cat src/b.py)\" = 'b = 1'",
    );
}

#[test]
fn a_process_that_goes_on_finds_the_changes_by_the_stored_base() {
    let mut at = Placed::ready(Project::new(World::Git), Settings::default());
    at.work("echo x > stray.txt");
    at.open_again();
    assert!(at.place.tree(&at.tree).is_err(), "nothing is known of the copy yet");
    assert!(at.place.load(&at.tree));
    assert_eq!(strays(&at.tree, &at.changes()), ["+stray.txt"]);
    // A base of another tree, or of another placement, is none.
    let other = Project::new(World::Git);
    assert!(!at.place.load(&other.tree()));
    let placed = Workplace::open(at.place.dir(), Placement::Bound);
    assert!(!placed.unwrap().load(&at.tree));
}

#[test]
fn files_that_the_copy_does_not_hold_as_the_project_does_are_named() {
    let at = Placed::ready(Project::new(World::Git), Settings::default());
    let lacks = |changed: &BTreeSet<RelPath>| -> Vec<String> {
        let watch = at.tree.watch_whole().unwrap();
        let lacking = at.place.lacks(&at.tree, &watch, changed).unwrap();
        lacking.iter().map(ToString::to_string).collect()
    };
    at.project.sh("echo person >> src/b.py; echo person >> src/a.py; echo n > new; git add new");
    let changed = BTreeSet::from([RelPath::new("run.sh")]);
    let found = lacks(&changed);
    for (path, expected) in
        [("src/b.py", true), ("new", true), ("run.sh", true), ("src/a.py", false)]
    {
        assert_eq!(found.iter().any(|name| name == path), expected, "{path}: {found:?}");
    }
}

#[test]
fn originals_are_the_files_that_the_project_still_has_as_they_were() {
    let at = Placed::ready(Project::new(World::Git), Settings::default());
    at.work("echo x >> src/b.py; echo x >> run.sh; echo x > stray.txt; rm docs/guide.md");
    let changes = at.changes();
    at.project.sh("echo person >> run.sh; echo person > stray.txt");
    let originals = at.place.originals(&at.tree, &changes);
    let mut named: Vec<String> = originals.iter().map(ToString::to_string).collect();
    named.sort();
    assert_eq!(named, ["docs/guide.md", "src/b.py"]);
}

#[test]
fn strays_are_copied_out_and_new_directories_as_a_whole() {
    let at = Placed::ready(Project::new(World::Below), Settings::default());
    at.work(
        "mkdir -p x/y; echo 1 > x/y/z; echo 2 >> src/b.py; rm docs/guide.md; echo 3 > ../above",
    );
    let to = at.project.run_dir("strays");
    let changes = at.changes();
    let done = at.place.copy_strays(&at.tree, &changes.strays, &to).unwrap();
    assert_eq!(done.absent, ["docs/guide.md"]);
    assert_eq!(done.dropped, [""; 0]);
    for (path, content) in
        [("x/y/z", "1\n"), ("src/b.py", "b = 1\n2\n"), ("above-root/above", "3\n")]
    {
        assert_eq!(std::fs::read_to_string(to.join(path)).unwrap(), content, "{path}");
    }
}

/// What an implementer puts in the place of what a refresh writes.
const TRAPS: [&str; 9] = [
    "rm -rf .git; ln -s \"$OUTSIDE\" .git",
    "rm -rf .git; echo gitdir: \"$OUTSIDE\" > .git",
    "rm -rf .git/objects; ln -s \"$OUTSIDE\" .git/objects",
    "rm -rf .git/objects/info; ln -s \"$OUTSIDE\" .git/objects/info",
    "rm .git/objects/info/alternates; ln -s \"$OUTSIDE/mine\" .git/objects/info/alternates",
    "rm -rf .git/refs .git/hooks; ln -s \"$OUTSIDE\" .git/refs; ln -s \"$OUTSIDE\" .git/hooks",
    "cd ..; rm -rf tree; ln -s \"$OUTSIDE\" tree",
    "ln -s \"$OUTSIDE/mine\" ../base.new",
    "rm -rf src; ln -s \"$OUTSIDE\" src; rm -rf build; ln -s \"$OUTSIDE\" build",
];

#[test]
fn links_that_an_implementer_leaves_lead_a_refresh_nowhere() {
    let mut at = Placed::ready(Project::new(World::Git), Settings::default());
    let outside = at.project.outside();
    std::fs::create_dir(outside.join("info")).unwrap();
    for name in ["mine", "a.py", "config", "info/x"] {
        std::fs::write(outside.join(name), "mine").unwrap();
    }
    let before = picture(&outside);
    for trap in TRAPS {
        at.work(trap);
        let changes = at.changes();
        assert_eq!(changes.touch_delta(), trap.contains("src") || trap.contains("tree"), "{trap}");
        // Git may refuse what is there.
        let _ = at.place.keep_commits(&at.tree, "refs/ftl/run");
        assert!(picture(&outside) == before, "{trap}");
        at.refresh();
        assert!(picture(&outside) == before, "{trap}");
        at.work("git fsck --no-dangling; git log --format=%s | grep -qx first");
        assert!(at.changes().are_none(), "{trap}");
        // Build outputs are the workplace's.
        at.work("rm -rf build; mkdir build; echo o > build/o");
        at.is_equal(trap);
    }
}

#[test]
fn new_empty_directories_that_leave_with_the_implementer_are_no_strays() {
    let at = Placed::ready(Project::new(World::Plain), Settings::default());
    at.work("mkdir .tool .other .full; : > .full/x");
    let leaves = [".tool", ".full"].map(str::to_owned);
    let changes = at.place.changes(&at.tree, &at.before(), &leaves).unwrap();
    let found = strays(&at.tree, &changes);
    assert_eq!(found, ["+.full", "+.full/x", "+.other"]);
}
