use super::{Agent, Request, Session, Unfit};
use crate::presets;

fn agent(name: &str) -> Agent {
    Agent { name: Some(name.to_owned()), ..Agent::default() }
}

const BEGIN: Request<'_> = Request {
    delta: &["a.py"],
    allowed: &[],
    root: "/",
    in_git: true,
    length: 100,
    session: Session::Begin("the-id"),
};

fn command(agent: &Agent, request: &Request<'_>) -> String {
    agent.command(request).command
}

#[test]
fn a_request_begins_a_session_and_the_next_one_goes_on_with_it() {
    let goes_on = Request { session: Session::Resume("the-id"), ..BEGIN };
    let claude = agent("claude");
    assert!(command(&claude, &BEGIN).contains(" --session-id the-id "));
    assert!(command(&claude, &goes_on).contains(" --resume the-id "));
    let aider = agent("aider");
    let file = "--chat-history-file \"$HOME/.aider/ftl/the-id.md\"";
    assert!(command(&aider, &BEGIN).contains(file));
    assert!(!command(&aider, &BEGIN).contains("--restore-chat-history"));
    assert!(command(&aider, &goes_on).contains(&format!("{file} --restore-chat-history ")));
    let codex = agent("codex");
    assert!(command(&codex, &BEGIN).starts_with("codex exec --json "));
    assert!(command(&codex, &BEGIN).ends_with(" -"));
    let again = command(&codex, &goes_on);
    assert!(again.starts_with("codex exec resume --json "), "{again}");
    assert!(again.ends_with(" the-id -") && !again.contains(" -s "), "{again}");
}

#[test]
fn an_agent_that_would_make_a_repository_is_asked_not_to_where_there_is_none() {
    let without = Request { in_git: false, ..BEGIN };
    assert!(command(&agent("aider"), &without).contains(" --no-git "));
    assert!(!command(&agent("aider"), &BEGIN).contains(" --no-git "));
    let claude = agent("claude");
    assert_eq!(claude.command(&without), claude.command(&BEGIN));
}

#[test]
fn options_are_passed_on_and_unsupported_ones_are_refused() {
    let chosen = |name: &str| Agent {
        model: Some("m".into()),
        effort: Some("high".into()),
        args: vec!["--x y".into()],
        ..agent(name)
    };
    let text = command(&chosen("claude"), &BEGIN);
    assert!(text.contains(" --model m --effort high '--x y' "), "{text}");
    let text = command(&chosen("codex"), &BEGIN);
    assert!(text.contains(r#"-c 'model="m"' -c 'model_reasoning_effort="high"'"#), "{text}");
    assert_eq!(chosen("claude").unfit(), None);
    assert_eq!(chosen("gemini").unfit(), Some(Unfit::Effort));
    assert_eq!(chosen("vibe").unfit(), Some(Unfit::Model));
    let own = Agent { command: Some("mine -".into()), ..chosen("mine") };
    let started = own.command(&BEGIN);
    assert_eq!(started.command, "mine - '--x y'");
    assert_eq!(started.env[0], ("FTL_MODEL", "m".to_owned()));
}

#[test]
fn a_contained_agent_gets_the_tools_of_ftl_instead() {
    let contained = |name: &str| Agent {
        contained: Some("/opt/it's/ftl".into()),
        effort: Some("high".into()),
        ..agent(name)
    };
    let text = command(&contained("claude"), &BEGIN);
    assert!(text.starts_with("MCP_TOOL_TIMEOUT=3600000 claude -p "), "{text}");
    assert!(text.contains(" --session-id the-id --effort high "), "{text}");
    assert!(text.contains(" --tools '' --allowedTools mcp__ftl"), "{text}");
    assert!(!text.contains("Edit("), "{text}");
    let goes_on = Request { session: Session::Resume("the-id"), ..BEGIN };
    let text = command(&contained("codex"), &goes_on);
    assert!(text.contains("sandbox_mode=\"read-only\""), "{text}");
    assert!(!text.contains("workspace-write"), "{text}");
    // Nothing that the user has set gives the tools back.
    let started = contained("opencode").command(&BEGIN);
    assert!(started.command.starts_with("OPENCODE_CONFIG_CONTENT='{"), "{started:?}");
    assert!(started.command.contains("OPENCODE_PERMISSION='{\"*\":\"deny\""), "{started:?}");
    assert!(started.env.iter().all(|(name, _)| *name != "OPENCODE_PERMISSION"));
}

#[test]
fn permissions_are_for_the_delta_alone_where_its_names_are_plain() {
    let text = command(&agent("claude"), &BEGIN);
    assert!(
        text.ends_with("\"Edit(/$FTL_REPLY)\" \"Write(/$FTL_REPLY)\" 'Edit(/a.py)' 'Write(/a.py)'")
    );
    let odd = Request { delta: &["[a].py"], ..BEGIN };
    assert!(command(&agent("claude"), &odd).contains("acceptEdits"));
    let allowed = ["Cargo.lock".to_owned()];
    let more = Request { allowed: &allowed, ..BEGIN };
    assert!(command(&agent("qwen"), &more).contains("auto-edit"));
    let started = agent("gemini").command(&BEGIN);
    let policy = started.policy.unwrap();
    assert!(policy.contains(r#"'"file_path":"a[.]py"'"#), "{policy}");
    assert!(policy.contains(r#""//a[.]py""#), "{policy}");
    assert!(policy.contains(r#""//[.]ftl/runs/[^"]*/reply[.]json""#), "{policy}");
    policy.parse::<toml::Table>().unwrap();
    let started = agent("opencode").command(&BEGIN);
    let permission = &started.env.iter().find(|(name, _)| *name == "OPENCODE_PERMISSION");
    let json: serde_json::Value = serde_json::from_str(&permission.unwrap().1).unwrap();
    assert_eq!(json["edit"]["a.py"], "allow");
    assert_eq!(json["edit"]["*"], "deny");
}

#[test]
fn an_answer_ends_before_what_the_agent_always_prints_behind_it() {
    let said =
        "Done.\n\n```json\n{}\n```\n\nTokens: 1.2k sent, 7 received. Cost: $0.01 message.\n\n";
    assert_eq!(agent("aider").answer_in(said), "Done.\n\n```json\n{}\n```");
    assert_eq!(agent("pi").answer_in(said), said.trim_end());
    assert_eq!(agent("aider").answer_in("Tokens: 1"), "");
    assert_eq!(agent("aider").answer_in("the Tokens: 1"), "the Tokens: 1");
    let twice = format!("{said}Cost: $1\ncould not fetch prices: connection refused\n");
    assert_eq!(agent("aider").answer_in(&twice), "Done.\n\n```json\n{}\n```");
    let earlier = "Tokens: 1\nMore.\nTokens: 2\n";
    assert_eq!(agent("aider").answer_in(earlier), "Tokens: 1\nMore.");
    assert_eq!(agent("aider").was_answered(earlier), Some(true));
    assert_eq!(agent("aider").was_answered("connection refused\n"), Some(false));
    assert_eq!(agent("claude").was_answered(earlier), None);
}

#[test]
fn a_very_long_task_is_named_and_not_passed() {
    let long = Request { length: 1 << 20, ..BEGIN };
    let text = command(&agent("copilot"), &BEGIN);
    assert!(text.starts_with("copilot -p \"$(cat \"$FTL_PROMPT\")\" "), "{text}");
    let text = command(&agent("copilot"), &long);
    assert!(text.contains("\"Read the file $FTL_PROMPT and do"), "{text}");
}

#[test]
fn no_word_of_the_table_is_left_unfilled() {
    for preset in presets() {
        let ways = [
            (Session::Begin("id"), None),
            (Session::Resume("id"), None),
            (Session::Begin("id"), Some("/bin/ftl".to_owned())),
        ];
        for (session, contained) in ways {
            let chosen = Agent {
                model: Some("m".into()),
                effort: Some("e".into()),
                contained,
                ..agent(&preset.name)
            };
            let started = chosen.command(&Request { session, ..BEGIN });
            let texts = [Some(started.command), started.policy];
            for name in [
                "{model}",
                "{effort}",
                "{session}",
                "{home}",
                "{reply}",
                "{path}",
                "{files}",
                "{root}",
                "{ftl}",
            ] {
                assert!(texts.iter().flatten().all(|text| !text.contains(name)), "{name}");
            }
        }
    }
}
