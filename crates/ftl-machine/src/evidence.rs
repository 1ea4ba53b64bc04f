//! The tests as they were: an experiment of VERIFY, before the command decides.
//!
//! What an implementer changed in tests that were there may be meant, or may hide that the work is wrong. Reading the
//! tests does not say which, so they are run as they were, with the sources as they are now. Nothing is charged.

use std::collections::BTreeSet;

use ftl_model::Finding;

use crate::event::{Before, Conflicts, Edited, OldTests};
use crate::task::Task;
use crate::{Effect, Event, Evidence, IllegalEvent, Reason, State, StateName};

/// Waiting for the tests as they were.
#[derive(Clone, Debug, PartialEq)]
pub struct TryingOldTests {
    pub(super) task: Task,
}

/// Whether the tests as they were are run before the verify. New configuration may be what lets them run at all, unless
/// they passed before it.
pub(super) fn wants_old_tests(task: &Task) -> bool {
    let is_wanted = task.options.evidence != Evidence::None;
    let has_passed = task.before.as_ref().is_some_and(|before| before.passed);
    let is_configured = task.options.lands && has_passed && !task.new_configuration.is_empty();
    is_wanted && (!task.changed_tests.is_empty() || is_configured)
}

impl TryingOldTests {
    pub(super) fn effect(&self) -> Effect {
        Effect::TryOldTests { command: self.task.plan.verify.clone() }
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::OldTestsTried(old) => Ok(self.tried(*old)),
            Event::Edited(edited) => Ok(self.edited(&edited)),
            Event::LandingConflicted(conflicts) => Ok(self.conflicted(*conflicts)),
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::Implemented(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::Mended(_)
            | Event::BrokenTried(_)
            | Event::Confirmed(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Sealed(_) => {
                Err(event.illegal(StateName::Verify, "waiting for the tests as they were"))
            }
        }
    }

    fn tried(self, old: OldTests) -> State {
        let mut task = self.task;
        task.log.met(old.warnings.clone());
        task.log.found_written(&old.written);
        if !old.written.is_empty() {
            task.findings.insert(Finding::TreeWritten);
        }
        let found = findings(&old, task.before.as_ref());
        let ran = old.ran.filter(|_| old.passed == Some(true));
        task.log.old_tests = Some(old);
        State::run_verify(task, found, ran)
    }

    fn edited(self, edited: &Edited) -> State {
        let mut task = self.task;
        task.budget.give_back();
        State::check_again(task, edited)
    }

    fn conflicted(self, conflicts: Conflicts) -> State {
        let mut task = self.task;
        task.log.conflicts = Some(conflicts.clone());
        task.block(Reason::LandConflict(conflicts))
    }
}

/// What the tests as they were say of a verify that passed: the tests that fail as they were, and failed before the work
/// too, were changed instead of made to pass; the others worked before, as far as is known.
fn findings(old: &OldTests, before: Option<&Before>) -> BTreeSet<Finding> {
    if old.passed != Some(false) {
        return BTreeSet::new();
    }
    let Some(before) = before.filter(|before| !before.passed) else {
        return BTreeSet::from([Finding::TestsChanged]);
    };
    let of = |has_failed: bool| match has_failed {
        true => Finding::TestsWeakened,
        false => Finding::TestsChanged,
    };
    let named: Vec<&String> =
        old.failures.iter().filter_map(|failure| failure.test.as_ref()).collect();
    if named.is_empty() {
        let is_same = before.tests.is_empty() || old.error == before.error;
        return BTreeSet::from([of(is_same)]);
    }
    named
        .into_iter()
        .map(|test| of(before.tests.is_empty() || before.tests.contains(test)))
        .collect()
}

/// Whether tests ran before the work that did not run with it. Where the tests as they were passed, theirs count: of a test
/// that the work takes out of the run it is known then that it passes.
pub(super) fn are_missing(before: Option<&Before>, old: Option<u64>, now: Option<u64>) -> bool {
    let then = before.and_then(|before| before.ran).unwrap_or(0);
    old.max(now).unwrap_or(0) < then
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ftl_model::{Finding, RunFailure};

    use super::findings;
    use crate::event::{Before, OldTests};

    #[test]
    fn a_test_that_failed_before_too_is_weakened_and_another_changed() {
        let failed = |tests: &[&str]| OldTests {
            passed: Some(false),
            error: Some("E".into()),
            failures: tests
                .iter()
                .map(|test| RunFailure { test: Some((*test).into()), ..RunFailure::default() })
                .collect(),
            ..OldTests::default()
        };
        let before = |error: &str, tests: &[&str]| Before {
            error: Some(error.into()),
            tests: tests.iter().map(|test| (*test).into()).collect(),
            ..Before::default()
        };
        let [weakened, changed] = [Finding::TestsWeakened, Finding::TestsChanged];
        for (old, before, found) in [
            (failed(&["a"]), Some(before("E", &["a"])), vec![weakened]),
            (failed(&["a"]), Some(before("E", &["b"])), vec![changed]),
            (failed(&["a", "b"]), Some(before("E", &["b"])), vec![weakened, changed]),
            (failed(&["a"]), None, vec![changed]),
            (failed(&["a"]), Some(Before { passed: true, ..Before::default() }), vec![changed]),
            (failed(&[]), Some(before("E", &["b"])), vec![weakened]),
            (failed(&[]), Some(before("F", &["b"])), vec![changed]),
            (failed(&[]), Some(before("F", &[])), vec![weakened]),
            (OldTests { passed: Some(true), ..failed(&["a"]) }, None, vec![]),
        ] {
            assert_eq!(findings(&old, before.as_ref()), BTreeSet::from_iter(found), "{old:?}");
        }
    }
}
