//! `go test`, `go build` and `go vet`, plain, verbose and as JSON.
//!
//! Go prints a test's messages before or after its verdict, and between those of other tests, so that
//! a message belongs to a failure only if the test that it was printed for failed. What the compiler
//! says comes first: no test ran then.

use std::collections::HashSet;

use serde::Deserialize;

use super::super::shape::is_noise;
use crate::constants::ConstPattern;

static VERDICT: ConstPattern = ConstPattern::new(r"^\s*--- (FAIL|PASS|SKIP): (\S+)");
static NOW_RUNNING: ConstPattern = ConstPattern::new(r"^=== (?:RUN|NAME|CONT)\s+(\S+)$");
static MESSAGE: ConstPattern = ConstPattern::new(r"^\s+([^\s:]+\.go:\d+):(?: (.*))?$");
static CRASH: ConstPattern =
    ConstPattern::new(r"^((?:panic: |fatal error: |WARNING: DATA RACE).*?)(?: \[recovered.*\])?$");
/// What the compiler says; without a column it would be what a program logged.
static BUILD: ConstPattern = ConstPattern::new(r"^(?:vet: )?[^\s:]+\.go:\d+:\d+: ");
static MARK: ConstPattern =
    ConstPattern::new(r"^(?:\s*--- FAIL: |FAIL(?:\t|$)|goroutine \d+ |exit status 2$)");

/// Lines of one message that spreads over several.
const MAX_JOINED: usize = 8;

/// Messages of the tests that failed, panics, and what the compiler and `vet` said.
///
/// Without `-v` the messages follow `--- FAIL`; with it they come before, below `=== RUN`. A test
/// that failed without a word gives its `--- FAIL` line. What `-json` wraps is unwrapped first.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let unwrapped: String = lines.iter().filter_map(|line| unwrapped(line)).collect();
    match unwrapped.is_empty() {
        true => messages_in(lines),
        false => messages_in(&unwrapped.lines().collect::<Vec<_>>()),
    }
}

/// A line of `go test -json`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Wrapped {
    action: String,
    output: String,
}

fn unwrapped(line: &str) -> Option<String> {
    let event = line.starts_with("{\"").then(|| serde_json::from_str::<Wrapped>(line).ok())??;
    matches!(event.action.as_str(), "output" | "build-output").then_some(event.output)
}

fn messages_in(lines: &[&str]) -> Vec<String> {
    let built: Vec<String> = owned(lines, |line| BUILD.is_match(line));
    if !built.is_empty() {
        return built;
    }
    if !lines.iter().any(|line| MARK.is_match(line)) {
        return Vec::new();
    }
    let said = said_by_failing_tests(lines);
    if !said.is_empty() {
        return said;
    }
    let silent = owned(lines, |line| line.trim_start().starts_with("--- FAIL: "));
    match silent.is_empty() {
        true => said_before_exit(lines).into_iter().collect(),
        false => silent,
    }
}

/// The last words of a package that failed outside of its tests.
fn said_before_exit(lines: &[&str]) -> Option<String> {
    let end = lines.iter().position(|line| line.starts_with("FAIL\t"))?;
    let said = lines[..end].iter().rev().find(|line| !is_noise(line))?;
    Some((*said).to_owned())
}

fn owned(lines: &[&str], keep: impl Fn(&str) -> bool) -> Vec<String> {
    let kept = lines.iter().filter(|line| keep(line));
    kept.map(|line| (*line).to_owned()).collect()
}

fn said_by_failing_tests(lines: &[&str]) -> Vec<String> {
    let failing: HashSet<&str> = lines
        .iter()
        .filter_map(|line| VERDICT.captures(line))
        .filter(|parts| &parts[1] == "FAIL")
        .filter_map(|parts| parts.get(2))
        .map(|name| name.as_str())
        .collect();
    let mut test_fails = false;
    let mut said = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(parts) = VERDICT.captures(line) {
            test_fails = &parts[1] == "FAIL";
        } else if let Some(parts) = NOW_RUNNING.captures(line) {
            test_fails = failing.contains(&parts[1]);
        } else if let Some(parts) = CRASH.captures(line) {
            said.push(parts[1].to_owned());
        } else if test_fails {
            said.extend(message_at(lines, at));
        }
    }
    said
}

/// The message that starts at line `at`: `file.go:7: text`, or an example's `got:` and `want:`.
fn message_at(lines: &[&str], at: usize) -> Option<String> {
    if lines[at] == "got:" {
        return Some(joined(lines[at..].iter().map(|line| line.trim())));
    }
    let parts = MESSAGE.captures(lines[at])?;
    let place = &parts[1];
    match parts.get(2).map_or("", |text| text.as_str().trim()) {
        "" => {
            let below = lines[at + 1..].iter().map(|line| line.trim());
            Some(format!("{place}: {}", joined(assertion(below))))
        }
        text => Some(format!("{place}: {text}")),
    }
}

/// The lines of a table such as testify's that say what was wrong, without its labels.
fn assertion<'a>(below: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    below
        .skip_while(|line| line.is_empty() || line.starts_with("Error Trace:"))
        .take_while(|line| !line.starts_with("Test:") && !line.starts_with("Messages:"))
        .map(|line| line.strip_prefix("Error:").unwrap_or(line).trim())
}

fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let whole: Vec<&str> = lines
        .take_while(|line| !line.starts_with("--- ") && !line.starts_with("=== "))
        .take_while(|line| *line != "FAIL" && !line.starts_with("FAIL\t"))
        .filter(|line| !line.is_empty())
        .take(MAX_JOINED)
        .collect();
    whole.join(" ")
}
