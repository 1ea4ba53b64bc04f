//! The lines of `go test`, each with the package and the test that it belongs to.

use std::borrow::Cow;

use serde::Deserialize;

use crate::constants::ConstPattern;

static RESULT: ConstPattern = ConstPattern::new(r"^\s*--- (FAIL|PASS|SKIP): (\S+)");
static NOW_RUNNING: ConstPattern = ConstPattern::new(r"^=== (?:RUN|NAME|CONT)\s+(\S+)$");
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
    output: Option<String>,
}

/// The lines as they would be without `-json`.
pub(super) fn go_lines<'a>(lines: &[&'a str]) -> Vec<GoLine<'a>> {
    let events: Vec<GoLine<'a>> =
        lines.iter().enumerate().filter_map(|(at, line)| event(line, at)).collect();
    let mut found = match events.is_empty() {
        true => lines
            .iter()
            .enumerate()
            .map(|(at, line)| GoLine::new(Cow::Borrowed(*line), at))
            .collect(),
        false => events,
    };
    name_packages(&mut found);
    name_tests(&mut found);
    found
}

fn event<'a>(line: &str, at: usize) -> Option<GoLine<'a>> {
    let event: Event = line.starts_with("{\"").then(|| serde_json::from_str(line).ok())??;
    let is_output = matches!(event.action.as_str(), "output" | "build-output");
    let text = event.output.filter(|_| is_output)?.trim_end().to_owned();
    Some(GoLine { package: event.package, ..GoLine::new(Cow::Owned(text), at) })
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
}

fn name_tests(lines: &mut [GoLine<'_>]) {
    let mut test: Option<String> = None;
    for line in lines {
        if let Some(parts) = NOW_RUNNING.captures(&line.text) {
            test = Some(parts[1].to_owned());
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
