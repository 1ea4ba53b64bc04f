//! The encoding of a document: of its mark, else of its declaration, else UTF-8 (appendix F).

use encoding_rs::Encoding;

use crate::decode::{self, DecodeError, Text};

/// Bytes in which the declaration is looked for.
const DECLARATION: usize = 256;

/// Text in the encoding that the document says it has.
pub(crate) fn decode(bytes: &[u8]) -> Result<Text<'_>, DecodeError> {
    let encoding = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => Some(encoding),
        None => declared(bytes).and_then(Encoding::for_label),
    };
    match encoding {
        Some(encoding) if encoding != encoding_rs::UTF_8 => decode::encoded(bytes, encoding),
        _ => decode::utf8(bytes),
    }
}

/// The label in `<?xml … encoding="LABEL"`.
fn declared(bytes: &[u8]) -> Option<&[u8]> {
    let start = &bytes[..bytes.len().min(DECLARATION)];
    let declaration = start.strip_prefix(b"<?xml")?.split(|&it| it == b'>').next()?;
    let at = declaration.windows(8).position(|it| it == b"encoding")?;
    declaration[at..].split(|it| matches!(it, b'"' | b'\'')).nth(1)
}
