//! A run as its record describes it: for a run whose directory is gone, as in a fresh clone.

use ftl_machine::{BlockKind, StateName};
use ftl_model::{
    BaseCommit, Change, CheckStatus, DeltaPath, Diagnostic, ExportStatus, ExportVerdict, IdiomKind,
    IdiomPlace, IdiomSeverity, IdiomStatus, IdiomVerdict, Isolation, Severity, Tokens,
};
use ftl_xml::{ElementRef, HANDOFF};

use crate::project::WorkspaceFile;
use crate::result::{
    AccountSource, BlockResult, BuildResult, FileResult, ImplementerKind, ImplementerResult,
    OutcomeWord, PreflightResult, QualityResult, RetryResult, RunAccount, RunId, Spent, StateStep,
};
use crate::run::{verified, weakened};

/// What a `run` element says. Whatever it lacks is empty: an older ftl may have written it.
pub(super) fn account(run: ElementRef<'_, '_>, task: &WorkspaceFile) -> RunAccount {
    let number = attribute(run, "number").and_then(|number| number.parse().ok());
    let states = child(run, "states").unwrap_or_default();
    let states: Vec<StateName> = states.split_whitespace().filter_map(StateName::named).collect();
    let step = |state: &StateName| StateStep { state: *state, at: None, duration_ms: None };
    RunAccount {
        number,
        version: attribute(run, "version").unwrap_or_default(),
        began_at: attribute(run, "began_at"),
        ended_at: attribute(run, "ended_at"),
        implementer: None,
        source: AccountSource::Record,
        timeline: states.iter().map(step).collect(),
        slot: None,
        diff: None,
        diff_path: None,
        logs: Vec::new(),
        result: result(run, task, number, states),
    }
}

fn base(element: ElementRef<'_, '_>) -> Option<BaseCommit> {
    Some(BaseCommit { commit: attribute(element, "commit")?, branch: attribute(element, "branch") })
}

fn implementer(element: ElementRef<'_, '_>) -> ImplementerResult {
    let kind = attribute(element, "kind").and_then(|word| ImplementerKind::named(&word));
    let count = |name: &str| attribute(element, name)?.parse().ok();
    let tokens = Tokens {
        input: count("tokens_in"),
        cached: count("tokens_cached"),
        output: count("tokens_out"),
    };
    ImplementerResult {
        kind: kind.unwrap_or(ImplementerKind::Tree),
        name: attribute(element, "name"),
        command: child(element, "command"),
        worker: attribute(element, "worker"),
        version: attribute(element, "version"),
        model: attribute(element, "model"),
        tokens: (tokens != Tokens::default()).then_some(tokens),
        cost_usd: attribute(element, "cost_usd").and_then(|cost| cost.parse().ok()),
        calls: count("calls"),
        said: child(element, "said"),
    }
}

fn result(
    run: ElementRef<'_, '_>,
    task: &WorkspaceFile,
    number: Option<u64>,
    states: Vec<StateName>,
) -> BuildResult {
    let outcome = attribute(run, "outcome").and_then(|word| OutcomeWord::named(&word));
    let outcome = outcome.unwrap_or(OutcomeWord::Unfinished);
    let calls = run.child("calls");
    let count = |name: &str| calls.and_then(|calls| attribute(calls, name)?.parse().ok());
    let paths = |name: &str| {
        let all = run.children_named(name);
        all.filter_map(|element| attribute(element, "path")).collect()
    };
    let warnings = run.children_named("warning").filter_map(text).collect();
    BuildResult {
        v: 1,
        run: number.map_or_else(
            || RunId::dry(task.id().clone()),
            |number| RunId::new(task.id().clone(), number),
        ),
        outcome,
        id: task.id().clone(),
        workspace: task.path.display().to_string(),
        states,
        budget: Spent { total: count("total"), used: count("used").unwrap_or(0) },
        delivered: child(run, HANDOFF).or_else(|| delivered(task, outcome)),
        block: block(run),
        files: run.children_named("file").filter_map(file).collect(),
        may_try_again: false,
        strays: paths("stray"),
        quarantine: run.child("quarantine").and_then(|at| attribute(at, "path")),
        allowed: paths("allowed"),
        isolation: attribute(run, "isolation").and_then(|word| Isolation::named(&word)),
        base: run.child("base").and_then(base),
        implementer: run.child("implementer").map(implementer).unwrap_or_default(),
        scratch: Vec::new(),
        preflight: run.children_named("checked").filter_map(checked).collect(),
        verify: run.children_named("verified").map(verified::result).collect(),
        retry: retry(run),
        quality: QualityResult {
            enforced: true,
            idioms: run.children_named("idiom").filter_map(idiom).collect(),
            detected: run.child("detected").and_then(|it| attribute(it, "framework")),
            exports: run.children_named("export").filter_map(export).collect(),
            weakened: run.children_named("weakened").filter_map(weakened::read).collect(),
        },
        commit: None,
        utilized: Vec::new(),
        warnings,
        attempt: attribute(run, "attempt").and_then(|number| number.parse().ok()).unwrap_or(1),
        earlier: Vec::new(),
        next: Vec::new(),
        then: None,
        problems: Vec::new(),
        source: Vec::new(),
        patches: 0,
        ways: Vec::new(),
    }
}

/// What the document itself says was delivered: the run of a complete task does not repeat it.
fn delivered(task: &WorkspaceFile, outcome: OutcomeWord) -> Option<String> {
    if outcome != OutcomeWord::Complete {
        return None;
    }
    let bytes = crate::project::read(&task.path).ok()?;
    let document = ftl_xml::read(&bytes).ok()?;
    child(document.root(), "delivered")
}

fn block(run: ElementRef<'_, '_>) -> Option<BlockResult> {
    let block = run.child("block")?;
    let said = |name: &str| child(block, name).unwrap_or_default();
    let tried = said("tried");
    Some(BlockResult {
        kind: BlockKind::named(&attribute(block, "kind")?)?,
        error: said("error"),
        tried: Some(tried)
            .filter(|tried| !tried.is_empty() && tried != "nothing")
            .into_iter()
            .collect(),
        unknown: said("unknown"),
        discovery: said("discovery"),
        reproduce: said("reproduce"),
        near: Vec::new(),
        failure: None,
        last_lines: Vec::new(),
        log: None,
    })
}

fn file(element: ElementRef<'_, '_>) -> Option<FileResult> {
    Some(FileResult {
        path: DeltaPath::parse(&attribute(element, "path")?).ok()?,
        change: Change::named(&attribute(element, "change")?)?,
        sha256: attribute(element, "sha256").and_then(|digest| digest.parse().ok()),
    })
}

fn checked(element: ElementRef<'_, '_>) -> Option<PreflightResult> {
    let found = element.children_named("diagnostic").map(|found| {
        let number = |name: &str| attribute(found, name).and_then(|number| number.parse().ok());
        let (line, column) = (number("line").unwrap_or(1), number("column").unwrap_or(1));
        Diagnostic {
            severity: Severity::Error,
            message: text(found).unwrap_or_default(),
            line,
            column,
            end_line: line,
            end_column: column,
            start: 0,
            end: 0,
            code: None,
            checker: attribute(element, "checker").unwrap_or_default(),
        }
    });
    Some(PreflightResult {
        path: attribute(element, "subject")?,
        checker: attribute(element, "checker").unwrap_or_default(),
        status: CheckStatus::named(&attribute(element, "status")?)?,
        attempts: attribute(element, "attempts").and_then(|count| count.parse().ok()).unwrap_or(0),
        diagnostics: found.collect(),
        reason: attribute(element, "reason"),
    })
}

fn retry(run: ElementRef<'_, '_>) -> RetryResult {
    let retried = run.child("retried");
    let count = |name: &str| {
        let count = retried.and_then(|retried| attribute(retried, name));
        count.and_then(|count| count.parse().ok()).unwrap_or(0)
    };
    RetryResult {
        count: count("count"),
        max: count("max"),
        failure: retried.and_then(|retried| attribute(retried, "name")),
        rationale: retried.and_then(text),
    }
}

fn idiom(element: ElementRef<'_, '_>) -> Option<IdiomVerdict> {
    let place = |at: ElementRef<'_, '_>| {
        Some(IdiomPlace {
            path: attribute(at, "path")?,
            line: attribute(at, "line")?.parse().ok()?,
            column: attribute(at, "column")?.parse().ok()?,
            new: true,
        })
    };
    Some(IdiomVerdict {
        kind: IdiomKind::named(&attribute(element, "kind")?)?,
        text: text(element).unwrap_or_default().trim().to_owned(),
        rule: attribute(element, "rule").filter(|rule| rule != "none"),
        verdict: IdiomStatus::named(&attribute(element, "verdict")?)?,
        places: element.children_named("place").filter_map(place).collect(),
        note: child(element, "note"),
        severity: attribute(element, "severity").and_then(|word| IdiomSeverity::named(&word)),
    })
}

fn export(element: ElementRef<'_, '_>) -> Option<ExportVerdict> {
    Some(ExportVerdict {
        path: attribute(element, "path")?,
        name: attribute(element, "name")?,
        verdict: ExportStatus::named(&attribute(element, "verdict")?)?,
    })
}

fn attribute(element: ElementRef<'_, '_>, name: &str) -> Option<String> {
    Some(element.attribute(name)?.into_owned())
}

fn child(element: ElementRef<'_, '_>, name: &str) -> Option<String> {
    text(element.child(name)?)
}

fn text(element: ElementRef<'_, '_>) -> Option<String> {
    Some(element.text()?.into_owned())
}
