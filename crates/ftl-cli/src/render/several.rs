//! Several tasks, for people: their order, the checks at the end, the tally.

use std::fmt::Write as _;

use ftl_engine::result::{CheckResult, Counts, DueCheck, LimitWord, OutcomeWord, ScheduleResult};
use ftl_engine::tasks::{Job, WaitsFor};
use ftl_model::WorkspaceId;
use ftl_text::terminal_text;

use super::outcome::Page;

/// The checks that were made.
pub(crate) fn checks(checks: &[CheckResult]) -> String {
    let (passed, failed): (Vec<&CheckResult>, Vec<_>) =
        checks.iter().partition(|check| check.passed);
    let passed = match passed.len() {
        0 => String::new(),
        1 => "1 check passed\n".to_owned(),
        count => format!("{count} checks passed\n"),
    };
    failed.into_iter().map(one).collect::<String>() + &passed
}

/// A check that failed.
fn one(check: &CheckResult) -> String {
    let mut page = Page::headed(OutcomeWord::Broken, &check.command);
    page.end_headline();
    page.put("tasks", &ids(&check.tasks));
    page.put("landed", &format!("{} since it last passed", ids(&check.landed_since)));
    page.put("ended", &ended(check));
    page.optional("error", check.error.as_deref());
    for failure in &check.failures {
        page.optional("failed", failure.test.as_deref());
    }
    page.optional("log", check.log.as_deref());
    page.text
}

/// What tasks wait for that are not begun, in a line: `waiting: 9 for a job, 014 for 003, 1 for its agent`.
pub(crate) fn waits(jobs: &[Job], waiting: &[(usize, WaitsFor)]) -> String {
    let seq = |task: usize| terminal_text(jobs[task].workspace.id().seq().as_bytes());
    let (mut for_job, mut for_agent, mut others) = (0, 0, Vec::new());
    for (task, waits) in waiting {
        match waits {
            WaitsFor::Job => for_job += 1,
            WaitsFor::Agent => for_agent += 1,
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
    if for_agent > 0 {
        parts.push(format!("{for_agent} for the agent"));
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
        let (tasks, landed) = (ids(&check.tasks), ids(&check.landed_since));
        let _ = writeln!(text, "check {state}: `{command}` of {tasks}; landed since: {landed}");
        if let Some(error) = check.failed.as_ref().and_then(|failed| failed.error.as_ref()) {
            let _ = writeln!(text, "  error: {}", terminal_text(error.as_bytes()));
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

/// The last line of a build of several workspaces.
pub(crate) fn tally(
    counts: &Counts,
    checks: Option<&[CheckResult]>,
    limit: Option<LimitWord>,
) -> String {
    let Counts { complete, planned, blocked, skipped, waiting, failed } = counts;
    let first = match planned {
        None => format!("{complete} complete"),
        Some(planned) => format!("{planned} planned"),
    };
    let waiting = if *waiting > 0 { format!("{waiting} waiting, ") } else { String::new() };
    let broken = checks.into_iter().flatten().filter(|check| !check.passed).count();
    let broken = match broken {
        0 => String::new(),
        1 => "; broken: 1 check failed".to_owned(),
        broken => format!("; broken: {broken} checks failed"),
    };
    let limit = limit.map_or_else(String::new, |limit| format!("; {}", limit.sentence()));
    format!(
        "{first}, {blocked} blocked, {skipped} skipped, {waiting}{failed} failed{broken}{limit}\n"
    )
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
