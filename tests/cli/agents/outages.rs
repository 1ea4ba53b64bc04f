//! An agent that reaches no model leaves the task active; one that did something has made an attempt.

use serde_json::Value;

use super::{INIT, TASK, build, on_path, project_with};
use crate::support::Project;

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
        let built = build(&project, &["--agent", name]).ends(1);
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
        // With another implementer it starts again, and pays as if there had been none.
        let again = build(&project, &["--agent", "sed -i s/-/+/ calc.py"]).ends(0);
        assert_eq!(again.json()["budget"]["used"], 3, "{name}");
    }
}

#[test]
fn an_outage_of_several_tasks_is_quoted_with_the_time_of_the_next_try() {
    let (name, said, exit, ..) = OUTAGES[0];
    let script = format!("cat >/dev/null\ncat <<'SAID'\n{said}\nSAID\nexit {exit}");
    let project = project_with(name, &script);
    let other = String::from_utf8(project.read(format!(".ftl/workspace/{TASK}"))).unwrap();
    project.write(".ftl/workspace/002_other_active.xml", other.replace("calc.py", "other.py"));
    let built = project.ftl(["build", "--all", "--agent", name, "--deadline", "1"]);
    assert_eq!(built.code, Some(4), "{built:#?}");
    let expected = "001 warning: the agent `claude` did nothing: ";
    let line = built.stderr.lines().find(|line| line.starts_with(expected)).unwrap();
    let words = ["Not logged in", "nothing starts with it until "];
    assert!(words.iter().all(|words| line.contains(words)), "{line}");
}

/// An agent whose quota is used up in its first requests: it says when that resets, and then works.
fn agent_with_outages(count: u32) -> String {
    format!(
        r#"file=$(sed -n 's/^- extend `\(.*\)`$/\1/p'); echo . >>"$OUT/asked"
if [ "$(wc -l <"$OUT/asked")" -le {count} ]; then
  echo "You've hit your usage limit. Try again in 1 second."; exit 1
fi
sed -i 's/a - b/a + b/' "$file""#
    )
}

#[test]
fn a_batch_goes_on_by_itself_when_a_quota_resets_and_charges_nothing_for_it() {
    let project = project_with("pi", &agent_with_outages(2));
    let task = String::from_utf8(project.read(format!(".ftl/workspace/{TASK}"))).unwrap();
    for number in 2..=4 {
        let (file, calc) = (format!("calc{number}.py"), project.text("calc.py"));
        project.write(&file, calc);
        let path = format!(".ftl/workspace/00{number}_sum_active.xml");
        project.write(path, task.replace("calc.py", &file));
    }
    for jobs in ["1", "2"] {
        let _ = std::fs::remove_file(project.outside("asked"));
        let words = ["build", "--all", "--agent", "pi", "--jobs", jobs, "--format", "json"];
        let built = project.ftl(words).ends(0);
        assert!(built.stderr.contains("nothing starts with it until "), "{built:#?}");
        let results = built.json();
        assert_eq!(results["counts"]["complete"], 4, "{results:#}");
        for result in results["results"].as_array().unwrap() {
            assert_eq!((&result["budget"]["used"], &result["attempt"]), (&3.into(), &1.into()));
        }
        for (number, file) in [(1, "calc.py".to_owned())]
            .into_iter()
            .chain((2..=4).map(|n| (n, format!("calc{n}.py"))))
        {
            project.ftl(["reopen", &number.to_string()]).ends(0);
            project.write(&file, "def add(a, b):\n    return a - b\n");
        }
    }
    // A single task waits where that is asked for; a quota that resets too late is a limit.
    let _ = std::fs::remove_file(project.outside("asked"));
    project.ftl(["build", "1", "--agent", "pi"]).ends(1);
    project.ftl(["build", "1", "--agent", "pi", "--wait-quota", "1h"]).ends(0);
    let _ = std::fs::remove_file(project.outside("asked"));
    let late = agent_with_outages(9).replace("1 second", "3 hours");
    super::install(&project, "pi", &late);
    // At its own path, so that the workplace's earlier copy of the script does not cover this one.
    let words = ["build", "2", "3", "--agent", "pi", "--wait-quota", "1h", "--isolate", "copy"];
    let built = project.ftl(words).ends(4);
    assert!(built.stdout.contains("longer than it is waited for"), "{built:#?}");
}

/// Twelve tasks, and two outages: the first names its reset, the second is waited for a minute. `ftl status` and the events
/// say so in between.
#[test]
fn twelve_tasks_end_by_themselves_over_two_outages_which_are_shown() {
    let agent = r#"file=$(sed -n 's/^- extend `\(.*\)`$/\1/p')
mkdir "$OUT/first" 2>/dev/null && { echo "You've hit your usage limit. Try again in 2 seconds."; exit 1; }
[ -e "$OUT/calc6.py" ] && mkdir "$OUT/second" 2>/dev/null && { echo "You've hit your usage limit."; exit 1; }
: >"$OUT/$file"; sed -i 's/a - b/a + b/' "$file""#;
    let project = project_with("pi", agent);
    let task = project.text(format!(".ftl/workspace/{TASK}"));
    for number in 2..=12 {
        let file = format!("calc{number}.py");
        project.write(&file, project.text("calc.py"));
        let path = format!(".ftl/workspace/{number:03}_sum_active.xml");
        project.write(path, task.replace("calc.py", &file));
    }
    let finished = project.script(
        "\"$FTL\" build --all --agent pi --jobs 4 --format json --events $OUT/events & \
         until \"$FTL\" status | grep ' pi until ' >$OUT/seen; do sleep 0.1; done; \
         \"$FTL\" status --format json >$OUT/status; wait $!",
    );
    let said = finished.ends(0).json();
    assert_eq!(said["counts"]["complete"], 12, "{said:#}");
    for result in said["results"].as_array().unwrap() {
        assert_eq!((&result["budget"]["used"], &result["attempt"]), (&3.into(), &1.into()));
    }
    let read = |name: &str| std::fs::read_to_string(project.outside(name)).unwrap();
    let status: Value = serde_json::from_str(&read("status")).unwrap();
    let waiting = status["waiting"].as_array().unwrap();
    assert!(waiting.iter().any(|task| task["agent"]["agent"] == "pi"), "{status:#}");
    let events: Vec<Value> =
        read("events").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let waits = events.iter().filter(|line| line["type"] == "waits");
    let until: Vec<_> = waits.filter_map(|line| line["tasks"][0]["until"].as_str()).collect();
    assert!(until.len() >= 2, "{until:?}");
    assert!(!project.path().join(".ftl/runs/waits.json").exists());
}

#[test]
fn an_agent_that_did_something_before_it_failed_has_made_an_attempt() {
    let script =
        "cat >/dev/null; echo '# more' >>calc.py; echo 'Error: 429 too many requests'; exit 1";
    let project = project_with("pi", script);
    let built = build(&project, &["--agent", "pi"]).ends(3);
    let block = &built.json()["block"];
    assert_eq!(block["kind"], "implement_failed");
    assert_eq!(block["last_lines"][0], "Error: 429 too many requests");
    let unknown = block["unknown"].as_str().unwrap();
    assert!(unknown.contains("its partial work is in the run's diff"), "{unknown}");
    assert!(block["log"].as_str().unwrap().ends_with("agent.log"), "{block}");
}

#[test]
fn a_failure_that_is_no_outage_is_shown_in_the_agents_words_and_not_as_json() {
    let script = format!(
        "cat >/dev/null\n{INIT}\necho '{}'\nexit 1",
        r#"{"type":"result","subtype":"error_max_turns","is_error":true,"result":"Reached max turns (5)"}"#
    );
    let project = project_with("claude", &script);
    let built = build(&project, &["--agent", "claude"]).ends(3);
    let block = &built.json()["block"];
    let lines = &block["last_lines"];
    assert_eq!(lines, &serde_json::json!(["Reached max turns (5)"]));
    let unknown = block["unknown"].as_str().unwrap();
    assert!(unknown.ends_with("it changed no file of the task"), "{unknown}");
}

#[test]
fn an_agent_that_reported_an_outage_before_its_time_was_over_has_made_no_attempt() {
    let said = r#"{"type":"error","message":"stream disconnected before completion: error sending request"}"#;
    let waits = format!("cat >/dev/null\necho '{said}'\nsleep 60");
    let project = project_with("codex", &waits);
    let built = build(&project, &["--agent", "codex", "--agent-timeout", "1"]).ends(1);
    assert_eq!(built.json()["error"]["code"], "agent::server");
    assert_eq!(project.workspaces(), [TASK]);
    // One that said nothing may have been thinking.
    let project = project_with("codex", "cat >/dev/null; sleep 60");
    let built = build(&project, &["--agent", "codex", "--agent-timeout", "1"]);
    assert_eq!(built.json()["block"]["kind"], "implement_failed", "{built:#?}");
}

#[test]
fn a_configured_command_says_what_an_outage_of_it_looks_like() {
    let project = project_with("mine", "cat >/dev/null; echo the gateway is asleep; exit 1");
    let own = on_path(&project, &["mine"], "command = 'mine'\noutage = ['gateway is asleep']");
    project.write("ftl.toml", own);
    let built = build(&project, &["--agent", "mine"]).ends(1);
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
    let built = build(&project, &["--agent", "aider"]).ends(3);
    assert_eq!(built.json()["block"]["kind"], "discovery_needed", "{built:#?}");
}

#[test]
fn an_outage_is_one_though_a_reply_was_printed() {
    let project = aider_that_replies(UNREACHED, "");
    let built = build(&project, &["--agent", "aider"]).ends(1);
    assert_eq!(built.json()["error"]["code"], "agent::server");
    assert_eq!(project.workspaces(), [TASK]);
}
