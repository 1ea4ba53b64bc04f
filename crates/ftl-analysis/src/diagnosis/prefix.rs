//! What a wrapper puts before each line of another program's output: `app-1  | `, `core:test: `, `[0] `, a time stamp.

use std::collections::HashMap;

use crate::constants::ConstPattern;

static PREFIX: ConstPattern = ConstPattern::new(
    r"^(?:\d{4}-\d\d-\d\dT[\d:.]+Z |[\w.@/-]+ +\| |\[[a-z0-9@/._-]+\] |[@\w/.-]+:[a-z][\w:-]*: |[\w@/.-]+ [a-z]+: )",
);

/// The lines without the prefix that most of them have, or their common indentation. Time stamps count as one prefix.
pub(crate) fn unprefixed<'a>(lines: Vec<&'a str>) -> Vec<&'a str> {
    let prefix = |line: &'a str| PREFIX.find(line).map(|found| found.as_str());
    let kind =
        |text: &'a str| if text.starts_with(|c: char| c.is_ascii_digit()) { "" } else { text };
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let (mut counts, mut all, mut indent) = (HashMap::new(), 0, usize::MAX);
    for line in filled {
        all += 1;
        indent = indent.min(line.len() - line.trim_start_matches(' ').len());
        if let Some(text) = prefix(line) {
            *counts.entry(kind(text)).or_insert(0) += 1;
        }
    }
    let is_common =
        |text: &'a str| counts.get(kind(text)).is_some_and(|count| *count > 4 && *count * 3 > all);
    if !counts.keys().any(|text| is_common(text)) {
        return lines
            .into_iter()
            .map(|line| line.get(indent.min(line.len())..).unwrap_or(line))
            .collect();
    }
    let bare = |line: &'a str| match prefix(line).filter(|text| is_common(text)) {
        Some(text) => &line[text.len()..],
        // A wrapper may leave out the blank at the end of an empty line's prefix.
        None if counts.keys().any(|text| is_common(text) && line == text.trim_end()) => "",
        None => line,
    };
    lines.into_iter().map(bare).collect()
}

#[cfg(test)]
mod tests {
    use super::unprefixed;

    #[test]
    fn a_wrappers_prefix_is_left_out_and_others_stay() {
        for (prefix, stays) in [
            ("app-1  | ", false),
            ("core:test: ", false),
            ("packages/two test: ", false),
            ("[0] ", false),
            ("2026-01-02T03:04:05.678Z ", false),
            ("   ", false),
            ("[ERROR] ", true),
            ("a.c:3:5: ", true),
        ] {
            let text = [
                "E   assert 1 == 2",
                "",
                "a.py:3: AssertionError",
                "FAILED a.py",
                "1 failed",
                "x",
                "y",
            ];
            let lines: Vec<String> = text.iter().map(|line| format!("{prefix}{line}")).collect();
            let found = unprefixed(lines.iter().map(String::as_str).collect());
            assert_eq!(found[0] == lines[0], stays, "{prefix}");
            assert_eq!(found[0] == text[0], !stays, "{prefix}");
        }
    }
}
