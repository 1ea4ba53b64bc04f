//! The runs of the last command that built tasks side by side, as a drawing: a row for each slot, time from left to right.

use std::collections::BTreeMap;

use ftl_engine::result::{OutcomeWord, RunAccount};
use ftl_machine::StateName;
use jiff::Timestamp;
use maud::{Markup, html};

use super::ReportedTask;
use super::html::{Texts, name_of};
use crate::render::duration;

/// Columns of the drawing, beside the labels; and rows of a slot.
const ACROSS: i64 = 1000;
const LABEL: i64 = 60;
const DOWN: i64 = 34;
/// Milliseconds without any run after which runs are those of another command.
const PAUSE: i64 = 60_000;
/// Columns of a number.
const NUMBER: i64 = 30;

/// A run in a slot; times in milliseconds since the epoch.
struct Bar<'t> {
    id: &'t str,
    seq: &'t str,
    outcome: OutcomeWord,
    begin: i64,
    end: i64,
    parts: Vec<Part>,
}

/// What a run did for some time.
struct Part {
    /// A class of the style sheet.
    class: &'static str,
    what: String,
    begin: i64,
    end: i64,
}

/// The drawing; empty where no run had a slot.
pub(super) fn draw(texts: &Texts, tasks: &[ReportedTask]) -> Markup {
    let slots = last_command(tasks);
    let all = || slots.values().flatten();
    let (Some(begin), Some(end)) =
        (all().map(|bar| bar.begin).min(), all().map(|bar| bar.end).max())
    else {
        return Markup::default();
    };
    let span = (end - begin).max(1);
    let x = |at: i64| LABEL + (at - begin) * ACROSS / span;
    let took = duration(u64::try_from(span).unwrap_or_default());
    let rows = i64::try_from(slots.len()).unwrap_or_default();
    html! {
        h2 #slots { "Side by side" }
        p .dim { "The last command took " (took) ": "
            span .work { "agents at work" } ", " span .wait { "waiting to land" } ", "
            span .verify { "verify" } "." }
        div .w tabindex="0" {
            svg .l role="img" aria-label="Runs in their slots" width=(LABEL + ACROSS + 1) height=(rows * DOWN) {
                @for (row, (slot, bars)) in (0_i64..).zip(&slots) {
                    text x="0" y=(row * DOWN + 20) { "slot " (slot) }
                    @for bar in bars {
                        a class=(bar.outcome) href={ "#" (name_of(bar.id)) } {
                            rect x=(x(bar.begin)) y=(row * DOWN + 2) height="28"
                                width=((x(bar.end) - x(bar.begin)).max(2)) {
                                title { (texts.safe(bar.id)) ": " (bar.outcome) }
                            }
                            @for part in &bar.parts {
                                rect class=(part.class) x=(x(part.begin)) y=(row * DOWN + 3) height="26"
                                    width=((x(part.end) - x(part.begin)).max(1)) {
                                    title { (texts.safe(bar.id)) ": " (part.what) }
                                }
                            }
                            @if x(bar.end) - x(bar.begin) > NUMBER {
                                text x=(x(bar.begin) + 4) y=(row * DOWN + 20) { (texts.safe(bar.seq)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The runs of the last command, by their slots.
fn last_command(tasks: &[ReportedTask]) -> BTreeMap<u32, Vec<Bar<'_>>> {
    let runs = tasks.iter().flat_map(|task| task.runs.iter().map(move |run| (task, run)));
    let mut bars: Vec<(u32, Bar<'_>)> =
        runs.filter_map(|(task, run)| Some((run.slot?, bar(task, run)?))).collect();
    bars.sort_by_key(|(_, bar)| std::cmp::Reverse(bar.end));
    let mut first = bars.first().map_or(0, |(_, bar)| bar.begin);
    let mut slots: BTreeMap<u32, Vec<Bar<'_>>> = BTreeMap::new();
    for (slot, bar) in bars {
        if bar.end + PAUSE < first {
            break;
        }
        first = first.min(bar.begin);
        slots.entry(slot).or_default().push(bar);
    }
    slots
}

fn bar<'t>(task: &'t ReportedTask, run: &'t RunAccount) -> Option<Bar<'t>> {
    let mut verifies = run.result.verify.iter();
    let mut parts = Vec::new();
    let (mut begin, mut end) = (None, 0);
    for step in &run.timeline {
        let at: Timestamp = step.at.as_deref()?.parse().ok()?;
        let at = at.as_millisecond();
        begin.get_or_insert(at);
        end = at + i64::try_from(step.duration_ms.unwrap_or_default()).unwrap_or_default();
        let took = duration(step.duration_ms.unwrap_or_default());
        let part = |class, what: &str, begin| {
            let what = format!("{what} {took}");
            Part { class, what, begin, end }
        };
        match step.state {
            StateName::Implement | StateName::Retry | StateName::Preflight => {
                parts.push(part("work", step.state.as_str(), at));
            }
            StateName::Verify => {
                parts.push(part("wait", "VERIFY, with its turn to land,", at));
                let took = verifies.next().map_or(0, |verify| verify.duration_ms);
                let began = (end - i64::try_from(took).unwrap_or_default()).max(at);
                parts.push(part("verify", "VERIFY, with its turn to land,", began));
            }
            StateName::Read
            | StateName::Plan
            | StateName::ReadTests
            | StateName::Quality
            | StateName::Complete
            | StateName::Block => {}
        }
    }
    let (id, outcome) = (task.task.id.as_str(), run.result.outcome);
    Some(Bar { id, seq: task.task.id.seq(), outcome, begin: begin?, end, parts })
}
