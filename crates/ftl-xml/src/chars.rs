//! Character classes of XML 1.0, fifth edition.
//!
//! ASCII is looked up in a table, since nearly all markup is; what is beyond it is matched by ranges.

const START: u8 = 1;
const NAME: u8 = 2;

/// Class bits of every ASCII byte; bytes of longer characters have none.
const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let b = byte as u8;
        if b.is_ascii_alphabetic() || b == b'_' || b == b':' {
            table[byte] = START | NAME;
        } else if b.is_ascii_digit() || b == b'-' || b == b'.' {
            table[byte] = NAME;
        }
        byte += 1;
    }
    table
};

/// Whether a document may contain the character at all (production 2, `Char`).
pub(crate) const fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// White space (production 3, `S`).
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Production 4, `NameStartChar`, beyond ASCII.
const fn is_wide_name_start(c: char) -> bool {
    matches!(c,
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}' | '\u{200C}' | '\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}'
        | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// Production 4a, `NameChar`, beyond ASCII.
const fn is_wide_name(c: char) -> bool {
    is_wide_name_start(c) || matches!(c, '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}' | '\u{2040}')
}

/// Whether a name may start with the character.
pub(crate) fn is_name_start(c: char) -> bool {
    u8::try_from(c).map_or_else(
        |_| is_wide_name_start(c),
        |byte| CLASS[usize::from(byte)] & START != 0 || is_wide_name_start(c),
    )
}

/// Length in bytes of the name that `text` starts with, 0 when it starts with none.
pub(crate) fn name_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let wanted = if at == 0 { START } else { NAME };
        if CLASS[usize::from(byte)] & wanted != 0 {
            at += 1;
        } else if byte.is_ascii() {
            break;
        } else {
            match text[at..].chars().next() {
                Some(c) if is_wide_name_start(c) || (at > 0 && is_wide_name(c)) => {
                    at += c.len_utf8();
                }
                Some(_) | None => break,
            }
        }
    }
    at
}

/// Byte offset of the first character that no document may contain.
///
/// Blocks without a suspicious byte are passed over by a branch-free test.
pub(crate) fn first_forbidden(text: &str) -> Option<usize> {
    const BLOCK: usize = 64;
    let bytes = text.as_bytes();
    bytes.chunks(BLOCK).enumerate().find_map(|(block, chunk)| {
        // Without a branch in the loop, so that it is compiled to vector instructions. 0xEF begins
        // U+FFFE and U+FFFF in UTF-8, and much that is harmless, so it is looked at again.
        let suspicious =
            chunk.iter().fold(false, |found, &byte| found | is_control(byte) | (byte == 0xEF));
        let start = block * BLOCK;
        suspicious
            .then(|| (start..start + chunk.len()).find(|&at| is_forbidden_at(bytes, at)))
            .flatten()
    })
}

const fn is_control(byte: u8) -> bool {
    byte < b' ' && !is_space(byte)
}

/// Of the characters that UTF-8 can carry, only controls, U+FFFE and U+FFFF are forbidden.
fn is_forbidden_at(bytes: &[u8], at: usize) -> bool {
    is_control(bytes[at]) || matches!(bytes[at..], [0xEF, 0xBF, 0xBE | 0xBF, ..])
}

#[cfg(test)]
mod tests {
    use super::{first_forbidden, is_char, is_name_start, name_len};

    #[test]
    fn a_forbidden_character_is_found_at_any_position() {
        for forbidden in (0..=0x1_FFFF_u32).filter_map(char::from_u32).filter(|&c| !is_char(c)) {
            for padding in [0, 1, 61, 62, 63, 64, 65, 200] {
                let text = format!("{}{forbidden}ü", "x".repeat(padding));
                assert_eq!(first_forbidden(&text), Some(padding), "{forbidden:?}");
            }
        }
        let allowed: String =
            (0..=0x10_FFFF_u32).filter_map(char::from_u32).filter(|&c| is_char(c)).collect();
        assert_eq!(first_forbidden(&allowed), None);
    }

    #[test]
    fn a_name_ends_at_the_first_character_it_cannot_hold() {
        for (text, length) in [
            ("", 0),
            ("a", 1),
            ("a-b.c:d_1 x", 9),
            ("-a", 0),
            ("1a", 0),
            (".a", 0),
            ("ärger=", 6),
            ("\u{B7}a", 0),
            ("a\u{B7}", 3),
            ("a\u{D7}b", 1),
            ("日本語>", 9),
            ("a\u{2190}", 1),
        ] {
            assert_eq!(name_len(text), length, "{text}");
        }
    }

    #[test]
    fn a_name_start_is_a_name_of_one_character() {
        for c in (0..=0x10_FFFF_u32).filter_map(char::from_u32) {
            let mut buffer = [0; 4];
            let text = c.encode_utf8(&mut buffer);
            assert_eq!(is_name_start(c), name_len(text) > 0, "{c:?}");
        }
    }
}
