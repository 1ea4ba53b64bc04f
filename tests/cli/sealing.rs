//! `ftl workspace parse`, and manual seals.

use serde_json::{Value, json};

use super::{bytes, project};
use crate::support::Project;

const A: &str = ".ftl/workspace/001_a_active.xml";

/// Everything that a task file can say, with what only ftl writes.
const FULL: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<workspace id="001-a" status="active" created_at="2026-01-18T01:30:56" depends="002 003">
  <objective>Keep <![CDATA[<it>]]></objective>
  <implementation><delta>a.py</delta><delta/><verify>true</verify><budget> 7 </budget></implementation>
  <code_context path="a.py" lines="1-2"><content>x</content><exports>f()</exports></code_context>
  <idioms framework="flask" confidence="0.5"><required rule="r1">one</required></idioms>
  <prior_knowledge><failure name="n" cost="3" tags="flaky"><trigger>t</trigger><fix kind="rerun"/></failure></prior_knowledge>
  <lineage><parent seq="002" workspace="002_b_complete"><prior_delivery>done</prior_delivery></parent></lineage>
  <delivered/>
</workspace>
"#;

#[test]
fn a_task_file_is_printed_as_json_and_in_full_on_demand() {
    let project = Project::empty();
    project.write(A, FULL);
    let parsed = project.ftl(["workspace", "parse", A]).ends(0);
    let failure = json!({
        "name": "n", "cost": 3, "trigger": "t", "fix": "", "match": null, "injected": false,
    });
    let context = json!({
        "path": "a.py", "lines": "1-2", "content": "x", "exports": "f()", "imports": "",
    });
    let parent = json!({"seq": "002", "workspace": "002_b_complete", "prior_delivery": "done"});
    let expected = json!({
        "id": "001-a", "status": "active", "created_at": "2026-01-18T01:30:56",
        "completed_at": null, "blocked_at": null, "objective": "Keep <it>",
        "delta": ["a.py", null], "verify": "true", "verify_source": "", "budget": 7,
        "preflight": [], "delivered": "", "code_context": context,
        "framework_confidence": 0.5, "framework": "flask",
        "idioms": {"required": ["one"], "forbidden": []},
        "prior_knowledge": {"failures": [failure], "patterns": []},
        "lineage": {"parents": [parent], "parent": "002_b_complete", "prior_delivery": "done"},
    });
    assert_eq!(parsed.json(), expected);
    assert!(parsed.stdout.starts_with("{\n  \""), "{}", parsed.stdout);

    let full = project.ftl(["workspace", "parse", "--full", A]).json();
    assert_eq!(full["depends"], json!(["002", "003"]));
    assert_eq!(full["prior_knowledge"]["failures"][0]["fix_kind"], "rerun");
    assert_eq!(full["idiom_rules"]["required"][0]["rule"], "r1");
    assert_eq!(full["run"], json!([]));
}

#[test]
fn a_document_that_cannot_be_read_is_pointed_at_in_every_place() {
    for (text, code, places) in [
        ("<workspace>\n<delta></workspace>", "xml::", &["1_a_active.xml:2:"][..]),
        ("<!DOCTYPE x><workspace/>", "xml::doctype", &["1_a_active.xml:1:1"]),
        (
            "<workspace><implementation><budget>x</budget></implementation>\n\
             <framework_confidence>y</framework_confidence></workspace>",
            "workspace::",
            &["1_a_active.xml:1:", "1_a_active.xml:2:"],
        ),
        ("", "xml::", &["1_a_active.xml"]),
    ] {
        let project = Project::empty();
        project.write(A, text);
        let finished = project.ftl(["workspace", "parse", A]).ends(1);
        assert_eq!(finished.stdout, "", "{text}");
        for said in [code].iter().chain(places) {
            assert!(finished.stderr.contains(said), "{said}: {finished:#?}");
        }
    }
}

#[test]
fn a_task_is_completed_manually() {
    let project = project(&["001_a_active.xml"]);
    let words = ["workspace", "complete", A, "--delivered", "by me\u{1b}[31m"];
    let utilized = ["--utilized", r#"[{"name": "n"}, {"name": "p", "type": "pattern"}]"#];
    let finished = project.ftl(words.iter().chain(&utilized)).ends(0);
    let record = ".ftl/workspace/001_a_complete.xml";
    assert_eq!(finished.stdout, format!("Completed: {record}\n"));
    let full = project.ftl(["workspace", "parse", "--full", record]).json();
    assert_eq!(full["status"], "complete");
    assert_eq!(full["delivered"], "by me");
    let utilized = json!([{"name": "n", "type": "failure"}, {"name": "p", "type": "pattern"}]);
    assert_eq!(full["utilized_memories"], utilized);
    let run = &full["run"][0]["attributes"];
    assert_eq!((&run["by"], &run["outcome"]), (&json!("hand"), &json!("complete")));
    assert_ne!(full["completed_at"], Value::Null);
}

#[test]
fn a_task_is_blocked_manually_with_the_reason_as_given() {
    let project = project(&["001_a_active.xml"]);
    let finished = project.ftl(["workspace", "block", A, "--reason", "no\nkeys"]).ends(0);
    let record = ".ftl/workspace/001_a_blocked.xml";
    assert_eq!(finished.stdout, format!("Blocked: {record}\n"));
    let parsed = project.ftl(["workspace", "parse", record]).json();
    assert_eq!(parsed["delivered"], "BLOCKED: no\nkeys");
}

#[test]
fn a_seal_takes_an_active_task_only_and_leaves_anything_else_alone() {
    let project = project(&["002_b_complete.xml", "003_c_blocked.xml"]);
    let tasks = ".ftl/workspace";
    project.write(format!("{tasks}/004_d_active.xml"), "<workspace status=\"complete\"/>");
    project.write(format!("{tasks}/005_e_active.xml"), "<workspace");
    let before = bytes(&project);
    for (path, exit) in [
        ("002_b_complete.xml", 2),
        ("003_c_blocked.xml", 2),
        ("002_b_active.xml", 2),
        ("004_d_active.xml", 2),
        ("005_e_active.xml", 1),
        ("006_f_active.xml", 2),
    ] {
        let path = format!("{tasks}/{path}");
        for words in [["complete", "--delivered"], ["block", "--reason"]] {
            let finished = project.ftl(["workspace", words[0], &path, words[1], "x"]).ends(exit);
            assert_eq!(finished.stdout, "", "{path}");
            assert!(!finished.stderr.is_empty(), "{path}");
            assert_eq!(bytes(&project), before, "{path}");
        }
    }
}

#[test]
fn utilized_knowledge_must_be_readable_before_anything_is_sealed() {
    for utilized in ["", "{}", "[{}]", "[1]", "[{\"name\": 1}]"] {
        let project = project(&["001_a_active.xml"]);
        let before = bytes(&project);
        let words = ["workspace", "complete", A, "--delivered", "x", "--utilized", utilized];
        project.ftl(words).ends(2);
        assert_eq!(bytes(&project), before, "{utilized}");
    }
}

#[test]
fn a_sealing_that_a_crash_interrupted_is_finished_and_not_repeated() {
    let project = project(&["001_a_active.xml"]);
    let record = ".ftl/workspace/001_a_complete.xml";
    let seal = ["workspace", "complete", A, "--delivered", "once"];
    project.ftl(seal).ends(0);
    let sealed = project.read(record);
    std::fs::rename(project.path().join(record), project.path().join(A)).unwrap();
    let finished = project.ftl(["workspace", "block", A, "--reason", "twice"]).ends(2);
    assert!(finished.stderr.contains("already sealed"), "{finished:#?}");
    assert_eq!(project.read(record), sealed);
}
