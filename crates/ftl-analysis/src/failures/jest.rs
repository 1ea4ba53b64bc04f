//! Jest: a block below `● suite › case` for each failure, and below `FAIL path` the file's.

use super::draft::{Draft, dedented};
use super::source_line::{SourceLine, is_frame};
use crate::constants::ConstPattern;

static HEADING: ConstPattern = ConstPattern::new(r"^\s{0,4}● (\S.*)$");
static FILE: ConstPattern =
    ConstPattern::new(r"^ ?(?:FAIL|PASS)\s+(?:\S+ )*?(\S+\.\w+)(?: \([\d.]+ m?s.*\))?$");
/// Headings of what is no failure.
static OTHER: ConstPattern = ConstPattern::new(
    r"^(?:Console|Deprecation Warning|Validation (?:Warning|Error)|Multiple configurations|Cannot log after|process\.exit)",
);
static END: ConstPattern = ConstPattern::new(
    r"^(?:Test Suites?: |Tests: |Summary of all failing tests|Snapshot Summary| › \d+ snapshot|\s*(?:FAIL|PASS) \S|-{5,}\|)",
);
static SUMMARY: ConstPattern = ConstPattern::new(r"^(?:Test Suites?|Tests): +\d");
/// The source that Jest shows, and the frames.
static EXCERPT: ConstPattern = ConstPattern::new(
    r"^\s*(?:>\s*)?\d+ \|(?: |$)|^\s*at (?:\S.* )?\(?\S+:\d+(?::\d+)?\)?$|^\s*at <anonymous>$|^\s*at .*\(<anonymous>\)$",
);
static POINTED: ConstPattern = ConstPattern::new(r"^\s*>\s*\d+ \| ?(.*)$");
/// A hint above the message.
const HINT: &str = "The error below may be caused by";
const LOAD: &str = "Test suite failed to run";

/// Failed tests, and files that could not be run.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let mut file: Option<&str> = None;
    let mut drafts = Vec::new();
    if !lines.iter().any(|line| SUMMARY.is_match(line)) {
        return drafts;
    }
    for at in 0..lines.len() {
        if let Some(parts) = FILE.captures(lines[at]) {
            file = parts.get(1).map(|it| it.as_str());
        }
        let Some(name) = HEADING.captures(lines[at]).and_then(|parts| parts.get(1)) else {
            continue;
        };
        if !OTHER.is_match(name.as_str()) {
            drafts.extend(block(lines, at, name.as_str(), file));
        }
    }
    drafts
}

fn block(lines: &[&str], start: usize, name: &str, file: Option<&str>) -> Option<Draft> {
    let below =
        lines[start + 1..].iter().take_while(|line| !HEADING.is_match(line) && !END.is_match(line));
    let body: Vec<&str> = below.copied().collect();
    let hints = match body.iter().find(|line| !line.is_empty()) {
        Some(first) if first.trim_start().starts_with(HINT) => {
            1 + body.iter().skip(1).take_while(|line| !line.is_empty()).count()
        }
        _ => 0,
    };
    let said = body[hints..].iter().take_while(|line| !EXCERPT.is_match(line));
    let message = dedented(said.copied());
    // What Jest lists again at its end, or what other tools write so, has no message.
    if message.is_empty() {
        return None;
    }
    let test = match name == LOAD {
        true => file.map(|file| file.trim_start_matches("./").to_owned()),
        false => Some(name.replace(" › ", " > ")),
    };
    let mut frames = body.iter().filter(|line| is_frame(line) || line.contains("SyntaxError: /"));
    let frame = frames.find_map(|line| SourceLine::within(line));
    let place = frame.or_else(|| SourceLine::file(file?));
    let detail = body.iter().find_map(|line| Some(POINTED.captures(line)?[1].trim().to_owned()));
    let origin = file.map(str::to_owned);
    Some(Draft { test, place, message, detail, origin, ..Draft::of(start..start + 1 + body.len()) })
}
