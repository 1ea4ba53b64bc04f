//! Panics of Rust tests, as the standard harness and cargo-nextest print them.
//!
//! A message may have several lines, and its end is not marked: it ends at a blank line, at a note, or
//! at a limit. Errors of the compiler are in `compiler`.

use crate::constants::ConstPattern;

/// `panicked at src/lib.rs:4:26:`, the message behind it or on the next line.
static PANIC: ConstPattern =
    ConstPattern::new(r"^\s*thread '.*' (?:\(\d+\) )?panicked at [^']+?:\d+:\d+:\s*(.*)$");
/// `panicked at 'message', src/lib.rs:4:26`, as compilers before 1.73 wrote it.
static OLD_PANIC: ConstPattern =
    ConstPattern::new(r"^\s*thread '.*' panicked at '(.*)', [^']+:\d+:\d+$");
/// What cargo-nextest says of a test that ended without a panic.
static ENDED: ConstPattern =
    ConstPattern::new(r"^\s+\((test (?:aborted|timed out|failed with|exited|leaked)[^)]*\)?)\)$");
static TEST_OUTPUT: ConstPattern = ConstPattern::new(r"^---- .+ stdout ----$");

/// Lines of one panic's message that are kept.
const MAX_MESSAGE: usize = 6;

/// Messages of panics, and what a test that returned an error or should have panicked left.
pub(super) fn panics(lines: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(parts) = OLD_PANIC.captures(line) {
            found.push(parts[1].to_owned());
        } else if let Some(parts) = PANIC.captures(line) {
            match &parts[1] {
                "" => found.extend(message_below(line, &lines[at + 1..])),
                message => found.push(message.to_owned()),
            }
        } else if let Some(parts) = ENDED.captures(line) {
            found.push(parts[1].to_owned());
        } else if TEST_OUTPUT.is_match(line) {
            found.extend(verdict_below(&lines[at + 1..]));
        }
    }
    found
}

/// The message on the lines below; the panic's own line when it has none.
fn message_below(panic: &str, below: &[&str]) -> Vec<String> {
    let message: Vec<String> = below
        .iter()
        .take_while(|line| !line.is_empty() && !ends_message(line))
        .take(MAX_MESSAGE)
        .map(|line| line.trim().to_owned())
        .collect();
    match message.is_empty() {
        true => vec![panic.to_owned()],
        false => message,
    }
}

fn ends_message(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("note: ") || line == "stack backtrace:"
}

/// The harness's own words in the captured output of one test, or the compiler's about an example in the docs.
fn verdict_below(below: &[&str]) -> Option<String> {
    let is_output = |line: &&&str| !TEST_OUTPUT.is_match(line) && **line != "failures:";
    let output: Vec<&str> = below.iter().take_while(is_output).copied().collect();
    let panicked = output.iter().any(|line| PANIC.is_match(line) || OLD_PANIC.is_match(line));
    let own = |line: &&str| {
        line.starts_with("Error: ")
            || line.starts_with("note: test did not panic")
            || !panicked && line.starts_with("error[")
            || !panicked && line.starts_with("error: ")
    };
    output.into_iter().find(own).map(str::to_owned)
}
