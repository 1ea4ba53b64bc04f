//! What a record says: the delivered text, and the `run` element that tells how it came about.

use ftl_xml::Element;

use super::reading::one_line;
use super::world::World;
use crate::digest::sha256;
use crate::machine::event::{Change, CheckStatus, ExportStatus, IdiomStatus, Touched};
use crate::machine::log::CheckEntry;
use crate::machine::{Block, Outcome, Verdict};

/// The `delivered` text.
pub(super) fn delivered(verdict: &Verdict) -> String {
    match &verdict.outcome {
        Outcome::Complete | Outcome::Planned => summary(verdict),
        Outcome::Blocked(block) => blocked(block, &tried(verdict)),
    }
}

/// Fixes tried, or that there were none.
fn tried(verdict: &Verdict) -> String {
    let tried: Vec<String> = verdict.log.tried.iter().map(|fix| one_line(fix)).collect();
    if tried.is_empty() {
        "nothing".into()
    } else {
        tried.join("; ")
    }
}

/// The hand-off text. Others read it line by line, so its two labels occur once.
fn blocked(block: &Block, tried: &str) -> String {
    let plain = |text: &str| {
        one_line(text)
            .replace("Tried:", "Tried -")
            .replace("Unknown:", "Unknown -")
    };
    format!(
        "BLOCKED: {}\nTried: {}\nUnknown: {}",
        plain(&block.error),
        plain(tried),
        plain(&block.unknown)
    )
}

/// The implementer's own summary, else one made from the facts.
fn summary(verdict: &Verdict) -> String {
    if let Some(summary) = verdict
        .log
        .summary
        .as_ref()
        .filter(|text| !text.trim().is_empty())
    {
        return summary.clone();
    }
    let mut lines: Vec<String> = verdict
        .files
        .iter()
        .map(|(file, _)| {
            format!(
                "{} {}{}",
                word(file.change),
                file.path,
                lines(verdict, file)
            )
        })
        .collect();
    if lines.is_empty() {
        lines.push("no change was needed".into());
    }
    if let Some(verify) = verdict.log.verify.last() {
        lines.push(format!("verified by `{}`", one_line(&verify.command)));
    }
    match verdict.retries {
        0 => {}
        1 => lines.push("after 1 retry".into()),
        retries => lines.push(format!("after {retries} retries")),
    }
    lines.join("\n")
}

fn lines(verdict: &Verdict, file: &Touched) -> String {
    let lines = verdict.log.lines.get(&file.path);
    lines.map_or_else(String::new, |lines| {
        format!(" (+{} -{} lines)", lines.added, lines.removed)
    })
}

const fn word(change: Change) -> &'static str {
    match change {
        Change::Created => "created",
        Change::Modified => "modified",
        Change::Deleted => "deleted",
    }
}

/// The account of a run. None of its elements bears a name that the workspace format uses.
pub(super) fn run_element(world: &World<'_>, verdict: &Verdict, at: &str) -> Element {
    let states: Vec<&str> = verdict
        .states()
        .iter()
        .map(|state| state.as_str())
        .collect();
    let outcome = match &verdict.outcome {
        Outcome::Complete | Outcome::Planned => "complete",
        Outcome::Blocked(_) => "blocked",
    };
    let run = Element::new("run")
        .attribute("version", env!("CARGO_PKG_VERSION"))
        .attribute("number", world.run().number())
        .attribute("outcome", outcome)
        .attribute("began_at", &world.began)
        .attribute("ended_at", at)
        .attribute("workspace_sha256", sha256(&world.bytes));
    run.child(Element::new("states").text(states.join(" ")))
        .child(
            Element::new("calls")
                .attribute("total", verdict.total.unwrap_or(0))
                .attribute("used", verdict.used),
        )
        .children(block(verdict))
        .children(files(verdict))
        .children(verdict.log.preflight.iter().map(checked))
        .children(verified(verdict))
        .children(retried(verdict))
        .children(judged(verdict))
        .children(
            verdict
                .log
                .strays
                .iter()
                .map(|path| Element::new("stray").attribute("path", path)),
        )
        .children(
            verdict
                .log
                .warnings
                .iter()
                .map(|text| Element::new("warning").text(text)),
        )
}

fn block(verdict: &Verdict) -> Option<Element> {
    let block = verdict.block()?;
    Some(
        Element::new("block")
            .attribute("kind", block.kind)
            .child(Element::new("error").text(&block.error))
            .child(Element::new("tried").text(tried(verdict)))
            .child(Element::new("unknown").text(&block.unknown))
            .child(Element::new("discovery").text(&block.discovery))
            .child(Element::new("reproduce").text(&block.reproduce)),
    )
}

fn files(verdict: &Verdict) -> impl Iterator<Item = Element> {
    verdict.files.iter().map(|(file, digest)| {
        Element::new("file")
            .attribute("path", &file.path)
            .attribute("change", word(file.change))
            .attribute("sha256", digest.as_deref().unwrap_or("none"))
    })
}

fn checked(entry: &CheckEntry) -> Element {
    let status = match entry.status {
        CheckStatus::Valid => "valid",
        CheckStatus::Invalid => "invalid",
        CheckStatus::Unchecked => "unchecked",
    };
    let mut element = Element::new("checked")
        .attribute("subject", &entry.subject)
        .attribute("checker", &entry.checker)
        .attribute("status", status)
        .attribute("attempts", entry.attempts);
    if let Some(check) = &entry.check {
        if let Some(reason) = &check.reason {
            element = element.attribute("reason", reason);
        }
        element = element.children(check.diagnostics.iter().map(|found| {
            Element::new("diagnostic")
                .attribute("line", found.line)
                .attribute("column", found.column)
                .text(&found.message)
        }));
    }
    match &entry.error {
        Some(error) => element.text(error),
        None => element,
    }
}

fn verified(verdict: &Verdict) -> impl Iterator<Item = Element> {
    verdict.log.verify.iter().map(|verify| {
        let mut element = Element::new("verified")
            .attribute("passed", verify.passed)
            .attribute("timed_out", verify.timed_out)
            .attribute("duration_ms", verify.duration_ms);
        if let Some(exit) = verify.exit {
            element = element.attribute("exit", exit);
        }
        if let Some(signal) = verify.signal {
            element = element.attribute("signal", signal);
        }
        if let Some(log) = &verify.log {
            element = element.attribute("log", log);
        }
        element
            .child(Element::new("command").text(&verify.command))
            .child(Element::new("output").text(&verify.output))
            .children(
                verify
                    .findings
                    .iter()
                    .map(|name| Element::new("finding").text(name)),
            )
    })
}

fn retried(verdict: &Verdict) -> Option<Element> {
    let failure = verdict.log.retry_failure.as_ref()?;
    let rationale = verdict.log.retry_rationale.as_deref().unwrap_or_default();
    Some(
        Element::new("retried")
            .attribute("count", verdict.retries)
            .attribute("max", verdict.log.retry_max.unwrap_or(0))
            .attribute("name", failure)
            .text(rationale),
    )
}

fn judged(verdict: &Verdict) -> impl Iterator<Item = Element> {
    let idioms = verdict.log.idioms.iter().map(|idiom| {
        let word = match idiom.verdict {
            IdiomStatus::Satisfied => "satisfied",
            IdiomStatus::Violated => "violated",
            IdiomStatus::NotApplicable => "not_applicable",
            IdiomStatus::Undecidable => "undecidable",
        };
        Element::new("idiom")
            .attribute("kind", &idiom.kind)
            .attribute("verdict", word)
            .attribute("rule", idiom.rule.as_deref().unwrap_or("none"))
            .text(&idiom.text)
    });
    let exports = verdict.log.exports.iter().map(|export| {
        let word = match export.verdict {
            ExportStatus::Kept => "kept",
            ExportStatus::Moved => "moved",
            ExportStatus::Lost => "lost",
            ExportStatus::NeverThere => "never_there",
        };
        Element::new("export")
            .attribute("path", &export.path)
            .attribute("name", &export.name)
            .attribute("verdict", word)
    });
    idioms.chain(exports)
}
