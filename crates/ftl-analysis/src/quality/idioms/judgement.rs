//! The verdict on one idiom, from where its code occurs.

use ftl_model::{Idiom, IdiomPlace, IdiomStatus};

use super::occurrence::Occurrence;
use super::suppression;
use crate::quality::FileText;

/// What notes of comments begin with.
pub(super) const ALLOWED: &str = "allowed at ";
pub(super) const COMMENT: &str = "the comment at ";

/// Places that one verdict lists.
const MAX_PLACES: usize = 100;

pub(super) fn undecidable(why: String) -> Judgement {
    (IdiomStatus::Undecidable, Vec::new(), Some(why))
}

/// What a comment may call an idiom.
pub(super) fn names<'a>(idiom: &'a Idiom, rule: Option<&'a str>) -> Vec<&'a str> {
    let own = [&idiom.rule, &idiom.text, &idiom.regex, &idiom.pattern];
    let own = own.into_iter().filter_map(|name| name.as_deref());
    let all = own.chain(rule);
    all.filter(|name| !name.trim().is_empty()).collect()
}

/// A status, the places that show it, and a note.
pub(super) type Judgement = (IdiomStatus, Vec<IdiomPlace>, Option<String>);

pub(super) fn required(found: &[Occurrence<'_>]) -> Judgement {
    match found.is_empty() {
        true => {
            let note = "found in none of the delta's files".to_owned();
            (IdiomStatus::Violated, Vec::new(), Some(note))
        }
        false => (IdiomStatus::Satisfied, places(found.iter()), None),
    }
}

pub(super) fn forbidden(
    found: &[Occurrence<'_>],
    names: &[&str],
    files: &[FileText<'_>],
) -> Judgement {
    let mut counted = Vec::new();
    let mut notes = Vec::new();
    let mut used = Vec::new();
    for occurrence in found {
        let file = files.iter().find(|file| file.path == occurrence.path);
        let text = file.and_then(|file| file.after).unwrap_or_default();
        match suppression::reason(text, occurrence.line, names) {
            Some((reason, line)) => {
                let (path, at) = (occurrence.path, occurrence.line);
                notes.push(format!("{ALLOWED}{path}:{at}: {reason}"));
                used.push((path, line));
            }
            None => counted.push(occurrence),
        }
    }
    for file in files {
        for line in suppression::lines(file.after.unwrap_or_default(), names) {
            if !used.contains(&(file.path, line)) && notes.len() < MAX_PLACES {
                let path = file.path;
                notes.push(format!("{COMMENT}{path}:{line} allows nothing: remove it"));
            }
        }
    }
    let verdict = match counted.iter().any(|occurrence| occurrence.is_new) {
        true => IdiomStatus::Violated,
        false => IdiomStatus::Satisfied,
    };
    counted.sort_by_key(|occurrence| !occurrence.is_new);
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    (verdict, places(counted.into_iter()), note)
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
