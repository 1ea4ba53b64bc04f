//! Workplaces: what is copied, and how a refresh follows the tree.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ftl_model::DeltaPath;
use tempfile::TempDir;

use super::world::{Project, World, add, delta};
use crate::workplace::{Placement, Refreshed, Workplace, workplaces_in};
use crate::{Changes, SavedFiles, Settings, Tree};

/// A project, and a workplace elsewhere.
pub(super) struct Placed {
    pub(super) project: Project,
    pub(super) tree: Tree,
    dir: TempDir,
    pub(super) place: Workplace,
}

impl Placed {
    pub(super) fn new(world: World, placement: Placement) -> Self {
        Self::with(Project::new(world), Settings::default(), placement)
    }

    pub(super) fn with(project: Project, settings: Settings, placement: Placement) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let place = Workplace::open(&dir.path().join("place"), placement).unwrap();
        Self { tree: project.tree_with(settings), project, dir, place }
    }

    /// A workplace that was refreshed, and is used at its own path.
    pub(super) fn ready(project: Project, settings: Settings) -> Self {
        let mut at = Self::with(project, settings, Placement::OwnPath);
        at.refresh();
        at
    }

    pub(super) fn refresh(&mut self) -> Refreshed {
        self.place.refresh(&self.tree).unwrap()
    }

    /// As another process finds it.
    pub(super) fn open_again(&mut self) {
        let placement = self.place.placement();
        self.place = Workplace::open(&self.dir.path().join("place"), placement).unwrap();
    }

    /// The copy as a tree.
    pub(super) fn copy(&self) -> Tree {
        self.place.tree(&self.tree).unwrap()
    }

    /// A file of the copy.
    pub(super) fn in_copy(&self, path: &str) -> PathBuf {
        self.copy().root().join(path)
    }

    /// Runs a script in the copy, as an implementer would.
    #[track_caller]
    pub(super) fn work(&self, script: &str) {
        self.project.sh_in(self.copy().root(), script);
    }

    /// How the delta is in the project now.
    pub(super) fn before(&self) -> SavedFiles {
        self.tree.save(&[], &delta(), &self.project.run_dir("before")).unwrap()
    }

    /// What differs in the copy, where the project's delta is as the last refresh found it.
    pub(super) fn changes(&self) -> Changes {
        self.place.changes(&self.tree, &self.before(), &[]).unwrap()
    }

    #[track_caller]
    pub(super) fn is_equal(&self, what: &str) {
        let (tree, copy) = (picture(self.tree.top()), picture(self.copy().top()));
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

/// Lays out dependencies, build outputs and a secret file, which git ignores.
pub(super) const DEPENDENCIES: &str = "mkdir -p node_modules/x .venv/bin vendor/y target/debug dist
    echo x > node_modules/x/i; echo p > .venv/bin/p; echo y > vendor/y/z; echo t > target/debug/t
    echo d > dist/d; echo secret > .env; printf 'vendor\\ndist\\n.env\\nnode_modules\\n.venv\\ntarget\\n' > .gitignore
    git add -A; git commit -qm all";

/// Kinds, modes and contents, but for git's objects.
pub(super) fn picture(top: &Path) -> BTreeMap<String, (String, Vec<u8>)> {
    let mut picture = BTreeMap::new();
    add(&mut picture, top, "", None);
    picture.retain(|path, _| !(path.contains("/.git/") && path.contains("/objects")));
    picture
}

fn times(path: &Path) -> (i64, i64) {
    let at = path.symlink_metadata().unwrap();
    (at.mtime(), at.mtime_nsec())
}

#[test]
fn a_workplace_is_a_copy_of_the_tree() {
    for world in World::ALL {
        let mut at = Placed::new(world, Placement::Layered);
        at.project.sh("touch -d @1000 run.sh; touch -h -d @2000 link; touch -d @3000 docs");
        let refreshed = at.refresh();
        assert!(refreshed.made, "{world:?}");
        at.is_equal(&format!("{world:?}"));
        for path in ["run.sh", "link", "docs", "src/a.py", "build/o"] {
            assert_eq!(times(&at.in_copy(path)), times(&at.project.root.join(path)), "{path}");
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
        let mut at = Placed::new(world, Placement::Layered);
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
    let mut at = Placed::new(World::Git, Placement::Layered);
    at.refresh();
    at.project
        .sh("echo b = 2 > src/b.py; touch -d @1000 src/b.py; ln -sf x link; touch -h -d @1 link");
    at.refresh();
    for path in ["src/b.py", "link"] {
        assert!(times(&at.in_copy(path)).0 > 1_000_000, "{path}");
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
        let mut at = Placed::new(World::Git, Placement::Layered);
        at.refresh();
        at.work(script);
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
        let mut at = Placed::new(world, Placement::Layered);
        at.project.sh("git add -A .; git commit -qm all; git branch seen");
        at.refresh();
        at.project
            .sh("echo later > later.txt; git add later.txt; git commit -qm later; git branch b");
        let copy = at.copy();
        let git = copy.places.git.as_ref().unwrap();
        let refs = git.refs().unwrap();
        assert!(refs.contains_key("refs/heads/seen") && !refs.contains_key("refs/heads/b"));
        at.project.sh(&format!(
            "export GIT_DIR='{}' GIT_WORK_TREE='{}'\ntest -z \"$(git status --porcelain)\"",
            git.own_dir().unwrap().display(),
            at.dir.path().join("place/tree").display()
        ));
        at.refresh();
        let refs = at.copy().places.git.as_ref().unwrap().refs().unwrap();
        assert!(refs.contains_key("refs/heads/b"), "{world:?}");
    }
}

#[test]
fn a_delta_file_is_copied_also_where_it_is_scratch() {
    let mut at = Placed::new(World::Git, Placement::Layered);
    at.refresh();
    at.project.sh("mkdir -p target; echo 1 > target/x; echo 2 > target/y");
    let delta = [DeltaPath::parse("target/x").unwrap()];
    let tree = Tree::open(at.project.root.as_path(), &delta, Settings::default()).unwrap();
    at.place.refresh(&tree).unwrap();
    assert_eq!(std::fs::read(at.in_copy("target/x")).unwrap(), b"1\n");
    assert!(!at.in_copy("target/y").exists());
    at.project.sh("echo 3 > target/x");
    at.place.refresh(&tree).unwrap();
    assert_eq!(std::fs::read(at.in_copy("target/x")).unwrap(), b"3\n");
}

#[test]
fn an_ignored_file_is_copied_up_to_the_bound() {
    let project = Project::new(World::Git);
    project.sh("mkdir data; head -c 5000 /dev/zero > data/large; echo small > x.log; echo data >> .gitignore");
    let settings = Settings { max_backup: 1000, ..Settings::default() };
    let mut at = Placed::with(project, settings, Placement::Layered);
    at.refresh();
    assert!(at.in_copy("x.log").exists());
    // Read where it is.
    assert!(at.in_copy("data").is_dir() && !at.in_copy("data/large").exists());
    let mounts = at.place.mounts(&at.tree).unwrap();
    let over: Vec<_> = mounts.layers.iter().map(|layer| layer.over.clone()).collect();
    assert_eq!(over, [at.tree.root().join("data")]);
}

#[test]
fn workplaces_are_listed_and_removed() {
    let project = Project::new(World::Git);
    project.sh("mkdir shut; echo s > shut/s; chmod 0 shut");
    let (tree, dir) = (project.tree(), tempfile::tempdir().unwrap());
    let all = dir.path().join("places");
    assert!(workplaces_in(&all).unwrap().is_empty());
    let open = |path: &Path| Workplace::open(path, Placement::Bound).unwrap();
    for name in ["0", "3"] {
        open(&all.join(name)).refresh(&tree).unwrap();
    }
    std::fs::write(all.join("other"), "").unwrap();
    let found = workplaces_in(&all).unwrap();
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), [0, 3]);
    for path in found.values() {
        open(path).remove().unwrap();
    }
    assert!(workplaces_in(&all).unwrap().is_empty());
}

#[test]
fn a_link_that_leads_out_is_copied_as_a_link() {
    let mut at = Placed::new(World::Git, Placement::Layered);
    at.refresh();
    at.project
        .sh("echo out > \"$OUTSIDE/f\"; rm -r src; ln -s \"$OUTSIDE\" src; ln -s \"$OUTSIDE/f\" f");
    at.refresh();
    assert!(at.in_copy("src").is_symlink() && at.in_copy("f").is_symlink());
    // A directory of the copy that became a link leads a refresh nowhere either.
    at.project.sh("rm src; mkdir src; echo s > src/f");
    at.work("rm src; ln -s \"$OUTSIDE\" src");
    at.refresh();
    at.is_equal("the link");
    assert_eq!(std::fs::read(at.project.outside().join("f")).unwrap(), b"out\n");
}

#[test]
fn a_file_that_changes_while_it_is_copied_is_copied_again() {
    let mut at = Placed::new(World::Git, Placement::Layered);
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
    let mut at = Placed::new(World::Git, Placement::Layered);
    let stop = AtomicBool::new(false);
    let (project, place, tree) = (&at.project, &mut at.place, &at.tree);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                project.sh(
                    "git commit -q --allow-empty -m x; git branch -f side; git pack-refs --all",
                );
            }
        });
        for _ in 0..10 {
            place.refresh(tree).unwrap();
            let git_dir = place.tree(tree).unwrap().top().join(".git");
            project.sh(&format!("git --git-dir='{}' fsck --no-dangling", git_dir.display()));
        }
        stop.store(true, Ordering::Relaxed);
    });
}
