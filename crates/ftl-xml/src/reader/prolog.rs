//! The beginning of a document: byte order mark, encoding, XML declaration.
//!
//! UTF-8 only. A document in another encoding is recognised for the sake of the message: "save the
//! file as UTF-8" helps, "byte 2 is not UTF-8" does not.

use std::ops::Range;

use super::cursor::Cursor;
use crate::Fault;
use crate::limits::MAX_RECORD_BYTES;
use crate::span::{Checked, SpannedFault};
use ftl_text::quote;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// How far an encoding declaration is looked for in a document that is not UTF-8.
const DECLARATION_REACH: usize = 256;

/// The text of a document behind its byte order mark, with the mark's length.
///
/// The fault's place is in bytes of the file.
pub(super) fn text(source: &[u8]) -> Result<(&str, usize), (Fault, Range<usize>)> {
    if source.len() > MAX_RECORD_BYTES {
        return Err((Fault::TooLarge, MAX_RECORD_BYTES..source.len()));
    }
    if let Some(name) = foreign_encoding(source) {
        return Err((Fault::Encoding(name.to_owned()), 0..4));
    }
    let body = source.strip_prefix(BYTE_ORDER_MARK).unwrap_or(source);
    let base = source.len() - body.len();
    // A second mark is U+FEFF in front of the root, where no character may stand.
    if body.starts_with(BYTE_ORDER_MARK) {
        return Err((Fault::ByteOrderMark, base..base + BYTE_ORDER_MARK.len()));
    }
    match std::str::from_utf8(body) {
        Ok(text) => Ok((text, base)),
        Err(error) => {
            let at = base + error.valid_up_to();
            let fault = declared_encoding(body).map_or(Fault::NotUtf8, Fault::Encoding);
            Err((fault, at..at + error.error_len().unwrap_or(1)))
        }
    }
}

/// Recognises encodings in which even `<?xml` is written otherwise (XML 1.0, appendix F). UTF-32
/// comes before UTF-16, whose byte order mark it begins with.
fn foreign_encoding(source: &[u8]) -> Option<&'static str> {
    match source {
        [0, 0, 0xFE, 0xFF, ..] | [0, 0, 0, b'<', ..] => Some("UTF-32BE"),
        [0xFF, 0xFE, 0, 0, ..] | [b'<', 0, 0, 0, ..] => Some("UTF-32LE"),
        [0xFE, 0xFF, ..] | [0, b'<', ..] => Some("UTF-16BE"),
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => Some("UTF-16LE"),
        [0x4C, 0x6F, 0xA7, 0x94, ..] => Some("EBCDIC"),
        _ => None,
    }
}

/// The encoding that a document which is not UTF-8 declares, when it is another one.
fn declared_encoding(body: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&body[..body.len().min(DECLARATION_REACH)]);
    let end = head.find("?>").filter(|_| head.starts_with("<?xml"))?;
    match declaration(&head, 0..end + 2) {
        Err(SpannedFault { fault: Fault::Encoding(name), .. }) => Some(name),
        Err(_) | Ok(()) => None,
    }
}

/// Checks an XML declaration, `<?xml … ?>`, by its grammar ([23] XMLDecl) and for what this reader
/// supports.
pub(super) fn declaration(text: &str, range: Range<usize>) -> Checked {
    let flaw = |why| SpannedFault::new(Fault::Declaration(why), range.clone());
    let mut cursor = Cursor::new(text, range.start + "<?xml".len()..range.end - "?>".len());
    let mut expected = ["version", "encoding", "standalone"].into_iter();
    let mut versioned = false;
    loop {
        let spaced = cursor.skip_space();
        if cursor.is_done() {
            break;
        }
        if !spaced {
            return Err(flaw("white space is missing"));
        }
        let pair = cursor.attribute()?;
        let value = &text[pair.value.clone()];
        // `find` consumes what it passes over: a name that comes too late, or twice, is not found.
        match expected.find(|&name| name == &text[pair.name.clone()]) {
            Some("version") => {
                versioned = true;
                check_version(value, pair.value)?;
            }
            Some("encoding") => check_encoding(value, pair.value)?,
            Some(_) if matches!(value, "yes" | "no") => {}
            Some(_) => return Err(flaw("`standalone` is `yes` or `no`")),
            None => {
                return Err(flaw("it holds `version`, `encoding`, `standalone`, in order"));
            }
        }
    }
    if versioned { Ok(()) } else { Err(flaw("`version` is missing")) }
}

/// [26] VersionNum of the fifth edition: any `1.n` is read by the rules of 1.0.
fn check_version(value: &str, range: Range<usize>) -> Checked {
    let digits = value.strip_prefix("1.").unwrap_or_default();
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(())
    } else {
        Err(SpannedFault::new(Fault::Version(quote(value)), range))
    }
}

fn check_encoding(value: &str, range: Range<usize>) -> Checked {
    if value.eq_ignore_ascii_case("utf-8") {
        Ok(())
    } else {
        Err(SpannedFault::new(Fault::Encoding(quote(value)), range))
    }
}
