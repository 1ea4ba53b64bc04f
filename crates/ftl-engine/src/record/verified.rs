//! A run of the verify command in a record: written, and read back.

use ftl_model::{Finding, RunFailure};
use ftl_xml::{Element, ElementRef};

use crate::result::VerifyResult;

/// Bytes of the failures of one verify that a record holds.
const ROOM: usize = 64 << 10;

/// The element of a record. What a verify printed that passed is there as its summary line and digest.
pub(super) fn element(verify: &VerifyResult) -> Element {
    let element = Element::new("verified")
        .attribute("passed", verify.passed)
        .attribute("timed_out", verify.timed_out)
        .attribute("duration_ms", verify.duration_ms)
        .optional("exit", verify.exit)
        .optional("signal", verify.signal)
        .optional("log", verify.log.as_ref())
        .optional("log_sha256", verify.log_sha256)
        .optional("with", (!verify.with.is_empty()).then(|| verify.with.join(" ")));
    let mut room = ROOM;
    let fits = |failure: &&RunFailure| {
        let length = failure.message.len() + failure.detail.as_ref().map_or(0, String::len);
        room = room.saturating_sub(length + 200);
        room > 0
    };
    let failures: Vec<&RunFailure> = verify.failures.iter().take_while(fits).collect();
    let more = verify.failures.len() - failures.len() + verify.more_failures;
    let printed = match (verify.passed, &verify.summary) {
        (true, Some(summary)) => Some(Element::new("summary").text(summary)),
        (true, None) => None,
        (false, _) => Some(Element::new("output").text(&verify.output)),
    };
    let findings = verify.findings.iter();
    element
        .optional("more_failures", (more > 0).then_some(more))
        .child(Element::new("command").text(&verify.command))
        .children(failures.into_iter().map(failed))
        .children(printed)
        .children(findings.map(|finding| Element::new("finding").text(finding.as_str())))
}

pub(super) fn failed(failure: &RunFailure) -> Element {
    let detail = failure.detail.iter().map(|detail| Element::new("detail").text(detail));
    Element::new("failed")
        .optional("test", failure.test.as_ref())
        .optional("path", failure.path.as_ref())
        .optional("line", failure.line)
        .child(Element::new("message").text(&failure.message))
        .children(detail)
}

/// What the element of a record says. Whatever it lacks is empty: an older ftl may have written it.
pub(crate) fn result(element: ElementRef<'_, '_>) -> VerifyResult {
    let number = |name: &str| element.parsed(name);
    let findings = element.children_named("finding").filter_map(text);
    VerifyResult {
        command: element.child_text("command").unwrap_or_default(),
        passed: element.string("passed").as_deref() == Some("true"),
        exit: number("exit"),
        signal: number("signal"),
        timed_out: element.string("timed_out").as_deref() == Some("true"),
        duration_ms: element.parsed("duration_ms").unwrap_or(0),
        output: element
            .child_text("output")
            .or_else(|| element.child_text("summary"))
            .unwrap_or_default(),
        log: element.string("log"),
        failures: element.children_named("failed").map(failure).collect(),
        more_failures: element.parsed("more_failures").unwrap_or(0),
        excerpt: String::new(),
        summary: element.child_text("summary"),
        log_sha256: element.parsed("log_sha256"),
        findings: findings.filter_map(|word| Finding::named(&word)).collect(),
        with: element
            .string("with")
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    }
}

pub(super) fn failure(element: ElementRef<'_, '_>) -> RunFailure {
    RunFailure {
        test: element.string("test"),
        path: element.string("path"),
        line: element.parsed("line"),
        message: element.child_text("message").unwrap_or_default(),
        detail: element.child_text("detail"),
    }
}

fn text(element: ElementRef<'_, '_>) -> Option<String> {
    Some(element.text()?.into_owned())
}
