//! The sentences of a record: a block's reason, and warnings. What was tried is in `tried.rs`.
//!
//! The machine decides in data, which become English here alone. Commands to type come from the caller ([`Advice`]).

use ftl_machine::event::Conflicts;
use ftl_machine::{
    Block, CheckEntry, Outside, Reason, SpecProblem, Unmended, Unretried, Verdict, Warning,
};
use ftl_model::{ExportVerdict, Finding, IdiomStatus, IdiomVerdict, Status};

use super::doubts::{doubt, doubted, masked};
use super::tried::{came_again, failed_before, fix_failed};
use crate::text::{brief, listed, one_line};

/// What a person can type, in the caller's terms.
#[derive(Clone, Copy, Debug)]
pub struct Advice {
    /// The command that checks the syntax of one file again, given its path.
    pub check_file: fn(&str) -> String,
    /// How to allow the removal of an export, as the end of a sentence.
    pub allow_removed: &'static str,
    /// The command that takes strays of this task in.
    pub take_in: fn(&str) -> String,
}

impl Default for Advice {
    /// For callers without a command line.
    fn default() -> Self {
        Self {
            check_file: |_| String::new(),
            allow_removed: "settings can allow it",
            take_in: |_| String::new(),
        }
    }
}

/// A block as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::run) struct BlockText {
    /// One line: the error of a failed verify, or a sentence of ftl's own.
    pub(in crate::run) error: String,
    /// What did not fit: the observation.
    pub(in crate::run) unknown: String,
    /// What to find out next.
    pub(in crate::run) discovery: String,
    /// A command that shows the problem again; empty where there is none.
    pub(in crate::run) reproduce: String,
}

/// The words of a block.
pub(in crate::run) fn block(block: &Block, verdict: &Verdict, advice: Advice) -> BlockText {
    let reason = &block.reason;
    BlockText {
        error: brief(&error(reason, verdict)),
        unknown: brief(&match failed_before(reason, verdict) {
            Some(before) => format!("{before}; {}", unknown(reason, verdict)),
            None => unknown(reason, verdict),
        }),
        discovery: discovery(reason, verdict, advice),
        reproduce: reproduce(reason, verdict, advice),
    }
}

/// What went wrong, in one line. A failed verify speaks for itself.
fn error(reason: &Reason, verdict: &Verdict) -> String {
    let (total, used) = (verdict.total.unwrap_or_default(), verdict.used);
    match reason {
        Reason::DocumentRefused(refused) => refused.message.clone(),
        Reason::NoBudget => format!("the budget is {total}: reading the workspace alone costs 1"),
        Reason::Unbuildable(problem) => spec_problem(problem),
        Reason::BudgetTooSmall { .. } => {
            format!("the budget of {total} is too small for one file and one verify after READ")
        }
        Reason::ImplementerFailed(failure) => failure.clone(),
        Reason::OutsideDelta(Outside::Strays(files)) => {
            format!("the implementer changed files outside the delta: {}", listed(files))
        }
        Reason::OutsideDelta(Outside::Needs(files)) => {
            format!("the implementer needs files outside the delta: {}", listed(files))
        }
        Reason::Idle => "the implementer touched no delta file and did not say `no_change`".into(),
        Reason::Overspent { touched, remaining } => {
            format!("the implementer touched {touched} files, but only {remaining} calls remained")
        }
        Reason::PreflightFailing { first, .. } => preflight_error(first.as_deref()),
        Reason::VerifyUnaffordable => {
            format!("no call is left to verify with: {used} of {total} are spent")
        }
        Reason::LandConflict(conflicts) => format!(
            "changed in the project while the implementer worked: {}; the project is left as it is",
            listed(&conflicts.paths)
        ),
        Reason::LandBroken(verification)
        | Reason::LeftBehind { verification, .. }
        | Reason::VerifyFailed { verification, .. } => {
            let error = verification.error.clone();
            error.unwrap_or_else(|| "the verify failed".into())
        }
        Reason::TreeChanged(files) => {
            let files: Vec<String> = files.iter().map(ToString::to_string).collect();
            let files = listed(&files);
            format!("the delta changed after it was last checked: {files}")
        }
        Reason::IdiomsViolated(idioms) => {
            let idioms: Vec<String> = idioms.iter().map(idiom).collect();
            listed(&idioms)
        }
        Reason::ExportsLost(exports) => format!("exports are gone: {}", exports_lost(exports)),
        Reason::VerifyUntrusted(findings) => {
            let findings = findings.iter().map(|finding| doubt(*finding, verdict));
            let findings: Vec<String> = findings.collect();
            let findings = findings.join(", ");
            format!("the verify passed but can't be trusted: {findings}")
        }
    }
}

/// What did not fit, or is not known yet.
fn unknown(reason: &Reason, verdict: &Verdict) -> String {
    match reason {
        Reason::DocumentRefused(refused) => {
            format!("the reader refused the document (`{}`)", refused.code)
        }
        Reason::NoBudget => "no call could be spent on the task".into(),
        Reason::Unbuildable(_) => "the task can't be built as it is written".into(),
        Reason::BudgetTooSmall { remaining, needed } => {
            format!("{remaining} left, but {needed} are needed")
        }
        Reason::ImplementerFailed(_) if verdict.files.is_empty() => {
            "how far the implementer got; it changed no file of the task".into()
        }
        Reason::ImplementerFailed(_) => {
            "how far the implementer got; its partial work is in the run's diff".into()
        }
        Reason::OutsideDelta(Outside::Strays(files) | Outside::Needs(files)) => {
            format!("whether the task needs {}", listed(files))
        }
        Reason::Idle => "whether there was anything to do".into(),
        Reason::Overspent { .. } => {
            "whether the change is right: no call was left to verify it".into()
        }
        Reason::PreflightFailing { why, .. } => {
            format!("{}, and preflight still fails", unmended(why))
        }
        Reason::VerifyUnaffordable => "whether what was written passes its verify".into(),
        Reason::VerifyFailed { why, .. } => unretried(why, verdict),
        Reason::LandConflict(conflicts) => which_version(conflicts),
        Reason::LeftBehind { left, .. } => format!(
            "whether the task needs {}, which was left behind: with it the verify passes",
            listed(left)
        ),
        Reason::LandBroken(_) => {
            "what landed in between that breaks it: the verify passes where the work was done".into()
        }
        Reason::TreeChanged(_) => {
            "what the verify or a preflight command wrote into the delta, or whether you saved it while it ran".into()
        }
        Reason::IdiomsViolated(_) => "whether the idiom or the code is at fault".into(),
        Reason::ExportsLost(_) => "who uses these names".into(),
        Reason::VerifyUntrusted(findings) => doubted(findings, verdict),
    }
}

fn which_version(conflicts: &Conflicts) -> String {
    let paths = listed(&conflicts.paths);
    match &conflicts.dir {
        Some(dir) => format!(
            "which version of {paths} is right: the one in the project, or the implementer's in `{dir}`"
        ),
        None => format!("whether {paths} is still needed: the implementer deleted it"),
    }
}

/// What to find out next.
fn discovery(reason: &Reason, verdict: &Verdict, advice: Advice) -> String {
    let text = match reason {
        Reason::DocumentRefused(_) => {
            "correct the document at the place of the error; ftl left the file unchanged"
        }
        Reason::NoBudget | Reason::BudgetTooSmall { .. } => {
            "how many calls the task needs: at least 3 for one file"
        }
        Reason::Unbuildable(_) => "what the workspace was meant to say",
        Reason::ImplementerFailed(_) => "why the implementer failed",
        Reason::LeftBehind { left, .. }
            if left.iter().all(|path| verdict.log.dependencies.contains(path)) =>
        {
            "which package it is: let the delta name the manifest, and `[setup]` in `ftl.toml` install it"
        }
        Reason::OutsideDelta(_) | Reason::LeftBehind { .. } => {
            "whether the delta should name these files"
        }
        Reason::Idle => "whether the task is done already, or was not understood",
        Reason::Overspent { .. } => "how many calls the task needs",
        Reason::PreflightFailing { .. } => "what the code was meant to say at this place",
        Reason::VerifyUnaffordable => {
            "run the verify command, and give the task a budget that includes it"
        }
        Reason::VerifyFailed { why, .. } => match why {
            Unretried::CallsSpent { .. } => "why the verify fails",
            Unretried::RetriesSpent { .. } => "why the known fix does not work",
            Unretried::NoKnownFix(_) => "the cause of this error, and a fix for it",
            Unretried::FixFailed(_) => "a fix that works for this failure",
        },
        Reason::LandConflict(_) => "whether the task is still needed as it is written",
        Reason::LandBroken(_) => "whether the task depends on what landed, or breaks it",
        Reason::TreeChanged(_) => "why these commands write the files that they judge",
        Reason::IdiomsViolated(_) => "how this project writes this",
        Reason::ExportsLost(_) => {
            return format!("whether the names may be removed; {}", advice.allow_removed);
        }
        Reason::VerifyUntrusted(findings) => {
            let verify = "a verify that fails when the task is not done";
            return match masked(findings, verdict) {
                Some(masked) => format!("{verify}: `{}`", one_line(&masked.instead)),
                None => verify.to_owned(),
            };
        }
    };
    text.to_owned()
}

/// The command that shows the problem again: of the verify, unless something failed before it.
fn reproduce(reason: &Reason, verdict: &Verdict, advice: Advice) -> String {
    match reason {
        Reason::DocumentRefused(_)
        | Reason::NoBudget
        | Reason::Unbuildable(_)
        | Reason::BudgetTooSmall { .. } => String::new(),
        Reason::PreflightFailing { first: Some(entry), .. } => match entry.check {
            Some(_) => (advice.check_file)(&entry.subject),
            None => entry.subject.clone(),
        },
        Reason::LandBroken(verification)
        | Reason::LeftBehind { verification, .. }
        | Reason::VerifyFailed { verification, .. } => {
            verification.rerun.as_ref().unwrap_or(&verification.command).clone()
        }
        Reason::PreflightFailing { first: None, .. }
        | Reason::ImplementerFailed(_)
        | Reason::OutsideDelta(_)
        | Reason::Idle
        | Reason::Overspent { .. }
        | Reason::VerifyUnaffordable
        | Reason::TreeChanged(_)
        | Reason::IdiomsViolated(_)
        | Reason::ExportsLost(_)
        | Reason::LandConflict(_)
        | Reason::VerifyUntrusted(_) => {
            // A command that never ran shows nothing again.
            let ran = verdict.log.verify.last();
            ran.map(|verify| verify.command.clone()).unwrap_or_default()
        }
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
        SpecProblem::NoProgram(program) => {
            let near = program.near.as_ref();
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            let name = &program.name;
            format!("the verify begins with `{name}`, which is not on the PATH{near}")
        }
    }
}

/// Why there are no further repairs.
fn unmended(why: &Unmended) -> String {
    match why {
        Unmended::CannotMend => "the current tree has no implementer to fix it".to_owned(),
        Unmended::AttemptsSpent(times) => format!("it failed {times} times"),
        Unmended::MendFailed(failure) => format!("the repair failed: {failure}"),
        Unmended::MendChangedNothing => "the repair changed nothing".to_owned(),
    }
}

fn preflight_error(first: Option<&CheckEntry>) -> String {
    first.map_or_else(|| "preflight failed".into(), first_finding)
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

/// Why a failed verify is not tried again.
fn unretried(why: &Unretried, verdict: &Verdict) -> String {
    match why {
        Unretried::CallsSpent { left } => {
            format!("the verify failed with {left} calls left: a retry and its verify need 2")
        }
        Unretried::RetriesSpent { retries, max } => {
            let again = match (came_again(verdict), &verdict.log.retry_failure) {
                (true, Some(name)) => {
                    format!("the same error came again after the fix of `{name}`: ")
                }
                _ => String::new(),
            };
            format!("{again}the verify still fails after {retries} of {max} retries")
        }
        Unretried::NoKnownFix(without_fix) if without_fix.is_empty() => {
            "no known failure fits this error".to_owned()
        }
        Unretried::NoKnownFix(without_fix) => {
            let names = listed(without_fix);
            format!("the failure is known as {names} but has no fix")
        }
        Unretried::FixFailed(misfit) => fix_failed(misfit),
    }
}

fn exports_lost(exports: &[ExportVerdict]) -> String {
    let names = exports.iter();
    let names = names.map(|export| format!("`{}` of {}", export.name, export.path));
    listed(&names.collect::<Vec<_>>())
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

/// A warning as text.
pub(in crate::run) fn warning(warning: &Warning) -> String {
    match warning {
        Warning::Met(text) => brief(text),
        Warning::NoChangeIgnored => {
            "the implementer said `no_change` but changed the delta: what it said is ignored".into()
        }
        Warning::KnownWithoutFix(name) => format!("`{name}` is known, but without a fix"),
        Warning::Edited(path) => {
            format!(
                "`{path}` changed while the build was interrupted: it is checked and verified again"
            )
        }
        Warning::BudgetShort { remaining, files } => format!(
            "the budget leaves {remaining} calls after READ, and the delta has {files} files: to change all of them \
             leaves no call to verify with"
        ),
        Warning::Doubtful(Finding::PassedBefore) => {
            "the verify passed before the work too: it shows nothing about it".into()
        }
        Warning::Doubtful(Finding::Blind) => {
            "the verify passes with the work broken: it does not look at what was done".into()
        }
        Warning::Doubtful(finding) => format!("the verify is doubtful: {finding}"),
        Warning::IdiomViolated(verdict) => idiom(verdict),
    }
}
