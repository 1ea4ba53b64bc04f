//! The part of docs/evaluation.md on exports.

use super::Language;
use super::compare::ExportTally;

const METHOD: &str = "\
## Exports

`cargo xtask evaluate exports` reads real files twice: by `ftl`, and by the front end of their language, which shares no code with it. Two lists are compared
for each file: all names that it gives, which a task may list, and those of them that are public, which `ftl new` lists. What a star passes on
is another file's and in neither list. Versions are pinned in `tools/evaluate/src/exports/corpora.rs` and Cargo.lock.

| language | beside | files | names | alike | not read by the front end, by `ftl` |
| --- | --- | --- | --- | --- | --- |
";

/// The part.
pub(super) fn section(tallies: &[(&Language, ExportTally)]) -> String {
    let mut section = METHOD.to_owned();
    for (language, tally) in tallies {
        section.push_str(&format!(
            "| {} | {} | {} | {} | {} | {}, {} |\n",
            language.name,
            language.words,
            tally.compared(),
            tally.names,
            tally.alike,
            tally.unread.len(),
            tally.left
        ));
    }
    let differing = tallies.iter().flat_map(|(_, tally)| &tally.differing);
    let rows: String = differing
        .map(|(line, reason)| {
            let path = line.split(": ").next().unwrap_or(line);
            format!("| `{path}` | {} |\n", reason.unwrap_or("not looked at"))
        })
        .collect();
    if !rows.is_empty() {
        section.push_str(&format!("\n| differing | why |\n| --- | --- |\n{rows}"));
    }
    section
}
