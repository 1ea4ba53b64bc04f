//! The delta compared with commits.

use super::world::{Project, World, delta};
use crate::TreeError;
use ftl_model::Change;

#[test]
fn the_delta_is_compared_with_a_revision() {
    for world in [World::Git, World::Below, World::Attributes] {
        for (script, expected) in [
            (":", None),
            ("chmod 664 src/a.py; touch src/a.py", None),
            ("echo x >>src/a.py", Some(Change::Modified)),
            ("echo x >>src/a.py; git add .; git commit -qm second", None),
            ("chmod +x src/a.py", Some(Change::Modified)),
            ("rm src/a.py", Some(Change::Deleted)),
            ("git rm -q --cached src/a.py; git commit -qm gone", Some(Change::Created)),
        ] {
            let project = Project::new(world);
            project.sh(script);
            let tree = project.tree();
            let base = tree.base(None).unwrap();
            let changes = tree.changes_from(&base).unwrap();
            assert_eq!(changes[&delta()[0]].change, expected, "{world:?}: {script}");
            assert_eq!(changes[&delta()[1]].change, None);
        }
    }
}

#[test]
fn line_ends_that_git_converts_are_no_change() {
    let project = Project::new(World::Attributes);
    project.sh("printf 'a = 1\\r\\n' >src/a.py");
    let tree = project.tree();
    let changes = tree.changes_from(&tree.base(None).unwrap()).unwrap();
    assert_eq!(changes[&delta()[0]].change, None);
}

#[test]
fn a_delta_file_that_is_changed_after_the_revision_was_looked_up_counts() {
    for (world, script, expected) in [
        (World::Git, "echo x >>src/a.py", Some(Change::Modified)),
        (World::Below, "chmod +x src/a.py", Some(Change::Modified)),
        (World::Attributes, "printf 'a = 2\\r\\n' >src/a.py", Some(Change::Modified)),
        (World::Attributes, "printf 'a = 1\\r\\n' >src/a.py", None),
    ] {
        let project = Project::new(world);
        let tree = project.tree();
        let base = tree.base(None).unwrap();
        project.sh(script);
        let changes = tree.changes_from(&base).unwrap();
        assert_eq!(changes[&delta()[0]].change, expected, "{world:?}: {script}");
    }
}

#[test]
fn an_earlier_revision_gives_its_own_bytes() {
    let project = Project::new(World::Below);
    project.sh("echo 'a = 2' >src/a.py; git add .; git commit -qm second");
    let tree = project.tree();
    let base = tree.base(Some("HEAD~1")).unwrap();
    assert_eq!(base.files[&delta()[0]].bytes.as_deref(), Some(&b"a = 1\n"[..]));
    assert_eq!(base.files.len(), 1);
    let changes = tree.changes_from(&base).unwrap();
    assert_eq!(changes[&delta()[0]].change, Some(Change::Modified));
}

#[test]
fn a_base_lists_what_differs_outside_the_delta_without_scratch() {
    for world in [World::Git, World::Below] {
        let project = Project::new(world);
        project.sh("echo x >>src/a.py; mkdir -p __pycache__ .ftl; echo 1 >__pycache__/x; echo 1 >.ftl/x; touch run.sh");
        let tree = project.tree();
        let base = tree.base(None).unwrap();
        let strays: Vec<_> = base.strays.iter().map(|path| tree.shown(path)).collect();
        assert_eq!(strays, ["dirty.txt", "notes/n", "untracked.txt"], "{world:?}");
    }
}

#[test]
fn a_revision_that_is_not_there_is_refused() {
    let project = Project::new(World::Git);
    for revision in ["no-such-branch", "--help", "HEAD:src", "-n"] {
        let error = project.tree().base(Some(revision)).unwrap_err();
        assert!(matches!(error, TreeError::NoSuchRevision { .. }), "{error}");
    }
    let plain = Project::new(World::Plain).tree().base(Some("HEAD"));
    assert!(matches!(plain, Err(TreeError::NoGit { .. })));
}

#[test]
fn before_the_first_commit_and_without_git_everything_is_new() {
    let project = Project::new(World::Plain);
    for prepare in [":", "git init -q"] {
        project.sh(prepare);
        let tree = project.tree();
        let base = tree.base(None).unwrap();
        assert_eq!(base.commit, None);
        let changes = tree.changes_from(&base).unwrap();
        assert_eq!(changes[&delta()[0]].change, Some(Change::Created), "{prepare}");
        assert_eq!(changes[&delta()[1]].change, None, "{prepare}");
    }
}
