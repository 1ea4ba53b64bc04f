//! What is saved of files, and what a later process finds of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use ftl_model::{DeltaPath, Digest};

use super::world::{DELTA, Project, World, delta};
use crate::{PathState, SavedFiles, Tree, TreeError};

const FILES: [&str; 8] =
    ["src/a.py", "src/b.py", "run.sh", "link", "docs", "pipe", "none/at/all", "dirty.txt/below"];

fn paths(names: &[&str]) -> Vec<DeltaPath> {
    names.iter().map(|name| DeltaPath::parse(name).unwrap()).collect()
}

fn path(name: &str) -> DeltaPath {
    DeltaPath::parse(name).unwrap()
}

fn file(bytes: &[u8], permissions: u32) -> PathState {
    PathState::File { sha256: Digest::of(bytes), permissions }
}

/// As another process finds it.
fn load(project: &Project, name: &str) -> Option<SavedFiles> {
    project.tree().load(&project.run_dir(name)).unwrap()
}

fn save(tree: &Tree, project: &Project, name: &str, names: &[&str]) -> SavedFiles {
    tree.save(&[], &paths(names), &project.run_dir(name)).unwrap()
}

#[test]
fn saved_files_are_found_by_another_process() {
    for world in World::ALL {
        let project = Project::new(world);
        let large = vec![b'x'; 1 << 20];
        fs::write(project.root.join("src/b.py"), &large).unwrap();
        project.sh("mkfifo pipe; chmod 711 docs; chmod 600 src/b.py");
        let saved = save(&project.tree(), &project, "saved", &FILES);
        project.sh("rm -r src run.sh link docs pipe; mkdir -p none/at; echo 1 > none/at/all");
        for saved in [saved, load(&project, "saved").unwrap()] {
            let state = |name: &str| saved.state(&path(name));
            let read = |name: &str| saved.read(&path(name)).unwrap();
            assert_eq!(state("src/a.py"), file(b"a = 1\n", 0o644), "{world:?}");
            assert_eq!(read("src/a.py").unwrap(), b"a = 1\n");
            assert_eq!(saved.len(&path("src/a.py")), Some(6));
            assert_eq!(state("src/b.py"), file(&large, 0o600));
            assert!(read("src/b.py").unwrap() == large);
            assert_eq!(state("run.sh"), file(b"#!/bin/sh\n", 0o755));
            let PathState::Link { target } = state("link") else { panic!("{:?}", state("link")) };
            assert_eq!(target.as_path().to_str(), Some("docs/guide.md"));
            assert_eq!(state("docs"), PathState::Dir { permissions: 0o711 });
            assert!(matches!(state("pipe"), PathState::Pipe { .. }));
            assert_eq!(state("none/at/all"), PathState::Nothing);
            assert_eq!(state("dirty.txt/below"), PathState::Special);
            for odd in ["link", "docs", "pipe", "none/at/all", "dirty.txt/below"] {
                assert_eq!(read(odd), None, "{odd}");
                assert!(saved.knows(&path(odd)) && saved.len(&path(odd)).is_none(), "{odd}");
            }
            assert!(!saved.knows(&path("other")));
            assert_eq!(saved.states().len(), FILES.len());
        }
    }
}

#[test]
fn a_later_save_keeps_what_the_first_of_the_earlier_ones_knows() {
    let project = Project::new(World::Git);
    let tree = project.tree();
    let one = save(&tree, &project, "1", &["src/a.py", "pkg/new/mod.py"]);
    project
        .sh("echo two > src/a.py; echo two > src/b.py; mkdir -p pkg/new; echo 2 > pkg/new/mod.py");
    let two = save(&tree, &project, "2", &["src/a.py", "src/b.py"]);
    project.sh("echo three > src/a.py; echo three > src/b.py; echo three > run.sh; rm link");
    let added = paths(&["src/a.py", "src/b.py", "run.sh", "link"]);
    tree.save(&[&one, &two], &added, &project.run_dir("3")).unwrap();
    // Nothing of the earlier ones is needed any more.
    for dir in ["1", "2"] {
        fs::remove_dir_all(project.run_dir(dir)).unwrap();
    }
    let three = load(&project, "3").unwrap();
    let text = |name: &str| {
        let bytes = three.read(&path(name)).unwrap();
        bytes.map(|bytes| String::from_utf8(bytes).unwrap())
    };
    assert_eq!(text("src/a.py").unwrap(), "a = 1\n");
    assert_eq!(text("src/b.py").unwrap(), "two\n");
    assert_eq!(text("run.sh").unwrap(), "three\n");
    assert_eq!([text("pkg/new/mod.py"), text("link")], [None, None]);
    assert_eq!(three.state(&path("pkg/new/mod.py")), PathState::Nothing);
    assert_eq!(three.state(&path("run.sh")).permissions(), Some(0o755));
    assert_eq!(three.states().len(), 5);
}

#[test]
fn a_save_that_did_not_end_is_none() {
    let project = Project::new(World::Plain);
    assert!(load(&project, "none").is_none());
    save(&project.tree(), &project, "saved", &DELTA);
    fs::remove_file(project.run_dir("saved").join("manifest.json")).unwrap();
    assert!(load(&project, "saved").is_none());
    // An attempt in the same directory begins from nothing.
    project.sh("echo later > src/a.py");
    save(&project.tree(), &project, "saved", &DELTA);
    let again = load(&project, "saved").unwrap();
    assert_eq!(again.read(&delta()[0]).unwrap().unwrap(), b"later\n");
}

#[test]
fn a_store_that_cannot_be_what_was_written_is_an_error() {
    let project = Project::new(World::Plain);
    let large = vec![b'x'; 1 << 20];
    fs::write(project.root.join("src/b.py"), &large).unwrap();
    for (names, file) in [(&["src/a.py"][..], "manifest.json"), (&["src/b.py"], "copies")] {
        save(&project.tree(), &project, "saved", names);
        let at = project.run_dir("saved").join(file);
        let mut bytes = fs::read(&at).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&at, bytes).unwrap();
        let saved = load(&project, "saved").unwrap();
        let error = saved.read(&path(names[0])).unwrap_err();
        assert!(matches!(error, TreeError::Damaged { .. }), "{error}");
        let again = project.tree().save(&[&saved], &[], &project.run_dir("again"));
        assert!(matches!(again, Err(TreeError::Damaged { .. })), "{again:?}");
        assert!(load(&project, "again").is_none());
    }
    for text in ["", "{", "{\"version\":1,\"files\":{}}"] {
        fs::write(project.run_dir("saved").join("manifest.json"), text).unwrap();
        let error = project.tree().load(&project.run_dir("saved")).unwrap_err();
        assert!(matches!(error, TreeError::Damaged { .. }), "{text}: {error}");
    }
}

#[test]
fn saved_files_are_for_their_owner_alone() {
    let project = Project::new(World::Plain);
    fs::write(project.root.join("src/b.py"), vec![b'x'; 1 << 20]).unwrap();
    save(&project.tree(), &project, "saved", &["src/a.py", "src/b.py"]);
    let dir = project.run_dir("saved");
    for at in [dir.clone(), dir.join("manifest.json"), dir.join("copies")] {
        let mode = at.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", at.display());
    }
}

#[test]
fn the_bytes_of_saved_files_are_written_for_people() {
    let project = Project::new(World::Below);
    let saved = save(&project.tree(), &project, "saved", &FILES);
    let to = project.run_dir("people");
    saved.copy_out(&paths(&FILES), &to).unwrap();
    assert_eq!(fs::read(to.join("src/a.py")).unwrap(), b"a = 1\n");
    assert_eq!(fs::read(to.join("run.sh")).unwrap(), b"#!/bin/sh\n");
    assert!(!to.join("link").exists() && !to.join("none").exists());
}

#[test]
fn files_of_the_tree_are_copied_out_once_each() {
    let project = Project::new(World::Below);
    project.sh("mkfifo pipe");
    let to = project.run_dir("people");
    let files = paths(&["src/a.py", "link", "none"]);
    let done = project.tree().copy_out_files(&files, &to).unwrap();
    assert_eq!(done.copied, ["src/a.py", "link"]);
    assert_eq!(done.absent, ["none"]);
    assert_eq!(fs::read(to.join("src/a.py")).unwrap(), b"a = 1\n");
    assert_eq!(fs::read_link(to.join("link")).unwrap().to_str(), Some("docs/guide.md"));
    assert_eq!(to.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    // A later version takes the place of the earlier one.
    project.sh("echo later > src/a.py");
    project.tree().copy_out_files(&files, &to).unwrap();
    assert_eq!(fs::read(to.join("src/a.py")).unwrap(), b"later\n");
}
