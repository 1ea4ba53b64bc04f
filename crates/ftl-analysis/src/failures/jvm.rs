//! Tests of the JVM, by JUnit's console, Maven's surefire and Gradle. A name is `Class#method`, as Maven and JUnit take it.

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;

/// `JUnit Jupiter:ShopTest:totals()` above `=> message`.
static CONSOLE: ConstPattern = ConstPattern::new(r"^\s+JUnit \w+:(\S+):(\w+)\(.*\)(?:\[\d+\])?()$");
static REPORT: ConstPattern = ConstPattern::new(r"^(?:Test f|F)ailures \(\d+\):$");
/// `[ERROR] com.acme.ShopTest.totals -- Time elapsed: 0.01 s <<< FAILURE!`
static SUREFIRE: ConstPattern = ConstPattern::new(
    r"^(?:\[ERROR\] )?(?:([\w.$]+)\.)?(\w+)(?:\(([\w.$]+)\))?(?:\{.*\})?(?:\[\d+\])?\s+(?:-- )?Time elapsed: .* <<< (?:FAILURE|ERROR)!$",
);
static GRADLE: ConstPattern =
    ConstPattern::new(r"^([\w.$]+) > (\w+)\(?.*?\)?()(?: \[.*\])? FAILED$");
static FRAME: ConstPattern = ConstPattern::new(
    r"^\s*(?:at )?(?:\S+/)?([\w$.]+)\.[\w$<>]+\((\w+\.(?:java|kt|scala|groovy)):(\d+)\)$",
);
/// Gradle's short form.
static BESIDE: ConstPattern = ConstPattern::new(r"^(.*) at (\w+\.(?:java|kt)):(\d+)$");
static FOREIGN: ConstPattern = ConstPattern::new(
    r"^(?:java|javax|jdk|sun|kotlin|org\.junit|org\.opentest4j|org\.hamcrest|org\.assertj|org\.mockito|org\.apache\.maven|org\.gradle|junit|org\.testng|org\.springframework|com\.google\.common)\.",
);

/// Each failed test with its message and the first frame in the project's own code.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    // The console reports failures below their number.
    let report = lines.iter().position(|line| REPORT.is_match(line)).unwrap_or(lines.len());
    let is_printed = |at: usize| at < report && CONSOLE.is_match(lines[at]);
    let starts = (0..lines.len()).filter_map(|at| Some((at, heading(lines[at])?)));
    starts
        .filter(|(at, _)| !is_printed(*at))
        .filter_map(|(at, test)| failure(lines, at, test))
        .collect()
}

fn heading(line: &str) -> Option<String> {
    let parts = CONSOLE
        .captures(line)
        .or_else(|| SUREFIRE.captures(line))
        .or_else(|| GRADLE.captures(line))?;
    let class = parts.get(1).or_else(|| parts.get(3))?.as_str();
    Some(format!("{class}#{}", &parts[2]))
}

fn failure(lines: &[&str], start: usize, test: String) -> Option<Draft> {
    // A message may have blank lines, frames have none between them.
    let ends = |at: &usize| {
        heading(lines[*at]).is_some()
            || lines[*at].trim().is_empty()
                && (FRAME.is_match(lines[at - 1]) || lines[at - 1].trim_start().starts_with("[..."))
            || lines[*at].starts_with("Test run finished")
            || lines[*at].starts_with("[INFO]")
    };
    let length = (start + 1..lines.len()).find(ends).unwrap_or(lines.len());
    let body: Vec<&str> = lines[start + 1..length].to_vec();
    let is_said = |line: &&&str| {
        !FRAME.is_match(line)
            && !line.contains("MethodSource [")
            && !line.trim_start().starts_with("[...]")
    };
    let said = body.iter().skip_while(|line| !is_said(line)).take_while(is_said);
    let message = dedented(said.map(|line| {
        BESIDE.captures(line).and_then(|parts| parts.get(1)).map_or(*line, |it| it.as_str())
    }));
    let message = message.trim_start_matches("=> ").to_owned();
    let beside = |line: &&str| {
        let parts = BESIDE.captures(line)?;
        SourceLine::new(&parts[2], &parts[3])
    };
    let place = body.iter().find_map(|line| frame(line)).or_else(|| body.iter().find_map(beside));
    let lines = start..start + 1 + body.len();
    (!message.is_empty()).then_some(Draft { test: Some(test), place, message, ..Draft::of(lines) })
}

/// A frame in the project's own code.
pub(super) fn frame(line: &str) -> Option<SourceLine> {
    let parts = FRAME.captures(line).filter(|parts| !FOREIGN.is_match(&parts[1]))?;
    // The file is below the directory of its package.
    let package = parts[1]
        .rsplit_once('.')
        .map_or(String::new(), |(package, _)| format!("{}/", package.replace('.', "/")));
    SourceLine::new(&format!("{package}{}", &parts[2]), &parts[3])
}
