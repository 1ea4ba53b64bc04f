//! Names that are not UTF-8: of the root, of the state directory, and of files that a command is given.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

use super::isolation::possible;
use crate::support::task;
use crate::support::{FTL, Finished, STATE};

const PATCH: &str = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1,2 @@\n before\n+work\n";

fn odd(name: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(name))
}

/// A project in a directory below `scratch`, `None` where the file system takes no such name.
fn project_in(scratch: &Scratch, name: &[u8]) -> Option<PathBuf> {
    let root = scratch.path().join(odd(name));
    fs::create_dir(&root).ok()?;
    fs::create_dir_all(root.join(".ftl/workspace")).unwrap();
    fs::write(
        root.join(".ftl/workspace/001_a_active.xml"),
        task().verify("grep work notes.txt").active(),
    )
    .unwrap();
    fs::write(root.join("notes.txt"), "before\n").unwrap();
    fs::write(root.join("other.txt"), "other\n").unwrap();
    for words in
        [&["init", "-q"] as &[&str], &["add", "--all"], &["commit", "-q", "--message", "before"]]
    {
        Program::git(&root).args(words).run().unwrap();
    }
    fs::write(root.join(odd(b"p\xff.diff")), PATCH).unwrap();
    Some(root)
}

fn ftl(root: &Path, state: &Path, words: &[&OsStr]) -> Finished {
    let mut finished = Finished::of_in(Program::new(FTL, root).without_cargo().args(words), state);
    finished.stdout = finished.stdout.trim().to_owned();
    finished
}

fn words(text: &str) -> Vec<&OsStr> {
    text.split(' ').map(OsStr::new).collect()
}

#[test]
fn a_root_or_state_directory_may_have_any_name() {
    let scratch = Scratch::new("odd").unwrap();
    let state = scratch.path().join("state");
    let odd_state = scratch.path().join(odd(b"st\xff"));
    for (number, level) in ["copy", "bind"].into_iter().enumerate() {
        if level == "bind" && !possible() {
            continue;
        }
        for (name, state) in [(&b"caf\xe9"[..], &state), (b"plain", &odd_state)] {
            let name = [name, number.to_string().as_bytes()].concat();
            let Some(root) = project_in(&scratch, &name) else {
                return;
            };
            let run = |text: &str, agent: &str| {
                let mut all = words(text);
                if !agent.is_empty() {
                    all.extend(["--isolate", level, "--agent", agent].map(OsStr::new));
                }
                ftl(&root, state, &all)
            };
            let strayed = run("build 001", "echo work >> notes.txt; echo s > other.txt").ends(0);
            assert!(strayed.stderr.contains("left out of the project: other.txt"), "{strayed:#?}");
            assert_eq!(fs::read(root.join("other.txt")).unwrap(), b"other\n", "{level}");
            assert_eq!(fs::read(root.join("notes.txt")).unwrap(), b"before\nwork\n");
            run("show 001 --format json", "").ends(0);
            run("reopen 001 --build", "echo more >> notes.txt").ends(0);
            assert_eq!(fs::read(root.join("notes.txt")).unwrap(), b"before\nwork\nmore\n");
            for command in ["status --format json", "show 001", "report 001", "status", "doctor"] {
                let finished = run(command, "");
                assert!(matches!(finished.code, Some(0 | 1)), "{command}: {finished:#?}");
            }
        }
    }
}

#[test]
fn an_unfinished_run_is_resumed_in_a_root_of_any_name() {
    let scratch = Scratch::new("odd").unwrap();
    let Some(root) = project_in(&scratch, b"caf\xe9") else {
        return;
    };
    // The agent ends its builder, the first time.
    let agent = "[ -e ../again ] || { touch ../again; kill -KILL $PPID; }; echo work >> notes.txt";
    let build = ["build", "001", "--isolate", "copy", "--agent", agent].map(OsStr::new);
    let killed = ftl(&root, Path::new(STATE), &build);
    assert_eq!(killed.code, None, "{killed:#?}");
    ftl(&root, Path::new(STATE), &build).ends(0);
}

#[test]
fn a_patch_may_have_any_name() {
    let scratch = Scratch::new("odd").unwrap();
    let Some(root) = project_in(&scratch, b"plain") else {
        return;
    };
    let patch = odd(b"p\xff.diff");
    let mut build = words("build 001 --format json --patch");
    build.push(patch.as_os_str());
    ftl(&root, Path::new(STATE), &build).ends(0);
    assert_eq!(fs::read(root.join("notes.txt")).unwrap(), b"before\nwork\n");
}

#[test]
fn files_of_other_names_are_read_or_refused_as_text() {
    let scratch = Scratch::new("odd").unwrap();
    let Some(root) = project_in(&scratch, b"plain") else {
        return;
    };
    let name = odd(b"x\xff");
    let file = odd(b"x\xff.py");
    fs::write(root.join(&file), "a = (\n").unwrap();
    for (text, codes) in [
        ("preflight", &[1][..]),
        ("preflight --format json", &[1]),
        ("preflight --format sarif", &[1]),
        ("workspace validate", &[1, 2]),
        ("workspace parse", &[1, 2]),
        ("workspace create --plan", &[1, 2]),
        ("build", &[1, 2]),
        ("show", &[1, 2]),
        ("reopen", &[1, 2]),
        ("new Objective --verify true --delta", &[1, 2]),
        ("build 001 --tree --root", &[1, 2]),
        ("build 001 --tree --config", &[1, 2]),
        ("build 001 --patch", &[3]),
        ("report 001 -o", &[0]),
    ] {
        let mut all = words(text);
        all.push(if text.starts_with("report") { name.as_os_str() } else { file.as_os_str() });
        let finished = ftl(&root, Path::new(STATE), &all);
        assert!(finished.code.is_some_and(|code| codes.contains(&code)), "{text}: {finished:#?}");
        assert!(!finished.stderr.contains("panicked"), "{text}: {finished:#?}");
    }
}
