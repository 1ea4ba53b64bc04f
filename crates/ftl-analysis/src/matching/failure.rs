//! Known failures, read: whether one says how to fix it, its name, its pattern.

use ftl_model::{Failure, Remedy};

use crate::diagnosis::plain_text;
use crate::pattern::{Deadline, Dialect, Pattern};

/// Whether a failure has a fix. A `rerun` needs no text; text that only says that no one
/// knew is none.
pub fn has_fix(failure: &Failure) -> bool {
    let text = failure.fix.trim();
    let is_absent = match failure.remedy() {
        Remedy::Rerun => false,
        Remedy::Prose(_) | Remedy::Patch(_) | Remedy::Command(_) => text.is_empty(),
    };
    let is_excuse = text == "UNKNOWN"
        || text.starts_with("Attempted:")
        || text.starts_with("See blocked workspace");
    !is_absent && !is_excuse
}

/// The name by which a failure is referred to.
pub fn name_of(failure: &Failure) -> &str {
    match failure.name.as_deref().map(str::trim) {
        None | Some("") => "unnamed",
        Some(name) => name,
    }
}

/// A warning for each pattern that does not compile, whose failure is known by its text alone, and for
/// each that fits any output.
pub fn check_patterns(failures: &[Failure]) -> Vec<String> {
    let deadline = Deadline::of_a_phase();
    let mut warnings = Vec::new();
    for failure in failures {
        if let Err(late) = deadline.check() {
            warnings.push(unusable(failure, &late.to_string()));
            break;
        }
        match pattern_of(failure) {
            Some(Err(why)) => warnings.push(unusable(failure, &why)),
            Some(Ok(pattern)) if pattern.fits_anything(&deadline) == Ok(true) => {
                warnings.push(fits_anything(failure));
            }
            Some(Ok(_)) | None => {}
        }
    }
    warnings
}

/// A warning, where the pattern of a failure is found in the output of a run that passed.
pub fn fits_passing(failure: &Failure, output: &str) -> Option<String> {
    let pattern = pattern_of(failure)?.ok()?;
    let deadline = Deadline::of_a_phase();
    let fits = pattern.is_match(&plain_text(output), &deadline) == Ok(true);
    fits.then(|| {
        format!(
            "the pattern `{}` of the failure `{}` fits the output of a verify that passed",
            pattern.source().trim(),
            name_of(failure)
        )
    })
}

fn fits_anything(failure: &Failure) -> String {
    let name = name_of(failure);
    let source = failure.pattern.as_deref().unwrap_or_default().trim();
    format!("the pattern `{source}` of the failure `{name}` fits any output")
}

/// The pattern of a failure, compiled; none where it is blank.
pub(super) fn pattern_of(failure: &Failure) -> Option<Result<Pattern, String>> {
    let source = failure.pattern.as_deref()?;
    (!source.trim().is_empty()).then(|| Pattern::compile(source, Dialect::Python))
}

pub(super) fn unusable(failure: &Failure, why: &str) -> String {
    let name = name_of(failure);
    format!("the pattern of the failure `{name}` cannot be used: {why}")
}
