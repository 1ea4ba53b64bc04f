//! Files that git ignores, such as `.env`: an implementer finds them in its workplace, and those of the project stay as
//! they are, at both levels of isolation.

use std::fs;

use super::isolation::possible;
use super::project;
use crate::support::task;
use crate::support::{Finished, Project};

const A: &str = "001_a_active.xml";
const RUN: &str = ".ftl/runs/001_a/1";

/// The levels that can be had here.
fn levels() -> Vec<&'static str> {
    let mut levels = vec!["copy"];
    levels.extend(possible().then_some("bind"));
    levels
}

/// A project with ignored files of a person's, products of a build, and a dependency.
fn with_ignored(configuration: &str) -> Project {
    let project = project(&[A]);
    project.write(".gitignore", ".env*\nbuild/\nvendor/\nnode_modules/\n*.log\ndata/\n");
    project.write("ftl.toml", configuration);
    project.write("docs/guide.md", "guide\n");
    project.commit();
    project.write(".env", "KEY=1\n");
    project.write("build/o", "object\n");
    project.write("docs/build/page", "page\n");
    project.write("vendor/lib/x", "x\n");
    project.write("node_modules/m/x.js", "x\n");
    project
}

fn build(project: &Project, level: &str, agent: &str) -> Finished {
    let agent = format!("echo work >>notes.txt; {agent}");
    project.build(&["001", "--isolate", level, "--agent", &agent])
}

#[track_caller]
fn assert_as_before(project: &Project, context: &str) {
    for (path, bytes) in
        [(".env", "KEY=1\n"), ("build/o", "object\n"), ("docs/build/page", "page\n")]
    {
        let found = fs::read_to_string(project.path().join(path));
        assert_eq!(found.ok().as_deref(), Some(bytes), "{context}: {path}");
    }
}

fn texts(list: &serde_json::Value) -> Vec<String> {
    let list = list.as_array().unwrap().iter();
    list.map(|one| one.as_str().or(one["path"].as_str()).unwrap().to_owned()).collect()
}

#[test]
fn an_ignored_file_that_was_there_is_a_stray_where_it_changes() {
    for level in levels() {
        for (script, strays) in [
            ("echo KEY=2 >.env", &[".env"][..]),
            ("rm .env", &[".env"]),
            ("chmod 755 .env", &[".env"]),
            ("rm .env; mkdir .env; echo x >.env/x", &[".env"]),
        ] {
            let context = format!("{level}: {script}");
            let project = with_ignored("");
            let finished = build(&project, level, script).ends(0);
            assert_eq!(texts(&finished.json()["strays"]), strays, "{context}");
            assert_as_before(&project, &context);
        }
    }
}

#[test]
fn the_version_of_the_implementer_is_kept_and_can_be_taken() {
    for level in levels() {
        let project = with_ignored("");
        let said = build(&project, level, "echo KEY=2 >.env").json();
        assert_eq!(said["quarantine"], format!("{RUN}/quarantine/1"), "{level}: {said:#}");
        assert_eq!(project.read(format!("{RUN}/quarantine/1/.env")), b"KEY=2\n", "{level}");
        project.ftl(["reopen", "001"]).ends(0);
        project.ftl(["take", "001", ".env"]).ends(0);
        assert_eq!(project.read(".env"), b"KEY=2\n", "{level}");
    }
}

/// What careless agents do before they give up.
#[test]
fn a_clean_of_a_failed_agent_removes_nothing() {
    for level in levels() {
        let project = with_ignored("");
        build(&project, level, "git clean -fdxq; exit 1").ends(3);
        assert_as_before(&project, level);
        assert_eq!(project.read("node_modules/m/x.js"), b"x\n", "{level}");
    }
}

#[test]
fn new_ignored_files_and_products_stay_in_the_workplace() {
    for level in levels() {
        let project = with_ignored("[scope]\nscratch = [\"data\"]\n");
        let agent = "echo x >x.log; echo new >build/new; echo 2 >build/o; echo 2 >vendor/lib/x; \
                     echo 2 >node_modules/m/x.js; mkdir -p data/deep; echo d >data/deep/d";
        let finished = build(&project, level, agent).ends(0);
        assert_as_before(&project, &format!("{level}: {finished:#?}"));
        for path in ["build/new", "data", "x.log"] {
            assert!(!project.path().join(path).exists(), "{level}: {path}");
        }
        for path in ["vendor/lib/x", "node_modules/m/x.js"] {
            assert_eq!(project.read(path), b"x\n", "{level}: {path}");
        }
    }
}

/// A file that is too large for a copy is read where it is.
#[test]
fn a_file_too_large_for_a_copy_can_be_read() {
    for level in levels() {
        let project = with_ignored("[scope]\nmax_backup = 1000\n");
        project.write("data/large", "x".repeat(2000));
        build(&project, level, "wc -c <data/large >>notes.txt").ends(0);
        assert_eq!(project.read("notes.txt"), b"before\nwork\n2000\n", "{level}");
        assert_eq!(project.read("data/large").len(), 2000, "{level}");
    }
}

/// A second task begins from what is there: nothing of the first one's request counts.
#[test]
fn a_change_between_two_requests_is_nobodys_stray() {
    for level in levels() {
        let project = with_ignored("");
        project.add("002_b", task().delta(&["second.txt"]));
        build(&project, level, "true").ends(0);
        project.write(".env", "KEY=mine\n");
        let agent = "echo work >>second.txt";
        let words = ["build", "002", "--isolate", level, "--format", "json", "--agent", agent];
        project.ftl(words).ends(0);
        assert_eq!(project.read(".env"), b"KEY=mine\n", "{level}");
    }
}
