//! Made files are as their makers would make them now, and no guide leaves a thing out.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ftl_engine::json::schemas;
use ftl_machine::{BlockKind, graph};
use xtask::{fixtures, generated};

use crate::support::FTL;

#[test]
fn the_fixtures_are_what_the_chore_makes() {
    assert_eq!(fixtures::tree().stale().unwrap(), BTreeSet::new());
}

#[test]
fn the_generated_pages_are_what_the_chore_makes() {
    let schemas: String = schemas()
        .iter()
        .map(|(name, schema)| format!("=== {name}\n{:#}\n", schema.as_value()))
        .collect();
    let pages = generated::tree(Path::new(FTL), &graph::table(), &schemas).unwrap();
    assert_eq!(
        pages.stale().unwrap(),
        BTreeSet::new(),
        "run `cargo xtask docs`"
    );
}

#[test]
fn the_guide_to_blocks_explains_every_kind() {
    let guide = fs::read_to_string(xtask::root().join("docs/blocks.md")).unwrap();
    for kind in BlockKind::ALL {
        assert!(
            guide.contains(&format!("| `{kind}` |")),
            "`{kind}` has no row"
        );
    }
}
