//! Memory does not grow with the files of a task. Bounds are on the peak that the kernel counts, of `ftl` and of
//! each program that it starts.

use ftl_testkit::peak::{self, End};

use super::isolation::with_git;
use super::project;
use crate::support::task;
use crate::support::{FTL, Project, STATE, has_tool};

/// More than what preflight parses, and than what a revision's files may hold.
const LARGE: &str = "truncate -s 100M notes.txt";

const MIB: u64 = 1 << 10;

/// Runs ftl, and checks its exit code and its peak memory.
fn bounded<const N: usize>(project: &Project, words: [&str; N], code: i32, mib: u64) {
    if !has_tool("python3", "python3", &["--version"]) {
        return;
    }
    let state = format!("XDG_STATE_HOME={STATE}");
    let all = ["env", "GIT_CONFIG_GLOBAL=/dev/null", &state, FTL].into_iter().chain(words);
    let peak = peak::of(project.path(), all).unwrap();
    assert_eq!(peak.end, End::Code(code), "{words:?}");
    assert!(peak.kib < mib * MIB, "{words:?}: {} KiB", peak.kib);
}

#[test]
fn a_large_delta_is_never_held_as_a_whole() {
    for isolate in ["bind", "copy"] {
        let project = with_git();
        if isolate == "bind" && !super::isolation::possible() {
            continue;
        }
        bounded(&project, ["build", "001", "--isolate", isolate, "--agent", LARGE], 0, 90);
        // Now it is large before and after.
        project.ftl(["reopen", "001"]).ends(0);
        let edit = "printf x >> notes.txt";
        bounded(&project, ["build", "001", "--isolate", isolate, "--agent", edit], 0, 90);
    }
}

#[test]
fn a_large_file_of_a_revision_is_never_held_as_a_whole() {
    let project = with_git();
    project.write("notes.txt", vec![b'\n'; 100 << 20]);
    project.commit();
    project.write("notes.txt", "small\n");
    bounded(&project, ["build", "001", "--tree"], 0, 90);
}

#[test]
fn idioms_of_a_file_that_is_too_large_are_undecided() {
    let project = project(&[]);
    let idioms =
        "<idioms><required regex=\"^x\">x</required><forbidden regex=\"y\">y</forbidden></idioms>";
    project.add("001_a", task().rest(idioms));
    let built = project.build(&["001", "--isolate", "copy", "--agent", LARGE]).ends(0);
    let quality = &built.json()["quality"]["idioms"];
    for idiom in quality.as_array().unwrap() {
        assert_eq!(idiom["verdict"], "undecidable", "{quality:#}");
    }
    let warnings = built.warnings();
    assert!(warnings.contains("too large to be judged by idioms"), "{warnings}");
}

#[test]
fn a_task_file_beyond_its_bound_is_not_read_as_a_whole() {
    let project = project(&[]);
    let path = project.path().join(".ftl/workspace/001_a_active.xml");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::File::create(path).unwrap().set_len(200 << 20).unwrap();
    bounded(&project, ["build", "001"], 3, 60);
    bounded(&project, ["status"], 0, 60);
    bounded(&project, ["doctor"], 1, 90);
}
