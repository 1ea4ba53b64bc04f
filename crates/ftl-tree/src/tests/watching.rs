//! What a command writes, by all that a watch may know of the tree before.

use std::fs::{self, File};

use super::world::{Project, World};
use crate::compare::moment::Clock;
use crate::{Tree, Watch, Written};
use ftl_model::Scratch;

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

/// What a watch before a command looks at: every file, the first ones, or names and types alone.
#[derive(Clone, Copy, Debug)]
enum Look {
    Whole,
    Some,
    Types,
}

impl Look {
    const ALL: [Self; 3] = [Self::Whole, Self::Some, Self::Types];

    fn watch(self, tree: &Tree) -> Watch {
        let clock = || Clock::of(File::open(tree.root()).unwrap()).unwrap();
        let watch = match self {
            Self::Whole => tree.watch_whole(),
            Self::Some => tree.watch_types(clock(), 9),
            Self::Types => tree.watch_types(clock(), 0),
        };
        watch.unwrap()
    }
}

/// What a script in a project wrote.
fn written(project: &Project, look: Look, script: &str) -> Written {
    let tree = project.tree();
    let watch = look.watch(&tree);
    assert_eq!(tree.written_since(&watch).unwrap(), Written::default(), "{look:?}");
    project.sh(script);
    tree.written_since(&watch).unwrap()
}

fn paths(scratch: &[Scratch]) -> Vec<&str> {
    scratch.iter().map(|one| one.path.as_str()).collect()
}

#[test]
fn files_that_a_command_wrote_are_listed_and_no_others_in_each_way_to_look() {
    for (world, look) in [World::Plain, World::Git, World::Below].into_iter().flat_map(each_look) {
        let project = Project::new(world);
        for name in
            ["changed", "equal", "gone", "kept", "linked", "missing", "mode", "moved", "typed"]
        {
            project.write(&format!("late/{name}"), "text\n");
        }
        if world.has_git() {
            project.sh("git add -A && git commit -qm more");
        }
        project.sh("rm late/missing; echo before >>late/kept");
        let written = written(
            &project,
            look,
            "cd late; echo more >>changed; touch -r equal ../stamp; echo same >equal; touch -r ../stamp equal; \
             rm gone ../stamp; ln -f linked other; chmod 755 mode; mv moved sub; rm typed; ln -s kept typed",
        );
        let names = ["changed", "equal", "gone", "linked", "mode", "moved", "typed"];
        let names = names.map(|name| format!("late/{name}"));
        assert_eq!(written.files, names, "{world:?} {look:?}");
        assert_eq!(paths(&written.scratch), ["late/other", "late/sub"], "{world:?} {look:?}");
    }
}

fn each_look(world: World) -> [(World, Look); 3] {
    Look::ALL.map(|look| (world, look))
}

/// Names that sort before what is in the directory `d`, and after it.
const AROUND: [&str; 6] = ["d-", "d.x/f", "d/a/f", "d/f", "d0", "e/d/f"];

#[test]
fn names_around_a_directory_are_compared_in_their_order() {
    for look in Look::ALL {
        let project = Project::new(World::Plain);
        for path in AROUND {
            project.write(path, "text\n");
        }
        let script = AROUND.iter().map(|path| format!("echo more >>{path}; "));
        let written = written(&project, look, &script.collect::<String>());
        assert_eq!(written.files, AROUND, "{look:?}");
        assert_eq!(paths(&written.scratch), [""; 0], "{look:?}");
    }
}

/// Their times are older than the watch.
#[test]
fn files_that_come_with_a_directory_are_others_than_before() {
    for look in Look::ALL {
        let project = Project::new(World::Plain);
        project.write("one/deep/f", "one\n");
        project.write("two/deep/f", "two\n");
        project.write("two/g", "two\n");
        let swapped = written(&project, look, "mv one three; mv two one; mv three two");
        assert_eq!(swapped.files, ["one/deep/f", "two/deep/f", "two/g"], "{look:?}");
        assert_eq!(paths(&swapped.scratch), ["one/g"], "{look:?}");
        let there_and_back = written(&project, look, "mv one three; mv three one");
        assert_eq!(there_and_back, Written::default(), "{look:?}");
    }
}

#[test]
fn a_file_or_link_in_the_place_of_a_directory_removes_the_files_in_it() {
    for (look, script) in Look::ALL.into_iter().flat_map(|look| {
        ["rm -r one; echo 1 >one", "mv one docs/one; ln -s docs/one one"].map(|it| (look, it))
    }) {
        let project = Project::new(World::Plain);
        project.write("one/deep/f", "one\n");
        project.write("one/g", "one\n");
        let written = written(&project, look, script);
        assert_eq!(written.files, ["one/deep/f", "one/g"], "{look:?} {script}");
        assert!(paths(&written.scratch).contains(&"one"), "{look:?} {script} {written:?}");
    }
}

#[test]
fn a_directory_with_another_mode_is_listed_with_the_files_in_it() {
    for look in Look::ALL {
        let project = Project::new(World::Plain);
        project.write("one/deep/f", "one\n");
        project.write("one/g", "one\n");
        let written = written(&project, look, "chmod 711 one; echo new >one/new");
        let one = Scratch { path: "one".to_owned(), files: 3 };
        assert_eq!(written, Written { files: Vec::new(), scratch: vec![one] }, "{look:?}");
    }
}

#[test]
fn scratch_is_looked_at_again_in_a_directory_that_is_the_same() {
    for look in Look::ALL {
        let project = Project::new(World::Git);
        project.write("one/f", "one\n");
        project.write("one/target/x", "one\n");
        project.write("one/x.log", "one\n");
        let written = written(&project, look, "echo 2 >>one/target/x; echo 2 >>one/x.log");
        assert_eq!(written.files, [""; 0], "{look:?}");
        assert_eq!(paths(&written.scratch), ["one/target", "one/x.log"], "{look:?}");
    }
}

#[test]
fn a_watch_leaves_nothing_in_the_tree() {
    for look in Look::ALL {
        let project = Project::new(World::Plain);
        let names = || fs::read_dir(&project.root).unwrap().count();
        let before = names();
        let tree = project.tree();
        let watch = look.watch(&tree);
        assert_eq!(names(), before);
        tree.written_since(&watch).unwrap();
        assert_eq!(names(), before);
    }
}
