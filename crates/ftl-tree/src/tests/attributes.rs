//! Extended attributes and access control lists stay with the files that they belong to.

use std::collections::BTreeMap;
use std::path::Path;

use rustix::fs::XattrFlags;

use super::workplaces::Placed;
use super::world::{Project, World, delta};
use crate::Settings;

const ACCESS: &str = "system.posix_acl_access";

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
fn all(root: &Path, paths: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for path in paths {
        let full = root.join(path);
        let mode = rustix::fs::lstat(&full).unwrap().st_mode;
        all.insert((*path).to_owned(), mode.to_le_bytes().to_vec());
        for name in ["user.mine", "user.theirs", ACCESS] {
            let mut value = [0; 1000];
            if let Ok(length) = rustix::fs::lgetxattr(&full, name, &mut value) {
                all.insert(format!("{path} {name}"), value[..length].to_vec());
            }
        }
    }
    all
}

const FILES: &[&str] =
    &["docs/guide.md", "dirty.txt", "run.sh", "src/a.py", "src/b.py", "untracked.txt"];

fn furnish(project: &Project) {
    let at = |path: &str| project.root.join(path);
    set(&at("src/a.py"), "user.mine", b"1");
    set(&at("src/b.py"), "user.mine", b"1");
    set(&at("dirty.txt"), "user.mine", &[b'x'; 500]);
    set(&at("untracked.txt"), ACCESS, &access_control_list(1234));
    project.sh("chmod 400 src/b.py");
}

/// Of files below these directories, the same.
fn both(at: &Placed) -> [BTreeMap<String, Vec<u8>>; 2] {
    [at.project.root.clone(), at.in_copy(".")].map(|root| all(&root, FILES))
}

#[test]
fn files_of_a_workplace_have_the_attributes_of_the_tree() {
    for world in [World::Plain, World::Git, World::Below] {
        let project = Project::new(world);
        if !are_kept(&project) {
            return;
        }
        furnish(&project);
        let mut at = Placed::ready(project, Settings::default());
        let [tree, copy] = both(&at);
        assert_eq!(copy, tree, "{world:?}");
        for script in [
            "rm -f src/b.py",
            "rm -rf docs; mkdir docs; echo x >docs/guide.md",
            "echo more >>dirty.txt; cp dirty.txt new; mv new dirty.txt",
            "cp untracked.txt new; mv new untracked.txt",
        ] {
            at.work(script);
            at.refresh();
            assert_eq!(both(&at), [tree.clone(), tree.clone()], "{world:?}: {script}");
        }
        // What changed in the copy alone, and what changed in the project alone.
        let copied = |path: &str| at.in_copy(path);
        set(&copied("docs/guide.md"), "user.theirs", b"1");
        set(&copied("run.sh"), ACCESS, &access_control_list(77));
        set(&copied("dirty.txt"), "user.mine", b"other");
        remove(&copied("src/a.py"), "user.mine");
        set(&at.project.root.join("run.sh"), "user.mine", b"later");
        at.refresh();
        let [tree, copy] = both(&at);
        assert_eq!(copy, tree, "{world:?}");
        assert_eq!(tree["run.sh user.mine"], b"later");
    }
}

#[test]
fn a_landing_keeps_the_attributes_of_the_work_and_undoing_it_those_before() {
    let project = Project::new(World::Git);
    if !are_kept(&project) {
        return;
    }
    furnish(&project);
    let at = Placed::ready(project, Settings::default());
    let before = all(&at.project.root, FILES);
    let base = at.before();
    at.work("echo a = 2 >src/a.py");
    set(&at.in_copy("src/a.py"), "user.theirs", b"new");
    let copy = at.copy();
    let work = copy.save(&[], &delta(), &at.project.run_dir("work")).unwrap();
    let (bench, plan) = (at.project.run_dir("bench"), at.project.run_dir("plan"));
    let landing = at.tree.plan_landing(&base, &work, &bench, &mut |_, _| true).unwrap();
    let left = at.tree.land(&landing, &work, &copy, (&plan, "")).unwrap();
    assert!(left.is_empty(), "{left:?}");
    let landed = all(&at.project.root, FILES);
    assert_eq!(landed["src/a.py user.mine"], b"1");
    assert_eq!(landed["src/a.py user.theirs"], b"new");
    assert_eq!(at.tree.undo_landing(&plan).unwrap(), [""; 0]);
    assert_eq!(all(&at.project.root, FILES), before);
}
