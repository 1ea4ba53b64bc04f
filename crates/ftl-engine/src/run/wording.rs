//! The sentences of a record: a block's reason, warnings and what was tried, in words.
//!
//! The machine decides in data; here, and only here, its data become the English of the record, the
//! result and the progress lines. What a reader can type depends on who calls the engine, so those words
//! come from the caller ([`Advice`]).

use ftl_machine::{
    Block, CheckEntry, Misfit, Outside, Reason, SpecProblem, Tried, Unmended, Unretried, Verdict,
    Warning,
};
use ftl_model::{DeltaPath, ExportVerdict, IdiomStatus, IdiomVerdict, Status};

use super::one_line;

/// What a person can type, in the words of whoever calls the engine.
#[derive(Clone, Copy, Debug)]
pub struct Advice {
    /// The command that checks the syntax of one file again, given its path.
    pub check_file: fn(&str) -> String,
    /// How somebody says that an export may go, as the end of a sentence.
    pub allow_removed: &'static str,
}

impl Default for Advice {
    /// For callers without a command line.
    fn default() -> Self {
        Self {
            check_file: |_| String::new(),
            allow_removed: "settings can allow it",
        }
    }
}

/// A block in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BlockText {
    /// One line: the error of a failed verify, or a sentence of ftl's own.
    pub(super) error: String,
    /// What did not fit: the observation.
    pub(super) unknown: String,
    /// What somebody should find out next.
    pub(super) discovery: String,
    /// A command that shows the problem again; empty where there is none.
    pub(super) reproduce: String,
}

impl BlockText {
    fn new(
        error: impl Into<String>,
        unknown: impl Into<String>,
        discovery: impl Into<String>,
        reproduce: impl Into<String>,
    ) -> Self {
        Self {
            error: error.into(),
            unknown: unknown.into(),
            discovery: discovery.into(),
            reproduce: reproduce.into(),
        }
    }
}

/// The words of a block.
pub(super) fn block(block: &Block, verdict: &Verdict, advice: Advice) -> BlockText {
    let verify = verdict.plan.verify.as_str();
    let total = verdict.total.unwrap_or_default();
    match &block.reason {
        Reason::DocumentRefused(refused) => BlockText::new(
            &refused.message,
            format!("the reader refused the document (`{}`)", refused.code),
            "correct the document at the place of the error; ftl left the file unchanged",
            "",
        ),
        Reason::NoBudget => BlockText::new(
            format!("the budget is {total}: reading the workspace alone costs 1"),
            "no call could be spent on the task",
            "how many calls the task needs: at least 3 for one file",
            "",
        ),
        Reason::Unbuildable(problem) => BlockText::new(
            spec_problem(problem),
            "the task can't be built as it is written",
            "what the workspace was meant to say",
            "",
        ),
        Reason::BudgetTooSmall { remaining, needed } => BlockText::new(
            format!("the budget of {total} is too small for one file and one verify after READ"),
            format!("{remaining} left, but {needed} are needed"),
            "how many calls the task needs: at least 3 for one file",
            "",
        ),
        Reason::ImplementerFailed(failure) => BlockText::new(
            failure,
            "how far the implementer got; its partial work is in the tree and in the run's diff",
            "why the implementer failed",
            verify,
        ),
        Reason::OutsideDelta(reached) => outside(reached, verify),
        Reason::Idle => BlockText::new(
            "the implementer touched no delta file and did not say `no_change`",
            "whether there was anything to do",
            "whether the task is done already, or was not understood",
            verify,
        ),
        Reason::Overspent { touched, remaining } => BlockText::new(
            format!("the implementer touched {touched} files, but only {remaining} calls remained"),
            "whether the change is right: no call was left to verify it",
            "how many calls the task needs",
            verify,
        ),
        Reason::PreflightFailing { why, first } => unmended(why, first.as_deref(), verify, advice),
        Reason::VerifyUnaffordable => BlockText::new(
            format!(
                "no call is left to verify with: {} of {total} are spent",
                verdict.used
            ),
            "whether what was written passes its verify",
            "run the verify command, and give the task a budget that includes it",
            verify,
        ),
        Reason::VerifyFailed { verification, why } => {
            let (unknown, discovery) = unretried(why);
            let error = verification.error.as_deref();
            BlockText::new(
                error.unwrap_or("the verify failed"),
                unknown,
                discovery,
                &verification.command,
            )
        }
        Reason::TreeChanged(files) => BlockText::new(
            format!(
                "the delta changed after it was last checked: {}",
                listed(files.iter().map(DeltaPath::as_str))
            ),
            "what the verify or a preflight command wrote into the delta",
            "why these commands write the files that they judge",
            verify,
        ),
        Reason::IdiomsViolated(idioms) => BlockText::new(
            idioms.iter().map(idiom).collect::<Vec<_>>().join("; "),
            "whether the idiom or the code is at fault",
            "how this project writes this",
            verify,
        ),
        Reason::ExportsLost(exports) => BlockText::new(
            format!("exports are gone: {}", exports_lost(exports)),
            "who uses these names",
            format!("whether the names may be removed; {}", advice.allow_removed),
            verify,
        ),
        Reason::VerifyUntrusted(findings) => BlockText::new(
            format!(
                "the verify passed but can't be trusted: {}",
                listed(findings.iter().map(|finding| finding.as_str()))
            ),
            "whether the task is done",
            "a verify that fails when the task is not done",
            verify,
        ),
    }
}

fn spec_problem(problem: &SpecProblem) -> String {
    match problem {
        SpecProblem::NoDelta => "the workspace names no delta file".into(),
        SpecProblem::NoVerify => "the workspace has no verify command".into(),
        SpecProblem::NotActive(Some(status)) => {
            let active = Status::Active;
            format!("the workspace's status is `{status}`, not `{active}`")
        }
        SpecProblem::NotActive(None) => "the workspace's root has no `status` attribute".into(),
        SpecProblem::Found(problem) => problem.clone(),
    }
}

fn outside(reached: &Outside, verify: &str) -> BlockText {
    let (what, files) = match reached {
        Outside::Strays(files) => ("changed files outside the delta", files),
        Outside::Needs(files) => ("needs files outside the delta", files),
    };
    let files = files.join(", ");
    BlockText::new(
        format!("the implementer {what}: {files}"),
        format!("whether the task needs {files}"),
        "whether the delta should name these files",
        verify,
    )
}

/// The words for what still fails, led by its first finding.
fn unmended(why: &Unmended, first: Option<&CheckEntry>, verify: &str, advice: Advice) -> BlockText {
    let why = match why {
        Unmended::NobodyToMend => "the tree as it stands has no implementer to fix it".to_owned(),
        Unmended::AttemptsSpent(times) => format!("it failed {times} times"),
        Unmended::MendFailed(failure) => format!("the repair failed: {failure}"),
        Unmended::MendChangedNothing => "the repair changed nothing".to_owned(),
    };
    let (error, reproduce) = match first {
        None => ("preflight failed".to_owned(), verify.to_owned()),
        Some(entry) if entry.check.is_some() => {
            (first_finding(entry), (advice.check_file)(&entry.subject))
        }
        Some(entry) => (first_finding(entry), entry.subject.clone()),
    };
    BlockText::new(
        error,
        format!("{why}, and preflight still fails"),
        "what the code was meant to say at this place",
        reproduce,
    )
}

fn first_finding(entry: &CheckEntry) -> String {
    let subject = &entry.subject;
    let check = entry.check.as_ref();
    let first = check.and_then(|check| check.diagnostics.first());
    match (first, &entry.error) {
        (Some(at), _) => format!("{subject}:{}:{}: {}", at.line, at.column, at.message),
        (None, Some(error)) => format!("`{subject}`: {error}"),
        (None, None) => format!("`{subject}` failed its preflight"),
    }
}

/// What is unknown after a failed verify, and what to find out.
fn unretried(why: &Unretried) -> (String, &'static str) {
    match why {
        Unretried::CallsSpent { left } => (
            format!("the verify failed with {left} calls left: a retry and its verify need 2"),
            "why the verify fails",
        ),
        Unretried::RetriesSpent { retries, max } => (
            format!("the verify still fails after {retries} of {max} retries"),
            "why the known fix does not work",
        ),
        Unretried::NoKnownFix(without_fix) => {
            let unknown = if without_fix.is_empty() {
                "no known failure fits this error".to_owned()
            } else {
                let names = without_fix.join(", ");
                format!("the failure is known as {names} but has no fix")
            };
            (unknown, "the cause of this error, and a fix for it")
        }
        Unretried::FixFailed(misfit) => (fix_failed(misfit), "a fix that works for this failure"),
    }
}

fn fix_failed(misfit: &Misfit) -> String {
    match misfit {
        Misfit::Outside(Outside::Strays(files)) => {
            format!(
                "the fix changed files outside the delta: {}",
                files.join(", ")
            )
        }
        Misfit::Outside(Outside::Needs(files)) => {
            format!(
                "the fix needs files outside the delta: {}",
                files.join(", ")
            )
        }
        Misfit::NotApplied(failure) => format!("the fix could not be applied: {failure}"),
        Misfit::ChangedNothing => "the fix changed nothing".into(),
        Misfit::Unparsable(path) => format!("the fix left `{path}` unparsable"),
    }
}

fn exports_lost(exports: &[ExportVerdict]) -> String {
    let names = exports.iter();
    let names = names.map(|export| format!("`{}` of {}", export.name, export.path));
    names.collect::<Vec<_>>().join(", ")
}

fn idiom(idiom: &IdiomVerdict) -> String {
    let what = match idiom.verdict {
        IdiomStatus::Undecidable => "is undecided",
        IdiomStatus::Violated | IdiomStatus::Satisfied | IdiomStatus::NotApplicable => {
            "is violated"
        }
    };
    let place = idiom.places.iter().find(|place| place.new);
    let place = place.map(|at| format!(" ({}:{}:{})", at.path, at.line, at.column));
    let place = place.unwrap_or_default();
    format!("{} idiom `{}` {what}{place}", idiom.kind, idiom.text)
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// A warning in words.
pub(super) fn warning(warning: &Warning) -> String {
    match warning {
        Warning::Met(text) => text.clone(),
        Warning::NoChangeIgnored => {
            "the implementer said `no_change` but changed the delta: what it said is ignored".into()
        }
        Warning::KnownWithoutFix(name) => format!("`{name}` is known, but without a fix"),
        Warning::Doubtful(finding) => format!("the verify is doubtful: {finding}"),
        Warning::IdiomViolated(verdict) => idiom(verdict),
    }
}

/// A mend or a fix in words.
pub(super) fn tried(tried: &Tried) -> String {
    match tried {
        Tried::Mend => "asked the implementer to repair what preflight found".into(),
        Tried::Fix(known) if known.fix.is_empty() => known.name.clone(),
        Tried::Fix(known) => format!("{}: {}", known.name, known.fix),
    }
}

/// Everything that was tried, on one line.
pub(super) fn all_tried(all: &[Tried]) -> String {
    let words: Vec<String> = all.iter().map(|one| one_line(&tried(one))).collect();
    if words.is_empty() {
        "nothing".into()
    } else {
        words.join("; ")
    }
}
