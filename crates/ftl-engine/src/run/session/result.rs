//! A verdict as the result that callers get.

use std::path::Path;

use ftl_analysis::matching::generalised;
use ftl_machine::event::Verification;
use ftl_machine::{CheckEntry, Log, Outcome, Reason, Verdict};
use ftl_model::{AgentWork, Digest, Failure, Tokens, Touched};

use crate::result::{
    BlockResult, BuildResult, EvidenceResult, FailureEntry, FileResult, ImplementerKind,
    ImplementerResult, OutcomeWord, PreflightResult, QualityResult, RetryResult, RunId, Shown,
    Spent, Usage, VerifyResult,
};
use crate::run::settings::{Implementer, Settings};
use crate::run::site::Site;
use crate::run::words::attempts::may_try_again;
use crate::run::words::delivered::delivered;
use crate::run::words::wording::{self, Advice};
use crate::run::words::{tried, ways};

/// The result of a verdict. `workspace` is where the file lay when the run began; `site` is where it was made,
/// where that is known.
pub(in crate::run) fn of(
    verdict: &Verdict,
    run: RunId,
    workspace: &Path,
    settings: &Settings,
    site: Option<&Site<'_>>,
) -> BuildResult {
    let advice = settings.advice;
    let log = &verdict.log;
    let record = verdict.record.as_ref();
    let implementer = implementer(&settings.implementer, &log.agent);
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
        budget: Spent { total: verdict.total, used: verdict.used },
        delivered: record.map(|_| delivered(verdict, advice)),
        block: block(verdict, advice),
        attempt: 1,
        earlier: Vec::new(),
        next: Vec::new(),
        then: None,
        problems: Vec::new(),
        source: Vec::new(),
        patches: 0,
        may_try_again: verdict.block().is_some_and(|block| may_try_again(block.kind(), verdict)),
        ways: verdict
            .block()
            .map(|block| ways::on(block, verdict, settings, site))
            .unwrap_or_default(),
        files: verdict.files.iter().map(|it| file(it, verdict)).collect(),
        strays: log.strays.clone(),
        quarantine: log.quarantine.clone(),
        allowed: log.allowed.clone(),
        isolation: log.isolation,
        base: log.base.clone(),
        duration_ms: 0,
        usage: Usage::of(implementer.tokens, implementer.cost_usd),
        implementer,
        scratch: log.scratch.clone(),
        preflight: log.preflight.iter().map(checked).collect(),
        verify: log.verify.iter().map(verified).collect(),
        evidence: evidence(log),
        retry: RetryResult {
            count: verdict.retries,
            max: log.retry_max.unwrap_or(1),
            failure: log.retry_failure.clone(),
            rationale: log.retry_rationale.clone(),
        },
        quality: QualityResult {
            enforced: verdict.plan.enforced,
            idioms: log.idioms.clone(),
            detected: log.detected.clone(),
            exports: log.exports.clone(),
        },
        commit: None,
        utilized: log.utilized.clone(),
        warnings: log.warnings.iter().map(wording::warning).collect(),
    }
}

fn evidence(log: &Log) -> EvidenceResult {
    let old = log.old_tests.as_ref();
    EvidenceResult {
        before: log.before.as_ref().map(|before| Shown::of(before.passed)),
        old_tests: old.and_then(|old| old.passed).map(Shown::of),
        broken: log.broken.as_ref().and_then(|broken| broken.passed).map(Shown::of),
        failures: old.map(|old| old.failures.clone()).unwrap_or_default(),
        error: old.and_then(|old| old.error.clone()),
        log: old.and_then(|old| old.log.clone()),
    }
}

/// Who wrote. What an agent counted is known only where every request of it is.
fn implementer(implementer: &Implementer, works: &[AgentWork]) -> ImplementerResult {
    let (kind, agent) = match implementer {
        Implementer::Agent(agent) => (ImplementerKind::Agent, Some(agent)),
        Implementer::Patches(_) => (ImplementerKind::Patch, None),
        Implementer::Tree { .. } => (ImplementerKind::Tree, None),
    };
    let first =
        |of: fn(&AgentWork) -> &Option<String>| works.iter().find_map(|work| of(work).clone());
    let last = |of: fn(&AgentWork) -> &Option<String>| {
        works.iter().rev().find_map(|work| of(work).clone())
    };
    let own = agent.and_then(|agent| agent.command.clone());
    let tokens: Option<Vec<Tokens>> = works.iter().map(|work| work.tokens).collect();
    let costs: Option<Vec<f64>> = works.iter().map(|work| work.cost_usd).collect();
    let calls: Option<Vec<u64>> = works.iter().map(|work| work.calls).collect();
    ImplementerResult {
        kind,
        name: agent.and_then(|agent| agent.name.clone()),
        command: first(|work| &work.command).or(own),
        worker: last(|work| &work.worker),
        version: last(|work| &work.version),
        model: last(|work| &work.model).or_else(|| agent.and_then(|agent| agent.model.clone())),
        tokens: tokens.and_then(|all| all.into_iter().reduce(Tokens::plus)),
        cost_usd: costs.filter(|all| !all.is_empty()).map(|all| all.iter().sum()),
        calls: calls.filter(|all| !all.is_empty()).map(|all| all.iter().sum()),
        said: last(|work| &work.said),
    }
}

fn block(verdict: &Verdict, advice: Advice) -> Option<BlockResult> {
    let block = verdict.block()?;
    let text = wording::block(block, verdict, advice);
    let failed = matches!(block.reason, Reason::VerifyFailed { .. });
    let by_implementer = matches!(block.reason, Reason::ImplementerFailed(_) | Reason::Idle);
    let verify_log = || verdict.log.verify.last().and_then(|verify| verify.log.clone());
    Some(BlockResult {
        kind: block.kind(),
        failure: (failed && ways::says_why(verdict)).then(|| entry(&text.error, verdict)),
        near: match failed {
            true => verdict.log.near.clone(),
            false => Vec::new(),
        },
        last_lines: match by_implementer {
            true => verdict.log.last_lines.clone(),
            false => Vec::new(),
        },
        log: match (by_implementer, failed) {
            (true, _) => verdict.log.implementer_log.clone(),
            (false, true) => verify_log(),
            (false, false) => None,
        },
        error: text.error,
        tried: tried::outcomes(verdict),
        unknown: text.unknown,
        discovery: text.discovery,
        reproduce: text.reproduce,
    })
}

/// The error as a known failure that lacks only its fix.
fn entry(error: &str, verdict: &Verdict) -> FailureEntry {
    let passing = verdict.log.verify.iter().filter(|verify| verify.passed);
    let passing: Vec<&str> = passing.map(|verify| verify.output.as_str()).collect();
    let failure = Failure {
        name: Some("learned-1".to_owned()),
        trigger: error.to_owned(),
        pattern: generalised(error, &passing),
        fix: "UNKNOWN".to_owned(),
        ..Failure::default()
    };
    FailureEntry {
        xml: ftl_xml::failure_xml(&failure),
        trigger: failure.trigger,
        pattern: failure.pattern,
        fix: failure.fix,
    }
}

fn file((file, sha256): &(Touched, Option<Digest>), verdict: &Verdict) -> FileResult {
    let lines = verdict.log.lines.get(&file.path).copied();
    FileResult { path: file.path.clone(), change: file.change, sha256: *sha256, lines }
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

pub(in crate::run) fn verified(verify: &Verification) -> VerifyResult {
    VerifyResult {
        command: verify.command.clone(),
        exit: verify.exit,
        signal: verify.signal,
        timed_out: verify.timed_out,
        duration_ms: verify.duration_ms,
        output: verify.output.clone(),
        log: verify.log.clone(),
        failures: verify.failures.clone(),
        more_failures: verify.more_failures,
        excerpt: verify.excerpt.clone(),
        findings: verify.findings.clone(),
        with: verify.with.clone(),
        passed: verify.passed,
        summary: verify.summary.clone(),
        log_sha256: verify.log_sha256,
    }
}
