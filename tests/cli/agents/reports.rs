//! What an agent reports of its work: shown as it happens, recorded, and read as its reply.

use super::super::troubleshooting::is_isolated;
use super::{INIT, build, events, project_with};

/// Claude's stream of a request that fixes the sum.
fn claude() -> String {
    format!(
        r#"cat >>"$0.prompts"; echo "$*" >>"$0.args"
{INIT}
echo '{{"type":"assistant","message":{{"model":"model-x","content":[{{"type":"tool_use","id":"t1","name":"Edit","input":{{"file_path":"'$PWD'/calc.py"}}}}]}}}}'
sed -i 's/a - b/a + b/' calc.py
echo '{{"type":"assistant","message":{{"model":"model-x","content":[{{"type":"text","text":"The sum is fixed."}}]}}}}'
echo '{{"type":"result","subtype":"success","is_error":false,"result":"The sum is fixed.","session_id":"s-1","total_cost_usd":0.25,"usage":{{"input_tokens":100,"cache_read_input_tokens":50,"output_tokens":7}}}}'"#
    )
}

#[test]
fn an_agents_report_is_shown_as_it_happens_and_recorded() {
    let project = project_with("claude", &claude());
    let built =
        build(&project, &["--agent", "claude", "--model", "model-x", "--effort", "high"]).ends(0);
    let reported = &built.json()["implementer"];
    let expected = serde_json::json!({
        "kind": "agent", "name": "claude", "command": reported["command"], "version": "2.1.330", "model": "model-x",
        "tokens": {"input": 150, "cached": 50, "output": 7}, "cost_usd": 0.25, "calls": 1,
        "said": "The sum is fixed.", "worker": null,
    });
    assert_eq!(reported, &expected);
    let command = reported["command"].as_str().unwrap();
    assert!(command.starts_with("claude -p --output-format stream-json"), "{command}");
    assert!(command.contains("--model model-x --effort high"), "{command}");
    assert!(command.contains("'Edit(/calc.py)' 'Write(/calc.py)'"), "{command}");
    let shown = project.ftl(["show", "001"]).stdout;
    let line = "agent      claude 2.1.330, model-x, 1 call of its tools, 150 tokens read, 7 written, $0.2500";
    assert!(shown.contains(line), "{shown}");
    let did = events(&project, "agent");
    assert_eq!(did[0]["kind"], "file");
    assert_eq!((&did[0]["tool"], &did[0]["path"]), (&"Edit".into(), &"calc.py".into()));
    assert_eq!(did[1]["text"], "The sum is fixed.");
    // After the request was read, and before its result.
    let (first, work) =
        (did[0]["seq"].as_u64(), events(&project, "implemented")[0]["seq"].as_u64());
    assert!(first < work, "{first:?} {work:?}");
    let record = project.text(".ftl/workspace/001_sum_complete.xml");
    for part in [
        "<implementer kind=\"agent\" name=\"claude\" version=\"2.1.330\" model=\"model-x\" cost_usd=\"0.25\"",
        "calls=\"1\" tokens_in=\"150\" tokens_cached=\"50\" tokens_out=\"7\"",
        "<said>The sum is fixed.</said>",
    ] {
        assert!(record.contains(part), "{part}\n{record}");
    }
}

#[test]
fn facts_that_an_agent_does_not_report_are_null() {
    let project = project_with("pi", "cat >/dev/null; sed -i 's/a - b/a + b/' calc.py; echo done");
    let built = build(&project, &["--agent", "pi"]).ends(0);
    let reported = &built.json()["implementer"];
    for key in ["version", "model", "tokens", "cost_usd", "calls", "said"] {
        assert!(reported[key].is_null(), "{key}: {reported}");
    }
    assert!(events(&project, "agent").is_empty());
}

#[test]
fn a_warning_says_why_none_of_an_agents_tools_worked() {
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
fn a_reply_comes_in_its_file_or_at_the_end_of_what_is_said() {
    let block = "Not mine to do.\n\n```json\n{\"needs\": [\"other.py\"]}\n```";
    let as_json = serde_json::to_string(block).unwrap();
    let result = format!(
        "{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":{as_json}}}"
    );
    for (name, script) in [
        ("pi", format!("cat >/dev/null\ncat <<'SAID'\n{block}\nSAID")),
        ("claude", format!("cat >/dev/null\ncat <<'SAID'\n{result}\nSAID")),
        // The path is in the prompt, for agents that can't look into their environment.
        (
            "qwen",
            "path=$(sed -n 's/.*`\\(\\/[^`]*reply.json\\)`.*/\\1/p'); echo '{\"needs\": [\"other.py\"]}' >\"$path\"".into(),
        ),
    ] {
        let project = project_with(name, &script);
        let built = build(&project, &["--agent", name]).ends(3);
        let block = &built.json()["block"];
        assert_eq!(block["kind"], "delta_insufficient", "{name}: {block}");
        assert!(block["error"].as_str().unwrap().contains("other.py"), "{block}");
    }
}

#[test]
fn empty_directories_that_an_agents_sandbox_left_are_no_strays() {
    if !is_isolated() {
        return;
    }
    let mend = "cat >/dev/null; sed -i 's/a - b/a + b/' calc.py; mkdir .agents .codex";
    for (more, strays) in [
        ("", serde_json::json!([])),
        ("; touch .codex/config", serde_json::json!([".codex", ".codex/config"])),
        ("; mkdir .x", serde_json::json!([".x"])),
    ] {
        for (config, outcome) in [
            ("", "complete"),
            (
                "[scope]\nstrays = 'block'\n",
                if strays == serde_json::json!([]) { "complete" } else { "blocked" },
            ),
        ] {
            let project = project_with("codex", &format!("{mend}{more}"));
            project.write("ftl.toml", config.to_owned() + &project.text("ftl.toml"));
            let said = build(&project, &["--agent", "codex", "--isolate", "bind"]).json();
            assert_eq!(said["outcome"], outcome, "{more}: {said:#}");
            assert_eq!(said["strays"], strays, "{more}: {said:#}");
            for left in [".agents", ".codex", ".x"] {
                assert!(!project.path().join(left).exists(), "{more}: {left}");
            }
        }
    }
}
