//! A verdict as the result that callers get.

use std::path::Path;

use ftl_machine::event::Verification;
use ftl_machine::{CheckEntry, Outcome, Verdict};
use ftl_model::{Digest, Touched};

use super::record;
use super::wording::{self, Advice};
use crate::result::{
    BlockResult, BuildResult, FileResult, OutcomeWord, PreflightResult, QualityResult, RetryResult,
    RunId, Spent, VerifyResult,
};

/// The result of a verdict. `workspace` is where the file lay when the run began.
pub(super) fn of(verdict: &Verdict, run: RunId, workspace: &Path, advice: Advice) -> BuildResult {
    let log = &verdict.log;
    let record = verdict.record.as_ref();
    BuildResult {
        v: 1,
        id: run.workspace().clone(),
        run,
        outcome: match &verdict.outcome {
            Outcome::Complete => OutcomeWord::Complete,
            Outcome::Planned => OutcomeWord::Planned,
            Outcome::Blocked(_) => OutcomeWord::Blocked,
        },
        workspace: record.map_or_else(|| workspace.display().to_string(), |at| at.path.clone()),
        states: verdict.states().to_vec(),
        budget: Spent {
            total: verdict.total,
            used: verdict.used,
        },
        delivered: record.map(|_| record::delivered(verdict, advice)),
        block: block(verdict, advice),
        files: verdict.files.iter().map(file).collect(),
        strays: log.strays.clone(),
        quarantine: log.quarantine.clone(),
        allowed: log.allowed.clone(),
        isolation: log.isolation,
        scratch: log.scratch.clone(),
        preflight: log.preflight.iter().map(checked).collect(),
        verify: log.verify.iter().map(verified).collect(),
        retry: RetryResult {
            count: verdict.retries,
            max: log.retry_max.unwrap_or(1),
            failure: log.retry_failure.clone(),
            rationale: log.retry_rationale.clone(),
        },
        quality: QualityResult {
            enforced: verdict.plan.enforced,
            idioms: log.idioms.clone(),
            exports: log.exports.clone(),
        },
        utilized: log.utilized.clone(),
        warnings: log.warnings.iter().map(wording::warning).collect(),
    }
}

fn block(verdict: &Verdict, advice: Advice) -> Option<BlockResult> {
    let block = verdict.block()?;
    let text = wording::block(block, verdict, advice);
    Some(BlockResult {
        kind: block.kind(),
        error: text.error,
        tried: verdict.log.tried.iter().map(wording::tried).collect(),
        unknown: text.unknown,
        discovery: text.discovery,
        reproduce: text.reproduce,
    })
}

fn file((file, sha256): &(Touched, Option<Digest>)) -> FileResult {
    FileResult {
        path: file.path.clone(),
        change: file.change,
        sha256: *sha256,
    }
}

fn checked(entry: &CheckEntry) -> PreflightResult {
    let check = entry.check.as_ref();
    let reason = check.and_then(|check| check.reason.as_ref());
    PreflightResult {
        path: entry.subject.clone(),
        checker: entry.checker.clone(),
        status: entry.status,
        attempts: entry.attempts,
        diagnostics: check.map_or_else(Vec::new, |check| check.diagnostics.clone()),
        reason: reason.or(entry.error.as_ref()).cloned(),
    }
}

fn verified(verify: &Verification) -> VerifyResult {
    VerifyResult {
        command: verify.command.clone(),
        exit: verify.exit,
        signal: verify.signal,
        timed_out: verify.timed_out,
        duration_ms: verify.duration_ms,
        output: verify.output.clone(),
        log: verify.log.clone(),
        findings: verify.findings.clone(),
    }
}
