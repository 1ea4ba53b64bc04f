//! The experiments of a run in a record: written, and read back.

use ftl_xml::{Element, ElementRef};

use super::verified::{failed, failure};
use crate::result::EvidenceResult;

/// Tests that failed as they were, of which a record holds so many.
const MOST: usize = 20;

/// The element of a record; none where no experiment was made.
pub(super) fn element(evidence: &EvidenceResult) -> Option<Element> {
    if evidence.is_none() {
        return None;
    }
    let error = evidence.error.iter().map(|error| Element::new("message").text(error));
    let element = Element::new("evidence")
        .optional("before", evidence.before)
        .optional("old_tests", evidence.old_tests)
        .optional("broken", evidence.broken)
        .optional("log", evidence.log.as_ref())
        .children(error)
        .children(evidence.failures.iter().take(MOST).map(failed));
    Some(element)
}

/// What the element of a record says.
pub(super) fn read(element: ElementRef<'_, '_>) -> EvidenceResult {
    EvidenceResult {
        before: element.parsed("before"),
        old_tests: element.parsed("old_tests"),
        broken: element.parsed("broken"),
        log: element.string("log"),
        error: element.child_text("message"),
        failures: element.children_named("failed").map(failure).collect(),
    }
}
