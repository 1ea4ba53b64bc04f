//! The sentences about findings.

use ftl_analysis::findings::{MaskedExit, masked_exit};
use ftl_machine::Verdict;
use ftl_machine::event::OldTests;
use ftl_model::Finding;

use crate::text::{brief, listed, one_line};

/// A finding, with the files that it is about. No count: of very many only some are known here.
pub(in crate::run) fn doubt(finding: Finding, verdict: &Verdict) -> String {
    const SHOWN: usize = 10;
    let written = match finding {
        Finding::TreeWritten => &verdict.log.written[..],
        Finding::DependenciesChanged => &verdict.log.dependencies[..],
        _ => &[],
    };
    if written.is_empty() {
        return finding.to_string();
    }
    let shown = listed(&written[..written.len().min(SHOWN)]);
    let more = if written.len() > SHOWN { ", …" } else { "" };
    format!("{finding} ({shown}{more})")
}

/// Whether the task is done, and what speaks against it.
pub(in crate::run) fn doubted(findings: &[Finding], verdict: &Verdict) -> String {
    let masked = masked(findings, verdict).map(|masked| one_line(&masked.reason()));
    let by_old_tests = [Finding::TestsWeakened, Finding::TestsChanged];
    let is_of_tests = |finding: &Finding| by_old_tests.contains(finding);
    let old = verdict.log.old_tests.as_ref().filter(|_| findings.iter().any(is_of_tests));
    let missing = findings.contains(&Finding::TestsMissing).then(|| fewer(verdict)).flatten();
    let blind = findings.contains(&Finding::Blind).then(|| {
        "the verify passes with the work broken: it does not look at what was done".to_owned()
    });
    let masked = masked.into_iter().chain(blind);
    let why = masked.chain(old.map(old_tests_fail)).chain(missing);
    let why: Vec<String> = why.collect();
    match why.is_empty() {
        true => "whether the task is done".to_owned(),
        false => format!("whether the task is done: {}", why.join("; ")),
    }
}

/// `3 tests ran before the work, and 2 now`.
fn fewer(verdict: &Verdict) -> Option<String> {
    let then = verdict.log.before.as_ref()?.ran?;
    let now = verdict.log.verify.last()?.ran.unwrap_or(0);
    Some(format!("{then} tests ran before the work, and {now} now"))
}

/// `with the tests as they were (tests/test_a.py) it fails: tests/test_a.py::test_b (assert 1 == 2)`.
fn old_tests_fail(old: &OldTests) -> String {
    const SHOWN: usize = 5;
    let failed = old.failures.iter().map(|failure| {
        let message = brief(&one_line(failure.message.lines().next().unwrap_or_default()));
        match &failure.test {
            Some(test) => format!("{test} ({message})"),
            None => message,
        }
    });
    let failed: Vec<String> = failed.take(SHOWN).collect();
    let failed = match failed.is_empty() {
        true => old.error.iter().cloned().collect(),
        false => failed,
    };
    let more = old.failures.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let files = listed(&old.paths);
    format!("with the tests as they were ({files}) it fails: {}{more}", failed.join(", "))
}

/// How the verify hides an exit code, where that is among the findings.
pub(in crate::run) fn masked(findings: &[Finding], verdict: &Verdict) -> Option<MaskedExit> {
    findings.contains(&Finding::MaskedExit).then(|| masked_exit(&verdict.plan.verify)).flatten()
}
