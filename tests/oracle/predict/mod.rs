//! The rules of a build, stated a second time: from the facts of a scenario to its end.
//!
//! Nothing here is shared with the program under test. READ and PLAN come first and QUALITY last, with
//! `work` and `proof` between them; beside the run stand the world it acts on, what is known about
//! failures, and the judgement of quality.

mod knowledge;
mod proof;
mod quality;
mod work;
mod world;

use super::expected::{BlockKind, Expected, Outcome, Record, Report, State};
use super::scenario::{
    Document, Ending, FileName, Finding, IdiomRule, Implementer, Mask, ReadTests, Scenario,
    TestFile, VerifyCommand,
};
use world::World;

/// The rules leave this scenario's end open, for the reason given.
#[derive(Debug)]
pub(super) struct Unclear(pub(super) &'static str);

/// Why a run goes no further.
enum Stop {
    Block(BlockKind),
    Complete,
    Usage,
    Planned,
    Unclear(&'static str),
}

type Predicted<T> = Result<T, Stop>;

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
        return Err(Unclear("which comes first, the early block or the unusable tree"));
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
    passed_before: bool,
    /// With the work, and the test file as it was, the verify failed.
    old_test_fails: bool,
    announced: Vec<String>,
    report: Report,
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
            passed_before: false,
            old_test_fails: false,
            announced: Vec::new(),
            report: Report::default(),
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

    fn until_judged(&mut self) -> Predicted<()> {
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

    fn read(&mut self) -> Predicted<()> {
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
            return Err(Stop::Block(BlockKind::SpecInvalid));
        }
        if self.remaining() < 1 {
            return Err(Stop::Block(BlockKind::BudgetExhausted));
        }
        self.charge(1);
        let no_verify = self.scenario.verify_command != VerifyCommand::Script;
        if no_verify || self.scenario.document != Document::Sound {
            return Err(Stop::Block(BlockKind::SpecInvalid));
        }
        self.announce_task();
        Ok(())
    }

    fn announce_task(&mut self) {
        let files: Vec<_> = self.scenario.delta.iter().map(|file| file.path).collect();
        self.announced.push(format!(
            "Budget: 1/{}, Delta: {}, Framework: {}",
            self.scenario.budget.unwrap_or(5),
            files.join(", "),
            self.scenario.framework.unwrap_or("none"),
        ));
    }

    fn plan(&mut self) -> Predicted<()> {
        self.enter(State::Plan);
        if self.scenario.bad_path.is_some() {
            return Err(Stop::Block(BlockKind::SpecInvalid));
        }
        let idioms = &self.scenario.idioms;
        let broken_rule = idioms.iter().any(|idiom| idiom.rule == IdiomRule::DoesNotCompile);
        let both = |wanted: &IdiomRule, required: bool| {
            idioms.iter().any(|idiom| idiom.rule == *wanted && idiom.required != required)
        };
        let contradiction = idioms.iter().any(|idiom| both(&idiom.rule, idiom.required));
        if broken_rule || contradiction {
            return Err(Stop::Block(BlockKind::SpecInvalid));
        }
        // One file and one VERIFY must fit.
        if self.remaining() < 2 {
            return Err(Stop::Block(BlockKind::BudgetExhausted));
        }
        if self.tree_is_usage_error() || self.base_is_usage_error() {
            return Err(Stop::Usage);
        }
        if self.scenario.dry_run {
            return Err(Stop::Planned);
        }
        Ok(())
    }

    /// Nothing to look at: no delta file is in the tree or was in its base.
    fn tree_is_usage_error(&self) -> bool {
        matches!(self.scenario.implementer, Implementer::Tree(_))
            && self.world.base.iter().chain(&self.world.now).all(Option::is_none)
    }

    /// A base revision needs git.
    fn base_is_usage_error(&self) -> bool {
        matches!(&self.scenario.implementer, Implementer::Tree(tree) if tree.base_head)
            && !self.scenario.git
    }

    fn read_tests(&mut self) -> Predicted<()> {
        let readable = match self.scenario.verify_source {
            Some(TestFile::Readable) => true,
            Some(TestFile::InDelta) => self.scenario.delta[0].start.is_some(),
            Some(_) | None => false,
        };
        if !readable || self.remaining() < 2 {
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

    /// Everything is judged and recorded before anything is decided.
    fn quality(&mut self) -> Predicted<()> {
        self.enter(State::Quality);
        let verdicts = quality::idioms(self.scenario, &self.world)?;
        let idioms = self.scenario.idioms.iter();
        self.report.idioms = idioms
            .map(|idiom| (idiom.kind(), idiom.text()))
            .zip(verdicts.iter().copied())
            .collect();
        self.report.exports = quality::exports(self.scenario, &self.world)?;
        // What was verified is not what was checked.
        if self.world.differs_from_checked() {
            return Err(Stop::Block(BlockKind::TreeChanged));
        }
        if quality::violated(self.scenario, &verdicts)? {
            return Err(Stop::Block(BlockKind::IdiomViolation));
        }
        if quality::lost(&self.report.exports) {
            return Err(Stop::Block(BlockKind::ExportsLost));
        }
        let untrusted = self.scenario.untrusted.clone().unwrap_or_else(|| {
            let by_other = !matches!(self.scenario.implementer, Implementer::Tree(_));
            let changed = by_other.then_some(Finding::TestChanged);
            [Finding::FailedAnyway, Finding::Masked].into_iter().chain(changed).collect()
        });
        for finding in untrusted {
            if self.is_found(finding)? {
                return Err(Stop::Block(BlockKind::VerifyUntrusted));
            }
        }
        Ok(())
    }

    fn is_found(&self, finding: Finding) -> Predicted<bool> {
        Ok(match finding {
            // No run of the script prints a runner's summary, which would lift the finding.
            Finding::Masked => self.scenario.mask.is_some(),
            Finding::FailedAnyway => {
                let ending = self.world.last_verify().ending;
                self.scenario.mask == Some(Mask::Spoken) && ending != Ending::Pass
            }
            Finding::PassedBefore => self.passed_before,
            Finding::TestChanged if self.old_test_fails && self.scenario.baseline => {
                return Err(Stop::Unclear("whether the same failed before"));
            }
            Finding::TestChanged => self.old_test_fails,
        })
    }

    /// What the report says besides, as far as it is certain.
    fn report(&mut self, outcome: Outcome) -> Report {
        let mut report = std::mem::take(&mut self.report);
        // A line belongs to the end of its state; of a state that ends in a block nothing is said.
        let certain = self.states.contains(&State::Preflight) && !self.scenario.padded;
        report.announced = certain.then(|| std::mem::take(&mut self.announced));
        report.touched = self.implemented().then(|| self.world.touched_paths()).flatten();
        if outcome == Outcome::Complete {
            report.utilized = Some(self.world.utilized.clone());
        }
        report
    }

    fn expected(mut self, outcome: Outcome) -> Expected {
        let report = self.report(outcome);
        let readable = !matches!(self.scenario.document, Document::Malformed(_));
        let record = match outcome {
            Outcome::Complete => Record::Complete,
            Outcome::Blocked(_) if readable && !self.scenario.dry_run => Record::Blocked,
            Outcome::Blocked(_) | Outcome::Failed | Outcome::Planned => Record::Untouched,
        };
        let delta = self.world.end(matches!(outcome, Outcome::Blocked(_)));
        Expected {
            outcome,
            states: self.states,
            used: self.used,
            total: self.total,
            retries: self.retries,
            record,
            phases: self.world.phases,
            verify_runs: self.world.verify_runs,
            delta,
            transformed: self.world.transformed,
            report,
        }
    }
}
