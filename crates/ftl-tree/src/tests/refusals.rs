//! Workplaces where the system refuses: a full disk, files that cannot be read.

#![expect(clippy::print_stdout, reason = "a test says why it is skipped")]

use std::path::PathBuf;

use ftl_process::Command;

use super::workplaces::{Placed, picture};
use super::world::{Project, World};
use crate::Settings;
use crate::workplace::{Placement, Refreshed, Workplace};

/// Runs this test again in a shell script, where `inner` is not set yet. Whether it is set.
fn is_inner(test: &str, script: &str) -> bool {
    if std::env::var_os("FTL_INNER_TEST").is_some() {
        return true;
    }
    let exe = std::env::current_exe().unwrap();
    let again =
        format!("FTL_INNER_TEST=1 '{}' --exact tests::refusals::{test} --nocapture", exe.display());
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
    let mut place = Workplace::open(&small.join("place"), Placement::Layered).unwrap();
    place.refresh(&tree).unwrap();
    project.sh("head -c 2500000 /dev/urandom > a.bin; head -c 2500000 /dev/urandom > b.bin");
    let error = place.refresh(&tree).unwrap_err();
    assert!(error.is_no_room(), "{error:?}");
    // Once there is room, the same workplace goes on.
    project.sh("rm b.bin");
    place.refresh(&tree).unwrap();
    assert_eq!(picture(tree.top()), picture(place.tree(&tree).unwrap().top()));
    project.sh("head -c 2500000 /dev/urandom > b.bin");
    place.remove().unwrap();
    let mut other = Workplace::open(&small.join("other"), Placement::Layered).unwrap();
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
    let mut at = Placed::with(project, Settings::default(), Placement::Layered);
    let unreadable = |refreshed: &Refreshed, at: &Placed| -> Vec<String> {
        refreshed.unreadable.iter().map(|path| at.tree.shown(path)).collect()
    };
    let refreshed = at.refresh();
    assert_eq!(unreadable(&refreshed, &at), ["run.sh", "shut"]);
    assert!(std::fs::read(at.in_copy("run.sh")).is_err());
    at.project.sh("chmod 755 run.sh ro; echo more > ro/more; chmod 555 ro");
    let refreshed = at.refresh();
    assert_eq!(unreadable(&refreshed, &at), ["shut"]);
    assert_eq!(std::fs::read(at.in_copy("run.sh")).unwrap(), b"#!/bin/sh\n");
    assert!(at.in_copy("ro/more").exists());
    at.project.sh("chmod 755 ro; rm -r ro; chmod 700 shut");
    at.refresh();
    at.is_equal("opened");
}
