//! Several tasks, for people: their order, the checks at the end, the tally.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use ftl_engine::result::{CheckResult, Counts, DueCheck, LimitWord, OutcomeWord, ScheduleResult};
use ftl_engine::tasks::{Job, WaitsFor, clock_in};
use ftl_model::WorkspaceId;
use ftl_text::terminal_text;

use super::failures;
use super::outcome::Page;

/// Failures of a check that are listed.
const FAILURES: usize = 10;

/// The checks that failed: the command, its tasks, who may have broken it, what failed, and the first command that goes on.
pub(crate) fn checks(checks: &[CheckResult]) -> String {
    checks.iter().filter(|check| !check.passed).map(one).collect()
}

fn one(check: &CheckResult) -> String {
    let mut page =
        Page::headed(OutcomeWord::Broken, &format!("{}  {}", check.command, ended(check)));
    page.end_headline();
    page.put("tasks", &ids(&check.tasks));
    page.line("suspects", &ids(&check.suspects));
    let others = check.landed_since.iter().skip(check.suspects.len()).cloned();
    page.line("landed", &ids(&others.collect::<Vec<_>>()));
    let failures: Vec<String> = check
        .failures
        .iter()
        .filter(|failure| failure.test.is_some() || failure.path.is_some())
        .take(FAILURES)
        .flat_map(|failure| failures::one(failure, &page.here, failures::FEW))
        .collect();
    match failures.is_empty() {
        true => page.optional("error", check.error.as_deref()),
        false => page.line("failed", &failures.join("\n")),
    }
    page.optional("log", check.log.as_deref());
    for command in &check.next {
        page.line("next", command);
    }
    page.text
}

/// What tasks wait for that are not begun, in a line: `waiting: 9 for a job, 014 for 003, 1 for claude until 14:05`.
pub(crate) fn waits(jobs: &[Job], waiting: &[(usize, WaitsFor)], now: Duration) -> String {
    let seq = |task: usize| terminal_text(jobs[task].workspace.id().seq().as_bytes());
    let (mut for_job, mut for_agents, mut others) = (0, BTreeMap::new(), Vec::new());
    for (task, waits) in waiting {
        match waits {
            WaitsFor::Job => for_job += 1,
            WaitsFor::Agent { until, rung } => {
                *for_agents.entry((jobs[*task].agent_name(*rung), *until)).or_insert(0) += 1;
            }
            WaitsFor::Task(other) => others.push(format!("{} for {}", seq(*task), seq(*other))),
            WaitsFor::Files(other) => {
                others.push(format!("{} for a file of {}", seq(*task), seq(*other)));
            }
        }
    }
    let mut parts = Vec::new();
    if for_job > 0 {
        parts.push(format!("{for_job} for a job"));
    }
    for ((agent, until), count) in for_agents {
        let at = until.map(|until| clock_in(until.saturating_sub(now)));
        let at = at.map_or_else(String::new, |at| format!(" until {at}"));
        parts.push(format!("{count} for {agent}{at}"));
    }
    parts.extend(others);
    if parts.is_empty() { String::new() } else { format!("waiting: {}", parts.join(", ")) }
}

fn ended(check: &CheckResult) -> String {
    match (check.timed_out, check.exit, check.signal) {
        (true, ..) => "ran out of time".to_owned(),
        (false, Some(exit), _) => format!("exit {exit}"),
        (false, None, signal) => format!("signal {}", signal.unwrap_or_default()),
    }
}

/// The checks that `ftl status` lists.
pub(crate) fn due_checks(checks: &[DueCheck]) -> String {
    let mut text = String::new();
    for check in checks {
        let state = if check.failed.is_some() { "failed" } else { "due" };
        let command = terminal_text(check.command.as_bytes());
        let _ = write!(text, "check {state}: `{command}` of {}", ids(&check.tasks));
        if !check.landed_since.is_empty() {
            let _ = write!(text, "; landed since: {}", ids(&check.landed_since));
        }
        text.push('\n');
        if let Some(error) = check.failed.as_ref().and_then(|failed| failed.error.as_ref()) {
            let _ = writeln!(text, "  error: {}", terminal_text(error.as_bytes()));
        }
        if let Some(task) = check.tasks.first() {
            let _ = writeln!(text, "  next: ftl check {}", id(task));
        }
    }
    text
}

fn ids(ids: &[WorkspaceId]) -> String {
    let ids: Vec<String> = ids.iter().map(id).collect();
    ids.join(", ")
}

fn id(id: &WorkspaceId) -> String {
    terminal_text(id.as_str().as_bytes())
}

/// `17 complete, 8 blocked, 1 check failed`: how the tasks and checks of a command ended.
pub(crate) fn tally(
    counts: &Counts,
    checks: Option<&[CheckResult]>,
    limit: Option<LimitWord>,
) -> String {
    let Counts { complete, planned, blocked, skipped, waiting, failed } = counts;
    let count = |count: usize, word: &str| (count > 0).then(|| format!("{count} {word}"));
    let first = match planned {
        None => format!("{complete} complete"),
        Some(planned) => format!("{planned} planned"),
    };
    let more = [
        count(*blocked, "blocked"),
        count(*skipped, "skipped"),
        count(*waiting, "waiting"),
        count(*failed, "failed"),
        checks.filter(|checks| !checks.is_empty()).map(checked),
        limit.map(|limit| limit.sentence().to_owned()),
    ];
    std::iter::once(first).chain(more.into_iter().flatten()).collect::<Vec<_>>().join(", ")
}

/// `16 checks passed, 1 check failed`.
pub(crate) fn checked(checks: &[CheckResult]) -> String {
    let count = |passed: bool| {
        let count = checks.iter().filter(|check| check.passed == passed).count();
        let noun = if count == 1 { "check" } else { "checks" };
        let word = if passed { "passed" } else { "failed" };
        (count > 0).then(|| format!("{count} {noun} {word}"))
    };
    let counts: Vec<String> = [count(true), count(false)].into_iter().flatten().collect();
    if counts.is_empty() { "nothing to check".to_owned() } else { counts.join(", ") }
}

/// What a dry run of several tasks says of their order.
pub(crate) fn schedule(schedule: &ScheduleResult) -> String {
    let mut text = format!("order: {}\n", ids(&schedule.order));
    for (a, b) in &schedule.overlaps {
        let _ = writeln!(text, "overlap: {} and {}", id(a), id(b));
    }
    let most = schedule.most_at_once;
    let _ = writeln!(text, "at once: {most} at most");
    text
}
