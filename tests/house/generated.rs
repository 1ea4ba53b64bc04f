//! Generated files are as their generators would write them now, and no guide leaves a thing out.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ftl_engine::machine::BlockKind;

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

#[test]
fn the_guide_to_blocks_explains_every_kind() {
    let guide = fs::read_to_string(ftl_testkit::root().join("docs/blocks.md")).unwrap();
    for kind in BlockKind::ALL {
        assert!(
            guide.contains(&format!("| `{kind}` |")),
            "`{kind}` has no row"
        );
    }
}
