//! Reads the `run` element: of a run whose directory is gone, as in a fresh clone.

use ftl_machine::StateName;
use ftl_model::{
    BaseCommit, DeltaPath, Diagnostic, ExportVerdict, IdiomPlace, IdiomVerdict, Severity, Tokens,
};
use ftl_xml::{ElementRef, HANDOFF};

use super::{evidence, verified};
use crate::project::WorkspaceFile;
use crate::result::{
    AccountSource, BlockResult, BuildResult, FileResult, ImplementerKind, ImplementerResult,
    OutcomeWord, PreflightResult, QualityResult, RetryResult, RunAccount, RunId, Spent, StateStep,
    Usage,
};

/// What a `run` element says. Whatever it lacks is empty: an older ftl may have written it.
pub(crate) fn account(run: ElementRef<'_, '_>, task: &WorkspaceFile) -> RunAccount {
    let number = run.parsed("number");
    let states = run.child_text("states").unwrap_or_default();
    let states: Vec<StateName> = states.split_whitespace().filter_map(StateName::named).collect();
    let step = |state: &StateName| StateStep { state: *state, at: None, duration_ms: None };
    RunAccount {
        number,
        version: run.string("version").unwrap_or_default(),
        began_at: run.string("began_at"),
        ended_at: run.string("ended_at"),
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
    Some(BaseCommit { commit: element.string("commit")?, branch: element.string("branch") })
}

fn implementer(element: ElementRef<'_, '_>) -> ImplementerResult {
    let kind = element.parsed("kind");
    let count = |name: &str| element.parsed(name);
    let tokens = Tokens {
        input: count("tokens_in"),
        cached: count("tokens_cached"),
        output: count("tokens_out"),
    };
    ImplementerResult {
        kind: kind.unwrap_or(ImplementerKind::Tree),
        name: element.string("name"),
        command: element.child_text("command"),
        worker: element.string("worker"),
        version: element.string("version"),
        model: element.string("model"),
        tokens: (tokens != Tokens::default()).then_some(tokens),
        cost_usd: element.parsed("cost_usd"),
        calls: count("calls"),
        said: element.child_text("said"),
    }
}

fn result(
    run: ElementRef<'_, '_>,
    task: &WorkspaceFile,
    number: Option<u64>,
    states: Vec<StateName>,
) -> BuildResult {
    let outcome = run.parsed("outcome");
    let outcome = outcome.unwrap_or(OutcomeWord::Unfinished);
    let calls = run.child("calls");
    let count = |name: &str| calls.and_then(|calls| calls.parsed(name));
    let paths = |name: &str| {
        let all = run.children_named(name);
        all.filter_map(|element| element.string("path")).collect()
    };
    let warnings = run.children_named("warning").filter_map(text).collect();
    let implementer = run.child("implementer").map(implementer).unwrap_or_default();
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
        delivered: run.child_text(HANDOFF).or_else(|| delivered(task, outcome)),
        block: block(run),
        files: run.children_named("file").filter_map(file).collect(),
        may_try_again: false,
        strays: paths("stray"),
        quarantine: run.child("quarantine").and_then(|at| at.string("path")),
        allowed: paths("allowed"),
        isolation: run.parsed("isolation"),
        base: run.child("base").and_then(base),
        duration_ms: duration(run),
        usage: Usage::of(implementer.tokens, implementer.cost_usd),
        implementer,
        scratch: Vec::new(),
        preflight: run.children_named("checked").filter_map(checked).collect(),
        verify: run.children_named("verified").map(verified::result).collect(),
        evidence: run.child("evidence").map(evidence::read).unwrap_or_default(),
        retry: retry(run),
        quality: QualityResult {
            enforced: true,
            idioms: run.children_named("idiom").filter_map(idiom).collect(),
            detected: run.child("detected").and_then(|it| it.string("framework")),
            exports: run.children_named("export").filter_map(export).collect(),
        },
        commit: None,
        utilized: Vec::new(),
        warnings,
        attempt: run.parsed("attempt").unwrap_or(1),
        earlier: Vec::new(),
        next: Vec::new(),
        then: None,
        problems: Vec::new(),
        source: Vec::new(),
        patches: 0,
        ways: Vec::new(),
    }
}

fn duration(run: ElementRef<'_, '_>) -> u64 {
    let [began, ended] = ["began_at", "ended_at"].map(|name| run.string(name).unwrap_or_default());
    crate::text::milliseconds(&began, &ended).unwrap_or_default()
}

/// What the document itself says was delivered: the run of a complete task does not repeat it.
fn delivered(task: &WorkspaceFile, outcome: OutcomeWord) -> Option<String> {
    if outcome != OutcomeWord::Complete {
        return None;
    }
    let bytes = crate::project::read(&task.path).ok()?;
    let document = ftl_xml::read(&bytes).ok()?;
    document.root().child_text("delivered")
}

fn block(run: ElementRef<'_, '_>) -> Option<BlockResult> {
    let block = run.child("block")?;
    let said = |name: &str| block.child_text(name).unwrap_or_default();
    let tried = said("tried");
    Some(BlockResult {
        kind: block.parsed("kind")?,
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
        path: DeltaPath::parse(&element.string("path")?).ok()?,
        change: element.parsed("change")?,
        sha256: element.parsed("sha256"),
        lines: None,
    })
}

fn checked(element: ElementRef<'_, '_>) -> Option<PreflightResult> {
    let found = element.children_named("diagnostic").map(|found| {
        let (line, column) =
            (found.parsed("line").unwrap_or(1), found.parsed("column").unwrap_or(1));
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
            checker: element.string("checker").unwrap_or_default(),
        }
    });
    Some(PreflightResult {
        path: element.string("subject")?,
        checker: element.string("checker").unwrap_or_default(),
        status: element.parsed("status")?,
        attempts: element.parsed("attempts").unwrap_or(0),
        diagnostics: found.collect(),
        reason: element.string("reason").or_else(|| printed(element)),
    })
}

/// What a command printed. Of a file the text is the space before its diagnostics.
fn printed(checked: ElementRef<'_, '_>) -> Option<String> {
    text(checked).filter(|text| !text.trim().is_empty())
}

fn retry(run: ElementRef<'_, '_>) -> RetryResult {
    let retried = run.child("retried");
    let count = |name: &str| retried.and_then(|retried| retried.parsed(name)).unwrap_or(0);
    RetryResult {
        count: count("count"),
        max: count("max"),
        failure: retried.and_then(|retried| retried.string("name")),
        rationale: retried.and_then(text),
    }
}

fn idiom(element: ElementRef<'_, '_>) -> Option<IdiomVerdict> {
    let place = |at: ElementRef<'_, '_>| {
        Some(IdiomPlace {
            path: at.string("path")?,
            line: at.parsed("line")?,
            column: at.parsed("column")?,
            new: true,
        })
    };
    Some(IdiomVerdict {
        kind: element.parsed("kind")?,
        text: text(element).unwrap_or_default().trim().to_owned(),
        rule: element.string("rule").filter(|rule| rule != "none"),
        verdict: element.parsed("verdict")?,
        places: element.children_named("place").filter_map(place).collect(),
        note: element.child_text("note"),
        severity: element.parsed("severity"),
    })
}

fn export(element: ElementRef<'_, '_>) -> Option<ExportVerdict> {
    Some(ExportVerdict {
        path: element.string("path")?,
        name: element.string("name")?,
        verdict: element.parsed("verdict")?,
    })
}

fn text(element: ElementRef<'_, '_>) -> Option<String> {
    Some(element.text()?.into_owned())
}
