//! What a build costs by counts that do not depend on the machine: its syncs and its system calls.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

use super::isolation::possible;
use crate::support::{FTL, Project, has_tool};

/// Of a one-file task without git. A development build asks of each file that it closes whether it is open (`fcntl`).
const MOST_CALLS: usize = 850;

const TASK: &str = "<workspace status=\"active\"><implementation><delta>limits.py</delta>\
    <verify>VERIFY</verify></implementation><delivered/></workspace>";

/// A project without git whose task has this verify.
fn project(verify: &str) -> Project {
    let project = Project::empty();
    project.write("limits.py", "LIMIT = 20\n");
    project.write(".ftl/workspace/001_limits_active.xml", TASK.replace("VERIFY", verify));
    project
}

/// The calls of `ftl build 001` with these options that strace shows for `watched`, in all threads and children.
fn traced(project: &Project, watched: &str, options: &[&str]) -> Vec<String> {
    let scratch = Scratch::new("cost").unwrap();
    let trace = scratch.path().join("trace");
    let words = ["-f", "-qq", "-y", "-s", "200", "-e", watched, "-e", "signal=none", "-o"];
    // What the loader and ftl read because of a variable, such as a long PATH, must not count.
    let strace = Program::new("strace", project.path()).without_env();
    let strace = strace.env("XDG_STATE_HOME", scratch.path().join("state"));
    let strace =
        strace.env("PATH", "/usr/bin:/bin").args(words).args([&trace]).args([FTL, "build", "001"]);
    strace.args(options).silent().run().unwrap();
    let trace = std::fs::read_to_string(trace).unwrap();
    let calls = trace.lines().filter(|line| line.contains('(') && !line.contains("resumed>"));
    calls.map(str::to_owned).collect()
}

/// The names of the files and directories that were synced, in order.
fn synced(project: &Project, options: &[&str]) -> Vec<String> {
    let calls = traced(project, "trace=?fsync,?fdatasync,?syncfs,?sync,?sync_file_range", options);
    let name = |call: &String| {
        let path = call.split_once('<')?.1.split_once('>')?.0;
        Some(Path::new(path).file_name()?.to_string_lossy().into_owned())
    };
    calls.iter().filter_map(name).collect()
}

fn has_strace() -> bool {
    has_tool("strace", "strace", &["-V"])
}

#[test]
fn a_build_by_the_tree_syncs_its_journal_and_its_record() {
    if !has_strace() {
        return;
    }
    let sync = ["journal.jsonl", ".001_limits_active.tmp", "workspace"];
    assert_eq!(synced(&project("true"), &["--tree"]), sync);
    let outputs = ["verify-1.log", "outputs", "1", "001_limits", "runs", ".ftl"];
    let sync = [&outputs[..], &sync].concat();
    assert_eq!(synced(&project("echo ran"), &["--tree"]), sync);
}

/// Each with its reason.
#[test]
fn an_agent_costs_these_syncs() {
    if !has_strace() {
        return;
    }
    let (key, journal, manifest) = ("KEY", "journal.jsonl", ".manifest.tmp");
    // In the run's directory, of what the work begins with: the delta files as they are, and the project's.
    let before = ["1", "work", manifest, "before"];
    let base = ["work", "base", manifest, "1"];
    // Whose the workplace is.
    let owner = [".owner.tmp", "0"];
    // The directories above the journal, each of which may be new.
    let asks = ["1", "001_limits", "runs", ".ftl", journal];
    // The work of the request, and then what is journalled of it.
    let done = ["work", "done", manifest, "1000", journal];
    // That the landing begins, and its plan, whose directory may be new.
    let plan = [journal, "ftl", "landing", ".plan.tmp", key];
    // The file, its name, and that the plan is carried out.
    let lands = [".limits.py.ftl-new", "ROOT", key];
    // What other files of the project were when the verify began.
    let beside = [manifest, "beside"];
    // What the record names, all that was journalled, and the record.
    let seal = ["run.diff", "diffs", journal, ".001_limits_active.tmp", "workspace"];
    // That the plan of the landing is gone.
    let gone = [key];
    let expected =
        [&before[..], &base, &owner, &asks, &done, &plan, &lands, &beside, &seal, &gone].concat();
    for level in ["copy", "bind"].into_iter().filter(|level| *level == "copy" || possible()) {
        let project = project("true");
        let agent = ["--isolate", level, "--agent", "echo 'MAX = 3' >> limits.py"];
        let root = project.path().file_name().unwrap().to_string_lossy().into_owned();
        let mut synced = synced(&project, &agent);
        for name in &mut synced {
            if *name == root {
                *name = "ROOT".to_owned();
            } else if name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                *name = key.to_owned();
            }
        }
        assert_eq!(synced, expected, "{level}");
    }
}

/// How often `ftl build 001 --tree` makes each system call.
fn counted(project: &Project) -> BTreeMap<String, usize> {
    let calls = traced(project, "trace=all", &["--tree"]);
    let mut counts = BTreeMap::<String, usize>::new();
    for call in &calls {
        let name = call.split('(').next().and_then(|text| text.split_whitespace().last());
        *counts.entry(name.unwrap_or_default().to_owned()).or_default() += 1;
    }
    counts.remove("fcntl");
    counts
}

#[test]
fn a_build_by_the_tree_makes_few_system_calls() {
    if !has_strace() {
        return;
    }
    let counts = counted(&project("true"));
    let count: usize = counts.values().sum();
    assert!(count <= MOST_CALLS, "{count} system calls: {counts:?}");
}

#[test]
fn runs_of_other_tasks_cost_no_system_calls() {
    if !has_strace() {
        return;
    }
    let (alone, project) = (counted(&self::project("true")), project("true"));
    for number in 2..100 {
        project.write(format!(".ftl/runs/{number:03}_t/1/journal.jsonl"), "");
    }
    let runs = project.path().join(".ftl/runs");
    std::fs::set_permissions(runs, std::fs::Permissions::from_mode(0o700)).unwrap();
    let counts = counted(&project);
    let (few, many): (usize, usize) = (alone.values().sum(), counts.values().sum());
    assert!(many < few + 50, "{few}, and with 98 runs {many}: {counts:?}");
}

#[test]
fn git_is_asked_nothing_twice() {
    if !has_strace() {
        return;
    }
    let project = project("true");
    project.commit();
    let calls = traced(&project, "trace=execve", &["--tree", "--no-change"]);
    let question = |call: &String| {
        let words = call.split_once("\"submodule.recurse=false\", ")?.1.split_once(']')?.0;
        call.ends_with("= 0").then(|| words.to_owned())
    };
    let asked: Vec<String> = calls.iter().filter_map(question).collect();
    let different: BTreeSet<&String> = asked.iter().collect();
    assert_eq!(asked.len(), different.len(), "{asked:#?}");
    let about_head = asked.iter().filter(|words| words.contains("HEAD")).count();
    assert_eq!((asked.len(), about_head), (8, 1), "{asked:#?}");
}
