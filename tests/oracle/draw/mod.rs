//! Scenarios drawn at random: mostly healthy tasks, each with a few troubles of one sort.

mod actors;
mod knowledge;
mod texts;

use super::choices::Choices;
use super::scenario::{
    AgentNamed, BadPath, Check, Confidence, Context, Delta, Document, FileName, Finding, Idiom,
    IdiomRule, Implementer, Malformed, Mask, ReadTests, Scenario, TestFile, VerifyCommand,
};
use super::text::{Language, Text};

const PATHS: [&str; 9] = [
    "one.txt",
    "two.json",
    "three.toml",
    "four.py",
    "five.py",
    "six.rs",
    "seven.js",
    "sub/eight.txt",
    "sub/deep/nine.py",
];
const PROSE: [&str; 2] = ["Prefer quiet zebras over loud ones", "No walnuts in ledgers"];

/// Where a scenario's troubles lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    Read,
    Plan,
    Implement,
    Preflight,
    Verify,
    Quality,
    Anything,
}

/// A scenario that is being drawn.
struct Drawing {
    choices: Choices,
    focus: Focus,
    git: bool,
    /// Of the text that was drawn last: no two are equal.
    serial: u32,
}

/// One scenario, and the choices that draw it again.
pub(super) fn scenario(choices: Choices) -> (Scenario, Choices) {
    let mut drawing = Drawing { choices, focus: Focus::Anything, git: false, serial: 0 };
    (drawing.scenario(), drawing.choices)
}

impl Drawing {
    /// A number from 0 up to, not including, `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.choices.below(bound)
    }

    /// True in `percent` of a hundred calls.
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// One of `from`, each as likely as its weight says.
    fn weighted<T: Clone>(&mut self, from: &[(usize, T)]) -> T {
        let mut left = self.below(from.iter().map(|(weight, _)| weight).sum());
        let is_it = |(weight, _): &&(usize, T)| {
            let found = left < *weight;
            left = left.saturating_sub(*weight);
            found
        };
        from.iter().find(is_it).map(|(_, item)| item.clone()).expect("because of the bound")
    }

    /// A chance in percent: `high` where the focus is, `low` elsewhere.
    fn odds(&self, on: Focus, high: usize, low: usize) -> usize {
        if self.focus == on || self.focus == Focus::Anything { high } else { low }
    }

    fn scenario(&mut self) -> Scenario {
        self.focus = self.weighted(&[
            (5, Focus::Read),
            (6, Focus::Plan),
            (15, Focus::Implement),
            (18, Focus::Preflight),
            (34, Focus::Verify),
            (17, Focus::Quality),
            (5, Focus::Anything),
        ]);
        self.git = self.chance(12);
        let mut delta = self.delta();
        let (implementer, now) = self.implementer(&mut delta);
        let verify = self.verify(&now);
        let failures = self.failures(&delta, &now, &verify);
        let (document, file_name, verify_command) = self.document();
        Scenario {
            file_name,
            document,
            budget: self.budget(),
            bad_path: self.chance(self.odds(Focus::Plan, 35, 0)).then(|| self.bad_path()),
            verify_command,
            verify_source: self.chance(40).then(|| self.test_file()),
            read_tests: self
                .chance(30)
                .then(|| self.pick(&[ReadTests::Auto, ReadTests::Always, ReadTests::Never])),
            padded: self.chance(10),
            framework: self.chance(15).then_some("homegrown"),
            idioms: self.idioms(),
            undecided_blocks: self.chance(10),
            drops_strays: self.chance(2),
            agent_named: match implementer {
                Implementer::Agent(_) => self.agent_named(),
                Implementer::Patches(_) | Implementer::Tree(_) => AgentNamed::ByFlag,
            },
            confidence: self.confidence(),
            contexts: self.contexts(&delta),
            allow_removed: self.chance(15).then(|| self.pick(&texts::NAMES)),
            checks: self.checks(&now),
            failures,
            baseline: self.chance(8),
            mask: self
                .chance(self.odds(Focus::Quality, 15, 2))
                .then(|| self.pick(&[Mask::Silent, Mask::Spoken])),
            untrusted: self.chance(50).then(|| self.findings()),
            dry_run: self.chance(2),
            built_again: self.chance(8),
            implementer,
            verify,
            delta,
            git: self.git,
        }
    }

    fn agent_named(&mut self) -> AgentNamed {
        self.weighted(&[
            (80, AgentNamed::ByFlag),
            (10, AgentNamed::InConfiguration),
            (10, AgentNamed::AsDefault),
        ])
    }

    fn budget(&mut self) -> Option<i64> {
        let low = self.odds(Focus::Read, 30, 4);
        if self.chance(low) {
            return Some(self.pick(&[-1, 0, 1, 2]));
        }
        if self.chance(10) {
            return None;
        }
        // Retries need room.
        let least = if self.focus == Focus::Verify && self.chance(75) { 7 } else { 3 };
        i64::try_from(least + self.below(10)).ok()
    }

    fn document(&mut self) -> (Document, FileName, VerifyCommand) {
        let mut facts = (Document::Sound, FileName::Active, VerifyCommand::Script);
        if !self.chance(self.odds(Focus::Read, 75, 0)) {
            return facts;
        }
        match self.below(6) {
            0 | 1 => facts.0 = Document::Malformed(self.malformed()),
            2 => facts.0 = Document::Status(self.pick(&["complete", "blocked", "paused"])),
            3 => facts.0 = Document::NoDelta,
            4 => facts.2 = self.pick(&[VerifyCommand::Absent, VerifyCommand::Blank]),
            _ => {
                facts.1 = self.pick(&[
                    FileName::AlreadyComplete,
                    FileName::AlreadyBlocked,
                    FileName::NoStatus,
                    FileName::Missing,
                ]);
            }
        }
        facts
    }

    fn malformed(&mut self) -> Malformed {
        self.pick(&[
            Malformed::CutShort,
            Malformed::Doctype,
            Malformed::Encoding,
            Malformed::Version,
            Malformed::NotUtf8,
            Malformed::BudgetWord,
            Malformed::BudgetUnderscore,
            Malformed::BudgetHuge,
            Malformed::CostEmpty,
            Malformed::ConfidenceWord,
            Malformed::TooDeep,
        ])
    }

    fn bad_path(&mut self) -> BadPath {
        self.pick(&[
            BadPath::Empty,
            BadPath::Absolute,
            BadPath::Parent,
            BadPath::ParentInside,
            BadPath::Star,
            BadPath::Question,
            BadPath::Backslash,
            BadPath::Control,
            BadPath::LinkOut,
            BadPath::Directory,
            BadPath::InFtl,
            BadPath::InGit,
            BadPath::Duplicate,
        ])
    }

    fn test_file(&mut self) -> TestFile {
        self.weighted(&[
            (62, TestFile::Readable),
            (8, TestFile::InDelta),
            (8, TestFile::Absent),
            (5, TestFile::Directory),
            (5, TestFile::NotUtf8),
            (1, TestFile::TooLarge),
            (5, TestFile::Outside),
            (6, TestFile::LinkOut),
        ])
    }

    fn delta(&mut self) -> Vec<Delta> {
        let count = self.weighted(&[(45, 1), (30, 2), (15, 3), (10, 4)]);
        let mut paths = PATHS.to_vec();
        let mut file = || {
            let path = paths.remove(self.below(paths.len()));
            let start = self.chance(60).then(|| self.first_text(path));
            Delta { path, committed: None, start, ignored: false }
        };
        (0..count).map(|_| file()).collect()
    }

    fn idioms(&mut self) -> Vec<Idiom> {
        let mut idioms: Vec<Idiom> = Vec::new();
        let mut add = |required: bool, rule: IdiomRule| {
            if !idioms.contains(&Idiom { required, rule }) {
                idioms.push(Idiom { required, rule });
            }
        };
        for _ in 0..self.below(3) {
            // Most marks are there: `required` is then kept and `forbidden` is an old occurrence.
            if self.chance(self.odds(Focus::Quality, 60, 12)) {
                add(self.chance(50), IdiomRule::Mark(self.pick(&texts::MARKS)));
            }
        }
        if self.chance(10) {
            add(self.chance(50), IdiomRule::Prose(self.pick(&PROSE)));
        }
        if self.chance(self.odds(Focus::Plan, 12, 0)) {
            add(self.chance(50), IdiomRule::DoesNotCompile);
        }
        if self.chance(self.odds(Focus::Plan, 12, 0)) {
            let rule = self.pick(&[IdiomRule::Mark(texts::MARKS[0]), IdiomRule::Prose(PROSE[0])]);
            add(true, rule);
            add(false, rule);
        }
        idioms
    }

    fn findings(&mut self) -> Vec<Finding> {
        let all =
            [Finding::Masked, Finding::PassedBefore, Finding::TestChanged, Finding::FailedAnyway];
        let chance = self.odds(Focus::Quality, 35, 3);
        all.into_iter().filter(|_| self.chance(chance)).collect()
    }

    fn confidence(&mut self) -> Confidence {
        let values = ["0.3", "0.59", "0.6", "0.9", "7", "-3", " 0.85 ", "1e-1"];
        let mut value = |chance: usize| self.chance(chance).then(|| self.pick(&values));
        let (attribute, element) = (value(25), value(30));
        Confidence { attribute, element }
    }

    fn contexts(&mut self, delta: &[Delta]) -> Vec<Context> {
        let mut contexts = Vec::new();
        for (place, file) in delta.iter().enumerate() {
            let exporting = Language::of(file.path).exports_are_judged();
            if exporting && self.chance(self.odds(Focus::Quality, 80, 20)) {
                contexts.push(self.context(Some(place)));
                if self.chance(15) {
                    contexts.push(self.context(Some(place)));
                }
            }
        }
        if self.chance(10) {
            contexts.push(self.context(None));
        }
        contexts
    }

    fn context(&mut self, file: Option<usize>) -> Context {
        let exports = texts::NAMES.into_iter().filter(|_| self.chance(60)).collect();
        Context { file, exports }
    }

    fn checks(&mut self, now: &[Option<Text>]) -> Vec<Check> {
        let count = self.weighted(&[(60, 0), (25, 1), (15, 2)]);
        (0..count).map(|_| self.check(now)).collect()
    }

    fn check(&mut self, now: &[Option<Text>]) -> Check {
        let failing = self.chance(self.odds(Focus::Preflight, 40, 4));
        let overwrites = self.chance(self.odds(Focus::Quality, 8, 1)).then(|| {
            let file = self.below(now.len());
            (file, self.next_text(now[file].as_ref(), 20))
        });
        let failing_runs = match failing {
            true => self.pick(&[Some(1), Some(1), Some(2), Some(3), None]),
            false => Some(0),
        };
        Check { failing_runs, overwrites }
    }
}
