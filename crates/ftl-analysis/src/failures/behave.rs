//! behave: the names of failed scenarios, by file and line, are at the end; what failed is below their step.

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use super::traceback;
use crate::constants::ConstPattern;

static LISTED: ConstPattern = ConstPattern::new(r"^ {2}(\S+\.feature:\d+) {2}\S");
static STEP: ConstPattern =
    ConstPattern::new(r"^\s+(?:Given|When|Then|And|But|\*) .*?# (?:(\S+):(\d+)|None)");

/// Each scenario that is listed as failed.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let names = lines.iter().filter_map(|line| Some(LISTED.captures(line)?.get(1)?.as_str()));
    names.filter_map(|name| failure(lines, name)).collect()
}

fn failure(lines: &[&str], name: &str) -> Option<Draft> {
    let start = lines
        .iter()
        .position(|line| line.trim_start().starts_with("Scenario") && line.ends_with(name))?;
    let length = lines[start + 1..]
        .iter()
        .take_while(|line| {
            !line.trim_start().starts_with("Scenario")
                && !line.starts_with("Failing ")
                && !line.starts_with("Errored ")
        })
        .count();
    let body = &lines[start + 1..start + 1 + length];
    let steps: Vec<usize> = (0..body.len()).filter(|&at| STEP.is_match(body[at])).collect();
    // The step that failed is the last one with something below it.
    let has_more = |&&at: &&usize| body.get(at + 1).is_some_and(|line| line.starts_with("      "));
    let step = steps.iter().find(has_more).or_else(|| steps.last()).copied()?;
    let said: Vec<&str> =
        body[step + 1..].iter().take_while(|line| line.starts_with("      ")).copied().collect();
    let message = traceback::message(&said).unwrap_or_else(|| dedented(said.iter().copied()));
    let message = if message.is_empty() { body[step].trim().to_owned() } else { message };
    let place = traceback::deepest(&said).or_else(|| SourceLine::captured(&STEP, body[step]));
    Some(Draft {
        test: Some(name.to_owned()),
        place,
        message,
        ..Draft::of(start..start + 1 + length)
    })
}
