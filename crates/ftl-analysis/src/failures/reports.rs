//! Reports of tests that programs read: JUnit's XML, which most runners can write, and CTRF's JSON.
//!
//! A report names what failed, also what no reporter prints. Where the output names the same test too, its reader
//! knows more: the name as the runner takes it, and the lines that belong to it.

use ftl_model::RunFailure;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use serde::Deserialize;

use super::draft::{Draft, dedented};
use super::source_line::{SourceLine, is_frame};
use super::{FoundFailure, MAX_FAILURES, go, jvm, pytest, traceback};
use crate::constants::ConstPattern;

/// Names of suites around a test case.
const MAX_DEPTH: usize = 64;
/// Lines of a failure that are read, and those of its message.
const MAX_LINES: usize = 2_000;
const MAX_MESSAGE: usize = 200;

/// A place alone.
static HEAD: ConstPattern = ConstPattern::new(r"^\S+\.\w+:\d+$");

/// A test case of JUnit's that failed.
#[derive(Default)]
struct Case {
    /// Names of the suites around it, from the outermost to its own.
    suites: Vec<String>,
    name: String,
    class: String,
    /// Its file, or that of its suite.
    file: Option<String>,
    line: Option<String>,
    has_failed: bool,
    message: String,
    text: String,
}

#[derive(Deserialize)]
struct Ctrf {
    results: CtrfResults,
}

#[derive(Deserialize)]
struct CtrfResults {
    tests: Vec<CtrfTest>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CtrfTest {
    name: String,
    status: String,
    message: Option<String>,
    #[serde(default)]
    trace: String,
    file_path: Option<String>,
    line: Option<u32>,
}

/// What failed by a report of `command`; nothing where the text is none. `exists` says whether a path is a file of the
/// project.
#[must_use]
pub fn reported(text: &str, command: &str, exists: impl Fn(&str) -> bool) -> Vec<FoundFailure> {
    let directory = super::locate::directory_of(command);
    let below = |path: &str| match &directory {
        Some(directory) => exists(&format!("{directory}/{path}")),
        None => exists(path),
    };
    let mut drafts = Vec::new();
    if let Ok(Ctrf { results }) = serde_json::from_str(text) {
        drafts.extend(results.tests.into_iter().filter(|it| it.status == "failed").map(of_ctrf));
    } else if let Some(start) = text.find("<testsuite") {
        // What tests print comes first where the report is the output itself.
        drafts.extend(cases(&text[start..]).iter().map(|case| of_case(case, &below)));
        leave_out_sums(&mut drafts);
    }
    drafts
        .into_iter()
        .take(MAX_FAILURES)
        .map(|draft| {
            let (failure, origin) = draft.finish(directory.as_deref());
            FoundFailure { failure, origin, ..FoundFailure::default() }
        })
        .collect()
}

/// The test cases that failed, as far as a report can be read.
fn cases(xml: &str) -> Vec<Case> {
    let mut reader = Reader::from_str(xml);
    let mut suites: Vec<(String, Option<String>)> = Vec::new();
    let (mut case, mut is_said) = (Case::default(), false);
    let mut failed = Vec::new();
    while failed.len() < MAX_FAILURES {
        let event = match reader.read_event() {
            Ok(Event::Eof) | Err(_) => break,
            Ok(event) => event,
        };
        let is_start = matches!(event, Event::Start(_));
        match event {
            Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                "testsuites" | "testsuite" if is_start => {
                    suites.push((value(&tag, "name").unwrap_or_default(), value(&tag, "file")));
                }
                "testcase" => case = Case::of(&tag, &suites),
                "failure" | "error" if !case.has_failed => {
                    case.has_failed = true;
                    case.message = value(&tag, "message").unwrap_or_default();
                    is_said = is_start;
                }
                _ => {}
            },
            Event::End(tag) => match tag.name().as_ref() {
                "testsuites" | "testsuite" => drop(suites.pop()),
                "testcase" => failed.extend(Some(std::mem::take(&mut case)).filter(Case::counts)),
                "failure" | "error" => is_said = false,
                _ => {}
            },
            Event::Text(text) if is_said => case.text.push_str(&text.xml10_content()),
            Event::CData(text) if is_said => case.text.push_str(&text.xml10_content()),
            Event::GeneralRef(name) if is_said => match name.resolve_char_ref() {
                Ok(Some(c)) => case.text.push(c),
                _ => case.text.push_str(resolve_xml_entity(&name).unwrap_or_default()),
            },
            _ => {}
        }
    }
    failed
}

fn value(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).ok()??;
    Some(attribute.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
}

impl Case {
    fn of(tag: &BytesStart<'_>, suites: &[(String, Option<String>)]) -> Self {
        let around = || suites.last().and_then(|(_, file)| file.clone());
        Self {
            suites: suites.iter().take(MAX_DEPTH).map(|(name, _)| name.clone()).collect(),
            name: value(tag, "name").unwrap_or_default().trim().to_owned(),
            class: value(tag, "classname").unwrap_or_default(),
            file: value(tag, "file").or_else(around),
            line: value(tag, "line"),
            ..Self::default()
        }
    }

    /// Whether it is a failure: what a test printed in the form of Go's results is in gotestsum's report too, but never
    /// ran, or has no result.
    fn counts(&self) -> bool {
        let is_printed = self.text.contains("--- FAIL: ") && !self.text.contains("=== RUN ");
        let is_running = self.text.starts_with("=== RUN ") && self.text.trim().lines().count() == 1;
        self.has_failed && !is_printed && !is_running
    }
}

/// A test of Go that only sums up those within it says nothing.
fn leave_out_sums(drafts: &mut Vec<Draft>) {
    let names: Vec<String> = drafts.iter().filter_map(|draft| draft.test.clone()).collect();
    drafts.retain(|draft| {
        let within = draft.test.as_ref().map(|test| format!("{test}/"));
        draft.place.is_some()
            || within.is_none_or(|within| names.iter().all(|name| !name.starts_with(&within)))
    });
}

fn of_ctrf(test: CtrfTest) -> Draft {
    let place = test.file_path.as_deref().and_then(|path| match test.line {
        Some(line) => SourceLine::new(path, &line.to_string()),
        None => SourceLine::file(path),
    });
    let body: Vec<&str> = test.trace.lines().collect();
    let place = raised_at(&body).or(place);
    let given = dedented(test.message.iter().flat_map(|it| it.lines()));
    let message = if given.is_empty() { said(&body, &test.name) } else { given };
    let message = if message.is_empty() { test.name.clone() } else { message };
    let origin = test.file_path.map(|path| match test.line {
        Some(line) => format!("{path}:{line}"),
        None => path,
    });
    Draft { test: Some(test.name), place, message, origin, ..Draft::default() }
}

fn of_case(case: &Case, exists: &dyn Fn(&str) -> bool) -> Draft {
    let body: Vec<&str> = case.text.lines().map(str::trim_end).take(MAX_LINES).collect();
    let named = case.file.as_ref().and_then(|file| match &case.line {
        Some(line) => SourceLine::new(file, line),
        None => SourceLine::file(file),
    });
    let marked = pytest::marked(&body);
    // Go's text is the output of the test.
    let is_of_go = case.text.contains("--- FAIL: ");
    let printed = if is_of_go { go::failures(&body) } else { Vec::new() };
    let printed = printed.into_iter().find(|it| it.test.as_ref() == Some(&case.name));
    let (place, message) = match (printed, marked.is_empty()) {
        (Some(draft), _) => (draft.place, draft.message),
        (None, false) => (pytest::place(&body), marked),
        (None, true) => {
            let given: Vec<&str> = case.message.lines().collect();
            let message = said(&given, &case.name);
            let place = raised_at(&body);
            (place, if message.is_empty() { said(&body, &case.name) } else { message })
        }
    };
    let message = if message.is_empty() { case.name.clone() } else { message };
    Draft {
        test: Some(name(case, exists)),
        place: place.or(named),
        message,
        origin: case.file.clone().or_else(|| Some(case.class.clone())),
        ..Draft::default()
    }
}

/// The name as the runner takes it, by the form that its writer gives classes.
fn name(case: &Case, exists: &dyn Fn(&str) -> bool) -> String {
    let (class, name) = (case.class.as_str(), case.name.as_str());
    let suite = case.suites.last().map_or("", String::as_str);
    let parts: Vec<&str> = match class.is_empty() {
        // pytest: a file that could not be imported.
        true => name.split('.').collect(),
        false => class.split('.').chain([name]).collect(),
    };
    let file = (1..=parts.len()).rev().find_map(|end| {
        let file = format!("{}.py", parts[..end].join("/"));
        exists(&file).then_some((end, file))
    });
    let is_word = |it: &str| it.chars().all(|c| c.is_alphanumeric() || "_$".contains(c));
    let method = name.trim_end_matches("()");
    let is_class = suite == class || suite.starts_with("JUnit ");
    let simple = class.rsplit('.').next().unwrap_or_default();
    let is_in = |endings: &[&str]| {
        let file = case.file.as_deref().unwrap_or_default();
        endings.iter().any(|it| file.ends_with(it))
    };
    match file {
        // `tests.test_cart.TestCart` is a file and the classes in it.
        Some((end, file)) if suite.starts_with("pytest") => {
            [&[file.as_str()], &parts[end..]].concat().join("::")
        }
        Some(_) => parts.join("."),
        None if is_in(&[".php"]) => format!("{class}::{name}"),
        // node and Bun: suites within suites.
        None if class == "test" || is_class && is_in(&["js", "ts", "jsx", "tsx"]) => {
            let suites = case.suites.iter().skip(1).map(String::as_str);
            let titles = suites.filter(|it| !it.is_empty() && !it.contains('/'));
            titles.chain([name]).collect::<Vec<_>>().join(" > ")
        }
        None if suite == "Mocha Tests" && !class.is_empty() => format!("{class} > {name}"),
        None if is_class && case.suites.first().is_some_and(|it| it == "AllTests") => {
            format!("{class}.{name}")
        }
        // A method of Java's, whose classes begin with a capital.
        None if is_class && is_word(method) && simple.starts_with(char::is_uppercase) => {
            format!("{class}#{method}")
        }
        None => name.to_owned(),
    }
}

/// Where a test's own text says that it was raised, in the project's own code.
fn raised_at(body: &[&str]) -> Option<SourceLine> {
    let place = body.iter().find_map(|line| jvm::frame(line)).or_else(|| traceback::deepest(body));
    let place = place.or_else(|| SourceLine::framed(body));
    place.or_else(|| body.iter().find_map(|line| SourceLine::beside_code(line)))
}

/// A text until its frames, without the name or place above it.
fn said(body: &[&str], name: &str) -> String {
    let is_of_stack = |line: &&&str| {
        is_frame(line) || line.trim_start().starts_with("File \"") || jvm::frame(line).is_some()
    };
    let is_head = |line: &&&str| line.is_empty() || line.ends_with(name) || HEAD.is_match(line);
    let below = body.iter().skip_while(is_head).take(MAX_MESSAGE).take_while(|it| !is_of_stack(it));
    traceback::raised(body).unwrap_or_else(|| dedented(below.copied()))
}

/// What the output says of failures, and reports beyond it. Of a run of which reports name the failures, a failure
/// without test and place was a guess.
#[must_use]
pub fn with_reported(
    mut found: Vec<FoundFailure>,
    reported: Vec<FoundFailure>,
) -> Vec<FoundFailure> {
    if !reported.is_empty() {
        found.retain(|it| it.runner.is_some() || it.failure.path.is_some());
    }
    let from_output = found.len();
    let mut used = vec![false; from_output];
    for report in reported {
        let same = |likeness: Likeness| {
            (0..from_output).find(|&at| !used[at] && likeness(&found[at].failure, &report.failure))
        };
        match same(says_the_same).or_else(|| same(has_the_name)) {
            Some(at) => {
                used[at] = true;
                let known = &mut found[at].failure;
                if known.path.is_none() {
                    (known.path, known.line) = (report.failure.path, report.failure.line);
                }
            }
            None if found.len() >= MAX_FAILURES || found.contains(&report) => {}
            None => found.push(report),
        }
    }
    found
}

type Likeness = fn(&RunFailure, &RunFailure) -> bool;

/// The words of a name: reporters put titles together in their own ways.
fn words(failure: &RunFailure) -> String {
    let name = failure.test.clone().unwrap_or_default();
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    words.fold(String::from(" "), |all, word| all + word + " ")
}

/// A name that is a part of the other, and the same message.
fn says_the_same(a: &RunFailure, b: &RunFailure) -> bool {
    let first = |it: &RunFailure| it.message.lines().next().unwrap_or_default().trim().to_owned();
    let (names, says) =
        ([words(a), words(b)], a.message.contains(&first(b)) || b.message.contains(&first(a)));
    let is_part = names[0].ends_with(&names[1]) || names[1].ends_with(&names[0]);
    says && is_part && names.iter().all(|it| it != " ") && has_the_path(a, b)
}

fn has_the_name(a: &RunFailure, b: &RunFailure) -> bool {
    words(a) == words(b) && has_the_path(a, b)
}

fn has_the_path(a: &RunFailure, b: &RunFailure) -> bool {
    a.path
        .as_ref()
        .zip(b.path.as_ref())
        .is_none_or(|(a, b)| a.ends_with(b.as_str()) || b.ends_with(a.as_str()))
}
