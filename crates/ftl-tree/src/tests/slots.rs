//! Slots: what is copied, how a refresh follows the tree, and what a view over one shows.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::world::{Project, World, add};
use crate::slot::{Refreshed, Slot};
use crate::{Settings, Tree};

/// A project, and a slot elsewhere.
struct Slotted {
    project: Project,
    tree: Tree,
    dir: TempDir,
    slot: Slot,
}

impl Slotted {
    fn new(world: World) -> Self {
        Self::with(Project::new(world), Settings::default())
    }

    fn with(project: Project, settings: Settings) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let slot = Slot::open(&dir.path().join("slot"), 0).unwrap();
        Self { tree: project.tree_with(settings), project, dir, slot }
    }

    fn refresh(&mut self) -> Refreshed {
        self.slot.refresh(&self.tree).unwrap()
    }

    /// As another process finds it.
    fn open_again(&mut self) {
        self.slot = Slot::open(&self.dir.path().join("slot"), 0).unwrap();
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
