//! The outcome as one JSON object.

use serde_json::{Value, json};

use super::record;
use crate::json::{
    BlockResult, BuildResult, FileResult, PreflightResult, QualityResult, RetryResult, Spent,
    VerifyResult,
};
use crate::machine::event::{Digest, Touched, Verification};
use crate::machine::log::CheckEntry;
use crate::machine::{Outcome, Verdict};

/// How a build ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The exit code: 0 for complete or planned, 3 for blocked.
    pub exit: i32,
    /// The whole outcome.
    pub json: Value,
}

/// The report of a verdict. `workspace` is where the file lies now.
pub(super) fn report(verdict: &Verdict, run: &str, id: &str, workspace: &str) -> Report {
    let (outcome, exit) = match &verdict.outcome {
        Outcome::Complete => ("complete", 0),
        Outcome::Planned => ("planned", 0),
        Outcome::Blocked(_) => ("blocked", 3),
    };
    let log = &verdict.log;
    let delivered = verdict.record.as_ref().map(|_| record::delivered(verdict));
    let result = BuildResult {
        v: 1,
        run,
        outcome,
        id,
        workspace,
        states: verdict.states(),
        budget: Spent {
            total: verdict.total,
            used: verdict.used,
        },
        delivered,
        block: block(verdict),
        files: verdict.files.iter().map(file).collect(),
        strays: &log.strays,
        scratch: &log.scratch,
        preflight: log.preflight.iter().map(checked).collect(),
        verify: log.verify.iter().map(verified).collect(),
        retry: RetryResult {
            count: verdict.retries,
            max: log.retry_max.unwrap_or(1),
            failure: &log.retry_failure,
            rationale: &log.retry_rationale,
        },
        quality: QualityResult {
            enforced: verdict.plan.enforced,
            idioms: &log.idioms,
            exports: &log.exports,
        },
        utilized: &log.utilized,
        warnings: &log.warnings,
    };
    Report {
        exit,
        json: json!(result),
    }
}

fn block(verdict: &Verdict) -> Option<BlockResult<'_>> {
    let block = verdict.block()?;
    Some(BlockResult {
        kind: block.kind,
        error: &block.error,
        tried: &verdict.log.tried,
        unknown: &block.unknown,
        discovery: &block.discovery,
        reproduce: &block.reproduce,
    })
}

fn file((file, sha256): &(Touched, Digest)) -> FileResult<'_> {
    FileResult {
        path: file.path.as_str(),
        change: file.change,
        sha256,
    }
}

fn checked(entry: &CheckEntry) -> PreflightResult<'_> {
    let check = entry.check.as_ref();
    let reason = check.and_then(|check| check.reason.as_ref());
    PreflightResult {
        path: &entry.subject,
        checker: &entry.checker,
        status: entry.status,
        attempts: entry.attempts,
        diagnostics: check.map_or(&[], |check| &check.diagnostics),
        reason: reason.or(entry.error.as_ref()),
    }
}

fn verified(verify: &Verification) -> VerifyResult<'_> {
    VerifyResult {
        command: &verify.command,
        exit: verify.exit,
        signal: verify.signal,
        timed_out: verify.timed_out,
        duration_ms: verify.duration_ms,
        output: &verify.output,
        log: &verify.log,
        findings: &verify.findings,
    }
}
