//! Reports with a heading of their form above each failure: busted, test-unit, .NET, Zig, CMake.

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;

static BUSTED: ConstPattern = ConstPattern::new(r"^(?:Failure|Error) → (\S+) @ (\d+)$");
static TEST_UNIT: ConstPattern =
    ConstPattern::new(r"^(?:Failure|Error): ((\w+)\(\w+\))(?:: (.*))?$");
static TEST_UNIT_PLACE: ConstPattern = ConstPattern::new(r"^(\S+):(\d+):in [`'].*$");
static TEST_UNIT_SOURCE: ConstPattern = ConstPattern::new(r"^\s*(?:=> )?\s*\d+: ?.*$");
static CMAKE: ConstPattern = ConstPattern::new(r"^CMake Error at (\S+):(\d+)(?: \(.*\))?:$");
static ZIG: ConstPattern = ConstPattern::new(r"^\d+/\d+ (\S+?)\.\.\.(.*)$");
static DOTNET: ConstPattern = ConstPattern::new(r"^\s+Failed (\S.*?) \[[^\]]* m?s\]$");
static DOTNET_PLACE: ConstPattern = ConstPattern::new(r"^\s*at .* in (\S+):line (\d+)$");

/// Failed tests of all of them.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let found = (0..lines.len()).filter_map(|at| {
        busted(lines, at)
            .or_else(|| test_unit(lines, at))
            .or_else(|| dotnet(lines, at))
            .or_else(|| zig(lines, at))
            .or_else(|| cmake(lines, at))
    });
    found.collect()
}

/// The place, then the name, then the message up to a blank line.
fn busted(lines: &[&str], at: usize) -> Option<Draft> {
    let parts = BUSTED.captures(lines[at])?;
    let name = lines.get(at + 1)?;
    let said: Vec<&str> = lines[at + 2..]
        .iter()
        .take(20)
        .take_while(|line| !line.is_empty() && !line.starts_with('\t'))
        .copied()
        .collect();
    let end = at + 2 + said.len();
    let place = said
        .first()
        .and_then(|line| SourceLine::within(line))
        .or_else(|| SourceLine::new(&parts[1], &parts[2]));
    // A file that could not be loaded is a suite.
    let test = name.strip_prefix("suite ").unwrap_or(name).to_owned();
    Some(Draft { test: Some(test), place, message: dedented(said), ..Draft::of(at..end) })
}

/// Between rules: frames, the source, the message.
fn test_unit(lines: &[&str], at: usize) -> Option<Draft> {
    let parts =
        TEST_UNIT.captures(lines[at]).filter(|_| at > 0 && lines[at - 1].starts_with("====="))?;
    let body: Vec<&str> =
        lines[at + 1..].iter().take_while(|line| !line.starts_with("=====")).copied().collect();
    let place = body.iter().find_map(|line| {
        let parts = TEST_UNIT_PLACE.captures(line)?;
        SourceLine::new(&parts[1], &parts[2])
    });
    let is_said =
        |line: &&&str| !TEST_UNIT_PLACE.is_match(line) && !TEST_UNIT_SOURCE.is_match(line);
    let message = match parts.get(3) {
        Some(message) => message.as_str().to_owned(),
        None => dedented(body.iter().filter(is_said).copied()),
    };
    Some(Draft {
        test: Some(parts[1].to_owned()),
        place,
        message,
        ..Draft::of(at..at + 1 + body.len())
    })
}

/// CMake: the place in the heading, the message indented below it.
fn cmake(lines: &[&str], at: usize) -> Option<Draft> {
    let parts = CMAKE.captures(lines[at])?;
    let is_said = |line: &&&str| line.is_empty() || line.starts_with("  ");
    let said: Vec<&str> = lines[at + 1..].iter().take(20).take_while(is_said).copied().collect();
    let place = SourceLine::new(&parts[1], &parts[2]);
    let lines = at..at + 1 + said.len();
    Some(Draft { place, message: dedented(said), ..Draft::of(lines) })
}

/// Zig: the message behind the name, the frames below it.
fn zig(lines: &[&str], at: usize) -> Option<Draft> {
    let parts = ZIG.captures(lines[at])?;
    lines.get(at + 1).filter(|line| line.starts_with("FAIL ("))?;
    let is_its = |line: &&&str| !ZIG.is_match(line) && !line.contains(" passed; ");
    let body: Vec<&str> = lines[at + 1..].iter().take_while(is_its).copied().collect();
    let place =
        body.iter().filter(|line| line.contains(": 0x")).find_map(|line| SourceLine::within(line));
    let said = if parts[2].is_empty() { body[0] } else { &parts[2] };
    let lines = at..at + 1 + body.len();
    Some(Draft {
        test: Some(parts[1].to_owned()),
        place,
        message: said.to_owned(),
        ..Draft::of(lines)
    })
}

fn dotnet(lines: &[&str], at: usize) -> Option<Draft> {
    let parts = DOTNET.captures(lines[at])?;
    let body: Vec<&str> = lines[at + 1..]
        .iter()
        .take(60)
        .take_while(|line| !DOTNET.is_match(line) && !line.is_empty())
        .copied()
        .collect();
    let is_label = |line: &str| {
        matches!(line.trim(), "Error Message:" | "Stack Trace:" | "Standard Output Messages:")
    };
    let said = body.iter().skip_while(|line| is_label(line)).take_while(|line| !is_label(line));
    let message = dedented(said.copied());
    let place = body.iter().find_map(|line| {
        let parts = DOTNET_PLACE.captures(line)?;
        SourceLine::new(&parts[1], &parts[2])
    });
    let lines = at..at + 1 + body.len();
    (!message.is_empty()).then_some(Draft {
        test: Some(parts[1].to_owned()),
        place,
        message,
        ..Draft::of(lines)
    })
}
