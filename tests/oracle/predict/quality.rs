//! Idioms and exports, judged on the delta as it stands.

use crate::oracle::scenario::{Confidence, Context, IdiomRule, Implementer, Scenario};
use crate::oracle::text::File;

use super::world::World;
use super::{Step, Stop};

/// Violations block from 0.6 on, and where nothing is said. A value on `idioms` wins.
pub(super) fn is_enforced(confidence: Confidence) -> bool {
    let attribute = confidence.attribute.filter(|text| !text.is_empty());
    match attribute
        .or(confidence.element)
        .filter(|text| !text.is_empty())
    {
        None => true,
        Some(text) => text
            .parse::<f64>()
            .is_ok_and(|value| value.clamp(0.0, 1.0) >= 0.6),
    }
}

pub(super) fn idiom_violated(scenario: &Scenario, world: &World, strict: bool) -> Step<bool> {
    let mut violated = false;
    for idiom in &scenario.idioms {
        violated |= match idiom.rule {
            IdiomRule::Mark(mark) if idiom.required => !occurs(world, mark),
            IdiomRule::Mark(mark) => occurs_anew(world, mark)?,
            IdiomRule::Prose(_) if scenario.undecided_blocks && !strict => {
                return Err(Stop::Unclear(
                    "undecidable, to be blocked, at a low confidence",
                ));
            }
            IdiomRule::Prose(_) => scenario.undecided_blocks,
            IdiomRule::DoesNotCompile => unreachable!("PLAN refused it"),
        };
    }
    Ok(violated)
}

fn has_mark(file: &Option<File>, mark: &str) -> bool {
    file.as_ref()
        .is_some_and(|file| file.text.marks.contains(mark))
}

fn occurs(world: &World, mark: &str) -> bool {
    world.now.iter().any(|file| has_mark(file, mark))
}

/// An occurrence that the base had is an old one.
fn occurs_anew(world: &World, mark: &str) -> Step<bool> {
    let pairs = || world.base.iter().zip(&world.now);
    let gained = pairs().any(|(base, now)| !has_mark(base, mark) && has_mark(now, mark));
    let dropped = pairs().any(|(base, now)| has_mark(base, mark) && !has_mark(now, mark));
    if gained && dropped {
        return Err(Stop::Unclear(
            "whether an occurrence that moved to another file is new",
        ));
    }
    Ok(gained)
}

pub(super) fn export_lost(scenario: &Scenario, world: &World) -> Step<bool> {
    let mut lost = false;
    for context in &scenario.contexts {
        // A context outside the delta is not judged.
        if let Some(file) = context.file {
            lost |= context_lost(scenario, world, context, file)?;
        }
    }
    Ok(lost)
}

fn context_lost(scenario: &Scenario, world: &World, context: &Context, file: usize) -> Step<bool> {
    // Without git the tree's base is unknown: what is listed counts as having been there.
    let trusted = matches!(scenario.implementer, Implementer::Tree(_)) && !scenario.git;
    let (base, now) = (&world.base[file], &world.now[file]);
    let unreadable = |file: &Option<File>| file.as_ref().is_some_and(|file| file.text.broken);
    if unreadable(base) || unreadable(now) {
        return Err(Stop::Unclear("what a file that does not parse exports"));
    }
    let judged = context
        .exports
        .iter()
        .filter(|name| scenario.allow_removed != Some(**name));
    Ok(judged
        .filter(|name| trusted || defines(base, name))
        .any(|name| !defines(now, name) && !is_moved(world, file, name)))
}

fn defines(file: &Option<File>, name: &str) -> bool {
    file.as_ref()
        .is_some_and(|file| file.text.names.contains(name))
}

/// Re-exported from another delta file that defines it.
fn is_moved(world: &World, file: usize, name: &str) -> bool {
    let imported = world.now[file]
        .as_ref()
        .is_some_and(|file| file.text.imports.iter().any(|(import, _)| *import == name));
    imported && world.now.iter().any(|other| defines(other, name))
}
