//! Idioms judged over the delta: what each comes to, and where.
//!
//! Old and new occurrences differ in weight. Forbidden code that was there before is not this task's
//! doing, and is only a warning; required code counts wherever it is. What no rule decides is
//! undecidable and said so; policy, not this module, decides what that leads to.

use ftl_model::{Idiom, IdiomKind, Idioms};

use super::occurrence::{Occurrence, occurrences};
use super::rule::Rule;
use super::suppression;
use crate::pattern::Deadline;
use crate::quality::FileText;
use ftl_model::{IdiomPlace, IdiomStatus, IdiomVerdict};

/// Places that one verdict lists.
const MAX_PLACES: usize = 100;

/// Judges every idiom over the delta's files: the required ones, then the forbidden ones, in the
/// order of the document.
///
/// A required idiom is kept when it is found at least once in the files as they are. A forbidden one
/// is broken by an occurrence that was not there before, unless a comment allows it. An idiom that
/// no rule decides is undecidable, never kept in silence.
pub fn judge_idioms(idioms: &Idioms, files: &[FileText<'_>]) -> Vec<IdiomVerdict> {
    let deadline = Deadline::of_a_phase();
    let required = idioms
        .required
        .iter()
        .map(|idiom| judge(idiom, IdiomKind::Required, files, &deadline));
    let forbidden = idioms
        .forbidden
        .iter()
        .map(|idiom| judge(idiom, IdiomKind::Forbidden, files, &deadline));
    required.chain(forbidden).collect()
}

/// What the verdicts hold that blocks nothing but should be known: idioms that nothing decided,
/// forbidden code that was there before, places that a comment allows.
pub fn idiom_warnings(verdicts: &[IdiomVerdict]) -> Vec<String> {
    let mut warnings = Vec::new();
    for verdict in verdicts {
        let idiom = format!("{} idiom `{}`", verdict.kind, verdict.text);
        match verdict.verdict {
            IdiomStatus::Undecidable => {
                let why = verdict
                    .note
                    .as_deref()
                    .unwrap_or("no rule decides this text");
                warnings.push(format!("{idiom} is undecided: {why}"));
            }
            IdiomStatus::Satisfied | IdiomStatus::Violated
                if verdict.kind == IdiomKind::Forbidden =>
            {
                warnings.extend(old_places(verdict, &idiom));
                let note = verdict.note.iter();
                warnings.extend(note.map(|note| format!("{idiom}: {note}")));
            }
            IdiomStatus::Satisfied | IdiomStatus::Violated | IdiomStatus::NotApplicable => {}
        }
    }
    warnings
}

fn old_places(verdict: &IdiomVerdict, idiom: &str) -> Option<String> {
    let old: Vec<String> = verdict
        .places
        .iter()
        .filter(|place| !place.new)
        .map(|place| format!("{}:{}:{}", place.path, place.line, place.column))
        .collect();
    (!old.is_empty()).then(|| format!("{idiom} was broken before: {}", old.join(", ")))
}

fn judge(
    idiom: &Idiom,
    kind: IdiomKind,
    files: &[FileText<'_>],
    deadline: &Deadline,
) -> IdiomVerdict {
    let (verdict, places, note) = match found(idiom, files, deadline) {
        Err(why) => (IdiomStatus::Undecidable, Vec::new(), Some(why)),
        Ok(found) => match kind {
            IdiomKind::Required => required(&found),
            IdiomKind::Forbidden => forbidden(&found, idiom, files),
        },
    };
    IdiomVerdict {
        kind,
        text: idiom.text.clone().unwrap_or_default(),
        rule: idiom.rule.clone(),
        verdict,
        places,
        note,
    }
}

/// Where the idiom is found, or why nobody can say.
fn found<'a>(
    idiom: &Idiom,
    files: &[FileText<'a>],
    deadline: &Deadline,
) -> Result<Vec<Occurrence<'a>>, String> {
    deadline.check().map_err(|late| late.to_string())?;
    match Rule::of(idiom)? {
        Rule::Regex(pattern) => {
            occurrences(&pattern, files, deadline).map_err(|given_up| given_up.to_string())
        }
        Rule::None(why) => Err(why),
    }
}

type Judgement = (IdiomStatus, Vec<IdiomPlace>, Option<String>);

fn required(found: &[Occurrence<'_>]) -> Judgement {
    match found.is_empty() {
        true => {
            let note = "found in none of the delta's files".to_owned();
            (IdiomStatus::Violated, Vec::new(), Some(note))
        }
        false => (IdiomStatus::Satisfied, places(found.iter()), None),
    }
}

fn forbidden(found: &[Occurrence<'_>], idiom: &Idiom, files: &[FileText<'_>]) -> Judgement {
    let mut counted = Vec::new();
    let mut allowed = Vec::new();
    for occurrence in found {
        match allowed_because(occurrence, idiom, files) {
            Some(reason) => {
                let (path, line) = (occurrence.path, occurrence.line);
                allowed.push(format!("allowed at {path}:{line}: {reason}"));
            }
            None => counted.push(occurrence),
        }
    }
    let verdict = match counted.iter().any(|occurrence| occurrence.is_new) {
        true => IdiomStatus::Violated,
        false => IdiomStatus::Satisfied,
    };
    counted.sort_by_key(|occurrence| !occurrence.is_new);
    let note = (!allowed.is_empty()).then(|| allowed.join("; "));
    (verdict, places(counted.into_iter()), note)
}

fn allowed_because(
    occurrence: &Occurrence<'_>,
    idiom: &Idiom,
    files: &[FileText<'_>],
) -> Option<String> {
    let file = files.iter().find(|file| file.path == occurrence.path)?;
    let names: Vec<&str> = [&idiom.rule, &idiom.text, &idiom.regex]
        .into_iter()
        .filter_map(|name| name.as_deref())
        .filter(|name| !name.trim().is_empty())
        .collect();
    suppression::reason(file.after?, occurrence.line, &names)
}

fn places<'a>(found: impl Iterator<Item = &'a Occurrence<'a>>) -> Vec<IdiomPlace> {
    let place = |at: &Occurrence<'_>| IdiomPlace {
        path: at.path.to_owned(),
        line: at.line as u64,
        column: at.column as u64,
        new: at.is_new,
    };
    found.take(MAX_PLACES).map(place).collect()
}
