//! The outcome as one JSON object.

use serde_json::{Value, json};

use super::record;
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
    let json = json!({
        "v": 1,
        "run": run,
        "outcome": outcome,
        "id": id,
        "workspace": workspace,
        "states": verdict.states(),
        "budget": { "total": verdict.total, "used": verdict.used },
        "delivered": delivered,
        "block": block(verdict),
        "files": files(verdict),
        "strays": log.strays,
        "scratch": log.scratch,
        "preflight": log.preflight.iter().map(checked).collect::<Vec<_>>(),
        "verify": verified(verdict),
        "retry": {
            "count": verdict.retries,
            "max": log.retry_max.unwrap_or(1),
            "failure": log.retry_failure,
            "rationale": log.retry_rationale,
        },
        "quality": {
            "enforced": verdict.plan.enforced,
            "idioms": log.idioms,
            "exports": log.exports,
        },
        "utilized": log.utilized,
        "warnings": log.warnings,
    });
    Report { exit, json }
}

fn block(verdict: &Verdict) -> Value {
    let Some(block) = verdict.block() else {
        return Value::Null;
    };
    json!({
        "kind": block.kind,
        "error": block.error,
        "tried": verdict.log.tried,
        "unknown": block.unknown,
        "discovery": block.discovery,
        "reproduce": block.reproduce,
    })
}

fn files(verdict: &Verdict) -> Vec<Value> {
    let file = |(file, digest): &(crate::machine::event::Touched, Option<String>)| json!({ "path": file.path, "change": file.change, "sha256": digest });
    verdict.files.iter().map(file).collect()
}

fn checked(entry: &CheckEntry) -> Value {
    let diagnostics = entry.check.as_ref().map(|check| json!(check.diagnostics));
    let mut value = json!({
        "path": entry.subject,
        "checker": entry.checker,
        "status": entry.status,
        "attempts": entry.attempts,
        "diagnostics": diagnostics.unwrap_or_else(|| json!([])),
    });
    let reason = entry.check.as_ref().and_then(|check| check.reason.clone());
    if let Some(reason) = reason.or_else(|| entry.error.clone()) {
        value["reason"] = reason.into();
    }
    value
}

fn verified(verdict: &Verdict) -> Vec<Value> {
    let run = |verify: &crate::machine::event::Verification| {
        json!({
            "command": verify.command,
            "exit": verify.exit,
            "signal": verify.signal,
            "timed_out": verify.timed_out,
            "duration_ms": verify.duration_ms,
            "output": verify.output,
            "log": verify.log,
            "findings": verify.findings,
        })
    };
    verdict.log.verify.iter().map(run).collect()
}
