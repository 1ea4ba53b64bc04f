//! What ftl really prints and writes, held against the schemas in docs/schemas.

use std::fs;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::support::Project;
use crate::support::task;

fn schema(name: &str) -> Validator {
    let path = ftl_testkit::root().join(format!("docs/schemas/{name}.schema.json"));
    let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

pub(super) fn assert_fits(name: &str, value: &Value) {
    let validator = schema(name);
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}\n{value:#}");
}

/// A task with everything that a result can speak of.
const RICH: &str = r#"<workspace id="001-rich" status="active" created_at="2026-01-18T01:30:56" depends="000">
  <objective>rich</objective>
  <implementation><delta>a.py</delta><verify>grep -q fixed a.py || { echo "ImportError: cannot import name 'FT'"; exit 1; }</verify><budget>9</budget><preflight>true</preflight></implementation>
  <code_context path="a.py" lines="1-2"><content>LIMIT = 3
</content><exports>LIMIT, gone()</exports></code_context>
  <idioms framework="x" confidence="0.9"><required regex="LIMIT">keep LIMIT</required><forbidden>prose</forbidden></idioms>
  <prior_knowledge><failure name="import-order" cost="3" tags="flaky"><trigger>ImportError: cannot import name 'FT'</trigger><fix kind="command">echo '# fixed' >>a.py</fix><match>ImportError</match></failure>
  <pattern name="p" saved="2"><trigger>t</trigger><insight>i</insight></pattern></prior_knowledge>
  <lineage><parent seq="000" workspace="000_x_complete"><prior_delivery>d</prior_delivery></parent></lineage>
  <delivered/>
</workspace>
"#;

fn rich() -> Project {
    let project = Project::empty();
    project.write("a.py", "LIMIT = 3\n");
    project.write("broken.py", "def f(:\n");
    project.write("notes.txt", "before\n");
    project.write(".ftl/workspace/001_rich_active.xml", RICH);
    project.write(".ftl/workspace/002_bad_active.xml", "<workspace");
    for name in ["003_c", "004_d"] {
        let depends = if name == "004_d" { "depends=\"003\"" } else { "" };
        project.add(name, task().attributes(depends).verify("false"));
    }
    project
}

/// Writes a line, copies what it was asked and says what it did.
const AGENT: &str = "echo 'x = 1' >>a.py; cp \"$FTL_REQUEST\" request.$FTL_PHASE.$FTL_ATTEMPT; \
    printf '{\"summary\": \"s\", \"utilized\": [{\"name\": \"import-order\"}], \"needs\": []}' >\"$FTL_REPLY\"; \
    cp \"$FTL_REPLY\" reply.json";

#[test]
fn builds_that_complete_block_fail_and_wait_fit() {
    let project = rich();
    let words = [
        "build",
        "001",
        "--ignore-depends",
        "--agent",
        AGENT,
        "--format",
        "json",
        "--events",
        "events",
    ];
    let built = project.ftl(words);
    assert_fits("build", &built.json());
    let events = project.text("events");
    assert!(events.lines().count() > 5, "{events}");
    for line in events.lines() {
        assert_fits("event", &serde_json::from_str(line).unwrap());
    }
    // The agent's own copy is outside the delta, so it is taken out of the tree.
    let copy = ".ftl/runs/001_rich/1/quarantine/1/request.implement.1";
    let copy = serde_json::from_slice(&project.read(copy)).unwrap();
    assert_fits("agent-request", &copy);
    let requests = project.path().join(".ftl/runs/001_rich/1/requests/1/request.json");
    assert_fits("agent-request", &serde_json::from_slice(&fs::read(requests).unwrap()).unwrap());

    let several = project.build(&["003", "004", "--agent", "echo x >>notes.txt"]);
    assert_eq!(several.json()["results"].as_array().unwrap().len(), 2);
    assert_fits("results", &several.json());

    let unread = project.build(&["002", "--agent", "true"]);
    assert_fits("build", &unread.json());
    let planned = project.build(&["002", "--agent", "true", "--dry-run"]);
    assert_fits("build", &planned.json());
    let failed = project.build(&["009"]);
    assert_fits("failed", &failed.json());
}

#[test]
fn listings_fit() {
    let project = rich();
    assert_fits("status", &project.ftl(["status", "--format", "json"]).json());
    let validated = project.ftl([
        "workspace",
        "validate",
        "--format",
        "json",
        ".ftl/workspace/001_rich_active.xml",
        ".ftl/workspace/002_bad_active.xml",
    ]);
    assert_fits("validate", &validated.json());
    let checked = project.ftl(["preflight", "a.py", "broken.py", "notes.txt", "--format", "json"]);
    assert_fits("preflight", &checked.json());
    for full in [&["--full"][..], &[]] {
        let words = ["workspace", "parse", ".ftl/workspace/001_rich_active.xml"];
        let mut parsed = project.ftl(words.iter().chain(full)).json();
        parsed.as_object_mut().unwrap().remove("run");
        assert_fits("workspace", &parsed);
    }
}

#[test]
fn a_reply_may_hold_any_of_its_keys_and_none() {
    for reply in [
        json!({}),
        json!({"summary": "done", "utilized": [{"name": "a"}, {"name": "b", "type": "pattern"}]}),
        json!({"no_change": true, "needs": ["b.py"]}),
    ] {
        assert_fits("agent-reply", &reply);
    }
    assert!(!schema("agent-reply").is_valid(&json!({"utilized": [{"type": "pattern"}]})));
}

#[test]
fn a_result_that_lacks_a_key_or_has_a_value_of_another_kind_does_not_fit() {
    let project = rich();
    let listed = project.ftl(["status", "--format", "json"]).json();
    for key in ["id", "path", "status", "budget", "depends", "waits_for"] {
        let mut broken = listed.clone();
        broken["workspaces"][0].as_object_mut().unwrap().remove(key);
        assert!(!schema("status").is_valid(&broken), "without `{key}`");
        broken["workspaces"][0][key] = json!(1.5);
        assert!(!schema("status").is_valid(&broken), "`{key}` as a number");
    }
}
