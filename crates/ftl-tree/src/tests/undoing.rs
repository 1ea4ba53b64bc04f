//! A landing is undone, at each point at which a crash may cut it off, and what others changed since stays.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::landing::{Done, WORK, path};
use super::world::World;
use crate::{TreeError, forget_landing, landing_owner};

#[test]
fn a_plan_that_is_forgotten_undoes_nothing() {
    let done = Done::new(World::Git, WORK);
    assert_eq!(landing_owner(&done.plan_dir()).unwrap(), None);
    forget_landing(&done.plan_dir()).unwrap();
    done.land(&done.plan());
    let landed = done.picture();
    forget_landing(&done.plan_dir()).unwrap();
    assert!(!done.plan_dir().exists());
    assert_eq!(landing_owner(&done.plan_dir()).unwrap(), None);
    assert_eq!(done.undo(), [""; 0]);
    assert_eq!(done.picture(), landed);
}

#[test]
fn a_landing_that_was_cut_off_anywhere_is_undone() {
    let done = Done::new(World::Git, WORK);
    let before = done.picture();
    let files = ["src/a.py", "src/b.py", "pkg/new/mod.py", "docs/guide.md", "run.sh"];
    let root = &done.at.project.root;
    let old = files.map(|path| fs::read(root.join(path)).ok());
    for made in 0_u32..1 << files.len() {
        assert_eq!(done.land(&done.plan()), BTreeSet::new());
        // What was not made yet is as it was before.
        for (number, (path, old)) in files.iter().zip(&old).enumerate() {
            if made & 1 << number != 0 {
                continue;
            }
            let at = root.join(path);
            match old {
                Some(bytes) => {
                    fs::write(&at, bytes).unwrap();
                    let mode = if *path == "run.sh" { 0o755 } else { 0o644 };
                    fs::set_permissions(&at, PermissionsExt::from_mode(mode)).unwrap();
                }
                None => fs::remove_file(&at).unwrap(),
            }
        }
        let aside = |name: &str| root.join(name);
        match made % 4 {
            // Half of a new file; the old one, just taken out; a new one, about to come in.
            0 => fs::write(aside("src/.a.py.ftl-new"), "hal").unwrap(),
            1 => fs::write(aside("src/.b.py.ftl-old"), "b = 1\n").unwrap(),
            2 => fs::write(aside("src/.b.py.ftl-old"), "b = 20\n").unwrap(),
            // The directories above a new file are made first, and go last.
            _ if made & 4 == 0 => fs::remove_dir(aside("pkg/new")).unwrap(),
            _ => {}
        }
        assert_eq!(done.undo(), [""; 0], "{made:b}");
        assert_eq!(done.picture(), before, "{made:b}");
    }
}

#[test]
fn a_plan_that_was_not_stored_is_none_and_a_damaged_one_an_error() {
    let done = Done::new(World::Plain, WORK);
    done.land(&done.plan());
    let landed = done.picture();
    let plan = done.plan_dir().join("plan.json");
    let bytes = fs::read(&plan).unwrap();
    fs::write(&plan, &bytes[..20]).unwrap();
    let error = done.at.tree.undo_landing(&done.plan_dir()).unwrap_err();
    assert!(matches!(error, TreeError::Damaged { .. }), "{error}");
    landing_owner(&done.plan_dir()).unwrap_err();
    fs::remove_file(&plan).unwrap();
    assert_eq!(done.undo(), [""; 0]);
    assert_eq!(done.picture(), landed);
}

#[test]
fn a_file_that_a_person_changed_since_a_landing_is_left_and_named() {
    for world in [World::Plain, World::Below] {
        let done = Done::new(world, WORK);
        let mut expected = done.picture();
        done.land(&done.plan());
        done.at
            .project
            .sh("echo person >>src/a.py; echo person >docs/guide.md; echo person >pkg/new/other
             echo person >untracked.txt");
        let now = done.picture();
        assert_eq!(done.undo(), ["docs/guide.md", "src/a.py"], "{world:?}");
        let inner = if world.is_below() { "/inner project" } else { "" };
        for path in
            ["src/a.py", "docs/guide.md", "pkg", "pkg/new", "pkg/new/other", "untracked.txt"]
        {
            let path = format!("{inner}/{path}");
            expected.insert(path.clone(), now[&path].clone());
        }
        assert_eq!(done.picture(), expected, "{world:?}");
    }
}

#[test]
fn a_file_comes_back_also_where_its_directory_was_removed() {
    let done = Done::new(World::Git, "rm docs/guide.md");
    let before = done.picture();
    done.land(&done.plan());
    done.at.project.sh("rmdir docs");
    assert_eq!(done.undo(), [""; 0]);
    assert_eq!(done.picture(), before);
}

#[test]
fn a_version_that_a_person_saves_while_undoing_is_under_way_stays() {
    let done = Done::new(World::Plain, WORK);
    done.land(&done.plan());
    let root = &done.at.project.root;
    // Taken out a moment ago, and no version of the landing is in its place.
    fs::rename(root.join("src/a.py"), root.join("src/.a.py.ftl-old")).unwrap();
    fs::write(root.join("src/.a.py.ftl-old"), "person\n").unwrap();
    fs::write(root.join("src/.b.py.ftl-old"), "person\n").unwrap();
    fs::write(root.join("src/b.py"), "later\n").unwrap();
    assert_eq!(done.undo(), ["src/a.py", "src/b.py"]);
    assert_eq!(done.text("src/a.py"), "person\n");
    assert_eq!(done.text("src/b.py"), "later\n");
    assert_eq!(done.text("src/.b.py.ftl-old"), "person\n");
}

#[test]
fn a_file_that_a_verify_command_wrote_after_a_landing_is_undone_with_it() {
    let done = Done::new(World::Git, "echo a = 20 >src/a.py");
    let before = done.picture();
    done.land(&done.plan());
    let beside = ["src/b.py", "docs/guide.md", "dirty.txt", "new.txt"].map(path);
    let originals = done.at.tree.save(&[], &beside, &done.at.project.run_dir("originals")).unwrap();
    done.at.project.sh("echo w >>src/b.py; rm docs/guide.md; echo w >new.txt");
    done.at.tree.plan_restoring(&originals, &done.plan_dir(), "the owner").unwrap();
    // A person goes on with one of them.
    done.at.project.sh("echo person >>src/b.py");
    assert_eq!(done.undo(), ["src/b.py"]);
    let mut expected = before;
    let changed = ["", "src", "b.py"].join("/");
    expected.insert(changed.clone(), done.picture()[&changed].clone());
    assert_eq!(done.picture(), expected);
    assert_eq!(done.text("src/b.py"), "b = 1\nw\nperson\n");
}

#[test]
fn a_landing_does_not_undo_what_was_written_after_an_earlier_one() {
    let done = Done::new(World::Git, "echo a = 20 >src/a.py");
    done.land(&done.plan());
    let beside = [path("docs/guide.md")];
    let originals = done.at.tree.save(&[], &beside, &done.at.project.run_dir("originals")).unwrap();
    done.at.project.sh("echo w >docs/guide.md");
    done.at.tree.plan_restoring(&originals, &done.plan_dir(), "").unwrap();
    // The first landing stays, and the process dies before it removes all of its plan.
    fs::remove_file(done.plan_dir().join("plan.json")).unwrap();
    done.at.project.sh("echo 'a = 1' >src/a.py");
    done.land(&done.plan());
    assert_eq!(done.undo(), [""; 0]);
    assert_eq!(done.text("src/a.py"), "a = 1\n");
    assert_eq!(done.text("docs/guide.md"), "w\n");
}
