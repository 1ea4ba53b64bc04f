//! Watches the events alone, and objects when a promise is broken.
//!
//! It is written from the promises, not from the machine: a task is complete only if the last bytes of
//! each touched file passed a check, and all of them a verify and a judgement; and each event costs what
//! the table of states says. Using the machine's own fields would repeat its mistakes.

use std::collections::{BTreeMap, BTreeSet};

use ftl_model::{CheckStatus, DeltaPath, Finding};

use super::values::{DISTRUSTED, NEW, OLD};
use crate::event::{Event, Work};
use crate::{Options, Outcome, StateName, Verdict};

/// What follows from the events so far, without the machine's own view of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Observer {
    /// Touched files, and whether their last bytes passed a look.
    looked_at: BTreeMap<DeltaPath, bool>,
    /// Whether the last bytes passed a verify.
    verified: bool,
    /// Whether they were judged, and found as they were checked.
    judged: bool,
    /// Whether a preflight command did what a strict policy distrusts.
    distrusted: bool,
    /// Whether the work changed tests that were there.
    changed_tests: bool,
    /// Whether they are still to be run as they were.
    owes_old_tests: bool,
    /// Whether they failed so.
    old_tests_fail: bool,
    /// Whether the verify that passed last hides an exit code, as far as is known.
    hides_exit: bool,
}

/// What of the observer decides.
pub(super) type Promises = [bool; 7];

impl Observer {
    /// Takes in an event.
    pub(super) fn see(&mut self, event: &Event) {
        match event {
            Event::Implemented(work) | Event::Mended(work) => self.wrote(work),
            Event::FixApplied(fixed) => {
                self.wrote(&fixed.work);
                for check in &fixed.checks {
                    self.looked(&check.path, check.status);
                }
            }
            Event::FileChecked(check) => self.looked(&check.path, check.status),
            Event::Verified(verification) => {
                for check in &verification.merged {
                    self.looked(&check.path, check.status);
                }
                self.verified = verification.passed;
                self.hides_exit = verification.passed && verification.hides_exit;
                // What follows a failure ends in a block, or in another verify with its own experiments.
                self.old_tests_fail &= verification.passed;
            }
            Event::CommandChecked(ran) => self.distrusted |= !ran.findings.is_empty(),
            Event::Edited(edited) => {
                for file in &edited.delta.touched {
                    self.looked_at.insert(file.path.clone(), false);
                }
                self.verified = false;
                self.judged = false;
                self.owes_old_tests = self.changed_tests;
                self.old_tests_fail = false;
            }
            Event::BrokenTried(broken) => self.hides_exit &= broken.passed != Some(false),
            Event::OldTestsTried(old) => {
                self.owes_old_tests = false;
                self.old_tests_fail = old.passed == Some(false);
            }
            Event::Judged(judged) => {
                let unchanged =
                    judged.delta.bytes.values().all(|digest| matches!(*digest, Some(NEW | OLD)));
                self.judged = unchanged;
            }
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::LandingConflicted(_)
            | Event::Confirmed(_)
            | Event::FailureMatched(_)
            | Event::Sealed(_) => {}
        }
    }

    /// Whether the last bytes of `path` passed a look, where it was touched.
    pub(super) fn looked_at(&self, path: &DeltaPath) -> Option<bool> {
        self.looked_at.get(path).copied()
    }

    /// Everything but what is known of single files.
    pub(super) const fn promises(&self) -> Promises {
        let Self { verified, judged, distrusted, .. } = *self;
        let Self { changed_tests, owes_old_tests, old_tests_fail, hides_exit, .. } = *self;
        [verified, judged, distrusted, changed_tests, owes_old_tests, old_tests_fail, hides_exit]
    }

    fn wrote(&mut self, work: &Work) {
        let touched: BTreeSet<&DeltaPath> =
            work.delta.touched.iter().map(|file| &file.path).collect();
        for path in touched {
            let known = self.looked_at.entry(path.clone()).or_insert(false);
            *known &= !work.changed;
        }
        self.verified &= !work.changed;
        self.judged = false;
        // They are explored with a verify that passed before.
        let is_configured = !work.new_configuration.is_empty();
        self.changed_tests = is_configured || !work.changed_tests.is_empty();
        self.owes_old_tests = self.changed_tests;
        self.old_tests_fail = false;
    }

    fn looked(&mut self, path: &DeltaPath, status: CheckStatus) {
        self.looked_at.insert(path.clone(), status != CheckStatus::Invalid);
    }

    /// What `event` should cost by the table alone, in the state `from`, before it is
    /// known which states it enters.
    pub(super) fn price(from: StateName, event: &Event) -> Price {
        let at_once = match event {
            Event::Implemented(work) => i64::try_from(work.delta.touched.len()).unwrap_or(i64::MAX),
            Event::WorkspaceRead(read) => i64::from(read.budget >= 1),
            Event::WorkspaceRefused(_) => 1,
            Event::Planned(_)
            | Event::TestsRead(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::Mended(_)
            | Event::LandingConflicted(_)
            | Event::OldTestsTried(_)
            | Event::BrokenTried(_)
            | Event::Verified(_)
            | Event::Confirmed(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Sealed(_) => 0,
            // A verify that was cut short is paid for again, and one whose landing was undone.
            Event::Edited(edited) => {
                let after = [StateName::Quality, StateName::Complete, StateName::Block];
                let has_passed = after.contains(&from);
                let is_undone = has_passed && edited.paths.is_empty();
                -i64::from(from == StateName::Verify || is_undone)
            }
        };
        let fixable = matches!(event, Event::FailureMatched(matched) if matched.known.is_some());
        Price { at_once, fixable }
    }

    /// What is wrong with ending like this, if anything is.
    pub(super) fn objection(&self, verdict: &Verdict, options: &Options) -> Option<String> {
        match verdict.outcome {
            Outcome::Blocked(_) | Outcome::Planned => None,
            Outcome::Complete => {
                let unseen = self.looked_at.iter().find(|(_, looked)| !**looked);
                if let Some((path, _)) = unseen {
                    return Some(format!(
                        "complete, but the last bytes of `{path}` were not checked"
                    ));
                }
                if self.distrusted && options.untrusted.contains(&DISTRUSTED) {
                    return Some("complete, but a preflight command is distrusted".into());
                }
                if self.owes_old_tests {
                    return Some("complete, but the tests as they were were not run".into());
                }
                if self.old_tests_fail && options.untrusted.contains(&Finding::TestsChanged) {
                    return Some("complete, but the tests as they were fail".into());
                }
                if self.hides_exit && options.untrusted.contains(&Finding::MaskedExit) {
                    return Some("complete, but the command may hide what fails".into());
                }
                if !self.verified {
                    return Some("complete, but the last bytes were not verified".into());
                }
                (!self.judged).then(|| "complete, but the last bytes were not judged".into())
            }
        }
    }
}

/// What an event costs by itself, and whether RETRY is charged when it is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Price {
    at_once: i64,
    fixable: bool,
}

impl Price {
    /// The whole price, with the states that were entered.
    pub(super) fn with(self, entered: &[StateName]) -> i64 {
        let on_entry = |state: &StateName| match state {
            StateName::ReadTests | StateName::Verify => 1,
            StateName::Retry => i64::from(self.fixable),
            StateName::Read
            | StateName::Plan
            | StateName::Implement
            | StateName::Preflight
            | StateName::Quality
            | StateName::Complete
            | StateName::Block => 0,
        };
        self.at_once + entered.iter().map(on_entry).sum::<i64>()
    }
}
