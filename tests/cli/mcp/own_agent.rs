//! A person's own agent: no build waits, and the task is one that is active.

use rmcp::model::{CallToolRequestParams, ClientRequest, Request};
use rmcp::service::PeerRequestOptions;
use serde_json::{Value, json};

use super::{Client, calculator, calculator_task, edit_to_plus, is_alive, signal};
use crate::support::Project;
use crate::support::task;

#[test]
fn it_offers_its_tools_with_plain_schemas_and_says_what_it_is() {
    let project = calculator();
    let client = Client::of(&project, &[]);
    let names = [
        "task",
        "read",
        "search",
        "edit",
        "write",
        "preflight",
        "verify",
        "done",
        "no_change",
        "needs",
        "tasks",
        "new_task",
        "build_task",
    ];
    assert_eq!(client.names(), names);
    for tool in client.tools() {
        let schema = Value::Object((*tool.input_schema).clone());
        assert_eq!(schema["type"], "object", "{schema:#}");
        assert!(schema["properties"].is_object(), "{schema:#}");
        for property in schema["properties"].as_object().unwrap().values() {
            assert!(property["type"].is_string(), "{schema:#}");
            assert!(property["description"].is_string(), "{schema:#}");
        }
        assert!(tool.description.is_some() && tool.title.is_some(), "{tool:?}");
    }
    let info = client.service().peer_info().unwrap();
    let said = format!("{info:?}");
    assert!(said.contains("001_add") && said.contains("18 files"), "{said}");
    assert_eq!(client.close(), Some(0));
}

#[test]
fn an_agent_reads_edits_checks_and_says_that_it_is_done() {
    let project = calculator();
    let client = Client::of(&project, &["001"]);
    let task = client.good("task", json!({}));
    for part in ["make add add", "change `calc.py`", "create `new/made.py`", "a + b", "use plus"] {
        assert!(task.contains(part), "{part}: {task}");
    }
    let absolute = project.path().join("calc.py").display().to_string();
    assert_eq!(
        client.good("read", json!({"path": absolute})),
        client.good("read", json!({"path": "calc.py"})),
    );
    assert_eq!(
        client.good("read", json!({"path": "calc.py"})),
        "def add(a, b):\n    return a - b\n"
    );
    let failed = client.refused("verify", json!({}));
    assert!(failed.contains("failed: "), "{failed}");
    client.good("edit", edit_to_plus());
    client.good("write", json!({"path": "new/made.py", "content": "x = (\n"}));
    let broken = client.refused("preflight", json!({}));
    assert!(broken.contains("calc.py: valid") && broken.contains("new/made.py:"), "{broken}");
    client.good("write", json!({"path": "new/made.py", "content": "x = 1\n"}));
    client.good("preflight", json!({}));
    assert!(client.good("verify", json!({})).contains("passed"));
    let answer = client.good("done", json!({"summary": "added", "utilized": ["minus"]}));
    assert!(answer.contains("ftl build 001_add --tree"), "{answer}");
    assert_eq!(client.close(), Some(0));
    assert_eq!(project.read("new/made.py"), b"x = 1\n");
    let built = project.build(&["001", "--tree"]);
    assert_eq!(built.json()["outcome"], "complete", "{built:#?}");
}

#[test]
fn a_file_is_read_in_parts_and_a_project_is_searched() {
    let project = calculator();
    project.write(".gitignore", "ignored/\n");
    project.write("ignored/two.txt", "two\n");
    let client = Client::of(&project, &[]);
    let part = client.good("read", json!({"path": "docs/notes.txt", "from": 2, "lines": 1}));
    assert_eq!(part, "two\n\n[lines 2 to 2 of 3]");
    let beyond = client.good("read", json!({"path": "docs/notes.txt", "from": 9}));
    assert_eq!(beyond, "\n[the file has 3 lines]");
    let hits = client.good("search", json!({"pattern": "^t"}));
    assert_eq!(hits, "docs/notes.txt:2: two\ndocs/notes.txt:3: three\n");
    let below = client.good("search", json!({"pattern": "a.*b", "path": "docs"}));
    assert_eq!(below, "nothing was found");
    let names = client.good("search", json!({}));
    assert_eq!(names, ".gitignore\ncalc.py\ndocs/notes.txt\n");
    project.write("long.txt", "x\n".repeat(5000));
    let cut = client.good("search", json!({"pattern": "x", "path": "long.txt"}));
    assert!(cut.contains("is not complete: it ended after 200 hits"), "{cut}");
    let cut = client.good("read", json!({"path": "long.txt"}));
    assert!(cut.ends_with("[lines 1 to 2000 of 5000]"), "{cut}");
}

#[test]
fn an_edit_keeps_the_mode_and_replaces_what_was_meant() {
    use std::os::unix::fs::PermissionsExt;
    let project = calculator();
    let path = project.path().join("calc.py");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o750)).unwrap();
    let client = Client::of(&project, &[]);
    let twice = client.refused("edit", json!({"path": "calc.py", "old": "a", "new": "z"}));
    assert!(twice.contains("occurs"), "{twice}");
    client.good("edit", json!({"path": "calc.py", "old": "(a, b)", "new": "(c, b)"}));
    client.good("edit", json!({"path": "./calc.py", "old": "b", "new": "y", "all": true}));
    assert_eq!(project.read("calc.py"), b"def add(c, y):\n    return a - y\n");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o750);
}

#[test]
fn secrets_are_not_shown_and_not_lost() {
    let project = calculator();
    project.write("calc.py", "KEY = 'correct-horse-battery'\nx = 1\n");
    let env = [("MY_API_KEY", "correct-horse-battery")];
    let client = Client::with(&project, &[], &env);
    let shown = client.good("read", json!({"path": "calc.py"}));
    assert_eq!(shown, "KEY = '[redacted: MY_API_KEY]'\nx = 1\n");
    let found = client.good("search", json!({"pattern": "KEY"}));
    assert!(!found.contains("horse"), "{found}");
    let whole = json!({"path": "calc.py", "content": shown.replace("x = 1", "x = 2")});
    let refused = client.refused("write", whole);
    assert!(refused.contains("would lose the secret"), "{refused}");
    client.good("edit", json!({"path": "calc.py", "old": "x = 1", "new": "x = 2"}));
    assert_eq!(project.read("calc.py"), b"KEY = 'correct-horse-battery'\nx = 2\n");
}

#[test]
fn the_budget_is_kept() {
    let project = calculator();
    project.write(".ftl/workspace/001_add_active.xml", calculator_task(3, "true"));
    let client = Client::of(&project, &[]);
    client.good("edit", edit_to_plus());
    client.good("edit", json!({"path": "calc.py", "old": "a + b", "new": "b + a"}));
    let second = json!({"path": "new/made.py", "content": "x = 1\n"});
    let refused = client.refused("write", second);
    assert!(refused.contains("the budget is spent"), "{refused}");
    assert!(!project.path().join("new").exists());
    client.good("task", json!({}));
    client.good("done", json!({}));
}

#[test]
fn it_ends_on_a_signal_and_takes_its_command_along() {
    let project = calculator();
    let verify = "echo $$ > pid; exec sleep 600";
    project.write(".ftl/workspace/001_add_active.xml", calculator_task(9, verify));
    let mut client = Client::of(&project, &[]);
    let pid = client.child.id().unwrap();
    let peer = client.service().peer().clone();
    let call = rmcp::model::CallToolRequestParams::new("verify");
    client.runtime.spawn(async move { drop(peer.call_tool(call).await) });
    let path = project.path().join("pid");
    let sleeper = loop {
        client.runtime.block_on(tokio::task::yield_now());
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if let Ok(pid) = text.trim().parse() {
            break pid;
        }
    };
    signal("TERM", pid);
    let ended = client.runtime.block_on(client.child.wait()).unwrap();
    assert_eq!(ended.code(), Some(143));
    assert!(!is_alive(sleeper));
}

#[test]
fn a_call_reports_its_progress_and_a_cancelled_one_ends_its_command() {
    let project = Project::empty();
    let verify = "echo $$ >pid; exec sleep 600";
    project.write("calc.py", "x = 1\n");
    project.write(".ftl/workspace/001_add_active.xml", calculator_task(9, verify));
    let mut client = Client::of(&project, &[]);
    let peer = client.service().peer().clone();
    let call = ClientRequest::CallToolRequest(Request::new(CallToolRequestParams::new("verify")));
    let under_way = client.runtime.block_on(async {
        peer.send_cancellable_request(call, PeerRequestOptions::no_options()).await.unwrap()
    });
    let said = client.runtime.block_on(client.progress.recv()).unwrap();
    assert!(said.starts_with("verify: "), "{said}");
    let pid = project.text("pid").trim().parse().unwrap();
    client.runtime.block_on(under_way.cancel(None)).unwrap();
    // Calls are performed one after the other: this one is answered only once the command has ended.
    assert_eq!(client.good("read", json!({"path": "calc.py"})), "x = 1\n");
    assert!(!is_alive(pid));
    assert_eq!(client.close(), Some(0));
}

#[test]
fn an_agent_makes_a_task_does_it_and_has_it_judged() {
    let project = Project::empty();
    project.write("calc.py", "def add(a, b):\n    return a - b\n");
    project.commit();
    let client = Client::of(&project, &[]);
    assert_eq!(client.names(), ["tasks", "new_task", "build_task"]);
    let wrong = json!({"objective": "Add", "delta": ["../x"], "verify": "true"});
    let refused = client.refused("new_task", wrong);
    assert!(refused.contains("`../x` holds `..`"), "{refused}");
    let task =
        json!({"objective": "Add", "delta": ["calc.py"], "verify": "grep -q 'a + b' calc.py"});
    let made = client.good("new_task", task);
    assert!(made.contains("001_add_active.xml"), "{made}");
    assert!(client.good("tasks", json!({})).contains("\"001_add\""));
    let unknown = client.refused("build_task", json!({"task": "1", "agent": "rm -rf ."}));
    assert!(unknown.contains("there is no agent"), "{unknown}");
    project.write("calc.py", "def add(a, b):\n    return a + b\n");
    let built: Value =
        serde_json::from_str(&client.good("build_task", json!({"task": "1"}))).unwrap();
    assert_eq!(built["outcome"], "complete", "{built:#}");
    assert_eq!(client.close(), Some(0));
}

#[test]
fn a_task_that_cannot_be_served_is_refused() {
    let project = Project::empty();
    project.add("001_a", task());
    project.add("002_b", task());
    project.write(".ftl/workspace/001_a_active.xml", "<workspace");
    project.ftl(["mcp", "001"]).ends(1);
    project.add("001_a", task().delta(&["../x"]));
    let outside = project.ftl(["mcp", "001"]).ends(1);
    assert!(outside.stderr.contains("`../x` holds `..`"), "{outside:#?}");
    project.ftl(["mcp", "002", "--request", "nothing.json"]).ends(2);
}
