//! What protects the work survives every program that writes in the tree.

use super::world::{Project, World, strays};

/// That whatever `havoc` does after `work` is undone without a loss.
fn assert_survives(world: World, work: &str, havoc: &str) {
    let mut project = Project::new(world);
    project.sh(work);
    project.adopt_git();
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("capture")).unwrap();
    let before = project.picture();
    project.sh(havoc);
    let done = tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
    assert!(done.lost.is_empty(), "{done:?}");
    assert_eq!(project.picture(), before);
}

#[test]
fn staged_work_is_put_back_though_its_objects_are_gone() {
    assert_survives(
        World::Git,
        "printf 'staged\\n' > staged.txt; printf 'edit\\n' >> docs/guide.md; git add -A",
        "git reset -q --hard; git reflog expire --expire=now --all; git gc -q --prune=now",
    );
}

#[test]
fn staged_work_is_put_back_where_there_is_no_commit_yet() {
    assert_survives(
        World::Plain,
        "git init -q; printf 'staged\\n' > staged.txt; git add -A",
        "git rm -rfq --cached .; git gc -q --prune=now; rm staged.txt docs/guide.md",
    );
}

/// Only one copy is spoilt: the others are put back all the same.
#[test]
fn each_file_is_put_back_for_itself() {
    let project = Project::new(World::Git);
    project.sh("echo unique-bytes > first.txt; echo two > second.txt");
    let tree = project.tree();
    let dir = project.run_dir("capture");
    tree.snapshot(&dir).unwrap();
    let mut manifest = std::fs::read(dir.join("manifest.json")).unwrap();
    let at = manifest.windows(13).position(|bytes| bytes == b"unique-bytes\n").unwrap();
    manifest[at] = b'X';
    std::fs::write(dir.join("manifest.json"), manifest).unwrap();
    let snapshot = tree.load(&dir).unwrap().unwrap();
    project.sh("rm first.txt second.txt src/b.py");
    let done = tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
    let lost: Vec<String> = done.lost.iter().map(|path| tree.shown(path)).collect();
    assert_eq!(lost, ["first.txt"]);
    assert_eq!(std::fs::read(project.root.join("second.txt")).unwrap(), b"two\n");
    assert!(project.root.join("src/b.py").exists());
}

/// git-hash-object reads paths from the repository's top, wherever it runs.
#[test]
fn attributes_above_the_root_are_no_obstacle() {
    let project = Project::new(World::Below);
    project.sh("echo '*.md text' > ../.gitattributes; echo here > only-here.md; git add -A ..; \
         git commit -qm attributes");
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("capture")).unwrap();
    project.sh("echo more >> only-here.md");
    let changes = tree.compare(&snapshot).unwrap();
    assert_eq!(strays(&tree, &changes), ["~only-here.md"]);
}
