//! Writes the `run` element.

use ftl_model::{BaseCommit, ExportStatus, ExportVerdict, IdiomStatus, IdiomVerdict};
use ftl_xml::{Element, HANDOFF};

use super::{RecordedRun, evidence, verified};
use crate::result::{BlockResult, BuildResult, FileResult, ImplementerResult, PreflightResult};
use crate::text::brief;

/// New places of one idiom that a record lists: the journal has more.
const MAX_PLACES: usize = 10;

/// The account of a run. None of its elements bears a name that the workspace format uses. Everything in it comes
/// from the verdict and the run's opening, so that a resumed run leaves the record of one that was never interrupted.
pub(crate) fn element(run: &RecordedRun<'_>) -> Element {
    let result = run.result;
    let states: Vec<&str> = result.states.iter().map(|state| state.as_str()).collect();
    let block = result.block.as_ref();
    // The text goes when the task is reopened; the run keeps what it said.
    let handoff = block.and(result.delivered.as_ref());
    opened(run)
        .child(Element::new("states").text(states.join(" ")))
        .child(
            Element::new("calls")
                .attribute("total", result.budget.total.unwrap_or(0))
                .attribute("used", result.budget.used),
        )
        .children(handoff.map(|text| Element::new(HANDOFF).text(text)))
        .children(block.map(|block| blocked(block, &run.tried)))
        .children(result.base.as_ref().map(base))
        .child(implementer(&result.implementer))
        .children(result.files.iter().map(file))
        .children(run.diff.as_ref().map(|(path, sha256)| {
            Element::new("diff").attribute("path", path).attribute("sha256", sha256)
        }))
        .children(result.preflight.iter().map(checked))
        .children(result.verify.iter().map(verified::element))
        .children(evidence::element(&result.evidence))
        .children(retried(result))
        .children(judged(result))
        .children(some("strays", &result.strays, |path| {
            (path.len(), Element::new("stray").attribute("path", path))
        }))
        .children(result.quarantine.as_ref().map(|dir| quarantine(dir, &run.take_in)))
        .children(some("allowed", &result.allowed, |path| {
            (path.len(), Element::new("allowed").attribute("path", path))
        }))
        .children(some("warnings", &result.warnings, |warning| {
            (warning.len(), Element::new("warning").text(warning))
        }))
}

/// The element with its attributes. Its end shows later in which order tasks landed, and whose verify is to run
/// once more.
fn opened(run: &RecordedRun<'_>) -> Element {
    let result = run.result;
    Element::new("run")
        .attribute("version", env!("CARGO_PKG_VERSION"))
        .optional("number", result.run.number())
        .attribute("attempt", result.attempt)
        .attribute("outcome", result.outcome)
        .attribute("began_at", &run.began_at)
        .attribute("ended_at", run.ended_at)
        .attribute("workspace_sha256", run.workspace)
        .optional("isolation", result.isolation)
        .optional("base", run.base)
        .optional("sealed_at", run.sealed_at.as_ref())
        .optional("check", run.is_checked.then_some("end"))
}

fn base(base: &BaseCommit) -> Element {
    Element::new("base").attribute("commit", &base.commit).optional("branch", base.branch.as_ref())
}

fn quarantine(dir: &str, take_in: &str) -> Element {
    let text = "the strays are kept there, and the rest of the tree is as before";
    Element::new("quarantine").attribute("path", dir).text(match take_in {
        "" => text.to_owned(),
        command => format!("{text}; `{command}` adds them to the task"),
    })
}

/// Who wrote, and what an agent says of itself.
fn implementer(implementer: &ImplementerResult) -> Element {
    let tokens = implementer.tokens.unwrap_or_default();
    let said = implementer.said.as_ref();
    Element::new("implementer")
        .attribute("kind", implementer.kind)
        .optional("name", implementer.name.as_ref())
        .optional("worker", implementer.worker.as_ref())
        .optional("version", implementer.version.as_ref())
        .optional("model", implementer.model.as_ref())
        .optional("cost_usd", implementer.cost_usd)
        .optional("calls", implementer.calls)
        .optional("tokens_in", tokens.input)
        .optional("tokens_cached", tokens.cached)
        .optional("tokens_out", tokens.output)
        .children(implementer.command.as_ref().map(|text| Element::new("command").text(text)))
        .children(said.map(|said| Element::new("said").text(first_lines(said))))
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

fn blocked(block: &BlockResult, tried: &str) -> Element {
    Element::new("block")
        .attribute("kind", block.kind)
        .child(Element::new("error").text(&block.error))
        .child(Element::new("tried").text(tried))
        .child(Element::new("unknown").text(&block.unknown))
        .child(Element::new("discovery").text(&block.discovery))
        .child(Element::new("reproduce").text(&block.reproduce))
}

fn file(file: &FileResult) -> Element {
    Element::new("file")
        .attribute("path", &file.path)
        .attribute("change", file.change)
        .attribute("sha256", file.sha256.map_or("none".into(), String::from))
}

/// The reason of a command is what it printed, and so a text.
fn checked(check: &PreflightResult) -> Element {
    let is_command = check.checker == "command";
    let reason = check.reason.as_ref();
    let diagnostics = check.diagnostics.iter().map(|found| {
        Element::new("diagnostic")
            .attribute("line", found.line)
            .attribute("column", found.column)
            .text(&found.message)
    });
    Element::new("checked")
        .attribute("subject", &check.path)
        .attribute("checker", &check.checker)
        .attribute("status", check.status)
        .attribute("attempts", check.attempts)
        .optional("reason", reason.filter(|_| !is_command))
        .text(reason.filter(|_| is_command).map(String::as_str).unwrap_or_default())
        .children(diagnostics)
}

fn retried(result: &BuildResult) -> Option<Element> {
    let failure = result.retry.failure.as_ref()?;
    Some(
        Element::new("retried")
            .attribute("count", result.retry.count)
            .attribute("max", result.retry.max)
            .attribute("name", failure)
            .text(result.retry.rationale.as_deref().unwrap_or_default()),
    )
}

fn judged(result: &BuildResult) -> impl Iterator<Item = Element> {
    let quality = &result.quality;
    let detected = quality.detected.as_ref();
    let detected = detected.map(|name| Element::new("detected").attribute("framework", name));
    let idioms = detected.into_iter().chain(quality.idioms.iter().map(idiom));
    let is_kept = |export: &&ExportVerdict| export.verdict == ExportStatus::Kept;
    let kept = quality.exports.iter().filter(is_kept).count();
    let kept = (kept > 0).then(|| Element::new("kept_exports").attribute("count", kept));
    let others = quality.exports.iter().filter(move |at| !is_kept(at));
    let others = others.map(|export| {
        Element::new("export")
            .attribute("path", &export.path)
            .attribute("name", &export.name)
            .attribute("verdict", export.verdict)
    });
    idioms.chain(kept).chain(others)
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
