//! QUALITY, in the world: idioms and exports are checked in the delta's texts, before and after.
//!
//! The verdicts are `ftl_analysis::quality`'s, what follows from them is the machine's. Only the texts are
//! read here, all of them again: the verify may have changed what an earlier state had read.

use std::collections::{BTreeMap, BTreeSet};

use ftl_analysis::quality::{
    self, Exports, FileText, framework_idioms, idiom_warnings, judge_exports, judge_idioms,
};
use ftl_analysis::test_code;
use ftl_machine::Event;
use ftl_machine::event::Judged;
use ftl_model::{DeltaPath, IdiomKind, IdiomStatus, IdiomVerdict, Idioms, LineCounts, Touched};
use ftl_tree::{DeltaContent, SavedFiles};

use super::idiom_judge;
use crate::parsing::Parsing;
use crate::project::{Layout, ProjectFiles};
use crate::run::Fault;
use crate::run::journal::recorder::Recorder;
use crate::run::settings::Implementer;
use crate::run::work::diff;
use crate::run::world::World;
use crate::text::listed;

/// Bytes of one text that is judged. Rules and parsers need several times as much.
const LARGEST: u64 = 16 << 20;

/// Bytes of all texts together, before and after.
const LARGEST_SUM: u64 = 32 << 20;

/// One delta file as text, bytes that are no UTF-8 replaced.
struct Texts {
    path: String,
    before: Option<String>,
    after: Option<String>,
}

pub(in crate::run) fn judge(
    world: &World<'_>,
    recorder: &mut Recorder<'_>,
) -> Result<Event, Fault> {
    let delta = world.delta_state()?;
    let (texts, too_large) = texts(world)?;
    let files: Vec<FileText<'_>> = texts
        .iter()
        .map(|text| FileText {
            path: &text.path,
            before: text.before.as_deref(),
            after: text.after.as_deref(),
        })
        .collect();
    let rules = &world.site.settings.quality.rules;
    let own = world.brief().workspace.idioms.as_ref();
    let mut idioms = own.map(|own| judge_idioms(own, &files, rules)).unwrap_or_default();
    let detected = detected(world, &files);
    if let Some(detected) = &detected {
        idioms.extend(judge_idioms(detected, &files, rules));
    }
    let detected = detected.and_then(|idioms| idioms.framework);
    let judged = idiom_judge::decide(world, &files, &mut idioms, recorder)?;
    leave_undecided(&mut idioms, &too_large);
    let known =
        if world.before()?.is_known() { quality::Before::Known } else { quality::Before::Unknown };
    let contexts = &world.brief().workspace.code_contexts;
    let settings = world.site.settings;
    let removable = &world.brief().workspace.allow_removed;
    let allowed = [settings.quality.allow_removed.as_slice(), removable.as_slice()].concat();
    let parsing = Parsing::new(settings.syntax.scout.as_deref());
    let is_shallow = |path: &str, text: &str| parsing.is_shallow(path, text);
    let project = ProjectFiles::new(Layout::new(world.site.root()));
    let others = |path: &str| project.text(path);
    // Nothing was there that could be gone, and nothing is asked for.
    let has_exports = !contexts.is_empty() || files.iter().any(|file| file.before.is_some());
    let exports = match has_exports {
        true => parsing
            .run(|| judge_exports(contexts, &files, known, &allowed, &others, &is_shallow))
            .map_err(|error| Fault::Checking {
                path: world.site.root().to_owned(),
                why: error.to_string(),
            })?,
        false => Exports::default(),
    };
    let mut warnings = idiom_warnings(&idioms);
    warnings.extend(judged);
    if !too_large.is_empty() {
        let paths = listed(&too_large);
        warnings.push(format!("too large to be judged by idioms, exports and tests: {paths}"));
    }
    warnings.extend(exports.warnings);
    // Here, since no request follows from this state on.
    warnings.extend(unused_patches(world));
    warnings.extend(changed_tests(texts.iter().chain(&allowed_texts(world)?)));
    Ok(Event::Judged(Box::new(Judged {
        lines: lines(&delta.touched, &texts),
        delta,
        idioms,
        detected,
        exports: exports.verdicts,
        warnings,
    })))
}

/// What the project's framework forbids, for a task that names no framework and changes Python files; without what
/// the task forbids itself.
fn detected(world: &World<'_>, files: &[FileText<'_>]) -> Option<Idioms> {
    let workspace = &world.brief().workspace;
    let named = workspace.framework().map(str::trim);
    let is_named = named.is_some_and(|name| !name.is_empty() && name != "none");
    let is_python = |file: &FileText<'_>| file.path.ends_with(".py") && file.before != file.after;
    if is_named || !files.iter().any(is_python) {
        return None;
    }
    let settings = world.site.settings;
    let mut idioms = framework_idioms((settings.quality.framework_of)(world.site.root())?)?;
    idioms.required.clear();
    let own = workspace.idioms.iter().flat_map(|own| &own.forbidden);
    let own: Vec<_> = own.map(|idiom| idiom.text.as_deref().map(str::trim)).collect();
    idioms.forbidden.retain(|idiom| !own.contains(&idiom.text.as_deref()));
    (!idioms.forbidden.is_empty()).then_some(idioms)
}

/// The tests of files that were there whose text changed, as a sentence.
fn changed_tests<'t>(texts: impl Iterator<Item = &'t Texts>) -> Option<String> {
    let names = texts.filter_map(|text| {
        let before = text.before.as_deref()?;
        Some(test_code::changed_tests(&text.path, before, text.after.as_deref()))
    });
    let names: Vec<String> = names.flatten().collect();
    let noun = if names.len() == 1 { "test" } else { "tests" };
    (!names.is_empty())
        .then(|| format!("{} existing {noun} changed: {}", names.len(), listed(&names)))
}

/// The texts of files that changed beside the delta, and may.
fn allowed_texts(world: &World<'_>) -> Result<Vec<Texts>, Fault> {
    let Some(place) = &world.workplace else { return Ok(Vec::new()) };
    let work = world.saved_work()?;
    let delta: BTreeSet<&DeltaPath> = world.brief().paths().collect();
    let mut texts = Vec::new();
    for path in work.states().into_keys().filter(|path| !delta.contains(path)) {
        let text = |files: &SavedFiles| -> Result<Option<String>, Fault> {
            let is_small = files.len(&path).is_some_and(|len| len <= LARGEST);
            let bytes = if is_small { files.read(&path)? } else { None };
            Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
        };
        let (before, after) = (text(&place.base)?, text(&work)?);
        texts.push(Texts { path: path.to_string(), before, after });
    }
    Ok(texts)
}

/// The texts of the delta, and the paths of files that are too large to be held in memory.
fn texts(world: &World<'_>) -> Result<(Vec<Texts>, Vec<String>), Fault> {
    let text = |bytes: Vec<u8>| match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    };
    let (before, tree) = (world.before()?, world.tree());
    let (mut texts, mut too_large, mut left) = (Vec::new(), Vec::new(), LARGEST_SUM);
    for path in world.brief().paths() {
        let then = before.len(path);
        let (after, now) = match tree.read_up_to(path, LARGEST)? {
            Some(DeltaContent::Bytes(bytes)) => (Some(bytes.len() as u64), Some(bytes)),
            Some(DeltaContent::TooLarge(length)) => (Some(length), None),
            None => (None, None),
        };
        let lengths = [then, after].map(Option::unwrap_or_default);
        let rest = left.checked_sub(lengths.iter().sum());
        let Some(rest) = rest.filter(|_| lengths.iter().all(|length| *length <= LARGEST)) else {
            too_large.push(path.to_string());
            continue;
        };
        let old = before.read(path)?;
        if old.is_none() && then.is_some() {
            too_large.push(path.to_string());
            continue;
        }
        left = rest;
        let path = path.to_string();
        texts.push(Texts { path, before: old.map(text), after: now.map(text) });
    }
    Ok((texts, too_large))
}

/// What was not read may hold what is required, and what is forbidden.
fn leave_undecided(idioms: &mut [IdiomVerdict], too_large: &[String]) {
    let is_open = |idiom: &&mut IdiomVerdict| match idiom.kind {
        IdiomKind::Required => idiom.verdict != IdiomStatus::Satisfied,
        IdiomKind::Forbidden => idiom.verdict != IdiomStatus::Violated,
    };
    for idiom in idioms.iter_mut().filter(is_open).filter(|_| !too_large.is_empty()) {
        idiom.verdict = IdiomStatus::Undecidable;
        idiom.note = Some(format!("too large to be judged: {}", listed(too_large)));
    }
}

fn lines(touched: &[Touched], texts: &[Texts]) -> BTreeMap<DeltaPath, LineCounts> {
    let of = |file: &Touched| {
        let text = texts.iter().find(|text| text.path == file.path.as_str())?;
        let side = |side: &Option<String>| side.clone().unwrap_or_default();
        Some((file.path.clone(), diff::lines(&side(&text.before), &side(&text.after))?))
    };
    touched.iter().filter_map(of).collect()
}

fn unused_patches(world: &World<'_>) -> Option<String> {
    let Implementer::Patches(patches) = &world.site.settings.implementer else {
        return None;
    };
    let used = usize::try_from(world.made.patches).unwrap_or(usize::MAX);
    let unused = patches.len().saturating_sub(used);
    (unused > 0).then(|| format!("{unused} of {} patches were not used", patches.len()))
}
