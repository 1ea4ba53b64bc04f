//! The parts of a prompt's Markdown.

use std::fmt::Write;

/// A heading.
pub(super) fn section(text: &mut String, title: &str) {
    text.push_str("## ");
    text.push_str(title);
    text.push_str("\n\n");
}

/// A paragraph, unless it is empty.
pub(super) fn paragraph(text: &mut String, line: &str) {
    if !line.is_empty() {
        text.push_str(line);
        text.push_str("\n\n");
    }
}

/// An item of a list.
pub(super) fn bullet(text: &mut String, line: &str) {
    writeln!(text, "- {line}").expect("because a string takes any text");
}

/// A block that its own content can't close.
pub(super) fn fenced(text: &mut String, title: &str, content: &str) {
    let longest = content.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if content.ends_with('\n') { "" } else { "\n" };
    writeln!(text, "{title}\n\n{fence}\n{content}{end}{fence}\n")
        .expect("because a string takes any text");
}
