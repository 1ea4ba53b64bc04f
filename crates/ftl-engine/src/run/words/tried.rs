//! What was tried against a failure, as text.

use ftl_analysis::matching::same_error;
use ftl_machine::{Misfit, Outside, Reason, Tried, Unretried, Verdict};

use crate::text::{brief, listed, one_line};

/// Whether the last two verifies failed by the same error.
pub(in crate::run) fn came_again(verdict: &Verdict) -> bool {
    let mut errors = verdict.log.verify.iter().rev().map(|verify| &verify.error);
    match (errors.next(), errors.next()) {
        (Some(Some(last)), Some(Some(before))) => same_error(last, before),
        _ => false,
    }
}

/// What was tried, each with its result.
pub(in crate::run) fn outcomes(verdict: &Verdict) -> Vec<String> {
    let all = &verdict.log.tried;
    let fixes = all.iter().filter(|tried| matches!(tried, Tried::Fix(_)));
    let last_fix = fixes.count();
    let mut fix = 0;
    let outcome = |tried_one: &Tried| {
        let what = brief(&one_line(&tried(tried_one)));
        if let Tried::Mend = tried_one {
            return what;
        }
        fix += 1;
        let verifies = &verdict.log.verify;
        let came = match (verifies.get(fix), verdict.block().map(|block| &block.reason)) {
            (None, Some(Reason::VerifyFailed { why: Unretried::FixFailed(misfit), .. }))
                if fix == last_fix =>
            {
                fix_failed(misfit)
            }
            (Some(verify), _) if verify.passed => "the verify passed".to_owned(),
            (Some(verify), _) => match (&verify.error, verifies.get(fix - 1)) {
                (Some(now), Some(before))
                    if before.error.as_ref().is_some_and(|old| same_error(now, old)) =>
                {
                    "the same error came again".to_owned()
                }
                (Some(now), _) => format!("the verify failed again: {}", one_line(now)),
                (None, _) => "the verify failed again".to_owned(),
            },
            (None, _) => return what,
        };
        format!("{what} ({came})")
    };
    all.iter().map(outcome).collect()
}

/// A repair or a fix as text.
pub(in crate::run) fn tried(tried: &Tried) -> String {
    match tried {
        Tried::Mend => "asked the implementer to repair what preflight found".into(),
        Tried::Fix(known) if known.fix.is_empty() => known.name.clone(),
        Tried::Fix(known) => format!("{}: {}", known.name, known.fix),
    }
}

/// Everything that was tried, on one line.
pub(in crate::run) fn all_tried(all: &[Tried]) -> String {
    let words: Vec<String> = all.iter().map(|one| one_line(&tried(one))).collect();
    if words.is_empty() { "nothing".into() } else { brief(&words.join("; ")) }
}

/// Why a fix did not help.
pub(in crate::run) fn fix_failed(misfit: &Misfit) -> String {
    match misfit {
        Misfit::Outside(Outside::Strays(files)) => {
            format!("the fix changed files outside the delta: {}", listed(files))
        }
        Misfit::Outside(Outside::Needs(files)) => {
            format!("the fix needs files outside the delta: {}", listed(files))
        }
        Misfit::NotApplied(failure) => format!("the fix could not be applied: {failure}"),
        Misfit::ChangedNothing => "the fix changed nothing".into(),
        Misfit::Unparsable(path) => format!("the fix left `{path}` unparsable"),
    }
}

/// That the verify failed before the work as it did after it, where it was run before.
pub(in crate::run) fn failed_before(reason: &Reason, verdict: &Verdict) -> Option<String> {
    let Reason::VerifyFailed { verification, .. } = reason else { return None };
    let before = verdict.log.before.as_ref()?;
    let tests = verification.failures.iter().filter_map(|failure| failure.test.as_ref());
    let is_same = same_error(verification.error.as_deref()?, before.error.as_deref()?)
        && tests.eq(before.tests.iter().take(verification.failures.len()));
    is_same.then(|| "the verify failed in the same way before the task".to_owned())
}
