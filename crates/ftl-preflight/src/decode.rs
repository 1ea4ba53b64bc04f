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
    #[cfg(feature = "encodings")]
    Encoded(&'static encoding_rs::Encoding),
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
    match encoding.decode_without_bom_handling_and_without_replacement(bytes) {
        Some(content) => Ok(Text { content, origin: Origin::Encoded(encoding) }),
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
            // way back.
            Origin::Encoded(encoding) => encoding.encode(&self.content[..offset]).0.len(),
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
    use super::lossy;

    #[test]
    fn places_after_replaced_bytes_still_point_into_the_file() {
        let Ok(text) = lossy(b"\xEF\xBB\xBFa\xFFb\xE9c") else { panic!("lossy reading failed") };
        for letter in [b'a', b'b', b'c'] {
            let at = text.content.find(char::from(letter)).unwrap();
            assert_eq!(b"\xEF\xBB\xBFa\xFFb\xE9c"[text.to_file(at)], letter);
        }
    }
}
