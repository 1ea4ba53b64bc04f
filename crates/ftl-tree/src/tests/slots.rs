//! Slots: what is copied, how a refresh follows the tree, and what a view over one shows.

#![expect(clippy::print_stdout, reason = "a test says why it is skipped")]

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ftl_model::DeltaPath;
use ftl_process::Command;
use tempfile::TempDir;

use super::world::{Project, World, add};
use crate::slot::{Refreshed, Slot, slots_in};
use crate::{Settings, Tree};

/// A project, and a slot elsewhere.
pub(super) struct Slotted {
    pub(super) project: Project,
    pub(super) tree: Tree,
    dir: TempDir,
    pub(super) slot: Slot,
}

impl Slotted {
    fn new(world: World) -> Self {
        Self::with(Project::new(world), Settings::default())
    }

    pub(super) fn with(project: Project, settings: Settings) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let slot = Slot::open(&dir.path().join("slot"), 0).unwrap();
        Self { tree: project.tree_with(settings), project, dir, slot }
    }

    pub(super) fn refresh(&mut self) -> Refreshed {
        self.slot.refresh(&self.tree).unwrap()
    }

    /// As another process finds it.
    fn open_again(&mut self) {
        self.slot = Slot::open(&self.dir.path().join("slot"), 0).unwrap();
    }

    /// Where the layers of a view are.
    pub(super) fn place(&self) -> PathBuf {
        self.dir.path().join("view")
    }

    fn lower(&self) -> PathBuf {
        self.slot.lower(&self.tree).unwrap()
    }

    /// Of the copy a file's path.
    fn copy(&self, path: &str) -> PathBuf {
        let below = self.tree.root().strip_prefix(self.tree.top()).unwrap();
        self.lower().join(below).join(path)
    }

    #[track_caller]
    fn is_equal(&self, what: &str) {
        let (tree, copy) = (picture(self.tree.top()), picture(&self.lower()));
        let paths = tree.keys().chain(copy.keys());
        let differing: Vec<_> = paths.filter(|path| tree.get(*path) != copy.get(*path)).collect();
        assert!(differing.is_empty(), "{what}: {differing:?}");
    }

    fn changed(&self, refreshed: &Refreshed) -> Vec<String> {
        let shown = |mark: char| move |path| format!("{mark}{}", self.tree.shown(path));
        let changed = refreshed.changed.iter().map(shown('~'));
        changed.chain(refreshed.dropped.iter().map(shown('-'))).collect()
    }
}

/// Kinds, modes and contents, but for git's objects.
fn picture(top: &Path) -> BTreeMap<String, (String, Vec<u8>)> {
    let mut picture = BTreeMap::new();
    add(&mut picture, top, "", None);
    picture.retain(|path, _| !path.contains(".git/objects"));
    picture
}

fn times(path: &Path) -> (i64, i64) {
    let at = path.symlink_metadata().unwrap();
    (at.mtime(), at.mtime_nsec())
}

#[test]
fn a_slot_is_a_copy_of_the_tree() {
    for world in World::ALL {
        let mut at = Slotted::new(world);
        at.project.sh("touch -d @1000 run.sh; touch -h -d @2000 link; touch -d @3000 docs");
        let refreshed = at.refresh();
        assert!(refreshed.made, "{world:?}");
        at.is_equal(&format!("{world:?}"));
        for path in ["run.sh", "link", "docs", "src/a.py", "build/o"] {
            assert_eq!(times(&at.copy(path)), times(&at.project.root.join(path)), "{path}");
        }
    }
}

/// Scripts, and what a refresh after each copies and removes.
const CHANGES: [(&str, &[&str]); 9] = [
    ("true", &[]),
    ("echo b = 2 > src/b.py; echo new > docs/new.md", &["~docs/new.md", "~src/b.py"]),
    ("rm dirty.txt; rm -r notes", &["-dirty.txt", "-notes", "-notes/n"]),
    ("chmod 755 docs/guide.md; chmod 700 docs", &["~docs", "~docs/guide.md"]),
    ("ln -sf src link", &["~link"]),
    (
        "rm run.sh; mkdir -p run.sh/deep; echo f > run.sh/deep/f",
        &["~run.sh", "~run.sh/deep", "~run.sh/deep/f"],
    ),
    ("rm -r run.sh; echo again > run.sh", &["~run.sh", "-run.sh/deep", "-run.sh/deep/f"]),
    // The same bytes: nothing is to be built again.
    ("cp src/a.py x; mv x src/a.py", &[]),
    ("mkdir -p pkg/new; echo m > pkg/new/mod.py", &["~pkg", "~pkg/new", "~pkg/new/mod.py"]),
];

#[test]
fn a_refresh_follows_the_tree() {
    for world in World::ALL {
        let mut at = Slotted::new(world);
        at.refresh();
        for (number, (script, expected)) in CHANGES.iter().enumerate() {
            at.project.sh(script);
            if number % 2 == 1 {
                at.open_again();
            }
            let refreshed = at.refresh();
            assert_eq!(at.changed(&refreshed), *expected, "{world:?}: {script}");
            assert!(!refreshed.made);
            at.is_equal(&format!("{world:?}: {script}"));
        }
    }
}

#[test]
fn a_path_that_a_refresh_changes_gets_a_new_modification_time() {
    let mut at = Slotted::new(World::Git);
    at.refresh();
    at.project
        .sh("echo b = 2 > src/b.py; touch -d @1000 src/b.py; ln -sf x link; touch -h -d @1 link");
    at.refresh();
    for path in ["src/b.py", "link"] {
        assert!(times(&at.copy(path)).0 > 1_000_000, "{path}");
    }
}

#[test]
fn a_copy_that_was_changed_is_made_right() {
    for script in [
        "echo x >> src/a.py",
        "rm -r src",
        "echo half > new.txt; mkdir made; : > made/x",
        "rm .git/HEAD; echo x > .git/refs/heads/other",
        "chmod 600 run.sh; rm link; mkdir link",
        "rm ../base.json",
        "echo '{' > ../base.json",
    ] {
        let mut at = Slotted::new(World::Git);
        at.refresh();
        at.project.sh(&format!("cd '{}'\n{script}", at.lower().display()));
        at.open_again();
        let made = at.refresh().made;
        assert_eq!(made, script.contains("base.json"), "{script}");
        at.is_equal(script);
        at.is_equal("again");
    }
}

#[test]
fn git_finds_the_copy_clean_and_nothing_of_later_commits() {
    for world in World::ALL.into_iter().filter(|world| world.has_git()) {
        let mut at = Slotted::new(world);
        at.project.sh("git add -A .; git commit -qm all; git branch seen");
        at.refresh();
        at.project
            .sh("echo later > later.txt; git add later.txt; git commit -qm later; git branch b");
        let copy = at.slot.tree(&at.tree).unwrap();
        let git = copy.places.git.as_ref().unwrap();
        let refs = git.refs().unwrap();
        assert!(refs.contains_key("refs/heads/seen") && !refs.contains_key("refs/heads/b"));
        at.project.sh(&format!(
            "export GIT_DIR='{}' GIT_WORK_TREE='{}'\ntest -z \"$(git status --porcelain)\"",
            git.own_dir().unwrap().display(),
            at.dir.path().join("slot/tree").display()
        ));
        at.refresh();
        let refs = at.slot.tree(&at.tree).unwrap().places.git.as_ref().unwrap().refs().unwrap();
        assert!(refs.contains_key("refs/heads/b"), "{world:?}");
    }
}

#[test]
fn a_delta_file_is_copied_also_where_it_is_scratch() {
    let mut at = Slotted::new(World::Git);
    at.refresh();
    at.project.sh("mkdir -p target; echo 1 > target/x; echo 2 > target/y");
    let delta = [DeltaPath::parse("target/x").unwrap()];
    let tree = Tree::open(at.project.root.as_path(), &delta, Settings::default()).unwrap();
    at.slot.refresh(&tree).unwrap();
    assert_eq!(std::fs::read(at.copy("target/x")).unwrap(), b"1\n");
    assert!(!at.copy("target/y").exists());
    at.project.sh("echo 3 > target/x");
    at.slot.refresh(&tree).unwrap();
    assert_eq!(std::fs::read(at.copy("target/x")).unwrap(), b"3\n");
}

#[test]
fn an_ignored_file_is_copied_up_to_the_bound() {
    let project = Project::new(World::Git);
    project.sh("mkdir data; head -c 5000 /dev/zero > data/large; echo small > x.log; echo data >> .gitignore");
    let settings = Settings { max_backup: 1000, ..Settings::default() };
    let mut at = Slotted::with(project, settings);
    at.refresh();
    assert!(at.copy("x.log").exists());
    // Seen in a view, below an upper layer.
    assert!(at.copy("data").is_dir() && !at.copy("data/large").exists());
    let view = at.slot.make_view(&at.tree, &at.place()).unwrap();
    let over: Vec<_> = view.dependencies.iter().map(|layer| layer.over.clone()).collect();
    assert_eq!(over, [at.tree.root().join("data")]);
}

#[test]
fn slots_are_listed_and_removed() {
    let project = Project::new(World::Git);
    project.sh("mkdir shut; echo s > shut/s; chmod 0 shut");
    let (tree, dir) = (project.tree(), tempfile::tempdir().unwrap());
    let all = dir.path().join("slots");
    assert!(slots_in(&all).unwrap().is_empty());
    for number in [0, 3] {
        Slot::open(&all.join(number.to_string()), number).unwrap().refresh(&tree).unwrap();
    }
    std::fs::write(all.join("other"), "").unwrap();
    let found = slots_in(&all).unwrap();
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), [0, 3]);
    for (number, path) in found {
        Slot::open(&path, number).unwrap().remove().unwrap();
    }
    assert!(slots_in(&all).unwrap().is_empty());
}

#[test]
fn a_link_that_leads_out_is_copied_as_a_link() {
    let mut at = Slotted::new(World::Git);
    at.refresh();
    at.project
        .sh("echo out > \"$OUTSIDE/f\"; rm -r src; ln -s \"$OUTSIDE\" src; ln -s \"$OUTSIDE/f\" f");
    at.refresh();
    assert!(at.copy("src").is_symlink() && at.copy("f").is_symlink());
    // A directory of the copy that became a link leads a refresh nowhere either.
    at.project.sh("rm src; mkdir src; echo s > src/f");
    at.project.sh(&format!("cd '{}'; rm src; ln -s \"$OUTSIDE\" src", at.lower().display()));
    at.refresh();
    at.is_equal("the link");
    assert_eq!(std::fs::read(at.project.outside().join("f")).unwrap(), b"out\n");
}

#[test]
fn a_file_that_changes_while_it_is_copied_is_copied_again() {
    let mut at = Slotted::new(World::Git);
    let path = at.project.root.join("grows.txt");
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let mut file = OpenOptions::new().append(true).create(true).open(&path).unwrap();
                file.write_all(&[b'x'; 4096]).unwrap();
                if file.metadata().unwrap().len() > 1 << 24 {
                    file.set_len(0).unwrap();
                }
            }
        });
        for _ in 0..20 {
            at.refresh();
        }
        stop.store(true, Ordering::Relaxed);
    });
    at.refresh();
    at.is_equal("when it is at rest");
}

#[test]
fn references_that_move_while_they_are_copied_fit_together() {
    let mut at = Slotted::new(World::Git);
    let stop = AtomicBool::new(false);
    let (project, slot, tree) = (&at.project, &mut at.slot, &at.tree);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                project.sh(
                    "git commit -q --allow-empty -m x; git branch -f side; git pack-refs --all",
                );
            }
        });
        for _ in 0..10 {
            slot.refresh(tree).unwrap();
            let git_dir = slot.lower(tree).unwrap().join(".git");
            project.sh(&format!("git --git-dir='{}' fsck --no-dangling", git_dir.display()));
        }
        stop.store(true, Ordering::Relaxed);
    });
}

/// Runs this test again in a shell script, where `inner` is not set yet. Whether it is set.
fn is_inner(test: &str, script: &str) -> bool {
    if std::env::var_os("FTL_INNER_TEST").is_some() {
        return true;
    }
    let exe = std::env::current_exe().unwrap();
    let again =
        format!("FTL_INNER_TEST=1 '{}' --exact tests::slots::{test} --nocapture", exe.display());
    let script = script.replace("AGAIN", &again);
    let ended = Command::shell(format!("set -e\n{script}"), []).run(|_| Ok(())).unwrap();
    let output = String::from_utf8_lossy(&ended.output.head).into_owned();
    assert!(ended.success(), "{output}");
    for line in output.lines().filter(|line| line.starts_with("skipped")) {
        println!("{line}");
    }
    false
}

#[test]
fn a_disk_without_room_is_an_error_that_says_so_and_leaves_nothing() {
    let script = "dir=$(mktemp -d); if unshare --mount true; then
        unshare --mount sh -ec \"mount -t tmpfs -o size=3m none $dir; FTL_SMALL=$dir AGAIN\"
        else echo 'skipped: needs root that may mount'; fi; rmdir $dir";
    if !is_inner("a_disk_without_room_is_an_error_that_says_so_and_leaves_nothing", script) {
        return;
    }
    let small = PathBuf::from(std::env::var_os("FTL_SMALL").unwrap());
    let project = Project::new(World::Git);
    let tree = project.tree();
    let mut slot = Slot::open(&small.join("slot"), 0).unwrap();
    slot.refresh(&tree).unwrap();
    project.sh("head -c 2500000 /dev/urandom > a.bin; head -c 2500000 /dev/urandom > b.bin");
    let error = slot.refresh(&tree).unwrap_err();
    assert!(error.is_no_room(), "{error:?}");
    // Once there is room, the same slot goes on.
    project.sh("rm b.bin");
    slot.refresh(&tree).unwrap();
    assert_eq!(picture(tree.top()), picture(&slot.lower(&tree).unwrap()));
    project.sh("head -c 2500000 /dev/urandom > b.bin");
    slot.remove().unwrap();
    let mut other = Slot::open(&small.join("other"), 1).unwrap();
    assert!(other.refresh(&tree).unwrap_err().is_no_room());
    let left = std::fs::read_dir(other.dir()).unwrap().count();
    assert_eq!(left, 0, "half a copy would keep the disk full");
}

#[test]
fn a_file_that_cannot_be_read_is_as_closed_in_the_copy() {
    let script = "if [ $(id -u) != 0 ]; then AGAIN
        elif setpriv --reuid=65534 --regid=65534 --clear-groups true; then
        dir=$(mktemp -d); chmod 777 $dir
        TMPDIR=$dir setpriv --reuid=65534 --regid=65534 --clear-groups sh -c \"AGAIN\"; rm -rf $dir
        else echo 'skipped: needs setpriv'; fi";
    if !is_inner("a_file_that_cannot_be_read_is_as_closed_in_the_copy", script) {
        return;
    }
    let project = Project::new(World::Git);
    project.sh("chmod 0 run.sh; mkdir shut; echo s > shut/s; chmod 0 shut; mkdir ro; echo r > ro/r; chmod 555 ro");
    let mut at = Slotted::with(project, Settings::default());
    let unreadable = |refreshed: &Refreshed, at: &Slotted| -> Vec<String> {
        refreshed.unreadable.iter().map(|path| at.tree.shown(path)).collect()
    };
    let refreshed = at.refresh();
    assert_eq!(unreadable(&refreshed, &at), ["run.sh", "shut"]);
    assert!(std::fs::read(at.copy("run.sh")).is_err());
    at.project.sh("chmod 755 run.sh ro; echo more > ro/more; chmod 555 ro");
    let refreshed = at.refresh();
    assert_eq!(unreadable(&refreshed, &at), ["shut"]);
    assert_eq!(std::fs::read(at.copy("run.sh")).unwrap(), b"#!/bin/sh\n");
    assert!(at.copy("ro/more").exists());
    at.project.sh("chmod 755 ro; rm -r ro; chmod 700 shut");
    at.refresh();
    at.is_equal("opened");
}
