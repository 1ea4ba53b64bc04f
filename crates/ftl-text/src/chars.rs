//! The one list of characters that ftl never prints or records unescaped.
//!
//! It is made of Unicode's own properties: control characters (general category Cc), everything that
//! is displayed as nothing (`Default_Ignorable_Code_Point`: zero-width characters, marks of
//! direction, fillers, tags), separators of lines and paragraphs (Zl, Zp), the marks of interlinear
//! annotations, and code points that are no characters. Left out are the two joiners
//! (`Join_Control`) and the variation selectors: scripts and emoji are misspelt without them.
//!
//! Sources: Unicode 17, `DerivedCoreProperties.txt` and `PropList.txt`; for marks of direction also
//! UAX #9 and CVE-2021-42574.

/// Whether a character is fit for a line of text as it is. Tab, line feed and carriage return are
/// not hidden: what becomes of them depends on where the text goes.
#[must_use]
pub const fn is_plain(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => true,
        '\0'..='\u{9F}' => false,
        '\u{A0}'..='\u{AC}' => true,
        _ => !is_hidden(c),
    }
}

/// Characters beyond Latin-1's controls that reorder text or are displayed as nothing, and code
/// points that are no characters.
const fn is_hidden(c: char) -> bool {
    matches!(c,
        // Soft hyphen, grapheme joiner, Arabic letter mark.
        '\u{AD}' | '\u{34F}' | '\u{61C}'
        // Fillers of Hangul and Khmer; Mongolian vowel separator.
        | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180E}' | '\u{3164}' | '\u{FFA0}'
        // Zero-width space, marks of direction. U+200C and U+200D are the joiners.
        | '\u{200B}' | '\u{200E}' | '\u{200F}'
        // Line and paragraph separator, embeddings and overrides.
        | '\u{2028}'..='\u{202E}'
        // Word joiner, invisible operators, isolates, deprecated format characters.
        | '\u{2060}'..='\u{206F}'
        // Byte order mark, reserved ones, marks of annotations.
        | '\u{FEFF}' | '\u{FFF0}'..='\u{FFFB}'
        // Format controls of shorthand and of musical notation.
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        // Tags, but for the variation selectors U+E0100–U+E01EF.
        | '\u{E0000}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}'
        // No characters: these, and the last two code points of every plane.
        | '\u{FDD0}'..='\u{FDEF}')
        || c as u32 & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn hidden_characters_are_known_and_scripts_and_emoji_keep_what_they_need() {
        let hidden = [
            0x00, 0x07, 0x08, 0x0B, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0xAD, 0x34F, 0x61C,
            0x115F, 0x1160, 0x17B4, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E,
            0x2060, 0x2064, 0x2066, 0x2069, 0x206A, 0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFE,
            0xFFFF, 0xFDD0, 0x1D173, 0xE0001, 0xE0020, 0xE007F, 0xE0080, 0xE0FFF, 0x1FFFE,
            0x10FFFF,
        ];
        for code in hidden {
            let c = char::from_u32(code).unwrap();
            assert!(!is_plain(c), "U+{code:04X}");
        }
        let plain = "\t\n\r azAZ~\u{A0}äß日本\u{200C}\u{200D}\u{FE0E}\u{FE0F}\u{180B}\u{E0100}\
                     \u{2800}\u{E000}\u{FFFD}🏳\u{FE0F}\u{200D}🌈क्\u{200D}ष";
        for c in plain.chars() {
            assert!(is_plain(c), "{c:?}");
        }
    }
}
