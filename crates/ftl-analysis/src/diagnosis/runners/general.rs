//! Output of a program that is not listed: the line whose words say most about the error.
//!
//! Programs that name their errors name the cause first: compilers and linters list what they found,
//! and what follows from it. Where lines only complain, the last one counts, since a script ends
//! with what it could not cope with.

use super::super::shape::{Telling, is_handled, is_noise, telling};
use crate::constants::ConstPattern;

/// Lines that are kept when only their words tell.
const MAX_LINES: usize = 10;

/// What a logger puts before its records.
static RECORD: ConstPattern = ConstPattern::new(
    r"^(?:\W*\d{4}[-/]\d\d[-/]\d\d|\[?\d\d:\d\d:\d\d|(?:ERROR|CRITICAL|FATAL):\w|\[?(?:ERROR|WARN|INFO)\]?\s|level=|time=|\{)",
);

static PYTHON_WARNING: ConstPattern = ConstPattern::new(r"^\S+\.py:\d+: \w+Warning: ");
static HUNK: ConstPattern = ConstPattern::new(r"^@@ -\d+.* @@|^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$");

/// The lines that tell of an error, the one to quote first: else the last line that is not noise.
pub(super) fn lines(lines: &[&str]) -> Vec<String> {
    // Python shows the code below a warning, however long that is.
    let mut is_warning = false;
    let is_said = |line: &&&str| {
        let is_code = is_warning && line.starts_with("  ");
        is_warning = (is_warning || PYTHON_WARNING.is_match(line)) && !is_code;
        !is_warning && !is_code
    };
    let said: Vec<&str> = lines.iter().filter(is_said).copied().collect();
    let content = said.iter().copied().filter(|line| !is_noise(line));
    let weighted: Vec<(Telling, &str)> = content
        .clone()
        .map(|line| (weight(line), line))
        .filter(|(weight, _)| *weight > Telling::Nothing)
        .collect();
    let is_compared = |line: &str| line.starts_with(['-', '+', '<', '>', '@']);
    let mut outside = weighted.iter().filter(|(_, line)| !is_compared(line));
    if outside.all(|(weight, _)| *weight < Telling::Warning)
        && let Some(changed) = changed(lines)
    {
        return vec![changed];
    }
    let Some(best) = quoted(&weighted) else {
        let last = last_line(content).or_else(|| last_line(lines.iter().copied()));
        return last.into_iter().collect();
    };
    let others = weighted
        .iter()
        .filter(|(weight, line)| *weight >= Telling::Complaint && *line != best)
        .map(|(_, line)| *line);
    std::iter::once(best).chain(others).take(MAX_LINES).map(str::to_owned).collect()
}

/// The first lines that differ, where `diff` or a tool like it shows them.
fn changed(lines: &[&str]) -> Option<String> {
    let hunk = lines.iter().position(|line| HUNK.is_match(line))?;
    let lines = lines[hunk + 1..].iter().take_while(|line| !HUNK.is_match(line));
    let first = |marks: [char; 2]| lines.clone().find(|line| line.starts_with(marks)).copied();
    let sides: Vec<&str> = [first(['-', '<']), first(['+', '>'])].into_iter().flatten().collect();
    (!sides.is_empty()).then(|| sides.join(" "))
}

fn weight(line: &str) -> Telling {
    match telling(line) {
        // It heads a list: `Required by:`.
        Telling::Complaint if line.trim_end().ends_with(':') => Telling::Mention,
        weight if is_handled(line) => weight.min(Telling::Mention),
        weight => weight,
    }
}

/// The line to quote of those that tell.
fn quoted<'a>(weighted: &[(Telling, &'a str)]) -> Option<&'a str> {
    let most = weighted.iter().map(|(weight, _)| *weight).max()?;
    let mut best = weighted.iter().filter(|(weight, _)| *weight == most).map(|(_, line)| *line);
    match most {
        Telling::Error => {
            let plain = best.clone().find(|line| !RECORD.is_match(line));
            plain.or_else(|| best.next_back())
        }
        Telling::Finding | Telling::Warning => best.next(),
        Telling::Complaint | Telling::Mention | Telling::Nothing => {
            let last = best.next_back()?;
            let same = best.rev().take_while(|line| speaker(line) == speaker(last));
            Some(speaker(last).and_then(|_| same.last()).unwrap_or(last))
        }
    }
}

/// The program that a line is from, as `tar: cannot open`: of several complaints its first names the cause.
fn speaker(line: &str) -> Option<&str> {
    let (name, _) = line.split_once(": ")?;
    let is_name = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// The last line that is not blank, none when all are.
fn last_line<'a>(mut lines: impl DoubleEndedIterator<Item = &'a str>) -> Option<String> {
    let last = lines.rfind(|line| !line.trim().is_empty());
    last.map(str::to_owned)
}
