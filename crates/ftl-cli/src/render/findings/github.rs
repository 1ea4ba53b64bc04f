//! Workflow commands, which GitHub Actions shows beside the lines of a pull request.
//!
//! `::error file=a.py,line=3,col=2,title=syntax::MESSAGE`, as GitHub's documentation has it. `%`, line
//! ends and, in properties, `:` and `,` are escaped, so that no text can begin a new command.

use std::fmt::Write as _;

use ftl_text::terminal_text;

use super::{Findings, path_text};

/// A line for each finding, and a notice for each file that was not checked.
pub(crate) fn commands(findings: &Findings) -> String {
    let mut text = String::new();
    for found in &findings.found {
        let level = if found.is_error { "error" } else { "warning" };
        let file = property(&path_text(&found.path));
        let title = property(&found.rule);
        let region = found.region;
        let end = match region.end {
            // A column of the end counts only on the line of the start.
            Some((line, column)) if line == region.line && column > region.column => {
                format!(",endColumn={}", column - 1)
            }
            Some((line, _)) if line > region.line => format!(",endLine={line}"),
            Some(_) | None => String::new(),
        };
        let _ = writeln!(
            text,
            "::{level} file={file},line={},col={}{end},title={title}::{}",
            region.line,
            region.column,
            data(&found.text())
        );
    }
    for file in &findings.unchecked {
        let name = property(&path_text(&file.path));
        let reason = data(&format!("unchecked: {}", file.reason));
        let _ = writeln!(text, "::notice file={name}::{reason}");
    }
    text
}

fn data(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| terminal_text(line.as_bytes())).collect();
    lines.join("\n").replace('%', "%25").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
