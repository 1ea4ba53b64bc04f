//! Linters that list findings below the name of a file: ESLint, stylelint, yamllint and their like.

use crate::constants::ConstPattern;

static FINDING: ConstPattern =
    ConstPattern::new(r"^\s+\d+:\d+\s+(error|warning|✖|⚠|×|✘|Error|Warning|info)\s+(\S.*)$");
/// shellcheck points at the code from below it.
static POINTER: ConstPattern =
    ConstPattern::new(r"^\s*\^-*\^?-* ?(SC\d+ \((error|warning|info|style)\): .*)$");
static LIMIT: ConstPattern =
    ConstPattern::new(r"(?i)too many warnings|maximum (?:number of )?warnings");

/// The findings, errors before warnings; what says that there are too many warnings after them.
pub(super) fn findings(lines: &[&str]) -> Vec<String> {
    let (mut errors, mut others) = (Vec::new(), Vec::new());
    for line in lines {
        let (severity, text) = match (FINDING.captures(line), POINTER.captures(line)) {
            (Some(parts), _) => (parts[1].to_lowercase(), line.trim().to_owned()),
            (_, Some(parts)) => (parts[2].to_owned(), parts[1].to_owned()),
            (None, None) => continue,
        };
        match severity.as_str() {
            "error" | "✖" | "×" | "✘" => errors.push(text),
            _ => others.push(text),
        }
    }
    let limit = lines.iter().filter(|line| LIMIT.is_match(line));
    let limit: Vec<String> = limit.map(|line| (*line).to_owned()).collect();
    let found = errors.into_iter().chain(others);
    let found: Vec<String> = found.collect();
    if found.is_empty() {
        return found;
    }
    found.into_iter().chain(limit).collect()
}
