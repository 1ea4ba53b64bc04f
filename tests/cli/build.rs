//! `ftl build`: which tasks, in which order, and what is said of them.

use ftl_testkit::program::Program;
use serde_json::Value;

use super::project;
use crate::support::task;
use crate::support::{FTL, Finished, Project};

const A: &str = "001_a-b_active.xml";

#[test]
fn a_task_is_found_by_its_path_its_id_and_its_number() {
    for word in ["001", "001-a-b", "001_a-b", ".ftl/workspace/001_a-b_active.xml"] {
        let project = project(&[A, "002_other_active.xml"]);
        project.ftl(["build", word]).ends(0);
        let expected = ["001_a-b_complete.xml", "002_other_active.xml"];
        assert_eq!(project.workspaces(), expected, "{word}");
    }
}

#[test]
fn the_project_is_found_from_below_and_from_afar() {
    let project = project(&[A]);
    project.write("deep/er/file", "");
    let below = Program::new(FTL, &project.path().join("deep/er"));
    Finished::of(below.args(["build", "001", "--dry-run"])).ends(0);
    let afar = Program::new(FTL, std::path::Path::new("/"));
    let root = ["--root".as_ref(), project.path().as_os_str()];
    Finished::of(afar.args(["build", "001"]).args(root)).ends(0);
}

/// 003 depends on 001 and 002, 004 on 003, 005 on nothing; 002 fails its verify.
fn campaign() -> Project {
    let project = project(&[]);
    for (name, depends, verify) in [
        ("001_a", "", "true"),
        ("002_b", "", "false"),
        ("003_c", "001 002", "true"),
        ("004_d", "003", "true"),
        ("005_e", "", "true"),
    ] {
        project.add(name, task().attributes(format!("depends=\"{depends}\"")).verify(verify));
    }
    project
}

fn outcomes(results: &Value) -> Vec<String> {
    let results = results["results"].as_array().unwrap();
    let outcome = |result: &Value| {
        let word = |key: &str| result[key].as_str().unwrap().to_owned();
        format!("{} {}", word("id"), word("outcome"))
    };
    results.iter().map(outcome).collect()
}

#[test]
fn several_tasks_are_built_after_what_they_depend_on_and_not_after_a_block() {
    let project = campaign();
    let words = ["build", "004", "003", "005", "002", "001", "--format", "json"];
    let finished = project.ftl(words).ends(3);
    let said = finished.json();
    assert_eq!(said["v"], 1);
    let expected =
        ["005_e complete", "002_b blocked", "001_a complete", "003_c skipped", "004_d skipped"];
    assert_eq!(outcomes(&said), expected);
    let expected = [
        "001_a_complete.xml",
        "002_b_blocked.xml",
        "003_c_active.xml",
        "004_d_active.xml",
        "005_e_complete.xml",
    ];
    assert_eq!(project.workspaces(), expected);
}

#[test]
fn a_task_named_twice_is_built_once() {
    let project = project(&[A]);
    let path = format!(".ftl/workspace/{A}");
    let finished = project.build(&["001", "001_a-b", &path]).ends(0);
    assert_eq!(outcomes(&finished.json()), ["001_a-b complete"]);
}

#[test]
fn tasks_that_wait_for_each_other_are_refused_together() {
    let project = Project::empty();
    project.add("001_a", task().attributes("depends=\"002\""));
    project.add("002_b", task().attributes("depends=\"001\""));
    let finished = project.build(&["001", "002"]);
    super::assert_refused(&finished, 2, "usage::depends", "`001_a`, `002_b`");
}

#[test]
fn standard_output_carries_the_result_and_standard_error_the_announcements() {
    let project = project(&[A]);
    let finished = project.ftl(["build", "001"]);
    assert!(finished.stdout.starts_with("✓ 001 a-b  "), "{finished:#?}");
    assert_eq!(finished.stdout.lines().count(), 1, "{finished:#?}");
    assert!(!finished.stdout.contains('\u{1b}'), "{finished:#?}");
    let budget = "Budget: 1/5, Delta: notes.txt, Framework: none\n";
    assert!(finished.stderr.contains(budget), "{finished:#?}");
}

#[test]
fn events_are_one_object_a_line_and_the_last_is_the_outcome() {
    let project = project(&[A]);
    project.ftl(["build", "001", "--dry-run", "--events", "events"]).ends(0);
    let text = project.text("events");
    let lines = |text: &str| -> Vec<Value> {
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().unwrap()
    };
    let events = lines(&text);
    for (seq, event) in events.iter().enumerate() {
        assert_eq!(event["v"], 1);
        assert_eq!(event["seq"], seq);
    }
    assert_eq!(events.last().unwrap()["type"], "outcome");

    let to_output = project.ftl(["build", "001", "--events", "-"]);
    let events = lines(&to_output.stdout);
    assert_eq!(events.last().unwrap()["type"], "outcome");
    assert!(to_output.stderr.contains("✓ 001 a-b"), "{to_output:#?}");
}

#[test]
fn colour_is_forced_and_forbidden_by_the_environment() {
    let coloured = |name: &str, value: &str| {
        let project = project(&[A]);
        let ftl = Program::new(FTL, project.path()).env(name, value);
        let ftl = ftl.env("CLICOLOR_FORCE", "1").args(["build", "001"]);
        String::from_utf8(ftl.output().unwrap().stdout).unwrap().contains("\u{1b}[")
    };
    assert!(coloured("NO_COLOR", ""));
    assert!(!coloured("NO_COLOR", "1"));
}

/// In the workplace, by a preflight command, and in the project, by a verify: the next request shows the test as it was.
#[test]
fn a_test_file_that_became_a_pipe_does_not_hang_the_next_request() {
    let replaces = "rm test.txt; mkfifo test.txt; echo ERROR: not yet; false";
    for (verify, preflight, kind, warning) in [
        ("true", replaces, "preflight_exhausted", "changed 1 file outside the delta: test.txt"),
        (replaces, "true", "retry_limit", "the verify source `test.txt` could not be read"),
    ] {
        let project = project(&[]);
        project.write("test.txt", "a test\n");
        let source = "<verify_source>test.txt</verify_source>";
        let preflight = format!("<preflight>{preflight}</preflight>");
        let known = "<prior_knowledge><failure name=\"early\"><trigger>ERROR: not yet</trigger>\
                     <fix>wait</fix></failure></prior_knowledge>";
        let task = task().verify(verify).elements(source).elements(&preflight).budget(9);
        project.add("001_a", task.rest(known));
        let built = project.build(&["001", "--agent", "echo more >> notes.txt"]).ends(3);
        assert_eq!(built.json()["block"]["kind"], kind, "{built:#?}");
        let warnings = built.warnings();
        assert!(warnings.contains(warning), "{warnings}");
        let asked = project.text(".ftl/runs/001_a/1/requests/2/prompt.md");
        assert!(asked.contains("test.txt\n\n```\na test\n"), "{asked}");
        assert_eq!(project.read("test.txt"), b"a test\n");
    }
}

#[test]
fn files_of_a_preflight_command_are_no_strays_of_the_agent() {
    let project = project(&[]);
    project.write("ftl.toml", "[scope]\nstrays = \"block\"\n");
    let preflight = "<preflight>echo > checked.txt; grep -q twice notes.txt</preflight>";
    project.add("001_a", task().elements(&preflight.replace("echo >", "echo &gt;")).budget(9));
    let agent = "[ -e checked.txt ] && echo twice >> notes.txt || echo once >> notes.txt";
    let built = project.build(&["001", "--agent", agent]).ends(0);
    assert_eq!(built.json()["strays"], serde_json::json!([]), "{built:#?}");
    assert_eq!(project.text("notes.txt"), "before\nonce\ntwice\n");
    assert!(!project.path().join("checked.txt").exists());
}

#[test]
fn a_budget_that_does_not_carry_every_file_is_a_warning_of_the_build() {
    let warns = |budget: u32| {
        let project = project(&[]);
        let files = "<delta>notes.txt</delta><delta>b.txt</delta>";
        project.write(
            A_PATH,
            format!(
                "<workspace status=\"active\"><implementation>{files}<verify>true</verify>\
                 <budget>{budget}</budget></implementation><delivered/></workspace>\n"
            ),
        );
        let agent = "echo more >>notes.txt";
        let built = project.build(&["--agent", agent]).ends(0);
        let record = project.read(A_PATH.replace("_active", "_complete"));
        let printed = built.warnings();
        let recorded = String::from_utf8(record).unwrap();
        let says = |text: &str| text.contains("the budget leaves 2 calls after READ");
        assert_eq!(says(&printed), says(&recorded), "{recorded}");
        let dry = project
            .ftl(["new", "x", "--delta", "c", "d", "e", "--verify", "true", "--budget", "3"]);
        assert!(dry.stderr.contains("a budget of 3 is too small for all 3 files"), "{dry:#?}");
        says(&printed)
    };
    assert!(warns(3));
    assert!(!warns(4));
}

const A_PATH: &str = ".ftl/workspace/001_a_active.xml";

/// Its bytes were those of git's `HEAD` when the build began.
#[test]
fn a_delta_file_that_only_the_known_fix_changed_is_checked() {
    let known = "<prior_knowledge><failure name=\"unfixed\"><trigger>ERROR: not fixed yet</trigger>\
         <fix kind=\"command\">echo 'def f(:' >f.py</fix></failure></prior_knowledge>";
    let project = Project::empty();
    project.write("f.py", "def f():\n    return 1\n");
    let verify = "grep -q 'f(:' f.py || { echo ERROR: not fixed yet; exit 1; }";
    let task = task().delta(&["notes.txt", "f.py"]).verify(verify).budget(9).rest(known);
    project.add("001_a", task);
    project.commit();
    project.write("notes.txt", "a note\n");
    let said = project.build(&["001", "--tree"]).json();
    assert_eq!(said["block"]["kind"], "fix_failed", "{said:#}");
    assert_eq!(said["files"][1]["path"], "f.py", "{said:#}");
}
