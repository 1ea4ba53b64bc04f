//! A run on the page: its verdict, the states, each file with its diff and what was found beside the line, the
//! outputs of its verify with the line that was quoted, strays, and what it used.

use std::collections::BTreeMap;

use ftl_engine::result::{
    BlockResult, BuildResult, FileResult, RunAccount, StateStep, VerifyResult,
};
use ftl_model::{CheckStatus, ExportStatus, IdiomStatus};
use ftl_text::one_line;
use maud::{Markup, html};

use super::html::Texts;
use crate::paths::Here;
use crate::render::diff::{self, FileDiff, Line};
use crate::render::history::base;
use crate::render::{agent, duration, failures};

/// What was found at lines of files: by path and line.
type Notes = BTreeMap<(String, u64), Vec<String>>;

/// A run, with at most `room` bytes of diffs and outputs.
pub(super) fn markup(texts: &Texts, run: &RunAccount, mut room: usize) -> Markup {
    let result = &run.result;
    let used = result.utilized.iter().map(|used| format!("{} ({})", used.name, used.kind));
    html! {
        (facts(texts, run))
        @if let Some(block) = &result.block { (handoff(texts, block)) }
        (timeline(&run.timeline))
        (files(texts, run, &mut room))
        (list(texts, "Checks", &checks(result)))
        @for verify in &result.verify {
            (verified(texts, verify, result, &mut room))
        }
        (list(texts, "Outside the delta", &result.strays))
        @if let Some(place) = &result.quarantine {
            p { "They are in " code { (texts.safe(place)) } }
        }
        (list(texts, "Changed outside the delta, as allowed", &result.allowed))
        (list(texts, "Knowledge that was used", &used.collect::<Vec<_>>()))
        (list(texts, "Warnings", &result.warnings))
        @if !run.logs.is_empty() {
            h3 { "Logs" }
            ul { @for log in &run.logs { li { (texts.link(&log.path)) } } }
        }
    }
}

fn facts(texts: &Texts, run: &RunAccount) -> Markup {
    let result = &run.result;
    let by = run.implementer.as_ref().map_or_else(String::new, |who| {
        let words = [Some(&who.kind), who.name.as_ref(), who.command.as_ref()];
        words.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(": ")
    });
    let took: Option<u64> = run.timeline.iter().map(|step| step.duration_ms).sum();
    let took = took.filter(|_| !run.timeline.is_empty());
    let took = took.map_or_else(String::new, |took| format!(", took {}", duration(took)));
    let began = run.began_at.as_deref().or(run.ended_at.as_deref()).unwrap_or_default();
    let budget = result.budget.total.map(|total| format!("{} of {total}", result.budget.used));
    let isolation = result.isolation.map(|level| level.to_string());
    let delivered = result.delivered.as_deref().filter(|_| result.block.is_none());
    html! {
        dl {
            dt { "outcome" }
            dd class={ "b " (result.outcome) } {
                (result.outcome)
                @if let Some(block) = &result.block { ": " (block.kind) }
            }
            (texts.fact("by", &by))
            (texts.fact("agent", &agent::summary(&result.implementer)))
            (texts.fact("base", &base(result)))
            (texts.fact("began", &format!("{began}{took}")))
            (texts.fact("budget", &budget.unwrap_or_default()))
            (texts.fact("isolation", &isolation.unwrap_or_default()))
            (texts.fact("retry", result.retry.rationale.as_deref().unwrap_or_default()))
            (texts.fact("delivered", delivered.unwrap_or_default()))
        }
    }
}

fn handoff(texts: &Texts, block: &BlockResult) -> Markup {
    html! {
        h3 { "Why it is blocked" }
        dl {
            (texts.fact("error", &block.error))
            (texts.fact("tried", &block.tried.join("\n")))
            (texts.fact("near", &block.near.join("\n")))
            (texts.fact("unknown", &block.unknown))
            (texts.fact("find out", &block.discovery))
            (texts.fact("reproduce", &block.reproduce))
            (texts.fact("said", &block.last_lines.join("\n")))
        }
    }
}

fn timeline(steps: &[StateStep]) -> Markup {
    let total: u64 = steps.iter().filter_map(|step| step.duration_ms).sum();
    html! {
        h3 { "States" }
        ol .s {
            @for step in steps {
                li {
                    span { (step.state.as_str()) }
                    @if let Some(took) = step.duration_ms {
                        span { (duration(took)) }
                        @let share = (took * 100).checked_div(total).unwrap_or(0);
                        i style={ "width:" (share) "%" } {}
                    }
                }
            }
        }
    }
}

/// Each file with its verdicts, its diff, and what was found at its lines.
fn files(texts: &Texts, run: &RunAccount, room: &mut usize) -> Markup {
    let result = &run.result;
    let diffs = diff::files(run.diff.as_deref().unwrap_or_default());
    let notes = notes(result);
    html! {
        @if !result.files.is_empty() { h3 { "Files" } }
        @for file in &result.files {
            @let diff = diffs.iter().find(|diff| diff.path == file.path.as_str());
            details open {
                summary {
                    (file.change) " " code { (texts.safe(file.path.as_str())) }
                    @if let Some(diff) = diff { " +" (diff.added) " −" (diff.removed) }
                }
                (verdicts(texts, result, file))
                @if let Some(diff) = diff { (lines(texts, diff, &notes, room)) }
            }
        }
    }
}

fn notes(result: &BuildResult) -> Notes {
    let mut notes = Notes::new();
    for check in &result.preflight {
        for found in &check.diagnostics {
            let at = (check.path.clone(), found.line);
            notes.entry(at).or_default().push(format!("syntax: {}", found.message));
        }
    }
    for idiom in &result.quality.idioms {
        for place in &idiom.places {
            let note = format!("idiom, {}: {}", idiom.verdict, idiom.text);
            let at = (place.path.clone(), place.line);
            notes.entry(at).or_default().push(note);
        }
    }
    notes
}

/// What was found in the file as a whole.
fn verdicts(texts: &Texts, result: &BuildResult, file: &FileResult) -> Markup {
    let path = file.path.as_str();
    let exports = result.quality.exports.iter().filter(|export| export.path == path);
    let (kept, others): (Vec<_>, Vec<_>) =
        exports.partition(|export| export.verdict == ExportStatus::Kept);
    let mut exports: Vec<String> =
        others.iter().map(|export| format!("{} {}", export.verdict, export.name)).collect();
    if !kept.is_empty() {
        exports.push(format!("{} kept", kept.len()));
    }
    html! {
        dl {
            @for check in result.preflight.iter().filter(|check| check.path == path) {
                @let reason = check.reason.as_deref().map(|reason| format!(": {reason}"));
                @let verdict = format!("{} ({})", check.status, check.checker);
                (texts.fact("syntax", &(verdict + &reason.unwrap_or_default())))
            }
            (texts.fact("exports", &exports.join(", ")))
        }
    }
}

/// Bytes of a line of a diff beside its text.
const MARKUP_OF_LINE: usize = 60;

fn lines(texts: &Texts, diff: &FileDiff<'_>, notes: &Notes, room: &mut usize) -> Markup {
    let cost = |line: &Line<'_>| text_of(line).len() + MARKUP_OF_LINE;
    let fitting = diff.lines.iter().take_while(|line| {
        let left = room.checked_sub(cost(line));
        *room = left.unwrap_or(*room);
        left.is_some()
    });
    let fitting = fitting.count();
    html! {
        div .w tabindex="0" {
            table .d {
                @for line in &diff.lines[..fitting] {
                    (row(texts, diff.path, line, notes))
                }
                @if fitting < diff.lines.len() {
                    tr .h {
                        td {}
                        td {
                            (diff.lines.len() - fitting)
                            " more lines, which " code { "ftl show --diff" } " shows"
                        }
                    }
                }
            }
        }
    }
}

fn text_of<'l>(line: &Line<'l>) -> &'l str {
    match line {
        Line::Hunk(text) | Line::Note(text) | Line::Added(_, text) => text,
        Line::Removed(_, text) | Line::Kept(_, _, text) => text,
    }
}

/// A line of a diff, and below it what was found there.
fn row(texts: &Texts, path: &str, line: &Line<'_>, notes: &Notes) -> Markup {
    let (class, number, sign) = match line {
        Line::Hunk(_) | Line::Note(_) => (Some("h"), None, ""),
        Line::Added(at, _) => (Some("p"), Some(*at), "+"),
        Line::Removed(at, _) => (Some("m"), Some(*at), "−"),
        Line::Kept(_, at, _) => (None, Some(*at), " "),
    };
    let is_old = matches!(line, Line::Removed(..));
    let at = number.filter(|_| !is_old).map(|at| (path.to_owned(), at));
    html! {
        tr class=[class] {
            td { @if let Some(number) = number { (number) } }
            td { (sign) (texts.safe(text_of(line))) }
        }
        @for note in at.and_then(|at| notes.get(&at)).into_iter().flatten() {
            tr .n { td { "↑" } td { (texts.safe(note)) } }
        }
    }
}

/// Checks that found something, or of commands, and idioms.
fn checks(result: &BuildResult) -> Vec<String> {
    let doubtful = result
        .preflight
        .iter()
        .filter(|check| check.status != CheckStatus::Valid || check.checker == "command");
    let files = doubtful.map(|check| {
        let mut line = format!("{}: {}", check.path, check.status);
        for found in &check.diagnostics {
            line.push_str(&format!("\n{}:{}: {}", found.line, found.column, found.message));
        }
        line
    });
    let idioms = result.quality.idioms.iter().map(|idiom| {
        let note = idiom.note.as_deref().filter(|_| idiom.verdict != IdiomStatus::Satisfied);
        let note = note.map(|note| format!(" ({note})")).unwrap_or_default();
        format!("{} idiom, {}: {}{note}", idiom.kind, idiom.verdict, idiom.text)
    });
    files.chain(idioms).collect()
}

fn verified(
    texts: &Texts,
    verify: &VerifyResult,
    result: &BuildResult,
    room: &mut usize,
) -> Markup {
    let end = match (verify.timed_out, verify.exit, verify.signal) {
        (true, ..) => "ran out of time".to_owned(),
        (false, Some(exit), _) => format!("exit {exit}"),
        (false, None, signal) => format!("signal {}", signal.unwrap_or_default()),
    };
    let failed: Vec<String> = verify
        .failures
        .iter()
        .map(|it| failures::one(it, &Here::default(), failures::LINES).join("\n"))
        .collect();
    let is_shown = !verify.output.trim().is_empty();
    html! {
        h3 { "Verify" }
        p {
            code { (texts.safe(&verify.command)) } " " (end) ", " (duration(verify.duration_ms))
            @for finding in &verify.findings { ", " span .bad { (finding.as_str()) } }
        }
        (list(texts, "Failed", &failed))
        @if verify.more_failures > 0 { p .dim { "and " (verify.more_failures) " more" } }
        @if is_shown {
            details open[verify.exit != Some(0)] {
                summary { "Output" }
                pre tabindex="0" { (output(texts, verify, result, room)) }
            }
        }
    }
}

/// The last lines of an output; of a failed command, the line that the block quotes is marked.
fn output(texts: &Texts, verify: &VerifyResult, result: &BuildResult, room: &mut usize) -> Markup {
    let error = result.block.as_ref().filter(|_| verify.exit != Some(0));
    let lines = ends(&verify.output, room);
    let quoted =
        error.and_then(|block| lines.iter().position(|line| is_quoted(line, &block.error)));
    html! {
        @for (index, line) in lines.iter().enumerate() {
            @if quoted == Some(index) { mark { (texts.safe(line)) } }
            @else { (texts.safe(line)) "\n" }
        }
    }
}

/// Whether the line is the one that the block quotes.
fn is_quoted(line: &str, error: &str) -> bool {
    let line = one_line(line);
    !error.is_empty() && (line == error || (line.len() > 8 && error.contains(line.as_str())))
}

/// The lines of an output; of one that there is no room for, the last ones.
fn ends(output: &str, room: &mut usize) -> Vec<String> {
    let lines: Vec<&str> = output.lines().collect();
    let mut kept = Vec::new();
    for line in lines.iter().rev() {
        let Some(left) = room.checked_sub(line.len() + 1) else {
            break;
        };
        *room = left;
        kept.push((*line).to_owned());
    }
    if kept.len() < lines.len() {
        let gone = lines.len() - kept.len();
        kept.push(format!("… {gone} lines, which `ftl show --log` shows …"));
    }
    kept.reverse();
    kept
}

fn list(texts: &Texts, title: &str, items: &[String]) -> Markup {
    const SHOWN: usize = 200;
    html! {
        @if !items.is_empty() {
            h3 { (title) }
            ul {
                @for item in items.iter().take(SHOWN) {
                    li { (texts.safe(&ftl_text::shortened(item, 2000))) }
                }
                @if items.len() > SHOWN { li .dim { (items.len() - SHOWN) " more" } }
            }
        }
    }
}
