//! Comments that allow a forbidden idiom in one place, with a reason:
//! `ftl-ignore[NAME]: why`, behind the code or alone on the line above it. NAME is the rule's name,
//! the idiom's text or its pattern.
//!
//! Read by text alone, for any language: what begins like a comment is one. Without a reason a comment
//! allows nothing, since the reason is what the record shows.

use super::rule::normal_form;

/// What a comment begins with in the languages that people write.
const COMMENTS: [&str; 7] = ["#", "//", "/*", "--", "<!--", ";", "%"];

const MARK: &str = "ftl-ignore[";

/// The reason given at or above `line` (from 1) of `text` for what any of `names` means, and the line of the
/// comment.
pub(super) fn reason(text: &str, line: usize, names: &[&str]) -> Option<(String, usize)> {
    let mut lines = text.lines().skip(line.saturating_sub(2));
    let above = if line > 1 { lines.next() } else { None };
    let here = lines.next();
    let above = above.filter(|line| is_comment(line));
    let given = here.map(|text| (text, line)).into_iter();
    let given = given.chain(above.map(|text| (text, line.saturating_sub(1))));
    let wanted: Vec<String> = names.iter().map(|name| normal_form(name)).collect();
    given
        .filter_map(|(text, line)| read(text).map(|(name, reason)| (name, reason, line)))
        .filter(|(name, _, _)| wanted.contains(&normal_form(name)))
        .map(|(_, reason, line)| (reason.to_owned(), line))
        .next()
}

/// The lines of `text` with a comment that gives a reason for what any of `names` means.
pub(super) fn lines(text: &str, names: &[&str]) -> Vec<usize> {
    if !text.contains(MARK) {
        return Vec::new();
    }
    let wanted: Vec<String> = names.iter().map(|name| normal_form(name)).collect();
    let given = text.lines().enumerate().filter(|(_, line)| {
        read(line).is_some_and(|(name, _)| wanted.contains(&normal_form(name)))
    });
    given.map(|(index, _)| index + 1).collect()
}

fn is_comment(line: &str) -> bool {
    COMMENTS.iter().any(|opening| line.trim_start().starts_with(opening))
}

/// Name and reason of the mark on a line; none without a comment before it or a reason behind it.
fn read(line: &str) -> Option<(&str, &str)> {
    let (before, rest) = line.split_once(MARK)?;
    let (name, reason) = rest.split_once("]:")?;
    let opens = COMMENTS.iter().any(|opening| before.trim_end().ends_with(opening));
    let reason = reason.trim().trim_end_matches("*/").trim_end_matches("-->").trim();
    (opens && !reason.is_empty()).then_some((name, reason))
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn a_reason_counts_in_a_comment_here_or_alone_above() {
        let names = ["no-print", "Use a logger instead of print"];
        for (text, line, expected) in [
            ("print(1)  # ftl-ignore[no-print]: it is a script", 1, Some("it is a script")),
            ("# ftl-ignore[no-print]: a script\nprint(1)", 2, Some("a script")),
            ("/* ftl-ignore[no-print]: a script */\nprint(1)", 2, Some("a script")),
            ("<!-- ftl-ignore[no-print]: a page -->\nprint(1)", 2, Some("a page")),
            ("print(1) // ftl-ignore[a logger instead of PRINT.]: why", 1, Some("why")),
            ("print(1)  # ftl-ignore[no-print]:  ", 1, None),
            ("print(1)  # ftl-ignore[no-print]", 1, None),
            ("print(1)  # ftl-ignore[other]: reason", 1, None),
            ("print('ftl-ignore[no-print]: not a comment')", 1, None),
            ("x = 1  # ftl-ignore[no-print]: behind code\nprint(1)", 2, None),
            ("# ftl-ignore[no-print]: too far\n\nprint(1)", 3, None),
            ("print(1)\n# ftl-ignore[no-print]: below", 1, None),
        ] {
            let given = reason(text, line, &names).map(|(reason, _)| reason);
            assert_eq!(given.as_deref(), expected, "{text}");
        }
    }
}
