//! The number and the short name of a new task.

use std::ffi::OsString;

use ftl_store::{FileError, Files, Layout, OsFiles};

use crate::project::names;

/// Characters of a slug.
const SLUG: usize = 40;

/// The numbers of all tasks of a project.
pub(in crate::author) fn used_numbers(layout: &Layout) -> Result<Vec<String>, FileError> {
    let mut used = numbers_of_runs(layout)?;
    used.extend(names(layout)?.iter().map(|name| name.id.seq().to_owned()));
    Ok(used)
}

/// The numbers of tasks that were built here, of which the file may be gone.
fn numbers_of_runs(layout: &Layout) -> Result<Vec<String>, FileError> {
    let ids = OsFiles.list(&layout.runs_dir())?;
    let seq = |id: &OsString| Some(id.to_str()?.split_once('_')?.0.to_owned());
    Ok(ids.iter().filter_map(seq).collect())
}

/// One more than the highest number in use.
pub(in crate::author) fn next_number(numbers: &[String]) -> u64 {
    let numbers = numbers.iter().filter_map(|number| number.parse().ok());
    numbers.max().map_or(1, |highest: u64| highest.saturating_add(1))
}

/// A short name made of the objective's words.
pub(super) fn slug(objective: &str) -> String {
    let lower = objective.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug = String::new();
    for part in parts {
        let joined = slug.chars().count() + 1 + part.chars().count();
        if !slug.is_empty() && joined > SLUG {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.extend(part.chars().take(SLUG));
    }
    if slug.is_empty() { "task".to_owned() } else { slug }
}
