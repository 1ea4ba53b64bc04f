//! Bun: the source, the message and the frames of a failure are above its `(fail) name`.

use super::draft::{Draft, dedented};
use super::source_line::{SourceLine, is_frame};
use crate::constants::ConstPattern;

static RESULT: ConstPattern =
    ConstPattern::new(r"^\((fail|pass|skip|todo)\) (.+?)(?: \[[\d.]+m?s\])?$");
static FILE: ConstPattern = ConstPattern::new(r"^(\S+\.[cm]?[jt]sx?):$");
static TIMED_OUT: ConstPattern = ConstPattern::new(r"^\s+\^ (this test timed out .*)$");
static EXPLAINED: ConstPattern = ConstPattern::new(r"^(?:\w*[eE]rror: |this test timed out )");
static EXCERPT: ConstPattern = ConstPattern::new(r"^\d+ \|(?: .*)?$|^\s+\^$");

const BETWEEN: &str = "# Unhandled error between tests";

/// Each failed test, and files that could not be loaded.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    if !lines.iter().any(|line| line.starts_with("bun test v")) {
        return Vec::new();
    }
    let results: Vec<usize> = (0..lines.len())
        .filter(|&at| RESULT.is_match(lines[at]) || FILE.is_match(lines[at]))
        .collect();
    let starts = std::iter::once(0).chain(results.iter().map(|at| at + 1));
    let mut found: Vec<Draft> =
        results.iter().zip(starts).filter_map(|(&at, start)| failure(lines, start, at)).collect();
    // What a test printed in this form explains nothing.
    if found.iter().any(|draft| draft.place.is_some()) {
        found.retain(|it| {
            it.place.is_some() || it.message.lines().any(|line| EXPLAINED.is_match(line))
        });
    }
    let unloaded = (0..lines.len()).filter(|&at| lines[at] == BETWEEN);
    found.extend(unloaded.filter_map(|at| file(lines, at)));
    found
}

/// A file that could not be loaded: its message is between rules.
fn file(lines: &[&str], at: usize) -> Option<Draft> {
    let name =
        lines[..at].iter().rev().find_map(|line| Some(FILE.captures(line)?[1].to_owned()))?;
    let body: Vec<&str> = lines
        .get(at + 2..)?
        .iter()
        .take_while(|line| !line.starts_with("-----"))
        .copied()
        .collect();
    let message = said(&body);
    let place = SourceLine::framed(&body).or_else(|| SourceLine::file(&name));
    let lines = at..at + 2 + body.len();
    (!message.is_empty()).then_some(Draft { test: Some(name), place, message, ..Draft::of(lines) })
}

/// What is above the frames, without the source.
fn said(body: &[&str]) -> String {
    let said = body.iter().filter(|line| !EXCERPT.is_match(line));
    dedented(said.take_while(|line| !is_frame(line)).copied())
}

fn failure(lines: &[&str], start: usize, at: usize) -> Option<Draft> {
    let parts = RESULT.captures(lines[at]).filter(|parts| &parts[1] == "fail")?;
    let body = &lines[start..at];
    let message = said(body);
    // A time limit is below the name.
    let below = || Some(TIMED_OUT.captures(lines.get(at + 1)?)?[1].to_owned());
    let message = match message.is_empty() {
        true => below().unwrap_or_else(|| lines[at].to_owned()),
        false => message,
    };
    let place = SourceLine::framed(body);
    let origin = lines[..at].iter().rev().find_map(|line| Some(FILE.captures(line)?[1].to_owned()));
    Some(Draft {
        test: Some(parts[2].to_owned()),
        place,
        message,
        origin,
        ..Draft::of(start..at + 1)
    })
}
