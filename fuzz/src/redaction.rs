use std::sync::LazyLock;

use ftl_text::chars::is_plain;
use ftl_text::redact::{RedactionCounts, Redactor};
use ftl_text::{escape_json, one_line, play, safe_text, terminal_text};

static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| {
    let secrets: [(&str, &[u8]); 3] = [
        ("PLAIN_TOKEN", b"abcdefgh12345678"),
        ("ODD_PASSWORD", b"a\"b\\c/d&e%f'g h+i"),
        ("LINES_KEY", b"first-line-of-it-all-000\nsecond-line-of-it-all-11"),
    ];
    Redactor::new(secrets, &[])
});

/// Takes secrets out of bytes, whole and in pieces, and makes them fit to be shown.
///
/// # Panics
///
/// Where the pieces are cut makes a difference, or what is shown hides something.
pub fn redaction(bytes: &[u8]) {
    let mut counted = RedactionCounts::new();
    let whole = REDACTOR.bytes(bytes, &mut counted).into_owned();
    let size = bytes.first().map_or(1, |byte| usize::from(*byte) % 64 + 1);
    let mut stream = REDACTOR.stream();
    let mut pieces = Vec::new();
    for piece in bytes.chunks(size) {
        stream.push(piece, &mut |out| pieces.extend_from_slice(out));
    }
    let found = stream.finish(&mut |out| pieces.extend_from_slice(out));
    assert_eq!(found, counted, "counts differ in pieces of {size}");
    assert_eq!(pieces, whole, "pieces of {size} differ");
    shown(bytes);
    shown(&play(bytes));
}

fn shown(bytes: &[u8]) {
    let safe = safe_text(bytes);
    assert!(safe.chars().all(is_plain), "{safe:?}");
    assert_eq!(safe_text(safe.as_bytes()), safe, "what is safe stays");
    assert!(!terminal_text(bytes).contains('\r'));
    let text = String::from_utf8_lossy(bytes);
    assert!(!one_line(&text).contains(['\n', '\r']));
    let json = escape_json(serde_json::to_string(&text).expect("a string"));
    let read: String = serde_json::from_str(&json).expect("it stays JSON");
    assert_eq!(read, text);
    assert!(json.chars().all(|c| is_plain(c) && c != '\n'), "{json:?}");
}
