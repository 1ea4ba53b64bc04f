//! A fix as a known failure: its trigger is the error line of the block, and its
//! pattern is made of that line.

use std::path::Path;

use ftl_analysis::matching::generalised;
use ftl_analysis::pattern::{Deadline, Dialect, Pattern};
use ftl_model::Failure;
use ftl_xml::Document;

use super::{NewFix, ReopenError};
use crate::run::session::last_block::LastBlock;
use crate::text::one_line;

/// How the names of such failures begin.
const NAME: &str = "learned";

/// The failure to add; `None` where it is there already.
pub(super) fn failure(
    path: &Path,
    record: &Document<'_>,
    fix: &NewFix,
    pattern: Option<&str>,
    warnings: &mut Vec<String>,
) -> Result<Option<Failure>, ReopenError> {
    let last = LastBlock::of(record.root());
    let error = last.as_ref().map(|last| last.error.trim().to_owned());
    let trigger = error
        .filter(|error| !error.is_empty())
        .ok_or_else(|| ReopenError::NoError { path: path.to_owned() })?;
    let (fix, kind) = match fix {
        NewFix::Prose(text) => (text.clone(), None),
        NewFix::Command(text) => (text.clone(), Some("command".to_owned())),
        NewFix::Patch(text) => (text.clone(), Some("patch".to_owned())),
    };
    if fix.trim().is_empty() {
        return Err(ReopenError::EmptyFix);
    }
    let passing: Vec<&str> = last.iter().flat_map(|last| last.passing()).collect();
    let pattern = match pattern {
        Some(pattern) => {
            check_pattern(pattern, &trigger, &passing, warnings)?;
            Some(pattern.to_owned())
        }
        None => generalised(&trigger, &passing),
    };
    if pattern.is_none() {
        warnings.push(format!(
            "`{}` says too little to make a pattern of it: the failure is known by its text alone; \
             give a pattern with `match`",
            one_line(&trigger)
        ));
    }
    if last.as_ref().is_some_and(|last| last.verify.is_none()) {
        warnings.push(
            "the task was not blocked by a failed verify: this failure is retried only if the verify \
             prints its error"
                .to_owned(),
        );
    }
    let workspace = record.workspace().unwrap_or_default();
    let known = workspace.failures();
    let is_known = known.iter().any(|known| {
        known.trigger == trigger
            && known.fix == fix
            && known.fix_kind == kind
            && known.pattern == pattern
    });
    if is_known {
        return Ok(None);
    }
    let names: Vec<&str> = known.iter().filter_map(|known| known.name.as_deref()).collect();
    let name = (1_u64..)
        .map(|number| format!("{NAME}-{number}"))
        .find(|name| !names.contains(&name.as_str()));
    Ok(Some(Failure { name, trigger, fix, fix_kind: kind, pattern, ..Failure::default() }))
}

/// A pattern given by the user has to compile, and should fit its error and nothing that passed.
fn check_pattern(
    pattern: &str,
    trigger: &str,
    passing: &[&str],
    warnings: &mut Vec<String>,
) -> Result<(), ReopenError> {
    let refused = |why: String| ReopenError::Pattern { pattern: one_line(pattern), why };
    let compiled = Pattern::compile(pattern, Dialect::Python).map_err(refused)?;
    let deadline = Deadline::of_a_phase();
    let fits = |text: &str| compiled.is_match(text, &deadline) == Ok(true);
    let shown = one_line(pattern);
    if compiled.fits_anything(&deadline) == Ok(true) {
        warnings.push(format!("the pattern `{shown}` fits any output"));
    } else if passing.iter().any(|text| fits(text)) {
        warnings.push(format!("the pattern `{shown}` fits the output of a verify that passed"));
    }
    if !fits(trigger) {
        warnings.push(format!(
            "the pattern `{shown}` does not fit the error line `{}`",
            one_line(trigger)
        ));
    }
    Ok(())
}
