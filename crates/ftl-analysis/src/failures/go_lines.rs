//! The lines of `go test`, each with the package and the test that it belongs to.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::Deserialize;

use crate::constants::ConstPattern;

static RESULT: ConstPattern = ConstPattern::new(r"^\s*--- (FAIL|PASS|SKIP): (\S+)");
static NOW_RUNNING: ConstPattern = ConstPattern::new(r"^=== (?:RUN|NAME|CONT)\s+(\S+)$");
/// gotestsum: the package's directory, then the test.
static CLOSING: ConstPattern = ConstPattern::new(r"^=== FAIL: (\S+) (\S+) \([\d.]+s\)");
static PACKAGE: ConstPattern = ConstPattern::new(r"^(?:FAIL|ok {2}|\?   |---)\t(\S+)(?:\t| \[|$)");

/// A line of the run.
pub(super) struct GoLine<'a> {
    pub(super) text: Cow<'a, str>,
    /// Its line of the output.
    pub(super) at: usize,
    pub(super) package: Option<String>,
    /// The test that printed it.
    pub(super) test: Option<String>,
    /// It is the result of a test.
    pub(super) result: Option<String>,
    /// It is the result of this test, which failed.
    pub(super) failed: Option<String>,
    /// It is the result of this package.
    pub(super) ends: Option<String>,
}

/// An event of `go test -json`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    package: Option<String>,
    test: Option<String>,
    output: Option<String>,
}

/// The lines as they would be without `-json`.
pub(super) fn go_lines<'a>(lines: &[&'a str]) -> Vec<GoLine<'a>> {
    let events = events(lines);
    if !events.is_empty() {
        return events;
    }
    // gotestsum reports again what failed, below its list.
    let from = lines.iter().rposition(|line| *line == "=== Failed").unwrap_or(0);
    let plain = lines.iter().enumerate().skip(from);
    let mut found: Vec<GoLine<'a>> =
        plain.map(|(at, line)| GoLine::new(Cow::Borrowed(*line), at)).collect();
    if from > 0 {
        found.retain(|line| line.result.is_none() || CLOSING.is_match(&line.text));
    }
    leave_out_printed(&mut found, &started(lines));
    name_packages(&mut found);
    name_tests(&mut found);
    found
}

/// The tests that `-v` reports as started.
fn started<'a>(lines: &[&'a str]) -> HashSet<&'a str> {
    let name = |line: &&'a str| Some(NOW_RUNNING.captures(line)?.get(1)?.as_str());
    lines.iter().filter_map(name).collect()
}

/// What a test printed in the form of a result is none: with `-v` of tests that did not start, and of packages in the
/// midst of a test.
fn leave_out_printed(lines: &mut [GoLine<'_>], started: &HashSet<&str>) {
    let has_started =
        |line: &GoLine<'_>| line.result.as_deref().is_some_and(|it| started.contains(it));
    // Without `-v` a test may print that another one starts.
    let is_verbose = lines.iter().any(has_started);
    for at in 0..lines.len() {
        let is_end = |text: &str| {
            text.is_empty()
                || ["FAIL", "PASS", "exit status ", "coverage: ", "Found "]
                    .iter()
                    .any(|it| text.starts_with(it))
        };
        let follows = at.checked_sub(1).is_some_and(|above| !is_end(&lines[above].text));
        let line = &mut lines[at];
        if is_verbose && line.result.is_some() && !has_started(line) {
            // gotestsum has a block for each test, also for one that was printed.
            line.result = line.result.take().filter(|_| CLOSING.is_match(&line.text));
            line.failed = None;
        }
        if follows && line.text.starts_with("FAIL\t") && !line.text.ends_with(']') {
            line.ends = None;
        }
    }
}

/// What a test printed in the form of a result becomes an event too, and the lines below it become those of a test
/// that never ran: they belong to the test that is running.
fn events<'a>(lines: &[&str]) -> Vec<GoLine<'a>> {
    let parsed = |(at, line): (usize, &&str)| {
        let event: Event = line.starts_with("{\"").then(|| serde_json::from_str(line).ok())??;
        Some((at, event))
    };
    let events: Vec<(usize, Event)> = lines.iter().enumerate().filter_map(parsed).collect();
    let of = |actions: &[&str]| -> HashSet<(Option<String>, String)> {
        let events = events.iter().filter(|(_, it)| actions.contains(&it.action.as_str()));
        events.filter_map(|(_, it)| Some((it.package.clone(), it.test.clone()?))).collect()
    };
    let (ran, ended) = (of(&["run"]), of(&["pass", "fail", "skip"]));
    let mut running = None;
    let mut found = Vec::new();
    for (at, mut event) in events {
        let key = event.test.clone().map(|test| (event.package.clone(), test));
        let is_real = key.as_ref().is_some_and(|it| ran.contains(it) && ended.contains(it));
        match event.action.as_str() {
            "run" if is_real => running = key,
            "pass" | "fail" | "skip" if running == key => running = None,
            "fail" if key.is_some() && !is_real && !ran.is_empty() => continue,
            "output" if !is_real => {
                let current = running.as_ref().filter(|(package, _)| *package == event.package);
                event.test = current.map(|(_, test)| test.clone()).or(event.test);
            }
            _ => {}
        }
        found.extend(of_event(event, at));
    }
    found
}

fn of_event<'a>(event: Event, at: usize) -> Option<GoLine<'a>> {
    let failed = event.test.clone().filter(|_| event.action == "fail");
    let is_output = matches!(event.action.as_str(), "output" | "build-output");
    let text = match (&failed, event.output) {
        (Some(name), _) => format!("--- FAIL: {name}"),
        (None, Some(output)) if is_output => output.trim_end().to_owned(),
        _ => return None,
    };
    // Events say what failed: a result in what a test printed is none.
    let line = GoLine::new(Cow::Owned(text), at);
    let is_frame = line.result.is_some() && failed.is_none() || NOW_RUNNING.is_match(&line.text);
    let test = event.test.filter(|_| !is_frame || line.result.is_some() && line.result != failed);
    let ends = line.ends.clone().filter(|ends| Some(ends) == event.package.as_ref());
    Some(GoLine { package: event.package, test, result: failed.clone(), failed, ends, ..line })
}

impl<'a> GoLine<'a> {
    fn new(text: Cow<'a, str>, at: usize) -> Self {
        let verdict =
            RESULT.captures(&text).map(|parts| (parts[2].to_owned(), &parts[1] == "FAIL"));
        let (result, failed) = match verdict {
            Some((name, true)) => (Some(name.clone()), Some(name)),
            Some((name, false)) => (Some(name), None),
            None => (None, None),
        };
        if let Some(parts) = CLOSING.captures(&text) {
            let (package, name) = (Some(parts[1].to_owned()), Some(parts[2].to_owned()));
            return Self {
                text,
                at,
                package,
                test: None,
                result: name.clone(),
                failed: name,
                ends: None,
            };
        }
        let ends = PACKAGE.captures(&text).map(|parts| parts[1].to_owned());
        Self { text, at, package: None, test: None, result, failed, ends }
    }
}

/// The result of a package is below the lines of its tests.
fn name_packages(lines: &mut [GoLine<'_>]) {
    let mut package: Option<String> = None;
    for line in lines.iter_mut().rev() {
        if let Some(ends) = &line.ends {
            package = Some(ends.clone());
        }
        line.package = line.package.take().or_else(|| package.clone());
    }
    // gotestsum names the package above.
    for at in 1..lines.len() {
        if lines[at].package.is_none() {
            lines[at].package = lines[at - 1].package.clone();
        }
    }
}

fn name_tests(lines: &mut [GoLine<'_>]) {
    let mut test: Option<String> = None;
    let results: HashSet<String> = lines.iter().filter_map(|line| line.result.clone()).collect();
    let last =
        lines.iter().rev().find_map(|line| Some(NOW_RUNNING.captures(&line.text)?[1].to_owned()));
    for line in lines {
        if let Some(parts) = NOW_RUNNING.captures(&line.text) {
            let name = &parts[1];
            // One without a result was printed, unless it is still running at the end.
            if results.contains(name) || last.as_deref() == Some(name) {
                test = Some(name.to_owned());
            }
        } else if line.ends.is_some()
            || matches!(line.text.as_ref(), "FAIL" | "PASS")
            || line.text.starts_with("exit status ")
        {
            test = None;
        } else {
            if line.result.is_some() {
                test.clone_from(&line.result);
            }
            line.test.clone_from(&test);
        }
    }
}
