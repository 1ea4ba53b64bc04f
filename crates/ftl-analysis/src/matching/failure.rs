//! Known failures, read: whether one says how to fix it, its name, its pattern.

use ftl_model::{Failure, Remedy};

use crate::pattern::{Dialect, Pattern};

/// Whether a failure says how to mend it. A `rerun` needs no text; text that only says that nobody
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

/// A warning for each pattern that does not compile: its failure is known by its text alone.
pub fn check_patterns(failures: &[Failure]) -> Vec<String> {
    let refused = |failure| Some(unusable(failure, &pattern_of(failure)?.err()?));
    failures.iter().filter_map(refused).collect()
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
