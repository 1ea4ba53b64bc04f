//! An agent that a build asked works by ftl's tools alone: its calls are in the run's own account, and its
//! words in the reply.

use serde_json::{Value, json};

use super::{VERIFY, calculator, calculator_task, edit_to_plus};
use crate::support::{FTL, Finished, Project, task};

/// An agent's command that makes these calls, one after the other.
fn agent(calls: &[(&str, Value)]) -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let mut script = format!(
        "ask() {{ printf '%s\\n' \"$1\" >&3; read -r said <&4; echo \"$said\"; }}\n\
         dir=$(mktemp -d); mkfifo $dir/in $dir/out; '{FTL}' mcp <$dir/in >$dir/out & \
         exec 3>$dir/in 4<$dir/out; rm -r $dir\n"
    );
    script += &format!("ask '{hello}'\nprintf '%s\\n' '{ready}' >&3\n");
    for (id, (name, arguments)) in calls.iter().enumerate() {
        let params = json!({"name": name, "arguments": arguments});
        let call =
            json!({"jsonrpc": "2.0", "id": id + 1, "method": "tools/call", "params": params});
        script += &format!("ask '{}'\n", call.to_string().replace('\'', "'\\''"));
    }
    script + "exec 3>&-\nwait\n"
}

fn build(project: &Project, calls: &[(&str, Value)], options: &[&str]) -> Finished {
    let agent = agent(calls);
    let words = ["build", "001", "--format", "json", "--agent", &agent];
    project.ftl(words.iter().chain(options))
}

fn log(project: &Project) -> String {
    let log = project.read(".ftl/runs/001_add/1/requests/1/agent.log");
    String::from_utf8(log).unwrap()
}

#[test]
fn its_work_is_taken_over_and_its_words_are_in_the_record() {
    for isolate in ["auto", "copy"] {
        let project = calculator();
        let done = json!({"summary": "it adds now", "utilized": ["minus"]});
        let calls = [
            ("read", json!({"path": "calc.py"})),
            ("edit", edit_to_plus()),
            ("verify", json!({})),
            ("done", done),
        ];
        let built = build(&project, &calls, &["--isolate", isolate]);
        let said = built.json();
        assert_eq!(said["outcome"], "complete", "{isolate}: {built:#?}");
        assert_eq!(said["delivered"], "it adds now", "{built:#?}");
        assert_eq!(said["utilized"][0]["name"], "minus", "{built:#?}");
        // READ, one file, VERIFY.
        assert_eq!(said["budget"]["used"], 3, "{built:#?}");
        assert_eq!(said["strays"], json!([]), "{built:#?}");
    }
}

#[test]
fn needs_and_an_unchanged_delta_reach_the_machine() {
    let project = calculator();
    let needs = json!({"paths": ["docs/notes.txt"], "reason": "the notes are wrong"});
    let built = build(&project, &[("needs", needs)], &[]);
    let said = built.json();
    assert_eq!(said["block"]["kind"], "delta_insufficient", "{built:#?}");
    let error = said["block"]["error"].as_str().unwrap();
    assert!(error.contains("docs/notes.txt"), "{error}");
    let project = calculator();
    project.write("calc.py", "a + b\n");
    let built = build(&project, &[("no_change", json!({"reason": "it adds"}))], &[]);
    assert_eq!(built.json()["outcome"], "complete", "{built:#?}");
}

#[test]
fn a_stray_is_refused_at_the_source_and_the_task_completes() {
    let project = calculator();
    let stray = json!({"path": "docs/notes.txt", "content": "stray"});
    let built = build(&project, &[("write", stray), ("edit", edit_to_plus())], &[]);
    let said = built.json();
    assert_eq!(said["outcome"], "complete", "{built:#?}");
    assert_eq!(said["strays"], json!([]), "{built:#?}");
    assert_eq!(project.read("docs/notes.txt"), b"one\ntwo\nthree\n");
    assert!(log(&project).contains("is not a file of this task"), "{}", log(&project));
}

/// What the agent's own runs of the verify leave in its workplace is dropped with it.
#[test]
fn files_that_the_verify_leaves_do_not_come_into_the_project_by_the_agent() {
    for isolate in ["auto", "copy"] {
        let project = calculator();
        let verify = format!("echo x >> report.xml; echo more >> docs/notes.txt; {VERIFY}");
        project.write(".ftl/workspace/001_add_active.xml", calculator_task(20, &verify));
        let calls = [("verify", json!({})), ("edit", edit_to_plus()), ("verify", json!({}))];
        let built = build(&project, &calls, &["--isolate", isolate]);
        let said = built.json();
        assert_eq!(said["outcome"], "complete", "{isolate}: {built:#?}");
        assert_eq!(said["strays"], json!(["docs/notes.txt", "report.xml"]), "{built:#?}");
        let left_out = "outside the delta, and left out of the project: docs/notes.txt, report.xml";
        assert!(built.warnings().contains(left_out), "{built:#?}");
        assert_eq!(said["files"].as_array().unwrap().len(), 1, "{built:#?}");
        assert_eq!(said["files"][0]["path"], "calc.py", "{built:#?}");
        assert!(log(&project).contains("report.xml"), "{}", log(&project));
        // Once, by the build's own verify.
        assert_eq!(project.read("docs/notes.txt"), b"one\ntwo\nthree\nmore\n");
        assert_eq!(project.read("report.xml"), b"x\n");
    }
}

#[test]
fn a_change_beyond_the_budget_is_refused() {
    let project = calculator();
    // READ, one file, VERIFY.
    project.write(".ftl/workspace/001_add_active.xml", calculator_task(3, VERIFY));
    let second = json!({"path": "new/made.py", "content": "x = 1\n"});
    let calls = [("edit", edit_to_plus()), ("write", second), ("done", json!({"summary": "ok"}))];
    let built = build(&project, &calls, &[]);
    let said = built.json();
    assert_eq!(said["outcome"], "complete", "{built:#?}");
    assert_eq!(said["budget"], json!({"total": 3, "used": 3}), "{built:#?}");
    assert!(!project.path().join("new").exists());
    assert_eq!(log(&project).matches("the budget is spent").count(), 1, "{}", log(&project));
}

#[test]
fn another_task_is_not_served_within_a_request() {
    let project = calculator();
    project.add("002_b", task());
    let agent = format!("'{FTL}' mcp 002 </dev/null; echo \"exit $?\"; sed -i 's/-/+/' calc.py");
    let built = project.build(&["001", "--agent", &agent]);
    assert_eq!(built.json()["outcome"], "complete", "{built:#?}");
    let log = log(&project);
    assert!(log.contains("works on `001_add`") && log.contains("exit 2"), "{log}");
}
