//! What a command writes, in small trees and in large ones.

use std::fs;

use super::world::{Project, World};
use crate::Written;
use crate::walk::listing::LOOKED_AT_FIRST;

#[test]
fn files_that_a_command_wrote_outside_the_delta_are_listed() {
    for world in World::ALL {
        let project = Project::new(world);
        let tree = project.tree();
        let watch = tree.watch().unwrap();
        assert_eq!(tree.written_since(&watch).unwrap(), Written::default());
        project.sh("echo 1 >>src/a.py; mkdir -p out/deep; echo 1 >out/deep/x; echo 1 >>docs/guide.md; mkdir .pytest_cache");
        let written = tree.written_since(&watch).unwrap();
        assert_eq!(written.files, ["docs/guide.md"], "{world:?}");
        let scratch: Vec<_> = written.scratch.iter().map(|one| &one.path).collect();
        assert_eq!(scratch, [".pytest_cache", "out"], "{world:?}");
    }
}

/// A project whose files in `late` come after so many others that the watch does not look at them first.
fn large(world: World) -> Project {
    let project = Project::new(world);
    for number in 0..=LOOKED_AT_FIRST {
        project.write(&format!("early/{number}"), "");
    }
    for name in ["changed", "equal", "gone", "kept", "linked", "missing", "mode", "moved", "typed"]
    {
        project.write(&format!("late/{name}"), "text\n");
    }
    if world.has_git() {
        project.sh("git add -A && git commit -qm large");
    }
    project.sh("rm late/missing");
    project
}

#[test]
fn in_a_large_tree_all_that_a_command_wrote_is_listed_and_nothing_else() {
    for world in [World::Plain, World::Git, World::Below] {
        let project = large(world);
        let tree = project.tree();
        project.sh("echo before >>late/kept");
        let watch = tree.watch().unwrap();
        assert_eq!(tree.written_since(&watch).unwrap(), Written::default(), "{world:?}");
        project.sh(
            "cd late; echo more >>changed; touch -r equal ../stamp; echo same >equal; touch -r ../stamp equal; \
             rm gone ../stamp; ln -f linked other; chmod 755 mode; mv moved sub; rm typed; ln -s kept typed",
        );
        let written = tree.written_since(&watch).unwrap();
        let names = ["changed", "equal", "gone", "linked", "mode", "moved", "typed"];
        assert_eq!(written.files, names.map(|name| format!("late/{name}")), "{world:?}");
        let scratch: Vec<_> = written.scratch.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(scratch, ["late/other", "late/sub"], "{world:?}");
    }
}

#[test]
fn a_watch_of_a_large_tree_leaves_nothing_in_it() {
    let project = large(World::Plain);
    let names = || fs::read_dir(&project.root).unwrap().count();
    let before = names();
    let tree = project.tree();
    let watch = tree.watch().unwrap();
    assert_eq!(names(), before);
    tree.written_since(&watch).unwrap();
    assert_eq!(names(), before);
}
