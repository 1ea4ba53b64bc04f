//! What became of tasks, as one HTML page: an index with the dependencies as a drawing, then a section for each
//! task with its runs as tabs.
//!
//! The page holds no script and loads nothing; a policy in it forbids both, should an escape ever fail. Tabs are
//! radio buttons, so that a keyboard and a screen reader work them.

mod graph;
mod html;
mod run;

use ftl_engine::result::{DueCheck, OutcomeWord, RunAccount, TaskHistory};
use ftl_model::{Status, WorkspaceId};
use ftl_text::Redactor;

use self::html::Html;

/// A task and its runs.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) task: TaskHistory,
    pub(crate) runs: Vec<RunAccount>,
}

const STYLE: &str = include_str!("page.css");
/// Bytes of outputs and diffs that a page shows of all tasks together.
const ROOM: usize = 3 << 20;
/// Those that one task has at least, and at most.
const LEAST: usize = 700;
const MOST: usize = 512 << 10;
/// Runs that have a tab.
const TABS: usize = 12;

/// The page of a project's tasks.
pub(crate) fn page(
    project: &str,
    at: &str,
    told: &[Told],
    checks: &[DueCheck],
    redactor: Redactor,
) -> String {
    let mut html = Html::new(redactor);
    html.raw(
        "<!doctype html><html lang=en><head><meta charset=utf-8>\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\
         <meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\"><title>",
    );
    html.text(project).raw(": tasks</title><style>").raw(STYLE);
    for tab in 1..=TABS {
        let rule = format!(".t>input:nth-of-type({tab}):checked~section:nth-of-type({tab})");
        html.raw(&rule).raw(if tab < TABS { "," } else { "{display:block}" });
    }
    html.raw("</style></head><body><a class=k href=#tasks>Skip to the tasks</a><header><h1>");
    html.text(project).raw(": tasks</h1><p>");
    tally(&mut html, told);
    html.raw(" <span class=dim>").text(at).raw("</span></p></header><main>");
    due_checks(&mut html, checks);
    index(&mut html, told);
    let tasks: Vec<&TaskHistory> = told.iter().map(|told| &told.task).collect();
    graph::draw(&mut html, &tasks);
    let room = (ROOM / told.len().max(1)).clamp(LEAST, MOST);
    for told in told {
        task(&mut html, told, room);
    }
    html.raw("</main></body></html>\n");
    html.finish()
}

fn tally(html: &mut Html, told: &[Told]) {
    let count = |status| told.iter().filter(|told| told.task.status == status).count();
    let [active, complete, blocked, dropped] = Status::ALL.map(count);
    html.number(complete).raw(" complete, ").number(blocked);
    html.raw(" blocked, ").number(active).raw(" active");
    if dropped > 0 {
        html.raw(", ").number(dropped).raw(" dropped");
    }
}

/// The verify commands that are to run once more, where there are some.
fn due_checks(html: &mut Html, checks: &[DueCheck]) {
    if checks.is_empty() {
        return;
    }
    html.raw("<h2>Checks that are due</h2><div class=w tabindex=0><table class=i><thead><tr><th scope=col>Verify<th scope=col>Tasks<th scope=col>Landed since<th scope=col>Last</thead><tbody>");
    for check in checks {
        let ids = |ids: &[WorkspaceId]| {
            ids.iter().map(WorkspaceId::as_str).collect::<Vec<_>>().join(", ")
        };
        html.raw("<tr><td>").text(&check.command);
        html.raw("<td>").text(&ids(&check.tasks)).raw("<td>").text(&ids(&check.landed_since));
        match &check.failed {
            None => html.raw("<td>not checked yet"),
            Some(failed) => html
                .raw("<td class=blocked>failed: ")
                .text(failed.error.as_deref().unwrap_or_default()),
        };
    }
    html.raw("</tbody></table></div>");
}

fn index(html: &mut Html, told: &[Told]) {
    html.raw("<h2 id=tasks>Tasks</h2><div class=w tabindex=0><table class=i><thead><tr><th scope=col>Task<th scope=col>State<th scope=col>Budget<th scope=col>Depends on<th scope=col>Objective</thead><tbody>");
    for Told { task, runs } in told {
        let last = runs.last();
        html.raw("<tr><td><a href=\"#").raw(&Html::name_of(task.id.as_str()));
        html.raw("\">").text(task.id.as_str()).raw("</a><td class=");
        html.raw(task.status.as_str()).raw(">").raw(task.status.as_str());
        if let Some(block) = last.and_then(|run| run.result.block.as_ref()) {
            html.raw(": ").raw(block.kind.as_str());
        }
        html.raw("<td>");
        if let Some(budget) = last.map(|run| &run.result.budget) {
            html.number(budget.used);
            if let Some(total) = budget.total {
                html.raw("/").number(total);
            }
        }
        let depends: Vec<&str> = task.depends.iter().map(ftl_model::Seq::as_str).collect();
        html.raw("<td>").text(&depends.join(", ")).raw("<td>");
        let line = task.objective.trim().lines().next().unwrap_or_default();
        html.text(&ftl_text::shortened(line, 160));
    }
    html.raw("</tbody></table></div>");
}

fn task(html: &mut Html, told: &Told, room: usize) {
    let Told { task, runs } = told;
    let name = Html::name_of(task.id.as_str());
    html.raw("<article id=\"").raw(&name).raw("\"><h2>").text(task.id.as_str());
    html.raw(" <span class=\"b ").raw(task.status.as_str()).raw("\">");
    html.raw(task.status.as_str()).raw("</span></h2><dl>");
    html.fact("objective", &task.objective);
    html.fact("delta", &task.delta.join("\n"));
    html.fact("verify", &task.verify);
    html.fact("file", &task.workspace);
    html.raw("</dl>");
    // The newest runs, where there are more than there are tabs.
    let shown = &runs[runs.len().saturating_sub(TABS)..];
    match shown {
        [] => {
            html.raw("<p class=dim>Nobody has built it.</p>");
        }
        [only] => run::write(html, only, room),
        several => tabs(html, &name, several, room / several.len()),
    }
    html.raw("</article>");
}

fn tabs(html: &mut Html, name: &str, runs: &[RunAccount], room: usize) {
    html.raw("<div class=t role=group aria-label=Runs>");
    for (index, account) in runs.iter().enumerate() {
        let id = format!("{name}-{index}");
        html.raw("<input type=radio name=\"").raw(name).raw("\" id=\"").raw(&id).raw("\"");
        html.raw(if index + 1 == runs.len() { " checked" } else { "" });
        html.raw("><label for=\"").raw(&id).raw("\">").text(&title(account)).raw("</label>");
    }
    for account in runs {
        html.raw("<section>");
        run::write(html, account, room);
        html.raw("</section>");
    }
    html.raw("</div>");
}

/// `run 2: blocked`.
fn title(account: &RunAccount) -> String {
    let outcome: OutcomeWord = account.result.outcome;
    match account.number {
        Some(number) => format!("run {number}: {outcome}"),
        None => format!("by hand: {outcome}"),
    }
}
