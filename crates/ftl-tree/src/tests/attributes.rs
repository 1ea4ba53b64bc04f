//! Extended attributes and access control lists are put back with what they belong to.

use std::collections::BTreeMap;
use std::path::Path;

use rustix::fs::XattrFlags;

use super::world::{Project, World, strays};

const ACCESS: &str = "system.posix_acl_access";
const DEFAULT: &str = "system.posix_acl_default";

/// A list that lets one more user do all, as `acl(5)` and `linux/posix_acl_xattr.h` have it.
fn access_control_list(user: u32) -> Vec<u8> {
    let no_id = u32::MAX;
    let entries =
        [(0x01, 6, no_id), (0x02, 7, user), (0x04, 4, no_id), (0x10, 7, no_id), (0x20, 4, no_id)];
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in entries {
        bytes.extend(u16::to_le_bytes(tag));
        bytes.extend(u16::to_le_bytes(permissions));
        bytes.extend(u32::to_le_bytes(id));
    }
    bytes
}

fn set(path: &Path, name: &str, value: &[u8]) {
    rustix::fs::lsetxattr(path, name, value, XattrFlags::empty()).unwrap();
}

/// Not every file system keeps attributes. Where they cannot be had, nothing is tested, and says so.
#[expect(clippy::print_stderr, reason = "what was skipped is for the reader of the run")]
fn are_kept(project: &Project) -> bool {
    let kept = rustix::fs::lsetxattr(&project.root, "user.probe", b"1", XattrFlags::empty());
    if kept.is_err() {
        eprintln!("skipped: no extended attributes in {}", project.root.display());
        return false;
    }
    remove(&project.root, "user.probe");
    true
}

fn remove(path: &Path, name: &str) {
    rustix::fs::lremovexattr(path, name).unwrap();
}

/// Names, values and modes of these paths.
fn all(project: &Project, paths: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for path in paths {
        let full = project.root.join(path);
        let mode = rustix::fs::lstat(&full).unwrap().st_mode;
        all.insert((*path).to_owned(), mode.to_le_bytes().to_vec());
        for name in ["user.mine", "user.theirs", ACCESS, DEFAULT] {
            let mut value = [0; 1000];
            if let Ok(length) = rustix::fs::lgetxattr(&full, name, &mut value) {
                all.insert(format!("{path} {name}"), value[..length].to_vec());
            }
        }
    }
    all
}

const PATHS: &[&str] =
    &[".", "docs", "docs/guide.md", "dirty.txt", "run.sh", "src/b.py", "untracked.txt", "notes"];

fn furnish(project: &Project) {
    let at = |path: &str| project.root.join(path);
    set(&at("src/b.py"), "user.mine", b"1");
    set(&at("dirty.txt"), "user.mine", &[b'x'; 500]);
    set(&at("untracked.txt"), ACCESS, &access_control_list(1234));
    set(&at("docs"), DEFAULT, &access_control_list(1234));
    set(&at("."), "user.mine", b"the top");
    project.sh("chmod 400 src/b.py");
}

/// What is done, and the paths that stray by it.
const WAYS: &[(&str, &[&str])] = &[
    ("rm src/b.py", &["src/b.py"]),
    ("rm -rf docs; mkdir docs; echo x >docs/guide.md", &["docs/", "docs/guide.md"]),
    ("echo more >>dirty.txt; cp dirty.txt new; mv new dirty.txt", &["dirty.txt"]),
    ("cp untracked.txt new; mv new untracked.txt", &["untracked.txt"]),
    ("rm -rf untracked.txt notes src/b.py docs", &[]),
];

#[test]
fn attributes_come_back_with_what_was_removed_or_replaced() {
    for world in [World::Plain, World::Git, World::Below] {
        for (way, expected) in WAYS {
            let project = Project::new(world);
            if !are_kept(&project) {
                return;
            }
            furnish(&project);
            let before = all(&project, PATHS);
            let tree = project.tree();
            let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
            project.sh(way);
            let changes = tree.compare(&snapshot).unwrap();
            for path in *expected {
                let path = path.trim_end_matches('/');
                let found = changes.strays.iter().any(|stray| stray.path.as_path().ends_with(path));
                assert!(found, "{world:?}: {way}: {path}: {:?}", changes.strays);
            }
            tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
            assert_eq!(all(&project, PATHS), before, "{world:?}: {way}");
            assert_eq!(strays(&tree, &tree.compare(&snapshot).unwrap()), [""; 0], "{way}");
        }
    }
}

#[test]
fn attributes_that_alone_changed_are_put_back() {
    for world in [World::Plain, World::Git, World::Below] {
        let project = Project::new(world);
        if !are_kept(&project) {
            return;
        }
        furnish(&project);
        let before = all(&project, PATHS);
        let tree = project.tree();
        let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
        let at = |path: &str| project.root.join(path);
        set(&at("docs/guide.md"), "user.theirs", b"1");
        set(&at("run.sh"), ACCESS, &access_control_list(77));
        set(&at("dirty.txt"), "user.mine", b"other");
        set(&at("notes"), "user.theirs", b"1");
        remove(&at("src/b.py"), "user.mine");
        remove(&at("docs"), DEFAULT);
        remove(&at("."), "user.mine");
        let found = tree.compare(&snapshot).unwrap().strays;
        assert_eq!(found.len(), 7, "{world:?}: {found:?}");
        let done = tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
        assert!(done.moved.is_empty() && done.lost.is_empty(), "{done:?}");
        assert_eq!(all(&project, PATHS), before, "{world:?}");
        assert!(tree.compare(&snapshot).unwrap().strays.is_empty());
    }
}

#[test]
fn the_delta_keeps_its_attributes_when_it_is_put_back() {
    let project = Project::new(World::Git);
    if !are_kept(&project) {
        return;
    }
    let at = project.root.join("src/a.py");
    set(&at, "user.mine", b"1");
    let before = all(&project, &["src/a.py"]);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project.sh("rm src/a.py; echo a = 2 >src/a.py");
    tree.restore(&snapshot, &project.run_dir("interrupted")).unwrap();
    assert_eq!(all(&project, &["src/a.py"]), before);
}
