//! Runners that passed without the summary that they always print: a test that ends the process early, as
//! `os._exit(0)` does, ends the runner too.

use crate::constants::ConstPattern;
use crate::diagnosis::plain_text;
use crate::shell::parse;
use crate::shell::program::{Program, program};
use crate::shell::syntax::{Body, Command, Pipeline, Script};

/// A runner, and the patterns of which its output always holds one, once for each run at least.
struct Customary {
    runner: &'static str,
    is: fn(&Program<'_>) -> bool,
    summary: &'static [&'static str],
}

/// What npm and its like print of a script before they run it.
const SCRIPT: &str = r"(?m)^(?:> \S+ \S+.*\n> |\$ )(?<command>.+)$";

/// What each test binary of cargo prints before its tests.
const BINARY: &str = r"(?m)^running \d+ tests?$";

/// Options with which a runner writes in another form, or elsewhere.
const FORM_OPTIONS: [&str; 12] = [
    "report",
    "format",
    "json",
    "quiet",
    "silent",
    "output",
    "collect-only",
    "--co",
    "-qq",
    "--version",
    "--help",
    "teamcity",
];

const CUSTOMARY: [Customary; 14] = [
    Customary {
        runner: "pytest",
        is: |it| matches!(it.name, "pytest" | "py.test"),
        summary: &[
            r"(?m)^(?:=+ )?(?:\d+ \w+(?:, \d+ \w+)*|no tests ran) in [\d.]+",
            r"(?m)\[100%\]$",
        ],
    },
    Customary {
        runner: "unittest",
        is: |it| it.name == "unittest",
        summary: &[r"(?m)^Ran \d+ tests? in |^NO TESTS RAN"],
    },
    Customary {
        runner: "django",
        is: |it| it.name == "python" && it.arguments.starts_with(&["manage.py", "test"]),
        summary: &[r"(?m)^Ran \d+ tests? in "],
    },
    Customary {
        runner: "jest",
        is: |it| it.name == "jest",
        summary: &[r"(?m)^Tests: |^No tests found|^No files found"],
    },
    Customary {
        runner: "vitest",
        is: |it| it.name == "vitest",
        summary: &[r"(?m)^\s+Tests +|^\s*No test files found"],
    },
    Customary {
        runner: "mocha",
        is: |it| it.name == "mocha",
        summary: &[r"(?m)^\s*\d+ passing", r"(?m)^\d+\.\.\d+", r"(?m)^# pass"],
    },
    Customary {
        runner: "cargo test",
        is: |it| {
            it.name == "cargo" && it.arguments.first().is_some_and(|it| matches!(*it, "test" | "t"))
        },
        summary: &[r"(?m)^test result: "],
    },
    Customary {
        runner: "cargo nextest",
        is: |it| it.name == "cargo" && it.arguments.starts_with(&["nextest", "run"]),
        summary: &[r"(?m)^\s*Summary \[|no tests to run"],
    },
    Customary {
        runner: "go test",
        is: |it| it.name == "go" && it.arguments.first() == Some(&"test"),
        summary: &[r#"(?m)^(?:ok|FAIL|---|\?)\s|^PASS$|\[no test files\]|no test files|"Action":"#],
    },
    Customary {
        runner: "node --test",
        is: |it| it.name == "node" && it.arguments.first() == Some(&"--test"),
        summary: &[r"(?m)^[#ℹ] tests \d"],
    },
    Customary {
        runner: "rspec",
        is: |it| it.name == "rspec",
        summary: &[r"(?m)^\d+ examples?, |^No examples found"],
    },
    Customary {
        runner: "phpunit",
        is: |it| it.name == "phpunit",
        summary: &[r"(?m)^OK|^Tests: |^No tests executed"],
    },
    Customary {
        runner: "ctest",
        is: |it| it.name == "ctest",
        summary: &[r"(?m)\d+% tests passed|^No tests were found"],
    },
    Customary {
        runner: "nose2",
        is: |it| it.name == "nose2",
        summary: &[r"(?m)^Ran \d+ tests? in "],
    },
];

/// The runner in `command`, or in a script that it runs, whose summary is not in `output` as often as it ran, although
/// nothing redirects what it prints.
#[must_use]
pub fn missing_summary(command: &str, output: &str) -> Option<&'static str> {
    let text = plain_text(output);
    let scripts = ConstPattern::new(SCRIPT);
    let scripts = scripts.captures_iter(&text).filter_map(|it| Some(it.name("command")?.as_str()));
    let found = std::iter::once(command).chain(scripts).find_map(|it| without_summary(it, &text));
    let summaries = |pattern: &'static str| ConstPattern::new(pattern).find_iter(&text).count();
    let is_cut = || summaries(BINARY) > summaries(r"(?m)^test result: ");
    found.or_else(|| is_cut().then_some("cargo test"))
}

fn without_summary(command: &str, text: &str) -> Option<&'static str> {
    let script = parse(command)?;
    let ran: Vec<&Customary> = shown_commands(&script).into_iter().filter_map(customary).collect();
    let count = |pattern: &&'static str| ConstPattern::new(pattern).find_iter(text).count();
    let missing = |it: &&&Customary| {
        let runs = ran.iter().filter(|other| other.runner == it.runner).count();
        it.summary.iter().map(count).max() < Some(runs)
    };
    ran.iter().find(missing).map(|it| it.runner)
}

fn customary(command: &Command) -> Option<&'static Customary> {
    let program = program(command.words())?;
    let changes_form = |argument: &&str| {
        argument.starts_with('-') && FORM_OPTIONS.iter().any(|option| argument.contains(option))
            || *argument == "-R"
    };
    let counts_q = program.arguments.iter().filter(|it| **it == "-q").count();
    if program.arguments.iter().any(changes_form) || counts_q > 1 {
        return None;
    }
    CUSTOMARY.iter().find(|it| (it.is)(&program))
}

/// The simple commands that certainly run when the script passes, and whose output nothing takes.
fn shown_commands(script: &Script) -> Vec<&Command> {
    let mut found = Vec::new();
    for list in &script.lists {
        let pipelines = std::iter::once(&list.first).chain(
            list.rest
                .iter()
                .take_while(|(joint, _)| *joint == crate::shell::syntax::Joint::And)
                .map(|(_, it)| it),
        );
        for pipeline in pipelines {
            found.extend(shown(pipeline));
        }
    }
    found
}

fn shown(pipeline: &Pipeline) -> Vec<&Command> {
    match pipeline.commands.as_slice() {
        [command]
            if command
                .redirects
                .iter()
                .all(|it| it.target.text == "1" || it.target.text == "2") =>
        {
            match &command.body {
                Body::Simple { inner: Some(inner), .. } => shown_commands(&inner.script),
                Body::Simple { .. } => vec![command],
                Body::Group(script) | Body::Subshell(script) => shown_commands(script),
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}
