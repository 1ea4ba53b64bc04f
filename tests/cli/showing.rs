//! `ftl show`: what became of a task, from its runs and from its record alone.

use std::fs;

use ftl_testkit::program::Program;
use serde_json::{Value, json};

use super::schemas::assert_fits;
use crate::support::Project;
use crate::support::task;

const AGENT: &str = "echo working; echo after >>notes.txt; echo x >stray.txt";

/// A project whose only task was blocked by a stray.
fn blocked() -> Project {
    let project = super::project(&[]).file("ftl.toml", "[scope]\nstrays = 'block'\n");
    let objective = "<objective>Say what comes after</objective>";
    project.add("001_a", task().verify("grep after notes.txt").rest(objective));
    project.ftl(["build", "--agent", AGENT]).ends(3);
    project
}

fn shown(project: &Project, words: &[&str]) -> Value {
    let all = ["show", "--format", "json"];
    let finished = project.ftl(all.iter().chain(words)).ends(0);
    assert_eq!(finished.stderr, "");
    let history = finished.json();
    assert_fits("show", &history);
    history
}

#[test]
fn people_get_states_with_times_files_strays_and_the_way_on() {
    let project = blocked();
    let history = project.ftl(["show"]).stdout;
    let lines: Vec<&str> = history.lines().collect();
    assert_eq!(lines[0], "blocked  001_a  run 1  budget 2/5", "{history}");
    for part in [
        "  objective  Say what comes after\n",
        "  by         agent: echo working;",
        "  states     READ       ",
        "             IMPLEMENT  ",
        "  kind       delta_insufficient\n",
        "  file       modified notes.txt  +1 -0\n",
        "  stray      stray.txt\n",
        "  quarantine .ftl/runs/001_a/1/quarantine/1\n",
        "  diff       .ftl/runs/001_a/1/diffs/run.diff\n",
        "  logs       .ftl/runs/001_a/1/requests/1/agent.log\n",
        "  next       ftl reopen 001_a --take stray.txt --build --agent",
    ] {
        assert!(history.contains(part), "{part}: {history}");
    }
    assert!(!history.contains("+after") && !history.contains("working\n"), "{history}");
    let more = project.ftl(["show", "1", "--diff", "--log"]).stdout;
    let diff = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1,2 @@\n before\n+after\n";
    assert!(more.contains(diff), "{more}");
    let log = "==> .ftl/runs/001_a/1/requests/1/agent.log <==\nworking\n";
    assert!(more.contains(log), "{more}");
}

#[test]
fn programs_get_all_of_it_and_every_run() {
    let project = blocked();
    let history = shown(&project, &["001"]);
    assert_eq!(history["objective"], "Say what comes after");
    assert_eq!(history["status"], "blocked");
    let run = &history["run"];
    assert_eq!(run["implementer"], json!({"kind": "agent", "command": AGENT}));
    assert_eq!(run["source"], "journal");
    let states: Vec<&str> = run["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| {
            assert!(step["duration_ms"].is_u64(), "{step}");
            step["state"].as_str().unwrap()
        })
        .collect();
    assert_eq!(states, ["READ", "PLAN", "IMPLEMENT", "BLOCK"]);
    assert_eq!(run["result"]["block"]["kind"], "delta_insufficient");
    assert_eq!(run["result"]["strays"], json!(["stray.txt"]));
    assert!(run["logs"][0].get("text").is_none(), "{run}");
    let with_logs = shown(&project, &["--log"]);
    assert_eq!(with_logs["run"]["logs"][0]["text"], "working\n");

    project.ftl(["reopen", "1", "--take", "stray.txt", "--build", "--agent", "true"]).ends(0);
    let history = shown(&project, &["001_a"]);
    let outcomes: Vec<&Value> =
        history["runs"].as_array().unwrap().iter().map(|run| &run["outcome"]).collect();
    assert_eq!(outcomes, ["blocked", "complete"]);
    assert_eq!(history["run"]["number"], 2);
    assert_eq!(history["run"]["result"]["next"], json!([]));
    let first = shown(&project, &["001", "--run", "1"]);
    assert_eq!(first["run"]["result"]["outcome"], "blocked");
    // The task goes on from its last run, and that is complete.
    assert_eq!(first["run"]["result"]["next"], json!([]));
}

#[test]
fn a_clone_without_the_runs_shows_what_the_record_holds() {
    let project = blocked();
    let before = shown(&project, &["001"]);
    fs::remove_dir_all(project.path().join(".ftl/runs")).unwrap();
    let after = shown(&project, &["001"]);
    let run = &after["run"];
    assert_eq!(run["source"], "record");
    for key in ["outcome", "states", "budget", "files", "strays", "quarantine", "isolation"] {
        assert_eq!(run["result"][key], before["run"]["result"][key], "{key}");
    }
    for key in ["kind", "error", "unknown", "discovery", "reproduce"] {
        let block = |history: &Value| history["run"]["result"]["block"][key].clone();
        assert_eq!(block(&after), block(&before), "{key}");
    }
    let history = project.ftl(["show"]).stdout;
    assert!(history.contains("  states     READ → PLAN → IMPLEMENT → BLOCK\n"), "{history}");
}

#[test]
fn a_record_holds_the_digest_of_the_diff_that_is_kept_with_the_run() {
    let project = blocked();
    let record = project.text(".ftl/workspace/001_a_blocked.xml");
    let diff = project.read(".ftl/runs/001_a/1/diffs/run.diff");
    let digest = ftl_model::Digest::of(&diff);
    let element = format!("<diff path=\".ftl/runs/001_a/1/diffs/run.diff\" sha256=\"{digest}\"/>");
    assert!(record.contains(&element), "{record}");
}

#[test]
fn a_task_that_was_never_built_differs_from_one_that_does_not_exist() {
    let project = Project::empty();
    project.ftl(["show"]).ends(2);
    project.add("001_a", task());
    let history = shown(&project, &[]);
    assert_eq!((&history["run"], &history["runs"]), (&Value::Null, &json!([])));
    assert!(project.ftl(["show"]).stdout.starts_with("active  001_a\n"));
    for (words, about) in [
        (&["show", "7"][..], "no task `7`"),
        (&["show", "1", "--run", "3"], "`001_a` has no run 3: it has not been built"),
    ] {
        let refused = project.ftl(words).ends(2);
        assert!(refused.stderr.contains(about), "{refused:#?}");
    }
}

#[test]
fn an_interrupted_run_is_shown_as_far_as_it_came() {
    let project = super::project(&[]);
    project.add("001_a", task().verify("kill -INT $PPID; sleep 20"));
    project.ftl(["build", "--agent", "echo after >>notes.txt"]).ends(130);
    let history = shown(&project, &["001"]);
    let run = &history["run"];
    assert_eq!(run["result"]["outcome"], "unfinished");
    assert_eq!(run["ended_at"], Value::Null);
    assert_eq!(run["result"]["files"][0]["change"], "modified");
    let steps = run["timeline"].as_array().unwrap();
    assert_eq!(steps.last().unwrap()["state"], "VERIFY");
    assert_eq!(steps.last().unwrap()["duration_ms"], Value::Null);
    let next = run["result"]["next"][0].as_str().unwrap();
    assert_eq!(next, "ftl build 001_a --agent 'echo after >>notes.txt'");
    let listed = project.ftl(["status", "--format", "json"]).json();
    let last = &listed["workspaces"][0]["last"];
    assert_eq!((&last["outcome"], &last["used"]), (&json!("unfinished"), &json!(3)));
}

#[test]
fn hostile_text_obeys_no_terminal_and_opens_nothing_outside() {
    let project = super::project(&[]);
    let verify = "printf '\\033]0;owned\\007\\033[2J'; false";
    project.add("001_a", task().verify(verify).rest("<objective>a &#x202E; b</objective>"));
    project.ftl(["build", "--agent", "printf 'x\\033[31m\\r\\n' >>notes.txt; printf '\\033[2J'"]);
    let runs = project.path().join(".ftl/runs/001_a/1");
    project.write("secret.txt", "secret of the user");
    std::os::unix::fs::symlink(project.path().join("secret.txt"), runs.join("outputs/z.log"))
        .unwrap();
    let history = project.ftl(["show", "--diff", "--log"]).ends(0);
    assert!(!history.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}', '\r']), "{history:#?}");
    assert!(!history.stdout.contains("secret of the user"), "{history:#?}");
}

#[test]
fn the_result_the_record_and_the_page_name_the_commit_and_the_branch() {
    let project = super::project(&[]);
    let without = |project: &Project, name: &str| {
        project.add(name, task());
        let words = ["build", name, "--agent", "echo x >>notes.txt", "--format", "json"];
        let built = project.ftl(words).ends(0);
        built.json()["base"].clone()
    };
    assert_eq!(without(&project, "001_a"), Value::Null);
    project.commit();
    let git = |words: &[&str]| {
        let program = Program::git(project.path()).args(words);
        program.text().unwrap().trim().to_owned()
    };
    git(&["checkout", "--quiet", "-b", "topic/x"]);
    let commit = git(&["rev-parse", "HEAD"]);
    let base = json!({"commit": commit, "branch": "topic/x"});
    assert_eq!(without(&project, "002_a"), base);
    assert_eq!(shown(&project, &["002"])["run"]["result"]["base"], base);
    let line = format!("  base       {commit} (topic/x)\n");
    assert!(project.ftl(["show", "002"]).stdout.contains(&line));
    fs::remove_dir_all(project.path().join(".ftl/runs")).unwrap();
    assert_eq!(shown(&project, &["002"])["run"]["result"]["base"], base);

    git(&["checkout", "--quiet", "--detach"]);
    assert_eq!(without(&project, "003_a"), json!({"commit": commit, "branch": null}));
    // What the tree is compared with, where that is another commit than HEAD.
    git(&["add", "notes.txt"]);
    git(&["commit", "--quiet", "--message", "after"]);
    project.add("004_a", task());
    let built = project.build(&["004", "--base", &commit]);
    assert_eq!(built.json()["base"]["commit"], commit, "{built:#?}");
}
