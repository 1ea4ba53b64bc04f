//! Files that git ignores, such as `.env`: those that were there before an implementer came are as safe as files
//! that git holds, at both levels of isolation. Caches and new ones are scratch.

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
fn an_ignored_file_that_was_there_is_protected_like_the_tree() {
    for level in levels() {
        for (script, strays) in [
            ("echo KEY=2 >.env", &[".env"][..]),
            ("rm .env", &[".env"]),
            ("chmod 755 .env", &[".env"]),
            ("rm .env; mkdir .env; echo x >.env/x", &[".env"]),
            ("echo 2 >build/o; echo 2 >docs/build/page", &["build/o", "docs/build/page"]),
            ("rm build/o; ln -s /etc/passwd build/o", &["build/o"]),
            ("mv build/o build/p", &["build/o"]),
        ] {
            let context = format!("{level}: {script}");
            let project = with_ignored("");
            let finished = build(&project, level, script);
            let said = finished.json();
            assert_eq!(said["block"]["kind"], "delta_insufficient", "{context}: {finished:#?}");
            assert_eq!(texts(&said["strays"]), strays, "{context}");
            let warnings = said["warnings"].to_string();
            assert!(warnings.contains("[scope] scratch"), "{context}: {warnings}");
            assert_as_before(&project, &context);
        }
    }
}

#[test]
fn the_version_of_the_implementer_is_kept_and_can_be_taken_in() {
    for level in levels() {
        let project = with_ignored("");
        let finished = build(&project, level, "echo KEY=2 >.env");
        let said = finished.json();
        assert_eq!(said["quarantine"], format!("{RUN}/quarantine/1"), "{level}: {finished:#?}");
        assert_eq!(project.read(format!("{RUN}/quarantine/1/.env")), b"KEY=2\n", "{level}");
        project.ftl(["reopen", "001", "--take", ".env"]).ends(0);
        assert_eq!(project.read(".env"), b"KEY=2\n", "{level}");
    }
}

/// What careless agents do before they give up.
#[test]
fn a_clean_of_a_failed_agent_removes_nothing() {
    for level in levels() {
        let project = with_ignored("");
        let finished = build(&project, level, "git clean -fdxq; exit 1").ends(3);
        // No `[scope] scratch` may name what is ftl's.
        let warnings = texts(&finished.json()["warnings"]);
        let of_ignored = warnings.iter().find(|text| text.starts_with("git ignores ")).unwrap();
        assert!(!of_ignored.contains(".ftl"), "{level}: {of_ignored}");
        assert_as_before(&project, level);
    }
}

#[test]
fn a_new_ignored_file_is_kept_and_listed() {
    for level in levels() {
        let project = with_ignored("");
        let agent = "echo x >x.log; echo new >build/new; mkdir -p data/deep; echo d >data/deep/d";
        let finished = build(&project, level, agent).ends(0);
        let said = finished.json();
        let mut scratch = texts(&said["scratch"]);
        scratch.sort();
        assert_eq!(scratch, ["build/new", "data", "x.log"], "{level}");
        assert_eq!(project.read("build/new"), b"new\n", "{level}");
        assert_eq!(project.read("data/deep/d"), b"d\n", "{level}");
        assert_as_before(&project, level);
    }
}

#[test]
fn a_request_that_fails_on_an_overlay_leaves_no_new_files() {
    if !possible() {
        return;
    }
    let project = with_ignored("");
    let finished = build(&project, "bind", "echo x >x.log; echo new >build/new; exit 1");
    let said = finished.json();
    assert_eq!(said["block"]["kind"], "implement_failed", "{finished:#?}");
    assert_eq!(said["scratch"], serde_json::json!([]));
    for path in ["x.log", "build/new"] {
        assert!(!project.path().join(path).exists(), "{path}");
    }
}

#[test]
fn caches_dependencies_and_configured_scratch_may_change() {
    for level in levels() {
        let project = with_ignored("[scope]\nscratch = [\"build\"]\n");
        let agent = "echo 2 >build/o; echo 2 >vendor/lib/x; echo 2 >node_modules/m/x.js";
        let finished = build(&project, level, agent).ends(0);
        assert_eq!(
            texts(&finished.json()["scratch"]),
            ["build", "node_modules", "vendor"],
            "{level}"
        );
        for path in ["build/o", "vendor/lib/x", "node_modules/m/x.js"] {
            assert_eq!(project.read(path), b"2\n", "{level}: {path}");
        }
    }
}

/// A file without a copy cannot be put back. The small ones are copied first, and an overlay needs no copy.
#[test]
fn a_file_too_large_for_a_copy_is_reported() {
    for level in levels() {
        let project = with_ignored("[scope]\nmax_backup = 1000\n");
        project.write("build/large", "x".repeat(2000));
        let finished = build(&project, level, "echo 2 >>build/large; rm .env");
        let said = finished.json();
        assert_eq!(said["block"]["kind"], "delta_insufficient", "{level}: {finished:#?}");
        assert_eq!(project.read(".env"), b"KEY=1\n", "{level}");
        let warned = said["warnings"].to_string().contains("too large for a copy");
        let whole = project.read("build/large").len() == 2000;
        assert_eq!(
            (warned, whole),
            if level == "copy" { (true, false) } else { (false, true) },
            "{level}"
        );
    }
}

#[test]
fn with_reported_strays_it_stays_as_the_implementer_left_it() {
    for level in levels() {
        let project = with_ignored("[scope]\nstrays = \"report\"\n");
        let finished = build(&project, level, "echo KEY=2 >.env; rm build/o");
        assert_eq!(
            texts(&finished.json()["strays"]),
            [".env", "build/o"],
            "{level}: {finished:#?}"
        );
        assert_eq!(project.read(".env"), b"KEY=2\n", "{level}");
        assert!(!project.path().join("build/o").exists(), "{level}");
    }
}

/// A product is not made newer than the sources that it was built from.
#[test]
fn a_product_whose_other_version_is_dropped_keeps_its_time() {
    if !possible() {
        return;
    }
    let project = with_ignored("");
    let product = project.path().join("build/o");
    let time = || fs::metadata(&product).unwrap().modified().unwrap();
    let before = time();
    build(&project, "bind", "echo 2 >build/o").ends(3);
    assert_eq!(time(), before);
}

/// Git's ignored directories may hold clones. They are left alone, and nothing in them is a planted repository.
#[test]
fn a_clone_in_an_ignored_directory_is_scratch_without_isolation() {
    let project = with_ignored("");
    project.write("build/clone/.git/HEAD", "ref: refs/heads/main\n");
    project.write("build/clone/x", "x\n");
    let finished = build(&project, "copy", "echo 2 >build/clone/x").ends(0);
    assert_eq!(texts(&finished.json()["scratch"]), ["build/clone"]);
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
