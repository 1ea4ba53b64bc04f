//! The machine does no IO, reads no clock and walks nothing unordered.

use std::fs;
use std::path::PathBuf;

use super::sources::rust_files;

/// Words that have no business in the machine, each with what it would bring in.
const FOREIGN: &[(&str, &str)] = &[
    ("std::env", "the environment"),
    ("std::fs", "files"),
    ("std::io", "IO"),
    ("std::net", "the network"),
    ("std::path", "paths, which ask the file system"),
    ("std::process", "processes"),
    ("std::sync", "shared state"),
    ("std::thread", "threads"),
    ("std::time", "the clock"),
    ("Duration", "the clock"),
    ("HashMap", "unordered iteration"),
    ("HashSet", "unordered iteration"),
    ("Instant", "the clock"),
    ("RandomState", "randomness"),
    ("SystemTime", "the clock"),
    ("async ", "an executor"),
    ("ftl_preflight", "the world"),
    ("ftl_process", "the world"),
    ("ftl_xml", "the world"),
    ("jiff", "the clock"),
    ("rand::", "randomness"),
    ("static ", "shared state"),
    ("thread_local", "shared state"),
];

fn sources() -> Vec<PathBuf> {
    let sources = rust_files("crates/ftl-machine/src");
    assert!(sources.len() >= 10, "the machine moved: {sources:?}");
    sources
}

/// The file's code: comments left out, since they may speak of what is absent.
fn code(path: &PathBuf) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.map(str::to_owned).collect()
}

#[test]
fn the_machine_reaches_for_nothing_outside_itself() {
    // The tests that explore it use every core, and rewrite the drawings.
    let exploring =
        |path: &PathBuf| path.ends_with("explore/tests.rs") || path.ends_with("explore/drawing.rs");
    for path in sources().into_iter().filter(|path| !exploring(path)) {
        for line in code(&path) {
            for (word, what) in FOREIGN {
                let foreign = line.replace("'static ", "").contains(word);
                assert!(!foreign, "{}: `{word}` brings in {what}: {line}", path.display());
            }
        }
    }
}

/// What would let a judge of texts look at more than the text it was given.
const BEYOND_TEXT: &[&str] = &["std::env", "std::fs", "std::net", "std::process", "std::time"];

#[test]
fn the_judges_of_texts_look_at_nothing_else() {
    let sources = rust_files("crates/ftl-analysis/src");
    assert!(sources.len() >= 30, "the judges moved: {sources:?}");
    // All patterns of a phase share a deadline, whose file alone reads a clock.
    let judges = sources.into_iter().filter(|path| !path.ends_with("pattern/deadline.rs"));
    for path in judges {
        for line in code(&path) {
            let beyond = BEYOND_TEXT.iter().find(|word| line.contains(*word));
            assert_eq!(beyond, None, "{}: {line}", path.display());
        }
    }
}

#[test]
fn no_arm_of_the_machine_catches_all() {
    // The search over the machine asks about single events, and may ignore the others.
    let search = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "explore");
    for path in sources().into_iter().filter(|path| !search(path)) {
        for line in code(&path) {
            let trimmed = line.trim_start();
            let catch_all = trimmed.starts_with("_ =>") || trimmed.starts_with("_ if");
            assert!(!catch_all, "{}: a new event must be decided here: {line}", path.display());
        }
    }
}
