//! The part of docs/evaluation.md on exports.

use super::Exporting;
use super::compare::ExportTally;
use ftl_testkit::page::table;

const METHOD: &str = "\
## Exports

`cargo xtask evaluate exports` reads real files twice: by `ftl`, and by the front end of their language, which shares no code with it. Two lists are compared
for each file: all names that it gives, which a task may list, and those of them that are public, which `ftl new` lists. What a star passes on
is another file's and in neither list. Versions are pinned in `tools/evaluate/src/exports/corpora.rs` and Cargo.lock.

";

/// The part.
pub(super) fn section(tallies: &[(&Exporting, ExportTally)]) -> String {
    let row = |(language, tally): &(&Exporting, ExportTally)| {
        vec![
            language.name.to_owned(),
            language.words.to_owned(),
            tally.compared().to_string(),
            tally.names.to_string(),
            tally.alike.to_string(),
            format!("{}, {}", tally.unread.len(), tally.left),
        ]
    };
    let heads =
        ["language", "beside", "files", "names", "alike", "not read by the front end, by `ftl`"];
    let section = METHOD.to_owned() + &table(&heads, tallies.iter().map(row).collect::<Vec<_>>());
    let differing = tallies.iter().flat_map(|(_, tally)| &tally.differing);
    let row = |(line, reason): &(String, Option<&str>)| {
        let path = line.split(": ").next().unwrap_or(line);
        vec![format!("`{path}`"), reason.unwrap_or("not looked at").to_owned()]
    };
    let rows: Vec<_> = differing.map(row).collect();
    match rows.is_empty() {
        true => section,
        false => format!("{section}\n{}", table(&["differing", "why"], rows)),
    }
}
