//! The part of lab/evaluation.md on exports.

use std::collections::BTreeMap;

use super::Exporting;
use super::compare::ExportTally;
use ftl_testkit::page::table;

const METHOD: &str = "\
## Exports

`cargo xtask evaluate exports` reads real files by `ftl` and by the front end of their language. Two lists are compared for each file: all names that it
gives, which a task may list, and the public ones, which `ftl new` lists; neither has what a star passes on. Versions are pinned in
`tools/evaluate/src/exports/corpora.rs` and Cargo.lock.

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
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (line, reason) in differing {
        let path = line.split(": ").next().unwrap_or(line);
        let path = path.strip_prefix("node_modules/").unwrap_or(path);
        reasons.entry(reason.unwrap_or("not looked at")).or_default().push(path);
    }
    let reasons =
        reasons.into_iter().map(|(reason, paths)| format!("- {reason}: {}\n", paths.join(", ")));
    let reasons: String = reasons.collect();
    match reasons.is_empty() {
        true => section,
        false => format!("{section}\nFiles that differ:\n\n{reasons}"),
    }
}
