//! A run on the page: its verdict, the states, each file with its diff and what was found beside the line, the
//! outputs of its verify with the line that was quoted, strays, and what it used.

use std::collections::BTreeMap;

use ftl_engine::result::{
    BlockResult, BuildResult, FileResult, RunAccount, StateStep, VerifyResult,
};
use ftl_model::{CheckStatus, ExportStatus, IdiomStatus};
use ftl_text::one_line;

use super::html::Html;
use crate::render::diff::{self, FileDiff, Line};
use crate::render::history::base;
use crate::render::{duration, failures};

/// What was found at lines of files: by path and line.
type Notes = BTreeMap<(String, u64), Vec<String>>;

/// Writes a run, with so many bytes of diffs and outputs at most.
pub(super) fn write(html: &mut Html, run: &RunAccount, mut room: usize) {
    let result = &run.result;
    facts(html, run);
    if let Some(block) = &result.block {
        handoff(html, block);
    }
    timeline(html, &run.timeline);
    files(html, run, &mut room);
    checks(html, result);
    for verify in &result.verify {
        verified(html, verify, result, &mut room);
    }
    list(html, "Outside the delta", &result.strays);
    if let Some(place) = &result.quarantine {
        html.raw("<p>They lie in ").element("<code>", place).raw("</p>");
    }
    list(html, "Changed outside the delta, as allowed", &result.allowed);
    let used: Vec<String> =
        result.utilized.iter().map(|used| format!("{} ({})", used.name, used.kind)).collect();
    list(html, "Knowledge that was used", &used);
    list(html, "Warnings", &result.warnings);
    let logs: Vec<String> = run.logs.iter().map(|log| log.path.clone()).collect();
    list(html, "Logs", &logs);
}

fn facts(html: &mut Html, run: &RunAccount) {
    let result = &run.result;
    html.raw("<dl><dt>outcome<dd class=\"b ").raw(result.outcome.as_str()).raw("\">");
    html.raw(result.outcome.as_str());
    if let Some(block) = &result.block {
        html.raw(": ").raw(block.kind.as_str());
    }
    if let Some(who) = &run.implementer {
        let words = [Some(&who.kind), who.name.as_ref(), who.command.as_ref()];
        let words: Vec<&str> = words.into_iter().flatten().map(String::as_str).collect();
        html.fact("by", &words.join(": "));
    }
    html.fact("base", &base(result));
    let took: Option<u64> = run.timeline.iter().map(|step| step.duration_ms).sum();
    let took = took.filter(|_| !run.timeline.is_empty());
    let began = run.began_at.as_deref().or(run.ended_at.as_deref()).unwrap_or_default();
    html.fact(
        "began",
        &match took {
            Some(took) => format!("{began}, took {}", duration(took)),
            None => began.to_owned(),
        },
    );
    if let Some(total) = result.budget.total {
        html.fact("budget", &format!("{} of {total}", result.budget.used));
    }
    let isolation = result.isolation.map(|level| level.to_string());
    html.fact("isolation", &isolation.unwrap_or_default());
    html.fact("retry", result.retry.rationale.as_deref().unwrap_or_default());
    if result.block.is_none() {
        html.fact("delivered", result.delivered.as_deref().unwrap_or_default());
    }
    html.raw("</dl>");
}

fn handoff(html: &mut Html, block: &BlockResult) {
    html.raw("<h3>Why it is blocked</h3><dl>");
    html.fact("error", &block.error);
    html.fact("tried", &block.tried.join("\n"));
    html.fact("near", &block.near.join("\n"));
    html.fact("unknown", &block.unknown);
    html.fact("find out", &block.discovery);
    html.fact("reproduce", &block.reproduce);
    html.fact("said", &block.last_lines.join("\n"));
    html.raw("</dl>");
}

fn timeline(html: &mut Html, steps: &[StateStep]) {
    let total: u64 = steps.iter().filter_map(|step| step.duration_ms).sum();
    html.raw("<h3>States</h3><ol class=s>");
    for step in steps {
        html.raw("<li><span>").raw(step.state.as_str()).raw("</span>");
        if let Some(took) = step.duration_ms {
            html.raw("<span>").raw(&duration(took)).raw("</span><i style=width:");
            html.number((took * 100).checked_div(total).unwrap_or(0)).raw("%></i>");
        }
    }
    html.raw("</ol>");
}

/// Each file with its verdicts, its diff, and what was found at its lines.
fn files(html: &mut Html, run: &RunAccount, room: &mut usize) {
    let result = &run.result;
    if result.files.is_empty() {
        return;
    }
    let diffs = diff::files(run.diff.as_deref().unwrap_or_default());
    let notes = notes(result);
    html.raw("<h3>Files</h3>");
    for file in &result.files {
        let of_file = diffs.iter().find(|diff| diff.path == file.path.as_str());
        html.raw("<details open><summary>").raw(&file.change.to_string()).raw(" ");
        html.element("<code>", file.path.as_str());
        if let Some(diff) = of_file {
            html.raw(" +").number(diff.added).raw(" −").number(diff.removed);
        }
        html.raw("</summary>");
        verdicts(html, result, file);
        if let Some(diff) = of_file {
            lines(html, diff, &notes, room);
        }
        html.raw("</details>");
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

/// What was found of the file as a whole.
fn verdicts(html: &mut Html, result: &BuildResult, file: &FileResult) {
    html.raw("<dl>");
    let path = file.path.as_str();
    for check in result.preflight.iter().filter(|check| check.path == path) {
        let reason = check.reason.as_deref().map(|reason| format!(": {reason}"));
        let reason = reason.unwrap_or_default();
        html.fact("syntax", &format!("{} ({}){reason}", check.status, check.checker));
    }
    let exports = result.quality.exports.iter().filter(|export| export.path == path);
    let (kept, others): (Vec<_>, Vec<_>) =
        exports.partition(|export| export.verdict == ExportStatus::Kept);
    let mut told: Vec<String> =
        others.iter().map(|export| format!("{} {}", export.verdict, export.name)).collect();
    if !kept.is_empty() {
        told.push(format!("{} kept", kept.len()));
    }
    html.fact("exports", &told.join(", "));
    html.raw("</dl>");
}

fn lines(html: &mut Html, diff: &FileDiff<'_>, notes: &Notes, room: &mut usize) {
    html.raw("<div class=w tabindex=0><table class=d>");
    for (index, line) in diff.lines.iter().enumerate() {
        let (class, number, sign, text) = match line {
            Line::Hunk(text) | Line::Note(text) => ("h", None, "", *text),
            Line::Added(at, text) => ("p", Some(*at), "+", *text),
            Line::Removed(at, text) => ("m", Some(*at), "−", *text),
            Line::Kept(_, at, text) => ("", Some(*at), " ", *text),
        };
        let cost = text.len() + 40;
        if cost > *room {
            html.raw("<tr class=h><td><td>").number(diff.lines.len() - index);
            html.raw(" more lines, which <code>ftl show --diff</code> shows");
            break;
        }
        *room -= cost;
        html.raw(if class.is_empty() { "<tr" } else { "<tr class=" }).raw(class).raw("><td>");
        if let Some(number) = number {
            html.number(number);
        }
        html.raw("<td>").raw(sign).text(text);
        let is_old = matches!(line, Line::Removed(..));
        let at = number.filter(|_| !is_old).map(|at| (diff.path.to_owned(), at));
        for note in at.and_then(|at| notes.get(&at)).into_iter().flatten() {
            html.raw("<tr class=n><td>↑<td>").text(note);
        }
    }
    html.raw("</table></div>");
}

/// Checks that found something, or of commands, and idioms.
fn checks(html: &mut Html, result: &BuildResult) {
    let doubtful = result
        .preflight
        .iter()
        .filter(|check| check.status != CheckStatus::Valid || check.checker == "command");
    let mut told: Vec<String> = doubtful
        .map(|check| {
            let mut line = format!("{}: {}", check.path, check.status);
            for found in &check.diagnostics {
                line.push_str(&format!("\n{}:{}: {}", found.line, found.column, found.message));
            }
            line
        })
        .collect();
    let idioms = result.quality.idioms.iter();
    told.extend(idioms.map(|idiom| {
        let note = idiom.note.as_deref().filter(|_| idiom.verdict != IdiomStatus::Satisfied);
        let note = note.map(|note| format!(" ({note})")).unwrap_or_default();
        format!("{} idiom, {}: {}{note}", idiom.kind, idiom.verdict, idiom.text)
    }));
    list(html, "Checks", &told);
}

fn verified(html: &mut Html, verify: &VerifyResult, result: &BuildResult, room: &mut usize) {
    let end = match (verify.timed_out, verify.exit, verify.signal) {
        (true, ..) => "ran out of time".to_owned(),
        (false, Some(exit), _) => format!("exit {exit}"),
        (false, None, signal) => format!("signal {}", signal.unwrap_or_default()),
    };
    html.raw("<h3>Verify</h3><p>").element("<code>", &verify.command);
    html.raw(" ").text(&end).raw(", ").raw(&duration(verify.duration_ms));
    for finding in &verify.findings {
        html.raw(", <span class=bad>").raw(finding.as_str()).raw("</span>");
    }
    html.raw("</p>");
    let failed: Vec<String> =
        verify.failures.iter().map(|it| failures::one(it).join("\n")).collect();
    list(html, "Failed", &failed);
    if verify.more_failures > 0 {
        html.raw("<p class=dim>and ").number(verify.more_failures).raw(" more</p>");
    }
    if verify.output.trim().is_empty() {
        return;
    }
    let failed = verify.exit != Some(0);
    html.raw(if failed { "<details open>" } else { "<details>" });
    html.raw("<summary>Output</summary><pre tabindex=0>");
    let error = result.block.as_ref().map(|block| block.error.as_str());
    let mut marked = !failed;
    for line in ends(&verify.output, room) {
        let is_error = !marked && error.is_some_and(|error| is_quoted(&line, error));
        if is_error {
            marked = true;
            html.element("<mark>", &line);
        } else {
            html.text(&line).raw("\n");
        }
    }
    html.raw("</pre></details>");
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

fn list(html: &mut Html, title: &str, items: &[String]) {
    const SHOWN: usize = 200;
    if items.is_empty() {
        return;
    }
    html.raw("<h3>").raw(title).raw("</h3><ul>");
    for item in items.iter().take(SHOWN) {
        html.raw("<li>").text(&ftl_text::shortened(item, 2000));
    }
    if items.len() > SHOWN {
        html.raw("<li class=dim>").number(items.len() - SHOWN).raw(" more");
    }
    html.raw("</ul>");
}
