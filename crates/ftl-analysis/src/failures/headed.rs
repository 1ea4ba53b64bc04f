//! Reports whose heading has more than a name: Zig, CMake.

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;

static CMAKE: ConstPattern = ConstPattern::new(r"^CMake Error at (\S+):(\d+)(?: \(.*\))?:$");
static ZIG: ConstPattern = ConstPattern::new(r"^\d+/\d+ (\S+?)\.\.\.(.*)$");

/// Failed tests of both.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    (0..lines.len()).filter_map(|at| zig(lines, at).or_else(|| cmake(lines, at))).collect()
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
