//! A test that became weaker in a record: written, and read back.

use ftl_model::Weakening;
use ftl_text::{one_line, shortened};
use ftl_xml::{Element, ElementRef};

/// Characters of a value or an assertion.
pub(crate) const LONGEST: usize = 300;

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
pub(super) fn read(element: ElementRef<'_, '_>) -> Option<Weakening> {
    Some(Weakening {
        kind: element.parsed("kind")?,
        path: element.string("path")?,
        line: element.parsed("line")?,
        test: element.string("test").unwrap_or_default(),
        before: element.child_text("before"),
        after: element.child_text("after"),
    })
}
