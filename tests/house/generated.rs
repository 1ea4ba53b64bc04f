//! Generated files are as their generators would write them now, and no guide leaves a thing out.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ftl_testkit::root;
use serde_json::Value;

use crate::support::FTL;

#[test]
fn the_fixtures_are_what_the_chore_writes() {
    let stale = ftl_fixtures::tree().stale().unwrap();
    assert_eq!(stale, BTreeSet::new(), "run `cargo xtask fixtures`");
}

#[test]
fn the_generated_pages_are_what_the_chore_writes() {
    let pages = ftl_docs::tree(Path::new(FTL)).unwrap();
    let stale = pages.stale().unwrap();
    assert_eq!(stale, BTreeSet::new(), "run `cargo xtask docs`");
}

/// The kinds of block as the schema has them, which is derived from the type itself.
fn kinds() -> Vec<String> {
    let text = fs::read_to_string(root().join("docs/schemas/build.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let kinds = schema["$defs"]["BlockKind"]["oneOf"].as_array().unwrap();
    let name = |kind: &Value| kind["const"].as_str().unwrap().to_owned();
    kinds.iter().map(name).collect()
}

#[test]
fn the_guide_to_blocks_explains_every_kind() {
    let guide = fs::read_to_string(root().join("docs/blocks.md")).unwrap();
    for kind in kinds() {
        let row = format!("| `{kind}` |");
        assert!(guide.contains(&row), "`{kind}` has no row");
    }
}
