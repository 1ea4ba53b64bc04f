//! From a file's bytes to text, and back from places in the text to places in the bytes.
//!
//! Parsers need `str`, editors need offsets into the file as it is stored. Where the text differs
//! from the bytes (a byte order mark, another encoding, bytes that were replaced) the way back is
//! computed from the origin that is kept with the text. It takes a walk over the text, and is taken
//! for findings only.

use std::borrow::Cow;

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Text, and how its offsets relate to the bytes it came from.
pub(crate) struct Text<'a> {
    pub(crate) content: Cow<'a, str>,
    origin: Origin<'a>,
}

enum Origin<'a> {
    /// The bytes, this many of them (a byte order mark) left out at the start.
    Utf8 { skipped: usize },
    /// UTF-8 with replacement characters for what is not.
    Lossy { bytes: &'a [u8], skipped: usize },
    /// One byte a character.
    #[cfg(feature = "python")]
    SingleByte,
    /// In another encoding, this many bytes (a byte order mark) left out at the start.
    #[cfg(feature = "encodings")]
    Encoded { encoding: &'static encoding_rs::Encoding, skipped: usize },
}

/// Bytes that are no text in the encoding they must have.
pub(crate) struct NotText {
    /// Byte offset of the first offence.
    pub(crate) at: usize,
    pub(crate) message: String,
}

/// Why there is no text to check.
pub(crate) enum DecodeError {
    Invalid(NotText),
    /// An encoding that the language allows and that is not known here.
    #[cfg(feature = "python")]
    Unknown(String),
}

pub(crate) type Decode = for<'a> fn(&'a [u8]) -> Result<Text<'a>, DecodeError>;

/// UTF-8, with or without a byte order mark.
pub(crate) fn utf8(bytes: &[u8]) -> Result<Text<'_>, DecodeError> {
    let body = bytes.strip_prefix(MARK).unwrap_or(bytes);
    let skipped = bytes.len() - body.len();
    match std::str::from_utf8(body) {
        Ok(text) => Ok(Text { content: Cow::Borrowed(text), origin: Origin::Utf8 { skipped } }),
        Err(error) => {
            let at = error.valid_up_to();
            let message = format!("not UTF-8: byte 0x{:02x} is out of place", body[at]);
            Err(DecodeError::Invalid(NotText { at: skipped + at, message }))
        }
    }
}

/// UTF-8 in which strange bytes are read as U+FFFD, as JavaScript engines and compilers do.
#[allow(dead_code, reason = "only some languages are read like this")]
pub(crate) fn lossy(bytes: &[u8]) -> Result<Text<'_>, DecodeError> {
    Ok(lossy_text(bytes))
}

/// UTF-8 in which strange bytes are read as U+FFFD.
pub(crate) fn lossy_text(bytes: &[u8]) -> Text<'_> {
    utf8(bytes).unwrap_or_else(|_| {
        let body = bytes.strip_prefix(MARK).unwrap_or(bytes);
        let skipped = bytes.len() - body.len();
        let content = String::from_utf8_lossy(body);
        Text { content, origin: Origin::Lossy { bytes: body, skipped } }
    })
}

/// UTF-8, or UTF-16 behind its mark, as readers of YAML take both.
#[cfg(feature = "yaml")]
pub(crate) fn unicode(bytes: &[u8]) -> Result<Text<'_>, DecodeError> {
    utf16(bytes).unwrap_or_else(|| utf8(bytes))
}

/// The same as `tsc` reads it, with U+FFFD for strange bytes.
#[cfg(feature = "typescript")]
pub(crate) fn lossy_unicode(bytes: &[u8]) -> Result<Text<'_>, DecodeError> {
    utf16(bytes).unwrap_or_else(|| lossy(bytes))
}

#[cfg(any(feature = "yaml", feature = "typescript"))]
fn utf16(bytes: &[u8]) -> Option<Result<Text<'_>, DecodeError>> {
    let (encoding, _) = encoding_rs::Encoding::for_bom(bytes)?;
    (encoding != encoding_rs::UTF_8).then(|| encoded(bytes, encoding))
}

/// ISO 8859-1: every byte is the character of that number.
#[cfg(feature = "python")]
pub(crate) fn latin1(bytes: &[u8]) -> Text<'_> {
    let content = bytes.iter().copied().map(char::from).collect();
    Text { content: Cow::Owned(content), origin: Origin::SingleByte }
}

/// Any encoding of the WHATWG's standard.
#[cfg(feature = "encodings")]
pub(crate) fn encoded<'a>(
    bytes: &'a [u8],
    encoding: &'static encoding_rs::Encoding,
) -> Result<Text<'a>, DecodeError> {
    let mark = encoding_rs::Encoding::for_bom(bytes).filter(|(found, _)| *found == encoding);
    let skipped = mark.map_or(0, |(_, length)| length);
    match encoding.decode_without_bom_handling_and_without_replacement(&bytes[skipped..]) {
        Some(content) => Ok(Text { content, origin: Origin::Encoded { encoding, skipped } }),
        None => {
            let message = format!("not {}: some bytes are out of place", encoding.name());
            Err(DecodeError::Invalid(NotText { at: 0, message }))
        }
    }
}

impl Text<'_> {
    /// The byte offset in the file of a byte offset in the text.
    pub(crate) fn to_file(&self, offset: usize) -> usize {
        // A parser's offset may lie inside a character where the text was replaced or re-encoded.
        let offset = self.content.floor_char_boundary(offset);
        match &self.origin {
            Origin::Utf8 { skipped } => skipped + offset,
            Origin::Lossy { bytes, skipped } => skipped + lossy_to_bytes(bytes, offset),
            #[cfg(feature = "python")]
            Origin::SingleByte => self.content[..offset].chars().count(),
            #[cfg(feature = "encodings")]
            // By encoding what comes before: encodings of several bytes a character have no other
            // way back. UTF-16 is not encoded there, but read only.
            Origin::Encoded { encoding, skipped } => {
                let before = &self.content[..offset];
                let is_of_two = [encoding_rs::UTF_16BE, encoding_rs::UTF_16LE].contains(encoding);
                let length = match is_of_two {
                    true => before.encode_utf16().count() * 2,
                    false => encoding.encode(before).0.len(),
                };
                skipped + length
            }
        }
    }
}

fn lossy_to_bytes(bytes: &[u8], offset: usize) -> usize {
    let (mut text, mut raw) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid().len();
        if offset <= text + valid {
            return raw + (offset - text);
        }
        // Each invalid chunk became one U+FFFD, however many bytes it had (Unicode, "maximal
        // subparts").
        let replaced = if chunk.invalid().is_empty() { 0 } else { '\u{FFFD}'.len_utf8() };
        text += valid + replaced;
        raw += valid + chunk.invalid().len();
    }
    raw
}

#[cfg(all(test, feature = "javascript"))]
mod tests {
    #[cfg(feature = "encodings")]
    use super::encoded;
    use super::lossy;

    #[test]
    #[cfg(feature = "encodings")]
    fn places_in_two_bytes_a_character_point_into_the_file() {
        let bytes = b"\xFE\xFF\x00a\x20\x18\x00b";
        let Ok(text) = encoded(bytes, encoding_rs::UTF_16BE) else { panic!("not read") };
        assert_eq!(text.content, "a\u{2018}b");
        assert_eq!(
            ["a", "\u{2018}", "b"].map(|it| text.to_file(text.content.find(it).unwrap())),
            [2, 4, 6]
        );
    }

    #[test]
    fn places_after_replaced_bytes_still_point_into_the_file() {
        let Ok(text) = lossy(b"\xEF\xBB\xBFa\xFFb\xE9c") else { panic!("lossy reading failed") };
        for letter in [b'a', b'b', b'c'] {
            let at = text.content.find(char::from(letter)).unwrap();
            assert_eq!(b"\xEF\xBB\xBFa\xFFb\xE9c"[text.to_file(at)], letter);
        }
    }
}
