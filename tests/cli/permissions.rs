//! Trees with files and directories that their owner keeps to himself.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use ftl_testkit::program::Program;

use super::project;
use crate::support::{FTL, Finished, Project, has_tool};

const SEALED: &str = "sealed.txt";
const VAULT: &str = "vault";

/// Runs what follows bound by permissions, which a superuser's processes are not.
const BOUND: [&str; 2] = ["--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"];

fn set_mode(project: &Project, path: &str, mode: u32) {
    let path = project.path().join(path);
    fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

fn mode(project: &Project, path: &str) -> u32 {
    let metadata = project.path().join(path).metadata().unwrap();
    metadata.permissions().mode() & 0o7777
}

/// A task, a file that may not be read and a directory that may not be entered.
fn closed() -> Project {
    let project = project(&["001_a_active.xml"]);
    project.write(SEALED, "sealed\n");
    project.write("vault/kept.txt", "kept\n");
    set_mode(&project, SEALED, 0o000);
    set_mode(&project, VAULT, 0o000);
    project
}

/// Builds the task with an agent, bound by permissions; `None` where they bind no process.
fn built(project: &Project, agent: &str) -> Option<Finished> {
    let dir = project.path();
    let may_read_all = fs::read(dir.join(SEALED)).is_ok();
    let ftl = if may_read_all {
        let words: Vec<&str> = BOUND.into_iter().chain(["true"]).collect();
        if !has_tool("setpriv", "setpriv", &words) {
            return None;
        }
        Program::new("setpriv", dir).args(BOUND).args([FTL])
    } else {
        Program::new(FTL, dir)
    };
    let build = ["build", "001", "--isolate", "copy", "--format", "json"];
    let words = build.into_iter().chain(["--agent", agent]);
    Some(Finished::of(ftl.without_cargo().args(words)))
}

/// What was closed is as it was.
fn assert_closed(project: &Project) {
    for (path, inner, text) in [(SEALED, SEALED, "sealed\n"), (VAULT, "vault/kept.txt", "kept\n")] {
        assert_eq!(mode(project, path), 0, "{path}");
        set_mode(project, path, 0o700);
        assert_eq!(project.read(inner), text.as_bytes(), "{inner}");
    }
}

#[test]
fn files_without_permission_to_read_are_left_alone() {
    let project = closed();
    let Some(finished) = built(&project, "echo after >> notes.txt") else {
        return;
    };
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(finished.json()["strays"], serde_json::json!([]), "{finished:#?}");
    assert_eq!(project.read("notes.txt"), b"before\nafter\n");
    assert_closed(&project);
}

#[test]
fn opening_a_closed_directory_strays_and_what_is_in_it_stays_there() {
    let project = closed();
    let Some(finished) = built(&project, "echo after >> notes.txt; chmod 755 vault") else {
        return;
    };
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(finished.json()["strays"], serde_json::json!([VAULT]), "{finished:#?}");
    assert!(finished.warnings().contains("left out of the project: vault"), "{finished:#?}");
    assert_eq!(project.read("notes.txt"), b"before\nafter\n");
    assert_closed(&project);
}

#[test]
fn closing_what_was_open_strays_and_does_not_come_into_the_project() {
    let project = closed();
    project.write("open/text.txt", "open\n");
    let Some(finished) = built(&project, "chmod 000 open notes.txt; chmod 644 notes.txt") else {
        return;
    };
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    assert_eq!(finished.json()["strays"], serde_json::json!(["open"]), "{finished:#?}");
    assert_eq!(mode(&project, "open"), 0o755, "{finished:#?}");
    assert_eq!(project.read("open/text.txt"), b"open\n");
    assert_closed(&project);
}
