//! Ways for an implementer to stray, or to destroy what protects the work: each is found, and nothing of it
//! comes into the project.
//!
//! A way is a shell script that an agent command runs, in projects of several kinds, in every place of a
//! workplace that this machine has. What must hold is stated by comparing complete listings of the project
//! from before and after, which know nothing of how ftl looks at a tree.

mod products;
mod trial;
mod ways;
mod world;

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;
use ftl_testkit::sweep::tally::Column;
use ftl_testkit::sweep::{Size, Sweep, Trial, has_tools, isolation};

use products::{Drop, Product};
use trial::StrayTrial;
use world::World;

const SWEEP: Sweep = Sweep {
    name: "strays",
    rows: &["project", "`--isolate`"],
    columns: &[Column::Sum("trials")],
    sample: 96,
};

/// Goes every way, and lets every build tool make products that are dropped.
pub(super) fn run(size: Size) -> Result {
    if !has_tools(&["git", "python3"]) {
        return Ok(());
    }
    let ftl = &named_or_release()?;
    let gitignore = &trial::gitignore(ftl)?;
    let tools = products::tools();
    let ways = ways::all()?;
    let mut trials: Vec<Box<dyn Trial>> = Vec::new();
    for isolation in isolation::available(ftl)? {
        for world in World::ALL {
            for way in &ways {
                if let Some(expected) = way.expected(world, isolation) {
                    let trial = StrayTrial { ftl, gitignore, way, expected, world, isolation };
                    trials.push(Box::new(trial));
                }
            }
            for (tool, drop) in tools.iter().flat_map(|tool| Drop::ALL.map(|drop| (tool, drop))) {
                trials.push(Box::new(Product { ftl, gitignore, tool, drop, world, isolation }));
            }
        }
    }
    SWEEP.run(size, trials)
}
