use ftl_model::Status;
use ftl_xml::{Element, Seal, read, seal, validate};

/// Reads bytes as a task file, and panics when a promise of the reader or of records is broken.
///
/// # Panics
///
/// A document that is accepted is refused by another reader, a place is outside of the file, or a
/// record of the document cannot be read.
pub fn workspace(bytes: &[u8]) {
    for problem in validate(bytes, None) {
        let place = problem.place;
        assert!(place.start <= place.end && place.end <= bytes.len(), "{problem:?}");
        assert!(place.line > 0 && place.column > 0, "{problem:?}");
    }
    let Ok(document) = read(bytes) else {
        return;
    };
    let text = std::str::from_utf8(bytes).expect("a document is UTF-8");
    if let Err(error) = roxmltree::Document::parse(text) {
        panic!("only we read it: {error}");
    }
    let output = String::from_utf8_lossy(bytes);
    let record = seal(
        &document,
        &Seal {
            status: Status::Blocked,
            at: "2026-01-18T02:00:00Z".to_owned(),
            delivered: output.clone().into_owned(),
            utilized: Vec::new(),
            run: Element::new("run").child(Element::new("output").text(output.as_bytes())),
        },
    );
    let sealed = read(&record).expect("a record can be read");
    let delivered = sealed.root().child("delivered").and_then(|element| element.text());
    assert_eq!(delivered.unwrap_or_default(), ftl_text::safe_text(bytes));
}
