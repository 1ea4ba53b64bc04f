//! Error lines and families of real outputs, in `cases/errors`, and of single lines.

use std::collections::BTreeSet;

use ftl_analysis::diagnosis::{Classification, Families, error_lines};

use crate::cases::check_folder;

fn verdict(found: &Classification) -> &'static str {
    match (found.transient_only, found.syntax_or_import) {
        (true, false) => "transient only",
        (false, true) => "syntax or import",
        (false, false) => "neither",
        (true, true) => "contradiction",
    }
}

#[test]
fn real_output_gives_the_line_to_quote_first_and_is_classified() {
    let families = Families::default();
    check_folder("errors", "txt", "lines", |output| {
        let lines = error_lines(output);
        let found = families.classify(&lines);
        format!("{}\n-- {}: {}\n", lines.join("\n"), verdict(&found), found.families.join(", "))
    });
}

#[test]
fn a_single_line_is_known_by_its_family() {
    let families = Families::default();
    let mut met = BTreeSet::new();
    for row in include_str!("../cases/families.tsv").lines() {
        let (family, line) = row.split_once('\t').unwrap();
        let found = families.classify(&[line]).families;
        assert_eq!(found.join(","), family, "{line}");
        met.extend(found);
    }
    for row in include_str!("../../src/diagnosis/families.tsv").lines() {
        let name = row.split('\t').nth(1).unwrap();
        assert!(met.contains(name), "no case has a line of `{name}`");
    }
    assert!(met.len() >= 15, "{met:?}");
}
