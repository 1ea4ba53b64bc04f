//! Scenarios drawn at random: mostly healthy tasks, each with a few troubles of one sort.

mod actors;
mod knowledge;
mod texts;

use super::random::Random;
use super::scenario::{
    AgentNamed, BadPath, Check, Confidence, Context, Delta, Document, FileName, Finding, Idiom,
    IdiomRule, Implementer, Malformed, Mask, ReadTests, Scenario, TestFile, VerifyCommand,
};
use super::text::{Language, Text};
use texts::Texts;

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

impl Focus {
    /// A chance in percent: `high` where the focus is, `low` elsewhere.
    fn odds(self, on: Self, high: usize, low: usize) -> usize {
        if self == on || self == Self::Anything { high } else { low }
    }
}

/// One scenario; the same for the same state of `random`.
pub(super) fn scenario(random: &mut Random) -> Scenario {
    let focus = random.weighted(&[
        (5, Focus::Read),
        (6, Focus::Plan),
        (15, Focus::Implement),
        (18, Focus::Preflight),
        (34, Focus::Verify),
        (17, Focus::Quality),
        (5, Focus::Anything),
    ]);
    let git = random.chance(12);
    let mut texts = Texts::new();
    let mut delta = delta(random, &mut texts);
    let (implementer, now) = actors::implementer(random, &mut texts, focus, git, &mut delta);
    let verify = actors::verify(random, &mut texts, focus, &now);
    let failures = knowledge::failures(random, &mut texts, focus, &delta, &now, &verify);
    let (document, file_name, verify_command) = document(random, focus);
    Scenario {
        file_name,
        document,
        budget: budget(random, focus),
        bad_path: random.chance(focus.odds(Focus::Plan, 35, 0)).then(|| bad_path(random)),
        verify_command,
        verify_source: random.chance(40).then(|| test_file(random)),
        read_tests: random
            .chance(30)
            .then(|| random.pick(&[ReadTests::Auto, ReadTests::Always, ReadTests::Never])),
        padded: random.chance(10),
        framework: random.chance(15).then_some("homegrown"),
        idioms: idioms(random, focus),
        undecided_blocks: random.chance(10),
        strays_stay: random.chance(8),
        agent_named: match implementer {
            Implementer::Agent(_) => agent_named(random),
            Implementer::Patches(_) | Implementer::Tree(_) => AgentNamed::ByFlag,
        },
        confidence: confidence(random),
        contexts: contexts(random, focus, &delta),
        allow_removed: random.chance(15).then(|| random.pick(&texts::NAMES)),
        checks: checks(random, &mut texts, focus, &now),
        failures,
        baseline: random.chance(8),
        mask: random
            .chance(focus.odds(Focus::Quality, 15, 2))
            .then(|| random.pick(&[Mask::Silent, Mask::Spoken])),
        untrusted: random.chance(50).then(|| findings(random, focus)),
        dry_run: random.chance(2),
        built_again: random.chance(8),
        implementer,
        verify,
        delta,
        git,
    }
}

fn agent_named(random: &mut Random) -> AgentNamed {
    random.weighted(&[
        (80, AgentNamed::ByFlag),
        (10, AgentNamed::InConfiguration),
        (10, AgentNamed::AsDefault),
    ])
}

fn budget(random: &mut Random, focus: Focus) -> Option<i64> {
    let low = focus.odds(Focus::Read, 30, 4);
    if random.chance(low) {
        return Some(random.pick(&[-1, 0, 1, 2]));
    }
    if random.chance(10) {
        return None;
    }
    // Retries need room.
    let least = if focus == Focus::Verify && random.chance(75) { 7 } else { 3 };
    i64::try_from(least + random.below(10)).ok()
}

fn document(random: &mut Random, focus: Focus) -> (Document, FileName, VerifyCommand) {
    let mut facts = (Document::Sound, FileName::Active, VerifyCommand::Script);
    if !random.chance(focus.odds(Focus::Read, 75, 0)) {
        return facts;
    }
    match random.below(6) {
        0 | 1 => facts.0 = Document::Malformed(malformed(random)),
        2 => facts.0 = Document::Status(random.pick(&["complete", "blocked", "paused"])),
        3 => facts.0 = Document::NoDelta,
        4 => facts.2 = random.pick(&[VerifyCommand::Absent, VerifyCommand::Blank]),
        _ => {
            facts.1 = random.pick(&[
                FileName::AlreadyComplete,
                FileName::AlreadyBlocked,
                FileName::NoStatus,
                FileName::Missing,
            ]);
        }
    }
    facts
}

fn malformed(random: &mut Random) -> Malformed {
    random.pick(&[
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

fn bad_path(random: &mut Random) -> BadPath {
    random.pick(&[
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

fn test_file(random: &mut Random) -> TestFile {
    random.weighted(&[
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

fn delta(random: &mut Random, texts: &mut Texts) -> Vec<Delta> {
    let count = random.weighted(&[(45, 1), (30, 2), (15, 3), (10, 4)]);
    let mut paths = PATHS;
    random.shuffle(&mut paths);
    let mut file = |path: &'static str| Delta {
        path,
        committed: None,
        start: random.chance(60).then(|| texts.first(random, path)),
        ignored: false,
    };
    paths[..count].iter().map(|path| file(path)).collect()
}

fn idioms(random: &mut Random, focus: Focus) -> Vec<Idiom> {
    let mut idioms: Vec<Idiom> = Vec::new();
    let mut add = |required: bool, rule: IdiomRule| {
        if !idioms.contains(&Idiom { required, rule }) {
            idioms.push(Idiom { required, rule });
        }
    };
    for _ in 0..random.below(3) {
        // Most marks are there: `required` is then kept and `forbidden` is an old occurrence.
        if random.chance(focus.odds(Focus::Quality, 60, 12)) {
            add(random.chance(50), IdiomRule::Mark(random.pick(&texts::MARKS)));
        }
    }
    if random.chance(10) {
        add(random.chance(50), IdiomRule::Prose(random.pick(&PROSE)));
    }
    if random.chance(focus.odds(Focus::Plan, 12, 0)) {
        add(random.chance(50), IdiomRule::DoesNotCompile);
    }
    if random.chance(focus.odds(Focus::Plan, 12, 0)) {
        let rule = random.pick(&[IdiomRule::Mark(texts::MARKS[0]), IdiomRule::Prose(PROSE[0])]);
        add(true, rule);
        add(false, rule);
    }
    idioms
}

fn findings(random: &mut Random, focus: Focus) -> Vec<Finding> {
    let all = [Finding::Masked, Finding::PassedBefore, Finding::TestChanged, Finding::FailedAnyway];
    let chance = focus.odds(Focus::Quality, 35, 3);
    all.into_iter().filter(|_| random.chance(chance)).collect()
}

fn confidence(random: &mut Random) -> Confidence {
    let values = ["0.3", "0.59", "0.6", "0.9", "7", "-3", " 0.85 ", "1e-1"];
    let mut value = |chance: usize| random.chance(chance).then(|| random.pick(&values));
    let (attribute, element) = (value(25), value(30));
    Confidence { attribute, element }
}

fn contexts(random: &mut Random, focus: Focus, delta: &[Delta]) -> Vec<Context> {
    let mut contexts = Vec::new();
    for (place, file) in delta.iter().enumerate() {
        let exporting = Language::of(file.path).exports_are_judged();
        if exporting && random.chance(focus.odds(Focus::Quality, 80, 20)) {
            contexts.push(context(random, Some(place)));
            if random.chance(15) {
                contexts.push(context(random, Some(place)));
            }
        }
    }
    if random.chance(10) {
        contexts.push(context(random, None));
    }
    contexts
}

fn context(random: &mut Random, file: Option<usize>) -> Context {
    let exports = texts::NAMES.into_iter().filter(|_| random.chance(60)).collect();
    Context { file, exports }
}

fn checks(
    random: &mut Random,
    texts: &mut Texts,
    focus: Focus,
    now: &[Option<Text>],
) -> Vec<Check> {
    let count = random.weighted(&[(60, 0), (25, 1), (15, 2)]);
    let mut check = |random: &mut Random| {
        let failing = random.chance(focus.odds(Focus::Preflight, 40, 4));
        let overwrites = random.chance(focus.odds(Focus::Quality, 8, 1)).then(|| {
            let file = random.below(now.len());
            (file, texts.next(random, now[file].as_ref(), 20))
        });
        let failing_runs = if failing {
            random.pick(&[Some(1), Some(1), Some(2), Some(3), None])
        } else {
            Some(0)
        };
        Check { failing_runs, overwrites }
    };
    (0..count).map(|_| check(random)).collect()
}
