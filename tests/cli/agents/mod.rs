//! Agents by name: how they are started, what they say, and what becomes of those that can't begin.
//!
//! The agents here are scripts of the real ones' names that print what those print. They are found on a PATH that a
//! configuration sets, so that no real agent of this machine is ever asked.

mod prompts;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::support::{Finished, Project};

const TASK: &str = "001_sum_active.xml";

/// A project with a broken sum, a task to mend it, and an agent of this name that runs this script.
fn project_with(name: &str, script: &str) -> Project {
    let project = Project::empty();
    project.write("calc.py", "def add(a, b):\n    return a - b\n");
    let task = "<workspace status=\"active\"><objective>Mend the sum</objective><implementation>\
                <delta>calc.py</delta><verify>grep -q 'a + b' calc.py</verify><budget>7</budget></implementation>\
                <prior_knowledge><failure name=\"sign\"><trigger>no sum here</trigger><fix>Add, and do not multiply\
                </fix></failure></prior_knowledge><delivered/></workspace>\n";
    project.write(format!(".ftl/workspace/{TASK}"), task);
    install(&project, name, script);
    project.write("ftl.toml", on_path(&project, &[name], ""));
    project
}

/// Puts a script where an agent's program is looked for.
fn install(project: &Project, name: &str, script: &str) {
    let path = project.path().join("target/bin").join(name);
    project.write(format!("target/bin/{name}"), format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A configuration by which these agents are found.
fn on_path(project: &Project, names: &[&str], more: &str) -> String {
    let bin = project.path().join("target/bin");
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let agent =
        |name: &&str| format!("[agent.{name}]\nenv = {{ set = {{ PATH = '{path}' }} }}\n{more}\n");
    names.iter().map(agent).collect()
}

fn build(project: &Project, words: &[&str]) -> Finished {
    let all = ["build", "001", "--format", "json", "--events", "target/events"];
    project.ftl(all.iter().chain(words))
}

fn events(project: &Project, kind: &str) -> Vec<Value> {
    let text = String::from_utf8(project.read("target/events")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.filter(|line: &Value| line["type"] == kind).collect()
}

/// What an agent was asked in a request of the first run.
fn prompt(project: &Project, request: u32) -> String {
    let path = format!(".ftl/runs/001_sum/1/requests/{request}/prompt.md");
    String::from_utf8(project.read(path)).unwrap()
}

const INIT: &str = r#"echo '{"type":"system","subtype":"init","session_id":"s-1","model":"model-x","claude_code_version":"2.1.330"}'"#;

/// Claude's stream of a request that mends the sum.
fn claude() -> String {
    format!(
        r#"cat >>"$0.prompts"; echo "$*" >>"$0.args"
{INIT}
echo '{{"type":"assistant","message":{{"model":"model-x","content":[{{"type":"tool_use","id":"t1","name":"Edit","input":{{"file_path":"'$PWD'/calc.py"}}}}]}}}}'
sed -i 's/a - b/a + b/' calc.py
echo '{{"type":"assistant","message":{{"model":"model-x","content":[{{"type":"text","text":"The sum is mended."}}]}}}}'
echo '{{"type":"result","subtype":"success","is_error":false,"result":"The sum is mended.","session_id":"s-1","total_cost_usd":0.25,"usage":{{"input_tokens":100,"cache_read_input_tokens":50,"output_tokens":7}}}}'"#
    )
}

#[test]
fn what_an_agent_says_of_itself_is_told_as_it_happens_and_recorded() {
    let project = project_with("claude", &claude());
    let built = build(&project, &["--agent", "claude", "--model", "model-x", "--effort", "high"]);
    assert_eq!(built.code, Some(0), "{built:#?}");
    let told = &built.json()["implementer"];
    let expected = serde_json::json!({
        "kind": "agent", "name": "claude", "command": told["command"], "version": "2.1.330", "model": "model-x",
        "tokens": {"input": 150, "cached": 50, "output": 7}, "cost_usd": 0.25, "calls": 1,
        "said": "The sum is mended.",
    });
    assert_eq!(told, &expected);
    let command = told["command"].as_str().unwrap();
    assert!(command.starts_with("claude -p --output-format stream-json"), "{command}");
    assert!(command.contains("--model model-x --effort high"), "{command}");
    assert!(command.contains("'Edit(/calc.py)' 'Write(/calc.py)'"), "{command}");
    let shown = project.ftl(["show", "001"]).stdout;
    let line = "agent      claude 2.1.330, model-x, 1 call of its tools, 150 tokens read, 7 written, $0.2500";
    assert!(shown.contains(line), "{shown}");
    let did = events(&project, "agent");
    assert_eq!(did[0]["kind"], "file");
    assert_eq!((&did[0]["tool"], &did[0]["path"]), (&"Edit".into(), &"calc.py".into()));
    assert_eq!(did[1]["text"], "The sum is mended.");
    // Told between what was read and what came of it.
    let (first, work) =
        (did[0]["seq"].as_u64(), events(&project, "implemented")[0]["seq"].as_u64());
    assert!(first < work, "{first:?} {work:?}");
    let record = String::from_utf8(project.read(".ftl/workspace/001_sum_complete.xml")).unwrap();
    for part in [
        "<implementer kind=\"agent\" name=\"claude\" version=\"2.1.330\" model=\"model-x\" cost_usd=\"0.25\"",
        "calls=\"1\" tokens_in=\"150\" tokens_cached=\"50\" tokens_out=\"7\"",
        "<said>The sum is mended.</said>",
    ] {
        assert!(record.contains(part), "{part}\n{record}");
    }
}

#[test]
fn what_an_agent_does_not_say_is_null() {
    let project = project_with("pi", "cat >/dev/null; sed -i 's/a - b/a + b/' calc.py; echo done");
    let built = build(&project, &["--agent", "pi"]);
    assert_eq!(built.code, Some(0), "{built:#?}");
    let told = &built.json()["implementer"];
    for key in ["version", "model", "tokens", "cost_usd", "calls", "said"] {
        assert!(told[key].is_null(), "{key}: {told}");
    }
    assert!(events(&project, "agent").is_empty());
}

/// Each with what its agent prints, and the exit code that it ends with.
const OUTAGES: [(&str, &str, i32, &str, &str); 7] = [
    (
        "claude",
        r#"{"type":"result","subtype":"success","is_error":true,"result":"Not logged in · Please run /login"}"#,
        1,
        "agent::login",
        "Not logged in",
    ),
    (
        "codex",
        r#"{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: bad key"}}"#,
        1,
        "agent::key",
        "401 Unauthorized",
    ),
    (
        "gemini",
        "Please set an Auth method in your settings.json",
        41,
        "agent::login",
        "set an Auth method",
    ),
    // With a server's address, a key and no choice of how to log in.
    ("gemini", "Invalid auth method selected.", 41, "agent::login", "Invalid auth method"),
    (
        "opencode",
        r#"{"type":"error","sessionID":"s","error":{"name":"APIError","data":{"message":"connect ECONNREFUSED"}}}"#,
        0,
        "agent::server",
        "ECONNREFUSED",
    ),
    (
        "aider",
        "litellm.AuthenticationError: Incorrect API key provided",
        0,
        "agent::key",
        "AuthenticationError",
    ),
    (
        "qwen",
        r#"{"type":"result","subtype":"error_during_execution","is_error":true,"error":{"message":"[API Error: 429 rate limit]"}}"#,
        1,
        "agent::quota",
        "429",
    ),
];

#[test]
fn an_agent_that_reaches_no_model_leaves_the_task_active_and_uncharged() {
    for (name, said, exit, code, words) in OUTAGES {
        let script = format!("cat >/dev/null\ncat <<'SAID'\n{said}\nSAID\nexit {exit}");
        let project = project_with(name, &script);
        let before = project.read(format!(".ftl/workspace/{TASK}"));
        let built = build(&project, &["--agent", name]);
        assert_eq!(built.code, Some(1), "{name}: {built:#?}");
        let error = &built.json()["error"];
        assert_eq!(error["code"], code, "{name}: {built:#?}");
        assert!(error["message"].as_str().unwrap().contains(words), "{name}: {error}");
        let help = error["help"].as_str().unwrap();
        assert!(help.contains(".ftl/runs/001_sum/1/requests/1/agent.log"), "{help}");
        let is_login = ["agent::login", "agent::key"].contains(&code);
        assert_eq!(help.contains(" doctor --agent"), is_login, "{help}");
        assert!(help.contains("still active"), "{help}");
        assert_eq!(project.workspaces(), [TASK]);
        assert_eq!(project.read(format!(".ftl/workspace/{TASK}")), before);
        // With another implementer it begins anew, and pays as if there had been none.
        let again = build(&project, &["--agent", "sed -i s/-/+/ calc.py"]);
        assert_eq!(again.code, Some(0), "{name}: {again:#?}");
        assert_eq!(again.json()["budget"]["used"], 3, "{name}");
    }
}

#[test]
fn an_agent_that_did_something_before_it_failed_has_made_an_attempt() {
    let script =
        "cat >/dev/null; echo '# more' >>calc.py; echo 'Error: 429 too many requests'; exit 1";
    let project = project_with("pi", script);
    let built = build(&project, &["--agent", "pi"]);
    assert_eq!(built.code, Some(3), "{built:#?}");
    let block = &built.json()["block"];
    assert_eq!(block["kind"], "implement_failed");
    assert_eq!(block["last_lines"][0], "Error: 429 too many requests");
    let unknown = block["unknown"].as_str().unwrap();
    assert!(unknown.contains("its partial work is in the tree"), "{unknown}");
    assert!(block["log"].as_str().unwrap().ends_with("agent.log"), "{block}");
}

#[test]
fn a_failure_that_is_no_outage_is_told_in_the_agents_words_and_not_as_json() {
    let script = format!(
        "cat >/dev/null\n{INIT}\necho '{}'\nexit 1",
        r#"{"type":"result","subtype":"error_max_turns","is_error":true,"result":"Reached max turns (5)"}"#
    );
    let project = project_with("claude", &script);
    let built = build(&project, &["--agent", "claude"]);
    assert_eq!(built.code, Some(3), "{built:#?}");
    let block = &built.json()["block"];
    let lines = &block["last_lines"];
    assert_eq!(lines, &serde_json::json!(["Reached max turns (5)"]));
    let unknown = block["unknown"].as_str().unwrap();
    assert!(unknown.ends_with("it changed no file of the task"), "{unknown}");
}

#[test]
fn aider_makes_no_repository_where_there_is_none_and_names_nobody_in_one() {
    let script = "git config user.name >\"$0.name\"; sed -i 's/a - b/a + b/' calc.py";
    for in_git in [false, true] {
        let project = project_with("aider", script);
        if in_git {
            project.commit();
        }
        let built = build(&project, &["--agent", "aider"]);
        assert_eq!(built.code, Some(0), "{built:#?}");
        let told = built.json()["implementer"]["command"].to_string();
        assert_eq!(told.contains(" --no-git "), !in_git, "{told}");
        assert_eq!(project.read("target/bin/aider.name"), b"aider\n");
    }
}

#[test]
fn an_agent_none_of_whose_tools_work_is_told_with_what_they_say() {
    let call = |id: &str, status: &str, output: &str| {
        format!(
            r#"echo '{{"type":"item.completed","item":{{"id":"{id}","type":"command_execution","command":"cat calc.py","aggregated_output":"{output}","exit_code":1,"status":"{status}"}}}}'"#
        )
    };
    let end = r#"echo '{"type":"item.completed","item":{"id":"m","type":"agent_message","text":"I could not read the file."}}'"#;
    let broken = call("i1", "failed", "bwrap: no namespaces");
    let script = format!("cat >/dev/null\n{broken}\n{end}");
    let project = project_with("codex", &script);
    let built = build(&project, &["--agent", "codex"]).json();
    assert_eq!(built["block"]["kind"], "implement_failed", "{built:#}");
    // What it said last, too: nothing else says why nothing changed.
    assert_eq!(built["block"]["last_lines"][0], "I could not read the file.");
    let warnings = built["warnings"].to_string();
    assert!(
        warnings.contains("the last one said: bwrap: no namespaces; `ftl doctor --agent codex`"),
        "{warnings}"
    );
    let worked = call("i2", "completed", "");
    let project = project_with("codex", &format!("cat >/dev/null\n{broken}\n{worked}\n{end}"));
    let built = build(&project, &["--agent", "codex"]).json();
    assert!(!built["warnings"].to_string().contains("no call of a tool"), "{built:#}");
}

#[test]
fn an_agent_that_told_of_an_outage_before_its_time_was_over_has_made_no_attempt() {
    let said = r#"{"type":"error","message":"stream disconnected before completion: error sending request"}"#;
    let waits = format!("cat >/dev/null\necho '{said}'\nsleep 60");
    let project = project_with("codex", &waits);
    let built = build(&project, &["--agent", "codex", "--agent-timeout", "1"]);
    assert_eq!(built.code, Some(1), "{built:#?}");
    assert_eq!(built.json()["error"]["code"], "agent::server");
    assert_eq!(project.workspaces(), [TASK]);
    // One that said nothing may have been thinking.
    let project = project_with("codex", "cat >/dev/null; sleep 60");
    let built = build(&project, &["--agent", "codex", "--agent-timeout", "1"]);
    assert_eq!(built.json()["block"]["kind"], "implement_failed", "{built:#?}");
}

#[test]
fn a_command_of_ones_own_says_what_an_outage_of_it_looks_like() {
    let project = project_with("mine", "cat >/dev/null; echo the gateway is asleep; exit 1");
    let own = on_path(&project, &["mine"], "command = 'mine'\noutage = ['gateway is asleep']");
    project.write("ftl.toml", own);
    let built = build(&project, &["--agent", "mine"]);
    assert_eq!(built.code, Some(1), "{built:#?}");
    assert_eq!(built.json()["error"]["code"], "agent::server");
    // Without a pattern, it is an attempt like any other.
    project.write("ftl.toml", on_path(&project, &["mine"], "command = 'mine'"));
    let built = build(&project, &["--agent", "mine"]);
    assert_eq!(built.json()["block"]["kind"], "implement_failed", "{built:#?}");
}

/// An aider that prints a reply between these lines.
fn aider_that_replies(before: &str, after: &str) -> Project {
    let block = "Nothing to do.\n\n```json\n{\"no_change\": true}\n```";
    project_with("aider", &format!("cat <<'SAID'\n{before}\n{block}\n{after}\nSAID"))
}

const UNREACHED: &str = "litellm.APIConnectionError: connection refused";

#[test]
fn a_model_that_answered_was_reached_whatever_else_failed() {
    // It looks up prices behind the answer.
    let after = format!("\nTokens: 2k sent, 9 received.\n{UNREACHED}");
    let project = aider_that_replies("", &after);
    let built = build(&project, &["--agent", "aider"]);
    assert_eq!(built.code, Some(3), "{built:#?}");
    assert_eq!(built.json()["block"]["kind"], "discovery_needed", "{built:#?}");
}

#[test]
fn an_outage_is_one_though_a_reply_was_printed() {
    let project = aider_that_replies(UNREACHED, "");
    let built = build(&project, &["--agent", "aider"]);
    assert_eq!(built.code, Some(1), "{built:#?}");
    assert_eq!(built.json()["error"]["code"], "agent::server");
    assert_eq!(project.workspaces(), [TASK]);
}

#[test]
fn a_reply_comes_in_its_file_or_at_the_end_of_what_is_said() {
    let block = "Not mine to do.\n\n```json\n{\"needs\": [\"other.py\"]}\n```";
    let as_json = serde_json::to_string(block).unwrap();
    let result = format!(
        "{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":{as_json}}}"
    );
    for (name, script) in [
        ("pi", format!("cat >/dev/null\ncat <<'SAID'\n{block}\nSAID")),
        ("claude", format!("cat >/dev/null\ncat <<'SAID'\n{result}\nSAID")),
        // The path stands in the prompt, for agents that can't look into their environment.
        (
            "qwen",
            "path=$(sed -n 's/.*`\\(\\/[^`]*reply.json\\)`.*/\\1/p'); echo '{\"needs\": [\"other.py\"]}' >\"$path\"".into(),
        ),
    ] {
        let project = project_with(name, &script);
        let built = build(&project, &["--agent", name]);
        assert_eq!(built.code, Some(3), "{name}: {built:#?}");
        let block = &built.json()["block"];
        assert_eq!(block["kind"], "delta_insufficient", "{name}: {block}");
        assert!(block["error"].as_str().unwrap().contains("other.py"), "{block}");
    }
}

/// An agent that forgets a bracket, multiplies when asked again, and adds in the end.
const IN_STEPS: &str = r#"cat >"$0.prompt"; echo "$*" >>"$0.args"; echo x >>"$0.count"
n=$(wc -l <"$0.count")
echo '{"type":"thread.started","thread_id":"t-1"}'
case $n in
1) printf 'def add(a, b:\n    return a + b\n' >calc.py ;;
2) printf 'def add(a, b):\n    return a * b\n' >calc.py ;;
3) printf 'def add(a, b):\n    return a + b\n' >calc.py ;;
esac
echo '{"type":"item.completed","item":{"id":"m","type":"agent_message","text":"Step '$n'"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":'$n'00,"cached_input_tokens":0,"output_tokens":'$n'}}'"#;

/// A project whose verify names the known failure.
fn in_steps(script: &str) -> Project {
    let project = project_with("codex", script);
    let path = format!(".ftl/workspace/{TASK}");
    let task = String::from_utf8(project.read(&path)).unwrap();
    let verify = "grep -q 'a + b' calc.py || { echo 'Error: no sum here'; exit 1; }";
    let task = task.replace("grep -q 'a + b' calc.py", verify);
    let task = task.replace(
        "<prior_knowledge>",
        "<code_context path=\"calc.py\"><content>what the planner saw</content></code_context><prior_knowledge>",
    );
    project.write(path, task);
    project
}

#[test]
fn a_mend_and_a_fix_go_on_with_the_session_and_count_their_own_share() {
    let project = in_steps(IN_STEPS);
    let built = build(&project, &["--agent", "codex"]);
    assert_eq!(built.code, Some(0), "{built:#?}");
    let args = String::from_utf8(project.read("target/bin/codex.args")).unwrap();
    let calls: Vec<&str> = args.lines().collect();
    assert_eq!(calls.len(), 3, "{calls:?}");
    assert!(!calls[0].contains("resume"), "{calls:?}");
    assert!(
        calls[1..].iter().all(|call| call.starts_with("exec resume ") && call.ends_with(" t-1 -")),
        "{calls:?}"
    );
    // The whole session's tokens are 100, 200 and 300: the task's are those of the last.
    let told = &built.json()["implementer"];
    assert_eq!(told["tokens"]["input"], 300, "{told}");
    assert_eq!(told["said"], "Step 3");
    let (mend, fix) = (prompt(&project, 2), prompt(&project, 3));
    for text in [&mend, &fix] {
        assert!(!text.contains("planner") && !text.contains("Mend the sum"), "{text}");
        assert!(text.contains("The task is the same"), "{text}");
    }
    assert!(mend.contains("calc.py:1:") && mend.contains("This request costs nothing"), "{mend}");
    assert!(fix.contains("Add, and do not multiply") && fix.contains("no sum here"), "{fix}");
}

#[test]
fn a_session_that_can_not_go_on_is_begun_anew_with_all_that_it_has_to_know() {
    let script = format!(
        "case \"$*\" in *resume*) cat >/dev/null; echo 'no rollout found for thread'; exit 1;; esac\n{IN_STEPS}"
    );
    let project = in_steps(&script);
    let built = build(&project, &["--agent", "codex"]);
    assert_eq!(built.code, Some(0), "{built:#?}");
    assert!(built.stderr.contains("began a new one"), "{built:#?}");
    let mend = prompt(&project, 2);
    for part in
        ["Mend the sum", "as it is now", "def add(a, b:", "What was done so far", "+def add(a, b:"]
    {
        assert!(mend.contains(part), "{part}: {mend}");
    }
    assert!(!mend.contains("planner"), "{mend}");
    assert!(project.path().join(".ftl/runs/001_sum/1/requests/2/agent-again.log").exists());
}

#[test]
fn agents_are_listed_with_what_they_support_and_what_is_installed() {
    let project = project_with("claude", "exit 0");
    let config = on_path(&project, &["claude", "codex"], "");
    project.write("ftl.toml", format!("{config}[agent.mine]\ncommand = 'my-agent'\n"));
    let listed = project.ftl(["agents", "--format", "json"]).json();
    let agents = listed["agents"].as_array().unwrap();
    let named = |name: &str| agents.iter().find(|agent| agent["name"] == name).unwrap();
    assert!(named("claude")["installed"].as_str().unwrap().ends_with("/bin/claude"));
    assert!(named("codex")["installed"].is_null());
    assert_eq!(named("gemini")["effort"], false);
    assert_eq!(named("codex")["contained"], true);
    assert_eq!(named("gemini")["contained"], false);
    assert_eq!(named("mine")["command"], "my-agent");
    let table = project.ftl(["agents"]);
    assert_eq!(table.code, Some(0));
    assert!(table.stdout.contains("npm install --global @openai/codex"), "{table:#?}");
}

#[test]
fn a_mistyped_agent_is_told_the_nearest_one() {
    let project = project_with("claude", "exit 0");
    let refused = build(&project, &["--agent", "cluade"]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains("--agent claude"), "{refused:#?}");
    // What is no agent's name is a command, and the shell says that there is none.
    let blocked = build(&project, &["--agent", "no-such-program"]);
    assert_eq!(blocked.json()["block"]["kind"], "implement_failed", "{blocked:#?}");
}
