//! What the runs of all tasks say together: how each day went, and which tests fail again and again.

use std::collections::{BTreeMap, BTreeSet};

use ftl_engine::result::{BuildResult, OutcomeWord, Usage};
use maud::{Markup, html};

use super::html::{Texts, name_of};
use super::{ReportedTask, table};
use crate::render::agent::dollars;
use crate::render::duration;

/// Days that are shown.
const DAYS: usize = 14;
/// Tests that are shown.
const TESTS: usize = 20;

/// The runs of a day.
#[derive(Debug, Default)]
struct Day {
    complete: usize,
    blocked: usize,
    duration_ms: u64,
    usage: Vec<Option<Usage>>,
}

/// How each of the last days went, where there are several.
pub(super) fn days(texts: &Texts, tasks: &[ReportedTask]) -> Markup {
    let mut days: BTreeMap<&str, Day> = BTreeMap::new();
    for run in tasks.iter().flat_map(|task| &task.runs) {
        let Some(date) = run.ended_at.as_deref().and_then(|at| at.get(..10)) else {
            continue;
        };
        let day = days.entry(date).or_default();
        match run.result.outcome {
            OutcomeWord::Complete => day.complete += 1,
            OutcomeWord::Blocked => day.blocked += 1,
            _ => {}
        }
        day.duration_ms += run.result.duration_ms;
        day.usage.push(run.result.usage);
    }
    if days.len() < 2 {
        return html! {};
    }
    let most = days.values().map(|day| day.complete + day.blocked).max().unwrap_or(1).max(1);
    let rows = html! {
        @for (date, day) in days.iter().rev().take(DAYS) {
            @let cost = Usage::sum(day.usage.iter().copied()).and_then(|usage| usage.cost);
            tr {
                td { (texts.safe(date)) }
                td .days {
                    i .complete style={ "width:" (day.complete * 100 / most) "%" } {}
                    i .blocked style={ "width:" (day.blocked * 100 / most) "%" } {}
                }
                td { (day.complete) " complete, " (day.blocked) " blocked" }
                td { (duration(day.duration_ms)) }
                td { (cost.map(dollars).unwrap_or_default()) }
            }
        }
    };
    html! {
        h2 { "Day by day" }
        (table(&["Day", "", "Runs", "Time", "Cost"], &rows))
    }
}

/// A test that failed.
#[derive(Debug, Default)]
struct FailedTest<'a> {
    runs: usize,
    tasks: BTreeSet<&'a str>,
    /// The task in which it passed later, with the same files.
    flaky_in: Option<&'a str>,
}

/// Tests that failed in several runs, or that failed and passed with the same files.
pub(super) fn tests(texts: &Texts, tasks: &[ReportedTask]) -> Markup {
    let mut tests: BTreeMap<&str, FailedTest<'_>> = BTreeMap::new();
    for task in tasks {
        let id = task.task.id.as_str();
        for (at, run) in task.runs.iter().enumerate() {
            let failed = failed_tests(&run.result);
            let passed_later = || {
                let later = task.runs[at + 1..].iter().map(|later| &later.result);
                later.filter(|later| have_same_files(&run.result, later)).any(passed)
            };
            let is_flaky = !failed.is_empty() && passed_later();
            for name in failed {
                let test = tests.entry(name).or_default();
                test.runs += 1;
                test.tasks.insert(id);
                test.flaky_in = test.flaky_in.or(is_flaky.then_some(id));
            }
        }
    }
    let mut shown: Vec<_> =
        tests.into_iter().filter(|(_, it)| it.runs > 1 || it.flaky_in.is_some()).collect();
    if shown.is_empty() {
        return html! {};
    }
    shown.sort_by_key(|(_, it)| (it.flaky_in.is_none(), std::cmp::Reverse(it.runs)));
    let rows = html! {
        @for (name, test) in shown.iter().take(TESTS) {
            tr {
                td { (texts.safe(name)) }
                td { (test.runs) }
                td {
                    @for task in &test.tasks { a href={ "#" (name_of(task)) } { (texts.safe(task)) } " " }
                }
                td .bad {
                    @if let Some(task) = test.flaky_in { "flaky: passed with the same files in " (texts.safe(task)) }
                }
            }
        }
    };
    html! {
        h2 { "Tests that fail again and again" }
        (table(&["Test", "Runs", "Tasks", ""], &rows))
    }
}

/// The tests that failed in the last verify of a run that was blocked.
fn failed_tests(result: &BuildResult) -> BTreeSet<&str> {
    let last = result.verify.last().filter(|verify| verify.exit != Some(0));
    let failures = last.into_iter().flat_map(|verify| &verify.failures);
    failures.filter_map(|failure| failure.test.as_deref()).collect()
}

fn passed(result: &BuildResult) -> bool {
    result.verify.last().is_some_and(|verify| verify.exit == Some(0))
}

fn have_same_files(one: &BuildResult, other: &BuildResult) -> bool {
    let files = |result: &BuildResult| -> BTreeMap<String, Option<String>> {
        let digest = |file: &ftl_engine::result::FileResult| {
            (file.path.to_string(), file.sha256.as_ref().map(ToString::to_string))
        };
        result.files.iter().map(digest).collect()
    };
    files(one) == files(other)
}
