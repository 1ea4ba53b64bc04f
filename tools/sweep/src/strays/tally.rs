//! Counts of trials, the misses by name, and the misses that are known.

use std::collections::{BTreeMap, BTreeSet};

use ftl_testkit::Result;

use super::known::KNOWN;
use super::world::World;
use crate::isolation::Isolation;

/// What came of the trials so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: BTreeMap<(World, Isolation), (usize, usize)>,
    /// Where each way was not as it must, and was not known for it.
    unknown: BTreeMap<(&'static str, Isolation), BTreeSet<World>>,
    /// Where a way was as it must, and was listed as known not to be.
    stale: BTreeMap<(&'static str, Isolation), BTreeSet<World>>,
    known: usize,
}

impl Tally {
    /// Counts a trial.
    pub(super) fn take(
        &mut self,
        way: &'static str,
        world: World,
        isolation: Isolation,
        broken: Vec<String>,
    ) {
        let count = self.counts.entry((world, isolation)).or_default();
        count.0 += 1;
        count.1 += usize::from(!broken.is_empty());
        let is_known = is_known(way, world, isolation);
        let list = match (broken.is_empty(), is_known) {
            (true, false) => return,
            (false, true) => {
                self.known += 1;
                if std::env::var_os("FTL_WAY").is_some() {
                    println!("{way} ({}): {}", world.name(), broken.join("\n    "));
                }
                return;
            }
            (false, false) => {
                println!(
                    "{way} ({}, {}):\n    {}",
                    world.name(),
                    isolation.name(),
                    broken.join("\n    ")
                );
                &mut self.unknown
            }
            (true, true) => &mut self.stale,
        };
        list.entry((way, isolation)).or_default().insert(world);
    }

    /// Prints the counts, and fails when a miss is not known, or a known one is none.
    pub(super) fn verdict(&self, ways: usize) -> Result {
        println!("| project | `--isolate` | trials | not as it must |\n| --- | --- | --: | --: |");
        let mut all = (0, 0);
        for ((world, isolation), (trials, broken)) in &self.counts {
            println!("| {} | {} | {trials} | {broken} |", world.name(), isolation.name());
            all = (all.0 + trials, all.1 + broken);
        }
        println!("| all, {ways} ways | | {} | {} |", all.0, all.1);
        println!("{} of the misses are known", self.known);
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
fn show(heading: &str, list: &BTreeMap<(&'static str, Isolation), BTreeSet<World>>) {
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
