//! Streams in the forms that the agents document and print, and streams that are none.

use ftl_model::Tokens;

use super::{Activity, ActivityKind, Listener, Report};
use crate::Events;

fn read(events: Events, text: &str) -> (Report, Vec<String>) {
    let mut activities = Vec::new();
    let mut tell =
        |activity: Activity| activities.push(format!("{:?} {}", activity.kind, activity.line()));
    let mut listener = Listener::new(events);
    // In pieces that end anywhere.
    for piece in text.as_bytes().chunks(7) {
        listener.hear(piece, &mut tell);
    }
    let report = listener.finish(&mut tell);
    (report, activities)
}

fn tokens(input: u64, cached: u64, output: u64) -> Option<Tokens> {
    Some(Tokens { input: Some(input), cached: Some(cached), output: Some(output) })
}

#[test]
fn claude_says_its_session_its_calls_and_its_cost() {
    let (report, activities) = read(Events::Claude, include_str!("samples/claude.jsonl"));
    assert_eq!(report.session.as_deref(), Some("6f4c1d2e-0000-4000-8000-000000000001"));
    assert_eq!(report.model.as_deref(), Some("claude-sonnet-4-5"));
    assert_eq!(report.version.as_deref(), Some("2.1.330"));
    assert_eq!(report.tokens, tokens(1210, 1000, 85));
    assert_eq!(report.cost_usd, Some(0.0123));
    assert_eq!(report.calls, Some(2));
    assert_eq!(report.words.as_deref(), Some("Fixed `add`."));
    assert!(!report.failed && report.errors.is_empty());
    assert_eq!(
        activities,
        [
            "Message I'll look at the file first.",
            "Tool Read calc.py",
            "File Edit calc.py",
            "Error failed: String to replace not found in file.",
            "Message Fixed `add`.",
        ]
    );
}

#[test]
fn claude_without_a_login_says_so_and_has_failed() {
    let (report, _) = read(Events::Claude, include_str!("samples/claude-login.jsonl"));
    assert!(report.failed);
    assert_eq!(report.calls, Some(0));
    assert!(report.errors.iter().all(|error| error == "Not logged in · Please run /login"));
}

#[test]
fn qwen_counts_what_it_read_from_the_cache_as_input() {
    let (report, _) = read(Events::Claude, include_str!("samples/qwen.jsonl"));
    assert_eq!(report.version.as_deref(), Some("0.24.4"));
    assert_eq!(report.tokens, tokens(900, 300, 40));
    assert_eq!(report.cost_usd, None);
}

#[test]
fn codex_says_commands_and_changes_each_once() {
    let (report, activities) = read(Events::Codex, include_str!("samples/codex.jsonl"));
    assert_eq!(report.session.as_deref(), Some("0199a213-81c0-7800-8aa1-bbab2a035a53"));
    assert_eq!(report.model, None);
    assert_eq!(report.tokens, tokens(24763, 24448, 122));
    assert_eq!(report.cost_usd, None);
    assert_eq!(report.calls, Some(2));
    assert_eq!(report.words.as_deref(), Some("I changed calc.py."));
    assert_eq!(
        activities,
        [
            "Command command_execution bash -lc 'cat calc.py'",
            "File update calc.py",
            "Message I changed calc.py.",
        ]
    );
}

#[test]
fn codex_that_reaches_no_model_says_why() {
    let (report, _) = read(Events::Codex, include_str!("samples/codex-401.jsonl"));
    assert!(report.failed);
    assert!(report.errors.last().unwrap().contains("401 Unauthorized"));
}

#[test]
fn gemini_says_its_words_in_parts() {
    let (report, activities) = read(Events::Gemini, include_str!("samples/gemini.jsonl"));
    assert_eq!(report.session.as_deref(), Some("b4d3"));
    assert_eq!(report.model.as_deref(), Some("gemini-2.5-flash"));
    assert_eq!(report.tokens, tokens(300, 100, 20));
    assert_eq!(report.calls, Some(1));
    assert_eq!(report.words.as_deref(), Some("The sum is right now."));
    assert_eq!(activities, ["File replace calc.py", "Error failed: denied by policy"]);
}

#[test]
fn opencode_adds_up_its_steps() {
    let (report, activities) = read(Events::Opencode, include_str!("samples/opencode.jsonl"));
    assert_eq!(report.session.as_deref(), Some("ses_1"));
    assert_eq!(report.tokens, tokens(230, 30, 12));
    assert_eq!(report.cost_usd, Some(0.75));
    assert_eq!(report.calls, Some(1));
    assert_eq!(activities, ["File edit calc.py", "Message Done."]);
}

#[test]
fn copilot_says_its_session_at_the_end() {
    let (report, activities) = read(Events::Copilot, include_str!("samples/copilot.jsonl"));
    assert_eq!(report.session.as_deref(), Some("s-1"));
    assert_eq!(report.model.as_deref(), Some("gpt-5"));
    assert_eq!(report.tokens, tokens(50, 10, 5));
    assert_eq!(report.cost_usd, None);
    assert_eq!(report.calls, Some(2));
    assert_eq!(
        activities,
        ["File edit calc.py", "Command bash ls", "Error failed: denied", "Message Done."]
    );
}

#[test]
fn messages_of_a_chat_hold_calls() {
    let (report, activities) = read(Events::Chat, include_str!("samples/chat.jsonl"));
    assert_eq!((report.calls, report.tokens), (Some(1), None));
    assert_eq!(report.session.as_deref(), Some("session_1"));
    assert_eq!(report.words.as_deref(), Some("All done."));
    assert_eq!(activities, ["File write_file calc.py", "Message All done."]);
}

const ALL: [Events; 7] = [
    Events::Text,
    Events::Claude,
    Events::Codex,
    Events::Gemini,
    Events::Opencode,
    Events::Copilot,
    Events::Chat,
];

#[test]
fn an_unknown_line_yields_nothing() {
    for events in ALL {
        let (report, activities) =
            read(events, "Reading files\n\u{1b}[1mbusy\u{1b}[0m {\nnull\n[1]\n\"x\"\n{}\n");
        let text = report.text.len();
        assert_eq!(text, if events == Events::Text { 0 } else { 5 }, "{events:?}");
        let unknown = Report { text: Vec::new(), ..report };
        assert_eq!(unknown, Report::default(), "{events:?}");
        assert!(activities.is_empty());
    }
}

/// Every sample with each of its values replaced by something else: no reader may trust a type.
#[test]
fn no_reader_trusts_the_form_of_a_line() {
    let samples = [
        include_str!("samples/claude.jsonl"),
        include_str!("samples/codex.jsonl"),
        include_str!("samples/gemini.jsonl"),
        include_str!("samples/opencode.jsonl"),
        include_str!("samples/copilot.jsonl"),
        include_str!("samples/chat.jsonl"),
    ];
    let others = ["null", "7", "-1", "1e308", "\"x\"", "[]", "{}", "[[{}]]", "true"];
    for line in samples.iter().flat_map(|sample| sample.lines()) {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut paths = Vec::new();
        collect(&value, String::new(), &mut paths);
        for path in paths {
            for other in others {
                let mut odd = value.clone();
                *odd.pointer_mut(&path).unwrap() = serde_json::from_str(other).unwrap();
                for events in ALL {
                    let _ = read(events, &format!("{odd}\n"));
                }
            }
        }
    }
}

fn collect(value: &serde_json::Value, at: String, paths: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(entries) => {
            for (key, value) in entries {
                collect(
                    value,
                    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")),
                    paths,
                );
            }
        }
        serde_json::Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                collect(value, format!("{at}/{index}"), paths);
            }
        }
        _ => {}
    }
    if !at.is_empty() {
        paths.push(at);
    }
}

#[test]
fn a_flood_is_read_within_bounds() {
    let mut activities = 0_usize;
    let mut tell = |activity: Activity| {
        assert!(activity.line().chars().count() <= 4100);
        activities += usize::from(activity.kind == ActivityKind::Message);
    };
    let mut listener = Listener::new(Events::Codex);
    // A line without an end, then lines that are fine.
    for _ in 0..20 {
        listener.hear(&vec![b'{'; 1 << 20], &mut tell);
    }
    listener.hear(b"\n", &mut tell);
    let long = "x".repeat(1 << 20);
    let line = format!(
        "{{\"type\":\"item.completed\",\"item\":{{\"type\":\"agent_message\",\"text\":\"{long}\"}}}}\n"
    );
    listener.hear(line.as_bytes(), &mut tell);
    let deep = "[".repeat(100_000);
    listener.hear(format!("{{\"type\":{deep}\n").as_bytes(), &mut tell);
    for _ in 0..1000 {
        listener.hear(b"{\"type\":\"error\",\"message\":\"again\"}\n", &mut tell);
    }
    let report = listener.finish(&mut tell);
    assert_eq!(activities, 1);
    assert_eq!(report.words.unwrap().len(), 256 << 10);
    assert_eq!(report.errors.len(), 20);
}
