//! Linters and type checkers: a place and a finding in one line, findings below the name of a file, and findings above
//! an arrow to their place.

use super::draft::Draft;
use super::source_line::SourceLine;
use crate::constants::ConstPattern;

/// `a.py:4:6: E1101: …`, `app.rb:3:1: W: …`, `a.ts:2:5 - warning …`.
static ONE_LINE: ConstPattern =
    ConstPattern::new(r"^\s*([^\s:()]*[^\s:()/]\.\w+):(\d+):(?:\d+)?:?(?: -)? +(\S.*)$");
static FILE: ConstPattern = ConstPattern::new(r"^([^\s:]\S*\.\w+)$");
static BELOW_FILE: ConstPattern =
    ConstPattern::new(r"^\s+(\d+):\d+\s+((?:error|warning|✖|⚠|×|✘|Error|Warning|info)\s+\S.*)$");
/// ruff, oxlint, biome: the finding above or beside the place.
static ARROW: ConstPattern =
    ConstPattern::new(r"^\s*(?:-->|╭─+\[|┌─+\[?|,-\[) ?(\S+?):(\d+):\d+\s*\]?$");
static BIOME: ConstPattern = ConstPattern::new(r"^(\S+?\.\w+):(\d+):\d+ (\S+) .*━{3,}$");
static SHELLCHECK: ConstPattern = ConstPattern::new(r"^In (\S+) line (\d+):$");
static SHELLCHECK_FINDING: ConstPattern = ConstPattern::new(r"^\s*\^-*\^?-* ?(SC\d+ \(\w+\): .*)$");
/// Perl, and PHP's `in a.php on line 3`.
static BEHIND: ConstPattern = ConstPattern::new(
    r"^(\S.*?)(?: at (\S+\.\w+) line (\d+)| in (\S+\.\w+) on line (\d+))(?:[.,].*)?$",
);
static WARNING: ConstPattern =
    ConstPattern::new(r"(?i)^(?:warn(?:ing)?\b|⚠|info\b|note\b|help\b|[CRI]\d{4}: )");

/// Every finding with a place; of errors and warnings the errors.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let mut file: Option<&str> = None;
    let mut shell: Option<SourceLine> = None;
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(parts) = FILE.captures(line) {
            file = parts.get(1).map(|it| it.as_str());
        } else if let Some(parts) = SHELLCHECK.captures(line) {
            shell = SourceLine::new(&parts[1], &parts[2]);
        } else if let Some(parts) = SHELLCHECK_FINDING.captures(line) {
            found.push(finding(at..at + 1, shell.clone(), parts[1].to_owned()));
        } else if let Some(parts) = BELOW_FILE.captures(line) {
            let place = file.and_then(|file| SourceLine::new(file, &parts[1]));
            found.push(finding(at..at + 1, place, parts[2].trim().to_owned()));
        } else {
            found.extend(placed(lines, at));
        }
    }
    found.retain(|draft| draft.place.is_some());
    if found.iter().any(|draft| !WARNING.is_match(&draft.message)) {
        found.retain(|draft| !WARNING.is_match(&draft.message));
    }
    found
}

fn finding(lines: std::ops::Range<usize>, place: Option<SourceLine>, message: String) -> Draft {
    Draft { place, message, ..Draft::of(lines) }
}

fn placed(lines: &[&str], at: usize) -> Option<Draft> {
    let line = lines[at];
    if let Some(parts) = BIOME.captures(line) {
        let said =
            lines[at + 1..].iter().take(4).map(|line| line.trim()).find(|line| !line.is_empty())?;
        let message = said.trim_start_matches(['×', '✖', '!', ' ']).to_owned();
        return Some(finding(
            at..at + 4.min(lines.len() - at),
            SourceLine::new(&parts[1], &parts[2]),
            message,
        ));
    }
    if let Some(parts) = ARROW.captures(line) {
        let above = lines[..at].last().map(|line| line.trim()).filter(|line| !line.is_empty())?;
        return Some(finding(
            at - 1..at + 1,
            SourceLine::new(&parts[1], &parts[2]),
            above.to_owned(),
        ));
    }
    let is_frame = |text: &str| text.starts_with("in ") || text.starts_with("0x");
    if let Some(parts) = ONE_LINE.captures(line).filter(|parts| !is_frame(&parts[3])) {
        return Some(finding(
            at..at + 1,
            SourceLine::new(&parts[1], &parts[2]),
            parts[3].to_owned(),
        ));
    }
    let parts = BEHIND.captures(line)?;
    let path = parts.get(2).or_else(|| parts.get(4))?.as_str();
    let number = parts.get(3).or_else(|| parts.get(5))?.as_str();
    Some(finding(at..at + 1, SourceLine::new(path, number), parts[1].to_owned()))
}
