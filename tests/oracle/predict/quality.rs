//! Idioms and exports, judged on the current delta.

use std::collections::BTreeMap;

use crate::oracle::scenario::{Confidence, Context, Idiom, IdiomRule, Implementer, Scenario};
use crate::oracle::text::File;

use super::world::World;
use super::{Predicted, Stop};

/// Violations block from 0.6 on, and where nothing is said. A value on `idioms` wins.
pub(super) fn is_enforced(confidence: Confidence) -> bool {
    let attribute = confidence.attribute.filter(|text| !text.is_empty());
    match attribute.or(confidence.element).filter(|text| !text.is_empty()) {
        None => true,
        Some(text) => text.trim().parse::<f64>().is_ok_and(|value| value.clamp(0.0, 1.0) >= 0.6),
    }
}

/// A verdict for every idiom, in their order.
pub(super) fn idioms(scenario: &Scenario, world: &World) -> Predicted<Vec<&'static str>> {
    scenario.idioms.iter().map(|idiom| verdict(idiom, world)).collect()
}

fn verdict(idiom: &Idiom, world: &World) -> Predicted<&'static str> {
    let kept = match idiom.rule {
        IdiomRule::Mark(mark) if idiom.required => occurs(world, mark),
        IdiomRule::Mark(mark) => !occurs_newly(world, mark)?,
        IdiomRule::Prose(_) => return Ok("undecidable"),
        IdiomRule::DoesNotCompile => unreachable!("PLAN refused it"),
    };
    Ok(if kept { "satisfied" } else { "violated" })
}

/// Whether the verdicts end the run.
pub(super) fn violated(scenario: &Scenario, verdicts: &[&'static str]) -> Predicted<bool> {
    let strict = is_enforced(scenario.confidence);
    let undecided = scenario.undecided_blocks && verdicts.contains(&"undecidable");
    if undecided && !strict {
        return Err(Stop::Unclear("undecidable, to be blocked, at a low confidence"));
    }
    Ok(strict && (undecided || verdicts.contains(&"violated")))
}

fn count(file: &Option<File>, mark: &str) -> usize {
    let marks = file.as_ref().map(|file| &file.text.marks);
    marks.and_then(|marks| marks.get(mark)).copied().unwrap_or(0)
}

fn occurs(world: &World, mark: &str) -> bool {
    world.now.iter().any(|file| count(file, mark) > 0)
}

/// An occurrence that the base had is an old one.
fn occurs_newly(world: &World, mark: &str) -> Predicted<bool> {
    let pairs = || world.base.iter().zip(&world.now);
    let gained = pairs().any(|(base, now)| count(base, mark) < count(now, mark));
    let dropped = pairs().any(|(base, now)| count(base, mark) > count(now, mark));
    if gained && dropped {
        return Err(Stop::Unclear("whether an occurrence that moved to another file is new"));
    }
    Ok(gained)
}

/// Verdicts on exports, by path and name.
pub(super) type Exports = BTreeMap<(&'static str, &'static str), &'static str>;

/// A verdict for every name listed for a delta file; a context outside the delta is not judged.
pub(super) fn exports(scenario: &Scenario, world: &World) -> Predicted<Exports> {
    let mut verdicts = Exports::new();
    for context in &scenario.contexts {
        if let Some(file) = context.file {
            judge(scenario, world, context, file, &mut verdicts)?;
        }
    }
    Ok(verdicts)
}

fn judge(
    scenario: &Scenario,
    world: &World,
    context: &Context,
    file: usize,
    verdicts: &mut Exports,
) -> Predicted<()> {
    // Without git the tree's base is unknown: what is listed counts as having been there.
    let trusted = matches!(scenario.implementer, Implementer::Tree(_)) && !scenario.git;
    let (base, now) = (&world.base[file], &world.now[file]);
    let unreadable = |file: &Option<File>| file.as_ref().is_some_and(|file| file.text.broken);
    if unreadable(base) || unreadable(now) {
        return Err(Stop::Unclear("what a file that does not parse exports"));
    }
    // What may go is not judged.
    let judged = context.exports.iter().filter(|name| scenario.allow_removed != Some(**name));
    for name in judged {
        let verdict = if !trusted && !defines(base, name) {
            "never_there"
        } else if defines(now, name) {
            "kept"
        } else if is_moved(world, file, name) {
            "moved"
        } else {
            "lost"
        };
        verdicts.insert((scenario.delta[file].path, name), verdict);
    }
    Ok(())
}

/// Whether a name is gone that had to stay.
pub(super) fn lost(exports: &Exports) -> bool {
    exports.values().any(|verdict| *verdict == "lost")
}

fn defines(file: &Option<File>, name: &str) -> bool {
    file.as_ref().is_some_and(|file| file.text.names.contains(name))
}

/// Re-exported from another delta file that defines it.
fn is_moved(world: &World, file: usize, name: &str) -> bool {
    let imported = world.now[file]
        .as_ref()
        .is_some_and(|file| file.text.imports.iter().any(|(import, _)| *import == name));
    imported && world.now.iter().any(|other| defines(other, name))
}
