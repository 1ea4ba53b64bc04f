//! The rules of a build, stated a second time: from the facts of a scenario to its end.
//!
//! Nothing here is shared with the program under test. One file follows the run from state to state;
//! beside it stand the world it acts on, what is known about failures, and the judgement of quality.

mod knowledge;
mod quality;
mod world;

use super::expected::{Expected, Kind, Outcome, Phase, Record, State};
use super::scenario::{
    Document, Fix, IdiomRule, Implementer, ReadTests, Scenario, TestFile, Trouble, VerifyCommand,
};
use world::World;

/// The rules leave this scenario's end open, for the reason given.
#[derive(Debug)]
pub(super) struct Unclear(pub(super) &'static str);

/// Why a run goes no further.
enum Stop {
    Block(Kind),
    Complete,
    Usage,
    Planned,
    Unclear(&'static str),
}

type Step<T> = Result<T, Stop>;

/// What the rules say about `scenario`.
pub(super) fn predict(scenario: &Scenario) -> Result<Expected, Unclear> {
    let mut run = Run::new(scenario);
    let outcome = match run.whole() {
        Stop::Block(kind) => {
            run.enter(State::Block);
            Outcome::Blocked(kind)
        }
        Stop::Complete => Outcome::Complete,
        Stop::Usage => Outcome::Failed,
        Stop::Planned => Outcome::Planned,
        Stop::Unclear(why) => return Err(Unclear(why)),
    };
    let refused_tree = run.tree_is_usage_error() || run.base_is_usage_error();
    let blocked_early = matches!(outcome, Outcome::Blocked(_)) && !run.implemented();
    if refused_tree && (blocked_early || scenario.dry_run) {
        return Err(Unclear(
            "which comes first, the early block or the unusable tree",
        ));
    }
    Ok(run.expected(outcome))
}

struct Run<'a> {
    scenario: &'a Scenario,
    world: World<'a>,
    states: Vec<State>,
    total: Option<i64>,
    used: i64,
    retries: usize,
    file_attempts: Vec<usize>,
    check_attempts: Vec<usize>,
    own_time_limit_counted: bool,
}

impl<'a> Run<'a> {
    fn new(scenario: &'a Scenario) -> Self {
        Self {
            scenario,
            world: World::new(scenario),
            states: Vec::new(),
            total: Some(scenario.budget.unwrap_or(5)),
            used: 0,
            retries: 0,
            file_attempts: vec![0; scenario.delta.len()],
            check_attempts: vec![0; scenario.checks.len()],
            own_time_limit_counted: false,
        }
    }

    fn whole(&mut self) -> Stop {
        match self.until_judged() {
            Err(stop) => stop,
            Ok(()) => {
                self.enter(State::Complete);
                Stop::Complete
            }
        }
    }

    fn until_judged(&mut self) -> Step<()> {
        self.read()?;
        self.plan()?;
        self.read_tests()?;
        self.implement()?;
        self.preflight()?;
        while !self.verify()? {
            self.retry()?;
        }
        self.quality()
    }

    fn enter(&mut self, state: State) {
        self.states.push(state);
    }

    fn charge(&mut self, calls: usize) {
        self.used += i64::try_from(calls).expect("because a scenario is small");
    }

    fn remaining(&self) -> i64 {
        self.total.unwrap_or(0) - self.used
    }

    fn implemented(&self) -> bool {
        self.states.contains(&State::Implement)
    }

    fn read(&mut self) -> Step<()> {
        use super::scenario::FileName;
        match self.scenario.file_name {
            FileName::Active => {}
            // A name without `_active.xml`, no such file, a finished one: usage errors.
            FileName::AlreadyComplete
            | FileName::AlreadyBlocked
            | FileName::NoStatus
            | FileName::Missing => return Err(Stop::Usage),
        }
        self.enter(State::Read);
        if matches!(self.scenario.document, Document::Malformed(_)) {
            // Unreadable: one call used, of an unknown total.
            self.charge(1);
            self.total = None;
            return Err(Stop::Block(Kind::SpecInvalid));
        }
        if self.remaining() < 1 {
            return Err(Stop::Block(Kind::BudgetExhausted));
        }
        self.charge(1);
        let no_verify = self.scenario.verify_command != VerifyCommand::Script;
        if no_verify || self.scenario.document != Document::Sound {
            return Err(Stop::Block(Kind::SpecInvalid));
        }
        Ok(())
    }

    fn plan(&mut self) -> Step<()> {
        self.enter(State::Plan);
        if self.scenario.bad_path.is_some() {
            return Err(Stop::Block(Kind::SpecInvalid));
        }
        let idioms = &self.scenario.idioms;
        let broken_rule = idioms
            .iter()
            .any(|idiom| idiom.rule == IdiomRule::DoesNotCompile);
        let both = |wanted: &IdiomRule, required: bool| {
            idioms
                .iter()
                .any(|idiom| idiom.rule == *wanted && idiom.required != required)
        };
        let contradiction = idioms.iter().any(|idiom| both(&idiom.rule, idiom.required));
        if broken_rule || contradiction {
            return Err(Stop::Block(Kind::SpecInvalid));
        }
        // One file and one VERIFY must fit.
        if self.remaining() < 2 {
            return Err(Stop::Block(Kind::BudgetExhausted));
        }
        if self.tree_is_usage_error() || self.base_is_usage_error() {
            return Err(Stop::Usage);
        }
        if self.scenario.dry_run {
            return Err(Stop::Planned);
        }
        Ok(())
    }

    /// Nothing to look at: no delta file stands in the tree or stood in its base.
    fn tree_is_usage_error(&self) -> bool {
        matches!(self.scenario.implementer, Implementer::Tree(_))
            && self
                .world
                .base
                .iter()
                .chain(&self.world.now)
                .all(Option::is_none)
    }

    /// A base revision needs git.
    fn base_is_usage_error(&self) -> bool {
        matches!(&self.scenario.implementer, Implementer::Tree(tree) if tree.base_head)
            && !self.scenario.git
    }

    fn read_tests(&mut self) -> Step<()> {
        if self.scenario.verify_source != Some(TestFile::Readable) || self.remaining() < 2 {
            return Ok(());
        }
        let files = i64::try_from(self.scenario.delta.len()).expect("because a delta is small");
        let wanted = match self.scenario.read_tests {
            Some(ReadTests::Never) => false,
            Some(ReadTests::Always) => true,
            // Every delta file and one VERIFY must still fit afterwards.
            Some(ReadTests::Auto) | None => self.remaining() - 1 > files,
        };
        if wanted {
            self.enter(State::ReadTests);
            self.charge(1);
        }
        Ok(())
    }

    fn implement(&mut self) -> Step<()> {
        if self.scenario.baseline {
            let run = self.world.run_verify();
            if !run.edits.is_empty() || run.hangs {
                return Err(Stop::Unclear("a baseline run with effects"));
            }
        }
        self.enter(State::Implement);
        let remained = self.remaining();
        let work = self.world.request(Phase::Implement)?;
        self.world.note_touched();
        let touched = self.world.touched_count();
        // Charged whatever else happened.
        self.charge(touched);
        if work.failed {
            return Err(Stop::Block(Kind::ImplementFailed));
        }
        if work.strayed || work.needs_more {
            return Err(Stop::Block(Kind::DeltaInsufficient));
        }
        if touched == 0 && !work.no_change {
            return Err(Stop::Block(Kind::ImplementFailed));
        }
        if i64::try_from(touched).expect("because a delta is small") > remained {
            return Err(Stop::Block(Kind::BudgetExhausted));
        }
        Ok(())
    }

    fn preflight(&mut self) -> Step<()> {
        loop {
            self.enter(State::Preflight);
            if self.files_parse() && self.checks_pass() {
                return Ok(());
            }
            let attempts = self.file_attempts.iter().chain(&self.check_attempts);
            // Three failures of one file or command; and a tree has nobody who could mend it.
            if attempts.max() >= Some(&3)
                || matches!(self.scenario.implementer, Implementer::Tree(_))
            {
                return Err(Stop::Block(Kind::PreflightExhausted));
            }
            self.mend()?;
        }
    }

    fn files_parse(&mut self) -> bool {
        self.world.note_checked();
        let broken = self.world.broken_files();
        for file in &broken {
            self.file_attempts[*file] += 1;
        }
        broken.is_empty()
    }

    fn checks_pass(&mut self) -> bool {
        for check in 0..self.scenario.checks.len() {
            let passed = self.world.run_check(check);
            self.world.note_touched();
            if !passed {
                self.check_attempts[check] += 1;
                return false;
            }
        }
        true
    }

    fn mend(&mut self) -> Step<()> {
        let before = self.world.now.clone();
        let work = self.world.request(Phase::FixSyntax)?;
        self.world.note_touched();
        if work.needs_more && work.failed && !work.strayed {
            return Err(Stop::Unclear("whether a failed agent's reply is heard"));
        }
        if work.strayed || work.needs_more {
            return Err(Stop::Block(Kind::DeltaInsufficient));
        }
        if work.failed || self.world.now == before {
            return Err(Stop::Block(Kind::PreflightExhausted));
        }
        Ok(())
    }

    /// Whether it passed; a failure that may not be retried ends the run.
    fn verify(&mut self) -> Step<bool> {
        if self.remaining() < 1 {
            return Err(Stop::Block(Kind::BudgetExhausted));
        }
        self.enter(State::Verify);
        self.charge(1);
        let run = self.world.run_verify();
        self.world.note_touched();
        Ok(run.passes && !run.hangs)
    }

    fn retry(&mut self) -> Step<()> {
        // RETRY and another VERIFY must fit.
        if self.remaining() < 2 {
            return Err(Stop::Block(Kind::BudgetExhausted));
        }
        let run = self.world.last_verify();
        let matched = knowledge::matched(&self.scenario.failures, run)?;
        if self.retries >= self.allowed_retries(matched) {
            return Err(Stop::Block(Kind::RetryLimit));
        }
        self.enter(State::Retry);
        let Some(place) = matched else {
            return Err(Stop::Block(Kind::DiscoveryNeeded));
        };
        self.charge(1);
        self.retries += 1;
        self.apply(&self.scenario.failures[place].fix)
    }

    /// One, or two where the error may pass by itself.
    fn allowed_retries(&mut self, matched: Option<usize>) -> usize {
        let run = self.world.last_verify();
        let mut transient = run.troubles.iter().all(|trouble| trouble.is_transient());
        if run.hangs {
            transient &= !self.own_time_limit_counted;
            self.own_time_limit_counted = true;
        } else {
            transient &= !run.troubles.is_empty();
        }
        let flaky = matched.is_some_and(|place| self.scenario.failures[place].flaky);
        let fixed_cause = |trouble: &Trouble| matches!(trouble, Trouble::Syntax | Trouble::Import);
        if transient || (flaky && !run.troubles.iter().any(fixed_cause)) {
            2
        } else {
            1
        }
    }

    fn apply(&mut self, fix: &Fix) -> Step<()> {
        let before = self.world.now.clone();
        let work = match fix {
            Fix::Prose => self.world.request(Phase::ApplyFix)?,
            Fix::Command(command) => self.world.run_fix(command),
            Fix::Patch(patch) => self.world.apply_patch(patch)?,
            Fix::Rerun => world::Work {
                no_change: true,
                ..world::Work::default()
            },
            Fix::None(_) => unreachable!("a failure without a fix never matches"),
        };
        self.world.note_touched();
        self.world.note_checked();
        let idle = self.world.now == before && !work.no_change;
        let unparsed = !self.world.broken_files().is_empty();
        if work.strayed || work.needs_more || work.failed || idle || unparsed {
            return Err(Stop::Block(Kind::FixFailed));
        }
        Ok(())
    }

    fn quality(&mut self) -> Step<()> {
        self.enter(State::Quality);
        // What was verified is not what was checked.
        if self.world.differs_from_checked() {
            return Err(Stop::Block(Kind::TreeChanged));
        }
        let strict = quality::is_enforced(self.scenario.confidence);
        if quality::idiom_violated(self.scenario, &self.world, strict)? && strict {
            return Err(Stop::Block(Kind::IdiomViolation));
        }
        if quality::export_lost(self.scenario, &self.world)? {
            return Err(Stop::Block(Kind::ExportsLost));
        }
        Ok(())
    }

    fn expected(self, outcome: Outcome) -> Expected {
        let readable = !matches!(self.scenario.document, Document::Malformed(_));
        let record = match outcome {
            Outcome::Complete => Record::Complete,
            Outcome::Blocked(_) if readable && !self.scenario.dry_run => Record::Blocked,
            Outcome::Blocked(_) | Outcome::Failed | Outcome::Planned => Record::Untouched,
        };
        Expected {
            outcome,
            states: self.states,
            used: self.used,
            total: self.total,
            retries: self.retries,
            record,
            phases: self.world.phases,
            verify_runs: self.world.verify_runs,
            delta: self.world.now,
            transformed: self.world.transformed,
        }
    }
}
