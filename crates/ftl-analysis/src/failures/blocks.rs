//! Runners whose report is a block for each failure below a heading with its name: a table of their forms.
//!
//! A form holds for the lines from the one with which the runner's report begins, so that a block that a test printed
//! before is none.

use std::sync::LazyLock;

use regex::Captures;

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use super::{traceback, unittest};
use crate::constants::ConstPattern;

/// How a runner writes a failure.
struct Form {
    /// The line from which on it reports.
    begins: ConstPattern,
    /// The line before a heading.
    above: ConstPattern,
    /// The heading: `name`, and where it has them `suite`, `path`, `line`, `said`.
    heading: ConstPattern,
    /// One of the two lines below a heading.
    below: ConstPattern,
    /// The line that ends a block, as another heading does.
    ends: ConstPattern,
    /// Lines of a block that are no message: frames, the source, rules.
    skips: ConstPattern,
    /// Lines below a heading that are looked at for `below`.
    window: usize,
    runner: Option<&'static str>,
    name: fn(&Captures<'_>) -> Option<String>,
}

/// The table, a line for each form.
static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let rows = include_str!("blocks.tsv").lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| Form::of(&row.split('\t').collect::<Vec<_>>())).collect()
});

impl Form {
    fn of(columns: &[&'static str]) -> Self {
        let [begins, above, heading, below, ends, skips, window, runner, name] = columns else {
            unreachable!("because each row of the table has nine columns")
        };
        Self {
            begins: ConstPattern::new(begins),
            above: ConstPattern::new(above),
            heading: ConstPattern::new(heading),
            below: ConstPattern::new(below),
            ends: ConstPattern::new(ends),
            skips: ConstPattern::new(skips),
            window: window.parse().unwrap_or(1),
            runner: Some(*runner).filter(|it| *it != "-"),
            name: match *name {
                "unittest" => unittest::name,
                "title" => title,
                "of_file" => of_file,
                _ => plain,
            },
        }
    }

    fn failures(&self, lines: &[&str]) -> Vec<Draft> {
        let Some(first) = lines.iter().position(|line| self.begins.is_match(line)) else {
            return Vec::new();
        };
        let headings: Vec<usize> =
            (first..lines.len()).filter(|&at| self.is_heading(lines, at)).collect();
        let drafts = headings.iter().enumerate().filter_map(|(index, &at)| {
            // Tests that failed alike may share what is below the last of them.
            let shared =
                (index + 1..headings.len()).take_while(|it| headings[*it] == at + it - index);
            let last = at + shared.count();
            let next = headings.get(index + 1 + last - at).copied().unwrap_or(lines.len());
            let draft = self.failure(lines, at, last + 1..next)?;
            Some(if last > at { Draft { lines: at..at + 1, ..draft } } else { draft })
        });
        drafts.collect()
    }

    fn is_heading(&self, lines: &[&str], at: usize) -> bool {
        self.above.is_match(at.checked_sub(1).map_or("", |above| lines[above]))
            && self.heading.captures(lines[at]).and_then(|parts| (self.name)(&parts)).is_some()
            && self.below_of(lines, at).is_some()
    }

    fn below_of(&self, lines: &[&str], at: usize) -> Option<usize> {
        let mut below = at + 1..(at + 1 + self.window).min(lines.len());
        match below.is_empty() {
            true => self.below.is_match("").then_some(at),
            false => below.find(|it| self.below.is_match(lines[*it])),
        }
    }

    fn failure(&self, lines: &[&str], at: usize, within: std::ops::Range<usize>) -> Option<Draft> {
        let parts = self.heading.captures(lines[at])?;
        let is_rule = |line: &str| !line.is_empty() && !line.contains(char::is_alphanumeric);
        let below = self.below_of(lines, at).filter(|it| is_rule(lines[*it]));
        let from = below.map_or(within.start, |below| below + 1).max(within.start);
        let body: Vec<&str> = lines[from..within.end.max(from)]
            .iter()
            .take(MAX_MESSAGE)
            .take_while(|line| !self.ends.is_match(line))
            .copied()
            .collect();
        let end = from + body.len();
        let named = parts.name("path").map(|path| path.as_str());
        let number = parts.name("line").map(|line| line.as_str());
        let heading = || match number {
            Some(number) => SourceLine::new(named?, number),
            None => SourceLine::file(named?),
        };
        let is_frame = |line: &&&str| self.skips.is_match(line);
        let place = traceback::deepest(&body).or_else(|| {
            body.iter().filter(is_frame).find_map(|line| SourceLine::beside_code(line))
        });
        let place =
            place.or_else(heading).or_else(|| body.iter().find_map(|it| SourceLine::within(it)));
        let message =
            parts.name("said").map(|it| it.as_str().to_owned()).filter(|it| !it.is_empty());
        let message = message.or_else(|| traceback::raised(&body)).unwrap_or_else(|| {
            let said = body.iter().skip_while(|line| line.is_empty() || is_frame(line));
            dedented(said.take_while(|line| !is_frame(line)).map(|line| without_mark(line)))
        });
        // doctest shows the example first.
        let message = match message.find("\nExpected") {
            Some(at) if self.runner == Some("doctest") => message[at + 1..].to_owned(),
            _ => message,
        };
        let origin = named.map(|path| match number {
            Some(number) => format!("{path}:{number}"),
            None => path.to_owned(),
        });
        let message = if message.is_empty() { lines[at].trim().to_owned() } else { message };
        let mut test = Some((self.name)(&parts)?);
        if self.runner == Some("testdox") {
            let title = test.filter(|title| !is_repeated(title, &lines[..at]));
            let frame = body.iter().rev().find(is_frame)?;
            test = title.and_then(|title| of_title(&title, frame));
        }
        Some(Draft { test, place, message, origin, runner: self.runner, ..Draft::of(at..end) })
    }
}

/// Titles within suites are parted by ` > `.
fn plain(parts: &Captures<'_>) -> Option<String> {
    let name = parts.name("name")?.as_str().replace(" › ", " > ");
    Some(parts.name("suite").map_or(name.clone(), |suite| format!("{} > {name}", suite.as_str())))
}

/// Above the place of a test is a rule too.
fn title(parts: &Captures<'_>) -> Option<String> {
    plain(parts).filter(|name| SourceLine::within(name).is_none())
}

/// PHPUnit's `--testdox` writes `testOrderAdds23` of `CartTest` as `Order adds 23`; the last frame is in the test's file.
fn of_title(title: &str, frame: &str) -> Option<String> {
    let place = SourceLine::within(frame.trim_start_matches([' ', '│']))?;
    let class = place.path.rsplit('/').next()?.strip_suffix(".php")?.to_owned();
    let words = title.split(' ').map(|word| {
        let first = word.chars().next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + word.get(1..).unwrap_or_default()
    });
    Some(format!("{class}::test{}", words.collect::<String>()))
}

/// The class has a test with this title above: PHPUnit leaves the number out with which the name of this one ends.
fn is_repeated(title: &str, above: &[&str]) -> bool {
    let is_title = |line: &&str| TESTDOX.captures(line).is_some_and(|parts| &parts[1] == title);
    above.iter().rev().take_while(|line| !CLASS.is_match(line)).any(is_title)
}

/// Of a file that could not be run its path.
fn of_file(parts: &Captures<'_>) -> Option<String> {
    let name = parts.name("name").or_else(|| parts.name("path"))?;
    Some(name.as_str().to_owned())
}

static TESTDOX: ConstPattern = ConstPattern::new(r"^ [✔✘↩∅☢] (\S.*)$");
static CLASS: ConstPattern = ConstPattern::new(r"^[A-Z]\w*(?: \([\w\\]+\))?$");
/// Lines of a message.
const MAX_MESSAGE: usize = 200;

/// The failures of every form.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    FORMS.iter().flat_map(|form| form.failures(lines)).collect()
}

/// Without what a runner puts before each line of a message.
fn without_mark(line: &str) -> &str {
    ["# ", "error: ", "   │"].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line)
}
