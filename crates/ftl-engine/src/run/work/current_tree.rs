//! The delta as it is in the project, where the implementer is the project as it is.

use ftl_machine::Evidence;
use ftl_machine::event::Work;
use ftl_model::BaseCommit;

use super::before::{Before, today};
use super::deliveries;
use crate::run::Fault;
use crate::run::effects::old_tests_beside;
use crate::run::world::World;
use crate::text::listed;

/// The current delta, compared with its base. Nothing is asked to write, so strays are only reported.
pub(in crate::run) fn delta(
    world: &mut World<'_>,
    base: Option<&str>,
    head: Option<&BaseCommit>,
) -> Result<Work, Fault> {
    let tree = world.root_tree();
    let today = match base {
        None if tree.has_git() => Some(tree.base_at(head)?),
        None => None,
        Some(_) => today(tree, base)?,
    };
    let before = Before::of_tree(world.site, world.source, tree, base, || Ok(today.clone()))?;
    let mut work = Work { delta: before.compare(tree)?, ..Work::default() };
    work.changed = !work.delta.touched.is_empty();
    // Strays are those of today, also where the delta is measured by an earlier base.
    if let Some(base) = today {
        let strays = deliveries::others(tree, &base, world.site.layout);
        if world.site.settings.strict_scope {
            work.strays = strays;
        } else if !strays.is_empty() {
            work.warnings.push(format!("outside the delta also changed: {}", listed(&strays)));
        }
    }
    if work.delta.touched.is_empty() {
        if !world.site.settings.start.no_change {
            return Err(Fault::NothingDiffers { base: base.unwrap_or("HEAD").to_owned() });
        }
        work.no_change = true;
        work.warnings.push(
            "no file of the delta differs from the base: taken as work that needs no change".into(),
        );
    }
    if world.site.settings.evidence != Evidence::None {
        let touched = work.delta.touched.iter().map(|file| file.path.clone());
        work.changed_tests = old_tests_beside::changed(world, &before, touched)?;
    }
    world.before = Some(before);
    Ok(work)
}
