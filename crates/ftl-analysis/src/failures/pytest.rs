//! pytest: a section for each failure below `FAILURES` and `ERRORS`, and the short summary, which has the names as
//! pytest takes them. A section's heading has the name without its file.

use std::ops::Range;

use super::draft::{Draft, dedented, spans};
use super::source_line::SourceLine;
use super::traceback;
use crate::constants::ConstPattern;
use crate::diagnosis::is_between;

static REPORT: ConstPattern = ConstPattern::new(r"^=+ (?:FAILURES|ERRORS) =+$");
static RULE: ConstPattern = ConstPattern::new(r"^[=!]{3,}(?: .* [=!]{2,})?$");
static HEADING: ConstPattern = ConstPattern::new(r"^_+ (.*[^_ ].*) _+$");
/// What a test printed: no part of its message.
static CAPTURED: ConstPattern = ConstPattern::new(
    r"^-{3,} .*(?:Captured|captured|stdout|stderr|generated xml|benchmark).* -{3,}$",
);
static SUMMARY: ConstPattern = ConstPattern::new(
    r"^(?:FAILED|ERROR|(?:SUBFAIL(?:ED)?)(?:\[.*\])?(?: \(.*?\))?) (\S+?\.(?:py|pyi|pyx|txt|rst|md|ipynb)\b(?:::.*|/.*)?(?: - .*)?)$",
);
/// Verbose progress: the name before its result, with xdist behind it.
static PROGRESS: ConstPattern = ConstPattern::new(
    r"^(?:(?:\[gw\d+\])? ?(?:\[ *\d+%\] )?(?:FAILED|ERROR) (\S+\.py::.*?)|(\S+\.py::.*?) (?:FAILED|ERROR))(?:\s+\[ *\d+%\])?$",
);
static WHERE: ConstPattern = ConstPattern::new(r"^(\S[^:]*\.\w+):(\d+):(?: (.*))?$");
static FIXTURE: ConstPattern = ConstPattern::new(r"^file (\S.*), line (\d+)$");
static ERROR_LINE: ConstPattern = ConstPattern::new(r"^E(?:[ \t]+(.*))?$");
/// xdist's: the section of a process that ended is its file's.
static CRASHED: ConstPattern =
    ConstPattern::new(r"^worker '\w+' crashed while running '([^':]+)::(.+)'$");
static SYNTAX_FILE: ConstPattern = ConstPattern::new(r#"^\s*File "([^"]+)", line (\d+)"#);

/// Names as pytest takes them, each used once.
struct Names<'a> {
    summary: Vec<Option<(&'a str, usize)>>,
    progress: Vec<&'a str>,
}

/// Failed tests, tests that could not be set up, and files that could not be collected.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let mut names = Names::of(lines);
    let reports: Vec<usize> = (0..lines.len()).filter(|&at| REPORT.is_match(lines[at])).collect();
    let mut drafts = Vec::new();
    for &report in &reports {
        let length = lines[report + 1..].iter().position(|line| RULE.is_match(line));
        let end = length.map_or(lines.len(), |length| report + 1 + length);
        drafts.extend(sections(lines, report + 1..end, &mut names));
    }
    if reports.is_empty() {
        drafts.extend(of_configuration(lines));
    }
    drafts.extend(names.unused().into_iter().map(|(name, at)| of_summary(name, at)));
    drafts
}

/// A `conftest.py` that could not be loaded: frames and a message without a section.
fn of_configuration(lines: &[&str]) -> Option<Draft> {
    let start = lines.iter().position(|line| line.contains("while loading conftest"))?;
    let body = &lines[start + 1..];
    let length = body.iter().take_while(|line| !RULE.is_match(line)).count();
    let message = marked(&body[..length]);
    let message = if message.is_empty() { lines[start].to_owned() } else { message };
    let place = place(&body[..length]);
    Some(Draft { place, message, ..Draft::of(start..start + 1 + length) })
}

fn sections(lines: &[&str], within: Range<usize>, names: &mut Names<'_>) -> Vec<Draft> {
    let starts: Vec<usize> = within.clone().filter(|&at| HEADING.is_match(lines[at])).collect();
    if starts.is_empty() {
        return one_line_each(lines, within, names);
    }
    spans(&starts, within.end).map(|within| section(lines, within, names)).collect()
}

fn section(lines: &[&str], within: Range<usize>, names: &mut Names<'_>) -> Draft {
    let heading = HEADING
        .captures(lines[within.start])
        .map_or("", |parts| parts.get(1).map_or("", |it| it.as_str()));
    let all = &lines[within.start + 1..within.end];
    let body = &all[..all.iter().position(|line| CAPTURED.is_match(line)).unwrap_or(all.len())];
    let is_file = heading.starts_with("ERROR collecting ");
    let name = name_in(heading);
    let place = place(body);
    let test = match is_file {
        true => Some(name.to_owned()),
        false => {
            names.take(name).or_else(|| crashed(body, names)).or_else(|| named_by_place(name, body))
        }
    };
    let marked = marked(body);
    let (message, detail) = match marked.is_empty() {
        false => (marked, source(body)),
        true => (unmarked(body), None),
    };
    if is_file {
        names.drop_file(name);
    }
    let message = if message.is_empty() { heading.to_owned() } else { message };
    Draft { test, place, message, detail, ..Draft::of(within) }
}

/// The name in a heading: `ERROR at setup of test_a`, `[doctest] shop.price`, `test_a [square] (n=1)`.
fn name_in(heading: &str) -> &str {
    let prefixes = [
        "ERROR collecting ",
        "ERROR at setup of ",
        "ERROR at teardown of ",
        "[doctest] ",
        "[NOTRUN] ",
    ];
    prefixes.iter().find_map(|prefix| heading.strip_prefix(prefix)).unwrap_or(heading)
}

/// The deepest line of the project's own code: that of the last exception, where there are several.
pub(super) fn place(body: &[&str]) -> Option<SourceLine> {
    let mut syntax = body.iter().filter_map(|line| {
        SourceLine::captured(&SYNTAX_FILE, ERROR_LINE.captures(line)?.get(1)?.as_str())
    });
    let mut frames = body.iter().filter_map(|line| {
        SourceLine::captured(&WHERE, line).or_else(|| SourceLine::captured(&FIXTURE, line))
    });
    let alone = || {
        body.iter().rev().find_map(|line| {
            line.ends_with(|c: char| c.is_ascii_digit()).then(|| SourceLine::within(line))?
        })
    };
    syntax
        .next_back()
        .or_else(|| frames.next_back())
        .or_else(|| traceback::deepest(body))
        .or_else(alone)
}

/// The file of the first frame is the test's, when it is named as a test's. A chain of exceptions may begin elsewhere:
/// then it is the first one below the test's own code.
fn named_by_place(name: &str, body: &[&str]) -> Option<String> {
    let (plain, parameters) = parts_of(name);
    let own = format!("def {}(", plain.rsplit('.').next().unwrap_or(plain));
    let from = body.iter().position(|line| line.contains(&own)).unwrap_or(0);
    let first = body[from..].iter().find_map(|line| SourceLine::captured(&WHERE, line))?;
    let file = first.path.rsplit('/').next()?;
    let is_test =
        file.starts_with("test") || file.ends_with("_test.py") || file.ends_with("_tests.py");
    is_test.then(|| format!("{}::{}{parameters}", first.path, plain.replace('.', "::")))
}

/// The test that ended its process.
fn crashed(body: &[&str], names: &mut Names<'_>) -> Option<String> {
    let parts = body.iter().find_map(|line| CRASHED.captures(line))?;
    names.take(&parts[2]).or_else(|| Some(format!("{}::{}", &parts[1], &parts[2])))
}

/// What is marked `E`, without the excerpt with which a syntax error begins.
pub(super) fn marked(body: &[&str]) -> String {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    let mut excerpt = None;
    for line in body {
        let Some(text) = ERROR_LINE.captures(line).map(|_| line[1..].trim_end()) else {
            excerpt = None;
            blocks.push(Vec::new());
            continue;
        };
        let indent = text.len() - text.trim_start().len();
        if text.trim_start().starts_with("File \"") {
            excerpt = Some(indent);
        } else if excerpt.is_none_or(|from| indent < from)
            && !text.trim_start().starts_with("Use -v")
        {
            excerpt = None;
            blocks.last_mut().into_iter().for_each(|block| block.push(text));
        }
    }
    let texts = blocks.into_iter().map(dedented).filter(|text| !text.is_empty());
    texts.collect::<Vec<String>>().join("\n")
}

/// The statement that failed.
fn source(body: &[&str]) -> Option<String> {
    let marked = body.iter().rev().filter_map(|line| line.strip_prefix('>'));
    let mut code = marked.map(str::trim);
    code.find(|text| !text.starts_with("available fixtures:") && !text.starts_with("use 'pytest "))
        .map(str::to_owned)
}

/// A traceback's last lines, what a doctest printed, or what pytest says of a file.
fn unmarked(body: &[&str]) -> String {
    if let Some(message) = traceback::message(body) {
        return message;
    }
    let doctest = body
        .iter()
        .position(|line| line.starts_with("Expected") || line.starts_with("UNEXPECTED EXCEPTION"));
    let from = doctest
        .or_else(|| body.iter().position(|line| !is_between(line) && !line.starts_with("[gw")));
    let Some(from) = from else { return String::new() };
    let is_end = |line: &&&str| line.is_empty() || WHERE.is_match(line) || **line == "Traceback:";
    let said = body[from..].iter().take_while(|line| !is_end(line));
    dedented(said.copied())
}

/// `--tb=line`: no headings, a message and the line where it was raised.
fn one_line_each(lines: &[&str], within: Range<usize>, names: &mut Names<'_>) -> Vec<Draft> {
    let mut start = within.start;
    let mut drafts = Vec::new();
    for at in within {
        let Some(parts) = WHERE.captures(lines[at]) else { continue };
        let above =
            dedented(lines[start..at].iter().map(|line| line.strip_prefix('E').unwrap_or(line)));
        let message = match above.is_empty() {
            true => parts.get(3).map_or("", |it| it.as_str()).to_owned(),
            false => above,
        };
        let place = SourceLine::new(&parts[1], &parts[2]);
        let test = names.next();
        drafts.push(Draft { test, place, message, ..Draft::of(start..at + 1) });
        start = at + 1;
    }
    drafts
}

/// A line of the summary that no section explains: `FAILED path::test - message`.
fn of_summary(text: &str, at: usize) -> Draft {
    let behind_parameters = text
        .find("] - ")
        .map(|at| at + 1)
        .filter(|_| text.split(" - ").next().is_some_and(|it| it.contains('[')));
    let split = behind_parameters.or_else(|| text.find(" - "));
    let (name, message) = match split {
        Some(split) => (&text[..split], text[split..].trim_start_matches(" - ")),
        None => (text, text),
    };
    Draft { test: Some(name.to_owned()), message: message.to_owned(), ..Draft::of(at..at + 1) }
}

/// A name without its parameters, and these; without the marks of a subtest.
fn parts_of(name: &str) -> (&str, &str) {
    let subtest = name.find(" [").or_else(|| name.find(" ("));
    let name = match subtest {
        Some(at) if !name[..at].contains('[') => &name[..at],
        _ => name,
    };
    name.split_at(name.find('[').unwrap_or(name.len()))
}

impl<'a> Names<'a> {
    fn of(lines: &[&'a str]) -> Self {
        let is_pytest = |at: usize| {
            let is_result = |line: &&&str| {
                SUMMARY.is_match(line)
                    || ["PASS", "XFAIL", "XPASS", "SKIP"].iter().any(|it| line.starts_with(it))
            };
            let above = lines[..at].iter().rev().find(|line| !is_result(line));
            above.is_some_and(|line| line.contains("short test summary info"))
        };
        let summary = (0..lines.len()).filter_map(|at| {
            let name = SUMMARY.captures(lines[at])?.get(1)?.as_str();
            is_pytest(at).then_some(Some((name, at)))
        });
        let progress = lines.iter().filter_map(|line| {
            let parts = PROGRESS.captures(line)?;
            Some(parts.get(1).or_else(|| parts.get(2))?.as_str())
        });
        Self { summary: summary.collect(), progress: progress.collect() }
    }

    /// The name whose last part is that of a section's heading.
    fn take(&mut self, heading: &str) -> Option<String> {
        let (plain, parameters) = parts_of(heading);
        let wanted =
            [format!("{}{parameters}", plain.replace('.', "::")), format!("{plain}{parameters}")];
        let fits = |text: &str| {
            let (file, name) = text.split_once("::")?;
            let is = |wanted: &&String| {
                let rest = name.strip_prefix(wanted.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" - "))
            };
            wanted.iter().find(is).map(|name| format!("{file}::{name}"))
        };
        for slot in &mut self.summary {
            if let Some(name) = slot.and_then(|(text, _)| fits(text)) {
                *slot = None;
                return Some(name);
            }
        }
        self.progress.iter().find_map(|text| fits(text))
    }

    fn next(&mut self) -> Option<String> {
        let slot = self.summary.iter_mut().find(|slot| slot.is_some())?;
        let (text, at) = slot.take()?;
        of_summary(text, at).test
    }

    fn drop_file(&mut self, file: &str) {
        let is_of = |text: &str| {
            text.strip_prefix(file).is_some_and(|rest| rest.is_empty() || rest.starts_with(" - "))
        };
        if let Some(slot) =
            self.summary.iter_mut().find(|slot| slot.is_some_and(|(text, _)| is_of(text)))
        {
            *slot = None;
        }
    }

    fn unused(self) -> Vec<(&'a str, usize)> {
        self.summary.into_iter().flatten().collect()
    }
}
