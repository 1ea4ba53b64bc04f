//! What a build shows while it runs: live on a terminal, in lines elsewhere, as events for programs.

use serde_json::Value;

use super::drawing::{redrawn, svg};
use super::terminal::Terminal;
use crate::support::task;
use crate::support::{Finished, Project};

/// A project whose verify prints lines, then waits for the pipe `go`.
fn waiting(names: &[&str]) -> Project {
    let project = super::project(&[]).pipes(&["go"]);
    let verify = "printf 'collecting\\n10 %%\\r50 %%\\n\\033]0;owned\\007\\033[31m日本 tests/test_types.py ........ and \
                  a line that is much longer than the narrowest of all terminals that are tried here\\033[0m\\n'; read go &lt; go";
    for name in names {
        project.add(name, task().verify(verify));
    }
    project
}

fn go(project: &Project) {
    std::fs::write(project.path().join("go"), "go\n").unwrap();
}

const AGENT: &str = "echo after >>notes.txt";

#[test]
fn a_terminal_shows_states_with_times_and_the_last_lines_at_any_width() {
    for width in [60, 84, 160] {
        let project = waiting(&["001_a"]);
        let words = ["build", "001", "--agent", AGENT];
        let terminal = Terminal::start(&project, &words, width, &[]);
        // The command beside VERIFY holds the same text, so the bar is searched for.
        let text = terminal.when(|text| text.contains("│ 日本 tests"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "001_a  budget 3/5", "{text}");
        for (line, state) in lines[1..].iter().zip(["READ", "PLAN", "IMPLEMENT", "PREFLIGHT"]) {
            assert!(line.starts_with(&format!("✓ {state} ")) && line.ends_with('s'), "{text}");
        }
        assert!(lines[5].contains("VERIFY ") && lines[5].contains("  verify: printf"), "{text}");
        assert_eq!(lines[6..8], ["  │ collecting", "  │ 50 %"], "{text}");
        assert_eq!(lines.len(), 9, "{text}");
        assert_eq!(lines[8].ends_with('…'), width < 160, "{text}");
        go(&project);
        let (code, screen, all) = terminal.end();
        assert_eq!(code, Some(0), "{screen}");
        assert!(screen.contains("✓ 001 a  "), "{screen}");
        assert!(!screen.contains("READ") && !screen.contains('│'), "{screen}");
        let all = String::from_utf8_lossy(&all);
        assert!(!all.contains("\u{1b}]") && !all.contains("Budget:"), "{all}");
    }
}

#[test]
fn an_interrupt_leaves_nothing_but_what_to_do_next() {
    let project = waiting(&["001_a"]);
    let terminal = Terminal::start(&project, &["build", "--agent", AGENT], 84, &[]);
    terminal.when(|text| text.contains("collecting"));
    terminal.interrupt();
    let (code, screen, _) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(!screen.contains('✓') && !screen.contains('│') && !screen.contains("READ"), "{screen}");
    assert!(screen.contains("build::interrupted") && screen.contains("to continue"), "{screen}");
}

#[test]
fn a_window_that_is_resized_and_another_locale_get_lines_that_fit() {
    let project = waiting(&["001_a"]);
    let words = ["build", "--agent", AGENT];
    let terminal = Terminal::start(&project, &words, 160, &[("LC_ALL", "C")]);
    terminal.when(|text| text.contains("50 %"));
    terminal.resize(60);
    let text = terminal.when(|text| {
        text.lines().all(|line| line.chars().count() < 60)
            && text.contains("50 %")
            && text.contains('~')
    });
    assert!(text.contains("\n* READ") && text.contains("  | ?? tests"), "{text}");
    assert!(text.is_ascii(), "{text}");
    terminal.resize(120);
    terminal.when(|text| text.lines().any(|line| line.len() > 80));
    go(&project);
    assert_eq!(terminal.end().0, Some(0));
}

#[test]
fn of_several_tasks_every_line_names_its_own_and_the_tally_is_shown() {
    let project = waiting(&["001_a", "002_b"]);
    let agent = "echo $FTL_WORKSPACE >>notes.txt";
    let words = ["build", "--all", "--agent", agent];
    let terminal = Terminal::start(&project, &words, 100, &[]);
    terminal.when(|text| text.contains("001 001_a  [1/2]") && text.contains("collecting"));
    go(&project);
    let text = terminal.when(|text| {
        text.contains("002 002_b  [2/2] 1 complete  budget") && text.contains("002   │ collecting")
    });
    let region = text.lines().skip_while(|line| !line.contains("[2/2]"));
    assert!(region.clone().all(|line| line.starts_with("002 ")), "{text}");
    assert!(region.clone().any(|line| line.contains(" last time  verify: ")), "{text}");
    go(&project);
    let (code, screen, _) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("2 complete in "), "{screen}");
}

#[test]
fn plain_lines_are_shown_where_no_region_is_wanted() {
    // Colours are another matter.
    let project = waiting(&["001_a"]);
    let terminal =
        Terminal::start(&project, &["build", "--agent", AGENT], 84, &[("NO_COLOR", "1")]);
    terminal.when(|text| text.contains("│ 日本 tests"));
    go(&project);
    let (_, _, all) = terminal.end();
    assert!(
        !String::from_utf8_lossy(&all).contains("\u{1b}[1m"),
        "{}",
        String::from_utf8_lossy(&all)
    );
    for variable in [("CI", "true"), ("TERM", "dumb")] {
        let project = waiting(&["001_a"]);
        let terminal = Terminal::start(&project, &["build", "--agent", AGENT], 84, &[variable]);
        terminal.when_printed("verify: printf");
        go(&project);
        let (code, _, all) = terminal.end();
        assert_eq!(code, Some(0));
        let all = String::from_utf8_lossy(&all);
        assert!(all.contains("Budget: 1/5, Delta: notes.txt"), "{variable:?}: {all}");
        assert!(!all.contains("\u{1b}[J") && !all.contains("A\u{1b}"), "{variable:?}: {all}");
    }
}

#[test]
fn quiet_and_verbose_builds_say_less_and_more() {
    let run = |option: &str| {
        let project = super::project(&["001_a_active.xml"]);
        project.ftl(["build", option, "--agent", "echo after >>notes.txt; echo said"]).ends(0)
    };
    assert_eq!(run("-q").stderr, "");
    let verbose = run("-v").stderr;
    for line in ["state: IMPLEMENT\n", "agent: echo after", "  | said\n", "Budget: 2/5"] {
        assert!(verbose.contains(line), "{verbose}");
    }
    let coloured = run("--color=always");
    assert!(coloured.stdout.starts_with("\u{1b}[1;32m✓"), "{coloured:#?}");
    assert!(!run("--color=never").stdout.contains('\u{1b}'));
}

fn events(finished: &Finished) -> Vec<Value> {
    let lines = finished.stdout.lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn events_report_what_begins_what_it_prints_and_what_is_spent() {
    let task = task().verify("echo first; echo last").elements("<preflight>true</preflight>");
    let project = super::project(&[]).task("001_a", task);
    let agent = "echo after >>notes.txt; seq 1000";
    let finished = project.ftl(["build", "--events", "-", "--agent", agent]).ends(0);
    let emitted = events(&finished);
    let of = |kind: &'static str| emitted.iter().filter(move |event| event["type"] == kind);
    for (number, event) in emitted.iter().enumerate() {
        super::schemas::assert_fits("event", event);
        assert_eq!(event["seq"], number);
    }
    let started: Vec<(&str, &str)> = of("started")
        .map(|event| (event["what"].as_str().unwrap(), event["command"].as_str().unwrap()))
        .collect();
    let expected = [("agent", agent), ("preflight", "true"), ("verify", "echo first; echo last")];
    assert_eq!(started, expected);
    let lines: Vec<&str> = of("output").map(|event| event["line"].as_str().unwrap()).collect();
    assert!(lines.contains(&"1000") && lines.last() == Some(&"last"), "{lines:?}");
    assert!(lines.len() < 100, "at most two a second: {lines:?}");
    assert_eq!(emitted[0].get("budget"), None);
    let spent: Vec<&Value> = emitted[1..].iter().map(|event| &event["budget"]["used"]).collect();
    assert!(spent.iter().all(|used| used.is_u64()), "{emitted:#?}");
    assert_eq!(of("workspace_read").next().unwrap()["budget"]["used"], 1);
    assert_eq!(of("outcome").next().unwrap()["budget"]["used"], 3);
}

/// The pictures in docs/progress.md.
#[test]
fn the_screens_in_the_docs_are_those_of_the_program() {
    let mut stale = Vec::new();
    for width in [60, 84, 160] {
        let project = super::project(&[]).pipes(&["go"]);
        let lines = "tests/test_basic.py ....................................... [ 31%]\n\
                     tests/test_types.py ............................................................ [ 58%]";
        let script = format!("echo '{lines}'; read go < go");
        project.write("test.sh", script);
        let verify = "sh test.sh --quiet --color no -- tests/test_basic.py tests/test_types.py";
        project.add("002_show-what-runs", task().verify(verify));
        let terminal = Terminal::start(&project, &["build", "--agent", AGENT], width, &[]);
        let drawn = terminal.drawn(
            |text| text.contains("VERIFY") && text.contains("test_types.py ."),
            |screen, text| svg(screen, text, width),
        );
        let name = format!("live-{width}.svg");
        if redrawn(&name, &drawn) {
            stale.push(name);
        }
        go(&project);
        assert_eq!(terminal.end().0, Some(0));
    }
    assert!(stale.is_empty(), "redrawn, look at them: {stale:?}");
}
