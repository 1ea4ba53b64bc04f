//! What every state carries: the plan, the budget, what was touched and what was checked.
//!
//! Digests are kept twice. `checked` are the bytes that a syntax check saw last, `seen` the bytes that
//! anybody reported last, be it a verify that rewrote a file. QUALITY compares the first with the tree:
//! what changed since it was checked is not sealed as if it had been. The record holds the second.
//!
//! Nothing here chooses the next state but `block`, which all states share.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ftl_model::{Change, Check, CheckStatus, DeltaPath, DeltaState, Digest, Finding, Touched};

use crate::effect::{Phase, Request};
use crate::event::{Before, Edited, Verification, Work};
use crate::log::{CheckEntry, Warning};
use crate::{Block, Budget, Log, Options, Outcome, Plan, Reason, State, StateName, Verdict};

/// Whatever can fail a preflight on its own account.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Subject {
    /// A delta file.
    File(DeltaPath),
    /// An extra command, by its place in the plan.
    Command(usize),
}

/// A task on its way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Task {
    /// What the caller chose.
    pub(crate) options: Rc<Options>,
    /// The task as laid out.
    pub(crate) plan: Rc<Plan>,
    /// Tool calls.
    pub(crate) budget: Budget,
    /// Delta files that differ from before; once in here, they stay.
    pub(crate) touched: BTreeMap<DeltaPath, Change>,
    /// The bytes of the delta as PREFLIGHT or RETRY saw them last.
    pub(crate) checked: BTreeMap<DeltaPath, Option<Digest>>,
    /// The bytes of the delta as they were seen last, by whomever.
    pub(crate) seen: BTreeMap<DeltaPath, Option<Digest>>,
    /// Failed preflights.
    pub(crate) attempts: BTreeMap<Subject, u32>,
    /// Fixes applied.
    pub(crate) retries: u32,
    /// Sources outside the delta that changed, and may: they must parse, and cost nothing.
    pub(crate) allowed: BTreeSet<DeltaPath>,
    /// Files in which what defines tests is not as it was.
    pub(crate) changed_tests: Vec<String>,
    /// New files that say how tests are run.
    pub(crate) new_configuration: Vec<String>,
    /// How the verify ended before the work.
    pub(crate) before: Option<Before>,
    /// What makes any passing verify doubtful.
    pub(crate) findings: BTreeSet<Finding>,
    /// What makes the one doubtful that passed last.
    pub(crate) doubts: BTreeSet<Finding>,
    /// Whether other tasks' work was in the tree when it passed.
    pub(crate) is_shared: bool,
    /// History, which decides nothing.
    pub(crate) log: Log,
}

impl Task {
    /// A task of which nothing is known but the options.
    #[must_use]
    pub(crate) fn new(options: Options) -> Self {
        Self {
            options: Rc::new(options),
            plan: Rc::default(),
            budget: Budget::new(0),
            touched: BTreeMap::new(),
            checked: BTreeMap::new(),
            seen: BTreeMap::new(),
            attempts: BTreeMap::new(),
            retries: 0,
            allowed: BTreeSet::new(),
            changed_tests: Vec::new(),
            new_configuration: Vec::new(),
            before: None,
            findings: BTreeSet::new(),
            doubts: BTreeSet::new(),
            is_shared: false,
            log: Log::default(),
        }
    }

    /// Whether the work is in a workplace before it is verified: a fix is made there even where the user did the work.
    pub(crate) fn lands(&self) -> bool {
        self.options.lands || self.retries > 0
    }

    pub(crate) fn enter(&mut self, state: StateName) {
        self.log.states.push(state);
    }

    /// Takes in the result of a request, whatever will be decided about it: a record lists strays and
    /// warnings also when the request is the reason for a block.
    ///
    /// All of `checked` is replaced, untouched files included, so that QUALITY notices a change of any
    /// delta file. The checks that follow are of the same bytes.
    pub(crate) fn absorb(&mut self, work: &Work) {
        self.take_delta(&work.delta);
        self.checked.clone_from(&work.delta.bytes);
        self.findings.extend(&work.findings);
        self.allowed.extend(work.allowed_sources.iter().cloned());
        self.changed_tests.clone_from(&work.changed_tests);
        self.new_configuration.clone_from(&work.new_configuration);
        if work.before.is_some() {
            self.before.clone_from(&work.before);
            self.log.before.clone_from(&work.before);
        }
        self.log.met(work.warnings.clone());
        for stray in &work.strays {
            if !self.log.strays.contains(stray) {
                self.log.strays.push(stray.clone());
            }
        }
        if !work.dependencies.is_empty() {
            self.findings.insert(Finding::DependenciesChanged);
        }
        for dir in &work.dependencies {
            if !self.log.dependencies.contains(dir) {
                self.log.dependencies.push(dir.clone());
            }
        }
        for path in &work.allowed {
            if !self.log.allowed.contains(path) {
                self.log.allowed.push(path.clone());
            }
        }
        if work.log.is_some() {
            self.log.implementer_log.clone_from(&work.log);
            self.log.last_lines.clone_from(&work.last_lines);
        }
        if work.base.is_some() {
            self.log.base.clone_from(&work.base);
        }
        self.log.agent.extend(work.agent.clone());
        if work.quarantine.is_some() {
            self.log.quarantine.clone_from(&work.quarantine);
        }
        // `Copy` is the greater: one request that was not mounted decides what is recorded.
        self.log.isolation = self.log.isolation.max(work.isolation);
        self.log.found_scratch(&work.scratch);
        if work.summary.is_some() {
            self.log.summary.clone_from(&work.summary);
        }
        for used in &work.utilized {
            self.log.used(used.clone());
        }
        if work.no_change && work.changed {
            self.log.warn(Warning::NoChangeIgnored);
        }
    }

    /// Takes in the state of the delta. A touched file stays touched, also when a later request restores
    /// its bytes: its check and its place in the record are due.
    pub(crate) fn take_delta(&mut self, delta: &DeltaState) {
        for file in &delta.touched {
            self.touched.insert(file.path.clone(), file.change);
        }
        self.seen.clone_from(&delta.bytes);
    }

    /// Takes in what was changed while nothing ran. No finding and no price comes of it.
    pub(crate) fn take_edits(&mut self, edited: &Edited) {
        self.take_delta(&edited.delta);
        self.checked.clone_from(&edited.delta.bytes);
        self.doubts.clear();
        for path in &edited.paths {
            self.log.warn(Warning::Edited(path.clone()));
        }
    }

    /// Takes in the syntax verdict on one file; returns whether the file may stay as it is. An unchecked
    /// file may: a missing checker must not block, and the record says that the file was not checked.
    pub(crate) fn note_check(&mut self, check: Check) -> bool {
        let subject = Subject::File(check.path.clone());
        let failed = check.status == CheckStatus::Invalid;
        let attempts = self.count_attempt(subject, failed);
        self.checked.insert(check.path.clone(), check.sha256);
        self.log.checked(CheckEntry {
            subject: check.path.to_string(),
            checker: check.checker.clone(),
            status: check.status,
            attempts,
            check: Some(check),
            error: None,
        });
        !failed
    }

    pub(crate) fn count_attempt(&mut self, subject: Subject, failed: bool) -> u32 {
        let attempts = self.attempts.entry(subject).or_insert(0);
        *attempts += u32::from(failed);
        *attempts
    }

    /// Delta files touched so far, in the order of the plan.
    pub(crate) fn touched_in_order(&self) -> Vec<DeltaPath> {
        self.plan.paths().filter(|path| self.touched.contains_key(path)).cloned().collect()
    }

    pub(crate) fn request(
        &self,
        phase: Phase,
        attempt: u32,
        verification: Option<&Verification>,
    ) -> Request {
        let checks = match phase {
            Phase::FixSyntax => self.failing_checks(),
            Phase::Implement | Phase::ApplyFix => Vec::new(),
        };
        Request {
            phase,
            attempt,
            budget: self.budget,
            plan: Rc::clone(&self.plan),
            checks,
            verification: verification.cloned().map(Box::new),
        }
    }

    fn failing_checks(&self) -> Vec<Check> {
        let failing = |entry: &&CheckEntry| entry.status == CheckStatus::Invalid;
        self.log.preflight.iter().filter(failing).filter_map(|entry| entry.check.clone()).collect()
    }

    /// Goes on to seal the block, or, in a dry run, which writes nothing, ends with it.
    pub(crate) fn block(self, reason: Reason) -> State {
        self.block_of(reason, None)
    }

    /// [`Self::block`], of a task that is verified again instead if its landing is undone before the seal.
    pub(crate) fn block_of(mut self, reason: Reason, unsealed: Option<Box<Self>>) -> State {
        self.enter(StateName::Block);
        let sealed = !self.options.dry_run;
        let block = Block { reason, sealed };
        let verdict = self.verdict(Outcome::Blocked(block));
        if sealed { State::seal(verdict, unsealed) } else { State::Finished(Box::new(verdict)) }
    }

    pub(crate) fn verdict(self, outcome: Outcome) -> Verdict {
        let files = self
            .touched_in_order()
            .into_iter()
            .map(|path| {
                let digest = self.seen.get(&path).copied().flatten();
                let change = self.touched[&path];
                (Touched { path, change }, digest)
            })
            .collect();
        Verdict {
            outcome,
            total: Some(self.budget.total),
            used: self.budget.used,
            plan: self.plan,
            files,
            retries: self.retries,
            log: self.log,
            record: None,
        }
    }
}
