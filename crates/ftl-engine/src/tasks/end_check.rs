//! The check at the end: every verify of a complete task that last ran before another task landed runs once more.

use ftl_model::WorkspaceId;
use ftl_store::StoreError;

use super::due::{due, every};
use crate::check_ledger::Ledger;
use crate::result::{CheckResult, DueCheck};
use crate::run::effects::checking;
use crate::run::{Fault, Reporter, Settings};
use crate::status::status;
use crate::text::now_exactly;

/// The checks of a project that are due.
///
/// # Errors
/// When its tasks can't be listed.
pub fn due_checks(settings: &Settings) -> Result<Vec<DueCheck>, StoreError> {
    let layout = &settings.layout;
    Ok(due(layout, &status(layout)?))
}

/// Makes the checks of these complete tasks whether they are due or not; of all of them where none is named.
///
/// # Errors
/// [`Fault`] where one can't be made; those before it are kept.
pub fn check_now(
    settings: &Settings,
    wanted: &[WorkspaceId],
    reporter: &mut dyn Reporter,
) -> Result<Vec<CheckResult>, Fault> {
    let layout = &settings.layout;
    let checks = every(layout, &status(layout)?, wanted);
    checking::check(settings, layout, checks, reporter)
}

/// Makes the checks that are due.
///
/// # Errors
/// [`Fault`] where one can't be made; those before it are kept.
pub fn check_at_end(
    settings: &Settings,
    reporter: &mut dyn Reporter,
) -> Result<Vec<CheckResult>, Fault> {
    let layout = &settings.layout;
    let at = now_exactly();
    let entries = status(layout)?;
    let due = due(layout, &entries);
    let made = checking::check(settings, layout, due, reporter)?;
    let mut sealed = entries.iter().filter_map(|entry| entry.sealed.as_ref());
    if made.iter().all(|check| check.passed) && sealed.any(|sealed| sealed.is_checked) {
        // What a later command lands is checked for itself.
        Ledger::close(layout, &at)?;
    }
    Ok(made)
}
