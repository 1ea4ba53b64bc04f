//! The ways that were not as they must, beside those that are known for it.

use std::collections::{BTreeMap, BTreeSet};

use ftl_testkit::Result;

use super::known::KNOWN;
use super::world::World;
use crate::isolation::Isolation;

/// Ways by name and level of isolation, with the kinds of projects.
type Ways = BTreeMap<(&'static str, Isolation), BTreeSet<World>>;

/// The misses so far.
#[derive(Debug, Default)]
pub(super) struct Misses {
    /// Where a way was not as it must, and was not known for it.
    unknown: Ways,
    /// Where a way was as it must, and was listed as known not to be.
    stale: Ways,
    known: usize,
}

impl Misses {
    /// Takes a trial's result, and prints a miss that is not known.
    pub(super) fn take(
        &mut self,
        way: &'static str,
        world: World,
        isolation: Isolation,
        broken: &[String],
    ) {
        let broken_text = broken.join("\n    ");
        let list = match (broken.is_empty(), is_known(way, world, isolation)) {
            (true, false) => return,
            (false, true) => {
                self.known += 1;
                if std::env::var_os("FTL_WAY").is_some() {
                    println!("{way} ({}): {broken_text}", world.name());
                }
                return;
            }
            (false, false) => {
                println!("{way} ({}, {}):\n    {broken_text}", world.name(), isolation.name());
                &mut self.unknown
            }
            (true, true) => &mut self.stale,
        };
        list.entry((way, isolation)).or_default().insert(world);
    }

    /// Fails when a miss is not known, or a known one is none.
    pub(super) fn verdict(&self, ways: usize) -> Result {
        println!("{ways} ways; {} of the misses are known", self.known);
        show("misses that are not known", &self.unknown);
        show("listed in known.rs, and as they must: take them off", &self.stale);
        match (self.unknown.len(), self.stale.len()) {
            (0, 0) => Ok(()),
            (unknown, stale) => {
                Err(format!("{unknown} ways were not as they must, {stale} are listed wrongly")
                    .into())
            }
        }
    }
}

/// As `known.rs` writes them.
fn show(heading: &str, list: &Ways) {
    if !list.is_empty() {
        println!("{heading}:");
    }
    for ((way, isolation), worlds) in list {
        let worlds: Vec<&World> = worlds.iter().collect();
        println!("    ({way:?}, {isolation:?}, &{worlds:?}),",);
    }
}

fn is_known(way: &str, world: World, isolation: Isolation) -> bool {
    KNOWN
        .iter()
        .any(|(name, level, worlds)| *name == way && *level == isolation && worlds.contains(&world))
}
