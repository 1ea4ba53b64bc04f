//! The `run` element of a record, which describes the run.
//!
//! Sentences come from `wording.rs`; where the element is spliced in, `ftl-xml` knows. Everything here is
//! made from the verdict and the run's opening, so that a resumed run leaves the record of one that was
//! never interrupted.

use ftl_machine::{CheckEntry, Outcome, Verdict};
use ftl_model::{BaseCommit, ExportStatus, ExportVerdict, IdiomStatus, IdiomVerdict, Status};
use ftl_store::Stored;
use ftl_xml::{Element, HANDOFF};

use super::before::Before;
use super::delivered::delivered;
use super::output::shown;
use super::result;
use super::settings::Implementer;
use super::tried::all_tried;
use super::wording::{self, Advice};
use super::world::Task;
use super::{verified, weakened};
use crate::text::{brief, now_exactly, to_the_second};

/// New places of one idiom that a record lists: the journal has more.
const MAX_PLACES: usize = 10;

/// Places of weaker tests that a record lists.
const MAX_WEAKENED: usize = 100;

/// The account of a run. None of its elements bears a name that the workspace format uses.
pub(super) fn run_element(
    task: &Task<'_>,
    before: Option<&Before>,
    verdict: &Verdict,
    diff: Option<&Stored>,
    at: &str,
) -> Element {
    let states: Vec<&str> = verdict.states().iter().map(|state| state.as_str()).collect();
    opened(task, before, verdict, at)
        .child(Element::new("states").text(states.join(" ")))
        .child(
            Element::new("calls")
                .attribute("total", verdict.total.unwrap_or(0))
                .attribute("used", verdict.used),
        )
        .children(verdict.block().map(|_| {
            // The text goes when the task is reopened; the run keeps what it said.
            let text = delivered(verdict, task.site.settings.advice);
            Element::new(HANDOFF).text(text)
        }))
        .children(block(verdict, task.site.settings.advice))
        .children(verdict.log.base.as_ref().map(base))
        .child(implementer(task, verdict))
        .children(files(verdict))
        .children(diff.map(|diff| {
            Element::new("diff")
                .attribute("path", shown(&task.site, &diff.path))
                .attribute("sha256", diff.sha256)
        }))
        .children(verdict.log.preflight.iter().map(checked))
        .children(verdict.log.verify.iter().map(verified::element))
        .children(retried(verdict))
        .children(judged(verdict))
        .children(some("strays", &verdict.log.strays, |path| {
            (path.len(), Element::new("stray").attribute("path", path))
        }))
        .children(verdict.log.quarantine.as_ref().map(|dir| quarantine(task, dir)))
        .children(some("allowed", &verdict.log.allowed, |path| {
            (path.len(), Element::new("allowed").attribute("path", path))
        }))
        .children(some("warnings", &verdict.log.warnings, |warning| {
            let text = wording::warning(warning);
            (text.len(), Element::new("warning").text(text))
        }))
}

/// The element with its attributes.
fn opened(task: &Task<'_>, before: Option<&Before>, verdict: &Verdict, at: &str) -> Element {
    let outcome = match &verdict.outcome {
        Outcome::Complete | Outcome::Planned => Status::Complete,
        Outcome::Blocked(_) => Status::Blocked,
    };
    let run = Element::new("run")
        .attribute("version", env!("CARGO_PKG_VERSION"))
        .attribute("number", task.site.run.number())
        .attribute("attempt", task.attempt.number)
        .attribute("outcome", outcome)
        .attribute("began_at", to_the_second(&task.began))
        .attribute("ended_at", at)
        .attribute("workspace_sha256", task.source.sha256)
        .optional("isolation", verdict.log.isolation)
        .optional("base", before.and_then(Before::commit));
    order_of_landing(run, task, outcome)
}

fn base(base: &BaseCommit) -> Element {
    Element::new("base").attribute("commit", &base.commit).optional("branch", base.branch.as_ref())
}

fn quarantine(task: &Task<'_>, dir: &str) -> Element {
    let element = Element::new("quarantine").attribute("path", dir);
    let text = "the strays are kept there, and the rest of the tree is as before";
    let id = super::id_of(&task.source.path);
    let take_in = id.map(|id| (task.site.settings.advice.take_in)(id.as_str()));
    match take_in.ok().filter(|command| !command.is_empty()) {
        Some(command) => element.text(format!("{text}; `{command}` adds them to the task")),
        None => element.text(text),
    }
}

/// What later shows in which order tasks landed, and whose verify is to run once more.
fn order_of_landing(run: Element, task: &Task<'_>, outcome: Status) -> Element {
    let settings = task.site.settings;
    let is_tree = matches!(settings.implementer, Implementer::Tree { .. });
    if outcome != Status::Complete || is_tree {
        return run;
    }
    run.attribute("sealed_at", now_exactly())
        .optional("check", settings.is_checked.then_some("end"))
}

/// Who wrote, and what an agent says of itself.
fn implementer(task: &Task<'_>, verdict: &Verdict) -> Element {
    let implementer = result::implementer(&task.site.settings.implementer, &verdict.log.agent);
    let tokens = implementer.tokens.unwrap_or_default();
    Element::new("implementer")
        .attribute("kind", implementer.kind)
        .optional("name", implementer.name)
        .optional("worker", implementer.worker)
        .optional("version", implementer.version)
        .optional("model", implementer.model)
        .optional("cost_usd", implementer.cost_usd)
        .optional("calls", implementer.calls)
        .optional("tokens_in", tokens.input)
        .optional("tokens_cached", tokens.cached)
        .optional("tokens_out", tokens.output)
        .children(implementer.command.map(|command| Element::new("command").text(command)))
        .children(implementer.said.map(|said| Element::new("said").text(first_lines(&said))))
}

/// So many lines of what an agent said; the journal has all of it.
fn first_lines(said: &str) -> String {
    const LINES: usize = 12;
    let lines: Vec<&str> = said.lines().collect();
    match lines.get(..LINES) {
        Some(first) if lines.len() > LINES => format!("{}\n…", first.join("\n")),
        _ => said.to_owned(),
    }
}

/// As many of a list, each with its length in bytes, as a record can hold beside everything else; how
/// many are left out is said at the end. The journal has all of them.
fn some<T>(what: &str, list: &[T], write: impl Fn(&T) -> (usize, Element)) -> Vec<Element> {
    const ROOM: usize = 256 << 10;
    let mut taken = 0;
    let mut elements = Vec::new();
    for (at, item) in list.iter().enumerate() {
        let (length, element) = write(item);
        taken += length;
        if taken > ROOM {
            let omitted =
                Element::new("omitted").attribute("what", what).attribute("count", list.len() - at);
            elements.push(omitted);
            break;
        }
        elements.push(element);
    }
    elements
}

fn block(verdict: &Verdict, advice: Advice) -> Option<Element> {
    let block = verdict.block()?;
    let text = wording::block(block, verdict, advice);
    Some(
        Element::new("block")
            .attribute("kind", block.kind())
            .child(Element::new("error").text(&text.error))
            .child(Element::new("tried").text(all_tried(&verdict.log.tried)))
            .child(Element::new("unknown").text(&text.unknown))
            .child(Element::new("discovery").text(&text.discovery))
            .child(Element::new("reproduce").text(&text.reproduce)),
    )
}

fn files(verdict: &Verdict) -> impl Iterator<Item = Element> {
    verdict.files.iter().map(|(file, digest)| {
        Element::new("file")
            .attribute("path", &file.path)
            .attribute("change", file.change)
            .attribute("sha256", digest.map_or("none".into(), String::from))
    })
}

fn checked(entry: &CheckEntry) -> Element {
    let check = entry.check.as_ref();
    let diagnostics = check.into_iter().flat_map(|check| &check.diagnostics).map(|found| {
        Element::new("diagnostic")
            .attribute("line", found.line)
            .attribute("column", found.column)
            .text(&found.message)
    });
    Element::new("checked")
        .attribute("subject", &entry.subject)
        .attribute("checker", &entry.checker)
        .attribute("status", entry.status)
        .attribute("attempts", entry.attempts)
        .optional("reason", check.and_then(|check| check.reason.as_ref()))
        .text(entry.error.as_deref().unwrap_or_default())
        .children(diagnostics)
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
    let detected = verdict.log.detected.as_ref();
    let detected = detected.map(|name| Element::new("detected").attribute("framework", name));
    let idioms = detected.into_iter().chain(verdict.log.idioms.iter().map(idiom));
    let is_kept = |export: &&ExportVerdict| export.verdict == ExportStatus::Kept;
    let kept = verdict.log.exports.iter().filter(is_kept).count();
    let kept = (kept > 0).then(|| Element::new("kept_exports").attribute("count", kept));
    let others = verdict.log.exports.iter().filter(move |at| !is_kept(at));
    let others = others.map(|export| {
        Element::new("export")
            .attribute("path", &export.path)
            .attribute("name", &export.name)
            .attribute("verdict", export.verdict)
    });
    let weakened = verdict.log.weakened.iter().take(MAX_WEAKENED).map(weakened::element);
    idioms.chain(kept).chain(others).chain(weakened)
}

/// An idiom, with why it is not kept, and where.
fn idiom(idiom: &IdiomVerdict) -> Element {
    let element = Element::new("idiom")
        .attribute("kind", idiom.kind)
        .attribute("verdict", idiom.verdict)
        .attribute("rule", idiom.rule.as_deref().unwrap_or("none"))
        .optional("severity", idiom.severity);
    let note = idiom.note.iter();
    let note = note.map(|note| Element::new("note").text(brief(note)));
    let is_violated = idiom.verdict == IdiomStatus::Violated;
    let places = idiom.places.iter().filter(|at| is_violated && at.new);
    let places = places.take(MAX_PLACES).map(|at| {
        Element::new("place")
            .attribute("path", &at.path)
            .attribute("line", at.line)
            .attribute("column", at.column)
    });
    element.text(&idiom.text).children(note).children(places)
}
