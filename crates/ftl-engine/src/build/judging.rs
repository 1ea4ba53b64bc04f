//! QUALITY, in the world: the delta's texts, before and after, are held against idioms and exports.

use super::{Fault, diff};
use std::collections::BTreeMap;

use ftl_model::DeltaPath;

use super::settings::Implementer;
use super::world::World;
use crate::machine::State;
use crate::machine::event::{Event, Judged, Lines, Touched};
use crate::quality::{self, FileText, idiom_warnings, judge_exports, judge_idioms};

/// One delta file as text, bytes that are no UTF-8 replaced.
struct Texts {
    path: String,
    before: Option<String>,
    after: Option<String>,
}

pub(super) fn judge(world: &World<'_>, state: &State) -> Result<Event, Fault> {
    let delta = world.before().compare(world.scope())?;
    let texts = texts(world, state)?;
    let files: Vec<FileText<'_>> = texts
        .iter()
        .map(|text| FileText {
            path: &text.path,
            before: text.before.as_deref(),
            after: text.after.as_deref(),
        })
        .collect();
    let idioms = world.workspace.idioms.as_ref();
    let idioms = idioms
        .map(|idioms| judge_idioms(idioms, &files))
        .unwrap_or_default();
    let known = if world.before().is_known() {
        quality::Before::Known
    } else {
        quality::Before::Unknown
    };
    let contexts = &world.workspace.code_contexts;
    let exports = judge_exports(contexts, &files, known, &world.settings.allow_removed);
    let mut warnings = idiom_warnings(&idioms);
    warnings.extend(exports.warnings);
    warnings.extend(unused_patches(world));
    Ok(Event::Judged(Box::new(Judged {
        lines: lines(&delta.touched, &texts),
        delta,
        idioms,
        exports: exports.verdicts,
        warnings,
    })))
}

fn texts(world: &World<'_>, state: &State) -> Result<Vec<Texts>, Fault> {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let mut all = Vec::new();
    for path in state.plan().paths() {
        all.push(Texts {
            path: path.to_string(),
            before: world.before().read(path)?.map(text),
            after: world.scope().read(path)?.map(text),
        });
    }
    Ok(all)
}

fn lines(touched: &[Touched], texts: &[Texts]) -> BTreeMap<DeltaPath, Lines> {
    let of = |file: &Touched| {
        let text = texts.iter().find(|text| text.path == file.path.as_str())?;
        let side = |side: &Option<String>| side.clone().unwrap_or_default();
        Some((
            file.path.clone(),
            diff::lines(&side(&text.before), &side(&text.after)),
        ))
    };
    touched.iter().filter_map(of).collect()
}

fn unused_patches(world: &World<'_>) -> Option<String> {
    let Implementer::Patches(patches) = &world.settings.implementer else {
        return None;
    };
    let used = usize::try_from(world.patches).unwrap_or(usize::MAX);
    let unused = patches.len().saturating_sub(used);
    (unused > 0).then(|| format!("{unused} of {} patches were not used", patches.len()))
}
