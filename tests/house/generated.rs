//! Made files are as their makers would make them now.

use std::collections::BTreeSet;

use xtask::fixtures;

#[test]
fn the_fixtures_are_what_the_chore_makes() {
    assert_eq!(fixtures::tree().stale().unwrap(), BTreeSet::new());
}
