//! What a worker gets of a project, and what it does there.

use std::fs;

use ftl_testkit::program::Program;
use serde_json::Value;

use super::{AGENT, Fleet, add, of, outcomes, project};
use crate::support::Project;

/// An agent that copies what it sees of the tree into its delta.
const LOOKS: &str = "[agent.script]\ncommand = '''(find . -path ./.git -prune -o -type f -print | sort; cat crlf.txt sub/in.txt; env | grep ^FTL_ | sort; git log --oneline | wc -l) >$1'''\n";

#[test]
fn a_worker_sees_the_trees_raw_bytes_and_neither_ignored_nor_excluded_files() {
    let Some(fleet) = Fleet::start(LOOKS, 1) else {
        return;
    };
    let project = Project::empty();
    let sub = Project::empty();
    sub.write("in.txt", "of the submodule\n");
    sub.commit();
    project.write("crlf.txt", "one\r\ntwo\r\n");
    project.write(".gitattributes", "*.txt text eol=lf filter=lfs\n");
    project.write(".gitignore", "ignored.txt\n");
    add(&project, 1, 'a', &of(&["out.txt"], "true"));
    project.write("ftl.toml", format!("{LOOKS}[workers]\nexclude = ['private']\n"));
    project.commit();
    let git = |words: &[&str]| {
        Program::git(project.path()).args(words).run().unwrap();
    };
    git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &sub.path().display().to_string(),
        "sub",
    ]);
    git(&["commit", "--quiet", "--message", "sub"]);
    project.write("ignored.txt", "ignored");
    project.write("untracked.txt", "untracked");
    project.write("private/key.pem", "private");
    let built = fleet.build(&project, &[]);
    assert_eq!(built.code, Some(0), "{built:#?}");
    let seen = String::from_utf8(project.read("out.txt")).unwrap();
    for part in [
        "./untracked.txt",
        "one\r\ntwo\r\n",
        "of the submodule",
        "FTL_SLOT=0",
        "FTL_PHASE=implement",
    ] {
        assert!(seen.contains(part), "{part}: {seen}");
    }
    // The commit has no history, and the task file is where the variable says.
    assert!(seen.ends_with("1\n"), "{seen}");
    let root = seen.lines().find_map(|line| line.strip_prefix("FTL_ROOT=")).unwrap();
    assert!(
        seen.contains(&format!("FTL_WORKSPACE={root}/.ftl/workspace/001_a_active.xml")),
        "{seen}"
    );
    assert!(root.starts_with(&fleet.dir(0).display().to_string()), "{root}");
    assert!(!seen.contains("ignored.txt") && !seen.contains("private"), "{seen}");
    assert!(!seen.contains(&project.path().display().to_string()), "{seen}");
}

#[test]
fn the_next_base_travels_as_its_difference_to_the_one_that_a_worker_has() {
    let Some(fleet) = Fleet::start(AGENT, 1) else {
        return;
    };
    let project = project("ab");
    let random = Program::new("head", project.path()).args(["-c", "1000000", "/dev/urandom"]);
    project.write("large", random.output().unwrap().stdout);
    project.commit();
    let sent = |id: &str| {
        let received = || {
            let said: Value = serde_json::from_str(&fleet.server.monitor("varz").unwrap()).unwrap();
            said["in_bytes"].as_u64().unwrap()
        };
        let before = received();
        let words = ["build", id, "--agent", "script"].map(str::to_owned).into_iter();
        let built = project.ftl(words.chain(fleet.reached("--workers")));
        assert_eq!(built.code, Some(0), "{built:#?}");
        received() - before
    };
    let (first, next) = (sent("001"), sent("002"));
    assert!(first > 1_000_000 && next < 50_000, "{first} {next}");
}

#[test]
fn untracked_files_that_look_like_secrets_are_refused_by_name() {
    let Some(fleet) = Fleet::start(AGENT, 0) else {
        return;
    };
    let project = project("a");
    project.write(".env", "A=1\n");
    project.write("notes/id_rsa", "x\n");
    project
        .write("token.txt", "key: AKIAIOSFODNN7EXAMPLE ghp_0123456789abcdefghijABCDEFGHIJ012345\n");
    let built = fleet.build(&project, &[]);
    assert_eq!(built.code, Some(1), "{built:#?}");
    let error = &built.json()["results"][0]["error"];
    for name in [".env", "notes/id_rsa", "token.txt", "[workers] exclude"] {
        assert!(error.to_string().contains(name), "{name}: {error}");
    }
    assert_eq!(project.workspaces(), ["001_a_active.xml"]);
}

#[test]
fn a_worker_follows_its_own_configuration_and_never_that_of_the_project() {
    let theirs = "[agent.script]\ncommand = '''echo agent >>$1; echo by the worker >>$1'''\n";
    let Some(fleet) = Fleet::start(theirs, 1) else {
        return;
    };
    let project = project("a");
    let built = fleet.build(&project, &[]);
    assert_eq!(built.code, Some(0), "{built:#?}");
    assert_eq!(project.read("a.txt"), b"before\nagent\nby the worker\n");
}

#[test]
fn files_outside_the_delta_are_reported_by_name_and_stay_at_the_worker() {
    let strays = "[agent.script]\ncommand = '''echo agent >>$1; echo x >stray.txt; mkdir -p new; echo y >new/s.txt; echo z >>lock.txt'''\n";
    let Some(fleet) = Fleet::start(strays, 1) else {
        return;
    };
    let project = project("a");
    project.write("ftl.toml", format!("{AGENT}[scope]\nallow = ['lock.txt']\n"));
    let built = fleet.build(&project, &[]);
    let said = built.json();
    assert_eq!((built.code, outcomes(&said)), (Some(0), vec!["complete".to_owned()]), "{said:#}");
    let warnings = said["results"][0].to_string();
    assert!(warnings.contains("new/s.txt") && warnings.contains("stray.txt"), "{warnings}");
    assert!(!project.path().join("stray.txt").exists() && !project.path().join("new").exists());
}

#[test]
fn the_setup_command_runs_again_only_when_one_of_its_files_changed() {
    let setup = "[agent.script]\ncommand = '''cp deps/setup.log $1; echo agent >>$1'''\n\
                 [setup]\nrun = 'mkdir -p deps; cat needs.txt >>deps/setup.log'\nwhen = ['needs.txt']\n";
    let Some(fleet) = Fleet::start(setup, 1) else {
        return;
    };
    let project = project("abc");
    project.write(".gitignore", "deps\n");
    project.write("needs.txt", "first\n");
    project.commit();
    let one = |id: &str| {
        let words = ["build", id, "--agent", "script"].map(str::to_owned).into_iter();
        project.ftl(words.chain(fleet.reached("--workers")))
    };
    assert_eq!(one("001").code, Some(0));
    assert_eq!(one("002").code, Some(0));
    project.write("needs.txt", "second\n");
    assert_eq!(one("003").code, Some(0));
    let log = |name: &str| String::from_utf8(project.read(name)).unwrap();
    assert_eq!(log("a.txt"), "first\nagent\n");
    assert_eq!(log("b.txt"), "first\nagent\n");
    assert_eq!(log("c.txt"), "first\nsecond\nagent\n");
}

#[test]
fn a_second_worker_in_the_same_directory_is_refused() {
    let Some(fleet) = Fleet::start(AGENT, 1) else {
        return;
    };
    let state = fleet.dir(0).join("state").display().to_string();
    let project = project("a");
    let words = ["worker", "run", "--dir", &state].map(str::to_owned).into_iter();
    let second = project.ftl(words.chain(fleet.reached("--connect")));
    assert_eq!(second.code, Some(1), "{second:#?}");
    assert!(
        second.stderr.contains("another worker uses") && second.stderr.contains("--dir"),
        "{second:#?}"
    );
    assert!(fs::exists(&state).unwrap());
}
