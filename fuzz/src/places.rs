//! Whether diagnostics say where they are.

use ftl_preflight::Diagnostic;

/// Asserts that every place is in the file and is the same place in lines as in bytes.
pub(crate) fn are_consistent(found: &[Diagnostic], bytes: &[u8]) {
    assert!(found.is_sorted_by_key(|it| it.start), "not in the order of the file: {found:#?}");
    for it in found {
        assert!(!it.message.is_empty(), "{it:?} says nothing");
        assert!(it.start <= it.end && it.end <= bytes.len(), "{it:?} is outside");
        assert!(it.line >= 1 && it.column >= 1, "{it:?} counts from 0");
        assert!(
            (it.line, it.column) <= (it.end_line, it.end_column),
            "{it:?} ends before it begins"
        );
    }
    // Where another encoding is declared, lines are those of the decoded text.
    if bytes.windows(6).any(|window| window == b"coding") {
        return;
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    for it in found {
        assert!(text.is_char_boundary(it.start), "{it:?} begins inside a character");
        assert_eq!(place(text, it.start), (it.line, it.column), "{it:?}");
    }
}

/// Line and column of a byte offset, counted again.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let (mut line, mut column) = (1, 1);
    let mut rest = text.char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        if at >= offset {
            break;
        }
        match character {
            '\u{FEFF}' if at == 0 => {}
            '\r' if rest.peek().is_some_and(|&(_, next)| next == '\n') => column += 1,
            '\r' | '\n' => (line, column) = (line + 1, 1),
            _ => column += 1,
        }
    }
    (line, column)
}
