//! Ways for an implementer to stray, or to destroy what protects the work: each is found or never was
//! there, and the tree is put back.
//!
//! A way is a shell script that an agent command runs, in projects of several kinds, at every level of
//! isolation that this machine and this `ftl` have. What must hold is stated by comparing complete
//! listings of the project from before and after, which know nothing of how ftl looks at a tree.
//! [`known`] lists the misses; it may only shrink.

mod known;
mod misses;
mod products;
mod trial;
mod ways;
mod world;

use std::sync::Mutex;

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;

use crate::isolation::{self, Isolation};
use crate::tally::{Column, TrialTally};
use crate::{Size, has_tools, workers};
use misses::Misses;
use products::{Drop, Product};
use trial::Trial;
use ways::Way;
use world::World;

/// Goes every way, in one kind of project each, or in all of them.
pub(super) fn run(size: Size) -> Result {
    if !has_tools(&["git", "python3"]) {
        return Ok(());
    }
    let ftl = named_or_release()?;
    let levels = isolation::available(&ftl)?;
    let trials = trials(size, &levels);
    let gitignore = trial::gitignore(&ftl)?;
    let columns = &[Column::Sum("trials")];
    let tally = TrialTally::new(&["project", "`--isolate`"], columns);
    let counted = Mutex::new((tally, Misses::default()));
    workers::each("strays", &trials, |sandbox, (way, world, isolation)| {
        let trial =
            Trial { ftl: &ftl, gitignore: &gitignore, way, world: *world, isolation: *isolation };
        let broken = trial.run(sandbox)?;
        let mut counted = counted.lock().map_err(|error| error.to_string())?;
        let (tally, misses) = &mut *counted;
        tally.add(&[world.name(), isolation.name()], &[1], !broken.is_empty());
        misses.take(way.name, *world, *isolation, &broken);
        Ok(())
    })?;
    let products = products(size, &levels);
    workers::each("strays", &products, |sandbox, product| {
        let broken = product.run(sandbox, &ftl, &gitignore)?;
        let mut counted = counted.lock().map_err(|error| error.to_string())?;
        let (tally, misses) = &mut *counted;
        tally.add(&[product.world.name(), product.isolation.name()], &[1], !broken.is_empty());
        misses.take(product.name(), product.world, product.isolation, &broken);
        Ok(())
    })?;
    let (tally, misses) = counted.into_inner()?;
    tally.print();
    misses.verdict(ways::all().count())
}

/// Build tools in each kind of project. A sample takes each tool once.
fn products(size: Size, levels: &[Isolation]) -> Vec<Product> {
    if std::env::var_os("FTL_WAY").is_some_and(|way| way != "products") {
        return Vec::new();
    }
    let mut products = Vec::new();
    for tool in Product::tools() {
        for world in World::ALL.into_iter().filter(|world| is_meant("FTL_WORLD", world.name())) {
            for drop in Drop::ALL {
                let of =
                    |isolation: &Isolation| Product { tool, drop, world, isolation: *isolation };
                products.extend(levels.iter().map(of));
            }
        }
    }
    let each = World::ALL.len() * Drop::ALL.len() * levels.len();
    // Another kind of project and another way for each tool.
    let step = if size == Size::Full { 1 } else { each.saturating_sub(3).max(1) };
    products.into_iter().step_by(step).collect()
}

/// Whether a variable that selects names holds a part of this one, or is not set.
fn is_meant(variable: &str, name: &str) -> bool {
    std::env::var(variable).map_or(true, |text| name.contains(text.as_str()))
}

/// A sample takes one way in so many.
const SAMPLED: usize = 3;

/// What is gone through. A sample takes a few ways, in turn in each kind of project and at each level. `FTL_WAY` and `FTL_WORLD` select ways and projects whose names hold a text.
fn trials(size: Size, levels: &[Isolation]) -> Vec<(&'static Way, World, Isolation)> {
    let mut trials = Vec::new();
    let ways = ways::all().filter(|way| is_meant("FTL_WAY", way.name));
    for (turn, way) in ways.enumerate() {
        let worlds: Vec<World> = World::ALL
            .into_iter()
            .filter(|world| {
                way.expected(*world, Isolation::Off).is_some()
                    && is_meant("FTL_WORLD", world.name())
            })
            .collect();
        let all = worlds.iter().flat_map(|world| levels.iter().map(|level| (way, *world, *level)));
        let all: Vec<_> = all.collect();
        match size {
            Size::Full => trials.extend(all),
            Size::Sample if turn % SAMPLED == 0 => {
                trials.extend(all.get(turn / SAMPLED % all.len().max(1)));
            }
            Size::Sample => {}
        }
    }
    trials
}
