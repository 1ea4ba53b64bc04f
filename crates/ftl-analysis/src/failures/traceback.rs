//! Python's tracebacks: of programs, and within the reports of test runners.

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;
use crate::diagnosis::indent;

static FRAME: ConstPattern = ConstPattern::new(r#"^\s*(?:[|+] *)?File "([^"]+)", line (\d+)"#);
static MEMBER: ConstPattern = ConstPattern::new(r"^[\s|]*\| ([A-Za-z_][\w.]*(?:: .*)?)$");
/// Where a signal or pytest-timeout ends the process, in the midst of pytest's progress.
static ENDED: ConstPattern = ConstPattern::new(
    r"^(?:(\S+\.py::.*?) |[^+]*?)(?:(Fatal Python error: .*)|\+{10,} Timeout \+{10,})$",
);
const GROUP: &str = "Exception Group Traceback (most recent call last):";
const HEADING: &str = "Traceback (most recent call last):";

/// The deepest frame in the project's own code, of the last traceback that has one.
pub(super) fn deepest(lines: &[&str]) -> Option<SourceLine> {
    lines.iter().rev().find_map(|line| SourceLine::captured(&FRAME, line))
}

/// The exceptions of a group: the group, then its members, each behind its bar.
pub(crate) fn exception_group(lines: &[&str]) -> Vec<String> {
    let heading = lines.iter().position(|line| line.ends_with(GROUP));
    let below = heading.map_or(&[][..], |at| &lines[at..]);
    let members = below.iter().filter_map(|line| MEMBER.captures(line));
    members.map(|parts| parts[1].to_owned()).collect()
}

/// The exception with which the last traceback ends, with the lines of its message.
pub(super) fn message(lines: &[&str]) -> Option<String> {
    if let Some(group) = exception_group(lines).into_iter().next() {
        return Some(group);
    }
    let heading = lines.iter().rposition(|line| line.trim_start() == HEADING);
    // A syntax error may have a frame and no heading.
    let start = heading.or_else(|| lines.iter().rposition(|line| FRAME.is_match(line)))?;
    let (_, end) = exception(lines, start)?;
    Some(end)
}

/// Where the exception below the heading at `start` ends, and its text.
fn exception(lines: &[&str], start: usize) -> Option<(usize, String)> {
    let is_heading = lines[start].trim_start() == HEADING;
    let depth = indent(lines[start]).saturating_sub(if is_heading { 0 } else { 2 });
    let is_raised = |line: &&str| !line.is_empty() && indent(line) <= depth;
    let first = start + 1 + lines[start + 1..].iter().position(is_raised)?;
    let is_end = |line: &&&str| {
        line.is_empty()
            || line.trim_start().starts_with("During handling of ")
            || line.starts_with("=====")
            || line.starts_with("-----")
    };
    let length = lines[first..].iter().take(30).take_while(|line| !is_end(line)).count();
    let text = dedented(lines[first..first + length].iter().copied());
    (!text.is_empty()).then_some((first + length, text))
}

/// The exception that ended a program: the last one, since a program goes on after those that it logs.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let heading = lines.iter().rposition(|line| line.trim_start() == HEADING);
    let syntax = || {
        let is_syntax = lines.iter().any(|line| {
            line.contains("SyntaxError: ")
                || line.contains("IndentationError: ")
                || line.contains("TabError: ")
        });
        lines.iter().rposition(|line| FRAME.is_match(line)).filter(|_| is_syntax)
    };
    let Some(start) = heading.or_else(syntax) else { return Vec::new() };
    let Some((end, message)) = exception(lines, start) else { return Vec::new() };
    let place = deepest(&lines[start..end]);
    vec![Draft { place, message, ..Draft::of(start..end) }]
}

/// A process that ended with its stack, without an exception: by a signal, or by pytest-timeout's thread.
pub(super) fn ended(lines: &[&str]) -> Vec<Draft> {
    let Some((at, parts)) =
        lines.iter().enumerate().find_map(|(at, line)| Some((at, ENDED.captures(line)?)))
    else {
        return Vec::new();
    };
    let below = &lines[at + 1..];
    let length = below.iter().take_while(|line| !ENDED.is_match(line)).count();
    let main = below[..length].iter().position(|line| line.contains(" Stack of MainThread "));
    let frames: Vec<&str> = below[main.unwrap_or(0)..length].to_vec();
    // faulthandler begins with the innermost frame.
    let innermost_first = frames.iter().rev().copied().collect::<Vec<&str>>();
    let limit = || lines[..at].iter().find(|line| line.starts_with("timeout: "));
    let (message, place) = match parts.get(2) {
        Some(fatal) => (fatal.as_str(), deepest(&innermost_first)),
        None => (limit().copied().unwrap_or("Timeout"), deepest(&frames)),
    };
    let test = parts.get(1).map(|name| name.as_str().to_owned());
    vec![Draft { test, place, message: message.to_owned(), ..Draft::of(at..at + 1 + length) }]
}

/// What was raised below the last frame of a block, with all lines of its message.
pub(super) fn raised(lines: &[&str]) -> Option<String> {
    if let Some(group) = exception_group(lines).into_iter().next() {
        return Some(group);
    }
    let frame = lines.iter().rposition(|line| FRAME.is_match(line))?;
    let heading = lines[..=frame].iter().rev().find(|line| line.trim_start() == HEADING);
    let of_frame = indent(lines[frame]).saturating_sub(2);
    let depth = heading.map_or(of_frame, |line| indent(line));
    let is_raised = |line: &&str| !line.is_empty() && indent(line) <= depth;
    let is_code = |at: usize| lines[at + 1..].iter().take(1).any(|line| line.is_empty());
    let mut first = frame + 1 + lines[frame + 1..].iter().position(is_raised)?;
    // stestr does not indent the code below a frame, but puts a blank line behind it.
    if indent(lines[frame]) > depth && is_code(first) && first == frame + 1 {
        let next = lines[first + 1..].iter().position(is_raised);
        first += next.map_or(0, |next| next + 1);
    }
    let text = dedented(lines[first..].iter().copied());
    (!text.is_empty()).then_some(text)
}
