//! Tests that became weaker: in a record, written and read back, and in a sentence.

use ftl_model::{Weakening, WeakeningKind};
use ftl_text::{one_line, shortened};
use ftl_xml::{Element, ElementRef};

/// Characters of a value or an assertion.
const LONGEST: usize = 300;

/// The element of a record.
pub(super) fn element(weakening: &Weakening) -> Element {
    let side = |name: &'static str, text: &Option<String>| {
        text.as_ref().map(|text| Element::new(name).text(shortened(text, LONGEST)))
    };
    Element::new("weakened")
        .attribute("kind", weakening.kind)
        .attribute("path", &weakening.path)
        .attribute("line", weakening.line)
        .attribute("test", one_line(&weakening.test))
        .children(side("before", &weakening.before))
        .children(side("after", &weakening.after))
}

/// What the element of a record says.
pub(crate) fn read(element: ElementRef<'_, '_>) -> Option<Weakening> {
    Some(Weakening {
        kind: element.parsed("kind")?,
        path: element.string("path")?,
        line: element.parsed("line")?,
        test: element.string("test").unwrap_or_default(),
        before: element.child_text("before"),
        after: element.child_text("after"),
    })
}

/// `tests/test_a.py:12 test_b: an assertion is gone: assert x == 1`.
pub(super) fn sentence(weakening: &Weakening) -> String {
    let Weakening { kind, path, line, test, before, after } = weakening;
    let what = match kind {
        WeakeningKind::TestRemoved => "the test is gone",
        WeakeningKind::TestSkipped => "the test is skipped",
        WeakeningKind::AssertionRemoved => "an assertion is gone",
        WeakeningKind::ExpectedPrinted => "it expects what the failing run printed",
        WeakeningKind::ToleranceWidened => "a larger difference is allowed",
        WeakeningKind::SnapshotRewritten => "the snapshot is rewritten",
        WeakeningKind::FewerTests => "fewer tests ran than before",
    };
    let short = |text: &str| shortened(&one_line(text), LONGEST);
    let detail = match (before, after) {
        (Some(before), Some(after)) => format!(" ({} became {})", short(before), short(after)),
        (Some(text), None) | (None, Some(text)) => format!(" ({})", short(text)),
        (None, None) => String::new(),
    };
    format!("{path}:{line} {}: {what}{detail}", one_line(test))
}

#[cfg(test)]
mod tests {
    use ftl_model::{Status, Weakening, WeakeningKind};
    use ftl_xml::{Element, Seal, read as read_document, seal};

    use super::{element, read, sentence};

    #[test]
    fn a_place_is_read_back_from_a_record_and_said_in_a_line() {
        for kind in WeakeningKind::ALL {
            let place = Weakening {
                kind,
                path: "tests/test_a.py".into(),
                line: 12,
                test: "T::test_<b>".into(),
                before: Some("assert x == 1\n  & more".into()),
                after: Some("assert x".into()),
            };
            let ending = Seal {
                status: Status::Blocked,
                at: "2026".into(),
                delivered: String::new(),
                utilized: Vec::new(),
                run: Element::new("run").child(element(&place)),
            };
            let record = seal(&read_document(b"<workspace status='active'/>").unwrap(), &ending);
            let document = read_document(&record).unwrap();
            let run = document.root().child("run").unwrap();
            assert_eq!(read(run.child("weakened").unwrap()), Some(place.clone()));
            let said = sentence(&place);
            assert!(said.starts_with("tests/test_a.py:12 T::test_<b>: "), "{said}");
            assert!(!said.contains('\n') && said.contains("became assert x"), "{said}");
        }
    }
}
