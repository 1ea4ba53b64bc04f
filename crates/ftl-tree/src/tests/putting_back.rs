//! Putting back what is large, deep, narrow or in the way.

use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::world::{Project, World, strays};
use crate::{PutBack, Snapshot, Tree};

const DIR: OFlags = OFlags::DIRECTORY.union(OFlags::RDONLY);

/// Makes `depth` directories of one name, each in the one before, and a file in the last.
fn dig(above: &Path, name: &str, depth: usize) {
    let mut dir = rustix::fs::open(above, DIR, Mode::empty()).unwrap();
    for _ in 0..depth {
        rustix::fs::mkdirat(&dir, name, Mode::RWXU).unwrap();
        dir = rustix::fs::openat(&dir, name, DIR, Mode::empty()).unwrap();
    }
    let flags = OFlags::WRONLY | OFlags::CREATE;
    rustix::fs::openat(&dir, "file", flags, Mode::RWXU).unwrap();
}

/// Goes down again.
fn bottom(above: &Path, name: &str, depth: usize) -> OwnedFd {
    let mut dir = rustix::fs::open(above, DIR, Mode::empty()).unwrap();
    for _ in 0..depth {
        dir = rustix::fs::openat(&dir, name, DIR, Mode::empty()).unwrap();
    }
    dir
}

fn assert_put_back(tree: &Tree, snapshot: &Snapshot, quarantine: &Path) -> PutBack {
    let done = tree.quarantine(snapshot, quarantine).unwrap();
    assert!(done.lost.is_empty(), "{done:?}");
    assert_eq!(strays(tree, &tree.compare(snapshot).unwrap()), [""; 0]);
    done
}

#[test]
fn a_stray_whose_path_is_too_long_for_the_system_is_moved_whole() {
    for (world, name, depth) in [
        (World::Plain, "d".repeat(100), 50),
        (World::Git, "e".repeat(255), 300),
        (World::Git, "f".to_owned(), 2000),
    ] {
        let project = Project::new(world);
        let tree = project.tree();
        let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
        dig(&project.root, &name, depth);
        let quarantine = project.run_dir("quarantine");
        let done = assert_put_back(&tree, &snapshot, &quarantine);
        assert_eq!(done.moved.len(), 1, "{depth}");
        let kept = bottom(&quarantine, &name, depth);
        rustix::fs::statat(&kept, "file", rustix::fs::AtFlags::empty()).unwrap();
    }
}

/// The path fits, and with the quarantine before it does not.
#[test]
fn a_stray_in_a_deep_directory_is_moved_whatever_the_quarantine_is_called() {
    let project = Project::new(World::Plain);
    let name = "g".repeat(200);
    let depth = (3900 - project.root.as_os_str().len()) / (name.len() + 1);
    dig(&project.root, &name, depth);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    let deep: PathBuf = std::iter::repeat_n(&name, depth).collect();
    std::fs::write(project.root.join(&deep).join("stray"), "s").unwrap();
    std::fs::write(project.root.join(&deep).join("file"), "changed").unwrap();
    let quarantine = project.run_dir("a-quarantine-with-a-name-that-is-rather-long");
    assert_put_back(&tree, &snapshot, &quarantine);
    let kept = bottom(&quarantine, &name, depth);
    rustix::fs::statat(&kept, "stray", rustix::fs::AtFlags::empty()).unwrap();
}

#[test]
fn a_new_directory_with_a_delta_file_in_it_stays_and_the_rest_of_it_goes() {
    let project = Project::new(World::Git);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project
        .sh("mkdir -p pkg/new/x/y; echo 1 >pkg/new/mod.py; echo 1 >pkg/new/x/y/z; echo 1 >pkg/q");
    let done = assert_put_back(&tree, &snapshot, &project.run_dir("quarantine"));
    let moved: Vec<String> = done.moved.iter().map(|path| tree.shown(path)).collect();
    assert_eq!(moved, ["pkg/new/x", "pkg/q"]);
    assert!(project.root.join("pkg/new/mod.py").exists());
}

#[test]
fn of_very_much_that_is_new_a_part_is_listed_and_all_is_moved() {
    let project = Project::new(World::Git);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project.sh("mkdir -p many/more; cd many/more; seq 3000 | xargs touch; \
         mkdir ../../caches; mkdir ../../caches/target; touch ../../caches/target/x");
    let changes = tree.compare(&snapshot).unwrap();
    assert!(changes.strays.len() <= 1000, "{}", changes.strays.len());
    assert!(changes.more_strays >= 2000, "{}", changes.more_strays);
    let done = assert_put_back(&tree, &snapshot, &project.run_dir("quarantine"));
    assert_eq!(done.moved.len(), 1);
    let kept = project.run_dir("quarantine").join("many/more");
    assert_eq!(std::fs::read_dir(kept).unwrap().count(), 3000);
    assert!(project.root.join("caches").exists(), "it is scratch");
}

/// Where `.ftl` is a separate mount, nothing can be renamed into it.
#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn quarantine_copies_what_cannot_be_renamed_into_it() {
    let project = Project::new(World::Plain);
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else {
        eprintln!("skipped: no second file system at /dev/shm");
        return;
    };
    let device = |path: &Path| path.metadata().unwrap().dev();
    if device(other.path()) == device(&project.root) {
        eprintln!("skipped: /dev/shm is no separate file system");
        return;
    }
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project
        .sh("mkdir -p a/b/c; echo deep >a/b/c/f; ln -s ../f a/l; mkfifo a/p; chmod 640 a/b/c/f; \
         chmod 700 a/b; chmod 0 a/b/c; echo one >one; touch -d 2001-02-03 a/b/c/f; rm link");
    dig(&project.root, "h", 1500);
    let quarantine = other.path().join("q");
    let done = assert_put_back(&tree, &snapshot, &quarantine);
    assert_eq!(done.moved.len(), 3);
    std::fs::set_permissions(quarantine.join("a/b/c"), PermissionsExt::from_mode(0o700)).unwrap();
    let file = quarantine.join("a/b/c/f");
    assert_eq!(std::fs::read(&file).unwrap(), b"deep\n");
    assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o640);
    assert_eq!(file.metadata().unwrap().mtime() / 86_400, 11_356);
    assert_eq!(std::fs::read_link(quarantine.join("a/l")).unwrap(), Path::new("../f"));
    bottom(&quarantine, "h", 1500);
}

#[test]
fn copies_are_readable_by_their_owner_alone() {
    let project = Project::new(World::Git);
    project.sh("echo secret >secret; chmod 600 secret; head -c 300000 /dev/zero >large");
    let dir = project.run_dir("snapshot");
    std::fs::create_dir_all(&dir).unwrap();
    project.tree().snapshot(&dir).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().mode() & 0o777;
    assert_eq!(mode(&dir), 0o700);
    assert_eq!(mode(&dir.join("copies")), 0o600);
    assert_eq!(mode(&dir.join("manifest.json")), 0o600);
}

/// An attribute that not even root may write past.
struct Immutable<'p>(&'p Project);

impl<'p> Immutable<'p> {
    fn new(project: &'p Project) -> Option<Self> {
        let script = "touch probe; chattr +i probe 2>/dev/null && chattr -i probe && rm probe && \
                      : >immutable-works || :; rm -f probe";
        project.sh(script);
        let works = std::fs::remove_file(project.root.join("immutable-works"));
        works.is_ok().then_some(Self(project))
    }
}

impl Drop for Immutable<'_> {
    fn drop(&mut self) {
        self.0.sh("chattr -R -i . 2>/dev/null || :");
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn one_path_that_does_not_give_way_keeps_no_other_from_being_put_back() {
    let project = Project::new(World::Git);
    let Some(_held) = Immutable::new(&project) else {
        eprintln!("skipped: chattr cannot make a file immutable here");
        return;
    };
    let tree = project.tree();
    let before = project.picture();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project.sh(
        "echo 1 >a-stray; echo 1 >z-stray; rm untracked.txt run.sh; mkdir kept; chattr +i kept; \
         echo x >>docs/guide.md; chattr +i docs/guide.md",
    );
    let quarantine = project.run_dir("quarantine");
    let error = tree.quarantine(&snapshot, &quarantine).unwrap_err();
    assert!(error.to_string().contains("docs/guide.md`"), "{error}");
    assert_eq!(strays(&tree, &tree.compare(&snapshot).unwrap()), ["~docs/guide.md", "+kept"]);
    project.sh("chattr -i docs/guide.md");
    let done = tree.quarantine(&snapshot, &quarantine).unwrap();
    let lost: Vec<String> = done.lost.iter().map(|path| tree.shown(path)).collect();
    assert_eq!(lost, ["kept"], "what is new is reported, and is no error");
    project.sh("chattr -i kept");
    assert_put_back(&tree, &snapshot, &quarantine);
    assert_eq!(project.picture(), before);
}

#[test]
fn directories_of_a_quarantine_have_the_modes_of_the_trees() {
    for world in [World::Plain, World::Git, World::Below] {
        let project = Project::new(world);
        project.sh("chmod 2775 docs; chmod 750 src");
        let tree = project.tree();
        let snapshot = tree.snapshot(&project.run_dir("1")).unwrap();
        project
            .sh("echo x >docs/new; echo x >src/new; mkdir whole; chmod 711 whole; echo x >whole/x");
        let dir = project.run_dir("quarantine");
        assert_put_back(&tree, &snapshot, &dir);
        let mode = |path: &Path| path.metadata().unwrap().mode() & 0o7777;
        let dirs = ["", "docs", "src"];
        let assert_equal = || {
            for path in dirs {
                assert_eq!(mode(&dir.join(path)), mode(&project.root.join(path)), "{path}");
            }
            assert_eq!(mode(&dir.join("whole")), 0o711);
        };
        assert_equal();
        // A kill can come before the modes.
        for path in dirs {
            std::fs::set_permissions(dir.join(path), PermissionsExt::from_mode(0o700)).unwrap();
        }
        tree.dress_kept(&dir);
        assert_equal();
    }
}

#[test]
fn an_edit_after_the_comparison_is_left() {
    let project = Project::new(World::Git);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project.sh("echo x >stray.txt; echo x >>src/b.py");
    tree.plan_put_back(&snapshot, &tree.compare(&snapshot).unwrap()).unwrap();
    project.sh("echo mine >>docs/guide.md; echo mine >mine.txt");
    let done = tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
    let left = ["~docs/guide.md", "+mine.txt"];
    assert_eq!(strays(&tree, &tree.compare(&snapshot).unwrap()), left, "{done:?}");
}

#[test]
fn a_change_after_a_path_was_back_is_left_by_the_process_that_finishes() {
    let project = Project::new(World::Git);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project.sh("rm src/b.py; echo x >>docs/guide.md; chmod 755 src/a.py");
    tree.plan_put_back(&snapshot, &tree.compare(&snapshot).unwrap()).unwrap();
    let dir = project.run_dir("quarantine");
    assert_put_back(&tree, &snapshot, &dir);
    project.sh("rm src/b.py; chmod 700 docs/guide.md");
    let finish = || {
        let left = tree.finish(&snapshot, &dir).unwrap().left;
        (left.len(), strays(&tree, &tree.compare(&snapshot).unwrap()).len())
    };
    assert_eq!(finish(), (2, 2));
    // Since the system started again, no line counts.
    let plan = snapshot.dir().join("putting-back.json");
    let text = std::fs::read_to_string(&plan).unwrap();
    std::fs::write(&plan, text.replace(ftl_process::boot_id().unwrap(), "another")).unwrap();
    assert_eq!(finish(), (0, 0));
}

#[test]
fn a_path_that_could_not_be_made_is_not_noted_as_back() {
    let project = Project::new(World::Git);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    project.sh("echo x >>docs/guide.md; rm -r src/b.py");
    tree.plan_put_back(&snapshot, &tree.compare(&snapshot).unwrap()).unwrap();
    let noted = || {
        let plan = std::fs::read_to_string(snapshot.dir().join("putting-back.json")).unwrap();
        plan.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    // A file is where the quarantine is to be made, so what is in the way stays.
    let dir = project.run_dir("quarantine");
    std::fs::write(&dir, "").unwrap();
    tree.quarantine(&snapshot, &dir).unwrap_err();
    assert_eq!(noted(), [r#""src/b.py""#]);
    std::fs::remove_file(&dir).unwrap();
    tree.finish(&snapshot, &dir).unwrap();
    assert_eq!(strays(&tree, &tree.compare(&snapshot).unwrap()), [""; 0]);
}

/// Python takes a cache for current if the source has the same size and was modified in the same second.
#[test]
fn a_file_put_back_is_modified_in_another_second_than_a_version_of_its_size() {
    let project = Project::new(World::Git);
    let tree = project.tree();
    let snapshot = tree.snapshot(&project.run_dir("snapshot")).unwrap();
    let put_back = |path: &str, run: &dyn Fn()| {
        let file = project.root.join(path);
        let size = std::fs::read(&file).unwrap().len();
        project.write(path, &"x".repeat(size));
        let written = std::fs::metadata(&file).unwrap().mtime();
        run();
        assert_ne!(std::fs::read(&file).unwrap(), "x".repeat(size).into_bytes());
        assert_ne!(std::fs::metadata(&file).unwrap().mtime(), written, "{path}");
    };
    put_back("src/b.py", &|| {
        tree.quarantine(&snapshot, &project.run_dir("quarantine")).unwrap();
    });
    put_back("src/a.py", &|| {
        tree.reset_delta(&snapshot, &project.run_dir("blocked"), |_| true).unwrap();
    });
}
