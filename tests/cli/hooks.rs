//! `ftl hook`: what an interactive agent is allowed, by the hook protocol that most agents share.

use std::fs;
use std::path::Path;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;
use serde_json::{Value, json};

use crate::support::{FTL, Finished, Project, task};

fn project(budget: i64, verify: &str) -> Project {
    let project = Project::empty();
    project.write("calc.py", "def add(a, b):\n    return a - b\n");
    project.write("docs/notes.txt", "one\n");
    project.write(".gitignore", "*.log\nbuild/\n");
    project.write("ftl.toml", "[scope]\nallow = [\"Cargo.lock\"]\n");
    let task = task().delta(&["calc.py", "new.py", "more.py"]).verify(verify).budget(budget);
    project.task("001_add", task)
}

fn hook_in(dir: &Path, words: &[&str], input: &str) -> Finished {
    let scratch = Scratch::new("hook").unwrap();
    let program = Program::new(FTL, dir).without_cargo().args(["hook"]).args(words);
    Finished::of(program.input(input, scratch.path()).unwrap())
}

fn hook(project: &Project, words: &[&str], input: &Value) -> Finished {
    hook_in(project.path(), words, &input.to_string())
}

/// A call in Claude Code's form.
fn call(project: &Project, tool: &str, input: Value) -> Value {
    json!({
        "session_id": "s", "transcript_path": "/t", "cwd": project.path(), "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "u",
    })
}

fn writes(project: &Project, path: &str) -> Finished {
    let path = project.path().join(path);
    let input = call(project, "Write", json!({"file_path": path, "content": "x"}));
    hook(project, &["pre-tool-use"], &input)
}

#[track_caller]
fn assert_allowed(finished: &Finished) {
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(finished.json(), json!({}), "{finished:#?}");
}

#[track_caller]
fn assert_forbidden(finished: &Finished, about: &str) {
    assert_eq!(finished.code, Some(2), "{finished:#?}");
    assert!(finished.stderr.contains(about), "{about}: {finished:#?}");
    assert_eq!(finished.stdout, "", "{finished:#?}");
}

#[test]
fn the_files_of_the_task_may_change_and_no_others() {
    let project = project(9, "true");
    for path in [
        "calc.py",
        "new.py",
        "docs/../calc.py",
        "out.log",
        "build/x",
        "Cargo.lock",
        "../elsewhere.txt",
    ] {
        assert_allowed(&writes(&project, path));
    }
    for path in ["docs/notes.txt", "ftl.toml", "calc.pyc2", "docs/../other.py", "calc.py/../docs/x"]
    {
        assert_forbidden(
            &writes(&project, path),
            "is not a file of task 001_add, which may change `calc.py`",
        );
    }
    assert_forbidden(&writes(&project, ".ftl/workspace/001_add_active.xml"), "`.ftl`");
    assert_forbidden(&writes(&project, ".git/hooks/pre-commit"), "`.git`");
    std::os::unix::fs::symlink("docs", project.path().join("link")).unwrap();
    assert_forbidden(&writes(&project, "link/notes.txt"), "`docs/notes.txt` is not a file");
    for (tool, input) in [
        ("Read", json!({"file_path": project.path().join("docs/notes.txt")})),
        ("Bash", json!({"command": "ls"})),
        ("mcp__ftl__write", json!({"path": "docs/notes.txt"})),
        ("TodoWrite", json!({"todos": []})),
    ] {
        assert_allowed(&hook(&project, &["pre-tool-use"], &call(&project, tool, input)));
    }
}

#[test]
fn ignored_files_that_were_there_are_not_the_agents() {
    let project = project(9, "true");
    project.write(".env", "KEY=1\n");
    project.write("build/old", "1\n");
    project.write("vendor/x.py", "1\n");
    project.write(".gitignore", "*.log\nbuild/\n.env\nvendor/\n");
    for path in [".env", "build/old"] {
        assert_forbidden(&writes(&project, path), "is not a file of task 001_add");
    }
    // Caches are free, and so is a new file, also once it is there.
    for path in ["vendor/x.py", "node_modules/y.js", "build/new"] {
        assert_allowed(&writes(&project, path));
    }
    project.write("build/new", "2\n");
    assert_allowed(&writes(&project, "build/new"));
}

#[test]
fn an_ignore_file_that_is_a_pipe_is_not_waited_for() {
    let project = project(9, "true");
    fs::remove_file(project.path().join(".gitignore")).unwrap();
    let project = project.pipes(&[".gitignore"]);
    assert_allowed(&writes(&project, "calc.py"));
    assert_forbidden(&writes(&project, "build/new"), "is not a file of task 001_add");
}

#[test]
fn relative_paths_and_patches_are_judged_from_where_the_agent_works() {
    let project = project(9, "true");
    let patch = "*** Begin Patch\n*** Update File: notes.txt\n@@\n-one\n+two\n*** End Patch\n";
    let mut input = call(&project, "apply_patch", json!({"command": patch}));
    input["cwd"] = json!(project.path().join("docs"));
    assert_forbidden(
        &hook_in(Path::new("/"), &["pre-tool-use"], &input.to_string()),
        "`docs/notes.txt` is not",
    );
    let mut input = call(&project, "edit", json!({"path": "../calc.py"}));
    input["cwd"] = json!(project.path().join("docs"));
    assert_allowed(&hook_in(Path::new("/"), &["pre-tool-use"], &input.to_string()));
    let copilot =
        json!({"toolName": "create", "cwd": project.path(), "toolArgs": "{\"path\": \"docs/x\"}"});
    let said = hook(&project, &["pre-tool-use"], &copilot);
    assert_eq!(
        (said.code, &said.json()["permissionDecision"]),
        (Some(0), &json!("deny")),
        "{said:#?}"
    );
}

#[test]
fn the_budget_is_counted_over_calls_and_sessions() {
    // READ and VERIFY are for the build.
    let project = project(4, "true");
    for path in ["calc.py", "new.py", "calc.py"] {
        assert_allowed(&writes(&project, path));
    }
    assert_forbidden(
        &writes(&project, "more.py"),
        "the budget of task 001_add is spent: 2 of 4 calls",
    );
    assert_allowed(&writes(&project, "new.py"));
}

#[test]
fn files_written_at_the_same_time_are_counted_once_each() {
    let project = project(4, "true");
    let write = &|path: &str| writes(&project, path).code == Some(0);
    let allowed: Vec<bool> = std::thread::scope(|scope| {
        let paths = ["calc.py", "new.py", "more.py"];
        let askers: Vec<_> =
            paths.map(|path| scope.spawn(move || [write(path), write(path)])).into();
        askers.into_iter().flat_map(|asker| asker.join().unwrap()).collect()
    });
    assert_eq!(allowed.iter().filter(|allowed| **allowed).count(), 4, "{allowed:?}");
}

#[test]
fn a_hook_that_fails_in_any_way_forbids() {
    let project = project(9, "true");
    for input in ["", "{", "[]", "null", "\"x\"", "{\"tool_name\": "] {
        assert_forbidden(
            &hook_in(project.path(), &["pre-tool-use"], input),
            "ftl cannot judge this",
        );
    }
    project.write("ftl.toml", "[scop]\n");
    assert_forbidden(&writes(&project, "calc.py"), "unknown");
    project.write("ftl.toml", "");
    project.write(".ftl/workspace/001_add_active.xml", "<workspace");
    assert_forbidden(&writes(&project, "calc.py"), "ftl cannot judge this");
    let unknown = hook(&project, &["pre-tool-use", "007"], &json!({"cwd": project.path()}));
    assert_forbidden(&unknown, "no task `007`");
    assert_forbidden(&hook_in(project.path(), &["pre-tool-use", "--mter"], "{}"), "--mter");
}

#[test]
fn where_no_task_is_active_everything_is_allowed() {
    let outside = Project::empty();
    assert_allowed(&writes(&outside, "x.py"));
    assert_allowed(&hook(&outside, &["stop"], &json!({"cwd": outside.path()})));
    let project = project(9, "true");
    project
        .ftl(["workspace", "block", ".ftl/workspace/001_add_active.xml", "--reason", "x"])
        .ends(0);
    assert_allowed(&writes(&project, "docs/notes.txt"));
    assert_allowed(&hook(&project, &["stop"], &json!({"cwd": project.path()})));
}

#[test]
fn an_agent_may_not_end_before_the_task_would_complete() {
    let project = project(9, "grep -q 'a + b' calc.py || { echo 'Error: it subtracts'; exit 1; }");
    let stop = |again: bool| {
        let input =
            json!({"hook_event_name": "Stop", "cwd": project.path(), "stop_hook_active": again});
        hook(&project, &["stop"], &input)
    };
    assert_forbidden(&stop(false), "the task 001_add would not complete yet");
    assert_forbidden(&stop(false), "it subtracts");
    // Others take it as JSON.
    for (input, key) in [
        (json!({"stopReason": "end_turn", "cwd": project.path()}), "reason"),
        (json!({"loop_count": 0, "workspace_roots": [project.path()]}), "followup_message"),
    ] {
        let said = hook(&project, &["stop"], &input).ends(0);
        assert!(said.json()[key].as_str().unwrap().contains("it subtracts"), "{said:#?}");
    }
    project.write("calc.py", "a + b (\n");
    assert_forbidden(&stop(true), "calc.py: does not parse");
    // It changed nothing since: to send it back again would be for ever.
    assert_allowed(&stop(true));
    project.write("calc.py", "a + b\n");
    assert_allowed(&stop(true));
    assert_allowed(&stop(false));
    assert_eq!(project.workspaces(), ["001_add_active.xml"]);
}

#[test]
fn the_files_that_an_agent_needs_are_shown_then_written_beside_those_that_are_there() {
    for (agent, file, event, tools) in [
        ("claude", ".claude/settings.json", "PreToolUse", ".mcp.json"),
        ("codex", ".codex/hooks.json", "PreToolUse", ".codex/config.toml"),
        ("gemini", ".gemini/settings.json", "BeforeTool", ".gemini/settings.json"),
        ("qwen", ".qwen/settings.json", "PreToolUse", ".qwen/settings.json"),
        ("copilot", ".github/hooks/ftl.json", "preToolUse", ".vscode/mcp.json"),
        ("cursor", ".cursor/hooks.json", "preToolUse", ".cursor/mcp.json"),
    ] {
        let project = Project::empty();
        let shown = project.ftl(["init", "--agent", agent, "--dry-run"]).ends(0);
        assert!(shown.stderr.contains(file) && shown.stderr.contains(event), "{shown:#?}");
        assert_eq!(std::fs::read_dir(project.path()).unwrap().count(), 0);

        let own = format!(
            "{{\"theme\": \"dark\", \"hooks\": {{\"{event}\": [{{\"command\": \"lint\"}}]}}}}"
        );
        project.write(file, own);
        project.write("AGENTS.md", "# Mine\n");
        let written = project.ftl(["init", "--agent", agent]).ends(0);
        assert!(written.stdout.contains(&format!("Wrote: {file}\n")), "{written:#?}");
        let settings: Value = serde_json::from_str(&project.text(file)).unwrap();
        assert_eq!(settings["theme"], "dark");
        let hooks = settings["hooks"][event].to_string();
        assert!(hooks.contains("lint") && hooks.contains("ftl hook pre-tool-use"), "{hooks}");
        assert_eq!(hooks.contains("\"onFailure\":\"block\""), agent == "claude", "{hooks}");
        assert!(settings.to_string().contains("ftl hook stop"), "{settings:#}");
        assert!(project.text(tools).contains("mcp"), "{}", project.text(tools));
        let guide = project.text("AGENTS.md");
        assert!(guide.starts_with("# Mine\n\n## Tasks of ftl\n"), "{guide}");
        let again = project.ftl(["init", "--agent", agent]).ends(0);
        assert!(again.stderr.contains("nothing to write"), "{again:#?}");
        assert_eq!((again.stdout.as_str(), project.text("AGENTS.md")), ("", guide));
    }
}

#[test]
fn an_agent_that_keeps_its_own_tools_is_not_contained() {
    let project = project(9, "true");
    for agent in ["aider", "sed -i s/a/b/ calc.py"] {
        let words = ["build", "001", "--contain", "mcp", "--format", "json", "--agent", agent];
        super::assert_refused(&project.ftl(words), 2, "usage::contain", "ftl's tools alone");
    }
    project.build(&["001", "--contain", "mcp", "--tree"]).ends(2);
}
