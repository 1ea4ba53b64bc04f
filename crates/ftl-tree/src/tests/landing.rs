//! Saved work comes into a project, whole or not at all, and is undone after a crash at any point.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::time::SystemTime;

use ftl_model::DeltaPath;

use super::workplaces::Placed;
use super::world::{Project, World};
use crate::{Landing, SavedFiles, Settings, Tree, landing_owner};

const FILES: [&str; 6] =
    ["src/a.py", "src/b.py", "pkg/new/mod.py", "docs/guide.md", "run.sh", "link"];

/// What an implementer does to them.
pub(super) const WORK: &str =
    "echo a = 20 >src/a.py; echo b = 20 >src/b.py; mkdir -p pkg/new; chmod 750 pkg
    echo mod >pkg/new/mod.py; rm docs/guide.md; echo : >>run.sh; chmod 700 run.sh";

pub(super) fn path(name: &str) -> DeltaPath {
    DeltaPath::parse(name).unwrap()
}

fn names<'p>(paths: impl IntoIterator<Item = &'p DeltaPath>) -> Vec<String> {
    paths.into_iter().map(ToString::to_string).collect()
}

/// A project, and work that was done for it.
pub(super) struct Done {
    pub(super) at: Placed,
    copy: Tree,
    base: SavedFiles,
    work: SavedFiles,
}

impl Done {
    pub(super) fn new(world: World, script: &str) -> Self {
        Self::of(Project::new(world), script)
    }

    fn of(project: Project, script: &str) -> Self {
        let at = Placed::ready(project, Settings::default());
        let files = FILES.map(path);
        let base = at.tree.save(&[], &files, &at.project.run_dir("base")).unwrap();
        at.work(script);
        let copy = at.copy();
        let work = copy.save(&[], &files, &at.project.run_dir("work")).unwrap();
        Self { at, copy, base, work }
    }

    pub(super) fn plan(&self) -> Landing {
        self.plan_where(&mut |_, _| true)
    }

    fn plan_where(&self, accepts: &mut dyn FnMut(&DeltaPath, &[u8]) -> bool) -> Landing {
        let bench = self.at.project.run_dir("bench");
        let landing = self.at.tree.plan_landing(&self.base, &self.work, &bench, accepts).unwrap();
        assert!(!bench.exists());
        landing
    }

    pub(super) fn plan_dir(&self) -> PathBuf {
        self.at.project.run_dir("landing")
    }

    pub(super) fn land(&self, landing: &Landing) -> BTreeSet<DeltaPath> {
        let to = (&*self.plan_dir(), "the owner");
        self.at.tree.land(landing, &self.work, &self.copy, to).unwrap()
    }

    /// As another process does it.
    pub(super) fn undo(&self) -> Vec<String> {
        self.at.project.tree().undo_landing(&self.plan_dir()).unwrap()
    }

    pub(super) fn picture(&self) -> BTreeMap<String, (String, Vec<u8>)> {
        self.at.project.picture()
    }

    pub(super) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at.project.root.join(path)).unwrap()
    }
}

#[test]
fn work_lands_with_its_bytes_and_modes_and_is_undone_whole() {
    for world in World::ALL {
        let done = Done::new(world, WORK);
        let before = done.picture();
        let began = SystemTime::now();
        let landing = done.plan();
        assert_eq!(done.picture(), before, "a plan changes nothing");
        let all = ["docs/guide.md", "pkg/new/mod.py", "run.sh", "src/a.py", "src/b.py"];
        assert_eq!(names(landing.paths()), all, "{world:?}");
        assert!(landing.merged.is_empty() && landing.conflicts.is_empty());
        assert_eq!(done.land(&landing), BTreeSet::new());
        let root = &done.at.project.root;
        for path in FILES {
            let [there, made] = [root, done.copy.root()].map(|root| {
                let at = root.join(path).symlink_metadata();
                at.map(|at| (at.permissions().mode(), fs::read(root.join(path)).ok())).ok()
            });
            assert_eq!(there, made, "{world:?}: {path}");
        }
        let mode = |path: &str| root.join(path).metadata().unwrap().mode() & 0o777;
        assert_eq!(mode("pkg"), 0o750);
        // A build tool must take what it built before for older.
        let modified = root.join("src/a.py").metadata().unwrap().modified().unwrap();
        assert!(modified >= began);
        assert!(done.plan().is_empty(), "there is nothing more to land");
        assert_eq!(landing_owner(&done.plan_dir()).unwrap().unwrap(), "the owner");
        assert_eq!(done.undo(), [""; 0]);
        assert_eq!(done.picture(), before, "{world:?}");
        assert_eq!(done.undo(), [""; 0], "it can be repeated");
        assert_eq!(done.picture(), before, "{world:?}");
    }
}

/// Ten lines, of which some are other words.
fn lines(changed: &[(usize, &str)]) -> String {
    let word = |number: usize| changed.iter().find(|(line, _)| *line == number);
    let line = |number| word(number).map_or(format!("{number}"), |(_, word)| (*word).to_owned());
    (0..10).map(|number| line(number) + "\n").collect()
}

#[test]
fn later_edits_of_a_person_are_merged_or_a_conflict() {
    let project = Project::new(World::Git);
    for path in ["src/a.py", "src/b.py", "docs/guide.md"] {
        project.write(path, &lines(&[]));
    }
    let done = Done::of(project, ":");
    for path in ["src/a.py", "src/b.py"] {
        fs::write(done.at.in_copy(path), lines(&[(1, "work")])).unwrap();
    }
    done.at.work("rm docs/guide.md; chmod 700 src/a.py; mkdir -p pkg/new; echo w >pkg/new/mod.py");
    let files = FILES.map(path);
    let work = done.copy.save(&[], &files, &done.at.project.run_dir("work")).unwrap();
    let done = Done { work, ..done };
    done.at.project.write("src/a.py", &lines(&[(8, "person")]));
    done.at.project.write("src/b.py", &lines(&[(1, "person")]));
    done.at.project.sh("echo person >>docs/guide.md; mkdir -p pkg/new; echo p >pkg/new/mod.py");
    let before = done.picture();
    let landing = done.plan();
    assert_eq!(names(&landing.merged), ["src/a.py"]);
    assert_eq!(names(&landing.conflicts), ["docs/guide.md", "pkg/new/mod.py", "src/b.py"]);
    assert_eq!(names(landing.paths()), ["src/a.py"]);
    let merged = lines(&[(1, "work"), (8, "person")]);
    let refused = done.plan_where(&mut |path, bytes| {
        assert_eq!((path.as_str(), bytes), ("src/a.py", merged.as_bytes()));
        false
    });
    assert!(refused.is_empty() && refused.merged.is_empty());
    assert_eq!(refused.conflicts.len(), 4);
    assert_eq!(done.land(&landing), BTreeSet::new());
    assert_eq!(done.text("src/a.py"), merged);
    let mode = done.at.project.root.join("src/a.py").metadata().unwrap().mode();
    assert_eq!(mode & 0o777, 0o700, "the work changed it");
    assert_eq!(done.undo(), [""; 0]);
    assert_eq!(done.picture(), before);
}

#[test]
fn a_mode_that_the_work_did_not_change_stays_the_persons() {
    let project = Project::new(World::Plain);
    project.write("src/a.py", &lines(&[]));
    let done = Done::of(project, "sed -i 's/^1$/work/' src/a.py");
    done.at.project.sh("sed -i 's/^8$/person/' src/a.py; chmod 600 src/a.py");
    done.land(&done.plan());
    assert_eq!(done.text("src/a.py"), lines(&[(1, "work"), (8, "person")]));
    let mode = done.at.project.root.join("src/a.py").metadata().unwrap().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_landing_stops_where_a_file_was_saved_after_the_plan() {
    for (script, left) in [
        ("echo person >>src/b.py", &["src/b.py"][..]),
        ("rm src/a.py", &["src/a.py"]),
        (
            "mkdir -p pkg/new; echo person >pkg/new/mod.py; chmod 600 run.sh",
            &["pkg/new/mod.py", "run.sh"],
        ),
        ("rm docs/guide.md; mkdir docs/guide.md", &["docs/guide.md"]),
    ] {
        let done = Done::new(World::Git, WORK);
        let landing = done.plan();
        done.at.project.sh(script);
        let before = done.picture();
        assert_eq!(names(&done.land(&landing)), left, "{script}");
        assert_eq!(done.picture(), before, "{script}");
        assert_eq!(landing_owner(&done.plan_dir()).unwrap(), None, "{script}");
    }
}

#[test]
fn a_link_that_leads_out_is_not_written_or_removed_through() {
    const LEAD: &str = "rm -r src docs; ln -s \"$OUTSIDE\" src; ln -s \"$OUTSIDE\" docs; ln -s \"$OUTSIDE\" pkg
        echo 'a = 1' >\"$OUTSIDE/a.py\"; echo 'b = 1' >\"$OUTSIDE/b.py\"; echo 'a guide' >\"$OUTSIDE/guide.md\"";
    let check = |done: &Done| {
        let outside = done.at.project.outside();
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 3);
        for (name, text) in [("a.py", "a = 1\n"), ("b.py", "b = 1\n"), ("guide.md", "a guide\n")] {
            assert_eq!(fs::read_to_string(outside.join(name)).unwrap(), text);
        }
    };
    for world in [World::Plain, World::Git] {
        // Before the plan.
        let done = Done::new(world, WORK);
        done.at.project.sh(LEAD);
        let landing = done.plan();
        let conflicts = ["docs/guide.md", "pkg/new/mod.py", "src/a.py", "src/b.py"];
        assert_eq!(names(&landing.conflicts), conflicts, "{world:?}");
        assert_eq!(done.land(&landing), BTreeSet::new());
        check(&done);
        // After it.
        let done = Done::new(world, WORK);
        let landing = done.plan();
        done.at.project.sh(LEAD);
        assert!(!done.land(&landing).is_empty(), "{world:?}");
        check(&done);
        let done = Done::new(world, "mkdir -p pkg/new; echo mod >pkg/new/mod.py");
        let landing = done.plan();
        done.at.project.sh(LEAD);
        assert_eq!(names(&done.land(&landing)), ["pkg/new/mod.py"], "{world:?}");
        check(&done);
        // After the landing.
        let done = Done::new(world, WORK);
        done.land(&done.plan());
        done.at.project.sh(&format!("rm -r pkg; {LEAD}"));
        let left = done.undo();
        for path in ["docs/guide.md", "src/a.py", "src/b.py"] {
            assert!(left.iter().any(|name| name == path), "{world:?}: {left:?}");
        }
        check(&done);
    }
}

#[test]
fn a_path_that_is_no_file_is_no_work() {
    let done = Done::new(
        World::Plain,
        "rm src/a.py src/b.py run.sh link; ln -s b.py src/a.py; mkdir src/b.py; mkfifo run.sh
         echo now a file >link",
    );
    let landing = done.plan();
    assert_eq!(names(landing.paths()), ["link"]);
    assert!(landing.conflicts.is_empty());
    let before = done.picture();
    done.land(&landing);
    assert_eq!(done.text("link"), "now a file\n");
    assert_eq!(done.undo(), [""; 0]);
    assert_eq!(done.picture(), before);
}

#[test]
fn a_landing_in_two_steps_is_undone_after_either() {
    for steps in 1..=2 {
        let done = Done::new(World::Git, WORK);
        let before = done.picture();
        let mut landing = done.plan();
        for held in ["docs/guide.md", "pkg/new/mod.py", "src/a.py"] {
            landing.hold(&path(held));
        }
        landing.put_first(&path("src/b.py"), b"between\n".to_vec());
        assert!(landing.has_rest());
        assert_eq!(done.land(&landing), BTreeSet::new());
        assert_eq!(done.text("src/a.py"), "a = 1\n");
        assert_eq!(done.text("src/b.py"), "between\n");
        assert_eq!(done.text("docs/guide.md"), "a guide\n");
        assert!(!done.at.project.root.join("pkg/new/mod.py").exists());
        if steps == 2 {
            let tree = &done.at.tree;
            let left = tree.land_rest(&landing, &done.work, &done.plan_dir()).unwrap();
            assert_eq!(left, BTreeSet::new());
            assert!(done.plan().is_empty(), "all of it is there");
        }
        assert_eq!(done.undo(), [""; 0]);
        assert_eq!(done.picture(), before);
    }
}

#[test]
fn a_file_that_was_saved_between_the_steps_stays() {
    let done = Done::new(World::Plain, WORK);
    let mut landing = done.plan();
    landing.hold(&path("src/a.py"));
    landing.put_first(&path("src/b.py"), b"between\n".to_vec());
    done.land(&landing);
    done.at.project.sh("echo person >src/a.py; echo person >src/b.py");
    let left = done.at.tree.land_rest(&landing, &done.work, &done.plan_dir()).unwrap();
    assert_eq!(names(&left), ["src/a.py", "src/b.py"]);
    assert_eq!(done.undo(), ["src/a.py", "src/b.py"]);
    assert_eq!(done.text("src/a.py"), "person\n");
}
