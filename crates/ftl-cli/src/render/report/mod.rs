//! Tasks and their runs as one HTML page: an index with the dependencies as a drawing, then a section for each
//! task with its runs as tabs.
//!
//! The page has no script and loads nothing, and a policy in it forbids both. Tabs are
//! radio buttons, so that a keyboard and a screen reader work them.

mod graph;
mod html;
mod run;
mod slots;
mod trend;

use std::collections::BTreeMap;

use ftl_engine::result::{DueCheck, OutcomeWord, RunAccount, TaskHistory, Usage};
use ftl_model::{Status, WorkspaceId};
use ftl_text::Redactor;
use maud::{Markup, PreEscaped, html};

use self::html::{Texts, name_of};
use super::agent::dollars;
use super::duration;

/// A task and its runs.
#[derive(Debug)]
pub(crate) struct ReportedTask {
    pub(crate) task: TaskHistory,
    pub(crate) runs: Vec<RunAccount>,
    /// What its last agent printed and did, as text for people.
    pub(crate) transcript: String,
    /// A check at the end failed for it.
    pub(crate) is_broken: bool,
}

impl ReportedTask {
    /// Those that need the user come first, then those that are open, then what is done.
    fn rank(&self) -> u8 {
        match self.state().0 {
            "blocked" | "broken" => 0,
            "active" => 1,
            _ => 2,
        }
    }

    /// The commands that go on from its last run.
    fn next(&self) -> &[String] {
        self.runs.last().map(|run| run.result.next.as_slice()).unwrap_or_default()
    }

    /// Its state, and the class that colours it.
    fn state(&self) -> (&'static str, &'static str) {
        match self.is_broken {
            true => ("broken", "blocked"),
            false => (self.task.status.as_str(), self.task.status.as_str()),
        }
    }
}

const STYLE: &str = include_str!("page.css");
/// Bytes of outputs and diffs that a page shows of all tasks together.
const ROOM: usize = 3 << 20;
/// Those that one task has at least, and at most.
const LEAST: usize = 700;
const MOST: usize = 512 << 10;
/// Runs that have a tab.
const TABS: usize = 12;

/// What a browser may do with the page, should an escape ever fail.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The page of a project's tasks; `above` leads from its directory to the root, for links to files.
pub(crate) fn page(
    project: &str,
    at: &str,
    tasks: &[ReportedTask],
    checks: &[DueCheck],
    (redactor, above): (Redactor, &str),
) -> String {
    let texts = Texts { redactor, above: above.to_owned() };
    let title = format!("{}: tasks", texts.safe(project));
    let histories: Vec<&TaskHistory> = tasks.iter().map(|it| &it.task).collect();
    let mut sorted: Vec<&ReportedTask> = tasks.iter().collect();
    sorted.sort_by_key(|task| task.rank());
    let room = (ROOM / tasks.len().max(1)).clamp(LEAST, MOST);
    let page = html! {
        (PreEscaped("<!doctype html>"))
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(rules_of_tabs())) }
            }
            body {
                a .k href="#tasks" { "Skip to the tasks" }
                header {
                    h1 { (title) }
                    p { (counts(tasks)) " " span .dim { (texts.safe(at)) } }
                }
                main {
                    (tiles(tasks))
                    @if !checks.is_empty() { (due_checks(&texts, checks)) }
                    (index(&texts, &sorted))
                    (graph::draw(&texts, &histories))
                    (slots::draw(&texts, tasks))
                    (trend::tests(&texts, tasks))
                    (trend::days(&texts, tasks))
                    @for task in sorted {
                        (article(&texts, task, room))
                    }
                }
            }
        }
        "\n"
    };
    page.into_string()
}

/// The rules that show the section of the chosen tab.
fn rules_of_tabs() -> String {
    let of = |tab| format!(".t>input:nth-of-type({tab}):checked~section:nth-of-type({tab})");
    (1..=TABS).map(of).collect::<Vec<_>>().join(",") + "{display:block}"
}

fn counts(tasks: &[ReportedTask]) -> String {
    let count = |state: &str| tasks.iter().filter(|it| it.state().0 == state).count();
    let [active, complete, blocked, dropped] = Status::ALL.map(|status| count(status.as_str()));
    let some = |count: usize, word: &str| match count {
        0 => String::new(),
        count => format!(", {count} {word}"),
    };
    let (dropped, broken) = (some(dropped, "dropped"), some(count("broken"), "broken"));
    format!("{complete} complete{broken}, {blocked} blocked, {active} active{dropped}")
}

/// What all runs took and cost, and the blocked tasks by kind.
fn tiles(tasks: &[ReportedTask]) -> Markup {
    let runs = || tasks.iter().flat_map(|task| &task.runs).map(|run| &run.result);
    let usage = Usage::sum(runs().map(|run| run.usage)).unwrap_or_default();
    let mut tiles = vec![("time", duration(runs().map(|run| run.duration_ms).sum()))];
    tiles.extend(usage.cost.map(|cost| ("cost", dollars(cost))));
    tiles.extend(usage.tokens.map(|tokens| ("tokens", tokens.to_string())));
    let mut kinds: BTreeMap<&'static str, usize> = BTreeMap::new();
    for task in tasks.iter().filter(|task| task.task.status == Status::Blocked) {
        let block = task.runs.last().and_then(|run| run.result.block.as_ref());
        *kinds.entry(block.map_or("blocked", |block| block.kind.as_str())).or_default() += 1;
    }
    tiles.extend(kinds.into_iter().map(|(kind, count)| (kind, count.to_string())));
    html! {
        dl .tiles {
            @for (name, value) in tiles { div { dt { (name) } dd { (value) } } }
        }
    }
}

/// The verify commands that are to run once more.
fn due_checks(texts: &Texts, checks: &[DueCheck]) -> Markup {
    let ids = |ids: &[WorkspaceId]| {
        texts.safe(&ids.iter().map(WorkspaceId::as_str).collect::<Vec<_>>().join(", "))
    };
    let rows = html! {
        @for check in checks {
            tr {
                td { (texts.safe(&check.command)) }
                td { (ids(&check.tasks)) }
                td { (ids(&check.landed_since)) }
                @match &check.failed {
                    None => td { "not checked yet" },
                    Some(failed) => td .blocked {
                        "failed: " (texts.safe(failed.error.as_deref().unwrap_or_default()))
                    },
                }
            }
        }
    };
    html! {
        h2 { "Checks that are due" }
        (table(&["Verify", "Tasks", "Landed since", "Last"], &rows))
    }
}

fn table(titles: &[&str], rows: &Markup) -> Markup {
    html! {
        div .w tabindex="0" {
            table .i {
                thead { tr { @for title in titles { th scope="col" { (title) } } } }
                tbody { (rows) }
            }
        }
    }
}

fn index(texts: &Texts, tasks: &[&ReportedTask]) -> Markup {
    let rows = html! {
        @for task in tasks { (row(texts, task)) }
    };
    html! {
        h2 #tasks { "Tasks" }
        (table(&["Task", "State", "Runs", "Depends on", "Objective"], &rows))
    }
}

fn row(texts: &Texts, reported: &ReportedTask) -> Markup {
    let (task, (state, class)) = (&reported.task, reported.state());
    let last = reported.runs.last().map(|run| &run.result);
    let mark = |run: &RunAccount| match run.result.outcome {
        OutcomeWord::Complete => '✓',
        OutcomeWord::Blocked => '✗',
        _ => '·',
    };
    let depends: Vec<&str> = task.depends.iter().map(ftl_model::Seq::as_str).collect();
    let objective = task.objective.trim().lines().next().unwrap_or_default();
    html! {
        tr {
            td { a href={ "#" (name_of(task.id.as_str())) } { (texts.safe(task.id.as_str())) } }
            td class=(class) {
                (state)
                @if let Some(block) = last.and_then(|run| run.block.as_ref()) {
                    ": " (block.kind)
                }
            }
            td { (reported.runs.iter().map(mark).collect::<String>()) }
            td { (texts.safe(&depends.join(", "))) }
            td { (texts.safe(&ftl_text::shortened(objective, 160))) }
        }
    }
}

fn article(texts: &Texts, reported: &ReportedTask, room: usize) -> Markup {
    let (ReportedTask { task, runs, .. }, (state, class)) = (reported, reported.state());
    let name = name_of(task.id.as_str());
    // The newest runs, where there are more than there are tabs.
    let shown = &runs[runs.len().saturating_sub(TABS)..];
    let next = reported.next();
    html! {
        article id=(name) {
            details open[reported.rank() < 2] {
                summary {
                    h2 {
                        (texts.safe(task.id.as_str())) " "
                        span class={ "b " (class) } { (state) }
                    }
                }
                @if !next.is_empty() {
                    h3 { "Next" }
                    @for command in next { pre .next { (texts.safe(command)) } }
                }
                dl {
                    (texts.fact("objective", &task.objective))
                    (texts.fact("delta", &task.delta.join("\n")))
                    (texts.fact("verify", &task.verify))
                    (texts.fact("file", &task.workspace))
                }
                @match shown {
                    [] => p .dim { "It was not built." },
                    [only] => (run::markup(texts, only, room)),
                    several => (tabs(texts, &name, several, room / several.len())),
                }
                (transcript(texts, &reported.transcript, room))
            }
        }
    }
}

/// The end of what the last agent printed and did.
fn transcript(texts: &Texts, text: &str, room: usize) -> Markup {
    let from = text.len().saturating_sub(room);
    let from = (from..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    html! {
        @if !text.is_empty() {
            details {
                summary { "Transcript of the last run" }
                @if from > 0 { p .dim { "Its end; " code { "ftl show --log" } " prints all of it." } }
                pre tabindex="0" { (texts.safe(&text[from..])) }
            }
        }
    }
}

fn tabs(texts: &Texts, name: &str, runs: &[RunAccount], room: usize) -> Markup {
    html! {
        div .t role="group" aria-label="Runs" {
            @for (index, account) in runs.iter().enumerate() {
                @let id = format!("{name}-{index}");
                input type="radio" name=(name) id=(id) checked[index + 1 == runs.len()];
                label for=(id) { (texts.safe(&title(account))) }
            }
            @for account in runs {
                section { (run::markup(texts, account, room)) }
            }
        }
    }
}

/// `run 2: blocked`.
fn title(account: &RunAccount) -> String {
    let outcome: OutcomeWord = account.result.outcome;
    match account.number {
        Some(number) => format!("run {number}: {outcome}"),
        None => format!("sealed manually: {outcome}"),
    }
}
