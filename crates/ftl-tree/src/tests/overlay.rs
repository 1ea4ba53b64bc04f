//! Upper layers as overlayfs leaves them, read, taken over, and the take-over undone at every stage.
//! Nothing is mounted here: whole-system tests do that.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::world::{Project, World, strays};
use crate::{Landing, OverlayWork, Settings, Strays, Tree, remove_layers};

/// A tree, and layers outside of it.
struct Overlaid {
    project: Project,
    tree: Tree,
    place: TempDir,
    upper: PathBuf,
}

impl Overlaid {
    /// `script` makes the content of the upper layer, in which it runs.
    fn new(world: World, settings: Settings, script: &str) -> Self {
        let project = Project::new(world);
        let tree = project.tree_with(settings);
        let place = tempfile::tempdir().unwrap();
        let layers = tree.make_layers(place.path()).unwrap();
        let upper = layers[0].upper.clone();
        project.sh(&format!("cd '{}'\n{script}", upper.display()));
        Self { project, tree, place, upper }
    }

    fn written(&self) -> OverlayWork {
        let layers = self.tree.overlay_layers(self.place.path());
        self.tree.written(&layers, None).unwrap()
    }

    fn plan(&self) -> PathBuf {
        self.place.path().join("plan")
    }

    fn take_over(&self) {
        let written = self.written();
        let landing = self.tree.landing(&written, &BTreeSet::new());
        let done = self.tree.take_over(&written, &landing, &self.plan());
        assert_eq!(done.unwrap(), crate::TakenOver::default());
    }

    fn undo(&self) -> Vec<String> {
        self.tree.undo_take_over(&self.plan()).unwrap().left_text(&self.tree)
    }
}

/// The delta changed, made and, with the second project, deleted; a stray of each kind.
const WORK: &str = "mkdir -p src pkg/new docs; echo 'a = 2' > src/a.py; chmod 755 src/a.py
    echo 'm = 1' > pkg/new/mod.py; mknod dirty.txt c 0 0; echo s > stray.txt; ln -s x docs/link";

fn reporting() -> Settings {
    Settings { strays: Strays::Report, ..Settings::default() }
}

#[test]
fn written_files_are_classified() {
    for world in [World::Plain, World::Git] {
        let at = Overlaid::new(world, Settings::default(), WORK);
        let before = at.tree.snapshot_delta(&at.place.path().join("s")).unwrap();
        let changes = at.written().changes(&at.tree, &before, &Landing::default()).unwrap();
        assert!(changes.touch_delta());
        let expected = ["-dirty.txt", "+docs/link", "+stray.txt"];
        assert_eq!(strays(&at.tree, &changes), expected, "{world:?}");
    }
}

#[test]
fn settings_of_a_linked_worktree_that_are_written_in_a_view_are_strays() {
    let at = Overlaid::new(World::Linked, Settings::default(), ":");
    let layers = at.tree.overlay_layers(at.place.path());
    let git = layers.last().unwrap().upper.join("worktrees/top");
    std::fs::create_dir_all(&git).unwrap();
    std::fs::write(git.join("config.worktree"), "[core]\n").unwrap();
    std::fs::write(git.join("ORIG_HEAD"), "").unwrap();
    let before = at.tree.snapshot_delta(&at.place.path().join("s")).unwrap();
    let changes = at.written().changes(&at.tree, &before, &Landing::default()).unwrap();
    assert_eq!(strays(&at.tree, &changes), ["+.git/worktrees/top/config.worktree"]);
}

#[test]
fn a_take_over_brings_only_the_delta_into_the_tree() {
    let at = Overlaid::new(World::Git, Settings::default(), WORK);
    at.take_over();
    let root = &at.project.root;
    assert_eq!(std::fs::read(root.join("src/a.py")).unwrap(), b"a = 2\n");
    let mode = std::fs::metadata(root.join("src/a.py")).unwrap().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert!(root.join("pkg/new/mod.py").exists());
    assert!(root.join("dirty.txt").exists());
    assert!(!root.join("stray.txt").exists());
    // An upper layer is never read through the links that it holds.
    assert!(at.upper.join("stray.txt").exists());
}

#[test]
fn a_take_over_is_undone_wherever_it_was_cut_short() {
    let at = Overlaid::new(World::Git, reporting(), WORK);
    let before = at.project.picture();
    at.take_over();
    let after = at.project.picture();
    assert_ne!(before, after);
    assert_eq!(at.undo(), [""; 0]);
    assert_eq!(at.project.picture(), before, "all of it");
    assert_eq!(at.undo(), [""; 0]);
    assert_eq!(at.project.picture(), before, "repeated");
    for (half, script) in [
        ("nothing made", "true"),
        ("one deleted", "rm dirty.txt"),
        ("a directory made", "rm dirty.txt; mkdir -p pkg"),
        ("a copy half made", "rm dirty.txt; mkdir -p pkg/new; echo m > pkg/new/.mod.py.ftl-new"),
        ("one of them made", "rm dirty.txt; echo s > stray.txt"),
    ] {
        at.project.sh(script);
        assert_eq!(at.undo(), [""; 0], "{half}");
        assert_eq!(at.project.picture(), before, "{half}");
    }
}

#[test]
fn a_take_over_leaves_files_that_another_process_wrote_since() {
    let at = Overlaid::new(World::Git, reporting(), WORK);
    at.take_over();
    at.project.write("src/a.py", "mine\n");
    at.project.write("dirty.txt", "mine\n");
    at.project.write("stray.txt", "mine\n");
    let left = at.undo();
    assert_eq!(left, ["dirty.txt", "src/a.py", "stray.txt"]);
    for path in ["src/a.py", "dirty.txt", "stray.txt"] {
        let bytes = std::fs::read(at.project.root.join(path)).unwrap();
        assert_eq!(bytes, b"mine\n", "{path}");
    }
}

/// Cut off between the two exchanges: the version of a user has just come out.
#[test]
fn a_version_that_just_came_out_is_put_back() {
    let at = Overlaid::new(World::Git, Settings::default(), WORK);
    at.take_over();
    at.project.write("src/.a.py.ftl-old", "mine\n");
    assert_eq!(at.undo(), ["src/a.py"]);
    assert_eq!(std::fs::read(at.project.root.join("src/a.py")).unwrap(), b"mine\n");
    assert!(!at.project.root.join("src/.a.py.ftl-old").exists());
}

#[test]
fn a_file_changed_since_the_view_was_laid_is_not_replaced() {
    let at = Overlaid::new(World::Git, reporting(), WORK);
    let before = at.tree.snapshot_delta(&at.place.path().join("s")).unwrap();
    let mut passing = at.tree.passing_through().unwrap();
    passing.begin(at.place.path()).unwrap();
    at.project.write("src/a.py", "mine\n");
    at.project.write("dirty.txt", "mine\n");
    let layers = at.tree.overlay_layers(at.place.path());
    let mut written = at.tree.written(&layers, Some(&passing)).unwrap();
    let conflicts = written.conflicts(&at.tree, &before).unwrap();
    assert_eq!(conflicts.iter().map(|path| path.as_str()).collect::<Vec<_>>(), ["src/a.py"]);
    let landing = at.tree.landing(&written, &conflicts);
    assert_eq!(landing.conflicts(&at.tree), ["dirty.txt", "src/a.py"]);
    // After the look, too.
    at.project.write("pkg/new/mod.py", "mine\n");
    at.project.write("stray.txt", "mine\n");
    let done = at.tree.take_over(&written, &landing, &at.plan()).unwrap();
    assert_eq!(done.left_text(&at.tree), ["pkg/new/mod.py", "stray.txt"]);
    for path in ["src/a.py", "dirty.txt", "pkg/new/mod.py", "stray.txt"] {
        assert_eq!(std::fs::read(at.project.root.join(path)).unwrap(), b"mine\n", "{path}");
    }
    assert!(at.project.root.join("docs/link").symlink_metadata().is_ok());
}

#[test]
fn a_link_that_another_process_puts_above_a_file_leads_nowhere() {
    let at = Overlaid::new(World::Plain, Settings::default(), WORK);
    at.project.sh("mv src moved; ln -s \"$OUTSIDE\" src");
    let written = at.written();
    let landing = at.tree.landing(&written, &BTreeSet::new());
    let taken = at.tree.take_over(&written, &landing, &at.plan());
    assert!(taken.is_err(), "{taken:?}");
    assert!(!at.project.outside().join("a.py").exists());
}

#[test]
fn scratch_comes_with_its_times_and_without_overlayfs_attributes() {
    let script = "mkdir -p target/deep build; echo t > target/deep/t; touch -d @1000 target/deep/t
        echo n > build/n; echo o2 > build/x.log; setfattr -n user.overlay.opaque -v y target 2>/dev/null || true
        setfattr -n user.mine -v kept target/deep/t 2>/dev/null || true";
    let at = Overlaid::new(World::Git, Settings::default(), script);
    at.take_over();
    let root = &at.project.root;
    let taken = root.join("target/deep/t");
    assert_eq!(std::fs::metadata(&taken).unwrap().mtime(), 1000);
    assert_eq!(std::fs::read(root.join("build/x.log")).unwrap(), b"o2\n");
    let attributes = |path: &Path| {
        let mut list = vec![0; 1024];
        let length = rustix::fs::listxattr(path, list.as_mut_slice()).unwrap();
        String::from_utf8_lossy(&list[..length]).into_owned()
    };
    assert!(!attributes(&root.join("target")).contains("overlay"));
}

#[test]
fn layers_without_permission_to_enter_are_removed() {
    let at =
        Overlaid::new(World::Plain, Settings::default(), "mkdir -p a/b; chmod 0 a/b; chmod 0 a");
    remove_layers(at.place.path()).unwrap();
    assert!(!at.place.path().exists());
}
