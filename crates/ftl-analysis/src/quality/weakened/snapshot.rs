//! Snapshots that are stored in files: Jest's and Vitest's `.snap`, insta's `.snap`, syrupy's `.ambr`, golden files.

use std::collections::BTreeMap;

use ftl_model::{Weakening, WeakeningKind};

use crate::constants::ConstPattern;
use crate::quality::changed_file::ChangedFile;

static ENTRY: ConstPattern = ConstPattern::new(r"(?m)^exports\[`(.*?)`\] = |^# name: (.*)$");

/// Entries that are others now; new ones and those that are gone with their test are none.
pub(super) fn rewritten(file: ChangedFile<'_>) -> Vec<Weakening> {
    let (Some(before), Some(after)) = (file.before, file.after) else { return Vec::new() };
    if !is_snapshot(file.path) {
        return Vec::new();
    }
    let new = entries(after);
    let of = |(name, (_, old)): (&str, (u32, &str))| {
        let (line, text) = new.get(name)?;
        (said(text) != said(old)).then(|| Weakening {
            kind: WeakeningKind::SnapshotRewritten,
            path: file.path.to_owned(),
            line: *line,
            test: name.to_owned(),
            before: None,
            after: None,
        })
    };
    entries(before).into_iter().filter_map(of).collect()
}

/// What a snapshot says, however its writer formats it: Jest's versions differ in escapes, quotes and the names of
/// plain types, and Vitest names errors.
pub(super) fn said(text: &str) -> String {
    let plain = text.replace("Object {", "{").replace("Array [", "[");
    let plain = plain.replace("`[Error: ", "`").replace("]`", "`");
    plain.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\\' | '"' | '\'' | '`')).collect()
}

fn is_snapshot(path: &str) -> bool {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_stored = directory.split('/').any(|part| matches!(part, "__snapshots__" | "snapshots"));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(ending, "snap" | "ambr" | "golden" | "approved") || is_stored && ending != "py"
}

/// The text of each entry with its first line; of a file without named entries the whole, without insta's heading.
fn entries(text: &str) -> BTreeMap<&str, (u32, &str)> {
    let starts: Vec<(usize, &str)> = ENTRY
        .captures_iter(text)
        .filter_map(|parts| {
            let name = parts.get(1).or_else(|| parts.get(2))?.as_str();
            Some((parts.get(0)?.start(), name))
        })
        .collect();
    if starts.is_empty() {
        let body = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
        return BTreeMap::from([("", (1, body.map_or(text, |(_, body)| body)))]);
    }
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain([text.len()]);
    let line = |at: usize| u32::try_from(text[..at].matches('\n').count() + 1).unwrap_or(u32::MAX);
    starts.iter().zip(ends).map(|(&(at, name), end)| (name, (line(at), &text[at..end]))).collect()
}
